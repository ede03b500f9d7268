"""What the app remembers stays whole, stays the user's own, and goes when nothing uses it any more."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from nofluke.errors import InputError
from nofluke.web.app import app_for
from nofluke.web.store import Store
from web.conftest import Server
from web.test_api import files, sent


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(tmp_path / "data")
    yield found
    found.close()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_two_servers_cannot_share_a_folder(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(InputError, match="another nofluke server"):
        app_for("127.0.0.1", 1, str(tmp_path), 1)
    store.close()
    Store(tmp_path).close()


def test_a_new_folder_is_the_users_own(store: Store) -> None:
    assert mode(store.folder) == 0o700


def test_a_shared_folder_stays_open_and_our_files_in_it_are_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for _ in range(2):  # the second time there is a database in it, and it still belongs to others too
        store = Store(tmp_path)
        store.add_job("compare", {})
        found = {path.name: mode(path) for path in tmp_path.iterdir()}
        store.close()
        assert mode(tmp_path) == 0o755
        assert {"app.db", "app.db-wal", "lock", "uploads", "items"} <= set(found)
        assert {name: bits for name, bits in found.items() if bits & 0o077} == {}


def test_files_of_others_are_never_taken_for_uploads(tmp_path: Path) -> None:
    theirs = tmp_path / "uploads" / "thesis.txt"
    theirs.parent.mkdir()
    theirs.write_text("years of work")
    os.utime(theirs, (0, 0))
    with pytest.raises(InputError, match="uploads"):
        Store(tmp_path)
    assert theirs.read_text() == "years of work"
    theirs.unlink()
    Store(tmp_path).close()  # the folder was let go, and can be used now


def test_a_damaged_database_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "app.db").write_bytes(b"this is no database at all, " * 100)
    with pytest.raises(InputError, match="database"):
        app_for("127.0.0.1", 1, str(tmp_path), 1)
    place = tmp_path / "file"
    place.write_text("x")
    with pytest.raises(InputError):
        app_for("127.0.0.1", 1, str(place / "below"), 1)


def test_a_database_of_an_earlier_version_is_taken_over(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / "app.db")
    old.execute("CREATE TABLE drafts (id TEXT PRIMARY KEY, action TEXT, request TEXT, job TEXT, created REAL)")
    old.execute("INSERT INTO drafts VALUES ('x', 'compare', '{}', '', 1.0)")
    old.commit()
    old.close()
    store = Store(tmp_path)
    found = store.draft("x")
    store.close()
    assert found is not None
    assert found.step == ""


def test_deleting_a_result_deletes_what_only_it_used(client: httpx.Client, server: Server) -> None:
    upload = sent(client)
    first = client.post("/api/compare", json=files(upload)).json()["id"]
    second = client.post("/api/compare", json={**files(upload), "alpha": 0.1}).json()["id"]
    client.post("/api/inspect", json=files(upload))
    path = server.folder / "uploads" / upload
    client.delete(f"/api/jobs/{first}")
    assert path.exists()
    client.delete(f"/api/jobs/{second}")
    assert not path.exists()


def test_what_nothing_uses_is_tidied_away_when_it_is_old(store: Store) -> None:
    for name in ("kept", "gone", "new"):
        store.add_upload(name, name, 1, "")
        store.path_of(name).write_text("x")
    with store.transaction() as connection:
        connection.execute("UPDATE uploads SET created = 0 WHERE id != 'new'")
    store.add_job("compare", {"data": {"files": [{"upload": "kept"}]}})
    looked = store.add_job("inspect", {"data": {"files": [{"upload": "gone"}]}})
    store.tidy()
    assert (store.upload("gone"), store.job(looked.id)) == (None, None)
    assert {path.name for path in store.uploads.iterdir()} == {"kept", "new"}


def test_a_file_that_a_killed_server_left_is_tidied_away(store: Store) -> None:
    job = store.add_job("score", {})
    left, arriving, items = store.path_of("left"), store.path_of("arriving"), store.items_of(job.id)
    for path in (left, arriving, items, store.items_of("none")):
        path.write_text("half of it")
        if path != arriving:
            os.utime(path, (0, 0))
    store.tidy()
    assert [left.exists(), arriving.exists(), items.exists(), store.items_of("none").exists()] == [
        False,
        True,
        True,
        False,
    ]
    store.delete(job.id)
    assert not items.exists()


def test_what_a_file_offers_is_looked_at_again_after_a_start(store: Store) -> None:
    looked, kept = store.add_job("inspect", {}), store.add_job("compare", {})
    store.forget_inspections()
    assert store.job(looked.id) is None
    assert store.job(kept.id) is not None


def test_a_file_outlives_a_database_that_cannot_be_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add_upload("mine", "a", 1, "")
    store.path_of("mine").write_text("x")
    job = store.add_job("compare", {"upload": "mine"})
    written = store.transaction

    @contextmanager
    def full() -> Iterator[sqlite3.Connection]:
        with written() as connection:
            yield connection
            raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store, "transaction", full)
    with pytest.raises(sqlite3.OperationalError):
        store.delete(job.id)
    monkeypatch.undo()
    assert store.job(job.id) is not None
    assert store.upload("mine") is not None
    assert store.path_of("mine").exists()


def test_a_request_that_names_a_path_deletes_nothing(store: Store) -> None:
    job = store.add_job("compare", {"upload": "../app.db", "data": {"upload": "../lock"}})
    store.delete(job.id)
    assert (store.folder / "lock").exists()
    assert (store.folder / "app.db").exists()


def test_what_was_done_before_is_found_by_an_index(store: Store) -> None:
    with store.transaction() as connection:
        plan = connection.execute(
            "EXPLAIN QUERY PLAN SELECT id FROM jobs WHERE action = 'a' AND request = 'b' "
            "AND state IN ('queued', 'running', 'done') ORDER BY created DESC LIMIT 1"
        ).fetchall()
    assert any("jobs_by_action" in row["detail"] for row in plan)


def test_an_attempt_that_was_cancelled_is_not_heard_any_more(tmp_path: Path) -> None:
    store = Store(tmp_path)
    job = store.add_job("compare", {})
    first = store.begin(job.id)
    assert store.cancel(job.id) == first
    assert store.requeue(job.id)
    second = store.begin(job.id)
    assert second == first + 1
    store.progress(job.id, first, 5, 10)
    store.finish(job.id, first, "{}", "late")
    store.stop(job.id, first, "interrupted")
    found = store.job(job.id)
    assert found is not None
    assert (found.state, found.done, found.headline) == ("running", 0, "")
    store.finish(job.id, second, "{}", "right")
    assert store.result(job.id) == "{}"
    assert store.cancel(job.id) is None
    assert not store.requeue(job.id)
    store.close()
