"""An option is one line in the signature of a verb: it is in Python, shell, TOML, link, API, form and docs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nofluke

# Verb -> the line before which an option is added.
VERBS = {
    "compare": "    alternative: Alternative = ",
    "rank": "    adjust: Annotated[",
    "replicate": "    a: SystemA = ",
}
ADDED = '    shade: Annotated[str, Opt("A colour that changes nothing.")] = "grey",\n'
SURFACES = """
import inspect, json, sys, tempfile
from pathlib import Path
import nofluke as nf
from nofluke.web.app import create_app
from fastapi.testclient import TestClient
from nofluke.web.forms import settings_fields

verb, docs = sys.argv[1:]
sys.path.insert(0, docs)
from generate import cli_page

app = create_app(Path(tempfile.mkdtemp()), workers=1)
with TestClient(app, base_url="http://127.0.0.1") as client:
    page = client.get(f"/{verb}?shade=blue").text
    explained = client.get("/docs").text
request = app.openapi()["components"]["schemas"][f"{verb.title()}Request"]
print(json.dumps({
    "python": inspect.signature(getattr(nf, verb)).parameters["shade"].default,
    "api": request["properties"]["shade"],
    "form": [settings_fields(verb)["shade"].label, settings_fields(verb)["shade"].shown_default],
    "page": 'name="shade"' in page,
    "link": 'name="shade" value="blue"' in page,
    "docs": [explained.count("A colour that changes nothing."), "--shade" in cli_page()],
}))
"""


@pytest.fixture(params=VERBS)
def changed(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """A copy of the package in which one verb has one option more."""
    verb: str = request.param
    shutil.copytree(Path(nofluke.__file__).parent, tmp_path / "nofluke", ignore=shutil.ignore_patterns("__pycache__"))
    source = tmp_path / "nofluke" / "verbs" / f"{verb}.py"
    first, place, rest = source.read_text().partition(VERBS[verb])
    assert place, f"{verb} has no line {VERBS[verb]!r}"
    source.write_text(first + ADDED + place + rest)
    return verb, tmp_path


def test_one_line_adds_an_option_everywhere(changed: tuple[str, Path]) -> None:
    verb, package = changed

    def run(*arguments: str) -> str:
        environment = {"PYTHONPATH": str(package), "PATH": "", "COLUMNS": "100", "HOME": str(package)}
        done = subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, text=True, cwd=package, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    found = json.loads(run("-c", SURFACES, verb, str(Path(__file__).parent.parent / "docs")))
    assert found["python"] == "grey"
    assert found["api"] == found["api"] | {"default": "grey", "description": "A colour that changes nothing."}
    assert found["form"] == ["Shade", "grey"]
    assert found["page"]
    assert found["link"]
    assert found["docs"] == [1, True]
    shown = run("-m", "nofluke", verb, "--help")
    assert "--shade TEXT" in shown
    assert "A colour that changes nothing." in shown
    rows = "".join(f"d{i % 3},i{i},{i * 7 % 5},{i * 3 % 4}\n" for i in range(30))
    (package / "scores.csv").write_text(("dataset," if verb == "replicate" else "part,") + "item,new,old\n" + rows)
    role = "dataset=dataset" if verb == "replicate" else "ignore=part"
    assert run("-m", "nofluke", verb, "scores.csv", "--columns", role, "--shade", "blue", "-q")
    (package / "run.toml").write_text(f'command = "{verb}"\nshade = "blue"\nfiles = ["missing.csv"]\n')
    refused = subprocess.run(
        [sys.executable, "-m", "nofluke", verb, "--config", "run.toml"],
        env={"PYTHONPATH": str(package), "HOME": str(package)},
        capture_output=True,
        text=True,
        cwd=package,
        check=False,
    )
    # The key is known: what is wrong is only that there is no such file.
    assert "shade" not in refused.stderr
    assert "missing.csv" in refused.stderr


READ_SURFACES = """
import inspect, json, tempfile
from pathlib import Path
import nofluke as nf
from nofluke.web.app import create_app
from nofluke.web.form_data import reading_fields
from fastapi.testclient import TestClient

app = create_app(Path(tempfile.mkdtemp()), workers=1)
with TestClient(app, base_url="http://127.0.0.1") as client:
    pages = {page: 'name="shade"' in client.get(f"/{page}").text for page in ("rank", "replicate")}
print(json.dumps({
    "python": [inspect.signature(verb).parameters["shade"].default for verb in (nf.read, nf.from_statistics)],
    "api": app.openapi()["components"]["schemas"]["Data"]["properties"]["shade"],
    "form": [reading_fields()["shade"].label, reading_fields()["shade"].shown_default],
    "pages": pages,
    "read": len(nf.read("scores.csv", shade="blue").systems),
}))
"""


def test_one_line_adds_an_option_of_reading_everywhere(tmp_path: Path) -> None:
    shutil.copytree(Path(nofluke.__file__).parent, tmp_path / "nofluke", ignore=shutil.ignore_patterns("__pycache__"))
    source = tmp_path / "nofluke" / "option_groups.py"
    first, place, rest = source.read_text().partition("    columns: Columns = ")
    assert place
    source.write_text(first + ADDED.removesuffix(",\n") + "\n" + place + rest)
    (tmp_path / "scores.csv").write_text(
        "item,new,old\n" + "".join(f"{i},{i * 7 % 5},{i * 3 % 4}\n" for i in range(30))
    )

    def run(*arguments: str) -> str:
        environment = {"PYTHONPATH": str(tmp_path), "PATH": "", "COLUMNS": "100", "HOME": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    found = json.loads(run("-c", READ_SURFACES))
    assert found["python"] == ["grey", "grey"]
    assert found["api"] == found["api"] | {"default": "grey", "description": "A colour that changes nothing."}
    assert found["form"] == ["Shade", "grey"]
    assert all(found["pages"].values())
    assert found["read"] == 2
    for command in ("compare", "rank", "replicate", "score", "test"):
        assert "--shade TEXT" in run("-m", "nofluke", command, "--help"), command
    # What a report says of the run has the option as it was typed.
    told = run("-m", "nofluke", "compare", "scores.csv", "--shade", "blue", "--format", "html")
    assert "shade=&#39;blue&#39;" in told or "shade='blue'" in told
    assert "--shade blue" in told
    (tmp_path / "run.toml").write_text('command = "compare"\nshade = "blue"\nfiles = ["scores.csv"]\n')
    assert run("-m", "nofluke", "compare", "--config", "run.toml", "-q")


def test_the_command_line_has_every_option_of_aligning() -> None:
    from nofluke.align import pair, select
    from nofluke.cli.options import Inputs
    from nofluke.options import options_of

    known = {option.name: option for option in options_of(Inputs)}
    for option in (*options_of(select), *options_of(pair)):
        assert option.name in known
        # In `rank`, items may also be missing pairwise; a command's metric may score the outputs, too.
        assert option.name in ("missing", "metric") or (known[option.name].default, known[option.name].opt) == (
            option.default,
            option.opt,
        )
