"""Other comparisons over the picture: they are looked at as the study's own, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.studies.pairs.gains import stored_comparisons
from nofluke.types import Series, frozen
from nofluke.words import studies as words
from support.systems import teams


@pytest.fixture(scope="module")
def made() -> dict[str, np.ndarray]:
    return teams()


def test_overlay_from_scores_series_and_files(made: dict[str, np.ndarray], tmp_path: Path) -> None:
    other = teams(each=2, seed=9)
    plain = nf.studies.gains(other)
    stored = tmp_path / "study.json"
    stored.write_text(json.dumps(plain.to_dict()))
    table = tmp_path / "pairs.csv"
    table.write_text("gain,p_value\n0.1,0.2\n0.3,0.01\n")
    given = {
        "scores": other,
        "series": Series("x", {"gain": frozen([0.1]), "p_value": frozen([0.3])}, {}),
        "stored": stored_comparisons(str(stored)),
        "table": stored_comparisons(str(table)),
    }
    study = nf.studies.gains(made, overlay=given)
    assert study.series["scores"].columns["p_value"].tolist() == plain.series["comparisons"].columns["p_value"].tolist()
    assert study.series["stored"].columns["gain"].tolist() == plain.series["comparisons"].columns["gain"].tolist()
    assert study.series["table"].columns["confidence"].tolist() == pytest.approx([0.8, 0.99])
    assert set(study.series["series"].labels["label"]) == {"series"}
    # The thresholds are those of the systems themselves.
    assert study.tables == nf.studies.gains(made).tables
    table.write_text("gain,p_value\n0.1,2\n")
    with pytest.raises(InputError, match="between 0 and 1"):
        stored_comparisons(str(table))
    assert stored_comparisons(str(tmp_path / "absent.csv")) is None


def points(gain: list[float], p: list[float]) -> Series:
    return Series("x", {"gain": frozen(gain), "p_value": frozen(p)}, {})


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (points([0.1], [float("nan")]), "p-values lie between 0 and 1"),
        (points([float("inf")], [0.1]), "gains are not negative"),
        (points([0.1, 0.2], [0.1]), "every comparison has both"),
        (points([], []), "are none"),
        (Series("x", {"gain": frozen([0.1])}, {}), "no column 'p_value'"),
    ],
)
def test_points_that_are_none_are_refused(made: dict[str, np.ndarray], other: Series, told: str) -> None:
    with pytest.raises(InputError, match=told):
        nf.studies.gains(made, overlay={"other": other})


def test_a_study_without_comparisons_of_one_set_is_refused(made: dict[str, np.ndarray]) -> None:
    sizes = nf.studies.by_test_size(made, sizes=(100, 300))
    with pytest.raises(InputError, match="study of test-size"):
        nf.studies.gains(made, overlay={"other": sizes})
    with pytest.raises(InputError, match="two sets of comparisons"):
        nf.studies.gains(made, overlay={"comparisons": made})


def test_other_scores_are_looked_at_in_the_same_way() -> None:
    abilities = {f"s{i}": i / 20 for i in range(4)}
    own, other = (
        nf.studies.simulate_scores(abilities, n=200, kind="continuous", clusters=50, seed=seed) for seed in (1, 2)
    )
    for clusters in (True, False):
        alone = nf.studies.gains(other, clusters=clusters, draws=500).series["comparisons"].columns["p_value"]
        laid = nf.studies.gains(own, clusters=clusters, draws=500, overlay={"other": other}).series["other"]
        assert laid.columns["p_value"].tolist() == alone.tolist()


def test_gaps_in_other_scores_are_dropped_as_in_the_own(made: dict[str, np.ndarray]) -> None:
    gaps = {name: values.copy() for name, values in teams(each=2, seed=9).items()}
    gaps["oak-0"][3] = np.nan
    with pytest.raises(InputError):
        nf.studies.gains(made, overlay={"gaps": gaps})
    study = nf.studies.gains(made, overlay={"gaps": gaps}, missing="drop")
    assert any(note.startswith("gaps: 1 item left out") for note in words.notes(study))
