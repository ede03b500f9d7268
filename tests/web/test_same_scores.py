"""Tables of scores at the edges give one answer through every door and from every kind of file: that of fractions."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from support import oracle
from support.command_line import nofluke
from support.extremes import FAMILIES, Case, for_all
from web.test_api import sent

KINDS = ("csv", "tsv", "jsonl", "json", "parquet", "csv.gz")
EXAMPLES = 2


def written(case: Case, kind: str, folder: Path) -> Path:
    """The scores as somebody has them, with every digit that was given."""
    path = folder / f"scores.{kind}"
    cells = [[str(score) for score in column] for column in (case.a, case.b)]
    rows = [(f"i{at}", a, b) for at, (a, b) in enumerate(zip(*cells, strict=True))]
    if kind.startswith(("csv", "tsv")):
        between = "\t" if kind == "tsv" else ","
        text = "\n".join(between.join(row) for row in [("item", "A", "B"), *rows]) + "\n"
        path.write_bytes(gzip.compress(text.encode()) if kind.endswith("gz") else text.encode())
    elif kind == "parquet":
        connection = duckdb.connect()
        connection.execute('CREATE TABLE t (item VARCHAR, "A" VARCHAR, "B" VARCHAR)')
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    else:
        objects = [f'{{"item": "{item}", "A": {a}, "B": {b}}}' for item, a, b in rows]
        path.write_text("\n".join(objects) if kind == "jsonl" else f"[{', '.join(objects)}]")
    return path


def figures(found: dict[str, Any]) -> tuple[Any, ...]:
    """What a user reads off, all digits."""
    test = found["test"]
    interval = test["interval"] or {}
    named = ("p_value", "log_p_value", "estimate", "method")
    return found["scores"], found["verdict"], [test[name] for name in named], interval.get("low"), interval.get("high")


def same_everywhere(case: Case, kind: str, folder: Path, client: httpx.Client) -> bool:
    path = written(case, kind, folder)
    run = nofluke("compare", str(path), "--a", "A", "--b", "B", "--format", "json")
    request = {"data": {"files": [{"upload": sent(client, path.read_bytes(), path.name)}]}, "a": "A", "b": "B"}
    answer = client.post("/api/compare", json=request, params={"wait": 60})
    try:
        expected = nf.compare(nf.read(path).pair("A", "B"))
    except NoflukeError:
        assert (run.code, answer.status_code // 100) == (2, 4)
        return False
    assert run.code == 0, run.err
    assert answer.status_code == 200, answer.text
    # nan and infinity are written in words: what Python would write is compared.
    mine = figures(json.loads(json.dumps(expected.to_dict())))
    assert figures(json.loads(run.out)) == figures(answer.json()["result"]) == mine
    _check_against_fractions(case, expected)
    return True


def _check_against_fractions(case: Case, expected: nf.Comparison) -> None:
    mean = sum(case.d) / len(case.d)
    largest = max(map(abs, (*case.means_a, *case.means_b)))
    assert abs(float(mean) - expected.test.estimate) <= 1e-12 * float(largest) + 1e-300
    if expected.test.method == "permutation" and expected.test.computed.how == "exact":
        truth = float(oracle.permutation(case.d)["two-sided"])
        assert expected.test.p_value == pytest.approx(truth, rel=1e-9)
    if expected.test.method == "mcnemar":
        assert expected.test.p_value == pytest.approx(float(oracle.sign(case.d)["two-sided"]), rel=1e-9)
    assert math.isnan(expected.test.p_value) or 0 < expected.test.p_value <= 1


@pytest.mark.parametrize(("family", "kind"), [(name, KINDS[at % len(KINDS)]) for at, name in enumerate(FAMILIES)])
def test_every_door_gives_the_figures_of_fractions(
    family: str, kind: str, tmp_path: Path, client: httpx.Client
) -> None:
    for_all(FAMILIES[family](), lambda case: same_everywhere(case, kind, tmp_path, client), EXAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_door_and_every_kind_of_file(family: str, kind: str, tmp_path: Path, client: httpx.Client) -> None:
    for_all(FAMILIES[family](), lambda case: same_everywhere(case, kind, tmp_path, client), 6)
