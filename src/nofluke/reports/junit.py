"""A gate as JUnit XML, which GitLab, Jenkins and others show: one test case per task and metric."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from nofluke.errors import NoflukeError
from nofluke.types import Gate, GateRow, SelfCheck
from nofluke.words import self_check as own_words
from nofluke.words.gate_rows import row_sentence

# What XML 1.0 cannot hold, however it is written.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(result: Gate | SelfCheck) -> str:
    """Write a test case for every row: a failure where a loss is shown or not ruled out, an error where it is blind."""
    if isinstance(result, SelfCheck):
        said = {} if result.outcome != "alarm" else {"failure": own_words.headline(result)}
        return _written("self", [_case("self", own_words.title(result), said, "alarm")])
    shared = {"task", "metric"}
    cases = [
        _case(result.name, _name(row), _wrong(row, result), row.verdict, {name: getattr(row, name) for name in shared})
        for row in result.every
    ]
    return _written(result.name, cases)


def failure_junit(error: NoflukeError, name: str) -> str:
    """Write the one test case of a gate that could not judge."""
    return _written(name, [_case(name, "gate", {"error": error.said("shell")}, "InputError")])


def _name(row: GateRow) -> str:
    task = f"average of {row.averaged:,}" if row.averaged else row.task
    return " ".join(filter(None, (task, row.metric)))


def _wrong(row: GateRow, result: Gate) -> dict[str, str]:
    """The kind of what went wrong, with its message; nothing where the row passed."""
    if row.verdict == "passed":
        return {}
    return {"error" if row.verdict == "blind" else "failure": row_sentence(row, result)}


def _case(suite: str, name: str, wrong: dict[str, str], kind: str, facts: dict[str, str] | None = None) -> Element:
    case = Element("testcase", classname=_clean(f"nofluke.{suite}"), name=_clean(name), time="0")
    for tag, message in wrong.items():
        made = SubElement(case, tag, message=_clean(message.partition("\n")[0]), type=kind)
        made.text = _clean(message)
    if facts and not wrong:
        # A task's own names, for programs that take them apart.
        properties = SubElement(case, "properties")
        for fact, value in sorted(facts.items()):
            SubElement(properties, "property", name=fact, value=_clean(value))
    return case


def _written(name: str, cases: list[Element]) -> str:
    numbers: dict[str, Any] = {
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": str(sum(case.find("error") is not None for case in cases)),
        "skipped": "0",
    }
    suites = Element("testsuites", name="nofluke", **numbers)
    suite = SubElement(suites, "testsuite", name=_clean(f"nofluke {name}"), time="0", **numbers)
    suite.extend(cases)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
