"""Run `nofluke gate` with the inputs of the action; report it as summary, files and outputs, and never fail here.

The exit code is an output: the comment is written before the job fails. What a log holds is printed where the runner
looks for no commands, and is escaped wherever it is shown.
"""

from __future__ import annotations

import html
import json
import os
import re
import secrets
import subprocess
import tempfile
from pathlib import Path

CODES = {"passed": 0, "worse": 3, "not shown": 3, "blind": 3}
BAD_INPUT = 2
LONGEST_ERROR = 2_000
# An option for every line of these inputs; the others hold one value.
BY_LINE = ("baseline", "candidate", "margin")
SINGLE = (
    *("name", "tasks", "metric", "forbid", "require", "alpha", "must-catch", "min-items", "max-errors"),
    *("record", "config"),
)


def main() -> None:
    """Run the gate and report it."""
    temporary = Path(os.environ["RUNNER_TEMP"])
    folder = Path(tempfile.mkdtemp(prefix="nofluke-gate-", dir=temporary))
    files = {"json": folder / "gate.json", "markdown": folder / "gate.md", "junit": folder / "gate.xml"}
    told = [part for file in files.values() for part in ("-o", str(file))]
    done = subprocess.run(
        [temporary / "nofluke" / "bin" / "nofluke", "gate", *options(), *told],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    print_inert(done.stdout + done.stderr)
    outcome = outcome_of(files["json"], done.returncode)
    code = CODES.get(outcome, BAD_INPUT)
    if outcome == "error" and not files["markdown"].exists():
        files["markdown"].write_text(not_judged(done.stderr), encoding="utf-8")
    with open(os.environ["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as summary:
        summary.write(files["markdown"].read_text(encoding="utf-8") + "\n")
    outputs = {"outcome": outcome, "code": code, **files}
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in outputs.items())


def options() -> list[str]:
    """Give the flags of the inputs that hold something; a value never stands alone, so it is never a flag itself."""
    lines = [f"--{option}={line.strip()}" for option in BY_LINE for line in given(option).splitlines() if line.strip()]
    return lines + [f"--{option}={given(option)}" for option in SINGLE if given(option)]


def given(option: str) -> str:
    """Give an input."""
    return os.environ.get("INPUT_" + option.upper().replace("-", "_"), "").strip()


def print_inert(text: str) -> None:
    """Print what may hold text of logs: the runner takes no commands from it."""
    mark = secrets.token_hex(16)
    print(f"::stop-commands::{mark}\n{text}\n::{mark}::", flush=True)


def outcome_of(file: Path, code: int) -> str:
    """Read the outcome; one that is unknown, or is not what the exit code says, is an error."""
    try:
        outcome = json.loads(file.read_text(encoding="utf-8"))["outcome"]
    except (OSError, ValueError, LookupError, TypeError):
        return "error"
    return outcome if isinstance(outcome, str) and CODES.get(outcome) == code else "error"


def not_judged(message: str) -> str:
    """Write the report of a gate that broke down before it could write its own, with the message as plain text."""
    shown = message.strip()[-LONGEST_ERROR:] or "nofluke gate ended without a message."
    name = re.sub(r"-{2,}", "-", re.sub(r"[^\w.-]+", "-", given("name"))).strip("-") or "gate"
    return (
        f"<!-- nofluke:{name} -->\n> [!CAUTION]\n> **The gate could not judge**, and so is closed.\n\n"
        f"<pre>{html.escape(shown)}</pre>\n"
    )


if __name__ == "__main__":
    main()
