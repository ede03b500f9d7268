"""Results of promptfoo: repeats are runs, failed calls are no scores, a system is provider and prompt."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke


def result(test: int, score: float, *, at: int = 0, provider: str = "new", **more: Any) -> dict[str, Any]:
    return {
        "id": f"{provider}-{at or test}",
        "vars": {"question": f"What is {test}?", "sessionId": f"s{at}"},
        "testCase": {"vars": {}, "assert": [{"type": "equals", "value": "x"}]},
        "provider": {"id": "file://x.js", "label": provider},
        "prompt": {"raw": "{{question}}", "label": "plain"},
        "promptIdx": 0,
        "testIdx": at or test,
        "score": score,
        "success": score > 0.5,
        "namedScores": {"exact": score},
        "failureReason": 0,
        **more,
    }


def written(path: Path, results: list[dict[str, Any]], **more: Any) -> Path:
    whole = {
        "evalId": "eval-1",
        "results": {"version": 3, "timestamp": "2026-01-01", "prompts": [], "results": results},
    }
    path.write_text(json.dumps({**whole, "config": {"description": "suite"}, **more}))
    return path


def test_repeats_are_runs_of_an_item(tmp_path: Path) -> None:
    """--repeat 3 of 8 tests gives testIdx 0 to 23 and no number of the repeat: as items they would be 24."""
    results = [
        result(test, score, at=repeat * 8 + test + 1, provider=provider)
        for provider, score in (("new", 1.0), ("old", 0.0))
        for repeat in range(3)
        for test in range(8)
    ]
    scores = nf.read(written(tmp_path / "eval.json", results[::-1]))
    assert set(scores.systems) == {"new", "old"}
    assert scores.run is not None
    assert scores.run.labels == ("1", "2", "3")
    assert scores.pair().n == 8
    assert scores.metrics == ("score", "success", "exact")
    assert scores.primary == {"suite": "score"}


def test_a_failed_call_is_no_score_of_zero(tmp_path: Path) -> None:
    results = [result(test, 1.0) for test in range(3)]
    results.append(result(3, 0.0, failureReason=2, namedScores={}))
    results.append(result(4, 0.0, failureReason=1, namedScores={}))
    scores = nf.read(written(tmp_path / "eval.json", results))
    own = scores.statistics[scores.metric.codes == 0, 0].tolist()
    assert own[:3] == [1, 1, 1]
    assert math.isnan(own[3])
    assert own[4] == 0.0
    assert "1 in error" in str(scores.sources[0].notes[0])
    again = nf.read(tmp_path / "eval.json", on_error="zero")
    assert again.statistics[again.metric.codes == 0, 0].tolist() == [1, 1, 1, 0, 0]


def test_several_prompts_are_several_systems(tmp_path: Path) -> None:
    other = {"raw": "{{question}}", "label": "steps"}
    long = {"raw": "Think " * 20, "label": "Think " * 20}
    results = [result(test, 1.0) for test in range(3)]
    results += [result(test, 0.5, prompt=other, promptIdx=1) for test in range(3)]
    results += [result(test, 0.5, prompt=long, promptIdx=2) for test in range(3)]
    scores = nf.read(written(tmp_path / "eval.json", results))
    assert scores.systems == ("new:prompt=plain", "new:prompt=steps", "new:prompt=2")


def test_the_same_results_in_three_forms_count_once(tmp_path: Path) -> None:
    results = [result(test, float(test % 2), provider=provider) for provider in ("new", "old") for test in range(4)]
    written(tmp_path / "eval.json", results)
    (tmp_path / "eval.jsonl").write_text("\n".join(map(json.dumps, results)))
    (tmp_path / "eval.csv").write_text(
        "question,[new] plain,Status,Score,Named Scores,Grader Reason\nq,x,PASS,1.00,,\n"
    )
    suite = '<testsuite name="[new] 1"><testcase classname="x" name="test 1"/></testsuite>'
    (tmp_path / "eval.junit.xml").write_text(f'<testsuites name="promptfoo">{suite}</testsuites>')
    scores = nf.read(tmp_path)
    assert (scores.datasets, len(scores.systems)) == (("suite",), 2)
    assert nf.read(tmp_path / "eval.jsonl").pair().n == 4
    assert nf.read(tmp_path / "eval.junit.xml").metrics == ("pass",)
    notes = [one for one in nf.contents(nf.read(tmp_path)).notes if one.code == "logs.passed_over"]
    assert "eval.junit.xml" in str(notes)
    run = nofluke("compare", str(tmp_path / "eval.csv"))
    assert run.code == 2
    assert "-o eval.json" in run.err


def test_descriptions_name_items_where_they_tell_them_apart(tmp_path: Path) -> None:
    results = [result(test, 1.0, testCase={"description": f"t{test}"}) for test in range(3)]
    assert nf.read(written(tmp_path / "eval.json", results)).item.labels == ("t0", "t1", "t2")
    results = [result(test, 1.0, testCase={"description": "same"}) for test in range(3)]
    assert len(nf.read(written(tmp_path / "eval.json", results)).item.labels) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"evalId": "x", "results": {"results": []}}', "there are no results"),
        ('{"evalId": "x", "results": {"results": 3}}', "there are no results"),
        ('{"evalId": "x", "results": {"results": [{"score": 1}]}}', "a result has no vars"),
        ('{"evalId": "x", "results": {"results": [', "ends too early"),
        ('{"testIdx": 1, "promptIdx": 2}\n{"te', "a result has no vars"),
    ],
)
def test_damaged_results_are_told(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "eval.json").write_text(text)
    with pytest.raises(InputError, match=said):
        nf.read(tmp_path / "eval.json")


@pytest.mark.parametrize("start", [{}, {"evalId": None}])
def test_version_2_tells_failed_calls_by_what_was_not_graded(start: dict[str, Any], tmp_path: Path) -> None:
    rows = []
    for test, told in enumerate(
        (
            {"score": 1.0, "success": True, "gradingResult": {"pass": True}},
            {"score": 0.0, "success": False, "gradingResult": {"pass": False}, "error": "Expected x"},
            {"score": 0.0, "success": False, "error": "API error: 500"},
            {"score": 0.0, "success": False, "error": "No output", "response": {}},
        )
    ):
        row = {**result(test, 1.0), **told}
        for name in ("testIdx", "promptIdx", "failureReason", "id"):
            del row[name]
        rows.append(row)
    whole = {**start, "results": {"version": 2, "results": rows, "stats": {}}, "config": {}}
    (tmp_path / "out.json").write_text(json.dumps(whole, indent=2))
    scores = nf.read(tmp_path)
    own = scores.statistics[scores.metric.codes == scores.metric.code_of("score"), 0].tolist()
    assert [own[0], own[1], own[3]] == [1, 0, 0]
    assert math.isnan(own[2])
