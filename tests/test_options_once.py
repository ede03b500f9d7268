"""An option is one line in one signature: it is in Python, shell, TOML, link, API, form and docs."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import nofluke
from support.one_more_option import ASKED, HELP, add_options, write_data

TESTS = Path(__file__).parent
# Commands of scores, all of which read files.
READING = {"compare", "rank", "replicate", "score", "test", "gate", "power curve", "power detect", "study gains"}


def surfaces(folder: Path) -> Any:
    """What a copy with an option more for verbs, methods and reading shows of them."""
    add_options(Path(nofluke.__file__).parent, folder)
    write_data(folder)
    done = subprocess.run(
        [sys.executable, str(TESTS / "support" / "one_more_option.py"), str(TESTS.parent / "docs")],
        env={"PYTHONPATH": f"{folder}:{TESTS}", "PATH": "", "COLUMNS": "100", "HOME": str(folder)},
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def expected(typed: str, action: str, page: str) -> dict[str, Any]:
    return (
        {"python": "grey"}
        | ({"help": True, "toml": [True, True]} if typed else {})
        | ({"api": ["grey", HELP], "form": ["Shade", "grey"]} if action else {})
        | ({"page": [True, True]} if page else {})
    )


def test_one_line_adds_an_option_everywhere(tmp_path: Path) -> None:
    found = surfaces(tmp_path)
    assert found["verbs"] == {name: expected(*asked) for name, asked in ASKED.items()}
    # The page that explains the API names it once for each action.
    assert found["explained"] == sum(bool(action) for _, action, _ in ASKED.values())
    assert found["report"] == [True, True, True]
    of_methods = found["methods"]
    assert sorted(of_methods["python"]) == ["bleu", "cohen_kappa", "permutation"]
    assert of_methods["docs"] == 3
    assert {"compare", "rank", "replicate", "test", "agree", "power curve", "study audit"} <= set(of_methods["help"])
    assert of_methods["pages"] == [True, True, True]
    assert of_methods["toml"] == [[True, True], [True, True]]
    of_reading = found["reading"]
    assert of_reading["python"] == ["grey", "grey"]
    assert of_reading["api"] == ["Data"]
    assert of_reading["form"] == ["Tint", "grey"]
    assert {"rank", "replicate"} <= set(of_reading["pages"])
    assert set(of_reading["help"]) >= READING
    assert of_reading["toml"] == [True, True]
    assert of_reading["read"] == 2


def test_the_command_line_has_every_option_of_aligning() -> None:
    from nofluke.align import pair, select
    from nofluke.cli.options import Inputs
    from nofluke.options import options_of

    known = {option.name: option for option in options_of(Inputs)}
    for option in (*options_of(select), *options_of(pair)):
        assert option.name in known
        # A command's metric may score the outputs, too.
        assert option.name == "metric" or (known[option.name].default, known[option.name].opt) == (
            option.default,
            option.opt,
        )


def test_no_help_of_the_command_line_is_written_twice() -> None:
    calls = [
        call
        for path in (Path(nofluke.__file__).parent / "cli").glob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("Opt", "typer.Option", "typer.Argument")
    ]
    texts = [text for call in calls for text in (*call.args[:1], *(one.value for one in call.keywords))]
    helps = [text.value for text in texts if isinstance(text, ast.Constant) and " " in str(text.value)]
    assert len(helps) > 40
    assert [text for text, times in Counter(helps).items() if times > 1] == []


@pytest.mark.parametrize("verb", [nofluke.rank, nofluke.score], ids=lambda verb: verb.__name__)
def test_what_is_described_is_found_behind_decorators_in_every_python(verb: Any) -> None:
    """Until 3.13 functools.wraps takes over the annotations, from 3.14 on the function that makes them."""
    assert verb.__annotations__
    assert verb.__annotate__(1) == verb.__annotations__
