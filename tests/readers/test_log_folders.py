"""Logs found in files, folders and globs: mixed formats, what is no log, links out of the folder, and limits."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.logs import find
from support.command_line import nofluke
from support.logs import inspect, lm_eval, sample

ROWS = [{"acc": float(at % 2)} for at in range(6)]


def test_a_pattern_that_matches_folders_and_their_files_reads_each_once(tmp_path: Path) -> None:
    inspect(tmp_path / "logs" / "x" / "a.json", [sample(at, "C") for at in range(3)])
    scores = nf.read(str(tmp_path / "logs" / "**"), logs="all")
    assert (scores.run, len(scores.statistics)) == (None, 3)


def test_a_format_said_of_a_folder_is_that_of_its_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inspect(tmp_path / "logs" / "a.json", [sample(at, "C") for at in range(3)])
    (tmp_path / "logs" / "README.md").write_text("# These are logs\n")
    assert len(nf.read(tmp_path / "logs", format="inspect").statistics) == 3
    monkeypatch.setattr(find, "_MOST_BYTES", 10)
    for path in (tmp_path / "logs", tmp_path / "logs" / "a.json"):
        with pytest.raises(InputError, match="the log is larger"):
            nf.read(path, format="inspect")


def test_a_log_is_read_from_standard_input_and_open_files(tmp_path: Path) -> None:
    path = inspect(tmp_path / "a.json", [sample(at, "C") for at in range(3)])
    run = nofluke("read", "-", stdin=path.read_bytes())
    assert "1 system, 1 task, 3 items" in run.out, run.err
    run = nofluke("read", "new=-", stdin=b"item,score\nq1,1\nq2,0\n")
    assert run.out.startswith("csv: 1 system"), run.err
    assert "new" in run.out

    class Pipe(io.BytesIO):
        def seek(self, *_: int) -> int:
            raise OSError("a pipe")

    assert nf.read(Pipe(path.read_bytes())).systems == ("toy/a",)


def test_a_log_where_a_table_is_needed_is_refused(tmp_path: Path) -> None:
    path = inspect(tmp_path / "a.json", [sample(at, "C") for at in range(3)])
    with pytest.raises(InputError, match=r"this is a log \(Inspect\), and a table is needed here"):
        nf.from_statistics(path, "a/n")


def test_ids_that_repeat_in_a_log_are_told_with_a_way_out(tmp_path: Path) -> None:
    samples = [sample(0, "C") for _ in range(3)]
    for name in ("a", "b"):
        inspect(tmp_path / "same" / f"{name}.json", samples, model=name)
    with pytest.raises(InputError, match="more than one score") as caught:
        nf.read(tmp_path / "same").pair()
    assert "match_by" in str(caught.value)
    assert "columns" not in str(caught.value)
    assert nf.read(tmp_path / "same", match_by="content").pair().n == 3
    with pytest.raises(InputError, match="a log has no columns to ignore"):
        nf.read(tmp_path, ignore="length")


def test_a_folder_may_mix_formats(tmp_path: Path) -> None:
    lm_eval(tmp_path / "one", {"arc": ROWS}, model="acme/a")
    lm_eval(tmp_path / "one", {"arc": ROWS}, model="acme/b", day=2)
    for name in "ab":
        inspect(tmp_path / "two" / f"{name}.json", [sample(at, "CI"[at % 2]) for at in range(4)], model=f"acme/{name}")
    (tmp_path / "two" / "notes.txt").write_text("not a log\n")
    scores = nf.read(tmp_path)
    assert scores.systems == ("acme/a", "acme/b")
    assert scores.datasets == ("arc", "trivia")
    assert scores.sources[0].made_by == (("lm_eval", "0.4.13"), ("inspect", ""))
    assert scores.pair().n == 10


def test_globs_and_single_files(tmp_path: Path) -> None:
    for name in "ab":
        lm_eval(tmp_path / name, {"arc": ROWS, "boolq": ROWS}, model=name)
    scores = nf.read(str(tmp_path / "*" / "samples_arc_*"))
    assert (scores.systems, scores.datasets) == (("a", "b"), ("arc",))
    with (tmp_path / "a" / "samples_arc_2026-01-01T10-00-00.000000.jsonl").open("rb") as file:
        assert nf.read(io.BytesIO(file.read())).metrics == ("acc",)


def test_logs_and_tables_are_not_mixed(tmp_path: Path) -> None:
    lm_eval(tmp_path / "a", {"arc": ROWS}, model="a")
    (tmp_path / "scores.csv").write_text("item,A,B\nq1,1,0\nq2,1,0\n")
    with pytest.raises(InputError, match=r"scores\.csv is no log") as caught:
        nf.read([str(tmp_path / "a"), str(tmp_path / "scores.csv")])
    assert "nofluke read TABLE -o table.parquet" in caught.value.advice("shell")


@pytest.mark.parametrize("folder", ["empty", "notes"])
def test_a_folder_without_logs(folder: str, tmp_path: Path) -> None:
    (tmp_path / folder).mkdir()
    if folder == "notes":
        (tmp_path / folder / "notes.txt").write_text("item,A,B\nq1,1,0\n")
    run = nofluke("compare", folder, cwd=tmp_path)
    assert run.code == 2
    assert "this is a folder" in run.err


@pytest.mark.parametrize("bare", ["bare", "bare/*"])
def test_a_folder_without_logs_beside_folders_of_logs(bare: str, tmp_path: Path) -> None:
    for name in "ab":
        lm_eval(tmp_path / name, {"arc": ROWS}, model=name)
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "notes.txt").write_text("the third system is still running\n")
    for verb in ("compare", "rank", "read"):
        run = nofluke(verb, "a", "b", bare, cwd=tmp_path)
        assert run.code == 2, run.out
        assert f"{bare}: " in run.err
        assert "no log of an evaluation harness was found" in run.err


def test_a_folder_given_twice_is_told_as_such(tmp_path: Path) -> None:
    for name in "ab":
        lm_eval(tmp_path / name, {"arc": ROWS}, model=name)
    for command in (("compare", "a", "a"), ("rank", "a", "b", "a/")):
        run = nofluke(*command, cwd=tmp_path)
        assert run.code == 2
        assert "these logs are given twice" in run.err
    assert nofluke("compare", "x=a", "y=a", cwd=tmp_path).code == 0


def test_links_out_of_the_folder_are_left_alone(tmp_path: Path) -> None:
    lm_eval(tmp_path / "secret", {"arc": ROWS}, model="secret")
    lm_eval(tmp_path / "logs", {"arc": ROWS}, model="a")
    os.symlink(tmp_path / "secret", tmp_path / "logs" / "folder")
    file = next((tmp_path / "secret").glob("samples*"))
    os.symlink(file, tmp_path / "logs" / "samples_boolq_2026-01-01T10-00-00.000000.jsonl")
    inside = next((tmp_path / "logs").glob("samples_arc*"))
    os.symlink(inside, tmp_path / "logs" / "samples_rte_2026-01-01T10-00-00.000000.jsonl")
    scores = nf.read(tmp_path / "logs")
    assert (scores.systems, scores.datasets) == (("a",), ("arc", "rte"))
    (told,) = (one for one in scores.sources[0].notes if one.code == "logs.links_out")
    assert [Path(name).name for name in told["files"]] == ["folder", "samples_boolq_2026-01-01T10-00-00.000000.jsonl"]
    assert "2 links lead out of their folder and were not followed" in nofluke("read", str(tmp_path / "logs")).out


def test_a_folder_of_nothing_but_links_out_of_it_is_told_as_such(tmp_path: Path) -> None:
    logs = lm_eval(tmp_path / "logs", {"arc": ROWS})
    (tmp_path / "latest").mkdir()
    os.symlink(logs, tmp_path / "latest" / "run")
    run = nofluke("read", "latest", cwd=tmp_path)
    assert run.code == 2
    assert "links are not followed: give what is linked by run." in run.err


@pytest.mark.parametrize("damage", [bytes(5000), b"<html>404</html>", b"PK\x03\x04" + bytes(5000)])
def test_a_log_without_its_beginning_is_not_missing_unsaid(damage: bytes, tmp_path: Path) -> None:
    for name in "ab":
        inspect(tmp_path / f"{name}.eval", [sample(at, 1.0) for at in range(5)], model=name)
    (tmp_path / "c.eval").write_bytes(damage)
    (tmp_path / "notes").write_bytes(damage)
    for verb in ("read", "compare"):
        run = nofluke(verb, str(tmp_path))
        assert run.code == 2, run.out
        assert "c.eval" in run.err
    # A run that wrote nothing is told of by a note.
    (tmp_path / "c.eval").write_bytes(b"")
    assert "1 log is empty" in nofluke("read", str(tmp_path)).out


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lm_eval(tmp_path / "logs", {"arc": ROWS, "boolq": ROWS})
    monkeypatch.setattr(find, "_MOST_FILES", 2)
    with pytest.raises(InputError, match="more than 2 files"):
        nf.read(tmp_path / "logs")
    monkeypatch.setattr(find, "_MOST_FILES", 10)
    monkeypatch.setattr(find, "_MOST_BYTES", 2**10)
    with pytest.raises(InputError, match="larger than 0 MB"):
        nf.read(tmp_path / "logs")


def test_a_line_that_is_too_long_is_told_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "samples_arc_2026-01-01T10-00-00.000000.jsonl"
    with path.open("wb") as file:
        file.write(b'{"doc_id": 0, "doc": "')
        for _ in range(65):
            file.write(b"x" * 2**20)
    run = nofluke("compare", str(path))
    assert run.code == 2
    assert "a line is longer than 64 MB" in run.err


def test_a_missing_task_is_told(tmp_path: Path) -> None:
    lm_eval(tmp_path / "a", {"arc": ROWS, "boolq": ROWS}, model="a")
    lm_eval(tmp_path / "b", {"arc": ROWS}, model="b")
    run = nofluke("compare", str(tmp_path / "a"), str(tmp_path / "b"))
    assert run.code == 2
    assert "'b' has no score on boolq" in run.err
    assert "--missing drop" in run.err
    assert nofluke("compare", str(tmp_path / "a"), str(tmp_path / "b"), "--missing", "drop").code == 0


def test_options_of_logs_do_nothing_to_tables(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("item,A,B\nq1,1,0\nq2,1,0\n")
    run = nofluke("compare", "scores.csv", "--on-error", "zero", cwd=tmp_path)
    assert run.code == 2
    assert "--on-error would change nothing here" in run.err


def test_one_name_for_two_models_is_refused(tmp_path: Path) -> None:
    lm_eval(tmp_path / "a", {"arc": ROWS}, model="a")
    lm_eval(tmp_path / "a", {"arc": ROWS}, model="b", day=2)
    with pytest.raises(InputError, match="'new' would be 2 models on arc: a, b"):
        nf.read(f"new={tmp_path / 'a'}")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_system_without_any_score_is_named(value: float, tmp_path: Path) -> None:
    lm_eval(tmp_path / "a", {"arc": [{"acc": value}] * 5}, model="acme/a")
    lm_eval(tmp_path / "b", {"arc": [{"acc": 1.0}] * 5}, model="acme/b")
    run = nofluke("compare", str(tmp_path))
    assert run.code == 2
    assert "acme/a: 5 not scored" in run.err
    assert "look into the log of acme/a" in run.err


def test_systems_without_a_common_task_are_not_told_to_drop_tasks(tmp_path: Path) -> None:
    lm_eval(tmp_path / "a", {"arc": [{"acc": 1.0}] * 5}, model="acme/a")
    lm_eval(tmp_path / "b", {"sums": [{"acc": 1.0}] * 5}, model="acme/b")
    run = nofluke("compare", str(tmp_path))
    assert run.code == 2
    assert "give systems that were run on the same tasks" in run.err


def test_a_log_whose_metrics_are_all_left_out_is_told_of(tmp_path: Path) -> None:
    lm_eval(tmp_path / "a", {"arc": [{"acc": "good"}] * 5}, model="acme/a")
    lm_eval(tmp_path / "b", {"arc": [{"acc": 1.0}] * 5}, model="acme/b")
    assert "acc of arc is left out" in nofluke("read", str(tmp_path)).out


def test_a_folder_whose_items_cannot_be_read_is_told_by_what_it_holds(tmp_path: Path) -> None:
    for name in "ab":
        lm_eval(tmp_path / name, {"arc": [{"acc": 1.0}] * 3}, model=name)
    next((tmp_path / "b").glob("samples*")).write_text("")
    run = nofluke("compare", str(tmp_path / "a"), str(tmp_path / "b"))
    assert run.code == 2
    assert f"{tmp_path / 'b'}: no items are logged here: " in " ".join(run.err.split())


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_may_not_be_read_is_no_log_less(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A superuser may read all: the refusal is made here."""
    lm_eval(tmp_path / "a", {"arc": [{"acc": 1.0}] * 3})
    lm_eval(tmp_path / "a" / "locked", {"boolq": [{"acc": 1.0}] * 3})
    forbidden = tmp_path / "a" / "locked"
    if what == "file":
        forbidden = next(forbidden.glob("samples*"))

    def refusing(real: Callable[..., Any]) -> Callable[..., Any]:
        def own(path: Any, *args: Any, **more: Any) -> Any:
            if os.fspath(path) == str(forbidden):
                raise PermissionError(13, "Permission denied", str(forbidden))
            return real(path, *args, **more)

        return own

    monkeypatch.setattr(
        *((os, "scandir") if what == "folder" else (Path, "open")),
        refusing(os.scandir if what == "folder" else Path.open),
    )
    with pytest.raises(InputError, match=f"{forbidden.name}: you may not ") as caught:
        nf.read(tmp_path / "a")
    assert "chmod" in str(caught.value)
