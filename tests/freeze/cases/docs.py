"""The examples of the docs and the README, as they were when the numbers were stored.

A command is asked for its result as a JSON file, which is read back, so that nothing but the public way in and out is
used. What the pages said stands in the store: an example that is edited later does not change what is asked here.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import numbers
import re
import shlex
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import nofluke as nf
from freeze.cases import Cases
from nofluke.types import Value
from support.command_line import nofluke

ROOT = Path(__file__).parent.parent.parent.parent
EXAMPLES = ROOT / "docs" / "examples"
COMMAND, PYTHON = "$ nofluke ", ">>> "
# Exit 3: computed, and the claim that was required is not supported.
COMPUTED = (0, 3)
# What a result is written to, and what takes a result from elsewhere, is no part of the numbers.
WITH_VALUE = ("-o", "--output", "--format", "--save-config", "--chart")
ALONE = ("-q", "--quiet")
# Python that writes files, and the study that takes seconds and stands beside its command.
LEFT_OUT = ("/tmp", "calibration(")


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


# A command with what is printed below it.
_COMMAND = re.compile(r"^\$ nofluke (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)


def written_now() -> tuple[list[str], dict[str, str]]:
    """Give the commands of the pages that compute something as names of cases, and the Python of each page likewise."""
    commands, sources = set(), {}
    for page in pages():
        text = page.read_text(encoding="utf-8")
        commands |= {_line(command) for command, said in _COMMAND.findall(text) if "\nerror: " not in f"\n{said}"}
        examples = doctest.DocTestParser().get_examples(text)
        if examples and not any(left_out in example.source for example in examples for left_out in LEFT_OUT):
            sources[PYTHON + page.relative_to(ROOT).as_posix()] = "".join(map(_prompted, examples))
    return sorted(commands - {""}), sources


def _prompted(example: doctest.Example) -> str:
    return ">>> " + "\n... ".join(example.source.rstrip("\n").split("\n")) + "\n"


def _line(command: str) -> str:
    """The command itself: without what follows in the shell, and without the choice of an output."""
    words = shlex.split(re.split(r" [|;] |; ", command)[0])
    kept, skip = [], False
    for word in words:
        if skip or word in WITH_VALUE:
            skip = not skip
        elif word not in ALONE:
            kept.append(word)
    given = "--help" in kept or "--config" in kept or kept[0] in ("report", "serve", "methods", "demo")
    return "" if given else COMMAND + shlex.join(kept)


def cases(commands: list[str], sources: dict[str, str]) -> Cases:
    """Make the cases of what `written_now` gave once."""
    found: Cases = {name: partial(_run, name.removeprefix(COMMAND)) for name in commands}
    return found | {name: partial(_played, source) for name, source in sources.items()}


def _run(line: str) -> Value:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        run = nofluke(*shlex.split(line), "-q", "-o", str(file), cwd=EXAMPLES)
        assert run.code in COMPUTED, run.err
        return nf.load(file)


def _played(source: str) -> dict[str, Any]:
    """Run a page's Python and give what its expressions and names hold in the end."""
    names: dict[str, Any] = {"__name__": "example"}
    shown: list[Any] = []
    with contextlib.chdir(EXAMPLES), contextlib.redirect_stdout(io.StringIO()):
        for example in doctest.DocTestParser().get_examples(source):
            try:
                code = compile(example.source, "<docs>", "eval")
            except SyntaxError:
                exec(compile(example.source, "<docs>", "exec"), names)
            else:
                shown.append(eval(code, names))
    facts = {name: value for name, value in names.items() if isinstance(value, Value | numbers.Real)}
    return {"shown": [value for value in shown if not isinstance(value, str)], **facts}
