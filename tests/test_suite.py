"""The options of the suite itself: a random order, and the number of examples."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FILES = {
    "one.py": "import hypothesis as h, hypothesis.strategies as st\n"
    "tried = []\n"
    "@h.settings(max_examples=90, database=None)\n@h.given(st.integers())\n"
    "def test_first(n): tried.append(n)\n"
    "def test_second(): print('tried', len(tried))\n"
    "def test_third(): print('drawn', sorted(tried))\n",
    "two.py": "".join(f"def test_{name}(): pass\n" for name in "abcdefgh"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small suite under our own conftest, whatever options the suite itself was given."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    for name, text in FILES.items():
        (tmp_path / f"test_{name}").write_text(text)
    (tmp_path / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text(encoding="utf-8"))
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = --disable-plugin-autoload -p xdist.plugin -p _hypothesis_pytestplugin\n"
    )
    return tmp_path


def run(folder: Path, *options: str) -> str:
    command = [sys.executable, "-m", "pytest", "-vs", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


def order(printed: str) -> list[str]:
    return [line.split(" ")[0] for line in printed.splitlines() if "::" in line]


def test_a_seed_draws_an_order_that_every_worker_shares(folder: Path) -> None:
    usual, drawn = order(run(folder)), order(run(folder, "--random-order", "3"))
    assert sorted(drawn) == sorted(usual)
    assert drawn != usual
    files = [name.partition("::")[0] for name in drawn]
    assert files == sorted(files, key=files.index), "files stay together"
    assert "11 passed" in run(folder, "--random-order", "3", "-n", "2")


def test_a_sixth_of_the_examples_is_tried_unless_all_are_asked_for(folder: Path) -> None:
    assert "tried 15" in run(folder)
    assert "tried 90" in run(folder, "--all-examples")


@pytest.mark.parametrize("under_ci", [False, True])
def test_examples_are_the_same_ones_each_time_unless_all_are_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, under_ci: bool
) -> None:
    monkeypatch.delenv("CI", raising=False)
    if under_ci:
        monkeypatch.setenv("CI", "true")

    def drawn(*options: str) -> str:
        return next(line for line in run(folder, *options).splitlines() if "drawn" in line)

    assert drawn() == drawn()
    assert drawn("--all-examples") != drawn("--all-examples")
