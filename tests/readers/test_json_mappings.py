"""Names with a number each, columns by row and plain arrays in JSON: natural inputs that are tables."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import Run, nofluke

P = {"de": 0.01, "fr": 0.2, "it": 0.003}
INDENTS = [{"indent": None}, {"indent": 2}, {"separators": (",\n", ": ")}]


def ran(folder: Path, command: str, files: dict[str, Any], **dumped: Any) -> Run:
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value, **dumped))
    return nofluke(*shlex.split(command), cwd=folder)


@pytest.mark.parametrize("dumped", INDENTS)
@pytest.mark.parametrize("values", [P, {name: str(p) for name, p in P.items()}])
def test_names_with_a_p_value_each(dumped: dict[str, Any], values: dict[str, Any]) -> None:
    found = nf.read_p_values(io.StringIO(json.dumps(values, **dumped)))
    assert dict(zip(found.datasets, found.p_values.tolist(), strict=True)) == P


@pytest.mark.parametrize("command", ["correct p.json", "replicate p.json"])
def test_commands_take_names_with_p_values(tmp_path: Path, command: str) -> None:
    run = ran(tmp_path, f"{command} --format json", {"p.json": P})
    assert run.code == 0, run.err
    assert json.loads(run.out)["names" if "correct" in command else "datasets"] == list(P)


@pytest.mark.parametrize("dumped", INDENTS)
@pytest.mark.parametrize("values", [[0.01, 0.2, 0.003], {"p": P}, {"p": [0.01, 0.2, 0.003]}])
def test_arrays_and_columns_of_p_values(dumped: dict[str, Any], values: Any) -> None:
    assert nf.read_p_values(io.StringIO(json.dumps(values, **dumped))).p_values.tolist() == list(P.values())


@pytest.mark.parametrize("dumped", INDENTS)
def test_two_files_of_items_with_a_score_each(tmp_path: Path, dumped: dict[str, Any]) -> None:
    scores = {"q1": 0.5, "q2": 0.25, "q3": 1}
    (tmp_path / "a.json").write_text(json.dumps(scores, **dumped))
    (tmp_path / "b.json").write_text(json.dumps(dict(reversed(scores.items())), **dumped))
    sample = nf.read([tmp_path / "a.json", tmp_path / "b.json"]).pair()
    assert sample.systems == ("a", "b")
    # Matched by name, whatever the order.
    assert sample.statistics[:, 0, 0].tolist() == sample.statistics[:, 1, 0].tolist() == [0.5, 0.25, 1]


def test_metrics_and_rows_stay_what_they_were(tmp_path: Path) -> None:
    files = {"a.json": {"accuracy": 0.5, "f1": 0.25}, "b.json": {"accuracy": 0.75, "f1": 0.5}}
    for name, value in files.items():
        (tmp_path / name).write_text(json.dumps(value))
    assert nf.read([tmp_path / name for name in files]).metrics == ("accuracy", "f1")
    assert nf.read(io.StringIO('{"item": 1, "A": 0.5, "B": 0.4}')).systems == ("A", "B")


@pytest.mark.parametrize("dumped", INDENTS)
@pytest.mark.parametrize("row", [lambda i: str(i), lambda i: f"q{i}"])
def test_columns_by_row_as_pandas_writes_them(dumped: dict[str, Any], row: Callable[[int], str]) -> None:
    rows = range(6)
    columns = {name: {row(i): i / d for i in rows} for name, d in (("A", 7), ("B", 8))}
    found = nf.read(io.StringIO(json.dumps(columns, **dumped)))
    assert found.systems == ("A", "B")
    assert found.item.labels == tuple(map(row, rows))
    named = {"segment": {row(i): f"s{i}" for i in rows}, **columns}
    again = nf.read(io.StringIO(json.dumps(named, **dumped)))
    assert again.item.labels == tuple(f"s{i}" for i in rows)
    assert again.statistics.tolist() == found.statistics.tolist()
    labels = {name: {row(i): "xy"[i % d] for i in rows} for name, d in (("ann", 2), ("bob", 1))}
    assert nf.read_ratings(io.StringIO(json.dumps(labels, **dumped))).annotators == ("ann", "bob")


def test_a_cell_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="there is no 'B' in this object"):
        nf.read(io.StringIO('{"A": {"q1": 1, "q2": 2}, "B": {"q1": 1}}'))


def test_a_first_line_longer_than_the_look_is_a_line() -> None:
    rows = [{"item": i, "A": i, "B": i + 1, "note": {"x": ["y" * 70_000]}} for i in range(3)]
    assert nf.read(io.StringIO("".join(json.dumps(row) + "\n" for row in rows))).pair().n == 3


def test_one_file_of_names_with_numbers_is_not_two_systems_of_p_values(tmp_path: Path) -> None:
    run = ran(tmp_path, "replicate s.json", {"s.json": {"de": 81.5, "fr": 70.25}})
    assert run.code == 2
    assert "p-value" in run.err


def outcome(value: Any) -> tuple[tuple[str, ...], tuple[str, ...], list[str]]:
    found = nf.read(io.StringIO(json.dumps(value)))
    return found.systems, tuple(found.item.labels), [note.code for note in found.sources[0].notes]


@pytest.mark.parametrize("keys", [[f"q{i}" for i in range(8)], list("stuvwxyz"), ["7", "8"], ["item 1", "item 2"]])
def test_numbered_or_many_outer_keys_are_items(keys: list[str]) -> None:
    assert outcome({key: {"new": i / 8, "old": i / 9} for i, key in enumerate(keys)}) == (
        ("new", "old"),
        tuple(keys),
        [],
    )


def test_rows_by_number_may_have_their_own_ids() -> None:
    # As pandas writes a frame with orient="index".
    rows = {str(i): {"item": f"s{i}", "A": i / 7, "B": i / 8} for i in range(2)}
    assert outcome(rows) == (("A", "B"), ("s0", "s1"), [])


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        (["sys1", "sys2"], ["de", "fr", "it"]),  # numbered, and fewer
        ([f"m{i}" for i in range(5)], ["q1", "q2", "q3"]),  # both numbered
        (list("stuvwxyz"), ["0", "1"]),
    ],
)
def test_other_outer_keys_are_systems(outer: list[str], inner: list[str]) -> None:
    value = {key: {row: (i + j) / 9 for j, row in enumerate(inner)} for i, key in enumerate(outer)}
    assert outcome(value)[:2] == (tuple(outer), tuple(inner))


def test_what_may_be_either_is_told() -> None:
    value = {key: {"de": i, "fr": i + 1} for i, key in enumerate(("bert", "gpt", "elmo"))}
    assert outcome(value) == (("bert", "gpt", "elmo"), ("de", "fr"), ["read.inner_keys"])
    note = nf.read(io.StringIO(json.dumps(value))).sources[0].notes[0]
    assert '[{"item": "bert", "de": ...}, ...]' in str(note)


SUMMARY = {"base": {"accuracy": 0.8, "f1": 0.7, "n": 100}, "new": {"accuracy": 0.82, "f1": 0.71, "n": 100}}


@pytest.mark.parametrize("command", ["compare", "rank", "replicate"])
@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_summary_by_metrics_holds_no_items(tmp_path: Path, command: str, form: str) -> None:
    rows = "".join(f"{name},{cell},{SUMMARY['new'][name]}\n" for name, cell in SUMMARY["base"].items())
    (tmp_path / "given").write_text(json.dumps(SUMMARY) if form == "json" else f",base,new\n{rows}")
    run = nofluke(command, "given", cwd=tmp_path)
    assert (run.code, run.out) == (2, "")
    said = " ".join(run.err.split())
    assert "the rows are metrics ('accuracy', 'f1'), and by one score of each no test can tell what is chance" in said
    assert "give the score of every item" in said


def test_metrics_of_many_systems_are_no_items_either() -> None:
    with pytest.raises(InputError, match=r"the rows are metrics \('accuracy', 'f1'\)"):
        outcome({name: {"accuracy": i / 9, "f1": i / 8} for i, name in enumerate("stuvwxyz")})


def test_items_called_like_metrics_can_be_named() -> None:
    text = "word,A,B\nrecall,1,2\nprecision,2,1\n"
    with pytest.raises(InputError, match="the rows are metrics"):
        nf.read(io.StringIO(text))
    assert nf.read(io.StringIO(text), columns={"item": "word"}).pair().n == 2


def test_a_table_for_each_system_is_sent_to_files(tmp_path: Path) -> None:
    tables = {
        name: [{"id": f"q{i}", "score": i % k} for i in order]
        for name, k, order in (("base", 3, range(8)), ("new", 4, reversed(range(8))))
    }
    run = ran(tmp_path, "compare given.json", {"given.json": tables}, indent=1)
    assert run.code == 2
    advice = " ".join(run.err.partition("fix: ")[2].split())
    assert advice == "give each as a file: jq '.[\"base\"]' FILE > base.json, jq '.[\"new\"]' FILE > new.json."
    run = ran(tmp_path, "compare base.json new.json --format json", {f"{name}.json": tables[name] for name in tables})
    assert run.code == 0, run.err
    assert json.loads(run.out)["scores"] == [7 / 8, 12 / 8]
