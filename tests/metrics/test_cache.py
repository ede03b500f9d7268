"""Kept statistics: the same content is read back, anything else is computed anew, damage is ignored."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke.metrics.speech
import nofluke.metrics.summarisation
import nofluke.metrics.translation  # noqa: F401 (registers)
from nofluke.errors import InputError
from nofluke.metrics import cache as cache_module
from nofluke.metrics import extract as extract_module
from nofluke.metrics.cache import cached, content_key, load, pack, store, unpack
from nofluke.metrics.extract import extract
from nofluke.metrics.statistics import ItemStatistics, smooth_aggregate
from nofluke.metrics.translation_scores import chrf_score
from nofluke.readers.cache_folder import cache_folder
from nofluke.registry import METRICS

OUTPUT = ["the cat sat on the mat", "a dog", "no"]
GOLD = ["the cat sat on a mat", "the dog", "no"]


class Counting:
    """Computes and counts how often."""

    def __init__(self, name: str, output: Any, gold: Any, **options: Any) -> None:
        self.calls = 0
        self.given = (METRICS[name], output, gold, options)

    def __call__(self, folder: Path | None) -> ItemStatistics:
        method, output, gold, options = self.given

        def compute() -> ItemStatistics:
            self.calls += 1
            found: ItemStatistics = method.function(output, gold, **options)
            return found

        return cached(method, output, gold, options, compute, folder)


def assert_same(one: ItemStatistics, other: ItemStatistics) -> None:
    assert (one.values == other.values).all()
    assert (one.names, one.signature, one.ids, one.notes) == (other.names, other.signature, other.ids, other.notes)
    sums = one.values.sum(axis=0)
    assert float(one.aggregate(sums, 3.0)) == float(other.aggregate(sums, 3.0))
    assert (one.aggregate.name, one.aggregate.linear, one.aggregate.ratio) == (
        other.aggregate.name,
        other.aggregate.linear,
        other.aggregate.ratio,
    )


@pytest.mark.parametrize("name", ["bleu", "chrf_plus_plus", "ter", "rouge_lsum", "wer"])
def test_a_second_time_nothing_is_computed(tmp_path: Path, name: str) -> None:
    work = Counting(name, OUTPUT, GOLD)
    first = work(tmp_path)
    assert_same(first, work(tmp_path))
    assert work.calls == 1
    assert [path.suffix for path in tmp_path.iterdir()] == [".npz"]
    for kept in tmp_path.iterdir():
        kept.unlink()
    work(tmp_path)
    assert work.calls == 2
    work(None)
    assert work.calls == 3


def test_a_change_of_anything_changes_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output, gold, other = tmp_path / "out.txt", tmp_path / "gold.txt", tmp_path / "copy.txt"
    output.write_text("a b\n")
    gold.write_text("a\n")
    other.write_text("a b\n")
    method = METRICS["bleu"]
    key = content_key(method, output, gold, {})
    # The same content under another name, and defaults written out, are the same.
    assert content_key(method, str(other), gold, {"tokenize": "13a"}) == key
    different = [
        content_key(method, output, gold, {"tokenize": "none"}),
        content_key(METRICS["chrf"], output, gold, {}),
        content_key(method, ["a b"], gold, {}),
        content_key(method, ["a", "b"], gold, {}),
        content_key(method, output, [gold, gold], {}),
        content_key(method, gold, output, {}),
    ]
    output.write_text("a c\n")
    different.append(content_key(method, output, gold, {}))
    output.write_text("a b\n")
    for name, value in (("__version__", "99"), ("sacrebleu", "99")):
        with monkeypatch.context() as patched:
            cache_module._versions.cache_clear()
            if name == "sacrebleu":
                patched.setattr(cache_module, "version", lambda _: value)  # noqa: B023
            else:
                patched.setattr("nofluke.__version__", value)
            different.append(content_key(method, output, gold, {}))
    cache_module._versions.cache_clear()
    assert content_key(method, output, gold, {}) == key
    assert len({key, *different}) == len(different) + 1
    assert None not in different


def test_an_option_that_names_a_file_stands_for_its_content(tmp_path: Path) -> None:
    path = tmp_path / "rules.prm"
    path.write_text("1")
    method = METRICS["rouge_lsum"]
    key = content_key(method, OUTPUT, GOLD, {"separator": str(path)})
    path.write_text("2")
    assert content_key(method, OUTPUT, GOLD, {"separator": str(path)}) != key


def test_unknown_content_is_not_kept(tmp_path: Path) -> None:
    assert content_key(METRICS["wer"], OUTPUT, {"gold": 1}, {}) is None
    assert content_key(METRICS["wer"], tmp_path / "missing.txt", GOLD, {}) is None
    work = Counting("wer", iter(OUTPUT), tuple(GOLD))
    work(tmp_path)
    assert work.calls == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_changes_while_it_is_read_is_not_kept(tmp_path: Path) -> None:
    path, folder = tmp_path / "out.txt", tmp_path / "cache"
    path.write_text("a\n")
    method = METRICS["wer"]

    def compute() -> ItemStatistics:
        found: ItemStatistics = method.function(path, ["a"])
        path.write_text("b\n")
        return found

    cached(method, path, ["a"], {}, compute, folder)
    assert not folder.exists()


@pytest.mark.parametrize("damage", ["empty", "cut", "text", "other key", "wrong shape", "flipped", "foreign function"])
def test_damaged_files_are_ignored_and_written_again(tmp_path: Path, damage: str) -> None:
    work = Counting("bleu", OUTPUT, GOLD)
    first = work(tmp_path)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    with np.load(path) as file:
        values, about = file["values"], json.loads(str(file["about"]))
    if damage == "other key":
        about["key"] = "0" * 64
    elif damage == "foreign function":
        about["aggregate"] |= {"place": "os", "function": "getcwd"}
    if damage in ("other key", "foreign function"):
        np.savez_compressed(path, values=values, about=np.array(json.dumps(about)))
    elif damage == "wrong shape":
        np.savez_compressed(path, values=values[:, 1:], about=np.array(json.dumps(about)))
    else:
        middle = len(whole) // 3
        flipped = whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :]
        path.write_bytes({"empty": b"", "cut": whole[:-40], "text": b"hello", "flipped": flipped}[damage])
    assert_same(first, work(tmp_path))
    assert work.calls == 2
    assert load(tmp_path, path.stem) is not None
    work(tmp_path)
    assert work.calls == 2


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    work = Counting("wer", OUTPUT, GOLD)
    work(blocked)
    work(blocked)
    assert work.calls == 2
    assert not store(blocked, "key", work(None))


def test_where_statistics_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOFLUKE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "nofluke"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "nofluke"
    monkeypatch.setenv("NOFLUKE_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    extract("wer", {"A": OUTPUT}, GOLD)
    assert len(list((tmp_path / "own").iterdir())) == 1
    for word in ("off", "OFF", "0"):
        monkeypatch.setenv("NOFLUKE_CACHE", word)
        assert cache_folder() is None


def test_only_functions_of_the_metrics_are_described() -> None:
    def statistics(function: Any) -> ItemStatistics:
        return ItemStatistics(np.zeros((1, 3)), ("a", "b", "c"), smooth_aggregate("x", function), "x")

    assert pack(statistics(lambda sums, _n: sums[..., 0])) is None
    assert pack(statistics(np.sum)) is None
    assert pack(statistics(partial(chrf_score, beta=np.float64(2), eps_smoothing=object()))) is None
    about = pack(statistics(partial(chrf_score, beta=2, eps_smoothing=True)))
    assert about is not None
    with pytest.raises(ValueError, match="do not fit"):
        unpack(np.zeros((1, 2)), about)


def test_extract_reads_computes_and_reports(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    outputs = {"A": OUTPUT, "B": GOLD}
    first = extract("bleu", outputs, GOLD, {"tokenize": "none"}, cache=tmp_path, progress=lambda *at: seen.append(at))
    again = extract("bleu", outputs, GOLD, {"tokenize": "none"}, cache=tmp_path, progress=lambda *at: seen.append(at))
    assert seen == [(0, 2), (1, 2), (2, 2), (2, 2)]
    assert list(first) == list(again) == ["A", "B"]
    for system in outputs:
        assert_same(first[system], again[system])
    assert len(list(tmp_path.iterdir())) == 2


def test_processes_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract_module, "_WORTH_PROCESSES", 0)
    outputs = {"A": OUTPUT, "B": GOLD, "C": GOLD[::-1]}
    alone = extract("bleu", outputs, GOLD, cache=False)
    together = extract("bleu", outputs, GOLD, cache=tmp_path, workers=2)
    assert list(together) == list(outputs)
    for system in outputs:
        assert_same(alone[system], together[system])
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(InputError, match="3 lines, and gold has 1"):
        extract("bleu", outputs, GOLD[:1], cache=False, workers=2)
