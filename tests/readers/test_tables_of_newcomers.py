"""Tables as newcomers have them: which way is better, how much was read, and advice that can be typed as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.words.sources import scores_lines


def said_of(source: object, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        nf.read(source, **options)
    return caught.value.said("shell")


def written(folder: Path, name: str, *lines: str) -> Path:
    file = folder / name
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.parametrize("word", ["wer", "WER", "latency", "time", "cost", "rmse", "loss", "perplexity", "error"])
@pytest.mark.parametrize(
    "form", ["{w}_v{n}_test", "{w}_ms_v{n}", "v{n}_{w}_s", "sys{n}_{w}", "{w}{n}", "v{n} ({w}, usd)"]
)
def test_a_word_in_the_names_of_all_systems_says_which_way_is_better(tmp_path: Path, word: str, form: str) -> None:
    """Wherever it stands, lower is better, and that is said."""
    names = [form.format(w=word, n=number) for number in (1, 2)]
    quoted = [f'"{name}"' for name in names]
    rows = [f"q{n},{20 + n % 3},{12 + n % 5}" for n in range(9)]
    scores = nf.read(written(tmp_path, "t.csv", ",".join(["id", *quoted]), *rows))
    assert scores.systems == tuple(names)
    assert list(scores.higher_is_better.values()) == [False]
    assert [dict(one.facts)["word"] for one in scores.notes if one.code == "read.lower_is_better"] == [word.casefold()]


@pytest.mark.parametrize(
    "names", ["A,wer_b", "error_f1_old_x,error_f1_new_x", "cost_saved_a_x,cost_saved_b_x", "timely,lossless"]
)
def test_a_word_of_some_names_or_beside_a_better_one_turns_nothing(tmp_path: Path, names: str) -> None:
    scores = nf.read(written(tmp_path, "t.csv", f"id,{names}", *(f"q{n},0.{n},0.5" for n in range(9))))
    assert list(scores.higher_is_better.values()) == [True]


@pytest.mark.parametrize("first", [1, 4])
def test_items_of_datasets_that_number_them_alike_are_counted_each(tmp_path: Path, first: int) -> None:
    """Three datasets of ten items are thirty items, whether their numbers repeat or go on."""
    rows = [f"{d},{n if first == 1 else 10 * k + n},0.{n},0.5" for k, d in enumerate("xyz") for n in range(10)]
    scores = nf.read(written(tmp_path, "t.csv", "dataset,item,a,b", *rows))
    assert "30 items, 2 systems, 3 datasets" in scores_lines(scores)[0]
