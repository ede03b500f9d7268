"""Whatever the bytes, reading gives scores or one clear error, never a traceback."""

from __future__ import annotations

import gzip
import io

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nofluke.errors import InputError
from nofluke.readers import bulk
from nofluke.types import Scores
from nofluke.verbs.read import read

VALID = [
    b"item,A,B\nq1,0.5,0.4\nq2,0.7,0.9\nq3,1,0\n",
    b"item\tsystem\tscore\tseed\nq1\tA\t0.5\t1\nq1\tB\t0.4\t1\nq2\tA\t1\t1\n",
    b"0.5 0.4\n0.7 0.9\n1 2\n",
    b'{"item": 1, "A": 0.5, "B": true}\n{"item": 2, "A": null, "B": 1e3}\n',
    b'item;"A";B\n"q;1";1;2\n"q""2";3;4\n',
]
SETTINGS = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def check(source):
    try:
        scores = read(source)
    except InputError as error:
        problem = error
        scores = None
    if scores is None:
        assert problem.message
        assert len(str(problem)) < 2_000
        return
    assert isinstance(scores, Scores)
    assert not np.isinf(scores.statistics).any()
    assert len(scores.statistics) == len(scores.item.codes) == len(scores.system.codes) > 0


@st.composite
def mutated(draw):
    data = bytearray(draw(st.sampled_from(VALID)))
    for _ in range(draw(st.integers(1, 4))):
        position = draw(st.integers(0, len(data)))
        piece = draw(st.one_of(st.binary(max_size=3), st.sampled_from([b",", b"\n", b'"', b"\r", b"nan", b"{", b"\t"])))
        data[position : position + draw(st.integers(0, 3))] = piece
    return bytes(data)


@SETTINGS
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=100).map(str.encode), mutated()), packed=st.booleans())
@example(data=b"", packed=True)
@example(data=b"PAR1", packed=False)
def test_any_bytes(data, packed):
    check(io.BytesIO(gzip.compress(data) if packed else data))


@settings(parent=SETTINGS, max_examples=100)
@given(data=mutated())
def test_any_bytes_through_the_fast_reader(tmp_path, data):
    path = tmp_path / "scores.csv"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "SMALLEST_BYTES", 0)
        check(path)


@SETTINGS
@given(cut=st.integers(0, 400), flip=st.integers(0, 400), mask=st.integers(1, 255))
def test_damaged_gzip(cut, flip, mask):
    data = bytearray(gzip.compress(VALID[0] * 20, mtime=0))
    data[flip % len(data)] ^= mask
    check(io.BytesIO(bytes(data[: len(data) - cut % len(data)])))


@settings(parent=SETTINGS, max_examples=100)
@given(flip=st.integers(0, 10_000), mask=st.integers(1, 255), cut=st.integers(0, 3))
def test_damaged_parquet(tmp_path, flip, mask, cut):
    path = tmp_path / "scores.parquet"
    data = bytearray(_parquet(tmp_path))
    data[flip % len(data)] ^= mask
    path.write_bytes(bytes(data[: len(data) - cut * 10]))
    check(path)


def _parquet(folder):
    path = folder / "whole.parquet"
    if not path.exists():
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"item": ["q1", "q2", "q3"], "A": [0.5, None, 1.0], "B": [1, 2, 3]}), path)
    return path.read_bytes()
