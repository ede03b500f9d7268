"""Records of large logs are kept by path, size and time, and are the same from the cache and from several processes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.readers.logs import cache, gather
from nofluke.types import Scores
from readers.test_kept import many_kinds, same
from support.logs import inspect, lm_eval, sample


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Logs that count as large, with a cache of their own."""
    monkeypatch.setenv("NOFLUKE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(gather, "_LARGE", 0)
    return many_kinds(tmp_path / "logs")


def notes(scores: Scores) -> list[str]:
    return [str(note) for source in scores.sources for note in source.notes]


def test_what_is_kept_is_what_was_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [sample(at, "CI"[at % 2], epoch, metadata={"page": "p"}) for at in range(3) for epoch in (1, 2)]
    inspect(folder / "x.json", samples, model="a", status="error")
    (folder / "notes.txt").write_text("no log")
    first = nf.read(folder)
    (kept,) = Path(os.environ["NOFLUKE_CACHE"]).glob("logs-*.npz")
    assert b"a b c d" not in kept.read_bytes()
    monkeypatch.setattr(gather, "_read", None)  # would fail
    again = nf.read(folder)
    same(first, again)
    assert notes(first) == notes(again)
    for left, right in ((first.statistics, again.statistics), (first.checks, again.checks)):
        np.testing.assert_array_equal(left, right)


def test_a_changed_file_is_read_again(folder: Path) -> None:
    before = nf.read(folder)
    for other in (folder / "a").glob("samples_lm_*"):
        other.unlink()  # the new results file does not say how it is summed up
    lm_eval(folder / "a", {"arc": [{"acc": 0.0}, {"acc": 0.0}, {"acc": 0.0}]}, model="a")
    after = nf.read(folder)
    assert before.statistics[0, 0] == 1.0
    assert after.statistics[0, 0] == 0.0
    assert nf.read(folder, cache=False).statistics[0, 0] == 0.0


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 damaged"])
def test_a_damaged_cache_is_passed_over(damage: bytes, folder: Path) -> None:
    first = nf.read(folder)
    (kept,) = Path(os.environ["NOFLUKE_CACHE"]).glob("logs-*.npz")
    kept.write_bytes(damage or kept.read_bytes()[:-500])
    same(first, nf.read(folder))


def test_no_cache_where_none_is_wanted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOFLUKE_CACHE", "off")
    nf.read(folder)
    assert cache.key_of([], "auto", "") is None
    assert not (folder.parent / "cache").exists()


def test_processes_read_the_same_and_tell_of_progress(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    several = nf.read(folder, workers=2, cache=False, progress=lambda done, total: told.append((done, total)))
    same(nf.read(folder, cache=False), several)
    assert told[-1] == (12, 12)


def test_an_error_of_a_process_names_file_and_line(folder: Path) -> None:
    file = next((folder / "a").glob("samples_arc*"))
    file.write_text(file.read_text() + '{"doc_id": 7, "do')
    with pytest.raises(nf.InputError, match="ends too early") as caught:
        nf.read(folder, workers=2)
    assert caught.value.where == f"{file} line 4"
