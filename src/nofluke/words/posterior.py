"""What a Posterior says: how probable it is that each system is better, under which prior and region."""

from __future__ import annotations

import math

from nofluke.types import Answer, Bar, Interval, Note, Posterior, Table
from nofluke.types.base import counted
from nofluke.words.fixes import DETAILS
from nofluke.words.notes import matters
from nofluke.words.numbers import figure, level_text, signed

_MOST_NOTES, _MOST_ROWS = 3, 8

# What is said of a system and of practical equivalence, by what the posterior is about.
_EVENTS = {
    "mean": ("{} better", "practically equivalent"),
    "accuracy": ("{} better", "practically equivalent"),
    "wins": ("{} wins more items", "practically equivalent"),
    "datasets_mean": ("{} better on average", "practically equivalent"),
    "next_dataset": ("{} better on the next dataset", "practically equivalent"),
    "dataset_wins": ("{} better most often", "practically equivalent most often"),
    "dataset_pairs": ("{} typically better", "typically practically equivalent"),
}
_PARAMETERS = {
    "mean": "mean difference",
    "accuracy": "difference in accuracy",
    "wins": "share of decided items that {a} wins",
    "datasets_mean": "mean difference over datasets like these",
    "next_dataset": "difference on the next dataset like these",
    "dataset_wins": "share of datasets on which {a} is better",
    "dataset_pairs": "share of pairs of datasets whose average favours {a}",
}
_SHARES_OF_DATASETS = ("dataset_wins", "dataset_pairs")
_DIFFERENCES = ("mean", "accuracy", "datasets_mean", "next_dataset")
_ABOUT_WINS = "This says nothing about the mean score."
_BELIEF = "Degrees of belief given the prior, not p-values or error rates."
# Notes that change how the answer is read, in this order; the others are for the details.
_TELLING = (
    "bayes.scores_as_datasets",
    "bayes.single_items",
    "bayes.only_the_prior",
    "bayes.all_tied",
    "bayes.skewed",
    "bayes.clusters",
    "bayes.small_datasets",
    "bayes.borrowed",
    "bayes.few_datasets",
    "bayes.other_prior",
    "bayes.other_place",
)
# Notes that are sentences or points of their own.
_NO_REGION = "bayes.no_region"
_PLACED = ("bayes.other_target", "bayes.between_datasets", _NO_REGION)


def answer(result: Posterior) -> Answer:
    """The probabilities, the parameter or the datasets, then region, prior and model."""
    points = [
        ("Also", _placed(result, "bayes.other_target")),
        ("Spread", _placed(result, "bayes.between_datasets")),
        ("Share", _estimated(result) if result.about in _SHARES_OF_DATASETS else ""),
        ("Region", region(result) if result.known else ""),
        ("Prior", _as_sentence(str(result.prior))),
        ("Meaning", _BELIEF if result.known else ""),
        ("Model", f"{_as_sentence(result.label)[:-1]}, n = {result.n:,}, {_draws(result)}."),
    ]
    return Answer(
        verdict=headline(result),
        table=None if not result.known else _dataset_table(result) if result.datasets else _parameter_table(result),
        points=tuple(point for point in points if point[1]),
        notes=_telling(result),
    )


def headline(result: Posterior) -> str:
    """The answer in one sentence or two."""
    a, b = result.systems
    if not result.known:
        return f"The model gives no probability that {a} or {b} is better. {result.notes[0]}"
    wins = f" {_ABOUT_WINS}" if result.about == "wins" else ""
    return f"{all_probabilities(result)}.{wins}"


def sentences(result: Posterior) -> tuple[str, ...]:
    """What stands below the headline of a report: parameter, region, prior, meaning, computation."""
    prior = f"Prior: {result.prior}."
    if not result.known:
        return (prior,)
    said = (
        _placed(result, "bayes.other_target"),
        _estimated(result),
        _placed(result, "bayes.between_datasets"),
        region(result) if result.rope is not None else f"Region of practical equivalence: {_uncapitalised(result)}",
        prior,
        _BELIEF,
        _as_sentence(_how(result)),
    )
    return tuple(sentence for sentence in said if sentence)


def notes(result: Posterior) -> tuple[str, ...]:
    """The remarks that no sentence has said already."""
    reason = () if result.known else result.notes[:1]
    return tuple(str(one) for one in result.notes if one.code not in _PLACED and one not in reason)


def all_probabilities(result: Posterior) -> str:
    """All probabilities in one line: A better, practically equivalent if there is a region, B better."""
    return ", ".join(text for text, _ in each_probability(result))


def each_probability(result: Posterior) -> tuple[tuple[str, float], ...]:
    """Each probability as it is printed, with its value."""
    # A region without any width holds nothing, whatever the data.
    wide = result.rope is not None and result.rope[0] < result.rope[1]
    p = (result.p_better, result.p_equal if wide else math.nan, result.p_worse)
    alone = [tuple(one if at == place else math.nan for at in range(3)) for place, one in enumerate(p)]
    said = [probabilities(result.about, result.systems, (a, b, c), result.draws) for a, b, c in alone]
    return tuple((text, one) for text, one in zip(said, p, strict=True) if text)


def probabilities(about: str, systems: tuple[str, str], p: tuple[float, float, float], draws: int = 0) -> str:
    """Print "P(new better) = 0.93, P(practically equivalent) = 0.05, P(old better) = 0.02".

    >>> probabilities("mean", ("new", "old"), (0.975, float("nan"), 0.025))
    'P(new better) = 0.975, P(old better) = 0.025'
    """
    event, equivalent = _EVENTS.get(about, _EVENTS["mean"])
    events = (event.format(systems[0]), equivalent, event.format(systems[1]))
    pairs = [(name, one) for name, one in zip(events, p, strict=True) if not math.isnan(one)]
    return ", ".join(f"P({name}) {equal_to(one, draws)}" for name, one in pairs)


def equal_to(p: float, draws: int = 0) -> str:
    """Give "= 0.93", "> 0.999" or "< 0.001"."""
    text = probability(p, draws)
    return text if text[0] in "<>" else f"= {text}"


def probability(p: float, draws: int = 0) -> str:
    """Print a probability; never 0 or 1, and from random draws never finer than they allow.

    >>> probability(0.97512), probability(0.0002), probability(1 - 3e-5), probability(1e-12), probability(1.0, 50_000)
    ('0.975', '0.0002', '0.99997', '< 0.000001', '> 0.9999')
    """
    if math.isnan(p):
        return "unknown"
    finest = 1e-6 if not draws else 10.0 ** math.ceil(math.log10(3 / draws))
    digits = max(3, round(-math.log10(finest)))
    rest = min(p, 1 - p)
    if rest < finest:
        return f"< {finest:.{digits}f}" if p < 0.5 else f"> {1 - finest:.{digits}f}"
    if rest >= 0.001:
        return f"{p:.3f}"
    return f"{p:.{min(digits, 1 + math.ceil(-math.log10(rest)))}f}".rstrip("0")


def parameter(result: Posterior) -> str:
    """Name what the posterior is about."""
    named = _PARAMETERS.get(result.about, result.about).format(a=result.systems[0])
    beyond = result.about in _SHARES_OF_DATASETS and result.rope is not None
    return f"{named} by more than the region" if beyond else named


def region(result: Posterior) -> str:
    """Say which differences count as practically equivalent, or that none was stated."""
    if result.rope is None:
        return _placed(result, _NO_REGION)
    if result.about == "wins":
        return f"Practically equivalent: {result.systems[0]} wins {limits(result)} of the decided items."
    return f"Differences from {limits(result)} count as practically equivalent."


def size(result: Posterior) -> str:
    """What the answer rests on: items, or datasets where each counts once."""
    return counted(result.n, "dataset" if result.about in _SHARES_OF_DATASETS else "item")


def limits(result: Posterior) -> str:
    """Both ends of the region of practical equivalence."""
    return "none" if result.rope is None else f"{result.rope[0]:g} to {result.rope[1]:g}"


def for_a_paper(result: Posterior) -> str:
    """The whole answer: model, n, prior, probabilities, and how they were computed."""
    if not result.known:
        return headline(result)
    error = f" (Monte Carlo standard error at most {result.error:.1g})" if result.draws else ""
    return (
        f"A Bayesian analysis ({result.label}, n = {result.n:,}; prior: {result.prior}) gives "
        f"{with_region(result)}, {_how(result)}{error}."
    )


def short(result: Posterior) -> str:
    """The probabilities with the model, for the middle of a sentence in a paper."""
    if not result.known:
        return headline(result)
    return f"{with_region(result)} ({result.label}, n = {result.n:,})."


def caption(result: Posterior) -> str:
    """Below the table of probabilities."""
    stated = "none stated" if result.rope is None else limits(result)
    return (
        f"{_as_sentence(result.label)[:-1]}, n = {result.n:,}. Estimate: {parameter(result)}, with its equal-tailed "
        f"credible interval. Region of practical equivalence: {stated}. Prior: {result.prior}. "
        f"{_as_sentence(_how(result))}"
    )


DATASETS_CAPTION = (
    "Estimate: the true difference on a dataset, given all datasets; noisy datasets are drawn towards the common mean."
)


def explanations(result: Posterior) -> dict[str, str]:
    """What the columns of the tables hold, by their headings."""
    a, b = result.systems
    return {
        "model": "what was assumed about the data; the prior is named below",
        f"P({a} better)": f"how probable it is that {a} is better, given the prior and these data",
        f"P({b} better)": f"how probable it is that {b} is better, given the prior and these data",
        "P(equivalent)": "how probable it is that the difference lies in the region of practical equivalence",
        "estimate": "the true difference given all datasets" if result.datasets else parameter(result),
        "dataset": "one of the datasets",
        "items": "how many items it has",
        "observed": "mean difference seen on this dataset",
    }


def in_caption_of_comparison(result: Posterior) -> str:
    """What the column P(better) of a comparison holds."""
    how = f"{result.label}, prior: {result.prior}; {_how(result)}"
    if result.rope is None:
        return f" P(better): posterior probability that the system is better ({how})."
    return (
        " P(better): posterior probability that the system is better by more than the region of practical equivalence; "
        f"P(practically equivalent, {limits(result)}) {equal_to(result.p_equal, result.draws)} ({how})."
    )


def with_region(result: Posterior) -> str:
    """All probabilities in one line, and what counts as practically equivalent."""
    stated = "" if result.rope is None else f" (practically equivalent: {limits(result)})"
    return f"{all_probabilities(result)}{stated}"


def _estimated(result: Posterior) -> str:
    interval = result.interval
    if interval is None:
        return ""
    return f"The {parameter(result)} is about {_value(result)} ({_credible(interval)})."


def in_a_line(result: Posterior) -> str:
    """The parameter with its interval, for a line of figures."""
    if result.interval is None:
        return ""
    return f"{parameter(result)} {_value(result)}, {_credible(result.interval)}"


def _uncapitalised(result: Posterior) -> str:
    said = region(result)
    return f"{said[:1].lower()}{said[1:]}"


def _value(result: Posterior) -> str:
    printed = signed if result.about in _DIFFERENCES else figure
    return printed(result.estimate, scale_of(result))


def _credible(interval: Interval) -> str:
    scale = (interval.high - interval.low) / 4
    limits = f"{figure(interval.low, scale)} to {figure(interval.high, scale)}"
    return f"{level_text(interval.level)} credible interval {limits}"


def scale_of(result: Posterior) -> float:
    """The scale on which the parameter is printed, a standard deviation or so."""
    return math.nan if result.interval is None else (result.interval.high - result.interval.low) / 4


def _parameter_table(result: Posterior) -> Table | None:
    interval = result.interval
    if interval is None or result.about in _SHARES_OF_DATASETS:
        return None
    # In a sentence it is longer than a row has room for.
    label = f"items won by {result.systems[0]}" if result.about == "wins" else parameter(result)
    return Table(
        columns=("", " ", "  "),
        rows=((label, _value(result), _credible(interval)),),
        figures=(" ",),
        bars=(Bar(interval.low, result.estimate, interval.high, result.null),),
    )


def _dataset_table(result: Posterior) -> Table:
    """The datasets that are most sure for either side, in their own order."""
    sure = sorted(range(len(result.datasets)), key=lambda at: -abs(result.datasets[at].p_better - 0.5))[:_MOST_ROWS]
    parts = [result.datasets[at] for at in sorted(sure)]
    left = len(result.datasets) - len(parts)
    return Table(
        columns=("dataset", "items", "observed", "estimate", f"P({result.systems[0]} better)"),
        rows=tuple(
            (
                part.dataset,
                f"{part.n:,}",
                signed(part.observed, part.standard_error),
                signed(part.estimate, part.standard_error),
                probability(part.p_better),
            )
            for part in parts
        ),
        figures=("items", "observed", "estimate", f"P({result.systems[0]} better)"),
        caption=f"{left:,} more, less sure: {DETAILS}" if left else "",
    )


def _telling(result: Posterior) -> tuple[str, ...]:
    """The few notes that change how the answer is read."""
    reason = () if result.known else result.notes[:1]
    found = [one for code in _TELLING for one in result.notes if one.code == code]
    foreign = [one for one in result.notes if not one.code.startswith("bayes.") and matters(one)]
    return tuple(str(one) for one in (*found, *foreign) if one not in reason)[:_MOST_NOTES]


def _placed(result: Posterior, code: str) -> str:
    found: Note | None = next((one for one in result.notes if one.code == code), None)
    return "" if found is None else str(found)


def _how(result: Posterior) -> str:
    return f"computed from {_draws(result)}" if result.draws else "computed without random draws"


def _draws(result: Posterior) -> str:
    return f"{result.draws:,} random draws, seed {result.seed}" if result.draws else "no random draws"


def _as_sentence(phrase: str) -> str:
    return f"{phrase[:1].upper()}{phrase[1:]}."
