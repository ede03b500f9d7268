"""What the report of a Comparison says beyond the short answer: its sentences, captions and the words for a paper.

A paper needs everything that Zhu et al. (2020, section 2.3) ask for: test, alpha, effect size with interval, n, power.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from nofluke import __version__
from nofluke.registry import EFFECTS, TESTS
from nofluke.types import Comparison, Interval, Noise, Table, TestResult
from nofluke.types.base import counted
from nofluke.words.comparison import claim, speaks_of_mean
from nofluke.words.computed import interval_method
from nofluke.words.estimate import rule_text
from nofluke.words.evidence import (
    by_mcnemar,
    has_winner,
    noun_of,
    power_sentence,
    range_sentence,
    threshold_sentence,
    wins_sentence,
)
from nofluke.words.margin import margin_sentence, margin_test_sentence
from nofluke.words.names import better_scores, effect_label, effect_meaning, metric_in_full
from nofluke.words.notes.compare import reread
from nofluke.words.numbers import end_of, figure, interval_text, level_text, p_of, scale_of
from nofluke.words.tasks import averaged_over, single_datasets, weights_sentence
from nofluke.words.test_result import alternative_text, chance_sentence, how_computed, null_text, run_sentence
from nofluke.words.winner_first import winner_first

TITLES = {
    "effects": "Effect sizes",
    "tasks": "Each of the {n} {noun}s",
    "all_tests": "All tests run on these data",
}


def sentences(result: Comparison) -> tuple[str, ...]:
    """Everything behind the verdict, one fact a sentence."""
    power = power_sentence(result)
    if math.isnan(result.detectable.difference) and power:
        power = f"Power: {power[:1].lower()}{power[1:]}"
    said = (
        chance_sentence(result.test),
        range_sentence(result),
        weights_sentence(result),
        wins_sentence(result),
        " ".join(part for part in (power, threshold_sentence(result)) if part),
        f"{run_sentence(result.test, with_n=False)} Null hypothesis: {null_text(result.test)}.",
        margin_test_sentence(result),
    )
    return tuple(sentence for sentence in said if sentence)


def notes(result: Comparison) -> tuple[str, ...]:
    """The notes that no sentence, title or caption of the report has said already."""
    said = {note for estimate in result.effects.values() for note in estimate.notes}
    codes = {"test.clusters_swapped", *(() if result.test.delta else ("describe.same_scores",))}
    return tuple(str(note) for note in result.notes if note not in said and note.code not in codes)


def unit_of(result: Comparison) -> str:
    """What one observation is."""
    unit = f"{noun_of(result)}s"
    if result.unit_size > 1:
        unit = f"units of {result.unit_size} items ({result.unit_statistic})"
    if result.average is not None:
        unit += f" of {counted(len(result.tasks), result.average.noun)}"
    return unit + (f" in {result.clusters:,} clusters" if result.clusters else "")


def scores_title(result: Comparison) -> str:
    """Head the table of scores: some items may have none of their own, such as the F1 of a sentence without names."""
    some = f"{result.profile.n:,} have one of their own; " if result.profile.n < result.n else ""
    what = "Scores" if result.average is None else "Scores of all items together"
    return f"{what} ({some}{result.alignment})"


def choices_title(result: Comparison) -> str:
    """Head the table of tests."""
    return f"Tests for these data (rules: {result.choices.rules})"


def short_sentence(result: Comparison, believed: str = "") -> str:
    """Scores, difference with interval, p, test, sides and n in one sentence; `believed` adds the posterior."""
    result = winner_first(result)
    mean = result.effects["mean_difference"]
    scores = " vs. ".join(figure(score, mean.standard_error) for score in result.scores)
    interval = f", {_brackets(mean.interval, mean.standard_error)}" if mean.interval is not None else ""
    others = f"; {one_of_several(result)}" if result.also_run else ""
    return (
        f"{_claim(result)} ({metric_in_full(result.metric, result.scored_by)} {scores}; "
        f"difference {figure(mean.value, mean.standard_error)}{interval}; {p_of(result.test)}, "
        f"{result.test.label}, {alternative_text(result.test)}, n = {result.n:,} {unit_of(result)}{others}{believed})."
    )


def long_sentence(result: Comparison, believed: str = "") -> str:
    """Everything a reader needs to judge and to repeat the comparison."""
    margin = f"The margin was {result.margin:g}. {margin_sentence(result)}".rstrip() if result.margin else ""
    result = winner_first(result)
    a, b = result.systems
    where = f" on {result.dataset}" if result.dataset else ""
    scale = result.effects["mean_difference"].standard_error
    parts = [
        f"We compared {a} ({figure(result.scores[0], scale)}) with {b} ({figure(result.scores[1], scale)}){where} by "
        f"{metric_in_full(result.metric, result.scored_by)} ({better_scores(result)}) on the same n = {result.n:,} "
        f"{unit_of(result)}.",
        f"{_claim(result)} at alpha = {result.alpha:g} ({result.test.label}, {alternative_text(result.test)}, "
        f"{p_of(result.test)}, {how_computed(result.test)}).",
        single_datasets(result),
        f"Effect sizes: {'; '.join(_effects(result))}.",
        _power(result),
        margin,
        believed,
        f"{tests_in_words(result)} Computed with nofluke {__version__}.",
    ]
    return " ".join(part for part in parts if part)


def _claim(result: Comparison) -> str:
    """The claim; a test of another question says so in a paper too."""
    other = has_winner(result) and not speaks_of_mean(result)
    return f"{claim(result)}{averaged_over(result)}" + (" (which says nothing about the mean)" if other else "")


def _brackets(interval: Interval, scale: float) -> str:
    if math.isinf(interval.low) or math.isinf(interval.high):
        return interval_text(interval, scale)
    return f"{level_text(interval.level)} CI [{end_of(interval.low, scale)}, {end_of(interval.high, scale)}]"


def _minus(result: Comparison) -> str:
    """The difference of scores by name: the one that is positive where the first named is better."""
    a, b = result.systems if result.higher_is_better else result.systems[::-1]
    return f"{a} - {b}"


def _effects(result: Comparison) -> list[str]:
    parts = []
    for estimate in result.effects.values():
        label = effect_label(estimate, result.metric)
        label = f"{label} {_minus(result)}" if estimate.name == "mean_difference" else label
        text = f"{label} = {figure(estimate.value, scale_of(estimate))}"
        if estimate.interval is not None:
            text += f" ({_brackets(estimate.interval, scale_of(estimate))}, {interval_method(estimate.interval)})"
        parts.append(text)
    return parts


def _power(result: Comparison) -> str:
    found = result.detectable
    if math.isnan(found.difference):
        return power_sentence(result).replace("Unknown:", "The power of this test set is unknown:")
    by = "" if result.test.about == "mean" else " by a test of the mean"
    given = "the upper 80% limit of the disagreement" if by_mcnemar(result) else "the standard deviation of these data"
    return (
        f"A true difference of {figure(found.difference, found.standard_error)} would be found{by} with power "
        f"{found.power:g} at alpha = {result.alpha:g} (for {given})."
    )


def caption(result: Comparison, believed: str = "") -> str:
    """Say under the table of a paper what was compared, how, and what the dagger means."""
    result = winner_first(result)
    a, b = result.systems
    mean = result.effects["mean_difference"]
    where = f" on {result.dataset}" if result.dataset else ""
    by = f" (interval by {interval_method(mean.interval)})" if mean.interval is not None else ""
    found = "† better" if has_winner(result) else "No clear difference"
    return (
        f"{a} against {b}{where}{averaged_over(result)} by {metric_in_full(result.metric, result.scored_by)} "
        f"({better_scores(result)}), "
        f"n = {result.n:,} {unit_of(result)}. Difference: {_minus(result)}{by}. p: {result.test.label}, "
        f"{alternative_text(result.test)}, {how_computed(result.test)}; {one_of_several(result) or 'one comparison'}, "
        f"no correction.{believed} {found} at alpha = {result.alpha:g}."
    )


def paper_explanations(result: Comparison) -> Mapping[str, str]:
    """What the columns of the table for a paper hold."""
    mean = result.effects["mean_difference"]
    other = next((estimate for name, estimate in result.effects.items() if name != "mean_difference"), mean)
    first = result.systems[0]
    return {
        result.metric: f"the {result.metric} of each system",
        "difference": f"{_minus(result)}: positive means that {first} is better",
        effect_label(other, result.metric): effect_meaning(other, systems=result.systems),
        "P(better)": "how probable it is that the system is better, given the prior and these data",
    }


def effect_explanations(result: Comparison) -> Mapping[str, str]:
    """What each effect size is."""
    return {
        effect_label(estimate, result.metric): effect_meaning(estimate, result.metric, result.systems)
        for estimate in result.effects.values()
    }


def effects_caption(result: Comparison) -> str:
    """The remarks of single effect sizes, the words that rules of thumb have for them, and where no difference is."""
    estimates = result.effects.items()
    remarks = [str(note) for _, estimate in estimates for note in estimate.notes]
    remarks += [
        f"{effect_label(estimate, result.metric)}: {estimate.magnitude} by {rule_text(estimate)}."
        for _, estimate in estimates
        if estimate.magnitude
    ]
    nulls = {name: float(EFFECTS[name].facts["null"]) for name in result.effects}
    remarks += [
        f"{effect_label(estimate, result.metric)}: {nulls[name]:g} is no difference, more is better for "
        f"{result.systems[0]}."
        for name, estimate in estimates
        if nulls[name]
    ]
    return " ".join(remarks)


ALL_TESTS_CAPTION = (
    "The test reported here stands first, the others in the order in which they were run. Each p-value is that of its "
    "own test; none is corrected for the number of tests."
)


def sides_explained(result: Comparison) -> str:
    """What the sides of a test are."""
    a, b = result.systems
    return f"which differences count as evidence; greater: {a} is better, less: {b} is better"


def names_of_tests(result: Comparison) -> list[str]:
    """The tests for a list: by name, those run again on reread scores, and those of other runs with their p-values."""
    again = [f"{one['method']} with {reread(one['denominator'])}" for one in result.repeated]
    others = [f"{one.method} ({one.alternative}, {p_of(one)})" for one in result.also_run]
    return [*result.tests_run, *again, *others]


def tests_in_words(result: Comparison) -> str:
    """The tests as sentences for a paper; why one was run again, with the rounding of scores undone, is explained."""
    others = [f"{one.method} ({one.alternative}, {p_of(one)})" for one in result.also_run]
    run = ", ".join([*(name for name in result.tests_run if name in TESTS), *others])
    return " ".join([f"Tests run on these data: {run}.", *map(str, result.repeated)])


def tests_of(result: Comparison) -> list[TestResult]:
    """All tests whose results are known: the reported one, that of the margin, and those of other runs."""
    own = [result.test] if result.margin_test is None else [result.test, result.margin_test]
    return [*own, *result.also_run]


def one_of_several(result: Comparison) -> str:
    """How many tests this one was chosen from; nothing where it is the only one."""
    return f"one of {len(tests_of(result)):,} tests run on these data" if result.also_run else ""


NOISE_TITLE = "Where the noise comes from"


def noise_table(noise: Noise, systems: tuple[str, ...], items: str) -> Table:
    """A row for items and for the runs of each system: its share of the variance, as a standard error too."""
    parts = {f"items ({items})": noise.items}
    for name, variance, number in zip(systems, noise.runs, noise.n_runs, strict=True):
        parts[f"runs of {name} ({number})"] = variance / number
    total = sum(parts.values())
    rows = tuple(
        (
            source,
            figure(variance**0.5, noise.standard_error),
            f"{variance / total:.0%}" if total else "0%",
        )
        for source, variance in parts.items()
    )
    return Table(
        columns=("from", "standard error", "share of the variance"),
        rows=(*rows, ("all", figure(noise.standard_error, noise.standard_error), "100%")),
        caption=_noise_sentence(noise),
        figures=("standard error", "share of the variance"),
        explain={
            "standard error": "how far the difference would be off if nothing else varied",
            "share of the variance": "squares of standard errors add up; runs are counted without what items explain, "
            "which the test and its interval leave in, to be safe",
        },
    )


def _noise_sentence(noise: Noise) -> str:
    """Say what twice as many items, or runs, would buy."""
    now, items, runs = (
        figure(one, noise.standard_error) for one in (noise.standard_error, noise.twice_items, noise.twice_runs)
    )
    plan = ""
    if not math.isnan(noise.sd):
        named = {"sd": noise.sd, "run_sd": noise.run_sd, "answer_sd": noise.answer_sd}
        stated = (f"{name} = {value:.2g}" for name, value in named.items() if value or name == "sd")
        plan = f" A plan of other numbers (power plan) takes {', '.join(stated)}."
        if not noise.run_sd:
            # So few runs do not show that training is steady, only that other noise hides it.
            plan = " For a plan of other numbers these data are too few: nothing is left of run_sd."
    twice = " and ".join(dict.fromkeys(counted(2 * number, "run") for number in noise.n_runs))
    return (
        f"Twice as many items would bring the standard error from {now} to {items}; twice as many runs ({twice}) to "
        f"{runs}.{plan}"
    )
