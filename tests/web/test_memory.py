"""A job that wants more memory than it may take fails and says so; the app and all other jobs live on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nofluke.web import memory
from nofluke.web.jobs import Jobs
from nofluke.web.memory import share_of_machine
from nofluke.web.safety import Limits
from nofluke.web.store import Store
from web.conftest import running
from web.test_api import TABLE, files, sent
from web.test_jobs import request, slow, state, until_running

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what a process takes")
ROWS = "a,b\n" + "0.5,0.25\n0.75,0.125\n" * 400_000


@linux
def test_a_job_that_takes_too_much_fails_and_the_next_one_is_answered(tmp_path: Path) -> None:
    for found in running(tmp_path, limits=Limits(memory=100 * 2**20)):
        with found.client() as client:
            upload = sent(client, ROWS.encode())
            for _ in range(2):
                answer = client.post("/api/compare?wait=60", json=files(upload))
                assert answer.status_code == 422, answer.text[:500]
                said = answer.json()["errors"][0]
                assert said["message"] == "this takes more than the 0.098 GB of memory that one job may take."
                assert "--memory" in said["fix"]
            assert client.post("/api/compare?wait=60", json=files(sent(client, TABLE.encode()))).status_code == 200
            page = client.post("/rank", data={}, files={"file": ("x.csv", ROWS.encode())}, follow_redirects=True)
            shown = client.get(page.url.path, headers={"Accept": "text/html"}).text if page.history else page.text
            assert "GB of memory" in shown or "Comparing every pair" in shown


def test_a_worker_that_breaks_down_fails_its_job(tmp_path: Path) -> None:
    """Libraries that are written in C may end the whole process when they get no memory."""
    store = Store(tmp_path)
    jobs = Jobs(store, 1, Limits(memory=2 * 2**30))
    jobs.start()
    job = jobs.submit("compare", slow())
    until_running(jobs, job.id)
    os.kill(jobs._supervisors[0].process.pid, signal.SIGABRT)
    ended = jobs.wait(job.id, 60)
    assert ended is not None
    assert ended.state == "failed"
    assert "2 GB of memory" in ended.error["message"]
    assert state(jobs.wait(jobs.submit("compare", request()).id, 60)) == "done"
    jobs.stop()
    store.close()


@linux
def test_reading_with_duckdb_keeps_to_the_limit() -> None:
    code = (
        "import resource\n"
        "from nofluke.web.memory import limit_this_process\n"
        "limit_this_process(400 * 2**20)\n"
        "from nofluke.readers.sql import connect\n"
        "print(connect().execute(\"SELECT current_setting('memory_limit')\").fetchall()[0][0])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    figure, unit = run.stdout.split()
    assert unit == "MiB"
    assert 200 <= float(figure) < 400


def test_the_workers_share_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_GROUP", tmp_path / "memory.max")
    (tmp_path / "memory.max").write_text(f"{16 * 2**30}\n")
    monkeypatch.setattr(os, "sysconf", lambda name: {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**30}[name])
    assert share_of_machine(2) == 6 * 2**30  # of the container, which is smaller than the machine
    (tmp_path / "memory.max").write_text("max\n")
    assert share_of_machine(3) == 2**40
    monkeypatch.setattr(os, "sysconf", lambda _name: 1)
    assert share_of_machine(64) == 2**30
