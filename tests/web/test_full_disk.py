"""On a full disk nothing new is kept, but what is there can be deleted; and a server that cannot start says why."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from nofluke.web.store import Job, Store
from web.conftest import running
from web.test_api import files, sent

UPLOAD = b"a,b\n" + b"0.5,0.25\n" * 500


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own, which takes the right to mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    if os.name != "posix" or mount is None or os.geteuid() != 0:
        pytest.skip("a small disk can be mounted by root alone")
    if subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=16m", "tmpfs", place], capture_output=True, check=False
    ).returncode:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def fill(disk: Path) -> None:
    """Write until nothing more goes in, not even a byte."""
    handle = os.open(disk / "others", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for size in (2**16, 2**12, 1):
        with contextlib.suppress(OSError):
            while os.write(handle, b"0" * size) == size:
                pass
    os.close(handle)
    assert shutil.disk_usage(disk).free == 0


def finished(store: Store, number: int) -> Job:
    upload = f"upload{number}"
    store.path_of(upload).write_bytes(UPLOAD)
    store.add_upload(upload, "x.csv", len(UPLOAD), "0" * 64)
    job = store.add_job("compare", {"data": {"files": [{"upload": upload}]}})
    store.finish(job.id, store.begin(job.id), "x" * 50_000, "done")
    return job


def test_everything_can_be_deleted_from_a_full_disk(disk: Path) -> None:
    store = Store(disk / "app")
    jobs = [finished(store, number) for number in range(60)]
    fill(disk)
    with pytest.raises((sqlite3.OperationalError, OSError)):
        finished(store, 100)
    for job in jobs:
        store.delete(job.id)
        fill(disk)  # others take at once what becomes free
    assert all(store.job(job.id) is None for job in jobs)
    assert not [path for path in store.uploads.iterdir() if path.name in {f"upload{n}" for n in range(60)}]
    (disk / "others").unlink()
    finished(store, 300)
    store.delete(store.jobs()[0].id)
    assert (disk / "app" / "reserve").stat().st_size >= 4 * 2**20
    store.close()


def test_a_store_on_a_full_disk_opens_again_and_deletes(disk: Path) -> None:
    store = Store(disk / "app")
    jobs = [finished(store, number) for number in range(20)]
    left = store.add_job("compare", {})
    store.begin(left.id)
    fill(disk)
    store.close()
    fill(disk)
    again = Store(disk / "app")
    again.take_over()
    found = again.job(left.id)
    assert found is not None
    assert found.state == "interrupted"
    again.delete(jobs[0].id)
    assert again.job(jobs[0].id) is None
    again.close()


def test_the_app_says_that_the_disk_is_full_and_still_deletes(disk: Path) -> None:
    for found in running(disk / "app"):
        with found.client() as client:
            job = client.post("/api/compare?wait=60", json=files(sent(client))).json()["id"]
            fill(disk)
            refused = [client.post("/api/uploads", files={"file": ("x.csv", UPLOAD)}) for _ in range(3)]
            assert {answer.status_code for answer in refused} == {507}
            assert "make room" in refused[0].json()["errors"][0]["fix"]
            assert client.get(f"/results/{job}", headers={"Accept": "text/html"}).status_code == 200
            assert client.delete(f"/api/jobs/{job}").status_code == 200
            assert client.get(f"/api/jobs/{job}").status_code == 404
            assert not list((found.folder / "uploads").iterdir())
            (disk / "others").unlink()
            assert client.post("/api/compare?wait=60", json=files(sent(client))).status_code == 200


def serve(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nofluke", "serve", "--port", "0", "--folder", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_disk_that_is_full_at_start_is_said_in_words(disk: Path) -> None:
    """In a new folder, and in one whose server was killed at work, and whose reserve is gone."""
    store = Store(disk / "app")
    for number in range(20):
        store.begin(store.add_job("compare", {"number": number, "text": "x" * 5_000}).id)
    (disk / "app" / "reserve").unlink()
    killed = {path.name: path.read_bytes() for path in (disk / "app").iterdir() if path.is_file()}
    fill(disk)
    store.close()
    (disk / "others").unlink()
    for name, content in killed.items():
        (disk / "app" / name).write_bytes(content)
    (disk / "app" / "reserve").unlink(missing_ok=True)
    fill(disk)
    for folder in (disk / "app", disk / "new"):
        ended = serve(folder)
        assert ended.returncode == 2, ended.stderr
        assert "Traceback" not in ended.stderr
        assert "the disk is full" in ended.stderr
        assert "--folder" in ended.stderr


def test_a_reserve_that_cannot_be_taken_harms_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nofluke.web.store.database._take", refused)
    store = Store(tmp_path)
    job = finished(store, 1)
    store.delete(job.id)
    assert store.job(job.id) is None
    store.close()


def test_any_change_that_frees_room_is_tried_again_with_the_reserve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a disk cannot be mounted: the database refuses to write as long as the reserve is there."""
    store = Store(tmp_path)
    job = finished(store, 1)
    written = store.transaction

    @contextlib.contextmanager
    def full() -> Iterator[sqlite3.Connection]:
        with written() as connection:
            yield connection
            if (tmp_path / "reserve").exists():
                raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store, "transaction", full)
    store.delete(job.id)
    monkeypatch.undo()
    assert store.job(job.id) is None
    assert not store.path_of("upload1").exists()
    assert (tmp_path / "reserve").exists()
    store.close()


def test_a_client_reads_while_the_disk_is_full(disk: Path) -> None:
    for found in running(disk / "app"):
        with found.client() as client:
            fill(disk)
            for path in ("/", "/compare", "/history", "/docs"):
                assert client.get(path, headers={"Accept": "text/html"}).status_code == httpx.codes.OK
