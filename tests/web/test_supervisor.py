"""Whatever cannot be written or started, no job is left waiting or running for ever."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nofluke.web import supervisor
from nofluke.web.jobs import Jobs
from nofluke.web.store import Store
from web.test_jobs import request, state


def test_an_answer_that_cannot_be_kept_fails_its_job_only(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(jobs.store, "finish", lambda *_: "\ud800".encode())
        broken = jobs.wait(jobs.submit("compare", request()).id, 60)
    after = jobs.wait(jobs.submit("compare", request()).id, 60)
    assert (state(broken), state(after)) == ("failed", "done")


def full(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def failing(act: Callable[..., object], times: int) -> Callable[..., object]:
    """The disk is full so many times, and then there is room again."""
    left = iter(range(times))
    return lambda *given: act(*given) if next(left, None) is None else full()


def test_a_result_that_finds_no_room_is_said_and_can_be_retried(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(jobs.store, "finish", full)
        broken = jobs.wait(jobs.submit("compare", request()).id, 60)
    assert broken is not None
    assert "disk is full" in broken.error["message"]
    assert jobs.retry(broken.id)
    assert state(jobs.wait(broken.id, 60)) == "done"


@pytest.mark.parametrize("times", [1, 2])
def test_a_job_that_cannot_be_begun_is_begun_later(jobs: Jobs, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    monkeypatch.setattr(jobs.store, "begin", failing(jobs.store.begin, times))
    assert state(jobs.wait(jobs.submit("compare", request()).id, 60)) == "done"


def test_a_job_that_does_not_reach_its_worker_is_interrupted(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs.store, "items_of", failing(jobs.store.items_of, 1))
    job = jobs.submit("compare", request())
    assert state(jobs.wait(job.id, 60)) == "interrupted"
    assert jobs.retry(job.id)
    assert state(jobs.wait(job.id, 60)) == "done"


def test_an_end_that_cannot_be_written_is_written_later(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs.store, "finish", full)
    monkeypatch.setattr(jobs.store, "stop", failing(jobs.store.stop, 2))
    assert state(jobs.wait(jobs.submit("compare", request()).id, 60)) == "failed"
    monkeypatch.undo()
    assert state(jobs.wait(jobs.submit("compare", request()).id, 60)) == "done"


def test_progress_that_cannot_be_written_stops_nothing(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(jobs.store, "progress", lambda *given: (told.append(given), full()))
    job = jobs.submit("compare", request(method="permutation", options={"monte_carlo": 3_000_000}))
    assert state(jobs.wait(job.id, 60)) == "done"
    assert told


def test_a_worker_that_cannot_be_started_does_not_busy_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[object] = []

    def refused(*_: object, **__: object) -> object:
        tries.append(_)
        raise OSError("no more processes")

    monkeypatch.setattr(supervisor._SPAWN, "Process", refused)
    store = Store(tmp_path)
    found = Jobs(store, workers=1)
    found.start()
    while not tries:  # the machine may be busy
        time.sleep(0.05)
    time.sleep(1.5)
    assert len(tries) <= 3
    monkeypatch.undo()
    assert state(found.wait(found.submit("compare", request()).id, 60)) == "done"
    found.stop()
    store.close()


def test_a_worker_that_is_being_killed_gets_no_other_job(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    finish, cancelled = jobs.store.finish, []

    def too_late(identifier: str, *rest: Any) -> None:
        if not cancelled:
            cancelled.append(identifier)
            jobs.cancel(identifier)
        finish(identifier, *rest)

    monkeypatch.setattr(jobs.store, "finish", too_late)
    first, second = jobs.submit("compare", request()), jobs.submit("compare", request(alpha=0.1))
    assert state(jobs.wait(second.id, 60)) == "done"
    assert state(jobs.store.job(first.id)) == "cancelled"
    assert jobs.store.result(first.id) is None


def test_a_worker_left_full_by_a_large_file_gives_way(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = jobs._supervisors[0]
    assert state(jobs.wait(jobs.submit("compare", request()).id, 60)) == "done"
    used = watched.process.pid
    monkeypatch.setattr(supervisor, "_REST", 0.05)
    monkeypatch.setattr(supervisor, "resident", lambda process: 2**40 if process == used else 0)
    assert state(jobs.wait(jobs.submit("compare", request()).id, 60)) == "done"
    end = time.monotonic() + 30
    while (watched.process is None or watched.process.pid == used) and time.monotonic() < end:
        time.sleep(0.02)
    assert watched.process.pid != used
    assert state(jobs.wait(jobs.submit("compare", request()).id, 60)) == "done"
