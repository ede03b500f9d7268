"""Nothing heavy is loaded before it is needed: importing nofluke, its help, and each command on a small file.

The recorded modules are an upper bound: a command may load less, and nothing that is not in the record.
NOFLUKE_UPDATE_SNAPSHOTS=1 writes the record anew; a package that comes into it makes somebody wait.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
RECORD = Path(__file__).parent / "imports.json"
HEAVY = {
    "numpy",
    "scipy",
    "scipy.special",
    "scipy.stats",
    "duckdb",
    "pandas",
    "polars",
    "pyarrow",
    "narwhals",
    "altair",
}
# Every command on a small file, as a user types it; what it prints does not matter here.
COMMANDS = {
    "--help": "--help",
    "compare --help": "compare --help",
    "compare": "compare translation.csv",
    "compare bayes": "compare answers.csv --columns cluster=document --bayes --rope 0.01",
    "compare markdown": "compare translation.csv --method wilcoxon --format markdown",
    "test": "test translation.csv --method paired_t",
    "rank": "rank leaderboard.csv",
    "replicate": "replicate domains.csv",
    "replicate p-values": "replicate published.txt --sided two",
    "correct": "correct 0.001 0.012 0.3",
    "power plan": "power plan --difference 0.01 --sd 0.11",
    "power detect": "power detect answers.csv",
    "power curve": "power curve translation.csv --difference 0.01 --sizes 2 --iterations 20",
    "agree": "agree sentiment.csv",
    "study gains": "study gains leaderboard.csv",
    "methods": "methods",
}
# A few more modules of our own are no new library.
SLACK = 1.1


def loaded_by(code: str) -> set[str]:
    """Give the modules that a new Python has loaded after this code, which may print what it likes."""
    told = f"import sys\n{code}\nprint()\nprint(*sys.modules, sep='\\t')"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=EXAMPLES)
    return set(run.stdout.splitlines()[-1].split("\t"))


@cache
def loaded_by_command(line: str) -> set[str]:
    words = shlex.split(line)
    return loaded_by(f"from nofluke.cli.main import main\ntry: main({words!r})\nexcept SystemExit: pass")


def found(line: str) -> dict[str, object]:
    """Libraries with their parts, and how many modules were loaded; Python's own depend on its version."""
    modules = {name for name in loaded_by_command(line) if all(map(str.isidentifier, name.split(".")))}
    others = {name for name in modules if name.partition(".")[0] not in sys.stdlib_module_names}
    libraries = {".".join(name.split(".")[:2]) for name in others if name.startswith("scipy.")}
    libraries |= {name.partition(".")[0] for name in others}
    public = {name for name in libraries if "._" not in name and name[0] != "_"}
    ours = {name for name in others if name.partition(".")[0] == "nofluke"}
    return {"libraries": sorted(public - {"nofluke"}), "modules": len(others), "of nofluke": len(ours)}


def recorded() -> dict[str, dict[str, object]]:
    if os.environ.get("NOFLUKE_UPDATE_SNAPSHOTS"):
        record = {name: found(line) for name, line in COMMANDS.items()}
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return json.loads(RECORD.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def record() -> dict[str, dict[str, object]]:
    return recorded()


def test_importing_nofluke_loads_nothing_heavy() -> None:
    assert not loaded_by("import nofluke") & (HEAVY | {"typer", "rich"})


def test_help_loads_no_numerical_library() -> None:
    assert not loaded_by_command("--help") & HEAVY


def test_comparing_a_small_file_loads_only_what_it_needs() -> None:
    assert not loaded_by_command("compare translation.csv") & (HEAVY - {"numpy", "scipy", "scipy.special"})


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_loads_no_more_than_it_did(name: str, record: dict[str, dict[str, object]]) -> None:
    before, now = record[name], found(COMMANDS[name])
    new = set(now["libraries"]) - set(before["libraries"])  # type: ignore[call-overload]
    assert not new, f"`nofluke {COMMANDS[name]}` now loads {sorted(new)}: import it where it is used"
    assert now["modules"] <= SLACK * before["modules"], f"`nofluke {COMMANDS[name]}` loads {now['modules']} modules"  # type: ignore[operator]
