"""The GitHub action: its steps run here as a runner runs them, with a `gh` that keeps what it is told."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
LOGS = ROOT / "docs" / "examples" / "lm-eval"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
REPOSITORY = "acme/models"
# A stand-in for gh: comments are kept in a file, every call in another.
GH = f"""#!{sys.executable}
import json, os, sys
from pathlib import Path
state = Path(os.environ["GH_STATE"])
arguments = sys.argv[1:]
text = Path(arguments[arguments.index("--input") + 1]).read_text() if "--input" in arguments else ""
with open(state / "calls.jsonl", "a") as file:
    print(json.dumps([arguments, text]), file=file)
if os.environ.get("GH_BROKEN"):
    sys.exit("HTTP 403: Resource not accessible by integration")
comments = json.loads((state / "comments.json").read_text())
if "POST" in arguments:
    comments.append({{"id": 100 + len(comments), "body": json.loads(text)["body"], "by": "Bot"}})
elif "PATCH" in arguments:
    number = int(next(one for one in arguments if one.startswith("repos/")).rpartition("/")[2])
    next(one for one in comments if one["id"] == number)["body"] = json.loads(text)["body"]
else:
    sys.stdout.writelines(json.dumps(one) + "\\n" for one in comments)
(state / "comments.json").write_text(json.dumps(comments))
"""


def resolved(text: str, context: dict[str, str]) -> str:
    """Put values in the place of expressions, as GitHub does before a step."""
    return EXPRESSION.sub(lambda match: context.get(match[1], ""), text)


@dataclass
class Finished:
    """What a run of the whole action left behind."""

    code: int
    printed: str
    outputs: dict[str, str]
    summary: str


class Runner:
    """What a runner offers a composite action: folders, an event, and the outputs of earlier steps."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.token, self.event, self.extra = folder, "secret", {}, {}
        for name in ("temp/nofluke/bin", "state", "path", "work"):
            (folder / name).mkdir(parents=True)
        (folder / "state" / "comments.json").write_text("[]")
        self.program("path/gh", GH)
        # In the place of an installation: this Python, and nofluke as it stands here.
        self.program("temp/nofluke/bin/python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        self.program("temp/nofluke/bin/nofluke", f'#!/bin/sh\nexec "{sys.executable}" -m nofluke "$@"\n')

    def program(self, name: str, text: str) -> None:
        file = self.folder / name
        file.write_text(text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def pull_request(self, head: str | None = REPOSITORY) -> None:
        repository = None if head is None else {"full_name": head}
        self.event = {"pull_request": {"number": 7, "head": {"repo": repository}}}

    def run(self, *, steps: list[dict[str, Any]] = STEPS[1:], **inputs: str) -> Finished:
        """Run steps one after the other until one fails, as GitHub does: bash, with -e and pipefail."""
        known = {name: str(one["default"]) for name, one in ACTION["inputs"].items()}
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert not set(given) - set(known)
        context = {f"inputs.{name}": value for name, value in (known | given).items()} | {"github.token": self.token}
        (self.folder / "event.json").write_text(json.dumps(self.event))
        (self.folder / "summary").write_text("")
        code, printed = 0, ""
        outputs: dict[str, str] = {}
        for step in steps:
            own = {name: resolved(text, context) for name, text in step["env"].items()}
            (self.folder / "output").write_text("")
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            done = subprocess.run(
                command, env=self._environment() | own, cwd=self.folder / "work", capture_output=True, text=True
            )
            code, printed = done.returncode, printed + done.stdout + done.stderr
            outputs |= dict(line.split("=", 1) for line in (self.folder / "output").read_text().splitlines())
            context |= {f"steps.{step.get('id')}.outputs.{name}": value for name, value in outputs.items()}
            if code:
                break
        return Finished(code, printed, outputs, (self.folder / "summary").read_text())

    def _environment(self) -> dict[str, str]:
        return {
            **{name: os.environ[name] for name in ("PYTHONPATH", "HOME", "LANG") if name in os.environ},
            "PATH": f"{self.folder / 'path'}:{os.environ['PATH']}",
            "NOFLUKE_CACHE": "off",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GH_STATE": str(self.folder / "state"),
            **self.extra,
        }

    @property
    def calls(self) -> list[list[Any]]:
        file = self.folder / "state" / "calls.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    @property
    def methods(self) -> list[str]:
        return [arguments[2] if arguments[1] == "--method" else "GET" for arguments, _ in self.calls]

    @property
    def comments(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads((self.folder / "state" / "comments.json").read_text())
        return found

    @comments.setter
    def comments(self, found: list[dict[str, Any]]) -> None:
        (self.folder / "state" / "comments.json").write_text(json.dumps(found))


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


GOOD = {"baseline": str(LOGS / "base"), "candidate": str(LOGS / "tuned")}
BAD = {"baseline": str(LOGS / "tuned"), "candidate": str(LOGS / "base")}


def test_a_passing_candidate_has_summary_outputs_files_and_one_comment(runner: Runner) -> None:
    runner.pull_request()
    done = runner.run(**GOOD)
    assert done.code == 0, done.printed
    assert done.outputs["outcome"] == "passed"
    assert json.loads(Path(done.outputs["json"]).read_text())["outcome"] == "passed"
    assert "<testsuites" in Path(done.outputs["junit"]).read_text()
    assert Path(done.outputs["markdown"]).read_text().strip() == done.summary.strip()
    assert done.summary.startswith("<!-- nofluke:gate -->")
    assert "Passed: no loss is shown on 3 tasks." in done.printed
    assert runner.methods == ["GET", "POST"]
    assert [one["body"].strip() for one in runner.comments] == [done.summary.strip()]


def test_a_comment_is_brought_up_to_date_and_the_job_fails_last(runner: Runner) -> None:
    runner.pull_request()
    people = [
        {"id": 1, "body": "Looks good to me", "by": "User"},
        {"id": 2, "body": "<!-- nofluke:gate --> passed, says everybody", "by": "User"},
        {"id": 3, "body": "<!-- nofluke:gate-of-others -->", "by": "Bot"},
        {"id": 4, "body": "<!-- nofluke:gate -->\nof last week", "by": "Bot"},
    ]
    runner.comments = people
    done = runner.run(**BAD)
    assert (done.code, done.outputs["outcome"]) == (3, "worse")
    assert runner.methods == ["GET", "PATCH"]
    assert runner.comments[:3] == people[:3]
    assert "the candidate is worse on 2 of 3 tasks" in runner.comments[3]["body"]


def test_gates_of_other_names_have_comments_of_their_own(runner: Runner) -> None:
    runner.pull_request()
    for name in ("small", "large", "small"):
        runner.run(**GOOD, name=name, tasks="proverbs")
    assert [one["body"].partition("\n")[0] for one in runner.comments] == [
        "<!-- nofluke:small -->",
        "<!-- nofluke:large -->",
    ]


def test_options_arrive_as_they_were_given(runner: Runner) -> None:
    margins = "average=0.5\n\n  proverbs=0.4\n"
    asked = {"require": "not-worse", "margin": margins, "must_catch": "0.6", "alpha": "0.1", "record": "looks.jsonl"}
    done = runner.run(**GOOD, **asked, tasks="proverbs,rivers", metric="acc", min_items="5", max_errors="0.2")
    assert done.code == 0, done.printed
    result = json.loads(Path(done.outputs["json"]).read_text())
    assert (result["alpha"], result["must_catch"], result["max_errors"]) == (0.1, 0.6, 0.2)
    assert {row["task"]: row["margin"] for row in result["rows"]} == {"proverbs": 0.4, "rivers": None}
    assert (runner.folder / "work" / "looks.jsonl").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"event": {}},
        {"event": {"issue": {"number": 7}}},
        {"event": {"pull_request": {"number": 7, "head": {"repo": {"full_name": "someone/models"}}}}},
        {"event": {"pull_request": {"number": 7, "head": {"repo": None}}}},
        {"token": ""},
        {"comment": "false"},
    ],
    ids=["push", "issue", "fork", "deleted fork", "no token", "turned off"],
)
def test_where_no_comment_can_be_written_gh_is_never_called(runner: Runner, change: dict[str, Any]) -> None:
    runner.pull_request()
    inputs = {"comment": change.pop("comment")} if "comment" in change else {}
    for name, value in change.items():
        setattr(runner, name, value)
    report = runner.folder / "report.md"
    report.write_text("<!-- nofluke:gate -->\n")
    done = runner.run(steps=[with_report(STEPS[2], report)], **inputs)
    assert (done.code, runner.calls) == (0, [])
    assert "No comment" in done.printed


def with_report(step: dict[str, Any], report: Path) -> dict[str, Any]:
    """The step of the comment alone, on a report that is there."""
    return step | {"env": step["env"] | {"MARKDOWN": str(report)}}


def test_a_comment_that_cannot_be_written_is_a_warning(runner: Runner) -> None:
    runner.pull_request()
    runner.extra = {"GH_BROKEN": "1"}
    done = runner.run(**BAD)
    assert done.code == 3
    assert "::warning title=nofluke::The comment could not be written" in done.printed


@pytest.mark.parametrize("report", ["", "no marker\n", "<!-- nofluke:gate -->\n" + "x" * 70_000])
def test_what_is_no_report_is_no_comment(runner: Runner, report: str) -> None:
    runner.pull_request()
    runner.comments = [{"id": 4, "body": "of another workflow", "by": "Bot"}]
    file = runner.folder / "report.md"
    file.write_text(report)
    done = runner.run(steps=[with_report(STEPS[2], file)])
    assert (done.code, runner.calls) == (0, [])
    assert "::warning" in done.printed


def test_bad_input_closes_the_gate(runner: Runner) -> None:
    runner.pull_request()
    done = runner.run(baseline="absent", candidate=GOOD["candidate"])
    assert (done.code, done.outputs["outcome"]) == (2, "error")
    assert "absent" in done.summary
    assert "could not judge" in runner.comments[0]["body"]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("exit 0", "an exit code alone is no verdict"),
        ("echo '<b>@all</b> `x`' >&2; exit 1", "a crash"),
        ('for last; do :; done; echo \'{"outcome": "worse"}\' > "${last%xml}json"; exit 0', "verdict and code differ"),
        ('for last; do :; done; echo \'{"outcome": []}\' > "${last%xml}json"; exit 0', "no outcome"),
    ],
)
def test_a_gate_that_breaks_down_is_closed(runner: Runner, script: str, why: str) -> None:
    runner.pull_request()
    runner.program("temp/nofluke/bin/nofluke", f"#!/bin/bash\n{script}\n")
    done = runner.run(**GOOD, name="-- weekly --> run")
    assert (done.code, done.outputs["outcome"]) == (2, "error"), why
    assert runner.comments[0]["body"].startswith("<!-- nofluke:weekly-run -->\n> [!CAUTION]")
    assert "<b>" not in runner.comments[0]["body"]
    assert ("&lt;b&gt;" in done.summary) == ("crash" in why)


def test_text_of_logs_is_inert(runner: Runner) -> None:
    """Names of tasks and items that would be commands, markup, mentions or further outputs."""
    runner.pull_request()
    hostile = (
        "::error::owned $(touch owned) `touch owned` @everyone #1 <img src=x> </details> | ${{ github.token }} --> x"
    )
    for name, score in (("base", 1), ("new", 0)):
        rows = [{"item": f"{hostile} {at}", "acc": score, "dataset": hostile} for at in range(40)]
        file = runner.folder / "work" / f"{name}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = runner.run(baseline="base.jsonl", candidate="new.jsonl")
    assert (done.code, done.outputs["outcome"]) == (3, "worse"), done.printed
    assert not (runner.folder / "work" / "owned").exists()
    body = runner.comments[0]["body"]
    # A word joiner or a backslash keeps mentions, references, markup and cells from being what they look like.
    assert not re.search(r"@everyone|(?<!\\)#1|<img|`touch owned`|[^\\]\| \$\{\{", body)
    assert body.count("-->") == 1
    inside = done.printed.split("::stop-commands::")[1]
    mark, _, rest = inside.partition("\n")
    assert len(mark) == 32
    printed, _, after = rest.partition(f"::{mark}::")
    assert "::error:" in printed
    assert "owned" not in after
    # What is sent to GitHub is a file: nothing of it is an argument.
    assert all("owned" not in " ".join(arguments) for arguments, _ in runner.calls)


def test_a_path_that_looks_like_an_option_or_a_command_is_a_path(runner: Runner) -> None:
    done = runner.run(baseline="--help", candidate="$(touch owned);`touch owned`")
    assert done.code == 2
    assert "--help: the file does not exist." in done.printed
    assert not (runner.folder / "work" / "owned").exists()


def test_installing_takes_the_version_or_the_action_itself(runner: Runner) -> None:
    runner.program(
        "path/python3", '#!/bin/sh\necho "$0 $@" >> "$GH_STATE/python"\nmkdir -p "$RUNNER_TEMP/nofluke/bin"\n'
    )
    runner.program("temp/nofluke/bin/python", '#!/bin/sh\necho "$@" >> "$GH_STATE/pip"\n')
    for version in ("", "0.1.0"):
        assert runner.run(steps=STEPS[:1], version=version).code == 0
    asked = (runner.folder / "state" / "pip").read_text().splitlines()
    assert [line.split()[-1] for line in asked] == [f"{ROOT}[logs]", "nofluke[logs]==0.1.0"]
    for wrong in ("--index-url=x", "0.1 @ x", "1; touch owned", "$(touch owned)"):
        done = runner.run(steps=STEPS[:1], version=wrong)
        assert (done.code, "not a version" in done.printed) == (2, True)
    assert len((runner.folder / "state" / "pip").read_text().splitlines()) == 2
    assert not (runner.folder / "work" / "owned").exists()


def test_an_old_python_is_refused(runner: Runner) -> None:
    runner.program("path/old", "#!/bin/sh\nexit 1\n")
    done = runner.run(steps=STEPS[:1], python="old")
    assert (done.code, "Python 3.11 or newer" in done.printed) == (2, True)


def test_scripts_hold_no_expressions_and_nobody_elses_actions() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        assert "uses" not in step
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
    for file in (ROOT / "action").iterdir():
        if file.is_file():
            assert "${{" not in file.read_text(encoding="utf-8")


def test_every_input_reaches_a_script() -> None:
    used = {name for step in STEPS for text in step["env"].values() for name in EXPRESSION.findall(text)}
    assert {name.removeprefix("inputs.") for name in used if name.startswith("inputs.")} == set(ACTION["inputs"])
    named = {name.removeprefix("steps.gate.outputs.") for name in used if name.startswith("steps.")}
    assert named == {"markdown", "code"}
