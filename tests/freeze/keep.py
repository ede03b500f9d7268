"""`python -m tests.freeze.keep` keeps results and a folder of the app as this version writes them, once per schema."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

os.environ["NOFLUKE_CACHE"] = "off"
sys.path.insert(0, str(Path(__file__).parent.parent))

import httpx

import nofluke as nf
from freeze.cases.verbs import EXAMPLES
from freeze.results import ACCURACIES, COMMANDS, PARTS, RESULTS
from nofluke.types import SCHEMA_VERSION
from support.command_line import nofluke
from web.conftest import running

TABLE = "item,new,old\n" + "".join(f"q{i},{(i * 7) % 11 / 10},{(i * 5) % 9 / 10}\n" for i in range(40))
HTML = {"Accept": "text/html"}


def keep_results(folder: Path) -> None:
    """Write one file for every result."""
    for name, make in RESULTS.items():
        (folder / f"{name}.json").write_text(nf.report(make(), "json") + "\n", encoding="utf-8")
    for name, make in PARTS.items():
        text = json.dumps(make().to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    for name, line in COMMANDS.items():
        run = nofluke(*shlex.split(line), "-q", "-o", str(folder / f"{name}.json"), cwd=EXAMPLES)
        assert run.code == 0, run.err


def asked(upload: str) -> list[tuple[str, dict[str, Any]]]:
    """What a user of the app asked: an action and its request."""
    data = {"data": {"files": [{"upload": upload}]}}
    outputs = [{"text": "yes\nno\nyes\nno\n", "system": "new"}, {"text": "no\nno\nno\nno\n", "system": "old"}]
    by_gold = {"files": outputs, "gold": [{"text": "yes\nno\nyes\nyes\n"}], "score_by": "accuracy"}
    ratings = (EXAMPLES / "sentiment.csv").read_text(encoding="utf-8")
    leaderboard = {"data": {"files": [{"text": (EXAMPLES / "leaderboard.csv").read_text(encoding="utf-8")}]}}
    return [
        ("compare", data),
        ("compare", {**data, "method": "wilcoxon", "alternative": "greater"}),
        ("compare", {**data, "margin": 0.05}),
        ("test", {**data, "method": "sign"}),
        ("describe", data),
        ("recommend", data),
        ("effect", {**data, "name": "cohens_d"}),
        ("bayes", {**data, "rope": 0.05}),
        ("power_curve", {**data, "sizes": 3, "iterations": 20}),
        ("rank", leaderboard),
        ("omnibus", leaderboard),
        ("score", {"data": by_gold}),
        ("replicate", {"published": "sentiment"}),
        ("replicate", {"p_values": {"de": 0.001, "fr": 0.02, "it": 0.4}}),
        ("agree", {"ratings": {"text": ratings}}),
        ("correct", {"p_values": [0.001, 0.02, 0.4]}),
        ("combine", {"p_values": [0.001, 0.02, 0.4]}),
        ("sample_size", {"difference": 0.05, "sd": 0.2}),
        ("power", {"test": "mcnemar", "n": 500, **ACCURACIES}),
        ("detectable_effect", {"n": 50, "sd": 0.2}),
    ]


def use(client: httpx.Client) -> None:
    """Fill the app: an upload, a result of every action, a guided comparison, one that failed, a shared one."""
    upload = client.post("/api/uploads", files={"file": ("scores.csv", TABLE.encode())}).json()["upload"]["id"]
    for action, request in asked(upload):
        answer = client.post(f"/api/{action}", json=request)
        assert answer.status_code == 200, (action, answer.text)
    broken = client.post("/api/uploads", files={"file": ("broken.csv", b"a,b\n1,2\n3,x\n")}).json()["upload"]["id"]
    assert client.post("/api/compare", json={"data": {"files": [{"upload": broken}]}}).status_code == 422
    draft = client.post("/compare", files={"file": ("guided.csv", TABLE.encode())}, headers=HTML).headers["location"]
    assert client.get(draft, headers=HTML, follow_redirects=True).status_code == 200
    client.get(f"{draft.rsplit('/', 1)[0]}/report", headers=HTML, follow_redirects=True)
    shared = nf.report(RESULTS["ranking"](), "json").encode()
    assert client.post("/history", files={"file": ("shared.json", shared)}).status_code == 303


def keep_app(folder: Path) -> None:
    """Run the app on a new folder, use it, and keep the database and the files that it leaves behind."""
    with tempfile.TemporaryDirectory() as place:
        server = running(Path(place) / "data")
        with (started := next(server)).client() as client:
            use(client)
        server.close()
        with closing(sqlite3.connect(started.folder / "app.db")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
        shutil.copy(started.folder / "app.db", folder / "app.db")
        for name in ("uploads", "items"):
            shutil.copytree(started.folder / name, folder / name)


def main() -> None:
    """Keep everything in a folder of this schema, which must not be there yet."""
    folder = Path(__file__).parent.parent / f"stored_schema{SCHEMA_VERSION}"
    if folder.exists():
        sys.exit(f"{folder} is there already; what it holds was written by an earlier version and is never replaced.")
    (folder / "app").mkdir(parents=True)
    keep_results(folder)
    keep_app(folder / "app")


if __name__ == "__main__":
    main()
