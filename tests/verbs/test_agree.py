"""nf.agree: what it says, warns of and shows, and how it behaves on odd and on large ratings."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import speaking_on
from nofluke.registry import AGREEMENT
from nofluke.reports.build.agreement import build_agreement
from nofluke.types import Agreement, note
from nofluke.types.load import from_dict
from nofluke.words.agreement import headline, sentences

DATA = [[1, 1], [2, 2], [1, 1], [2, 1], [1, 1], [2, 2], [1, 2], [2, 2]] * 5


def notes_of(result: Agreement) -> str:
    return " ".join(map(str, result.notes))


def codes_of(result: Agreement) -> list[str]:
    return [one.code for one in result.notes]


def test_the_answer_has_value_interval_and_standard_error() -> None:
    found = nf.agree(DATA)
    assert found.estimate.name == "krippendorff_alpha"
    assert found.value == found.estimate.value
    assert found.interval is found.estimate.interval
    assert found.standard_error == found.estimate.standard_error
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high
    assert (found.items, found.annotations, found.missing) == (40, 80, 0)


def test_it_reads_aloud() -> None:
    found = nf.agree(DATA, "cohen_kappa", width=0.1)
    assert headline(found) == (
        "Cohen's kappa = 0.50 (95% CI 0.23 to 0.77), from 2 annotators and 40 items. Landis and Koch: moderate (CI: "
        "fair to substantial). It may or may not reach 0.6, the usual requirement for a gold standard."
    )
    seen, caution, tested, wanted = sentences(found)
    assert seen == ("Two annotators agree on 75% of items; expected by chance: 50%.")
    assert "no absolute standard" in caution
    assert "below 0.6" in caution
    assert "tend to be higher with fewer labels" in caution
    assert tested.endswith("A small p does not mean good agreement.")
    assert wanted == "About 1,153 items like these would narrow the interval to a width of 0.1."
    assert " ".join(str(found).split()).startswith(headline(found))


def test_words_for_both_ends_and_other_rules() -> None:
    assert nf.agree(DATA, "cohen_kappa").words == ("moderate", "fair", "substantial")
    assert nf.agree(DATA, rules="krippendorff").words[0] == "not reliable"
    plain = nf.agree(DATA, rules="none")
    assert plain.words == ("", "", "")
    assert plain.rule == ""
    assert nf.agree(DATA, "observed_agreement").words == ("", "", "")
    with pytest.raises(nf.InputError, match="there is no rule"):
        nf.agree(DATA, rules="cohen1988")


def test_the_slides_name_is_congers_kappa_and_says_so() -> None:
    slides, conger = nf.agree(DATA, "multi_kappa"), nf.agree(DATA, "conger_kappa")
    assert slides.value == conger.value
    assert slides.estimate.name == "conger_kappa"
    assert slides.notes[0].code == "agree.multi_kappa"
    assert "cite Fleiss 1971, whose kappa pools" in str(slides.notes[0])
    assert "agree.multi_kappa" not in codes_of(conger)
    assert nf.agree(DATA, "randolph_kappa").estimate.name == "brennan_prediger"


def test_further_coefficients_stand_beside_it() -> None:
    found = nf.agree(DATA, "cohen_kappa", others=["gwet_ac2", "krippendorff_alpha"], weights="linear", level="ordinal")
    assert list(found.others) == ["gwet_ac2", "krippendorff_alpha"]
    assert found.others["krippendorff_alpha"].value == nf.agree(DATA, level="ordinal").value
    with pytest.raises(nf.MethodError, match="has no option 'width_of'"):
        nf.agree(DATA, "cohen_kappa", others=["gwet_ac1"], width_of=3)
    with pytest.raises(nf.InputError, match="level = 'nope'"):
        nf.agree(DATA, level="nope")
    with pytest.raises(nf.InputError, match="there is no coefficient of agreement 'kapa'"):
        nf.agree(DATA, "kapa")


def test_two_annotators_are_demanded_or_chosen() -> None:
    three = {"a": [1, 2, 1, 1], "b": [1, 2, 2, 1], "c": [2, 2, 1, 1]}
    with pytest.raises(nf.MethodError, match="is for two annotators, and there are 3"):
        nf.agree(three, "cohen_kappa")
    chosen = nf.agree(three, "cohen_kappa", annotators=["a", "c"])
    assert chosen.annotators == ("a", "c")
    assert chosen.value == pytest.approx(nf.agree([[1, 2], [2, 2], [1, 1], [1, 1]], "cohen_kappa").value)
    with pytest.raises(nf.InputError, match="there is no annotator 'z'"):
        nf.agree(three, annotators=["a", "z"])
    with pytest.raises(nf.InputError, match="named twice"):
        nf.agree(three, annotators=["a", "a"])


def test_the_tables() -> None:
    data = {"a": ["x", "y", "x", "z", "x"], "b": ["x", "y", "y", "z", None], "c": ["x", "x", "z", "z", None]}
    found = nf.agree(data)
    assert found.pairwise.shape == (3, 3)
    assert found.pairwise[0, 1] == nf.agree(data, annotators=["a", "b"]).value
    assert np.array_equal(found.pairwise, found.pairwise.T)
    assert np.diagonal(found.pairwise).tolist() == [1, 1, 1]
    assert found.shares[0].tolist() == pytest.approx([0.6, 0.2, 0.2])
    assert found.marginals.sum() == pytest.approx(1)
    as_one = {name: [None if v is None else int(v == "z") for v in values] for name, values in data.items()}
    assert found.per_category["z"].value == pytest.approx(nf.agree(as_one).value)
    # x: item 1 has 3 x (each sees 2 of 2), item 2 one (0 of 2), item 3 one (0 of 2); item 5 has a single rating.
    assert found.specific["x"] == pytest.approx((1 + 1 + 1 + 0 + 0) / 5)
    assert found.with_others["a"] == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert [one.item for one in found.disputed] == ["3", "2"]
    assert found.disputed[0].agreement == 0
    assert found.disputed[1].labels == {"y": 2, "x": 1}
    assert nf.agree(data, disputed=1).disputed == found.disputed[:1]
    assert found.missing == 2


def test_disputed_items_go_by_distance_where_labels_have_one() -> None:
    data = [[1, 2], [1, 5], [3, 3], [2, 4]]
    for options in ({"level": "interval"}, {"level": "ordinal"}, {"level": "ratio"}):
        assert nf.agree(data, **options).disputed[0].item == "2"
    assert [one.item for one in nf.agree(data, "gwet_ac2").disputed] == ["2", "4", "1"]
    with pytest.raises(nf.InputError, match="disputed = -1"):
        nf.agree(data, disputed=-1)


def test_pairs_that_share_no_item_are_unknown() -> None:
    found = nf.agree([[1, 1, None], [2, 2, None], [None, 1, 1], [None, 2, 1]])
    assert math.isnan(found.pairwise[0, 2])
    assert found.pairwise[0, 1] == 1


def test_warnings_of_a_common_label() -> None:
    skewed = [["no", "no"]] * 85 + [["yes", "no"]] * 7 + [["no", "yes"]] * 4 + [["yes", "yes"]] * 4
    found = nf.agree(skewed, "cohen_kappa")
    assert found.observed > 0.85
    assert found.value < 0.5
    assert "90% of ratings are 'no'" in notes_of(found)
    assert "Only 15 items have a label other than 'no'" in notes_of(found)
    assert not {"agree.common_label", "agree.few_others"} & set(codes_of(nf.agree(DATA)))


def test_warnings_of_different_habits() -> None:
    rng = np.random.default_rng(0)
    data = {"ann": rng.random(300) < 0.7, "bob": rng.random(300) < 0.3}
    text = notes_of(nf.agree({name: values.tolist() for name, values in data.items()}))
    assert "Annotators use labels differently: 'ann' gives" in text
    assert "agree.habit" not in codes_of(nf.agree(DATA))


def test_warnings_of_gaps_odd_columns_and_few_items() -> None:
    found = nf.agree([[1, 1], [2, 2], [1, None], [None, None], [2, 1]])
    assert "Left out: 1 item without any rating." in notes_of(found)
    assert "Left out: 1 item with a single rating; " in notes_of(found)
    assert "With 3 items, the standard error and the interval are rough." in notes_of(found)
    assert found.items == 3
    text = {"A": ["x", "y", "x"], "B": ["x", "y", "y"], "comment": ["hello", "world", "again"]}
    assert "'comment' shares no label with any other annotator" in notes_of(nf.agree(text))
    gap = nf.agree([[1, 2], [4, 4], [1, 1], [2, 4]], "gwet_ac2")
    assert "2 and 4 are neighbours" in notes_of(gap)
    many = nf.agree([[i, i + 0.5] for i in range(30)])
    assert note("agree.many_labels", ratings=60, labels=60) in many.notes
    mixed = nf.agree([["1", 1.0], [2, "2"], [1, 2]])
    assert "Numbers written in different ways are one label" in notes_of(mixed)


@pytest.mark.parametrize("name", AGREEMENT.names())
def test_json_reads_back(name: str) -> None:
    found = nf.agree(DATA, name, width=0.2)
    back = from_dict(json.loads(nf.report(found, "json")))
    assert isinstance(back, Agreement)
    assert back.notes == found.notes
    assert (str(back), nf.report(back)) == (str(found), nf.report(found))


def test_signature_names_what_was_chosen() -> None:
    found = nf.agree(DATA, "cohen_kappa", weights="linear", categories=[1, 2, 3])
    assert found.signature.endswith("|agreement:cohen_kappa|weights:linear|categories:1,2,3|items:40|raters:2|labels:3")
    assert "seed" not in found.signature


@pytest.mark.parametrize(
    "name", [name for name in AGREEMENT.names() if AGREEMENT[name].facts["needs"] == "two or more"]
)
def test_many_annotations_show_the_agreement_they_were_made_with(name: str) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, (20_000, 1))
    data = np.where(rng.random((20_000, 10)) < 0.7, truth, rng.integers(0, 4, (20_000, 10)))
    found = nf.agree(data, name)
    assert found.annotations == 200_000
    # Labels are seen with probability 0.7 and guessed evenly otherwise.
    expected = 0.49 if name not in ("observed_agreement", "gwet_ac2") else found.value
    assert found.value == pytest.approx(expected, abs=0.01)


def test_a_crowd_of_thousands() -> None:
    rng = np.random.default_rng(1)
    people = np.array([rng.choice(3_000, 3, replace=False) for _ in range(5_000)])
    from nofluke.readers.rating_labels import code_labels

    labels = rng.integers(0, 2, people.size)
    coded = code_labels(labels)
    items, names = tuple(map(str, range(5_000))), tuple(f"w{i}" for i in range(3_000))
    ratings = coded.ratings(items, names, (np.repeat(np.arange(5_000), 3), people.ravel()))
    found = nf.agree(ratings, "conger_kappa")
    assert found.pairwise.shape == (30, 30)
    assert len(found.pairwise_annotators) == 30
    assert abs(found.value) < 0.05
    assert note("agree.busiest_only", annotators=30) in found.notes
    with pytest.raises(nf.MethodError, match="too many for light_kappa"):
        nf.agree(ratings, "light_kappa")


def test_a_coefficient_named_twice_is_shown_once() -> None:
    found = nf.agree(DATA, "cohen_kappa", others=["gwet_ac1", "cohen_kappa", "gwet_ac1"])
    assert list(found.others) == ["gwet_ac1"]


def test_kappa_alone_is_cohens_in_the_first_place() -> None:
    with pytest.raises(nf.InputError) as refused:
        nf.agree(DATA, "kappa")
    assert refused.value.fix.startswith("for two annotators did you mean 'cohen_kappa'?")


def told_by_label(data: list[list[str]]) -> tuple[str, ...]:
    report = build_agreement(nf.agree(data))
    return next(section.paragraphs for section in report.sections if section.title == "Label by label")


def test_the_weakest_label_is_named_only_where_there_is_one() -> None:
    assert told_by_label([["a", "b"], ["a", "a"], ["b", "b"]]) == ()
    assert told_by_label([["a", "a"], ["b", "b"], ["a", "a"]]) == ()
    (one,) = told_by_label([["a", "b"], ["a", "a"], ["a", "a"], ["b", "b"], ["c", "c"]])
    assert one == "Least agreed on is 'b': where one annotator gives it, a second does too in 67% of cases."
    (two,) = told_by_label([["a", "b"], ["a", "a"], ["b", "b"], ["c", "c"]])
    assert two.startswith("Least agreed on are 'a' and 'b': where one annotator gives one")


def test_numbers_that_look_like_a_scale_bring_the_hint_first() -> None:
    ratings = [[number % 7 + 1, (number + number % 2) % 7 + 1] for number in range(40)]
    assert "state level=...: ordinal or interval." in sentences(nf.agree(ratings))[0]
    assert "state weights=...: linear or quadratic." in sentences(nf.agree(ratings, "cohen_kappa"))[0]
    assert "For a scale use level='ordinal'." in headline(nf.agree(ratings))
    with speaking_on("shell"):
        assert "For a scale use --level ordinal." in headline(nf.agree(ratings))
    # A level that was asked for, three numbers, names, and a coefficient that counts near misses need no hint.
    for found in (
        nf.agree(ratings, level="ordinal"),
        nf.agree(ratings, level="nominal"),
        nf.agree([[a % 3, b % 3] for a, b in ratings]),
        nf.agree([[f"l{a}", f"l{b}"] for a, b in ratings]),
        nf.agree(ratings, "gwet_ac2"),
    ):
        assert "agree.scale" not in codes_of(found)
        assert not any("level=" in text or "weights=" in text for text in sentences(found))
