"""Jobs of the app share their work with a cluster, if whoever started the server named one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from nofluke import cluster
from nofluke.errors import InputError
from nofluke.web.app import app_for
from nofluke.web.jobs import Jobs
from nofluke.web.store import Store
from web.test_jobs import request, state

DRAWN = {"method": "permutation", "options": {"monte_carlo": 9_000}}


@pytest.fixture(scope="module")
def running() -> Iterator[LocalCluster]:
    quiet = {"dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with LocalCluster(n_workers=1, threads_per_worker=2, **quiet) as made:
        yield made


def answered(folder: Path, address: str | None, **asked: object) -> str:
    store = Store(folder)
    jobs = Jobs(store, 1, cluster=address)
    jobs.start()
    try:
        job = jobs.wait(jobs.submit("compare", request(**asked)).id, 60)
        assert state(job) == "done", job
        assert job is not None
        return json.dumps(store.result(job.id), sort_keys=True)
    finally:
        jobs.stop()
        store.close()


def test_a_job_is_done_by_the_cluster(running: LocalCluster, tmp_path: Path) -> None:
    before = running.scheduler.transition_counter
    shared = answered(tmp_path / "shared", running.scheduler_address, **DRAWN)
    assert running.scheduler.transition_counter > before
    assert shared == answered(tmp_path / "alone", None, **DRAWN)


def test_a_cluster_that_is_not_there_is_told_before_the_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_SECONDS", 0.5)
    with pytest.raises(InputError, match="no Dask scheduler answers at"):
        app_for("127.0.0.1", 1, str(tmp_path), 1, cluster="tcp://127.0.0.1:1")
    with pytest.raises(InputError, match="starts no cluster of its own"):
        app_for("127.0.0.1", 1, str(tmp_path), 1, cluster="dask")


def test_a_cluster_is_known_by_name_and_number() -> None:
    assert {("localhost", 8786), ("127.0.0.1", 8786)} <= cluster.places_of("dask://localhost:8786")
    assert cluster.places_of("127.0.0.1:8786") == {("127.0.0.1", 8786)}
