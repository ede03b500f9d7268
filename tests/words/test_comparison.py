"""The short answer of a comparison, in every situation: reviewed as text, at most 15 lines of 80 columns."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.reports.build import build
from nofluke.types import Comparison, Detectable, Interval, Note, Sample, note
from nofluke.types.load import from_dict
from nofluke.verbs.compare import with_other_tests
from nofluke.words import answer, short
from nofluke.words.comparison import _TELLING, verdict_text
from nofluke.words.layout import as_lines
from nofluke.words.notes import sayings_of
from nofluke.words.numbers import p_digits
from nofluke.words.winner_first import winner_first
from support.corpora import F1, GEOMETRIC, corpus_sample, tagging
from support.once import made_once
from support.snapshots import check_snapshot

NAMES = ("new", "baseline")
_LONGEST, _WIDTH = 15, 80


def scores(gain: float, n: int = 60, seed: int = 3, names: tuple[str, str] = NAMES, **more: Any) -> Sample:
    """Two systems that share the difficulty of the items; the first is better by `gain` on average."""
    rng = np.random.default_rng(seed)
    items = rng.random(n)
    a = np.clip(items + gain + rng.normal(0, 0.05, n), 0, 1).round(3)
    b = np.clip(items + rng.normal(0, 0.05, n), 0, 1).round(3)
    return as_sample(a.tolist(), b.tolist(), names=names, **more)


def answers(right: int, wrong: int, both: int) -> Sample:
    """Right and wrong answers: `right` items that only the first gets right, `wrong` that only the second does."""
    return as_sample([1] * right + [0] * wrong + [1] * both, [0] * right + [1] * wrong + [1] * both, names=NAMES)


def f1() -> Sample:
    """Corpus F1 from counts."""
    return replace(corpus_sample(tagging(80, 8, (0.75, 0.55)), F1), systems=NAMES)


def smooth() -> Sample:
    """A metric that is neither a mean nor a ratio."""
    return replace(corpus_sample(tagging(80, 8, (0.75, 0.55)), GEOMETRIC), systems=NAMES)


def bounded() -> Comparison:
    """A comparison whose p-value is only an upper bound."""
    found = nf.compare(scores(0.03))
    computed = replace(found.test.computed, how="linear+correction", resamples=29_999, seed=0, error=2e-4)
    p = 2.1e-4
    return replace(found, test=replace(found.test, p_value=p, log_p_value=float(np.log(p)), computed=computed))


def identical() -> Comparison:
    a = [0.3, 0.8, 0.5, 0.9, 0.2, 0.7]
    return nf.compare(as_sample(a, a, names=NAMES))


SITUATIONS: dict[str, Callable[[], Comparison]] = {
    "better": lambda: nf.compare(scores(0.03)),
    "worse": lambda: nf.compare(scores(-0.03)),
    "inconclusive": lambda: nf.compare(scores(0.004)),
    "one_sided": lambda: nf.compare(scores(0.03), alternative="greater"),
    "one_sided_not_shown": lambda: nf.compare(scores(0.004), alternative="greater"),
    "one_sided_less": lambda: nf.compare(scores(-0.03), alternative="less"),
    "margin_better": lambda: nf.compare(scores(0.03), margin=0.1, low=0, high=1),
    "margin_worse": lambda: nf.compare(scores(-0.03), margin=0.005, low=0, high=1),
    "margin_equivalent": lambda: nf.compare(scores(0.004, 400), margin=0.05, low=0, high=1),
    "margin_undecided": lambda: nf.compare(scores(0.03), margin=0.01, low=0, high=1),
    "margin_untested": lambda: nf.compare(as_sample([0.5] * 59 + [0.6], [0.5] * 60, names=NAMES), margin=0.1),
    "lower_is_better": lambda: nf.compare(scores(-0.03, higher_is_better=False)),
    "lower_is_better_inconclusive": lambda: nf.compare(scores(0.004, higher_is_better=False)),
    "clusters": lambda: nf.compare(scores(0.03, clusters=[i // 3 for i in range(60)])),
    "few_items": lambda: nf.compare(as_sample([0.5, 0.6, 0.7, 0.9, 0.4], [0.1, 0.2, 0.2, 0.3, 0.1], names=NAMES)),
    "bounded_p": bounded,
    "tiny_p": lambda: nf.compare(scores(0.2)),
    "identical": identical,
    "undefined": lambda: nf.compare(as_sample([0.5, 0.6, 0.7], [0.4, 0.5, 0.6], names=NAMES), method="paired_t"),
    "sign": lambda: nf.compare(scores(0.03), method="sign"),
    "sign_inconclusive": lambda: nf.compare(scores(0.01), method="sign"),
    "wilcoxon": lambda: nf.compare(scores(-0.03), method="wilcoxon"),
    "median": lambda: nf.compare(scores(0.03), method="bootstrap_median"),
    "delta": lambda: nf.compare(scores(0.04), delta=0.01),
    "delta_negative": lambda: nf.compare(scores(0.004), delta=-0.02, alternative="greater"),
    "delta_inconclusive": lambda: nf.compare(scores(0.03), delta=0.02),
    "posterior": lambda: nf.compare(scores(0.03), bayes=True, rope=0.005),
    "right_and_wrong": lambda: nf.compare(answers(14, 4, 30)),
    "corpus": lambda: nf.compare(f1()),
    "units": lambda: nf.compare(nf.read(_frame(scores(0.03))).pair(*NAMES, unit=5)),
    "random_draws": lambda: nf.compare(scores(0.03), method="permutation", monte_carlo=999),
    "decision": lambda: nf.compare(smooth(), method="permutation", monte_carlo=9_999, stop="decision"),
    "zhu2020": lambda: nf.compare(scores(0.03), rules="zhu2020"),
}
SITUATIONS = made_once(SITUATIONS)


def _frame(sample: Sample) -> Any:
    import pandas as pd

    return pd.DataFrame({name: sample.scores(at) for at, name in enumerate(sample.systems)})


@pytest.fixture(scope="module", params=SITUATIONS)
def situation(request: pytest.FixtureRequest) -> tuple[str, Comparison]:
    return request.param, SITUATIONS[request.param]()


def test_the_answer(situation: tuple[str, Comparison]) -> None:
    name, result = situation
    lines = str(result).splitlines()
    assert len(lines) <= _LONGEST
    assert max(map(len, lines)) <= _WIDTH
    check_snapshot(f"answers/compare_{name}", "\n".join(lines) + "\n")


def test_words_are_a_function_of_the_stored_value(situation: tuple[str, Comparison]) -> None:
    _, result = situation
    back = from_dict(json.loads(json.dumps(result.to_dict())))
    assert isinstance(back, Comparison)
    assert str(back) == str(result)
    for part in ("headline", "sentences", "short", "long", "notes", "main", "sections"):
        assert getattr(build(back), part) == getattr(build(result), part)


def test_no_house_words_and_no_sentence_that_is_too_long(situation: tuple[str, Comparison]) -> None:
    _, result = situation
    made = answer(result)
    assert made is not None
    ours = [made.verdict, *(text for _, text in made.points)]
    house = ("separated", "oriented", "validity", "told", "wished", "linear+correction", "equally good", " A ", " B ")
    for text in ours:
        assert not any(word in f" {text} " for word in house), text
        for sentence in text.split(". "):
            assert len(sentence.split()) <= 30, sentence


def test_the_result_holds_no_sentence(situation: tuple[str, Comparison]) -> None:
    """Facts only: what is left of text are names, codes, registry phrases and, so far, the tests' own remarks."""
    _, result = situation
    facts = [value for one in result.notes if isinstance(one, Note) for _, value in one.facts]
    assert not [value for value in facts if isinstance(value, str) and value.count(" ") > 2]
    assert not hasattr(result, "headline")


def test_a_narrow_window_gets_one_fact_a_line() -> None:
    made = answer(nf.compare(scores(0.03)))
    assert made is not None
    lines = as_lines(made, 40)
    assert max(map(len, lines)) <= 40
    check_snapshot("answers/compare_narrow", "\n".join(lines) + "\n")


def test_plain_is_ascii() -> None:
    made = answer(nf.compare(scores(0.03)))
    assert made is not None
    text = "\n".join(as_lines(made, glyphs=False))
    assert text.isascii()
    check_snapshot("answers/compare_plain", text + "\n")


def test_swapping_the_systems_says_the_same_of_them() -> None:
    """The winner is named first whichever was named first, with the same figures."""
    sample = scores(0.03)
    other = as_sample(sample.scores(1).tolist(), sample.scores(0).tolist(), names=NAMES[::-1])
    one, two = nf.compare(sample), nf.compare(other)
    assert (one.verdict, two.verdict) == ("better", "worse")
    # Limits of the interval are searched from both sides and may differ in their last digits, not in those printed.
    assert str(one) == str(two)


def test_an_interval_beside_zero_is_not_read_as_a_finding_of_another_test() -> None:
    result = nf.compare(scores(0.01), method="sign")
    mean = result.effects["mean_difference"]
    beside = replace(result, effects={"mean_difference": replace(mean, interval=Interval(0.01, 0.06, 0.95, "t"))})
    below = replace(result, effects={"mean_difference": replace(mean, interval=Interval(-0.06, -0.01, 0.95, "t"))})
    assert result.verdict == "inconclusive"
    for shown, leader in ((beside, "new"), (below, "baseline")):
        said = dict(answer(shown).points)["Range"]  # type: ignore[union-attr]
        assert said.startswith(f"The mean favours {leader} by 0.01")
        assert said.endswith("(95% CI); the sign test asks another question.")


def test_an_end_that_prints_as_zero_is_no_lead() -> None:
    result = nf.compare(scores(0.004))
    mean = result.effects["mean_difference"]
    touching = replace(result, effects={"mean_difference": replace(mean, interval=Interval(-1e-9, 0.02, 0.95, "t"))})
    assert "anything from no difference to new better by 0.02" in dict(answer(touching).points)["Range"]  # type: ignore[union-attr]


def test_only_notes_that_change_what_a_reader_does_stand_in_the_answer() -> None:
    result = nf.compare(scores(0.03), method="permutation")
    assert not any("chosen by the user" in str(one) for one in result.notes)
    noted = replace(
        result,
        notes=(
            note("describe.close_scores_tie", step=1e-9),
            note("compare.left_out_harmless", n=2),
            note("compare.left_out_unknown_range", n=3),
            note("compare.other_tests", n=2),
            note("compare.rounding_decides", denominator=3, p_value=0.06, instead_of=0.04),
            note("choice.looked_first"),
        ),
    )
    made = answer(noted)
    assert made is not None
    # The most pressing first, as many as 15 lines hold and never more than three.
    assert made.notes == tuple(str(noted.notes[at]) for at in (4, 2))
    assert len(str(noted).splitlines()) <= _LONGEST
    few = answer(replace(result, notes=tuple(note("compare.left_out", n=n) for n in (1, 2, 3, 4))))
    assert few is not None
    assert len(few.notes) == 3
    assert build(noted).notes == tuple(map(str, noted.notes))


@pytest.mark.parametrize("code", [code for code in _TELLING if not code.startswith("align.")])
def test_every_code_that_the_answer_looks_for_has_words(code: str) -> None:
    room, _, what = code.partition(".")
    assert what in sayings_of(room)


def test_an_unknown_power_says_why_or_nothing() -> None:
    result = nf.compare(scores(0.03))
    nan = float("nan")
    for reason, expected in ((None, None), (note("compare.no_spread"), "Unknown: the differences do not vary.")):
        unknown = replace(result, detectable=Detectable(nan, nan, nan, 0.8, reason))
        assert dict(answer(unknown).points).get("Power") == expected  # type: ignore[union-attr]


def test_other_tests_are_told_of_in_the_answer() -> None:
    result = nf.compare(scores(0.03))
    both = with_other_tests(result, [nf.test(scores(0.03), "sign")])
    assert "1 other test was run on these data." in " ".join(str(both).split())


def test_the_verdict_of_a_margin_stands_beside_the_verdict() -> None:
    found = nf.compare(scores(-0.03), margin=0.1, low=0, high=1)
    for low, said in ((-0.05, "The loss of new is below 0.1."), (-0.2, "The loss of new may exceed 0.1.")):
        shown = replace(found, margin_verdict="worse", margin_interval=Interval(low, -0.01, 0.95, "t"))
        assert verdict_text(shown).startswith("baseline is better than new")
        assert verdict_text(shown).endswith(said)


def test_right_and_wrong_answers_are_not_told_that_wins_say_nothing_about_the_mean() -> None:
    limits = "This says nothing about the mean score."
    for method in ("sign", "wilcoxon"):
        assert limits not in verdict_text(nf.compare(answers(24, 4, 30), method=method))
        assert "nothing about the mean" not in nf.report(nf.compare(answers(24, 4, 30), method=method), "text")
        assert limits in verdict_text(nf.compare(scores(0.05), method=method))


def test_a_one_sided_interval_is_open_where_only_the_range_of_accuracy_ends_it() -> None:
    found = nf.compare(answers(24, 4, 30), method="mcnemar", alternative="greater")
    assert found.effects["mean_difference"].interval.high == 1  # type: ignore[union-attr]
    assert " up), p = " in verdict_text(found)
    assert verdict_text(found).endswith("one-sided.")


def test_wins_ties_and_items_without_a_score_make_up_all_items() -> None:
    found = nf.compare(scores(0.03))
    some = replace(found, n=found.n + 7)
    assert "7 without a score" in str(some)
    assert "without a score" not in str(found)


def test_a_loss_beyond_the_margin_is_ruled_out_with_its_p_value() -> None:
    found = nf.compare(scores(0.05, 400), margin=0.02, low=0, high=1)
    assert found.margin_verdict == "better"
    assert found.margin_test is not None
    assert f"A loss of 0.02 or more is ruled out (p = {found.margin_test.p_value:.2g}" in verdict_text(found)


@pytest.mark.parametrize("name", ["worse", "lower_is_better", "one_sided_less"])
def test_details_take_every_difference_as_winner_minus_loser(name: str) -> None:
    result = SITUATIONS[name]()
    made = build(result)
    effects = {row[0]: float(row[1]) for row in next(one for one in made.sections if one.name == "effects").table.rows}  # type: ignore[union-attr]
    assert made.main.rows[0][0] == (result.systems[1] if result.verdict == "worse" else result.systems[0])
    assert float(made.main.rows[0][2]) > 0
    assert effects["mean difference"] > 0
    assert effects["Cohen's d"] > 0
    assert effects["probability of superiority (of pairs)"] > 0.5
    assert made.bar is None or made.bar.value > 0
    # Formats for programs keep the order of the names.
    assert made.records[0]["a"] == result.systems[0]
    assert made.records[0]["mean_difference"] == result.effects["mean_difference"].value


def test_a_turned_comparison_is_that_of_the_systems_the_other_way_round() -> None:
    result = nf.compare(answers(4, 24, 30))
    turned = winner_first(result)
    assert (turned.systems, turned.verdict) == (result.systems[::-1], "better")
    assert turned.effects["odds_ratio"].value == pytest.approx(1 / result.effects["odds_ratio"].value)
    low, high = result.effects["odds_ratio"].interval.low, result.effects["odds_ratio"].interval.high  # type: ignore[union-attr]
    assert turned.effects["odds_ratio"].interval.low == pytest.approx(1 / high)  # type: ignore[union-attr]
    assert turned.effects["odds_ratio"].interval.high == pytest.approx(1 / low)  # type: ignore[union-attr]
    mirror = nf.compare(as_sample([0] * 4 + [1] * 54, [1] * 4 + [0] * 24 + [1] * 30, names=NAMES[::-1]))
    assert turned.effects["odds_ratio"].value == pytest.approx(mirror.effects["odds_ratio"].value)


def test_reports_speak_of_the_systems_by_name() -> None:
    table = next(one for one in build(nf.compare(scores(0.03))).sections if one.name == "effects").table
    assert table is not None
    assert table.explain["mean difference"].startswith("By how much does new beat baseline on an average item")


@pytest.mark.parametrize("p", [0.0496, 0.0499999, 0.05012, 0.0500001])
def test_a_p_value_beside_the_level_stays_on_its_side(p: float) -> None:
    printed = float(p_digits(p, 0.05))
    assert (printed < 0.05) == (p < 0.05)
    assert printed != 0.05


def test_other_p_values_have_two_digits() -> None:
    assert [p_digits(p, 0.05) for p in (0.1002, 0.0999, 0.00996)] == ["0.10", "0.10", "0.010"]
    assert p_digits(0.1002, 0.1) == "0.1002"
    assert p_digits(0.9951, 0.05) == "> 0.99"


def test_a_margin_that_is_met_is_not_denied_by_the_range() -> None:
    """Five items rule out nothing by swaps; the test of the margin knows how far scores can go."""
    found = nf.compare(
        [0.1, 0.3, 0.5, 0.5, 0.7], [0.2, 0.1, 0.2, 0.1, 0.6], margin=0.95, low=0, high=1, alternative="two-sided"
    )
    assert found.margin_verdict == "equivalent"
    said = " ".join(short(found).split())
    assert "differ by less than 0.95" in said
    assert "rule out any difference" not in said
    assert "Range By the test of the margin, anything from" in said


def test_the_details_speak_of_the_winner_and_know_no_negative_zero() -> None:
    result = nf.compare(as_sample([0.0] * 8 + [1.0] * 12, [1.0] * 8 + [1.0] * 12, names=("small", "large")))
    told = nf.report(result, "text")
    assert told.startswith("large is better than small")
    assert "large is better on 8 items, worse on 0 and tied on 12." in told
    assert "-0.0000" not in told


@pytest.mark.parametrize("a", [[1, 1, 1, 1], [1, 1, 0, 1], [0.5, 0.7, 0.9, 0.2], [1]])
def test_no_verdict_is_possible_is_said_first_also_where_nothing_varies(a: list[float]) -> None:
    """Four items cannot be significant by swaps, whatever they show; the t-test may find something in them."""
    zeros = [0.0] * len(a)
    assert str(nf.compare(a, zeros)).startswith("No verdict is possible: ")
    if len(set(a)) == 4:
        assert str(nf.compare([0.5, -0.7, 0.9, 0.2], zeros, method="paired_t")).startswith("No clear winner: ")


def test_two_tasks_all_won_by_few_items_have_no_verdict() -> None:
    frame = pd.DataFrame({"task": ["x", "x", "y", "y"], "item": ["a", "b", "c", "d"], "A": [1] * 4, "B": [0] * 4})
    for over in (None, "datasets"):
        assert str(nf.compare(nf.read(frame), a="A", b="B", over=over)).startswith("No verdict is possible: ")
