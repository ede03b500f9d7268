"""Answers of the studies: their wording, their length, and that they are made of the value alone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.studies import synthesize, synthesized
from nofluke.types import Scores, Study
from nofluke.types.load import from_dict
from nofluke.words import answer, short
from nofluke.words import studies as words
from nofluke.words.layout import as_lines
from support.snapshots import check_snapshot
from support.systems import graded, team_of, teams

STORED = sorted((Path(__file__).parents[1] / "stored_schema1").glob("study_*.json"))
LONG = "meta-llama/Llama-3.1-70B-Instruct-preview-of-the-second-of-May-2026"


def pair(a: str = "tuned", b: str = "base", n: int = 60, clusters: int = 0) -> nf.Sample:
    scores = nf.studies.simulate_scores({a: 0.3, b: 0.0}, n=n, kind="continuous", clusters=clusters, seed=4)
    return scores.pair()


def skewed(n: int = 60) -> nf.Sample:
    long_tail = np.round(-np.log1p(-(np.arange(n) + 0.5) / n), 4)
    rows = "".join(f"i{at},{score},1\n" for at, score in enumerate(long_tail))
    return nf.read(io.StringIO(f"item,tuned,base\n{rows}")).pair()


def corpora(number: int, items: int = 90) -> Scores:
    rng = np.random.default_rng(7)
    lines = [
        f"c{corpus},c{corpus}-{item}," + ",".join(f"{score:.2f}" for score in rng.normal(np.linspace(0, 0.5, 14), 1.0))
        for corpus in range(number)
        for item in range(items)
    ]
    head = ",".join(["dataset", "item", *(f"s{at}" for at in range(14))])
    return nf.read(io.StringIO("\n".join([head, *lines]) + "\n"))


class Nearest:
    """Gives the answer of the nearest training input."""

    def __init__(self, shift: float) -> None:
        self.shift = shift

    def fit(self, x: np.ndarray, y: np.ndarray) -> None:
        self.x, self.y = x, y

    def predict(self, x: np.ndarray) -> np.ndarray:
        return self.y[np.abs(self.x[:, 0] - x[:, :1] - self.shift).argmin(axis=1)]


def made_systems(shifts: dict[str, float]) -> Study:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(120, 1))
    y = (x[:, 0] + 0.3 * rng.normal(size=120) > 0).astype(int)
    models = {name: Nearest(shift) for name, shift in shifts.items()}
    scores = synthesize(models, (x[:60], y[:60]), (x[60:], y[60:]), sizes=[60, 20, 10], systems=3)
    return synthesized(scores, {"seed": 0})


def alike() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    return {f"s{at}": np.round(rng.random(200), 3) for at in range(20)}


SITUATIONS: dict[str, Callable[[], Study]] = {
    "gains": lambda: nf.studies.gains(graded(400, number=60)),
    "gains_of_groups": lambda: nf.studies.gains(teams(), groups=team_of(teams())),
    "gains_without_threshold": lambda: nf.studies.gains(graded(20, number=3)),
    "gains_by_permutation": lambda: nf.studies.gains(graded(100), method="permutation", window=(0.005, 0.015)),
    "similarity": lambda: nf.studies.similarity(teams()),
    "similarity_of_interchangeable": lambda: nf.studies.similarity(alike()),
    "similarity_of_few": lambda: nf.studies.similarity(graded(100, number=3)),
    "test_size": lambda: nf.studies.by_test_size(graded(400, number=60), sizes=(100, 400)),
    "test_size_many": lambda: nf.studies.by_test_size(graded(1600), sizes=(20, 40, 80, 160, 320, 640, 1280, 1600)),
    "test_size_of_one": lambda: nf.studies.by_test_size(graded(400), sizes=(400,)),
    "domain": lambda: nf.studies.domain({"news": graded(300, number=60), "web": graded(300, number=60, seed=2)}),
    "domain_few": lambda: nf.studies.domain({"news": graded(300, 1.0), "web": graded(300, 3.0)}),
    "domain_many": lambda: nf.studies.domain(corpora(9)),
    "gains_of_special_groups": lambda: nf.studies.gains(
        teams(), groups=team_of(teams()), special=("oak", "elm", "fir")
    ),
    "similarity_many": lambda: nf.studies.similarity(teams(), bins=30),
    "audit_of_many": lambda: nf.studies.audit(
        pair(), ["permutation", "paired_t", "wilcoxon", "sign", "bootstrap", "one_lost_item"], iterations=200
    ),
    "calibration": lambda: nf.studies.calibration(corpora(1), test_sets=60),
    "calibration_few": lambda: nf.studies.calibration(corpora(1), test_sets=1, sides="two"),
    "calibration_across": lambda: nf.studies.calibration(corpora(3), across=True),
    "calibration_across_many": lambda: nf.studies.calibration(corpora(9), across=True, near=(0.0, 0.9)),
    "audit": lambda: nf.studies.audit(pair(), ["permutation", "wilcoxon"], iterations=1_000),
    "audit_broken": lambda: nf.studies.audit(skewed(), "bootstrap", iterations=1_000),
    "audit_of_the_sign_test": lambda: nf.studies.audit(skewed(), "sign", iterations=500),
    "audit_of_clusters": lambda: nf.studies.audit(pair(n=80, clusters=20), iterations=200),
    "audit_of_long_names": lambda: nf.studies.audit(pair(LONG, f"{LONG}-2"), iterations=200),
    "synthesize": lambda: made_systems({"exact": 0.0, "shifted": 0.2, "far off": 0.4}),
    "synthesize_one_model": lambda: made_systems({"exact": 0.0}),
    "multiplicity": lambda: nf.studies.multiplicity(repetitions=2_000),
    "multiplicity_dependent": lambda: nf.studies.multiplicity("dror", repetitions=2_000),
    "multiplicity_with_effects": lambda: nf.studies.multiplicity(datasets=20, effects=5, repetitions=2_000),
    "sample_size": lambda: nf.studies.sample_size_study(sizes=[30, 200], iterations=40),
    "sample_size_own": lambda: nf.studies.sample_size_study([("normal(0,1)", "normal(0,2)", "paired_t")], sizes=[50]),
}


@cache
def study(name: str) -> Study:
    return SITUATIONS[name]()


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_answer(name: str) -> None:
    lines = short(study(name)).splitlines()
    check_snapshot(f"studies/{name}", "\n".join(lines) + "\n")
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", SITUATIONS)
def test_words_are_a_function_of_the_value(name: str) -> None:
    result = study(name)
    again = from_dict(json.loads(json.dumps(result.to_dict())))
    assert short(again) == short(result)
    for form in ("text", "markdown", "latex", "csv"):
        assert nf.report(again, form) == nf.report(result, form)


def test_narrow_and_plain() -> None:
    made = answer(study("audit"))
    assert made is not None
    check_snapshot("studies/narrow", "\n".join(as_lines(made, 48)) + "\n")
    plain = as_lines(made, glyphs=False)
    assert all(line.isascii() for line in plain)


def test_the_systems_are_named() -> None:
    for name in ("audit", "audit_broken", "audit_of_clusters"):
        told = nf.report(study(name), "text")
        assert "tuned is better" in told
        assert "A is better" not in told
        assert "A and B" not in told
    lopsided = {**study("audit_broken").tables["significant"], "verdict": ("as promised", "as promised", "too often")}
    told = short(replace(study("audit_broken"), tables={"significant": lopsided}))
    assert "it calls base better too often" in " ".join(told.split())
    assert "base too often" in told


def test_a_test_that_breaks_its_promise_is_not_left_out() -> None:
    found = study("audit_of_many")
    table = found.tables["significant"]
    verdicts = (*table["verdict"][:-3], "too often", "as promised", "too often")
    told = short(replace(found, tables={"significant": {**table, "verdict": verdicts}}))
    assert "one_lost_item" not in short(found)
    assert "one_lost_item" in told


def test_every_word_file_is_a_study() -> None:
    folder = Path(words.__file__).parent
    files = {path.stem.replace("_", "-") for path in folder.glob("*.py")} - {"--init--", "pairs"}
    assert files == set(words.STUDIES)
    for name in words.STUDIES:
        assert words.question(replace(study("gains"), name=name)).endswith("?")


def test_a_study_that_is_not_known_is_refused() -> None:
    with pytest.raises(InputError, match="no study 'pairs'"):
        short(replace(study("gains"), name="pairs"))


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_studies_of_schema_1_are_answered_and_keep_their_notes(path: Path) -> None:
    stored = json.loads(path.read_text(encoding="utf-8"))
    before = json.dumps(stored)
    result = from_dict(stored)
    assert json.dumps(stored) == before
    assert isinstance(result, Study)
    assert len(short(result).splitlines()) <= 15
    assert words.notes(result) == tuple(stored["notes"])
    assert from_dict(json.loads(json.dumps(result.to_dict()))).to_dict() == result.to_dict()


def test_phrases_of_schema_1_become_codes() -> None:
    by_name = {path.stem: from_dict(json.loads(path.read_text(encoding="utf-8"))) for path in STORED}
    audit, sizes = by_name["study_audit"], by_name["study_sample_size"]
    assert isinstance(audit, Study)
    assert isinstance(sizes, Study)
    assert audit.tables["significant"]["claim"][:3] == ("two-sided", "greater", "less")
    assert set(audit.series["p-values"].labels["claim"]) == {"two-sided", "greater", "less"}
    assert set(sizes.tables["p-values"]["truth"]) == {"no difference", "difference"}
