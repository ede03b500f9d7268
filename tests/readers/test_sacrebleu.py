"""sacrebleu: sentence scores are read, corpus scores alone refused with a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke
from support.score_logs import SIGNATURE, sacrebleu_sentences

ONE = '{\n "name": "BLEU",\n "score": 57.8,\n "signature": "nrefs:1"\n}'
SEVERAL = '[\n    {\n        "system": "a.txt",\n        "BLEU": "57.81",\n        "chrF2": "74.5"\n    }\n]'
PAIRED = '[{"system": "Baseline: a.txt", "BLEU": {"score": 57.8, "p_value": null, "mean": null, "ci": null}}]'


def test_sentences_of_two_systems(tmp_path: Path) -> None:
    sacrebleu_sentences(tmp_path / "new.txt", [50, 60, 70])
    sacrebleu_sentences(tmp_path / "old.txt", [40, 60, 50])
    (tmp_path / "new.json").write_text(ONE)
    scores = nf.read(tmp_path)
    assert (scores.systems, scores.metrics) == (("new", "old"), ("sentence BLEU",))
    assert scores.pair().scores(0).tolist() == [50, 60, 70]
    told = " ".join(map(str, scores.sources[0].notes))
    assert "not the BLEU of the whole text" in told
    assert "new.json" in told
    assert scores.sources[0].made_by == (("sacrebleu", "2.6.0"),)


def test_ter_is_better_when_lower(tmp_path: Path) -> None:
    scores = nf.read(sacrebleu_sentences(tmp_path / "a.txt", [50, 60], "TER"))
    assert scores.higher_is_better == {"sentence TER": False}
    assert nf.read(sacrebleu_sentences(tmp_path / "a.txt", [50, 60], "chrF2++")).metrics == ("sentence chrF2++",)


def test_scores_made_in_two_ways_are_not_compared(tmp_path: Path) -> None:
    sacrebleu_sentences(tmp_path / "new.txt", [50, 60])
    sacrebleu_sentences(tmp_path / "old.txt", [40, 60], signature=SIGNATURE.replace("13a", "zh"))
    with pytest.raises(InputError, match="made in two ways"):
        nf.read(tmp_path)


@pytest.mark.parametrize("text", [ONE, f"[{ONE}]", SEVERAL, PAIRED])
def test_scores_of_whole_files_are_refused_with_what_to_give_instead(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    run = nofluke("compare", str(tmp_path / "a.json"), str(tmp_path / "a.json"))
    assert run.code == 2
    assert "--gold" in run.err
    assert "-sl" in run.err


@pytest.mark.parametrize(
    "line", ["50.0", f"BLEU|{SIGNATURE} = good", f"chrF2|{SIGNATURE} = 5.0", f"BLEU|{SIGNATURE}|x = 5"]
)
def test_another_line_is_told(line: str, tmp_path: Path) -> None:
    path = sacrebleu_sentences(tmp_path / "a.txt", [50, 60])
    path.write_text(path.read_text() + line + "\n")
    run = nofluke("compare", str(path), str(path))
    assert run.code == 2
    assert "a.txt line 3" in run.err
