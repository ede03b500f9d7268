"""What pictures say of results: title, how to read the marks, and the description that a screen reader speaks.

Labels of axes and legends stay with the charts. Names of systems come as the picture shows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.errors import listing
from nofluke.inference.ranking.family import directions_hold
from nofluke.types import Agreement, Comparison, Posterior, Ranking, Replication, Study
from nofluke.types.base import counted
from nofluke.words import studies
from nofluke.words.comparison import claim
from nofluke.words.numbers import hundredths, level_text
from nofluke.words.planning import units
from nofluke.words.posterior import parameter
from nofluke.words.replication import headline
from nofluke.words.tasks import averaged_over, single_datasets

# Pictures of studies by the name of the chart: what is drawn; the finding follows.
_OF_STUDIES = {
    "audit": "Share of significant test sets against the level of the test.",
    "calibration_plot": "Share of winners that are better, by p-value.",
    "gain_scatter": "Confidence against gain for {comparisons:,} comparisons.",
    "p_value_by_size": "Mean and range of p-values against the number of items.",
    "similarity_curve": "Gain needed to be just significant against the correlation of outputs.",
    "threshold_by_size": "Gain needed against number of items.",
    "training_sizes": "Score against training size, by model.",
}
# Titles and subtitles by the name of the chart; a line of a subtitle may end in a `rest` of its own.
_HEADINGS = {
    "agreement_matrix": (
        "Who agrees with whom?",
        "{name} of every pair of {annotators} annotators, {items:,} items",
    ),
    "audit": (
        "How often is the test significant although the systems do not differ?",
        "{sets:,} test sets of {items:,}; dashed: as promised, above it: too often",
    ),
    "calibration_plot": (
        "{title}",
        "{marks}: comparisons behind each point; dashed: 1 - p, which a share need not follow",
    ),
    "critical_difference": (
        "Systems joined by a bar show no clear difference",
        "{test}, {correction}, alpha {alpha:g}{rest}",
    ),
    "differences": ("Where {a} wins and loses", "{items}: {counts}"),
    "forest": ("{systems} systems, best first", "{about}; systems with overlapping CIs may still differ clearly"),
    "forest_datasets": (
        "{a} against {b} on {datasets}",
        "shown: named by closed testing ({method}), alpha {alpha:g}{rest}",
    ),
    "forest_tasks": ("{title}", "shown: corrected for the number of datasets (Holm); intervals: each row by itself"),
    "gain_scatter": ("{title}", "each point is a pair of systems; dashed: 1 - p = {confident:g}; {upright}"),
    "heat_map": (
        "Who is really better than whom?",
        "{clear} ({test}, {correction}, alpha {alpha:g})\nthe stronger the colour, the smaller p",
    ),
    "histograms": (
        "{a} and {b}, item by item",
        "{items}; differences are positive where {a} is better\nright: dashed, no difference{rest}",
    ),
    "interval": ("Difference {difference}, {interval}", "dashed: no difference{rest}"),
    "k_hat_histogram": ("What is claimed when {effects} an effect", "Too many claimed: {claims}"),
    "null_distribution": ("What chance alone would give", "{made}; dashed: the difference seen{rest}"),
    "p_value_by_size": (
        "P-values as the test set grows",
        "Line: mean of {sets} test sets; band: lowest to highest; dashed: {alpha:g}",
    ),
    "partial_conjunction": (
        "{title}",
        "{method} (dependence: {dependence}); red: {level:g}, points below it count{rest}",
    ),
    "posterior": ("{first}", "{model}; {others}"),
    "rank_ranges": ("Ranks the data leave open", "{hold}; dots: order of the scores"),
    "similarity_curve": (
        "{title}",
        "each point is a pair; line: the typical standard deviation times sqrt(1 - correlation){rest}",
    ),
    "training_sizes": (
        "Scores of the synthesized systems",
        "each point is a system, trained on a resampled set of this size; models side by side",
    ),
}

SQUARE_ROOT_LAW = "square-root law"
NOT_INSTALLED = "Charts are left out here: they need the charts extra (pip install 'nofluke[charts]')."


def heading(chart: str, below: Sequence[str] | None = None, **facts: Any) -> dict[str, Any]:
    """Title and subtitle of a chart; what stands `below` are further lines.

    >>> heading("differences", a="new", items="400 items", counts="216 better, 184 worse, 0 tied")["subtitle"]
    '400 items: 216 better, 184 worse, 0 tied'
    """
    title, marks = _HEADINGS[chart]
    lines = [*marks.format(**facts).split("\n"), *(below or ())]
    return {"title": title.format(**facts), "subtitle": lines[0] if below is None and len(lines) == 1 else lines}


def not_drawn(charts: Sequence[str]) -> str:
    """Which charts do not apply to a result."""
    return f"Not drawn for this result: {', '.join(charts)}."


def boxes_for(letters: Sequence[str]) -> str:
    """Which letters of names no font of this computer has; the end of a line on what was drawn."""
    return f"; no font here has {listing(letters)}, so boxes stand for them (an SVG keeps the names)"


def threshold_subtitle() -> str:
    """What the lines of thresholds by size rest on."""
    from nofluke.words.studies.pairs import ENOUGH

    return f"{ENOUGH}: from just significant comparisons; law: from the typical pair on the smallest set"


def spoken_of_study(chart: str, study: Study, **facts: int) -> str:
    """What a picture of a study shows, and the main finding."""
    return f"{_OF_STUDIES[chart].format(**facts)} {studies.headline(study)}"


def calibration_title(study: Study) -> str:
    """How often the winner of a barely significant comparison was the better system."""
    near = study.tables["just significant"]
    if "others" in study.settings or not near["comparisons"][0]:
        return studies.title(study)
    low, high = study.settings["near"]
    cases = f"{near['better'][0]:,} of {near['comparisons'][0]:,} cases"
    return f"For p from {low:g} to {high:g} the winner is truly better in {cases}"


def spoken_claims(too_many: Mapping[str, float]) -> str:
    """How often each way of counting claims too many datasets."""
    return ", ".join(f"{name} {hundredths(rate, 1)}%" for name, rate in too_many.items())


def spoken_interval(verdict: str, shown: str) -> str:
    """The verdict, and the interval that is drawn."""
    return f"{verdict} Drawn against zero: {shown}."


def bar_says(count: int, low: float, high: float) -> str:
    """How many items one bar of differences stands for.

    >>> bar_says(12, 0.1, 0.2)
    '12 items, difference 0.1 to 0.2'
    """
    return f"{counted(count, 'item')}, difference {low:.3g} to {high:.3g}"


def power_says(size: float, unit: str, power: float) -> str:
    """What one point of a power curve stands for.

    >>> power_says(2438, "items", 0.8)
    '2,438 items: power 0.80'
    """
    return f"{units(size, unit)}: power {power:.2f}"


def spoken_differences(systems: Sequence[str], counts: str) -> str:
    """All differences of two systems, the largest first."""
    a, b = systems
    return f"Differences between {a} and {b} in falling order; {counts}."


def spoken_histograms(result: Comparison, *, one_score: bool) -> str:
    """The scores of both systems and their differences."""
    a, b = result.systems
    mean = " (all equal)" if one_score else f"; mean difference {result.profile.difference.mean:.4g}"
    return f"Histograms of the scores of {a} and {b} and of their differences{mean}."


def spoken_null(seen: float) -> str:
    """What chance alone would give, and what was seen."""
    return f"Distribution of the mean difference under the null hypothesis; seen: {seen:.4g}."


def spoken_posterior(result: Posterior, said: str) -> str:
    """The posterior with its probabilities."""
    return f"Posterior of {parameter(result)}: {said}."


def spoken_agreement(result: Agreement) -> str:
    """How far every two annotators agree, and all of them."""
    size = len(result.pairwise_annotators)
    return f"Pairwise agreement of {size} annotators; overall {result.label} {result.value:.3f}."


def ranges_hold(result: Ranking) -> str:
    """Whether the ranges of all ranks hold at once."""
    if directions_hold(result):
        return f"all ranges hold together with {level_text(1 - result.alpha)} confidence"
    return "these ranges carry no joint confidence"


def spoken_ranges(result: Ranking) -> str:
    """How many ranks are settled."""
    sure = sum(low == high for low, high in result.rank_ranges)
    return f"Rank ranges of {len(result.rank_ranges)} systems; the rank of {sure} is settled."


def spoken_groups(systems: int, joined: int) -> str:
    """How many groups of neighbours do not differ clearly."""
    return f"{systems} systems in order; {joined} groups of neighbours show no clear difference."


def clear_pairs(result: Ranking) -> str:
    """How many pairs differ clearly."""
    size = len(result.systems)
    return f"{int(result.better.sum()):,} of {size * (size - 1) // 2:,} pairs with a clear difference"


def spoken_pairs(result: Ranking) -> str:
    """The heat map of all pairs."""
    return f"Heat map of {len(result.systems)} systems in order of score, best first: {clear_pairs(result)}."


def spoken_scores(result: Ranking, best: str) -> str:
    """The scores of all systems with their intervals."""
    direction = "" if result.higher_is_better else " (lower is better)"
    return f"Scores of {len(result.systems)} systems{direction} with intervals, the best, {best}, at the top."


def spoken_datasets(result: Replication, systems: Sequence[str]) -> str:
    """The difference on each dataset, and what may be claimed."""
    a, b = systems
    return f"Difference between {a} and {b} on each dataset with its interval; {headline(result)}"


def tasks_title(result: Comparison) -> str:
    """Who is better on the average of several datasets."""
    return f"{claim(result)}{averaged_over(result)}"


def spoken_tasks(result: Comparison, systems: Sequence[str]) -> str:
    """The difference on each dataset and on their average, and what may be claimed."""
    a, b = systems
    return f"Difference between {a} and {b} on each dataset and on average, with intervals; {single_datasets(result)}"


def count_title(result: Replication, winners: Mapping[str, Replication]) -> str:
    """On how many datasets who is better; where p-values count losses as wins, that is no claim of the picture."""
    total = counted(len(result.datasets), "dataset")
    answer = f"at least {result.count} of {total}"
    if set(result.identified) & set(result.against):
        return f"The p-values as they stand: {answer}"
    if len(winners) > 1:
        said = ", ".join(f"{name} on at least {claim.count}" for name, claim in winners.items())
        return f"Better on how many of {total}? {said}"
    first = next(iter(winners))
    return f"{first} is better on {answer}" if result.count else f"On no dataset is {first} shown to be better"


def spoken_counts(result: Replication) -> str:
    """The p-values against every number of datasets."""
    return f"Partial conjunction p-values for u from 1 to {len(result.datasets)}; {headline(result)}"
