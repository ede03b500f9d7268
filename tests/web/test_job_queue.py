"""What a reader waits for goes before simulations and finds a worker free; simulations are not put off for ever."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nofluke.web.job_queue import JobQueue, is_long
from nofluke.web.jobs import Jobs
from nofluke.web.requests import BY_ACTION, plain
from nofluke.web.store import Job
from web.conftest import at_work
from web.test_jobs import request, slow, state, until_running


def filled(most_long: int, *names: str) -> JobQueue:
    line = JobQueue(most_long)
    for name in names:
        line.add(name, long=name.startswith("curve"))
    return line


def test_quick_jobs_pass_long_ones_and_each_kind_keeps_its_order() -> None:
    line = filled(2, "curve 1", "a", "curve 2", "b", "c", "d")
    assert [line.get_nowait() for _ in range(6)] == ["a", "b", "c", "curve 1", "d", "curve 2"]
    assert line.empty()


def test_a_long_job_alone_is_taken_at_once() -> None:
    line = filled(1, "curve")
    line.put(None)
    assert {line.get_nowait(), line.get_nowait()} == {"curve", None}


def test_only_so_many_long_jobs_are_out_of_the_queue() -> None:
    line = filled(1, "curve 1", "curve 2")
    assert line.get_nowait() == "curve 1"
    with pytest.raises(queue.Empty):
        line.get_nowait()
    line.add("quick")
    assert line.get_nowait() == "quick"
    line.over("quick")
    with pytest.raises(queue.Empty):
        line.get_nowait()
    line.over("curve 1")
    assert line.get_nowait() == "curve 2"


def test_what_turns_out_to_be_long_counts_as_long_until_it_is_over() -> None:
    line = filled(1, "a", "b")
    assert [line.get_nowait(), line.get_nowait()] == ["a", "b"]
    assert not line.takes_long("a")
    assert line.takes_long("b")
    assert line.takes_long("b")  # asking again changes nothing
    line.put("b")
    line.over("b")
    with pytest.raises(queue.Empty):
        line.get_nowait()
    line.over("a")
    assert line.get_nowait() == "b"


@pytest.mark.parametrize(
    ("action", "told", "size", "long"),
    [
        ("compare", {}, 25_000_000, False),
        ("compare", {"options": {"monte_carlo": 99_999}}, 0, False),
        ("compare", {"options": {"monte_carlo": 10_000_000}}, 0, True),
        ("bayes", {"draws": 5_000_000, "options": None}, 0, True),
        ("rank", {"options": {}}, 200_000_000, True),
        ("power_curve", {}, 0, True),
    ],
)
def test_what_is_long_by_any_method_is_known_beforehand(
    action: str, told: dict[str, Any], size: int, long: bool
) -> None:
    assert is_long(action, told, size) is long


# with workers ----------------------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Jobs]:
    yield from at_work(tmp_path, 2)


def simulation(jobs: Jobs, seed: int) -> Job:
    long = {"iterations": 20_000, "sizes": 60, "up_to": 1_000_000, "difference": 0.01}
    asked = {"data": {"example": "questions"}, "method": "permutation", "seed": seed, **long}
    return jobs.submit("power_curve", plain(BY_ACTION["power_curve"].model_validate(asked)))


def test_simulations_on_every_worker_leave_one_for_a_comparison(two: Jobs) -> None:
    long = [simulation(two, seed) for seed in range(3)]
    until_running(two, long[0].id)
    for _ in range(2):
        assert state(two.wait(two.submit("compare", request()).id, 60)) == "done"
    assert [state(two.store.job(job.id)) for job in long] == ["running", "queued", "queued"]
    two.cancel(long[0].id)
    until_running(two, long[1].id)


def test_known_long_comparisons_never_hold_every_worker(two: Jobs) -> None:
    first, second = (two.submit("compare", {**slow(), "seed": seed}) for seed in (1, 2))
    until_running(two, first.id)
    assert state(two.wait(two.submit("compare", request()).id, 60)) == "done"
    waiting = two.store.job(second.id)
    assert waiting is not None
    assert (waiting.state, waiting.attempt) == ("queued", 0)
    two.cancel(first.id)
    until_running(two, second.id)


def test_long_comparisons_on_every_worker_make_way_for_a_short_one(two: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knew that these take long, but it shows: the one begun last is begun anew when there is room."""
    monkeypatch.setattr("nofluke.web.jobs.is_long", lambda *_asked: False)
    monkeypatch.setattr("nofluke.web.jobs._QUICK", 90.0)  # longer than anybody here waits
    first, second = (two.submit("compare", {**slow(), "seed": seed}) for seed in (1, 2))
    for job in (first, second):
        until_running(two, job.id)
    assert state(two.wait(two.submit("compare", request()).id, 60)) == "done"
    states = {state(two.store.job(job.id)): job for job in (first, second)}
    assert set(states) == {"running", "queued"}
    again = two.wait(states["queued"].id, 0.5)
    assert again is not None
    assert (again.state, again.attempt) == ("queued", 1)
    two.cancel(states["running"].id)
    until_running(two, states["queued"].id)
    assert two.wait(states["queued"].id, 0.5) is not None
    found = two.store.job(states["queued"].id)
    assert found is not None
    assert found.attempt == 2


def test_a_single_worker_stays_at_its_job(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nofluke.web.jobs._QUICK", 0.2)
    long = jobs.submit("compare", slow())
    until_running(jobs, long.id)
    waiting = jobs.submit("compare", request())
    assert state(jobs.wait(waiting.id, 3)) == "queued"
    assert state(jobs.store.job(long.id)) == "running"
