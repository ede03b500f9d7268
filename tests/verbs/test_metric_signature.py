"""How a metric was computed is part of every result: of its signature, its notes and its sentences for a paper."""

from __future__ import annotations

import nofluke as nf
from nofluke.reports.build import build
from nofluke.verbs.score import scored

GOLD = [f"the cat number {number} sat on the mat today" for number in range(12)]
OUTPUTS = {
    "A": [line.replace("cat", "dog") if number % 3 else line for number, line in enumerate(GOLD)],
    "B": [line.replace("mat", "rug") if number % 2 else line for number, line in enumerate(GOLD)],
}


def test_results_carry_the_signature_of_the_metric() -> None:
    scores = nf.score("bleu", OUTPUTS, GOLD)
    sample = scores.pair()
    signature = sample.metric_signature
    assert signature.startswith("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    field = f"|scored_by:{signature.replace('|', ';')}|"
    named = f"BLEU ({signature.removeprefix('BLEU|')})"
    compared, tested, ranked = nf.compare(sample), nf.test(sample), nf.rank(scores)
    for result in (compared, tested, ranked):
        assert field in result.signature
        assert named in build(result).long
        assert result.to_dict()["signature"] == result.signature
    for noted in (compared, ranked):
        assert f"signature of bleu: {signature}" in map(str, noted.notes)
        assert named in build(noted).main.caption
        assert named in build(noted).short
    assert "scored_by" not in build(compared).calls["shell"]
    assert field in nf.power_curve(sample, sizes=[12], iterations=20).signature


def test_scores_say_it_once() -> None:
    found = scored(nf.score("bleu", OUTPUTS, GOLD))
    assert found.signature.startswith("BLEU|nrefs:1|")
    assert not any(note.startswith("signature of") for note in found.notes)


def test_a_name_that_says_all_is_not_repeated() -> None:
    scores = nf.score("accuracy", {"A": ["x", "y"], "B": ["y", "y"]}, ["x", "y"])
    assert scores.pair().metric_signature == "accuracy"
    assert "scored_by" not in nf.test(scores.pair()).signature
    assert nf.test([1, 0, 1], [0, 0, 1]).signature.count("scored_by") == 0


def test_a_formula_is_named_by_the_user() -> None:
    tables = {"A": {"tp": [1, 2, 2], "n_all": [3, 3, 3]}, "B": {"tp": [1, 1, 2], "n_all": [3, 3, 3]}}
    compared = nf.compare(nf.from_statistics(tables, "tp/n_all", metric="hit rate").pair())
    assert "by hit rate (formula:tp/n_all) (higher is better)" in build(compared).long
