"""Nothing finished is lost; what was not finished is said to be interrupted and can be retried."""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from nofluke.web.jobs import Jobs
from nofluke.web.store import Job, Store
from support.scenes import played
from web.conftest import Server

HTML = {"Accept": "text/html"}
QUICK = {"data": {"example": "questions"}}


def request(**more: object) -> dict[str, object]:
    from nofluke.web.requests import BY_ACTION, plain

    return plain(BY_ACTION["compare"].model_validate({**QUICK, **more}))


def slow() -> dict[str, object]:
    return request(method="permutation", options={"monte_carlo": 900_000_000})


def state(job: Job | None) -> str:
    return "" if job is None else job.state


def until_gone(process: int | None) -> None:
    assert process is not None
    for _ in range(1200):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("the worker lives on")


def until_running(jobs: Jobs, identifier: str) -> None:
    for _ in range(1200):
        job = jobs.store.job(identifier)
        if job is not None and job.state == "running" and job.total:
            return
        assert state(job) in ("queued", "running")
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
    ended = jobs.wait(job.id, 60)
    assert ended is not None
    assert ended.state == "cancelled"
    after = jobs.wait(jobs.submit("compare", request()).id, 60)
    assert after is not None
    assert after.state == "done"


def test_a_killed_worker_interrupts_its_job_only(jobs: Jobs) -> None:
    finished = jobs.wait(jobs.submit("compare", request()).id, 60)
    job = jobs.submit("compare", slow())
    until_running(jobs, job.id)
    jobs._supervisors[0].process.kill()
    ended = jobs.wait(job.id, 60)
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
    job = jobs.wait(jobs.submit("test", {"data": {"example": "questions"}}).id, 60)  # without its method
    assert job is not None
    assert job.state == "failed"
    assert job.error["message"]


def test_cancel_and_retry_again_and_again_end_well(jobs: Jobs) -> None:
    job = jobs.submit("compare", slow())
    for pause in (0.0, 0.01, 0.5, 0.0):
        time.sleep(pause)
        jobs.cancel(job.id)
        assert jobs.retry(job.id)
    jobs.cancel(job.id)
    after = jobs.wait(jobs.submit("compare", request()).id, 60)
    assert (state(jobs.store.job(job.id)), state(after)) == ("cancelled", "done")


def test_two_tabs_cancel_retry_and_delete_at_once(jobs: Jobs) -> None:
    job = jobs.submit("compare", slow())
    until_running(jobs, job.id)

    def tab(_number: int) -> list[bool]:
        retried = []
        for _ in range(10):
            jobs.cancel(job.id)
            retried.append(jobs.retry(job.id))
        return retried

    with ThreadPoolExecutor(2) as tabs:
        retried = [one for found in tabs.map(tab, range(2)) for one in found]
    assert any(retried)
    assert state(jobs.store.job(job.id)) in ("queued", "running", "cancelled")
    jobs.delete(job.id)
    after = jobs.wait(jobs.submit("compare", request()).id, 60)
    assert jobs.store.job(job.id) is None
    assert state(after) == "done"


def test_a_deleted_job_lets_go_of_its_worker(jobs: Jobs) -> None:
    job = jobs.submit("compare", slow())
    until_running(jobs, job.id)
    process = jobs._supervisors[0].process
    jobs.delete(job.id)
    assert jobs.wait(job.id, 60) is None
    # Whoever asks first gets the exit code, and here that is the supervisor.
    until_gone(process.pid)
    assert state(jobs.wait(jobs.submit("compare", request()).id, 60)) == "done"


def test_many_who_wait_do_not_keep_others_waiting(server: Server) -> None:
    async def scene() -> bool:
        async with httpx.AsyncClient(base_url=server.address, timeout=90, trust_env=False) as client:
            body = {
                "data": {"example": "questions"},
                "method": "permutation",
                "options": {"monte_carlo": 900_000_000},
            }
            waiting = [
                asyncio.create_task(client.post("/api/compare?wait=50", json={**body, "seed": i})) for i in range(40)
            ]
            begun: list[str] = []
            while len(begun) < 40:
                listed = (await client.get("/api/jobs")).json()["jobs"]
                begun = [job["id"] for job in listed if job["state"] in ("queued", "running")]
            assert (await client.get("/history", headers=HTML)).status_code == 200
            answered = any(task.done() for task in waiting)
            for job in begun:
                await client.delete(f"/api/jobs/{job}")
            await asyncio.gather(*waiting)
            return answered

    # Everybody waits for as long as they may; the page must not wait with them.
    assert not played(scene())
