"""A value of the wrong kind at any place of a log is read or refused in words; no format takes the files of another."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.readers.logs.find import candidates, logs_among
from nofluke.registry import FORMATS
from readers.test_junit import case as junit_case
from readers.test_junit import suite
from readers.test_promptfoo import result
from support.logs import inspect, lm_eval, sample
from support.more_logs import (
    case,
    deepeval,
    detail,
    eee_row,
    event,
    every_eval_ever,
    helm,
    helm_stat,
    lighteval,
    lines,
    openai_evals,
    parquet,
    swebench,
    written,
)

JUNK: tuple[Any, ...] = (None, [], {}, "x", -1, 1e308, True, [[1]], {"a": None}, [None, "y", 3])
GONE = object()
PAIR = {"golds": ["a b c"], "preds": ["a b d"]}


def logs(folder: Path) -> dict[str, Path]:
    """One log of every format that holds a tree of values, with all that it may hold."""
    form = {"name": "dialect", "seed": 1}
    perturbed = {"instance_id": "id0", "perturbation": form, "stats": [helm_stat("f1", 0.5)]}
    run = helm(
        folder / "helm",
        [("id0", 0, {"f1": 1.0}), ("id1", 0, {"f1": None})],
        names=["f1"],
        more=[perturbed],
        stats=[helm_stat("f1", 1.0), helm_stat("macro", 1.0)],
    )
    logged = {"acc": 1.0, "perplexity": -1.0, "bleu": ["a b", "a b"], "brier_score": [0, "[0.5 0.5]"]}
    rows = [eee_row(at, "acc", 1.0, logged=logged, metadata={"epoch": "1"}) for at in range(2)]
    samples = every_eval_ever(folder / "eee", [*rows, eee_row(2, "f1", 0.5)], {"acc": (1.0, False, 3)})
    events = [event(0, 0, correct=True, expected="x"), event(1, 0, "metrics", score=1), event(2, 1, "error", type="E")]
    details = [detail(at, {"em": 1, "bleu": PAIR, "mcc": {"golds": [1], "preds": 1}}, ["x", "y"]) for at in range(2)]
    kinds = [{"metric_name": "bleu", "higher_is_better": True, "corpus_level_fn": "X(metric_type=bleu)"}]
    scored = lighteval(folder / "lighteval", details, results={"bleu": 1.0, "bleu_stderr": 1.0}, metrics=kinds)
    talk = {**case(1, {"Polite": 1.0}, input=None), "turns": [{"role": "user", "content": "Hi"}]}
    cases = [case(0, {"Exact": 1.0, "Judge": None})]
    return {
        "deepeval": deepeval(folder / "deepeval" / "test_run.json", cases, conversationalTestCases=[talk]),
        "helm": run / "per_instance_stats.json",
        "helm run_spec": run / "run_spec.json",
        "helm stats": run / "stats.json",
        "helm state": run / "scenario_state.json",
        "openai_evals": openai_evals(folder / "openai" / "a.jsonl", events, report={"accuracy": 1.0, "score": 1}),
        "swebench": swebench(
            folder / "swebench" / "a.r.json", resolved=["a-1"], unresolved=["a-2"], error=["b-1"], incomplete=["b-2"]
        ),
        "every_eval_ever": samples,
        "every_eval_ever averages": samples.with_name("0a1b.json"),
        "lighteval": scored,
        "lighteval results": next((folder / "lighteval" / "results").rglob("*.json")),
    }


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path of every node of a tree, the whole first."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def put(tree: Any, path: tuple[Any, ...], junk: Any) -> Any:
    """Give the tree with something else at one place, or without the place."""
    if not path:
        return None if junk is GONE else junk
    tree = copy.deepcopy(tree)
    node = tree
    for key in path[:-1]:
        node = node[key]
    if junk is GONE:
        del node[path[-1]]
    else:
        node[path[-1]] = junk
    return tree


def tree_of(path: Path) -> tuple[Any, Callable[[Any], None]]:
    """Give what a file holds as a tree, and a function that writes another one."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()], lambda tree: _write_lines(path, tree)
    if path.suffix == ".parquet":
        rows = [detail(at, {"em": 1, "bleu": PAIR}, ["x", "y"]) for at in range(2)]
        return rows, lambda tree: _write_parquet(path, tree)
    return json.loads(path.read_text()), lambda tree: _write(path, tree)


def _write(path: Path, tree: Any) -> None:
    written(path, tree)


def _write_lines(path: Path, tree: Any) -> None:
    lines(path, tree if isinstance(tree, list) else [tree])


def _write_parquet(path: Path, tree: Any) -> None:
    import duckdb

    try:
        parquet(path, tree if isinstance(tree, list) else [{"doc": tree}])
    except duckdb.Error:
        path.write_bytes(b"PAR1 no such file can be written PAR1")


def outcome(path: Path, name: str) -> str:
    """Read a log of a format; give what is said if it is refused."""
    try:
        str(nf.read(path, format=name))
    except NoflukeError as error:
        return str(error)
    return ""


KINDS = (
    *("deepeval", "helm", "helm run_spec", "helm stats", "helm state", "openai_evals", "swebench"),
    *("every_eval_ever", "every_eval_ever averages", "lighteval", "lighteval results"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_anything_at_any_place_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    path = logs(tmp_path)[kind]
    name = kind.split()[0]
    top = next(one for one in (path, *path.parents) if one.parent == tmp_path)
    given = path if name == kind else top
    tree, write = tree_of(path)
    refused = 0
    every = list(places(tree))
    for number, place in enumerate(every):
        # Each place gets some of the values: neighbours, such as the same place in the next row, get others.
        steps = (0, 3, 7) if path.suffix != ".parquet" else (0,)
        for one in (GONE, *(JUNK[(number + step) % len(JUNK)] for step in steps)):
            write(put(tree, place, one))
            said = outcome(given, name)
            refused += bool(said)
            assert not said or str(tmp_path) in said, (place, one, said)
    assert refused or name != kind


def all_logs(folder: Path) -> dict[str, Path]:
    """One file of every format of logs, and what lies beside them."""
    lm_eval(folder / "lm", {"arc": [{"acc": 1.0}] * 3})
    samples = [sample(at, "C") for at in range(3)]
    found = logs(folder) | {
        "lm_eval": next((folder / "lm").glob("samples*")),
        "lm_eval results": next((folder / "lm").glob("results*")),
        "inspect": inspect(folder / "inspect" / "log.json", samples),
        "inspect eval": inspect(folder / "inspect" / "log.eval", samples),
        "junit": folder / "x.xml",
        "promptfoo": lines(folder / "eval.jsonl", [result(at, 1.0) for at in range(3)]),
        "table_json": folder / "t.json",
    }
    found["junit"].write_text(f'<?xml version="1.0"?><testsuites>{suite(junit_case("t"))}</testsuites>')
    columns = ["id", "question", "prediction", "correct"]
    written(found["table_json"], {"columns": columns, "data": [["a", "Q?", "x", 1], ["b", "R?", "y", 0]]})
    return found


def formats_of(path: Path) -> list[str]:
    return [kind for _, kind in logs_among(candidates(str(path)))]


def test_every_log_has_one_format(tmp_path: Path) -> None:
    logs_by_mark = [one for one in FORMATS if one.facts["gives"] == "logs" and one.facts["source"] == "file"]
    for kind, path in all_logs(tmp_path).items():
        assert formats_of(path) == [kind.split()[0]], kind
        head = path.read_bytes()
        assert [one.name for one in logs_by_mark if one.facts["sniff"](head)] == [kind.split()[0]], kind
        # The same file of one line, or with other white space, is the same.
        if path.suffix == ".json":
            for indent in (None, 1):
                written(path, json.loads(head), indent)
                assert formats_of(path) == [kind.split()[0]], (kind, indent)


@pytest.mark.parametrize(
    "table",
    [
        [{"item": "a", "new": 1, "old": 0}, {"item": "b", "new": 0, "old": 1}],
        [{"instance_id": "a", "stats": 1, "resolved": 1}, {"instance_id": "b", "stats": 0, "resolved": 0}],
        [{"sample_id": "a", "model_id": "m", "evaluation": 1}, {"sample_id": "b", "model_id": "m", "evaluation": 0}],
        [{"schema_version": "1", "sample_id": "a", "score": 1}, {"schema_version": "1", "sample_id": "b", "score": 0}],
        [{"name": "rivers", "count": 3, "mean": 0.5}, {"name": "moons", "count": 3, "mean": 0.7}],
        [{"input": "Q?", "expectedOutput": "x", "score": 1}, {"input": "R?", "expectedOutput": "y", "score": 0}],
        [{"spec": "a", "new": 1, "old": 0}, {"spec": "b", "new": 0, "old": 1}],
        [{"doc": "a", "metric": "acc", "model_response": "x", "score": 1.0}],
        {"new": [1, 0, 1], "old": [0, 0, 1]},
        {"resolved": [1, 0], "total_instances": [2, 3]},
        {"name": "x", "results": [1, 2], "version": 1},
        {"runs": [{"total_instances": 80, "resolved_instances": 38}, {"total_instances": 80, "resolved_instances": 3}]},
    ],
)
def test_a_plain_table_is_no_log(table: Any, tmp_path: Path) -> None:
    assert formats_of(written(tmp_path / "a.json", table)) == []
    rows = table if isinstance(table, list) else [table]
    assert formats_of(lines(tmp_path / "a.jsonl", rows)) == []
    if isinstance(table, list):
        assert formats_of(parquet(tmp_path / "a.parquet", rows)) == []
        header = ",".join(rows[0])
        (tmp_path / "a.csv").write_text("\n".join([header, *(",".join(map(str, row.values())) for row in rows)]))
        assert formats_of(tmp_path / "a.csv") == []


@pytest.mark.parametrize("kind", KINDS)
def test_cut_and_empty_files_are_refused_with_their_name(kind: str, tmp_path: Path) -> None:
    path = logs(tmp_path)[kind]
    whole = path.read_bytes()
    name = kind.split()[0]
    top = next(one for one in (path, *path.parents) if one.parent == tmp_path)
    for length in sorted({1, 2, *(len(whole) * part // 7 for part in range(1, 7)), len(whole) - 2}):
        path.write_bytes(whole[:length])
        said = outcome(path if name == kind else top, name)
        # A file beside the log that no longer looks like one is passed over, and lines may end whole.
        assert str(tmp_path) in said or name != kind or path.suffix == ".jsonl"
    path.write_bytes(b"")
    with pytest.raises(NoflukeError):
        nf.read(path)
