"""Peers and nofluke back to back in one run: seconds, ratios and answers, for one comparison after the other.

Run by `make bench`. Every row is the best of many repeats in CPU seconds on one BLAS thread; a peer that is too slow
gets fewer draws and is scaled to a million, which the table says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from timing import DRAWS, Row, best, once, scaled  # isort: skip  (sets the number of threads before NumPy is loaded)

import numpy as np
from families import FAMILIES
from larger import ranked_from_disk

import nofluke as nf
from nofluke.engine.draws import draw_tail
from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.bootstrap import all_pairs_bootstrap
from nofluke.engine.pairs.flips import all_pairs_flips
from nofluke.engine.ratio_swaps.tail import ratio_swap_tail


def scores(n: int = 2_000, decimals: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Two correlated columns of real-valued scores."""
    rng = np.random.default_rng(1)
    a = rng.random(n).round(decimals)
    return a, np.clip(a - 0.005 + rng.normal(0, 0.1, n), 0, 1).round(decimals)


def bootstrap_of_a_mean() -> Iterator[Row]:
    """W1: one-sided shift bootstrap of a mean difference, n = 2,000."""
    import scipy.stats
    from arch.bootstrap import IIDBootstrap
    from deepsig import bootstrap_test

    a, b = scores()
    d = a - b
    integers = np.rint(d * 1e6).astype(np.int64)
    seconds, tail = best(lambda: draw_tail(integers, 2 * int(integers.sum())), 9)
    yield Row("nofluke, engine call", seconds, f"{np.exp(tail.log_p):.5f}", "no draws")
    seconds, result = best(lambda: nf.test(a, b, "bootstrap", alternative="greater"), 5)
    yield Row("nofluke, nf.test with interval", seconds, f"{result.p_value:.5f}", "no draws")
    seconds, result = best(lambda: nf.test(a, b, "bootstrap"), 5)
    yield Row("nofluke, nf.test, two-sided with interval", seconds, f"{result.p_value:.5f}", "no draws; two-sided p")

    def plain() -> float:
        rng = np.random.default_rng(0)
        return float(np.mean([d[rng.integers(0, len(d), len(d))].mean() >= 2 * d.mean() for _ in range(5_000)]))

    yield scaled("plain NumPy loop", 5_000, plain, float)
    yield scaled(
        "scipy.stats.bootstrap",
        20_000,
        lambda: scipy.stats.bootstrap((d,), np.mean, n_resamples=20_000, batch=500, method="basic", vectorized=True),
        lambda found: float(np.mean(found.bootstrap_distribution >= 2 * d.mean())),
    )
    yield scaled(
        "arch IIDBootstrap",
        5_000,
        lambda: IIDBootstrap(d, seed=0).apply(np.mean, 5_000),
        lambda f: float(np.mean(f >= 2 * d.mean())),
    )
    yield scaled(
        "deepsig (independent, not paired)", 2_000, lambda: bootstrap_test(a, b, num_samples=2_000, seed=1), float
    )


def permutation_of_a_mean() -> Iterator[Row]:
    """W2: one-sided sign-flip permutation of a mean difference, n = 2,000."""
    import scipy.stats
    from deepsig import permutation_test as of_deepsig
    from mlxtend.evaluate import permutation_test as of_mlxtend

    a, b = scores()
    integers = np.rint((a - b) * 1e6).astype(np.int64)
    seconds, tail = best(lambda: flip_tail(integers, int(integers.sum())), 9)
    yield Row("nofluke, engine call", seconds, f"{np.exp(tail.log_p):.5f}", "no draws")
    seconds, result = best(lambda: nf.test(a, b, "permutation", alternative="greater"), 5)
    yield Row("nofluke, nf.test with interval", seconds, f"{result.p_value:.5f}", "no draws")
    seconds, drawn = once(lambda: nf.test(a, b, "permutation", alternative="greater", monte_carlo=DRAWS))
    yield Row("nofluke, monte_carlo=1,000,000", seconds, f"{drawn.p_value:.5f}")
    yield scaled(
        "scipy.stats.permutation_test",
        5_000,
        lambda: scipy.stats.permutation_test(
            (a, b),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=5_000,
            batch=500,
            alternative="greater",
        ),
        lambda found: float(found.pvalue),
    )
    yield scaled(
        "mlxtend permutation_test",
        500,
        lambda: of_mlxtend(a, b, method="approximate", num_rounds=500, paired=True, func="x_mean > y_mean", seed=0),
        float,
    )
    yield scaled("deepsig permutation_test", 200, lambda: of_deepsig(a, b, num_samples=200, seed=1), float)


def swaps_of_micro_f1() -> Iterator[Row]:
    """W3: one-sided swaps of micro-F1, n = 2,000 sentences."""
    rng = np.random.default_rng(2)
    gold = rng.integers(1, 6, 2_000)
    parts = []
    for share in (0.63, 0.6):
        predicted = rng.poisson(gold)
        parts.append((2 * rng.binomial(np.minimum(predicted, gold), share), predicted + gold))
    (num_a, den_a), (num_b, den_b) = parts
    seconds, tail = best(lambda: ratio_swap_tail(num_a, num_b, den_a, den_b), 5)
    yield Row("nofluke, exact 2-D inversion", seconds, f"{np.exp(tail.log_p):.5f}", "no draws")

    def plain() -> float:
        stream = np.random.default_rng(0)
        observed = num_a.sum() / den_a.sum() - num_b.sum() / den_b.sum()
        hits = 0
        for _ in range(5_000):
            swap = stream.random(2_000) < 0.5
            first = np.where(swap, num_b, num_a).sum() / np.where(swap, den_b, den_a).sum()
            second = np.where(swap, num_a, num_b).sum() / np.where(swap, den_a, den_b).sum()
            hits += first - second >= observed
        return (1 + hits) / 5_001

    yield scaled("plain NumPy loop", 5_000, plain, float)


def resampling_of_bleu() -> Iterator[Row]:
    """W4: paired bootstrap of corpus BLEU, 17 systems, 2,000 sentences, 1,000 resamples, statistics given."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    from nofluke.engine.corrected.draws import resampled_scores
    from nofluke.registry import METRICS

    rng = np.random.default_rng(3)
    words = [f"w{i}" for i in range(400)]
    reference = [" ".join(rng.choice(words, rng.integers(8, 30))) for _ in range(2_000)]

    def noisy(share: float) -> list[str]:
        return [
            " ".join(w if rng.random() > share else str(rng.choice(words)) for w in line.split()) for line in reference
        ]

    systems = [(f"s{i}", noisy(0.3 + 0.005 * i)) for i in range(17)]
    metric = METRICS["bleu"].function
    statistics = [metric(lines, reference, tokenize="none") for _, lines in systems]
    table = np.stack([found.values for found in statistics], axis=1)
    seconds, found = best(lambda: resampled_scores(table, statistics[0].aggregate, 1_000, seed=0), 5)
    yield Row("nofluke, shared count matrix", seconds, f"{found[:, 0].mean():.3f}")

    def peer() -> Any:
        # Construction extracts the statistics; only the resampling is timed below.
        return PairedTest(
            systems,
            {"BLEU": BLEU(tokenize="none", references=[reference])},
            references=[reference],
            test_type="bs",
            n_samples=1_000,
        )

    prepared = peer()
    seconds, result = once(prepared)
    extraction, _ = once(
        lambda: [
            BLEU(tokenize="none", references=[reference])._extract_corpus_statistics(lines, None)
            for _, lines in systems
        ]
    )
    yield Row(
        "sacrebleu PairedTest",
        max(seconds - extraction, 1e-9),
        f"{result[1]['BLEU'][0].mean:.3f}",
        "extraction of statistics taken off",
    )


def all_pairs() -> Iterator[Row]:
    """W5: all 11,175 pairs of 150 systems on 2,034 items."""
    rng = np.random.default_rng(4)
    difficulty = rng.normal(size=(2_034, 1))
    table = np.rint(
        (0.5 + 0.1 * difficulty + rng.normal(0, 0.1, (2_034, 150)) + np.linspace(0, 0.03, 150)) * 1e6
    ).astype(np.int64)
    seconds, tails = best(lambda: all_pairs_flips(table, holm=0.05), 2)
    yield Row("nofluke, permutation of all pairs", seconds, f"{int((tails.log_p <= np.log(0.05)).sum()):,} below .05")
    seconds, tails = best(lambda: all_pairs_bootstrap(table), 4)
    yield Row("nofluke, bootstrap of all pairs", seconds, f"{int((tails.log_p <= np.log(0.05)).sum()):,} below .05")

    def plain() -> float:
        d = table[:, 1] - table[:, 0]
        stream = np.random.default_rng(0)
        return float(np.mean([d[stream.integers(0, len(d), len(d))].sum() >= 2 * d.sum() for _ in range(1_000)]))

    seconds, _ = once(plain)
    yield Row("plain NumPy loop, 1,000 resamples a pair", seconds * 11_175, "", "scaled from one pair")


def ranks() -> Iterator[Row]:
    """W6: Wilcoxon with ties at n = 1,000,000, and Hodges-Lehmann at n = 20,000."""
    import scipy.stats

    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 101, 1_000_000) / 100, rng.integers(0, 101, 1_000_000) / 100
    seconds, result = once(lambda: nf.test(a, b, "wilcoxon", mode="normal"))
    yield Row("nofluke wilcoxon, normal, with interval", seconds, f"{result.p_value:.5f}")
    seconds, peer = once(lambda: scipy.stats.wilcoxon(a, b))
    yield Row("scipy.stats.wilcoxon (no interval, ranks binary noise)", seconds, f"{peer.pvalue:.5f}")
    x = rng.normal(0.1, 1, 20_000)
    seconds, estimate = best(lambda: nf.effect(x, np.zeros(20_000), "hodges_lehmann"), 2)
    yield Row("nofluke hodges_lehmann, n = 20,000, with interval", seconds, f"{estimate.value:.5f}")


WORKLOADS: tuple[Callable[[], Iterator[Row]], ...] = (
    bootstrap_of_a_mean,
    permutation_of_a_mean,
    swaps_of_micro_f1,
    resampling_of_bleu,
    all_pairs,
    ranks,
    *FAMILIES,
    ranked_from_disk,
)


def tables(recorded: str = "", only: Sequence[str] = ()) -> Iterator[str]:
    """One Markdown table a workload; ratios are against its first row.

    A workload that is not asked for, or whose peers are not installed, keeps the table that was recorded before.
    """
    known = {section.partition("\n")[0]: section.strip() for section in recorded.split("\n## ")[1:]}
    for workload in WORKLOADS:
        title = (workload.__doc__ or "").strip()
        try:
            measured = None if only and workload.__name__ not in only else list(_rows_of(workload))
        except ModuleNotFoundError:
            measured = None
        lines = known.get(title, f"{title}\n\nnot measured in the last run.")
        yield "\n## " + (lines if measured is None else "\n".join([title, "", *measured]))


def _rows_of(workload: Callable[[], Iterator[Row]]) -> Iterator[str]:
    yield "| tool | seconds | ratio | answer | remark |\n|---|---|---|---|---|"
    first = math.nan
    for row in workload():
        first = row.seconds if math.isnan(first) else first
        yield f"| {row.tool} | {row.seconds:.3g} | {row.seconds / first:,.3g} | {row.answer} | {row.remark} |"


def main() -> None:
    """Print the tables."""
    for line in tables():
        print(line, flush=True)


if __name__ == "__main__":
    main()
