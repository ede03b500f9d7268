"""The examples of docs/examples/ci: what they say is valid, safe, and runs."""

from __future__ import annotations

import re
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.command_line import nofluke
from support.gates import evaluated as evaluated_in

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "examples" / "ci"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GITHUB = sorted(path.name for path in FOLDER.glob("github-*.yml"))
COMMAND = re.compile(r"^\s*(?:- )?(nofluke (?:gate|read) .*)$", re.MULTILINE)


def steps_of(name: str) -> Iterator[dict[str, Any]]:
    for job in yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("name", GITHUB)
def test_a_workflow_is_safe_and_uses_the_action_as_it_is(name: str) -> None:
    workflow = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    # YAML 1.1 reads the key `on` as true.
    assert "pull_request_target" not in str(workflow[True])
    assert set(workflow["permissions"].items()) <= {
        ("actions", "read"),
        ("contents", "read"),
        ("pull-requests", "write"),
    }
    gates = 0
    for step in steps_of(name):
        assert "${{" not in step.get("run", ""), "expressions reach scripts as environment variables"
        used = step.get("uses", "")
        assert re.fullmatch(r"(actions/(checkout|setup-python|upload-artifact)@v\d+|OWNER/nofluke@v[\d.]+|)", used), (
            used
        )
        if used.startswith("OWNER/"):
            gates += 1
            assert set(step["with"]) <= set(ACTION["inputs"])
    assert gates == 1
    outputs = set(re.findall(r"steps\.gate\.outputs\.(\w+)", (FOLDER / name).read_text(encoding="utf-8")))
    assert outputs <= set(ACTION["outputs"])


def test_gitlab_shows_the_junit_file_of_the_gate() -> None:
    job = yaml.safe_load((FOLDER / "gitlab-ci.yml").read_text(encoding="utf-8"))["gate"]
    assert job["artifacts"]["when"] == "always"
    assert f"-o {job['artifacts']['reports']['junit']}" in job["script"][-1]
    assert all(f"-o {path}" in job["script"][-1] for path in job["artifacts"]["paths"])


@pytest.fixture
def evaluated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder in which all is evaluated that the examples evaluate."""
    evaluated_in(tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("evaluated")
@pytest.mark.parametrize("name", ["gitlab-ci.yml", "Jenkinsfile", "github-artifact.yml", "github-committed.yml"])
def test_commands_of_an_example_run(name: str) -> None:
    commands = COMMAND.findall((FOLDER / name).read_text(encoding="utf-8").replace("#     ", ""))
    assert commands
    for command in commands:
        done = nofluke(*shlex.split(command)[1:])
        assert done.code == 0, done.err
        for file in re.findall(r"-o (\S+\.xml)", command):
            assert ET.parse(file).getroot().get("failures") == "0"


@pytest.mark.usefixtures("evaluated")
@pytest.mark.parametrize("name", GITHUB)
def test_inputs_of_a_workflow_are_a_gate_that_passes(name: str) -> None:
    inputs = next(step["with"] for step in steps_of(name) if step.get("uses", "").startswith("OWNER/"))
    done = nofluke("gate", *(f"--{name}={line}" for name, text in inputs.items() for line in text.splitlines()))
    assert done.code == 0, done.err
    assert done.out.startswith("Passed")
    assert ("3 runs" in done.out) == (name == "github-both.yml"), done.out
