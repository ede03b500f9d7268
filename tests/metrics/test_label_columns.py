"""Which column of a file is a system's output, and which is gold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.types import Scores

WIDE = "item,gold,cnn,lstm\n1,pos,pos,neg\n2,neg,neg,neg\n3,neg,pos,pos\n"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def scores_of(scores: Scores) -> dict[str, float]:
    sample = scores.pair()
    return {name: sample.score(index) for index, name in enumerate(sample.systems)}


def test_a_column_called_like_the_system_is_its_output(tmp_path: Path) -> None:
    wide = written(tmp_path, "predictions.csv", WIDE)
    scores = nf.score("accuracy", {"cnn": wide, "LSTM": wide}, wide)
    assert scores_of(scores) == {"cnn": 2 / 3, "LSTM": 1 / 3}
    assert list(map(str, scores.notes)) == [
        f"The output of cnn is the column 'cnn' of {wide}.",
        f"The output of LSTM is the column 'lstm' of {wide}.",
        f"Gold is the column 'gold' of {wide}.",
    ]


def test_gold_is_never_taken_for_an_output(tmp_path: Path) -> None:
    wide = written(tmp_path, "predictions.csv", WIDE)
    with pytest.raises(InputError, match=r"which column holds the predictions.*item, gold, cnn, lstm") as told:
        nf.score("accuracy", {"A": wide}, wide)
    assert "call the system like its column (NAME=FILE)" in told.value.advice("shell")
    # An option says it for all systems, whatever they are called.
    assert scores_of(nf.score("accuracy", {"cnn": wide, "b": wide}, wide, column="lstm")) == {"cnn": 1 / 3, "b": 1 / 3}


@pytest.mark.parametrize(
    ("header", "output", "gold"),
    [
        ("id,prediction,label", "prediction", "label"),
        ("id,pred,gold", "pred", "gold"),
        ("id,label,gold", "label", "gold"),
        ("text,label,target", "label", "target"),
        ("word1,word2,human,prediction", "prediction", "human"),
        ("id,whatever", "whatever", "whatever"),
        ("id,gold", "gold", "gold"),
        ("id,text,gold", None, "gold"),
        ("id,text,prediction", "prediction", None),
        ("id,pred,predicted", None, None),
    ],
)
def test_the_usual_names(tmp_path: Path, header: str, output: str | None, gold: str | None) -> None:
    """Every column has a label of its own, so that the taken one is known by what it agrees with."""
    names = header.split(",")
    rows = "".join(f"{number},{','.join(f'{name}-{number}' for name in names[1:])}\n" for number in (1, 2))
    if not header.startswith("id"):
        rows = "".join(f"{','.join(f'{name}-{number}' for name in names)}\n" for number in (1, 2))
    table = written(tmp_path, "table.csv", f"{header}\n{rows}")

    def agrees_with(wanted: str, role: str) -> bool:
        labels = [f"{wanted}-{number}" for number in (1, 2)]
        given = ({"A": table}, labels) if role == "output" else ({"A": labels}, table)
        return nf.score("accuracy", *given).statistics.mean() == 1

    for role, wanted in (("output", output), ("gold", gold)):
        if wanted is None:
            with pytest.raises(InputError, match="which column holds"):
                agrees_with("", role)
        else:
            assert agrees_with(wanted, role)


def test_labels_are_no_header(tmp_path: Path) -> None:
    """A system that is called like the label of the first row has no column of its own."""
    path = written(tmp_path, "out.csv", "pos\nneg\npos\n")
    assert len(nf.score("accuracy", {"pos": path}, ["pos", "neg", "pos"]).statistics) == 3
    headed = written(tmp_path, "one.csv", "out\nneg\npos\n")
    assert len(nf.score("accuracy", {"out": headed}, ["neg", "pos"]).statistics) == 2


def test_numbers_of_a_wide_file(tmp_path: Path) -> None:
    wide = written(tmp_path, "pairs.csv", "word1,word2,human,glove,wordnet\na,b,1,1,3\nc,d,2,2,2\ne,f,3,3,\n")
    scores = nf.score("spearman", {"glove": wide, "wordnet": wide}, wide)
    assert np.array_equal(scores.statistics[0::2], [[1, 1], [2, 2], [3, 3]])
    assert np.isnan(scores.statistics[5]).all()


def test_items_without_an_output_can_be_left_out(tmp_path: Path) -> None:
    gold = written(tmp_path, "gold.csv", "item,gold\n" + "".join(f"{number},x\n" for number in range(9)))
    full = written(tmp_path, "a.csv", "item,a\n" + "".join(f"{number},{'xy'[number % 2]}\n" for number in range(9)))
    short = written(tmp_path, "b.csv", "item,b\n" + "".join(f"{number},x\n" for number in range(8)))
    for metric, options in (("accuracy", {}), ("f1", {}), ("f1", {"positive": "x"}), ("mcc", {})):
        scores = nf.score(metric, {"a": full, "b": short}, gold, **options)
        with pytest.raises(InputError, match=r"of 9 items 1 has no score for 'b' \(for example 8\)"):
            scores.pair()
        assert scores.pair(missing="drop").n == 8
        assert not any("never has" in note for note in map(str, scores.notes) if note.startswith("b"))


def test_several_gold_files_for_a_metric_of_one(tmp_path: Path) -> None:
    files = [written(tmp_path, f"g{number}.txt", "1\n2\n") for number in (1, 2)]
    for metric in ("accuracy", "spearman", "aer", "bracket_f1", "span_f1", "wer"):
        output = ["0-0", "0-0"] if metric == "aer" else ["1", "2"]
        with pytest.raises(InputError, match="this metric takes one gold file, and 2 were given"):
            nf.score(metric, {"A": output}, files)


def test_one_label_in_two_spellings_is_one_label(tmp_path: Path) -> None:
    """What pandas writes for booleans and for whole numbers with a gap differs from format to format."""
    (tmp_path / "gold.csv").write_text("id,gold\n1,True\n2,False\n3,True\n4,False\n")
    (tmp_path / "a.jsonl").write_text("".join(f'{{"id": {i}, "a": {v}}}\n' for i, v in enumerate(["true"] * 4, 1)))
    assert nf.score("accuracy", {"a": tmp_path / "a.jsonl"}, tmp_path / "gold.csv").statistics.sum() == 2
    wide = tmp_path / "wide.csv"
    wide.write_text("id,gold,a,b\n1,1.0,1,0\n2,0.0,0,0\n3,1.0,1,1\n4,0.0,1,0\n")
    scores = nf.score("accuracy", wide)
    assert [scores.pair("a", "b").score(place) for place in (0, 1)] == [0.75, 0.75]


def test_a_column_that_is_not_taken_is_named(tmp_path: Path) -> None:
    table = tmp_path / "three.csv"
    table.write_text("id,gold,a,b,c\n" + "".join(f"{i},pos,pos,neg,POS\n{i + 9},neg,neg,neg,NEG\n" for i in range(9)))
    scores = nf.score("accuracy", table)
    assert scores.systems == ("a", "b")
    assert any("'c' is not taken as a system" in str(note) for source in scores.sources for note in source.notes)
    assert nf.score("accuracy", table, columns={"output": "a,b,c"}).systems == ("a", "b", "c")
