"""The fast reader gives what the careful reader gives, or leaves the file to it."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nofluke.errors import InputError
from nofluke.readers import bulk
from nofluke.readers.given import Given
from nofluke.readers.table import Unclean
from nofluke.verbs.read import read

LABELS = st.text(alphabet="aA0é.#-_ \t漢'%\u00a0\u2028", min_size=0, max_size=5)
NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(min_value=-100, max_value=100, places=3).map(str),
    st.sampled_from(["", "true", "FALSE", " 1 ", "1.", ".5", "+2", "1e-400", "0.1000000000000000055511151231257827"]),
)
ODD = st.sampled_from(["nan", "inf", "1e999", "0,5", "x", "1_0", "١", '"1"', "1\r", "--1"])
SETTINGS = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@st.composite
def files(draw):
    delimiter = draw(st.sampled_from([",", ";", "|", "\t"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    number = st.one_of(NUMBERS, ODD) if draw(st.integers(0, 3)) == 0 else NUMBERS
    label = LABELS.map(lambda text: text.replace("\t", ""))
    header, kinds = draw(
        st.sampled_from(
            [
                (["item", "A", "B"], [label, number, number]),
                (["item", "system", "score"], [label, st.sampled_from(["A", "B"]), number]),
                (["name", "note", "A", "B"], [label, label, number, number]),
                ([], [number, number]),
            ]
        )
    )
    rows = draw(st.lists(st.tuples(*kinds), min_size=1, max_size=12))
    lines = [header] * bool(header) + [list(row) for row in rows]
    if draw(st.integers(0, 9)) == 0:
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from([[""], ["x"], ["1"] * 5])))
    bom = draw(st.sampled_from(["", "\ufeff"]))
    last = draw(st.sampled_from(["", end, end + end]))
    return bom + end.join(delimiter.join(line) for line in lines) + last


def outcome(path):
    """What a reading gives, as comparable values; an error is a value too."""
    try:
        scores = read(path)
    except InputError as error:
        return str(error)
    axes = (scores.item, scores.system, scores.dataset, scores.metric)
    return (
        scores.statistics.view(np.int64).tolist(),
        [(axis.labels, axis.codes.tolist()) for axis in axes],
        scores.lines.tolist(),
        scores.sources,
        scores.notes,
        scores.digits,
        scores.ids_given,
    )


@SETTINGS
@given(text=files(), packed=st.booleans())
def test_both_readers_agree(tmp_path, text, packed):
    path = tmp_path / "scores.csv"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    careful = outcome(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "SMALLEST_BYTES", 0)
        fast = outcome(path)
    assert fast == careful


@pytest.mark.parametrize("packed", [False, True])
def test_the_fast_reader_takes_a_plain_file(tmp_path, packed):
    text = "item,system,score\r\n" + "".join(f"q{i},{s},{i / 7:.4f}\r\n" for i in range(300) for s in "AB")
    path = tmp_path / "x's.csv"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    table = bulk.read_bulk(Given(str(path), path=path))
    assert table.rows == 600
    assert table.columns["system"].labels().labels == ("A", "B")
    assert table.columns["score"].numbers()[3] == 0.1429


UNCLEAN = {
    "quotes": 'item,A,B\n"q1",1,2\n',
    "lone carriage return": "item,A,B\nq\r1,1,2\n",
    "ragged": "item,A,B\nq1,1\n",
    "blank line": "item,A,B\n\nq1,1,2\n",
    "NUL": "item,A,B\nq\0,1,2\n",
    "spaces": "1 2\n3 4\n",
    "long line": "item,A,B\n" + "x" * 300_000 + ",1,2\n",
}


@pytest.mark.parametrize("text", UNCLEAN.values(), ids=UNCLEAN.keys())
def test_the_fast_reader_leaves_what_needs_care(tmp_path, text):
    path = tmp_path / "scores.csv"
    path.write_text(text, newline="")
    with pytest.raises(Unclean):
        bulk.read_bulk(Given(str(path), path=path))


def test_bytes_that_are_not_utf8_are_left_to_the_careful_reader(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(b"item,A,B\nq\xe9,1,2\n" * 1)
    with pytest.raises(Unclean):
        bulk.read_bulk(Given(str(path), path=path))


def test_a_mistake_in_a_large_file_has_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"q{i},{s},0.5" for i in range(40_000) for s in ("model-one", "model-two")]
    rows[55_555] = "q27777,model-two,oops"
    (tmp_path / "big.csv").write_text("\n".join(["item,system,score", *rows]))
    with pytest.raises(InputError) as caught:
        read("big.csv")
    assert caught.value.where == "big.csv line 55557, column 'score'"
    assert caught.value.message == "'oops' is not a number."


def test_nothing_is_written_next_to_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bulk, "SMALLEST_BYTES", 0)
    (tmp_path / "a.csv").write_text("item,A,B\nq1,1,2\n")
    read("a.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
