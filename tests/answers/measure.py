"""`python -m tests.answers.measure` says how long and how wide the answer of every command is, by default.

The aim: an answer fits 15 lines of 80 columns, a ranking 15 rows and ten lines; --details asks for more. A comparison
on six datasets fits 15 lines, and may have one more for each further row of its table: eight datasets at most, and the
line that counts the others. Each command runs twice in this process, into a pipe and on a terminal of 80 columns; what
goes to stderr is counted apart. `--show` prints the answers too; words after it choose commands.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

os.environ["NOFLUKE_CACHE"] = "off"
sys.path.insert(0, str(Path(__file__).parent.parent))

from freeze.cases.docs import COMMAND, COMPUTED, EXAMPLES
from freeze.cases.real import DATA
from freeze.store import stored
from nofluke.cli.main import main as nofluke

LINES, COLUMNS = 15, 80
# A ranking has ten lines beside its rows, of which at most fifteen are shown.
RANKING = 25
# Headings, six datasets and their average: a longer table makes a comparison longer by as much.
DATASETS = 8
STYLE = re.compile("\x1b\\[[0-9;]*m")  # bold and dim, which take no room
# Shapes of answers that the docs do not show.
MORE = (
    "compare translation.csv --alternative greater",
    "compare translation.csv --margin 0.01",
    "compare translation.csv --lower-is-better",
    "compare translation.csv --method wilcoxon",
    "compare translation.csv --method sign",
    "compare domains.csv --dataset news",
    "rank shared-task.csv",
    "rank leaderboard.csv --adjust max_t",
    "replicate domains.csv --alternative greater",
    "power plan --test sign --prob-a-better 0.6",
    "methods",
    "demo",
)
# Files of two systems, of many, of many datasets, of annotators, and of outputs with their gold standard.
REAL = (
    "compare nlpstattest_wmt17_zhen_pair/scores.csv",
    "test nlpstattest_wmt17_zhen_pair/scores.csv --method wilcoxon",
    "power detect nlpstattest_wmt17_zhen_pair/scores.csv",
    "power curve nlpstattest_wmt17_zhen_pair/scores.csv --difference 0.005 --iterations 50",
    "rank ir_trec_adhoc8/adhoc8_ap.csv",
    "study gains ir_trec_adhoc8/adhoc8_ap.csv",
    "replicate --metric accuracy multi_marc_xnli_two_systems/predictions.csv.gz --columns gold=gold "
    "--columns dataset=dataset,language",
    "replicate multi_uci_54x5/accuracies.csv.gz --a aode --b nbc --columns run=run --columns item=fold",
    "rank multi_conll17_treebanks/las.csv --columns dataset=treebank",
    "agree iaa_snow2008/irr_diagnoses.csv",
    "agree iaa_snow2008/rte.csv",
    "score --metric rouge_l --gold sum_compare_mt/ref.txt.gz sum_compare_mt/sys1.txt.gz sum_compare_mt/sys2.txt.gz",
    "compare --metric rouge_l --gold sum_compare_mt/ref.txt.gz sum_compare_mt/sys1.txt.gz sum_compare_mt/sys2.txt.gz",
    "compare --metric las --gold parsing_conll18_en_pud/gold.conllu.gz "
    "parsing_conll18_en_pud/systems/Stanford-18.conllu.gz parsing_conll18_en_pud/systems/ICS-PAS.conllu.gz",
)


@dataclass(frozen=True)
class Answer:
    """What one command wrote."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> int:
        return len(self.out.rstrip("\n").split("\n"))

    @property
    def widest(self) -> int:
        return max(map(width, self.out.split("\n")))

    @property
    def remarks(self) -> int:
        return len(self.err.splitlines())


def width(line: str) -> int:
    """Columns on a screen: wide letters take two, marks above a letter none."""
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in STYLE.sub("", line).rstrip()
    )


class Screen(io.StringIO):
    """A terminal that remembers what was written on it."""

    def isatty(self) -> bool:
        return True


def commands() -> Iterator[tuple[Path, str]]:
    """Give every command and the folder it is typed in; those on real data where these lie beside the repository.

    The commands of the docs are those that were frozen: editing a page does not change what is measured.
    """
    shown = [name.removeprefix(COMMAND) for name in stored()["cases"] if name.startswith(COMMAND)]
    yield from ((EXAMPLES, line) for line in dict.fromkeys([*shown, *MORE]))
    if DATA.is_dir():
        yield from ((DATA, line) for line in REAL)


def answer(line: str, folder: Path, *, on_screen: bool = False) -> Answer:
    """Run a command as it is typed, into a pipe or on a screen without colour."""
    out, err, code = Screen() if on_screen else io.StringIO(), io.StringIO(), 0
    term = {"TERM": "xterm"} if on_screen else {"TERM": "dumb"}
    settings = {"COLUMNS": str(COLUMNS), "LINES": "40", "NO_COLOR": "1", **term}
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.dict(os.environ, settings),
        mock.patch("sys.stdin", io.StringIO()),
        contextlib.chdir(folder),
    ):
        try:
            nofluke(shlex.split(line))
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Answer(code, out.getvalue(), err.getvalue())


def main() -> None:
    """Print the table of all answers, and how many of them fit."""
    show = "--show" in sys.argv
    wanted = [word for word in sys.argv[1:] if word != "--show"]
    rows: list[tuple[Answer, Answer, str]] = []
    for folder, line in commands():
        if not all(word in line for word in wanted):
            continue
        piped, seen = answer(line, folder), answer(line, folder, on_screen=True)
        assert piped.code in COMPUTED, f"nofluke {line}: {piped.err}"
        rows.append((piped, seen, line))
        if show:
            print(f"$ nofluke {line}\n{seen.out}")
    print("   pipe        terminal    stderr")
    print("lines widest  lines widest  lines  exit  fits  command")
    fitting = []
    for piped, seen, line in rows:
        sizes = f"{piped.lines:5} {piped.widest:6}  {seen.lines:5} {seen.widest:6}  {seen.remarks:5}"
        long = any(one.lines > most(line, one) for one in (piped, seen))
        fits = not long and max(piped.widest, seen.widest) <= COLUMNS
        fitting += [] if "--details" in line else [fits]
        word = "long" if "--details" in line else "yes" if fits else "no"
        print(f"{sizes}  {piped.code:4}  {word:4}  nofluke {line}")
    asked = len(rows) - len(fitting)
    print(
        f"{sum(fitting)} of {len(fitting)} default answers fit their lines and {COLUMNS} columns; {asked} ask for more"
    )


def most(line: str, found: Answer) -> int:
    """How many lines the answer of a command may have."""
    if line.startswith("rank "):
        return RANKING
    _, table, *_ = (*found.out.split("\n\n"), "")
    return LINES + max(0, table.count("\n") + 1 - DATASETS) * (
        line.startswith("compare ") and " datasets:" in found.out
    )


if __name__ == "__main__":
    main()
