"""Write the generated parts of the documentation, or check that they are current.

Seven things are generated: docs/methods.md from the registry, docs/rules.md from the rule table, docs/cli.md from the
commands' help, the charts of the README, the pictures of docs/studies, what the notebooks give, and the output below
every `$ nofluke ...` line of a console block (run in a copy of docs/examples). `--check` changes nothing and fails when
something is out of date, when an example of a Python block prints something else, when a command or an option is shown
that does not exist, or when a link points nowhere.
`--methods [NAME]` writes the first two alone, which takes a second, and prints what the page now says of NAME.
docs/app_picture.py photographs the app for the README. Blocks that are neither console nor Python prompt are run by
tests/test_docs.py, which also finds those that nobody runs.
"""

from __future__ import annotations

import atexit
import contextlib
import doctest
import inspect
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from unittest import mock

import typer
from docstrings import markdown, table
from notebooks import executed, said
from study_pictures import PICTURES, TRAINED, drawn

import nofluke as nf
from nofluke.cli.main import COMMANDS
from nofluke.cli.main import main as main_of_nofluke
from nofluke.inference.recommend.default import RULES
from nofluke.registry import FORMATS, REGISTRIES, Method, named
from nofluke.types import note

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
TERMINAL = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}
CONSOLE = re.compile(r"(```console\n)(.*?)(```)", re.DOTALL)
# Pages that are only made when the site is built (docs/build_site.py), which follows every link and anchor.
BUILT = {DOCS / "python.md", DOCS / "gallery.md"}
BLOCK = re.compile(r"^ *```([^\n`]*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`(nofluke\s[^`]+)`")
LINE = re.compile(r"^ *(?:\$ )?(nofluke .+)$", re.MULTILINE)
FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
WORDS = re.compile(r"<text[^>]*>([^<]*)<")
# Pictures of the README -> the command line and the chart.
PICTURED = {
    "answer.svg": ("nofluke compare translation.csv", "interval"),
    "ranks.svg": ("nofluke rank leaderboard.csv", "rank_ranges"),
}
COMPLETED = """Commands and options are completed in bash, zsh and fish. In `~/.bashrc` (`source_zsh` in `~/.zshrc`):

```sh
eval "$(_NOFLUKE_COMPLETE=source_bash nofluke)"
```"""
KINDS = {
    "test": "Significance tests",
    "effect": "Effect sizes",
    "metric": "Metrics",
    "correlation": "Two correlations with one gold standard",
    "association": "One correlation",
    "correction": "Corrections for many tests",
    "combination": "Combinations of p-values",
    "omnibus": "All systems at once",
    "agreement": "Agreement of annotators",
    "posterior": "Bayesian answers",
}


def pages() -> list[Path]:
    """All hand-written and generated pages, also those that lie beside what they are about."""
    beside = ("release/README.md", "benchmarks/RESULTS.md")
    return [*sorted(ROOT.glob("*.md")), *(ROOT / page for page in beside), *sorted(DOCS.rglob("*.md"))]


def runs(page: str, language: str, block: str) -> bool:
    """Whether a block is run or written here, every line of it: `$ nofluke ...`, `>>> ...`, or the help."""
    lines = block.strip("\n").splitlines()
    asked = [line for line in lines if line.startswith("$ ")]
    if language == "console":
        return lines[0] in asked and all(line.startswith("$ nofluke ") and line[-1] != "\\" for line in asked)
    if language == "python":
        return lines[0].lstrip().startswith(">>> ")
    return (page, language) == ("docs/cli.md", "text")


@cache
def workplace() -> Path:
    """A copy of docs/examples that is thrown away: examples write files beside those they read."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    return shutil.copytree(EXAMPLES, Path(folder) / "examples")


def run(command: str) -> str:
    """Give what a shell line prints, for a reader who types it in docs/examples."""
    with contextlib.chdir(workplace()), mock.patch.dict(os.environ, TERMINAL):
        printed = _in_a_shell(command) if set(command) & set("|&;<>$") else _in_this_process(command)
    return "\n".join(line.rstrip() for line in printed.splitlines()) + "\n"


def _in_a_shell(command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    finished = subprocess.run(
        command,
        shell=True,
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return finished.stdout


def _in_this_process(command: str) -> str:
    """Starting Python anew takes longer than most commands do."""
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        contextlib.suppress(SystemExit),
    ):
        main_of_nofluke(shlex.split(command)[1:])
    return printed.getvalue()


def refresh_examples(text: str) -> str:
    """Put the real output below every command of the console blocks."""

    def fresh(match: re.Match[str]) -> str:
        commands = [line for line in match[2].splitlines() if line.startswith("$ nofluke")]
        if not commands:
            return match[0]
        return match[1] + "\n".join(f"{command}\n{run(command[2:])}" for command in commands) + match[3]

    return CONSOLE.sub(fresh, text)


def methods_page() -> str:
    """The page of all registered methods."""
    lines = [
        "# Methods",
        "",
        "This page is generated from the registry (`make docs`); `nofluke methods` lists them too.",
    ]
    for kind, entries in nf.methods().items():
        lines += ["", f"## {KINDS[kind]}"]
        for method in entries:
            lines += ["", *_method(method)]
    return "\n".join(lines) + "\n"


def _method(method: Method) -> list[str]:
    usual = REGISTRIES[method.kind].usual
    facts = {name: value for name, value in method.facts.items() if value not in ("", None, usual.get(name))}
    lines = [f"### `{method.name}`", "", f"*{method.label}.* {method.summary}", ""]
    lines += [f"- {name.replace('_', ' ')}: {_fact(value)}" for name, value in facts.items()]
    lines.append(f"- cite: {method.cite}")
    # Formulas, assumptions and when not to use it stand in the docstring, below the question.
    _question, _, said = (inspect.getdoc(method.function) or "").partition("\n")
    lines += ["", markdown(said.partition(">>>")[0])] if said.partition(">>>")[0].strip() else []
    return [*lines, "", *table(method.options)] if method.options else lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _fact(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        texts = all(isinstance(part, str) for part in value)
        return ", ".join(value) if texts else " to ".join(f"{part:g}" for part in value)
    return f"{value:g}" if isinstance(value, float) else named(str(value), ("A", "B"))


def rules_page() -> str:
    """The table of the default rules, as `recommend` applies them."""
    lines = [
        "# Which test? The default rules",
        "",
        "This page is generated from the rule table (`make docs`). For each test the first row that applies decides.",
        "The rules look only at what stays the same when A and B are swapped on any items;",
        "[the default test](decisions/default-test.md) says why.",
        "",
        "| when | test | verdict | reason | source |",
        "|---|---|---|---|---|",
    ]
    rows = [
        f"| {_cell(r.when)} | `{r.method}` | {r.verdict} | {_cell(str(note(r.reason)))} | {_cell(r.citation)} |"
        for r in RULES
    ]
    return "\n".join([*lines, *rows]) + "\n"


def subcommands(name: str) -> list[str]:
    """The commands of a group such as `power`, in full."""
    found = import_module(f"nofluke.cli.{name}").command()
    if not isinstance(found, typer.Typer):
        return []
    return [f"{name} {one.name}" for one in found.registered_commands]


def cli_page() -> str:
    """The page of all commands with their help."""
    parts = ["# Command line\n", "This page is generated from the commands' help (`make docs`).\n", f"{COMPLETED}\n"]
    for command in ("", *(part for name in COMMANDS for part in (name, *subcommands(name)))):
        line = f"nofluke {command}".strip() + " --help"
        parts.append(f"## `{line}`\n\n```text\n{run(line)}```\n")
    return "\n".join(parts)


def broken_links(page: Path) -> list[str]:
    """Links to files that are not there."""
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target and not target.startswith("mailto:")]
    there = [target for target in local if (page.parent / target).exists() or (page.parent / target).resolve() in BUILT]
    return [f"{page.relative_to(ROOT)}: link to {target}" for target in local if target not in there]


def strange_commands(text: str, helps: str) -> list[str]:
    """Commands of a page, also those that are not run, that the page of all help does not know, or their options."""
    known = {part.partition(" --help")[0]: part for part in helps.split("## `nofluke ")[1:]}
    blocks = "\n".join(block for _, block in BLOCK.findall(text)).replace("\\\n", " ")
    found = []
    for shown in (*SPAN.findall(BLOCK.sub("", text)), *LINE.findall(blocks)):
        first = re.split(r"\s[|;#]|&&|;", " ".join(shown.split()))[0].removeprefix("nofluke ")
        words = first.split()
        if not words or words[0].startswith("-"):
            continue
        command = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
        if command not in known:
            found.append(f"nofluke has no {command}")
            continue
        flags = set(FLAG.findall(known[command]))
        found += [f"nofluke {command} has no {flag}" for flag in FLAG.findall(first) if flag not in flags]
    return found


def failing_examples(page: Path) -> list[str]:
    """Python examples that print something else than the page says."""
    here = Path.cwd()
    os.chdir(workplace())
    try:
        flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        found = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    finally:
        os.chdir(here)
    return [f"{page.relative_to(ROOT)}: {found.failed} Python example(s) fail"] if found.failed else []


def alike(page: Path, current: str, text: str) -> bool:
    """Whether a page says the same; in pictures the words count, as places of letters depend on the fonts."""
    if page.suffix == ".ipynb":
        return bool(current) and said(current) == said(text)
    if page.suffix != ".svg":
        return current == text
    return WORDS.findall(current) == WORDS.findall(text)


def from_registries() -> dict[Path, str]:
    """The pages of methods, rules and help, which need no answer of a command."""
    return {DOCS / "methods.md": methods_page(), DOCS / "rules.md": rules_page(), DOCS / "cli.md": cli_page()}


def write_methods(name: str) -> int:
    """Write the pages of the registries, and print the row of a method."""
    rows = [method for entries in nf.methods().values() for method in entries if method.name == name]
    if name and not rows and name not in FORMATS:
        print(f"no method is called {name}: is its file imported in the __init__.py of its room?")
        return 1
    for page, text in from_registries().items():
        page.write_text(text, encoding="utf-8")
    for method in rows:
        print("\n".join(_method(method)))
    return 0


def main() -> int:
    """Write, or with --check compare; give the number of problems."""
    check = "--check" in sys.argv
    if "--methods" in sys.argv:
        return write_methods("".join(sys.argv[2:]))
    wanted = from_registries()
    wanted |= {DOCS / "images" / picture: drawn(command, run, chart) for picture, (command, chart) in PICTURED.items()}
    # What is trained may come out slightly otherwise on another machine; it is drawn anew, but not compared.
    wanted |= {
        DOCS / "studies" / picture: drawn(command, run)
        for picture, command in PICTURES.items()
        if not (check and picture in TRAINED)
    }
    wanted |= {page: executed(page, EXAMPLES) for page in sorted(DOCS.glob("notebooks/*.ipynb"))}
    for page in pages():
        if page not in wanted:
            wanted[page] = refresh_examples(page.read_text(encoding="utf-8"))
    problems = []
    for page, text in wanted.items():
        current = page.read_text(encoding="utf-8") if page.exists() else ""
        if check and alike(page, current, text):
            continue
        if current != text and check:
            problems.append(f"{page.relative_to(ROOT)} is out of date: run `make docs`")
        elif current != text:
            page.write_text(text, encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}")
    for page in pages():
        problems += broken_links(page) + failing_examples(page)
        # What has changed is told of commands as they were, or as they are wrongly typed.
        text = "" if page.name == "CHANGELOG.md" else page.read_text(encoding="utf-8")
        strange = strange_commands(text, wanted[DOCS / "cli.md"])
        problems += [f"{page.relative_to(ROOT)}: {one}" for one in strange]
    for problem in problems:
        print(problem)
    print(f"{len(wanted)} pages, {len(problems)} problems")
    return min(len(problems), 1)


if __name__ == "__main__":
    sys.exit(main())
