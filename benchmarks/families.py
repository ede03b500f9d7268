"""Many tests at once: power curves, replicability counts and leaderboards, against what people program by hand."""

from __future__ import annotations

import importlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from timing import Row, best, once  # isort: skip  (sets the number of threads before NumPy is loaded)

import numpy as np

import nofluke as nf

_SIZES, _ITERATIONS, _INNER = 20, 200, 200


def _public(name: str) -> Callable[..., Any] | None:
    """A function of nofluke, or None where this version does not have it: the table then says so."""
    return getattr(nf, name, None)


def _missing(name: str) -> Row:
    return Row(f"nofluke, nf.{name}", float("nan"), "", "not in this version")


def power_curves() -> Iterator[Row]:
    """W7: retrospective power curves, 20 sizes up to 2,000 items, 200 drawn test sets each."""
    import scipy.stats

    rng = np.random.default_rng(6)
    a = rng.random(2_000).round(4)
    b = np.clip(a - 0.005 + rng.normal(0, 0.1, 2_000), 0, 1).round(4)
    d = a - b
    curve = _public("power_curve")
    options = {"difference": "observed", "sizes": _SIZES, "iterations": _ITERATIONS, "seed": 0}
    for method in ("bootstrap", "wilcoxon", "permutation"):
        if curve is None:
            yield _missing("power_curve")
            continue
        seconds, found = best(lambda method=method: curve(a, b, method, **options), 2)
        yield Row(f"nofluke, {method}", seconds, f"{found.power[-1]:.3f}", "power at the largest size")
    sizes = np.linspace(100, 2_000, _SIZES).astype(int)

    def wilcoxon() -> float:
        stream = np.random.default_rng(0)
        for n in sizes:
            found = [scipy.stats.wilcoxon(d[stream.integers(0, 2_000, n)]).pvalue <= 0.05 for _ in range(_ITERATIONS)]
        return float(np.mean(found))

    seconds, power = once(wilcoxon)
    yield Row("scipy.stats.wilcoxon in a loop", seconds, f"{power:.3f}")

    def bootstrap(iterations: int) -> float:
        stream = np.random.default_rng(0)
        for n in sizes:
            found = []
            for _ in range(iterations):
                drawn = d[stream.integers(0, 2_000, n)]
                means = drawn[stream.integers(0, n, (_INNER, n))].mean(axis=1)
                tail = np.mean(means - drawn.mean() >= abs(drawn.mean()))
                found.append(2 * tail <= 0.05)
        return float(np.mean(found))

    seconds, power = once(lambda: bootstrap(20))
    yield Row(
        "NumPy bootstrap in a loop, 200 resamples",
        seconds * _ITERATIONS / 20,
        f"{power:.3f}",
        "scaled from 20 test sets a size; the resamples add noise",
    )


def replicability_counts() -> Iterator[Row]:
    """W8: k-hat of 1,000 simulated families of 100 datasets, by Fisher and by Bonferroni."""
    import scipy.stats

    rng = np.random.default_rng(7)
    p = rng.random((1_000, 100))
    p[:, :60] **= 6
    try:
        combination = importlib.import_module("nofluke.inference.multiplicity.partial_conjunction")
    except ImportError:
        combination = None

    def counted() -> list[Any]:
        return [
            combination.count_effects(combination.partial_conjunction(p, name), 0.05)
            for name in ("fisher", "bonferroni")
        ]

    rows = 20
    expected: list[Any] | None = None
    if combination is None:
        yield _missing("replicate")
    else:
        seconds, expected = best(counted)
        yield Row("nofluke, all families at once", seconds, f"{expected[0].mean():.2f}, {expected[1].mean():.2f}")
    replicate = _public("replicate")
    if replicate is not None:
        some = 50
        seconds, _ = best(lambda: [replicate(row, dependence="independent") for row in p[:some]], 2)
        yield Row(
            "nofluke, nf.replicate", seconds * 1_000 / some, "", f"scaled from {some} families; with lists and words"
        )

    def plain() -> list[tuple[int, int]]:
        """The published script: sorted p-values, one combined test for every u, running maxima."""
        counts = []
        for row in p[:rows]:
            ordered = np.sort(row)
            both = []
            for name in ("fisher", "bonferroni"):
                so_far, k = 0.0, 0
                for u in range(1, 101):
                    rest = ordered[u - 1 :]
                    if name == "fisher":
                        found = scipy.stats.chi2.sf(-2 * np.sum(np.log(rest)), 2 * len(rest))
                    else:
                        found = len(rest) * rest[0]
                    so_far = max(so_far, float(found))
                    k += so_far <= 0.05
                both.append(k)
            counts.append((both[0], both[1]))
        return counts

    seconds, found = once(plain)
    same = expected is not None and np.array_equal(np.array(expected)[:, :rows], np.array(found).T)
    yield Row(
        "loop with scipy.stats.chi2",
        seconds * 1_000 / rows,
        "same counts" if same else "",
        f"scaled from {rows} families",
    )


def leaderboard_of_150() -> Iterator[Row]:
    """nf.rank as a user calls it: 150 systems on 2,034 items, all pairs, corrected."""
    rank = _public("rank")
    if rank is None:
        yield _missing("rank")
        return
    rng = np.random.default_rng(4)
    table = 0.5 + 0.1 * rng.normal(size=(2_034, 1)) + rng.normal(0, 0.1, (2_034, 150)) + np.linspace(0, 0.03, 150)
    scores = {f"system {i}": column for i, column in enumerate(table.round(6).T)}
    for method in ("permutation", "bootstrap"):
        seconds, found = best(lambda method=method: rank(scores, method=method), 2)
        yield Row(f"nofluke, nf.rank, {method}", seconds, f"{len(found.groups)} groups")


def leaderboard_by_f1() -> Iterator[Row]:
    """45 systems by F1 on 2,000 items, 990 pairs, studentised swaps."""
    from nofluke.engine.ratio_swaps.all_pairs import all_pairs_swap_counts

    rng, systems = np.random.default_rng(5), 45
    gold = rng.poisson(4, (2_000, 1)) + 1
    guessed = np.maximum(0, gold + rng.integers(-1, 2, (2_000, systems)))
    matched = rng.binomial(np.minimum(gold, guessed), np.linspace(0.8, 0.9, systems))
    pairs = np.triu_indices(systems, 1)
    seconds, found = once(lambda: all_pairs_swap_counts(2 * matched, gold + guessed, pairs, resamples=159_999, seed=0))
    yield Row("nofluke, all pairs", seconds, f"{int((found.min(axis=0) == 0).sum())} never reached", "159,999 draws")


def leaderboard_of_bleu() -> Iterator[Row]:
    """16 systems by corpus BLEU, 2,000 sentences, from text to ranks: with an empty cache, and again."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    rng = np.random.default_rng(3)
    words = np.array([f"w{i}" for i in range(400)])
    reference = [" ".join(rng.choice(words, rng.integers(8, 30))) for _ in range(2_000)]

    def noisy(share: float) -> list[str]:
        lines = (line.split() for line in reference)
        return [" ".join(w if rng.random() > share else str(rng.choice(words)) for w in line) for line in lines]

    systems = {f"s{i}": noisy(0.3 + 0.005 * i) for i in range(16)}
    rank = _public("rank")
    if rank is None:
        yield _missing("rank")
    else:
        before = os.environ.get("NOFLUKE_CACHE")
        with tempfile.TemporaryDirectory() as folder:
            os.environ["NOFLUKE_CACHE"] = folder
            for state in ("cold", "warm"):
                seconds, found = once(lambda: rank(nf.score("bleu", systems, reference, tokenize="none")))
                yield Row(
                    f"nofluke, nf.score and nf.rank, {state}", seconds, f"{len(found.groups)} groups", "120 pairs"
                )
        os.environ.pop("NOFLUKE_CACHE")
        if before is not None:
            os.environ["NOFLUKE_CACHE"] = before

    def peer() -> Any:
        metric = {"BLEU": BLEU(tokenize="none", references=[reference])}
        return PairedTest(list(systems.items()), metric, references=[reference], test_type="bs", n_samples=1_000)()

    seconds, result = once(peer)
    yield Row(
        "sacrebleu PairedTest, 1,000 resamples", seconds, f"{result[1]['BLEU'][0].mean:.3f}", "15 pairs, no groups"
    )


def few_items() -> Iterator[Row]:
    """W9: few items with all their digits, where sums can neither be counted nor taken for normal; nofluke alone."""
    rng = np.random.default_rng(9)

    def floats(items: int, systems: int) -> dict[str, Any]:
        table = rng.normal(size=(items, 1)) + rng.normal(0, 0.7, (items, systems)) + 0.05 * np.arange(systems)
        return {f"s{i}": column for i, column in enumerate(table.T)}

    for items in (40, 50, 2_000):
        a, b = floats(items, 2).values()
        for method in ("permutation", "bootstrap"):
            seconds, found = best(lambda a=a, b=b, method=method: nf.test(a, b, method))
            yield Row(f"nf.test, {method}, {items:,} items", seconds, f"{found.p_value:.5f}", found.computed.how)
        if items == 2_000:
            short = [column.round(3) for column in (a, b)]
            for method in ("permutation", "bootstrap"):
                seconds, found = best(lambda short=short, method=method: nf.test(*short, method))
                yield Row(f"nf.test, {method}, 2,000 items, three decimals", seconds, f"{found.p_value:.5f}")
            tied = a.copy()
            tied[:1_200] = b[:1_200]
            for method in ("permutation", "bootstrap"):
                seconds, found = best(lambda b=b, tied=tied, method=method: nf.test(tied, b, method))
                yield Row(f"nf.test, {method}, 2,000 items, 60 % ties", seconds, f"{found.p_value:.5f}")
    a, b = floats(20_000, 2).values()
    seconds, related = best(lambda: nf.correlation(a, b, "kendall"), 1)
    yield Row("nf.correlation, kendall, 20,000 items", seconds, f"{related.estimate:.5f}")
    a, b = floats(46, 2).values()
    seconds, compared = best(lambda: nf.compare(a, b, margin=0.3))
    yield Row("nf.compare with a margin, 46 items", seconds, str(compared.margin_verdict))
    truth = rng.integers(0, 4, (100_000, 1))
    ratings = np.where(rng.random((100_000, 10)) < 0.7, truth, rng.integers(0, 4, (100_000, 10)))
    for name in ("krippendorff_alpha", "conger_kappa"):
        seconds, agreed = best(lambda name=name: nf.agree(ratings, name), 1)
        yield Row(f"nf.agree, {name}, 1,000,000 annotations", seconds, f"{agreed.value:.5f}")
    for systems in (4, 6):
        scores = floats(46, systems)
        seconds, ranked = best(lambda scores=scores: nf.rank(scores))
        yield Row(f"nf.rank, {systems} systems, 46 items", seconds, f"{len(ranked.groups)} groups")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tasks.csv")
        cells = [
            f"d{d},q{i},{s},{float(rng.normal(0.3 * (s == 'a')))!r}" for d in range(8) for i in range(46) for s in "ab"
        ]
        path.write_text("\n".join(["dataset,item,system,score", *cells, ""]))
        tasks = nf.read(path)
    seconds, replicated = best(lambda: nf.replicate(tasks))
    yield Row("nf.replicate, 8 datasets of 46 items", seconds, f"{replicated.count} of 8")
    a, b = (rng.random((2, 200)) < [[0.7], [0.6]]).astype(float)
    seconds, found = best(lambda: nf.test(a, b, "tango", mode="exact", delta=-0.05, alternative="greater"))
    yield Row("nf.test, exact tango, 200 items", seconds, f"{found.p_value:.5f}")
    for items, systems in ((15, 40), (50, 2), (2_000, 2)):
        scores = _f1_scores(rng, items, systems)
        if systems > 2:
            seconds, ranked = best(lambda scores=scores: nf.rank(scores), 1)
            yield Row(f"nf.rank by F1, {systems} systems, {items} items", seconds, f"{len(ranked.groups)} groups")
            continue
        for method, options in (("permutation", {"form": "raw"}), ("bootstrap", {})):
            call = lambda scores=scores, method=method, options=options: nf.test(scores.pair(), method, **options)  # noqa: E731
            seconds, found = best(call)
            yield Row(f"nf.test of F1, {method}, {items:,} items", seconds, f"{found.p_value:.5f}", found.computed.how)


def _f1_scores(rng: np.random.Generator, items: int, systems: int) -> Any:
    gold = rng.poisson(4, items) + 1
    tables = {}
    for system in range(systems):
        guessed = np.maximum(0, gold + rng.integers(-1, 2, items))
        right = rng.binomial(np.minimum(gold, guessed), 0.7 + 0.2 * system / systems)
        tables[f"s{system}"] = {"right": right, "guessed": guessed, "gold": gold}
    return nf.from_statistics(tables, "2*right/(guessed+gold)", metric="f1")


FAMILIES: tuple[Callable[[], Iterator[Row]], ...] = (
    power_curves,
    replicability_counts,
    leaderboard_of_150,
    leaderboard_by_f1,
    leaderboard_of_bleu,
    few_items,
)
