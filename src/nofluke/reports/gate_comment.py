"""A gate as a comment on a pull request: GitHub Markdown that is short enough, and inert whatever names it holds."""

from __future__ import annotations

import re
from dataclasses import replace

from nofluke.errors import NoflukeError
from nofluke.types import Flip, Gate, GateRow, SelfCheck, Table
from nofluke.words import gate as words
from nofluke.words import self_check as own_words
from nofluke.words.gate_rows import flips_table, flips_title, full_table, ordered
from nofluke.words.layout import visible

# GitHub takes 65,536 characters.
MOST_CHARACTERS = 60_000
_LONGEST_NOTE, _LONGEST_COMMAND, _LONGEST_NAME = 500, 2_000, 100
# Three parts of an error, in which an escape takes up to 24 characters for one.
_LONGEST_OF_ERROR = 800
# How many rows, changed items, notes and characters of the command and of a name are shown: the first that is short
# enough. An escape takes up to 24 characters for one, so the last holds whatever names there are.
_STAGES = (
    *((100, 20, 5, 2_000, 60), (50, 20, 5, 2_000, 60), (25, 20, 3, 1_000, 60), (10, 10, 1, 300, 40)),
    (3, 3, 0, 100, 15),
)
_ALERTS = {"passed": "NOTE", "worse": "CAUTION", "alarm": "CAUTION", "nothing found": "NOTE"}
_NEVER = "&ZeroWidthSpace;"
# Entities are text, never markup. GitHub looks for @names and #numbers in the text itself, so these are broken up.
_ENTITIES = {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
    "`": "&grave;",
    "|": "&vert;",
    "@": f"&commat;{_NEVER}",
    "#": f"&num;{_NEVER}",
    **{mark: f"\\{mark}" for mark in "\\*_{}[]~$!"},
}
_LINK = re.compile(r":(?=//|[\w+-]+:)|(?<=www)\.|(?<=GH)-(?=\d)", re.IGNORECASE)
_LINKS = {":": "&colon;", ".": "&period;", "-": f"-{_NEVER}"}


def inert(text: str) -> str:
    """Keep text from being read as Markdown, HTML, a mention, a reference or a link, and on one line.

    >>> inert("<b>|x` @me #12 http://a")
    '&lt;b&gt;&vert;x&grave; &commat;&ZeroWidthSpace;me &num;&ZeroWidthSpace;12 http&colon;//a'
    """
    flat = visible(" ".join(text.split()))
    places = {found.start(): _LINKS[found[0]] for found in _LINK.finditer(flat)}
    return "".join(places.get(at) or _ENTITIES.get(mark, mark) for at, mark in enumerate(flat))


def as_comment(result: Gate | SelfCheck, command: str = "") -> str:
    """Write the comment; where it would be too long rows, then items, then notes are left out."""
    if isinstance(result, SelfCheck):
        return _of_self_check(result, command)
    for rows, flips, notes, origin, longest in _STAGES:
        short = replace(_with_short_names(result, longest), signature=result.signature[:origin])
        text = f"{_marker(result.name)}\n{_comment(short, command[:origin], rows, flips, notes)}"
        if len(text) < MOST_CHARACTERS:
            break
    return text


def failure_comment(error: NoflukeError, name: str) -> str:
    """Say that nothing could be judged, why, and what to do: a gate that fails closed says so where people look."""
    said = [f"**The gate could not judge.** {_short(error.message)}"]
    said += [_short(error.where)] if error.where else []
    said += [f"Fix: {_short(error.advice('shell'))}"] if error.fix else []
    text = "\n>\n".join(f"> {line}" for line in said)
    return f"{_marker(name)}\n> [!CAUTION]\n{text}"


def _short(text: str) -> str:
    return inert(_cut(text, _LONGEST_OF_ERROR))


def _marker(name: str) -> str:
    """What finds the comment again; nothing in it can end the HTML comment."""
    plain = re.sub(r"-{2,}", "-", re.sub(r"[^\w.-]+", "-", name)).strip("-")
    return f"<!-- nofluke:{plain[:_LONGEST_NAME].strip('-') or 'gate'} -->"


def _comment(result: Gate, command: str, rows: int, flips: int, notes: int) -> str:
    alert = _ALERTS.get(result.outcome, "WARNING")
    title = f"{result.name}: " if result.name != "gate" else ""
    parts = [
        f"> [!{alert}]\n> **{inert(title + words.headline(result))}**",
        _rows(result, rows),
        *(f"**{label}** {inert(text)}" for label, text in _said(result) if text),
        "\n".join(f"- {inert(told[:_LONGEST_NOTE])}" for told in words.telling_notes(result, notes)),
        _flips(result, flips) if flips else "",
        _origin(result.signature, command),
    ]
    return "\n\n".join(part for part in parts if part)


def _said(result: Gate) -> list[tuple[str, str]]:
    return [
        ("Looks.", words.looks_sentence(result)),
        ("Average.", words.average_sentence(result)),
        ("Could catch.", words.power_sentence(result, pointing=False)),
        ("Items.", words.coverage_sentence(result)),
        ("Error rate.", " ".join(words.errors(result))),
        ("Chance.", words.chance_sentence(result)),
        ("Baseline.", words.baseline_sentence(result, always=True)),
    ]


def _rows(result: Gate, most: int) -> str:
    whole = full_table(result)
    rows = whole.rows[:most]
    left = len(whole.rows) - len(rows)
    failed = sum(row.verdict != "passed" for row in ordered(result)[len(rows) :])
    more = f"{left:,} more rows, {f'{failed:,} of them failed' if failed else 'none failed'}." if left else ""
    text = _table(replace(whole, rows=rows, caption=""))
    return "\n\n".join(filter(None, (text, more, inert(whole.caption))))


def _flips(result: Gate, most: int) -> str:
    if not result.flips:
        return ""
    shown = replace(result, flips=result.flips[:most])
    table = flips_table(shown)
    return f"<details><summary>{inert(flips_title(shown))}</summary>\n\n{_table(table)}\n\n</details>"


def _origin(signature: str, command: str) -> str:
    lines = "\n\n".join(f"<code>{inert(one)}</code>" for one in (command, signature) if one)
    return f"<details><summary>How this was judged</summary>\n\n{lines}\n\n</details>" if lines else ""


def _table(table: Table) -> str:
    if not table.rows:
        return ""
    lines = [
        "| " + " | ".join(map(inert, table.columns)) + " |",
        "|" + "|".join("---:" if name in table.figures else "---" for name in table.columns) + "|",
        *("| " + " | ".join(map(inert, row)) + " |" for row in table.rows),
    ]
    return "\n".join(lines)


def _of_self_check(result: SelfCheck, command: str) -> str:
    parts = [
        f"{_marker('self')}\n> [!{_ALERTS[result.outcome]}]\n> **{inert(own_words.headline(result))}**",
        _table(replace(own_words.table(result, 50), caption="")),
        *map(inert, own_words.sentences(result)),
        _origin(result.signature, command[:_LONGEST_COMMAND]),
    ]
    return "\n\n".join(part for part in parts if part)[: MOST_CHARACTERS - 1]


def _cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _with_short_names(result: Gate, longest: int) -> Gate:
    """Cut names that are longer than a line: a comment must end somewhere."""

    def row(one: GateRow) -> GateRow:
        return replace(one, task=_cut(one.task, longest), metric=_cut(one.metric, longest))

    def flip(one: Flip) -> Flip:
        task, metric, item = (_cut(name, longest) for name in (one.task, one.metric, one.item))
        return replace(one, task=task, metric=metric, item=item, text=_cut(one.text, 5 * longest))

    return replace(
        result,
        rows=tuple(map(row, result.rows)),
        averages=tuple(map(row, result.averages)),
        flips=tuple(map(flip, result.flips)),
        new_tasks=tuple(_cut(one, longest) for one in result.new_tasks),
        other_tasks=tuple(_cut(one, longest) for one in result.other_tasks),
        name=_cut(result.name, longest),
    )
