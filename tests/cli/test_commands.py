"""The commands as a user runs them."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.cli.main import COMMANDS, _tell
from nofluke.option_groups import Aligning
from nofluke.options import options_of
from nofluke.progress import progress_bar
from support.command_line import nofluke
from support.snapshots import check_snapshot

ROWS = [(0.31, 0.25), (0.5, 0.5), (0.75, 0.5), (0.2, 0.3), (0.9, 0.4), (0.6, 0.3), (0.44, 0.41), (0.8, 0.7), (0.3, 0.1)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wide.csv").write_text("item,new,old\n" + "".join(f"q{i},{a},{b}\n" for i, (a, b) in enumerate(ROWS)))
    (tmp_path / "pairs.txt").write_text("".join(f"{a}\t{b}\n" for a, b in ROWS))
    (tmp_path / "a.txt").write_text("".join(f"{a}\n" for a, _ in ROWS))
    (tmp_path / "b.txt").write_text("".join(f"{b}\n" for _, b in ROWS))
    (tmp_path / "wer.csv").write_text(
        "item,system,wer\n"
        + "".join(
            f"q{i},{name},{score}\n"
            for i, pair in enumerate(ROWS)
            for name, score in zip(("new", "old"), pair, strict=True)
        )
    )
    return tmp_path


def test_a_file_without_a_command_is_told_which(folder: Path) -> None:
    run = nofluke("wide.csv", cwd=folder)
    assert run.code == 2
    assert "nofluke compare wide.csv" in run.err


def test_compare_reads_like_an_answer(folder: Path) -> None:
    run = nofluke("compare", "wide.csv", cwd=folder)
    assert run.code == 0
    check_snapshot("compare", run.out)
    check_snapshot("compare_remarks", run.err)


def test_test_reads_like_an_answer(folder: Path) -> None:
    run = nofluke("test", "wide.csv", "--method", "paired_t", cwd=folder)
    check_snapshot("test_paired_t", run.out)


def test_methods_and_demo(folder: Path) -> None:
    assert "paired_t: Is the mean difference" in nofluke("methods", "--kind", "test").out
    assert len(nofluke("methods").out.splitlines()) <= 15
    demo = nofluke("demo")
    assert demo.code == 0
    assert "Note    These scores are simulated, not measured." in demo.out
    assert demo.out == nofluke("demo").out


def test_the_shell_and_the_library_give_the_same_numbers(folder: Path) -> None:
    shell = json.loads(nofluke("compare", "wide.csv", "--format", "json", cwd=folder).out)
    library = nf.compare([a for a, _ in ROWS], [b for _, b in ROWS])
    assert shell["ok"] is True
    assert shell["schema"] == 2
    assert shell["test"]["p_value"] == library.test.p_value
    assert shell["test"]["interval"]["low"] == library.test.interval.low  # type: ignore[union-attr]
    assert shell["systems"] == ["new", "old"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["pairs.txt"],
        ["a.txt", "b.txt"],
        ["new=a.txt", "old=b.txt"],
        ["wide.csv"],
        ["wide.csv", "--a", "new", "--b", "old"],
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_every_way_to_give_the_same_scores_gives_the_same_p(arguments: list[str], folder: Path) -> None:
    answer = json.loads(nofluke("compare", *arguments, "--format", "json", cwd=folder).out)
    assert answer["test"]["p_value"] == nf.compare([a for a, _ in ROWS], [b for _, b in ROWS]).test.p_value


def test_stdin(folder: Path) -> None:
    run = nofluke("compare", "-", "--format", "json", stdin=(folder / "wide.csv").read_bytes())
    assert json.loads(run.out)["n"] == len(ROWS)


def test_swapping_a_and_b_turns_the_verdict(folder: Path) -> None:
    forward = json.loads(nofluke("compare", "wide.csv", "--format", "json", cwd=folder).out)
    backward = json.loads(
        nofluke("compare", "wide.csv", "--a", "old", "--b", "new", "--format", "json", cwd=folder).out
    )
    assert forward["test"]["estimate"] == -backward["test"]["estimate"]
    assert forward["test"]["p_value"] == backward["test"]["p_value"]


def test_lower_is_better_by_name_and_by_option(folder: Path) -> None:
    by_name = json.loads(nofluke("compare", "wer.csv", "--format", "json", cwd=folder).out)
    assert by_name["higher_is_better"] is False
    assert by_name["test"]["estimate"] < 0
    overruled = json.loads(nofluke("compare", "wer.csv", "--higher-is-better", "--format", "json", cwd=folder).out)
    assert overruled["test"]["estimate"] > 0
    by_option = json.loads(nofluke("compare", "wide.csv", "--lower-is-better", "--format", "json", cwd=folder).out)
    assert by_option["test"]["estimate"] == by_name["test"]["estimate"]


def test_a_saved_config_repeats_the_run(folder: Path) -> None:
    typed = [
        "wide.csv",
        "--a",
        "old",
        "--method",
        "permutation",
        "--monte-carlo",
        "999",
        "--seed",
        "5",
        "--alpha",
        "0.1",
    ]
    first = nofluke("compare", *typed, "--format", "json", "--save-config", "run.toml", cwd=folder)
    saved = tomllib.loads((folder / "run.toml").read_text())
    assert saved == {
        "command": "compare",
        "files": ["wide.csv"],
        "a": "old",
        "b": "new",
        "format": "json",
        "method": "permutation",
        "alpha": 0.1,
        "seed": 5,
        "monte_carlo": 999,
    }
    again = json.loads(nofluke("compare", "--config", "run.toml", cwd=folder).out)
    # The file names both systems, and with it the command of its run.
    assert {**again, "run": ""} == {**json.loads(first.out), "run": ""}
    typed_wins = nofluke("compare", "--config", "run.toml", "--alpha", "0.2", cwd=folder)
    assert json.loads(typed_wins.out)["alpha"] == 0.2


def test_output_goes_to_the_file_and_nothing_else_is_written(folder: Path) -> None:
    before = set(folder.iterdir())
    run = nofluke("compare", "wide.csv", "-o", "out.txt", cwd=folder)
    assert run.out == ""
    assert (folder / "out.txt").read_text().startswith("new is better than old: +0.149")
    assert set(folder.iterdir()) - before == {folder / "out.txt"}


def test_quiet_says_nothing_on_stderr(folder: Path) -> None:
    assert nofluke("compare", "wide.csv", "-q", cwd=folder).err == ""


def test_same_seed_same_bytes(folder: Path) -> None:
    command = [
        "test",
        "wide.csv",
        "--method",
        "permutation",
        "--monte-carlo",
        "5000",
        "--seed",
        "3",
        "--format",
        "json",
    ]
    assert nofluke(*command, cwd=folder).out == nofluke(*command, cwd=folder).out


def test_version_and_module_entry() -> None:
    assert nofluke("--version").out == f"nofluke {nf.__version__}\n"
    run = subprocess.run([sys.executable, "-m", "nofluke", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"nofluke {nf.__version__}\n"


def test_a_closed_pipe_is_no_error(folder: Path) -> None:
    command = f"{sys.executable} -m nofluke methods --details | head -n 1"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert run.stdout.startswith("test\n")
    assert "Traceback" not in run.stderr
    assert "BrokenPipe" not in run.stderr


def test_a_full_disk_is_told_without_a_traceback(folder: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "nofluke", "compare", "wide.csv", "-q"]
        run = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr == "error: the result cannot be written: No space left on device.\n"


def started(folder: Path, *command: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "nofluke", *command],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def ended_quietly(process: subprocess.Popen[bytes]) -> bool:
    told = b"".join(process.communicate(timeout=60))
    return process.returncode == 130 and b"Traceback" not in told and len(told.splitlines()) <= 1


def processor_seconds(process: subprocess.Popen[bytes]) -> float:
    return sum(map(int, Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / 100


@pytest.mark.parametrize("stage", ["reading", "computing"])
def test_an_interrupt_ends_quietly(folder: Path, stage: str) -> None:
    os.mkfifo(folder / "scores.csv")
    draws = ("--method", "permutation", "--monte-carlo", "900000000", "-q")
    process = started(folder, "test", "scores.csv", *draws)
    # Opening the pipe waits until the command has opened it as well: it is up and reads, however slow the machine.
    with (folder / "scores.csv").open("w") as pipe:
        if stage == "computing":
            pipe.write("item,new,old\n" + "".join(f"q{i},{i * 37 % 101},{i * 53 % 97}\n" for i in range(90)))
        else:
            process.send_signal(signal.SIGINT)
            assert ended_quietly(process)
            return
    read = processor_seconds(process)
    while processor_seconds(process) < read + 1.0 and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert ended_quietly(process)


@pytest.mark.parametrize("module", ["typer", "numpy"])
def test_an_interrupt_while_modules_load_ends_quietly(folder: Path, module: str) -> None:
    # A module of that name that gets the signal while it is imported.
    (folder / "early").mkdir()
    (folder / "early" / f"{module}.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    path = os.pathsep.join([str(folder / "early"), os.environ.get("PYTHONPATH", "")])
    assert ended_quietly(started(folder, "compare", "wide.csv", PYTHONPATH=path))


def test_the_overview_shows_every_question_whole() -> None:
    shown = " ".join(nofluke("--help").out.split())
    for question in COMMANDS.values():
        assert question in shown


@pytest.mark.parametrize("command", ["compare", "agree", "report", "serve", "demo"])
def test_how_to_get_help_stands_last_in_the_help(command: str) -> None:
    assert nofluke(command, "--help").out.rstrip().splitlines()[-1].startswith("  -h, --help")


def test_the_demo_introduces_itself_within_80_columns() -> None:
    assert max(map(len, nofluke("demo").err.splitlines())) <= 80


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NO_PICTURES = (
    ("correct", "0.01", "0.02"),
    ("power", "plan", "--difference", "0.1", "--sd", "1"),
    ("power", "detect", "--n", "100", "--sd", "1"),
    ("score", str(EXAMPLES / "translation.csv"), "--interval"),
    ("read", str(EXAMPLES / "translation.csv")),
)


@pytest.mark.parametrize("words", NO_PICTURES, ids=lambda words: " ".join(words[:2]))
def test_no_picture_is_offered_of_what_has_none(words: tuple[str, ...]) -> None:
    run = nofluke(*words)
    assert run.code == 0
    assert "a page: -o report.html" in run.err
    assert "pictures" not in run.err
    command = words[:2] if words[0] == "power" else words[:1]
    assert "--chart" not in nofluke(*command, "--help").out
    assert nofluke(*words, "--chart", "x.svg").code == 2


def test_help_offers_what_a_command_takes() -> None:
    ranked, listed, served = (nofluke(name, "--help").out for name in ("rank", "methods", "serve"))
    assert re.search(r"--a\b(?!l)|--b\b", ranked) is None
    assert "pairwise" in ranked
    assert all("pairwise" not in nofluke(name, "--help").out for name in ("compare", "test", "replicate"))
    assert "--chart" not in listed
    assert "latex" not in listed
    assert "Test:" not in served
    assert "--port N" in served
    assert json.loads(nofluke("methods", "--format", "json").out)["ok"]
    # A request says by `score_by` what gold answers are scored by.
    assert "to score by" in " ".join(nofluke("compare", "--help").out.split())
    assert not any("score by" in option.help for option in options_of(Aligning))


@pytest.mark.parametrize("command", ["compare", "rank", "replicate", "power curve"])
def test_help_says_that_folders_of_logs_are_read(command: str) -> None:
    assert "folders of logs" in " ".join(nofluke(*command.split(), "--help").out.split())


@pytest.mark.parametrize("command", [("test",), ("power", "plan")])
def test_help_names_options_as_they_are_typed(command: tuple[str, ...]) -> None:
    said = nofluke(*command, "--help").out
    assert not re.search(r"\b(run_sd|stop_alpha|stop = )", said)
    assert re.search(r"(below|with)\s+--(stop-alpha|run-sd)", said)


def test_options_of_a_metric_are_refused_where_there_is_none() -> None:
    run = nofluke("score", str(EXAMPLES / "translation.csv"), "--interval", "--metric-option", "x=1")
    assert run.code == 2
    assert "--metric-option would change nothing here" in run.err


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_errors_are_broken_where_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    error = nf.InputError("a word " * 40, where="file.csv", fix="another word " * 30)
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("COLUMNS", "100")
    _tell(error, ["demo"])
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  fix: ") for line in lines) == 1
    assert " ".join(screen.getvalue().split()) == " ".join(f"error: {error.said('shell')}".split())


def test_a_dumb_terminal_gets_no_empty_line_for_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "dumb")
    with progress_bar("testing", quiet=False):
        pass
    assert screen.getvalue() == ""
