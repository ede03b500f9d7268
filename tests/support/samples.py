"""Blocks of the documentation that are neither console nor Python prompt, each with what runs it.

A block is known by its beginning. What its text cannot say (the files that it reads, the models it trains) is made
here, small; the text itself runs as it stands.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

import nofluke as nf
from support.command_line import nofluke
from support.gates import answers, evaluated, text_of, written

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
TRIED: dict[str, Callable[[Sample, Path], None]] = {}
# An app that has told its address may still be starting.
RETRIED = "--retry 60 --retry-connrefused --retry-delay 1"
# What cannot run here, and why.
UNTRIED = {
    "inspect eval": "Inspect asks two models",
    "lm_eval --model": "lm-evaluation-harness loads a model",
    "helm-run": "HELM asks two models",
    "lighteval accelerate": "lighteval loads a model",
    "oaieval": "openai/evals asks a model",
    "every_eval_ever": "a converter of its own, which nofluke does not bring",
    "comet-score": "COMET loads a model",
    "mteb.evaluate": "MTEB loads a model and its tasks",
}


@dataclass(frozen=True)
class Sample:
    """One fenced block of a page."""

    page: str
    language: str
    text: str


def tries(beginning: str) -> Callable[[Callable[[Sample, Path], None]], Callable[[Sample, Path], None]]:
    """Register what runs the block that begins so, in an empty folder."""

    def register(run: Callable[[Sample, Path], None]) -> Callable[[Sample, Path], None]:
        TRIED[beginning] = run
        return run

    return register


def known() -> dict[str, str]:
    """The environment of a reader, whose shell finds nofluke."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "NOFLUKE_CACHE": "off", "COLUMNS": "100"}


def in_bash(text: str, folder: Path) -> str:
    """Run lines as a reader who pastes them, but for what installs; the first that fails ends it."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("pip install"))
    assert lines.strip(), text
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", lines], cwd=folder, env=known(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def table(columns: dict[str, Any]) -> str:
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n"


def right_or_wrong(items: int, systems: int, seed: int = 1) -> dict[str, Any]:
    """Systems that are right more and more often, on the same items."""
    random, easy = np.random.default_rng(seed), np.random.default_rng(seed).random(items) / 3
    chances = np.linspace(0.4, 0.6, systems)
    return {f"s{at}": (random.random(items) < chance + easy).astype(int) for at, chance in enumerate(chances)}


@tries("$ make demo")
def targets_of_make(sample: Sample, folder: Path) -> None:
    """Both would install; what they would do is asked for."""
    for line in sample.text.splitlines():
        done = subprocess.run([*line.removeprefix("$ ").split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert ("nofluke demo" if "demo" in line else "pytest") in done.stdout


@tries("pip install 'nofluke[all]'")
def first_steps(sample: Sample, folder: Path) -> None:
    assert "new is better than baseline" in in_bash(sample.text, folder)


@tries('eval "$(_NOFLUKE_COMPLETE')
def completion(sample: Sample, folder: Path) -> None:
    asked = "COMP_WORDS=({}); COMP_CWORD={}; _nofluke_completion nofluke; echo ${{COMPREPLY[@]}}"
    found = in_bash(
        "\n".join([sample.text, asked.format("nofluke comp", 1), asked.format("nofluke compare --alt", 2)]), folder
    )
    assert found.split() == ["compare", "--alternative"]


@tries('{"mcpServers"')
def settings_of_an_assistant(sample: Sample, folder: Path) -> None:
    import anyio
    from mcp import Client, StdioServerParameters

    settings = json.loads(sample.text)["mcpServers"]["nofluke"]
    assert (settings["command"], settings["args"][0]) == ("nofluke", "mcp")
    server = StdioServerParameters(command="nofluke", args=["mcp", str(EXAMPLES)], env=known())

    async def tools() -> list[str]:
        async with Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    # In a thread of its own: the one of the tests may have a loop already, of the browser.
    with ThreadPoolExecutor(1) as beside:
        assert beside.submit(anyio.run, tools).result() == ["read", "compare", "rank", "replicate", "plan", "agree"]


@tries("permissions:\n")
def step_of_github(sample: Sample, folder: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    evaluated(folder)
    (step,) = yaml.safe_load(sample.text)["steps"]
    assert set(step["with"]) <= set(action["inputs"])
    done = nofluke("gate", *(f"--{name}={value}" for name, value in step["with"].items()), cwd=folder)
    assert (done.code, done.out.partition(":")[0]) == (0, "Passed"), done.err


TESTED = """
from types import SimpleNamespace

def load_items():
    return [SimpleNamespace(id=f"a{at}") for at in range(100)]

def answer(item):
    return ANSWERS[int(item.id[1:])]

grade = float
"""


def pytested(sample: Sample, folder: Path, worse_on: int, better_on: int) -> str:
    """What pytest prints of a page's test, of a candidate that differs from the baseline on so many of 100 items."""
    baseline, candidate = answers(100, worse_on, better_on)
    (folder / "eval").mkdir()
    written(folder / "eval" / "baseline.csv", {"a": baseline})
    made = f"{TESTED}\nANSWERS = {candidate.tolist()}\n\n{sample.text}"
    (folder / "test_prompts.py").write_text(made, encoding="utf-8")
    alone = ["-p", "nofluke.pytest_plugin", "-p", "no:cacheprovider", "--disable-plugin-autoload", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *alone], cwd=folder, env=known(), capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


@tries("def test_the_new_prompt_is_no_worse")
def test_in_pytest(sample: Sample, folder: Path) -> None:
    assert "1 passed" in pytested(sample, folder, 0, 10)


@tries("E   AssertionError: assert Not shown")
def failure_in_pytest(sample: Sample, folder: Path) -> None:
    """The message that the page shows is that of its test."""
    told = "def test_the_new_prompt_is_no_worse(nofluke):"
    test = next(text for text in blocks_of(ROOT / sample.page) if text.startswith(told))
    printed = pytested(Sample(sample.page, "python", test), folder, 3, 1)
    assert " ".join(sample.text.split()) in " ".join(printed.split())


def blocks_of(page: Path) -> list[str]:
    return re.findall(r"^```\w+\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@tries("baseline = ")
def settings_of_a_gate(sample: Sample, folder: Path) -> None:
    baseline, candidate = answers(4000, 10, 60)
    (folder / "gate.toml").write_text(sample.text, encoding="utf-8")
    nf.keep(nf.read({"old": io.StringIO(text_of({"sums": baseline, "rivers": baseline}))}), folder / "baseline.parquet")
    new = written(folder / "new.csv", {"sums": candidate, "rivers": candidate})
    done = nofluke("gate", "--config", "gate.toml", "--candidate", new, cwd=folder)
    assert (done.code, done.out.partition(" ")[0]) == (0, "Passed:"), done.out + done.err
    assert "average" in done.out
    assert (folder / "looks.jsonl").exists()


@contextmanager
def served(folder: Path, command: str = "nofluke serve") -> Iterator[str]:
    """The address of an app that runs as long as it is asked."""
    env = known() | {"NOFLUKE_DATA": str(folder / "data")}
    with subprocess.Popen(
        f"exec {command} --port 0", shell=True, cwd=folder, env=env, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        try:
            yield running.stderr.readline().split(" at ")[1].split()[0].rstrip("/")
        finally:
            running.terminate()


@tries("pip install 'nofluke[app")
def app(sample: Sample, folder: Path) -> None:
    """The app is started, asked for its first page, and stopped."""
    with served(folder, sample.text.splitlines()[-1]) as address:
        page = in_bash(f"curl -s --fail {RETRIED} {address}/", folder)
    assert "<title>" in page
    assert "nofluke" in page


@tries("curl -s http://127.0.0.1:8765")
def request_of_a_program(sample: Sample, folder: Path) -> None:
    with served(folder) as address:
        asked = sample.text.replace("http://127.0.0.1:8765", address).replace("curl -s", f"curl -s {RETRIED}")
        found = json.loads(in_bash(asked, folder))
    expected = nf.compare([0.61, 0.47, 0.70], [0.55, 0.50, 0.52])
    assert (found["ok"], found["result"]["test"]["p_value"]) == (True, expected.test.p_value)


@tries("nofluke study calibration scores.csv --across")
def calibration_across(sample: Sample, folder: Path) -> None:
    datasets = np.repeat(["news", "reviews", "chat"], 100)
    columns = {"dataset": datasets, "item": np.arange(300), **right_or_wrong(300, 8)}
    (folder / "scores.csv").write_text(table(columns), encoding="utf-8")
    assert "on reviews" in in_bash(sample.text, folder)


@tries("nofluke study calibration preferences.csv.gz")
def calibration_of_the_papers_kind(sample: Sample, folder: Path) -> None:
    """The three commands on data of the same form, of invented systems."""
    datasets = np.repeat(["koala", "vicuna"], 120)
    lengths = np.arange(240) % 50
    columns = {"dataset": datasets, "item": np.arange(240), "baseline_chars": lengths, **right_or_wrong(240, 6)}
    (folder / "preferences.csv.gz").write_bytes(gzip.compress(table(columns).encode()))
    (folder / "systems").mkdir()
    lines = (EXAMPLES / "outputs" / "ref.txt").read_text(encoding="utf-8").splitlines() * 5
    (folder / "ref.de.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    for at, hits in enumerate(right_or_wrong(len(lines), 4).values()):
        outputs = [line if hit else line.replace("the", "a") for line, hit in zip(lines, hits, strict=True)]
        (folder / "systems" / f"s{at}.gz").write_bytes(gzip.compress("\n".join(outputs).encode()))
    found = in_bash(sample.text, folder)
    assert "10 test sets of 100 items" in found
    assert "on vicuna" in found
    assert "100 test sets of 400 items" in found


@tries("nofluke study synthesize --example digits")
def systems_from_an_example(sample: Sample, folder: Path) -> None:
    found = in_bash(sample.text, folder)
    assert "54 systems were made from 3 models" in found
    assert "1,431 pairs of 54 systems" in found


@tries("from nofluke.studies import synthesize")
def systems_from_models(sample: Sample, folder: Path) -> None:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import NearestCentroid

    random = np.random.default_rng(2)
    y, y_test = random.integers(0, 2, 10_000), random.integers(0, 2, 200)
    names: dict[str, Any] = {
        "my_svm": NearestCentroid(),
        "my_trees": GaussianNB(),
        "y": y,
        "X": random.normal(y[:, None], 1, (10_000, 2)),
        "y_test": y_test,
        "X_test": random.normal(y_test[:, None], 1, (200, 2)),
    }
    exec(compile(sample.text, sample.page, "exec"), names)
    assert len(names["scores"].systems) == 40


TRAINER = """#!/bin/sh
drawn=$(cksum < "$1" | cut -c1-4)
awk -v at="$drawn" '{ print ((NR * 7 + at) % 11 < 3) ? "x" : $0 }' test.gold > "$3"
"""


@tries("nofluke study synthesize --train")
def systems_from_a_program(sample: Sample, folder: Path) -> None:
    """A program that is deterministic, and whose mistakes follow from the lines it is given."""
    (folder / "train.txt").write_text("".join(f"line {at}\n" for at in range(20_000)), encoding="utf-8")
    for name in ("test.txt", "test.gold"):
        (folder / name).write_text("".join(f"tag{at % 5}\n" for at in range(200)), encoding="utf-8")
    (folder / "train_and_parse.sh").write_text(TRAINER, encoding="utf-8")
    (folder / "train_and_parse.sh").chmod(0o755)
    assert "20 systems were made" in in_bash(sample.text, folder)
    assert len(nf.read(folder / "scores.csv").systems) == 20
