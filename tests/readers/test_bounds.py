"""Small files that hold far more than they seem to are refused soon and in little memory, on every way in."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.decode import without_frame
from nofluke.types.bounds import Bounds, blocks, read_all, refuse_columns

PIECE = 2**24
PIECES = 64  # 1 GB in all
READERS: dict[str, Callable[[Path], object]] = {
    "scores": nf.read,
    "ratings": nf.read_ratings,
    "p-values": nf.read_p_values,
    "outputs": lambda path: nf.score("accuracy", {"A": path}, ["a"], cache=False),
    "gold": lambda path: nf.score("accuracy", {"A": ["a"]}, path, cache=False),
    "result": nf.load,
}


def bomb(path: Path, line: bytes) -> Path:
    """Write about a megabyte that unpacks to a thousand times as much."""
    path.write_bytes(gzip.compress(line * (PIECE // len(line)), 9) * PIECES)
    return path


# Reads what its arguments name by every way in, in two gigabytes of address space, and says how that ended.
UNDER_A_LIMIT = """
import json, resource, sys
sys.path.insert(0, sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30, 2 * 2**30))
from pathlib import Path
from nofluke.errors import InputError
from nofluke.readers.decode import without_frame
from readers.test_bounds import READERS
said = {}
for name, read in READERS.items():
    for path in sys.argv[2:]:
        try:
            read(Path(path))
        except InputError as error:
            said[f"{name}: {Path(path).name}"] = error.message
print(json.dumps(said))
"""


def test_bombs_are_refused_in_little_memory_on_every_way_in(tmp_path: Path) -> None:
    lines = {"line": b"0", "csv": b"0,1\n", "json": b'{"a": 1, "b": 2}\n', "blank": b"\n", "spaces": b" "}
    paths = [bomb(tmp_path / f"{name}.gz", line) for name, line in lines.items()]
    assert all(path.stat().st_size < 5_000_000 for path in paths)
    tests = str(Path(__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-c", UNDER_A_LIMIT, tests, *map(str, paths)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    said = json.loads(run.stdout)
    assert len(said) == len(READERS) * len(paths)
    for place, message in said.items():
        assert "unpacks to more than 250 times its size" in message, place


def test_a_long_plain_line_is_refused_before_it_is_all_read() -> None:
    class Endless:
        taken = 0

        def read(self, size: int = -1, /) -> bytes:
            self.taken += size
            return b"x" * size

    endless = Endless()
    with pytest.raises(InputError, match="a line is longer than 64 MB") as caught:
        read_all(endless, "endless.csv")
    assert caught.value.where == "endless.csv"
    assert "one item per line" in caught.value.advice()
    assert endless.taken < 2**27


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("length", [1, 9, 10, 11, 12, 25])
def test_the_longest_line_is_found_wherever_blocks_end(end: bytes, length: int) -> None:
    """Against splitting the whole: lines of every length around the bound, at every place."""
    bounds = Bounds(line=10)
    for before in range(12):
        data = b"y" * before + end + b"x" * length + end + b"z"
        longest = max(map(len, data.split(end)))
        # What a line end adds does not make a line too long by more than itself.
        if longest > bounds.line + len(end):
            with pytest.raises(InputError, match="a line is longer"):
                read_all(io.BytesIO(data), "x", bounds)
        elif longest <= bounds.line - len(end):
            assert read_all(io.BytesIO(data), "x", bounds) == data


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_is_within_the_bounds_comes_through_unchanged(pack: Callable[[bytes], bytes]) -> None:
    data = b"".join(b"%d,%d\n" % (i, i * i) for i in range(300_000))
    assert b"".join(blocks(io.BytesIO(pack(data)), "x")) == data
    with pytest.raises(InputError, match="more than 1 MB"):
        read_all(io.BytesIO(pack(data)), "x", Bounds(total=2**20))


def test_one_byte_and_none_are_streams_too() -> None:
    assert [read_all(io.BytesIO(data), "x") for data in (b"", b"a", b"\x1f")] == [b"", b"a", b"\x1f"]


def test_a_constant_file_that_is_small_may_unpack_as_far_as_it_will() -> None:
    data = b"1\n" * 2_000_000
    packed = gzip.compress(data)
    assert len(data) > 250 * len(packed)
    assert read_all(io.BytesIO(packed), "x") == data


WIDE = 100_000
NAMES = [f"system {i}" for i in range(WIDE)]


def wide_files(folder: Path) -> list[Path]:
    row = ["1"] * WIDE
    texts = {
        "wide.csv": ",".join(NAMES) + "\n" + (",".join(row) + "\n") * 20,
        "quoted.csv": ",".join(f'"{name}"' for name in NAMES) + "\n" + (",".join(row) + "\n") * 20,
        "bare.txt": (" ".join(row) + "\n") * 20,
        "wide.tsv": ("\t".join(row) + "\n") * 20,
        "wide.jsonl": (json.dumps(dict.fromkeys(NAMES, 1)) + "\n") * 5,
        "many_keys.jsonl": "".join(f'{{"k{i}": 1, "l{i}": 2}}\n' for i in range(WIDE // 2)),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def test_a_table_far_too_wide_is_refused_in_less_than_a_second(tmp_path: Path) -> None:
    for path in wide_files(tmp_path):
        for name in ("scores", "ratings", "p-values"):
            if name == "p-values" and path.name == "many_keys.jsonl":
                continue  # lines of text there, not objects
            start = time.process_time()
            with pytest.raises(
                InputError, match=r"there are [0-9]{2,3},[0-9]{3} columns; at most 10,000 are read"
            ) as caught:
                READERS[name](path)
            assert time.process_time() - start < 1.0, (name, path.name)
            assert str(path) in caught.value.where


def test_a_wide_frame_table_of_statistics_and_labels_are_refused(tmp_path: Path) -> None:
    frame = pd.DataFrame([[1.0] * 20_000] * 2, columns=NAMES[:20_000])
    table = tmp_path / "wide.csv"
    table.write_text(",".join(NAMES[:20_000]) + "\n" + ",".join("1" * 20_000) + "\n")
    for act in (
        lambda: nf.read(frame),
        lambda: nf.read_ratings(frame),
        lambda: nf.score("accuracy", {"A": table}, ["a"], cache=False),
    ):
        with pytest.raises(InputError, match="20,000 columns"):
            act()


def test_the_widest_table_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(NAMES[:10_000]) + "\n" + (",".join("1" * 10_000) + "\n") * 60)
    assert path.stat().st_size > 2**20  # large enough for DuckDB, for which it is too wide
    start = time.process_time()
    assert nf.read(path).systems == tuple(NAMES[:10_000])
    assert time.process_time() - start < 5
    refuse_columns(10_000, "x")


def test_a_parquet_file_is_refused_by_what_it_declares(tmp_path: Path) -> None:
    rows, wide = tmp_path / "rows.parquet", tmp_path / "wide.parquet"
    duckdb.execute(f"COPY (SELECT 1 AS A, 0 AS B FROM range(201000000)) TO '{rows}' (FORMAT parquet)")
    columns = ", ".join(f"1 AS c{i}" for i in range(10_001))
    duckdb.execute(f"COPY (SELECT {columns}) TO '{wide}' (FORMAT parquet)")
    assert rows.stat().st_size < 5_000_000
    for path, said in ((rows, "201,000,000 rows; at most 200,000,000"), (wide, "10,001 columns")):
        for name in ("scores", "ratings"):
            with pytest.raises(InputError, match=said):
                READERS[name](path)


@pytest.mark.parametrize("text", ["|" * 200_000, "|" * 100_000 + "\n" + "|" * 100_000, "a|b\n" + "|-" * 100_000 + "x"])
def test_a_long_line_of_pipes_is_looked_at_in_no_time(text: str) -> None:
    start = time.process_time()
    assert without_frame(text) == text
    assert time.process_time() - start < 1.0
