"""What earlier versions wrote is read for ever: results as files, and the folder of the app."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

import nofluke as nf
from freeze.walk import PROSE
from nofluke.errors import speaking_on
from nofluke.reports import FORMATS
from nofluke.reports.build import BUILDERS
from nofluke.types.load import PLANS, from_dict
from nofluke.words import answer
from support.command_line import nofluke
from web.conftest import Server, running

TESTS = Path(__file__).parent.parent
FILES = sorted(path for folder in TESTS.glob("stored_schema*") for path in folder.glob("*.json"))
PARTS = [path for path in FILES if path.name.startswith("part_")]
# Kinds of results that came after the folders were written.
_SINCE = {"Contents", "Gate", "MetricsComparison", "SelfCheck", "SystemScore"}
RESULTS = [path for path in FILES if path not in PARTS]
APPS = sorted(TESTS.glob("stored_schema*/app"))
HTML = {"Accept": "text/html"}
# How the text of a format begins, whatever is in it; a page carries its charts.
BEGINS = {"html": "<!doctype html>", "latex": "% needs", "json": "{"}


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def today(kind: str) -> str:
    """What the type of a stored result is called now."""
    return "PowerPlan" if kind in PLANS else kind


def numbers_in(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every number of a stored result with the way to it; unknown ones are null, and words are no numbers."""
    if isinstance(data, dict):
        for name, part in data.items():
            if name not in PROSE and not (not path and name in ("ok", "type", "schema", "run")):
                yield from numbers_in(part, (*path, name))
    elif isinstance(data, list):
        for place, part in enumerate(data):
            yield from numbers_in(part, (*path, place))
    elif isinstance(data, bool | int | float):
        yield path, data


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        if isinstance(value, Mapping):
            value = next(part for name, part in value.items() if str(name) == str(step))
        elif isinstance(step, int):
            value = value[step]
        else:
            value = getattr(value, step)
    return value


def test_every_kind_of_result_is_stored() -> None:
    for folder in {path.parent for path in FILES}:
        kinds = {json.loads(path.read_text(encoding="utf-8"))["type"] for path in RESULTS if path.parent == folder}
        assert {today(kind) for kind in kinds} >= set(BUILDERS) - _SINCE, folder.name


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_stored_value_is_read_with_all_its_numbers(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    value = from_dict(data)
    assert type(value).__name__ == today(data["type"])
    stored = list(numbers_in(data))
    assert stored or data["type"] == "Choices"
    for place, number in stored:
        assert at(value, place) == number, ".".join(map(str, place))


def first_of_its_type(path: Path) -> bool:
    """Files are named by their type: comparison.json before comparison_clusters.json."""
    kind = path.stem.partition("_")[0]
    return path == next(other for other in RESULTS if other.stem.partition("_")[0] == kind)


@pytest.mark.parametrize(
    "path",
    [path if first_of_its_type(path) else pytest.param(path, marks=pytest.mark.slow) for path in RESULTS],
    ids=named,
)
def test_a_stored_result_becomes_every_report(path: Path, tmp_path: Path) -> None:
    for name, suffix in ((one.name, one.suffix) for one in FORMATS):
        file = tmp_path / f"report.{suffix}"
        run = nofluke("report", str(path), "-q", "-o", str(file))
        assert (run.code, run.err) == (0, ""), (name, run.err)
        text = file.read_text(encoding="utf-8")
        assert text.startswith(BEGINS.get(name, "")), name
        assert name == "bibtex" or len(text) > 20, name


@pytest.mark.parametrize("path", RESULTS, ids=named)
def test_a_stored_result_is_told_as_before(path: Path) -> None:
    again = nf.load(path)
    with speaking_on("shell"):
        told, made = nf.report(again, "text"), answer(again)
    if not path.name.startswith("run_"):  # those tell of their own run
        assert nofluke("report", str(path)).out == told + "\n"
    if made is not None:
        assert " ".join(nofluke("report", str(path), "-q").out.split()) == " ".join(made.verdict.split())


@pytest.fixture(scope="module", params=APPS, ids=lambda path: path.parent.name)
def old_app(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app of today on a copy of the folder of then."""
    folder = tmp_path_factory.mktemp("old") / "data"
    shutil.copytree(request.param, folder)
    yield from running(folder)


def jobs_of(server: Server) -> list[tuple[str, str, str]]:
    """The id and action of every job, and of what type its result is; "" where it failed."""
    with closing(sqlite3.connect(server.folder / "app.db")) as connection:
        found = connection.execute("SELECT id, action, result FROM jobs WHERE action != 'inspect'").fetchall()
    return [(job, action, json.loads(result)["type"] if result else "") for job, action, result in found]


def check_reports(client: httpx.Client, job: str, kind: str) -> None:
    for suffix in ("txt", "md", "tex", "html", "csv", "json"):
        answer = client.get(f"/results/{job}/report.{suffix}")
        assert answer.status_code == (200 if today(kind) in BUILDERS else 404), (kind, suffix, answer.text[:300])


def test_the_app_shows_every_result_of_an_old_folder(old_app: Server) -> None:
    jobs = jobs_of(old_app)
    assert len({action for _, action, _ in jobs}) >= 18
    with old_app.client() as client:
        for job, action, kind in jobs:
            page = client.get(f"/{'results' if kind else 'jobs'}/{job}", headers=HTML)
            assert page.status_code == 200, (action, page.text[:300])
            if kind:
                check_reports(client, job, kind)


def test_the_app_shows_an_old_history_and_an_old_draft(old_app: Server) -> None:
    with closing(sqlite3.connect(old_app.folder / "app.db")) as connection:
        ((draft,),) = connection.execute("SELECT id FROM drafts").fetchall()
    with old_app.client() as client:
        history = client.get("/history", headers=HTML)
        assert history.status_code == 200
        failed = client.get("/history?failed=true", headers=HTML)
        assert all(job in history.text + failed.text for job, action, _ in jobs_of(old_app) if action == "compare")
        for step in ("data", "test", "report"):
            shown = client.get(f"/compare/{draft}/{step}", headers=HTML, follow_redirects=True)
            assert shown.status_code == 200, step


def test_an_old_upload_can_be_asked_again(old_app: Server) -> None:
    with closing(sqlite3.connect(old_app.folder / "app.db")) as connection:
        ((upload,),) = connection.execute("SELECT id FROM uploads WHERE name = 'scores.csv'").fetchall()
    with old_app.client() as client:
        answer = client.post("/api/compare", json={"data": {"files": [{"upload": upload}]}, "alpha": 0.2})
        assert answer.status_code == 200
        assert answer.json()["result"]["n"] == 40
