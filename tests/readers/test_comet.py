"""COMET: three forms of the same scores, segments matched by what they translate, damaged files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke
from support.score_logs import SCORES, comet_compare, comet_printed, comet_score, segments


@pytest.mark.parametrize("write", [comet_score, comet_compare, comet_printed])
def test_all_forms_give_the_same_segments(write: Any, tmp_path: Path) -> None:
    scores = nf.read(write(tmp_path / "scores.out"))
    assert scores.systems == ("new.txt", "old.txt")
    sample = scores.pair()
    assert sample.ids == ("0", "1", "2", "3")
    np.testing.assert_array_equal(sample.scores(0), SCORES["new.txt"])
    assert sample.higher_is_better


def test_what_was_printed_does_not_count_beside_the_json(tmp_path: Path) -> None:
    precise = {"new.txt": (0.91234567, 0.5), "old.txt": (0.1, 0.2)}
    comet_score(tmp_path / "a.json", precise)
    comet_printed(tmp_path / "b.txt", precise)
    scores = nf.read(tmp_path)
    assert scores.pair().scores(0).tolist() == [0.91234567, 0.5]
    assert "b.txt" in "".join(map(str, scores.sources[0].notes))
    (tmp_path / "a.json").unlink()
    assert nf.read(tmp_path).pair().scores(0).tolist() == [0.9123, 0.5]


def test_segments_in_another_order_are_matched_by_their_texts(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"new.txt": segments([0.1, 0.2, 0.3])}))
    (tmp_path / "b.json").write_text(json.dumps({"old.txt": segments([0.3, 0.1, 0.2], order=[2, 0, 1])}))
    sample = nf.read(tmp_path).pair()
    np.testing.assert_array_equal(sample.scores(0), sample.scores(1))
    assert sample.n == 3


def test_another_test_set_has_no_segment_in_common(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"new.txt": segments([0.1, 0.2])}))
    (tmp_path / "b.json").write_text(json.dumps({"old.txt": segments([0.3, 0.1], order=[7, 8])}))
    run = nofluke("compare", str(tmp_path))
    assert run.code == 2
    assert "0 items match" in run.err
    assert "give logs of runs on the same items" in run.err


def test_segments_without_reference_and_with_clusters(tmp_path: Path) -> None:
    rows = [{"src": f"s{at}", "mt": "x", "COMET": at / 8, "doc": f"d{at // 2}"} for at in range(6)]
    (tmp_path / "a.json").write_text(json.dumps({"new": rows, "old": rows}))
    scores = nf.read(tmp_path / "a.json", cluster="doc")
    assert scores.cluster is not None
    assert scores.cluster.labels == ("d0", "d1", "d2")
    with pytest.raises(InputError, match="no field 'place'"):
        nf.read(tmp_path / "a.json", cluster="place")
    with pytest.raises(InputError, match="no field 'doc'"):
        nf.read(comet_printed(tmp_path / "b.txt"), cluster="doc")


def test_a_score_that_is_not_known_is_missing(tmp_path: Path) -> None:
    scores = nf.read(comet_score(tmp_path / "a.json", {"new": (0.5, None, float("nan")), "old": (0.5, 0.1, 0.2)}))
    assert "new: 2 not scored" in "".join(map(str, scores.sources[0].notes))


def test_scores_of_two_models_of_comet_are_told(tmp_path: Path) -> None:
    comet_compare(tmp_path / "a.json", {"new": (0.5, 0.6)})
    comet_compare(tmp_path / "b.json", {"old": (0.5, 0.6)}, model="acme/other")
    assert "the model of COMET differs" in "".join(map(str, nf.read(tmp_path).sources[0].notes))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a.txt": [{"src": "x", "mt": "y", "COMET": 0.5}, {"src": "x", "mt": "y"}]}', "segment 1 of a.txt has no"),
        ('{"a.txt": [{"src": "x", "mt": "y", "COMET": "good"}]}', "score of segment 0 of a.txt is no number"),
        ('{"a.txt": [{"src": "x", "mt": "y", "COMET": 0.5}], "b.txt": []}', "no list of segments"),
        ('{"a.txt": [{"src": "x", "mt": "y", "COMET": 0.5},', "ends too early"),
        ('{"model": "m", "statistical_results": [], "source": ["a"], "translations": []}', "were expected"),
        (
            '{"model": "m", "statistical_results": [], "source": ["a"], "translations": [{"name": "x", "scores": []}]}',
            "a score for every source",
        ),
        ('{"model": "m", "statistical_results": [], "translations": []}', "no source"),
        ("a.txt\tscore: 0.9116\nb.txt\tscore: 0.8\n", "averages of COMET, without the segments"),
        ("a.txt\tSegment 0\tscore: 0.5\na.txt\tSegment 0\tscore: 0.6\n", "segment 0 of a.txt stands there twice"),
    ],
)
def test_damaged_files_are_told(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    run = nofluke("compare", str(tmp_path / "a.json"))
    assert run.code == 2
    assert said in " ".join(run.err.split())
    assert run.err.count("error: ") == 1
