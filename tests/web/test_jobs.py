"""Nothing finished is lost; what was not finished is said to be interrupted and can be retried."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nofluke.web.jobs import Jobs
from nofluke.web.store import Store

QUICK = {"data": {"example": "questions"}}


def request(**more: object) -> dict[str, object]:
    from nofluke.web.requests import CompareRequest, plain

    return plain(CompareRequest.model_validate({**QUICK, **more}))


def slow() -> dict[str, object]:
    return request(method="permutation", options={"monte_carlo": 50_000_000})


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    store = Store(tmp_path)
    found = Jobs(store, workers=1)
    found.start()
    yield found
    found.stop()
    store.close()


def until_running(jobs: Jobs, identifier: str) -> None:
    for _ in range(600):
        job = jobs.store.job(identifier)
        if job is not None and job.state == "running" and job.total:
            return
        time.sleep(0.05)
    raise AssertionError("the job never showed progress")


def test_a_job_ends_with_its_result(jobs: Jobs) -> None:
    job = jobs.wait(jobs.submit("compare", request()).id, 60)
    assert job is not None
    assert job.state == "done"
    assert job.headline
    assert '"p_value"' in (jobs.store.result(job.id) or "")


def test_progress_is_shown_and_cancel_stops_at_once(jobs: Jobs) -> None:
    job = jobs.submit("compare", slow())
    until_running(jobs, job.id)
    jobs.cancel(job.id)
    ended = jobs.wait(job.id, 5)
    assert ended is not None
    assert ended.state == "cancelled"
    after = jobs.wait(jobs.submit("compare", request()).id, 60)
    assert after is not None
    assert after.state == "done"


def test_a_killed_worker_interrupts_its_job_only(jobs: Jobs) -> None:
    finished = jobs.wait(jobs.submit("compare", request()).id, 60)
    job = jobs.submit("compare", slow())
    until_running(jobs, job.id)
    jobs._lanes[0].process.kill()
    ended = jobs.wait(job.id, 10)
    assert ended is not None
    assert ended.state == "interrupted"
    assert finished is not None
    assert jobs.store.result(finished.id)
    jobs.store.rename(job.id, "again")
    jobs.retry(job.id)
    until_running(jobs, job.id)
    jobs.cancel(job.id)


def test_what_a_dead_server_left_is_interrupted_at_the_next_start(tmp_path: Path) -> None:
    store = Store(tmp_path)
    waiting, running = store.add_job("compare", request()), store.add_job("compare", request())
    done = store.add_job("compare", request())
    store.begin(running.id)
    store.begin(done.id)
    store.finish(done.id, 1, "{}", "fine")
    store.close()
    again = Store(tmp_path)
    assert again.interrupt_unfinished() == 2
    states = {job.id: job.state for job in again.jobs()}
    assert states == {waiting.id: "interrupted", running.id: "interrupted", done.id: "done"}
    again.close()


def test_an_unexpected_error_is_a_failed_job(jobs: Jobs) -> None:
    job = jobs.wait(jobs.submit("compare", {"data": {"example": "questions"}}).id, 60)
    assert job is not None
    assert job.state == "failed"
    assert job.error["message"]
