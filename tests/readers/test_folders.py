"""A folder, a glob or hive partitions of tables are one table; what is larger than memory gives the same numbers."""

from __future__ import annotations

import errno
import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError, NoflukeError
from nofluke.readers import stored
from nofluke.readers.parts import keys_of
from nofluke.readers.spread import told_if_full
from nofluke.types import Scores, Stored
from support.command_line import nofluke

SYSTEMS = ("new", "old", "mid", "base", "zero")


def rows(n: int, scores: Callable[[np.random.Generator, int], Any], seed: int = 3) -> list[tuple[str, str, float]]:
    """Long rows of five systems, in no order."""
    rng = np.random.default_rng(seed)
    table = scores(rng, n)
    found = [(f"q{item}", name, float(table[item, at])) for item in range(n) for at, name in enumerate(SYSTEMS)]
    return [found[place] for place in rng.permutation(len(found))]


def likert(rng: np.random.Generator, n: int) -> Any:
    return np.clip(np.rint(rng.normal(3, 1, (n, 1)) + rng.normal([0.3, 0.2, 0.1, 0, 0], 0.7, (n, 5))), 1, 5)


def binary(rng: np.random.Generator, n: int) -> Any:
    return (rng.random((n, 5)) < [0.6, 0.58, 0.55, 0.5, 0.5]).astype(float)


def hundredths(rng: np.random.Generator, n: int) -> Any:
    return np.round(rng.normal(0.5, 0.1, (n, 1)) + rng.normal([0.01, 0.006, 0, 0, 0], 0.05, (n, 5)), 2)


def measured(rng: np.random.Generator, n: int) -> Any:
    return rng.normal(0.5, 0.1, (n, 1)) + rng.normal([0.01, 0.006, 0, 0, 0], 0.05, (n, 5))


def write(path: Path, part: list[tuple[str, str, float]], *, system: bool = True) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    names = ("item", "system", "score") if system else ("item", "score")
    cells = [row if system else (row[0], row[2]) for row in part]
    if path.suffix == ".parquet":
        connection = duckdb.connect()
        connection.execute(f"CREATE TABLE t (item VARCHAR, {'system VARCHAR, ' if system else ''}score DOUBLE)")
        connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", cells)
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
        return
    text = ",".join(names) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in cells)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)


def parted(folder: Path, part: list[tuple[str, str, float]], suffix: str) -> str:
    third = len(part) // 3
    for number, start in enumerate((0, third, 2 * third)):
        end = len(part) if number == 2 else start + third
        write(folder / f"part-{number}.{suffix}", part[start:end])
    return str(folder)


def hive(folder: Path, part: list[tuple[str, str, float]], suffix: str) -> str:
    for name in SYSTEMS:
        write(folder / f"system={name}" / f"p.{suffix}", [row for row in part if row[1] == name], system=False)
    return str(folder)


def of(scores: Scores) -> set[tuple[str, str, float]]:
    names = zip(scores.item.codes, scores.system.codes, scores.statistics[:, 0], strict=True)
    return {(scores.item.labels[item], scores.system.labels[system], float(value)) for item, system, value in names}


@pytest.mark.parametrize("suffix", ["parquet", "csv.gz"])
def test_a_folder_a_glob_and_partitions_are_one_table(suffix: str, tmp_path: Path) -> None:
    part = rows(40, hundredths)
    write(tmp_path / f"one.{suffix}", part)
    one = nf.read(tmp_path / f"one.{suffix}")
    folder = parted(tmp_path / "parts", part, suffix)
    write(tmp_path / "parts" / "_log" / f"x.{suffix}", part)
    (tmp_path / "parts" / "README.md").write_text("not a table\n")
    for source in (folder, f"{folder}/part-*", f"{folder}/*.{suffix}"):
        found = nf.read(source)
        assert (found.systems, found.item.labels, of(found)) == (one.systems, one.item.labels, of(one))
        assert found.digits == one.digits
    by_system = hive(tmp_path / "hive", part, suffix)
    for source in (by_system, f"{by_system}/system=*/*", f"{by_system}/*"):
        found = nf.read(source)
        assert of(found) == of(one)
        mine, theirs = nf.rank(found), nf.rank(one)
        assert mine.systems == theirs.systems
        assert np.array_equal(mine.p_values, theirs.p_values, equal_nan=True)


def test_files_that_name_no_system_are_one_each(tmp_path: Path) -> None:
    part = rows(12, binary)
    for name in SYSTEMS:
        write(tmp_path / "each" / f"{name}.csv", [row for row in part if row[1] == name], system=False)
    assert set(nf.read(tmp_path / "each").systems) == set(SYSTEMS)


def test_parts_with_other_columns_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "t" / "a.csv", rows(9, binary))
    (tmp_path / "t" / "b.csv").write_text("item,system,points\nq1,new,1\n")
    for memory in (None, "300MB"):
        with pytest.raises(InputError, match=r"b\.csv: the files are one table, and this one lacks score"):
            nf.read(tmp_path / "t", memory=memory)


def test_a_broken_cell_is_told_with_its_file(tmp_path: Path, little: None) -> None:
    folder = parted(tmp_path / "t", rows(60, binary), "csv")
    with (tmp_path / "t" / "part-1.csv").open("a") as file:
        file.write("q1,other,1.2.3\n")
    with pytest.raises(InputError, match=r"part-1\.csv line \d+, column 'score'"):
        nf.read(folder)
    with pytest.raises(InputError, match=r"'1\.2\.3' is not a number"):
        nf.read(folder, memory="1KB")


def test_keys_are_those_below_what_was_given() -> None:
    path = Path("a=1/runs/system=big%20one/x.csv")
    assert keys_of(path, "a=1/runs/*/x.csv") == {"system": "big one"}
    assert keys_of(Path("d/system=__HIVE_DEFAULT_PARTITION__/x.csv"), "d/*/x.csv") == {"system": ""}


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any amount of memory be asked for, so that small tables are large."""
    monkeypatch.setattr(stored, "_LEAST", 1)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_names_may_hold_braces(suffix: str, tmp_path: Path, little: None) -> None:
    folder = parted(tmp_path / "a{0}b", rows(9, likert), suffix)
    columns = {"item": "{item}"} if suffix == "csv" else {}
    for file in Path(folder).glob("*.csv"):
        file.write_text(file.read_text().replace("item,", "{item},"))
    found: Any = nf.read(folder, memory="1KB", **columns)
    assert isinstance(found, Stored)
    assert set(found.systems) == set(SYSTEMS)


@pytest.mark.parametrize(
    ("scores", "suffix"), [(binary, "csv"), (likert, "parquet"), (hundredths, "parquet"), (measured, "csv")]
)
def test_what_stays_on_disk_is_ranked_alike(
    scores: Callable[..., Any], suffix: str, tmp_path: Path, little: None
) -> None:
    part = rows(150, scores)
    folder = parted(tmp_path / "parts", part, suffix)
    held, on_disk = nf.read(folder), nf.read(folder, memory="32KB")
    assert isinstance(on_disk, Stored)
    assert (set(on_disk.systems), on_disk.rows) == (set(SYSTEMS), len(part))
    for how in ({}, {"method": "paired_t"}, {"baseline": "old"}, {"method": "sign"}, {"family": "pairs"}):
        mine, theirs = nf.rank(on_disk, **how), nf.rank(held, **how)
        assert any(one.code == "rank.on_disk" for one in mine.notes)
        assert mine.systems == theirs.systems
        assert mine.rank_ranges == theirs.rank_ranges
        assert np.allclose(mine.p_values, theirs.p_values, rtol=1e-9, atol=0, equal_nan=True)
        assert np.allclose(mine.scores, theirs.scores, rtol=1e-14)
        assert mine.detectable.difference == pytest.approx(theirs.detectable.difference, rel=1e-9)
        assert [str(one) for one in mine.intervals] == [str(one) for one in theirs.intervals]


def nearly_tied(rng: np.random.Generator, n: int) -> Any:
    return likert(rng, n) + rng.integers(0, 3, (n, 5)) * 4e-16 * np.arange(1, 6)


@pytest.mark.parametrize(
    "how",
    [
        {"method": "sign", "snap": False},
        {"method": "sign", "tie_width": 1.0},
        {"method": "permutation", "monte_carlo": 999},
        {"method": "bootstrap_median", "monte_carlo": 999},
        {"method": "bounded_mean", "low": 0.0, "high": 6.0},
    ],
    ids=str,
)
def test_options_and_tests_without_tallies_read_the_items_of_a_pair(
    how: dict[str, Any], tmp_path: Path, little: None
) -> None:
    folder = parted(tmp_path / "parts", rows(120, nearly_tied), "parquet")
    mine, theirs = (nf.rank(nf.read(folder, memory=memory), **how) for memory in ("24KB", None))
    assert np.allclose(mine.p_values, theirs.p_values, rtol=1e-9, atol=0, equal_nan=True)
    assert any(one.code == "rank.on_disk" for one in mine.notes)


def test_two_systems_of_what_stays_on_disk(tmp_path: Path, little: None) -> None:
    folder = hive(tmp_path / "h", rows(300, hundredths), "parquet")
    held, on_disk = nf.read(folder), nf.read(folder, memory="100KB")
    assert isinstance(on_disk, Stored)
    pair: Any = {"a": "new", "b": "zero"}
    mine, theirs = nf.compare(on_disk, **pair), nf.compare(held, **pair)
    assert mine.test.p_value == theirs.test.p_value
    assert nf.test(on_disk.pair("new", "zero")).p_value == theirs.test.p_value
    with pytest.raises(InputError, match="rows in memory"):
        nf.compare(nf.read(folder, memory="1KB"), **pair)


def test_processes_put_parts_in_order_and_tally_them(tmp_path: Path, little: None) -> None:
    on_disk = nf.read(parted(tmp_path / "p", rows(300, hundredths), "parquet"), memory="64KB")
    alone, shared = nf.rank(on_disk), nf.rank(on_disk, executor=2)
    assert np.array_equal(alone.p_values, shared.p_values, equal_nan=True)
    assert alone.scores == pytest.approx(shared.scores, rel=1e-15)


def test_gaps_and_doubles_on_disk(tmp_path: Path, little: None) -> None:
    part = rows(200, likert)
    write(tmp_path / "gaps.csv", part[:-3])
    on_disk = nf.read(tmp_path / "gaps.csv", memory="64KB")
    with pytest.raises(InputError, match=r"of 200 items .* have? no score for|has no score for"):
        nf.rank(on_disk)
    mine, theirs = nf.rank(on_disk, missing="drop"), nf.rank(nf.read(tmp_path / "gaps.csv"), missing="drop")
    assert mine.n == theirs.n < 200
    assert np.allclose(mine.p_values, theirs.p_values, rtol=1e-9, equal_nan=True)
    write(tmp_path / "twice.csv", [*part, part[5]])
    with pytest.raises(InputError, match="has more than one score for system"):
        nf.rank(nf.read(tmp_path / "twice.csv", memory="64KB"))


def test_what_needs_all_scores_in_memory_is_refused(tmp_path: Path, little: None) -> None:
    write(tmp_path / "t.csv", rows(200, binary))
    on_disk = nf.read(tmp_path / "t.csv", memory="20KB")
    for told in ({"adjust": "max_t"}, {"unit": 5}, {"missing": "pairwise"}, {"method": "welch_t"}):
        with pytest.raises(NoflukeError, match="on disk"):
            nf.rank(on_disk, **told)
    (tmp_path / "wide.csv").write_text("item,A,B\n" + "".join(f"q{i},{i % 2},1\n" for i in range(99)))
    with pytest.raises(InputError, match="only long tables"):
        nf.read(tmp_path / "wide.csv", memory="1KB")


@pytest.mark.parametrize("wrong", ["", "lots", "12", "1.2.3GB", "255MB", "-3GB"])
def test_what_is_no_amount_of_memory(wrong: str) -> None:
    with pytest.raises(InputError, match="no amount of memory"):
        nf.read("nothing", memory=wrong)


def test_a_full_disk_is_told_in_one_message() -> None:
    for error in (
        OSError(errno.ENOSPC, "No space left on device"),
        duckdb.IOException("write: No space left on device"),
    ):
        with pytest.raises(InputError, match=r"the disk is full.*\n.*TMPDIR"), told_if_full("/tmp/x"):
            raise error
    with pytest.raises(OSError, match="other"), told_if_full("/tmp/x"):
        raise OSError(errno.EIO, "other")


def test_the_command_line(tmp_path: Path) -> None:
    folder = parted(tmp_path / "parts", rows(50, likert), "csv")
    run = nofluke("rank", folder, "--memory", "2GB", cwd=tmp_path)
    assert run.code == 0, run.err
    assert "50 items, 5 systems" in run.err
    assert nofluke("rank", folder, "--memory", "7", cwd=tmp_path).code == 2


def test_standard_input_and_frames_are_read_as_ever() -> None:
    assert nf.read(io.StringIO("item,A,B\nq1,1,0\n"), memory="2GB").systems == ("A", "B")
