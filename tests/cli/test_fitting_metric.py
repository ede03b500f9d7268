"""Outputs without a metric: the one that is advised fits what the gold standard holds, and works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.command_line import nofluke

WORDS = (
    "# sent_id = {s}\n1\tThe\t{lemma}\t{upos}\t{xpos}\t_\t{head}\t{rel}\t_\t_\n2\tcat\t_\t_\t_\t_\t{root}\t_\t_\t_\n\n"
)


def treebank(**columns: str) -> str:
    empty = dict.fromkeys(("lemma", "upos", "xpos", "head", "rel", "root"), "_")
    return "".join(WORDS.format(s=s, **empty | columns) for s in (1, 2))


GOLD = {
    "las": treebank(upos="DET", head="2", rel="det", root="0"),
    "uas": treebank(upos="DET", head="2", root="0"),
    "upos": treebank(upos="DET", xpos="DT"),
    "xpos": treebank(xpos="DT"),
    "accuracy": "yes\nno\nyes\n",
    "bleu": "the cat sat down\non the mat it sat\n",
    "span_f1": "Ann B-PER\nsat O\n\nBob B-PER\nsat O\n",
    "bracket_f1": "(S (NP (NN cats)) (VP (VB sit)))\n(S (NP (NN dogs)) (VP (VB run)))\n",
    "aer": "0-0 1-1\n0-1 1?0\n",
    "spearman": "0.5\n0.25\n0.75\n",
}


@pytest.mark.parametrize("command", ["compare", "rank", "score"])
@pytest.mark.parametrize("metric", GOLD)
def test_the_advised_metric_fits_the_gold_standard(tmp_path: Path, command: str, metric: str) -> None:
    for name in ("gold", "a", "b"):
        (tmp_path / name).write_text(GOLD[metric])
    words = (command, "--gold", "gold", "a", "b")
    run = nofluke(*words, cwd=tmp_path)
    assert run.code == 2
    advised = re.search(r"--metric (\w+), say", " ".join(run.err.split()))
    assert advised is not None, run.err
    assert advised[1] == metric
    if metric not in ("uas", "upos", "xpos"):  # trees without heads or relations can be scored by some metrics only
        assert nofluke("score", "--gold", "gold", "a", "b", "--metric", metric, cwd=tmp_path).code == 0


@pytest.mark.parametrize("gold", ["nowhere.txt", "-"])
def test_no_metric_is_made_up_for_gold_that_cannot_be_looked_at(tmp_path: Path, gold: str) -> None:
    (tmp_path / "a").write_text("x\n")
    run = nofluke("compare", "--gold", gold, "a", "b", cwd=tmp_path, stdin=b"x\n")
    assert "--metric NAME" in run.err
    assert "bleu" not in run.err
