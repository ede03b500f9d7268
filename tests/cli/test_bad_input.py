"""Bad input gives one clear message with place and fix, and exit 2; every wording is a snapshot."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from nofluke.readers.sniff import format_names
from nofluke.registry import TESTS
from support.command_line import nofluke
from support.snapshots import check_snapshot

# Snapshots have <names> for all of them: a new method changes no wording.
REGISTERED = (", ".join(sorted(TESTS.names())), ", ".join(format_names("scores")))
GOOD = "item,new,old\nq1,0.5,0.4\nq2,0.7,0.6\nq3,0.1,0.3\nq4,0.9,0.2\n"

FILES: dict[str, bytes] = {
    "good.csv": GOOD.encode(),
    "text.csv": b"item,new,old\nq1,0.5,0.4\nq2,good,0.6\nq3,0.1,bad\nq4,worse,0.2\n",
    "short.txt": b"0.5\n0.6\n0.7\n",
    "long.txt": b"0.5\n0.6\n0.7\n0.8\n",
    "duplicates.csv": b"item,system,score\nq1,A,1\nq2,A,0\nq1,A,0\nq1,B,1\nq2,B,1\n",
    "empty.csv": b"",
    "header.csv": b"item,new,old\n",
    "one_column.csv": b"score\n0.5\n0.4\n",
    "hash.csv": b"item#new#old\nq1#0.5#0.4\nq2#0.7#0.6\n",
    "nan.csv": b"item,new,old\nq1,0.5,0.4\nq2,NaN,0.6\n",
    "inf.csv": b"item,new,old\nq1,0.5,0.4\nq2,0.7,-inf\n",
    "comma.csv": b"item;new;old\nq1;0,5;0,4\nq2;0,7;0,6\n",
    "ragged.csv": b"item,new,old\nq1,0.5,0.4\nq2,0.7\nq3,0.7,0.1\n",
    "binary.csv": bytes(range(256)) * 8,
    "latin1.csv": "item,new,old\nÄ,0.5,0.4\n".encode("latin-1"),
    "missing_cell.csv": b"item,new,old\nq1,0.5,0.4\nq2,,0.6\nq3,0.1,0.2\n",
    "one_item.csv": b"item,new,old\nq1,0.5,0.4\n",
    "broken.jsonl": b'{"item": "q1", "new": 0.5, "old": 0.4}\n{"item": "q2", "new": 0.5, "old": \n',
    "truncated.csv.gz": gzip.compress(GOOD.encode())[:-12],
    "three.csv": b"item,x,y,z\nq1,1,0,1\nq2,0,1,1\n",
    "settings.toml": b'files = ["good.csv"]\nalphaa = 0.1\n',
    "not.toml": b"files = [\n",
    "other.toml": b'command = "test"\n',
    "huge_unit.csv": GOOD.encode(),
}

CASES: dict[str, list[str]] = {
    "text_in_a_number_column": ["compare", "text.csv"],
    "unequal_lengths": ["compare", "short.txt", "long.txt"],
    "duplicate_ids": ["compare", "duplicates.csv"],
    "empty_file": ["compare", "empty.csv"],
    "header_only": ["compare", "header.csv"],
    "one_column": ["compare", "one_column.csv"],
    "wrong_delimiter": ["compare", "hash.csv"],
    "nan": ["compare", "nan.csv"],
    "infinity": ["compare", "inf.csv"],
    "decimal_comma": ["compare", "comma.csv"],
    "ragged_row": ["compare", "ragged.csv"],
    "binary_file": ["compare", "binary.csv"],
    "wrong_encoding": ["compare", "latin1.csv"],
    "folder": ["compare", "folder"],
    "missing_file": ["compare", "god.csv"],
    "missing_score": ["compare", "missing_cell.csv"],
    "one_item_t_test": ["compare", "one_item.csv", "--method", "paired_t"],
    "unknown_method": ["compare", "good.csv", "--method", "permutations"],
    "unknown_column": ["compare", "good.csv", "--columns", "item=itme"],
    "unknown_role": ["compare", "good.csv", "--columns", "itm=item"],
    "bad_columns_option": ["compare", "good.csv", "--columns", "item"],
    "unknown_system": ["compare", "good.csv", "--a", "newer"],
    "too_many_systems": ["compare", "three.csv"],
    "unknown_dataset": ["compare", "good.csv", "--dataset", "x"],
    "unknown_format": ["compare", "good.csv", "--format", "jsn"],
    "unknown_input_format": ["compare", "good.csv", "--input-format", "xlsx"],
    "broken_json_line": ["compare", "broken.jsonl"],
    "truncated_gzip": ["compare", "truncated.csv.gz"],
    "alpha_out_of_range": ["compare", "good.csv", "--alpha", "1.5"],
    "delta_where_it_is_not_valid": ["compare", "good.csv", "--method", "sign", "--delta", "0.1"],
    "option_of_another_method": ["test", "good.csv", "--method", "paired_t", "--tie-width", "0.1"],
    "unknown_alternative": ["test", "good.csv", "--alternative", "larger"],
    "no_draws": ["test", "good.csv", "--method", "permutation", "--monte-carlo", "0"],
    "unit_too_large": ["compare", "good.csv", "--unit", "9"],
    "unknown_missing_policy": ["compare", "good.csv", "--missing", "zero"],
    "unknown_option_in_config": ["compare", "--config", "settings.toml"],
    "broken_config": ["compare", "--config", "not.toml"],
    "config_of_another_command": ["compare", "--config", "other.toml"],
    "missing_config": ["compare", "good.csv", "--config", "no.toml"],
    "output_into_nowhere": ["compare", "good.csv", "-o", "nowhere/out.txt"],
    "unknown_kind": ["methods", "--kind", "tests"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_told_once_and_clearly(name: str, folder: Path) -> None:
    run = nofluke(*CASES[name], cwd=folder)
    assert run.code == 2
    assert run.out == ""
    assert run.err.count("error:") == 1
    assert "Traceback" not in run.err
    assert "fix:" in run.err
    assert str(folder) not in run.err
    told = run.err[run.err.index("error:") :]
    for names in REGISTERED:
        told = told.replace(names, "<names>")
    check_snapshot(f"errors/{name}", told)


def test_errors_in_json_have_the_one_shape(folder: Path) -> None:
    run = nofluke("compare", "text.csv", "--format", "json", cwd=folder)
    assert run.code == 2
    answer = json.loads(run.out)
    assert answer["ok"] is False
    assert [sorted(error) for error in answer["errors"]] == [["fix", "message", "where"]]


@pytest.mark.parametrize(
    "arguments", [["compare"], ["compare", "good.csv", "--alhpa", "1"], ["cmpare"], ["compare", "--alpha"]]
)
def test_usage_errors_exit_2(arguments: list[str], folder: Path) -> None:
    run = nofluke(*arguments, cwd=folder)
    assert run.code == 2
    assert run.err
    assert "Traceback" not in run.err
