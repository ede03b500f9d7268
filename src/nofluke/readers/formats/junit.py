"""JUnit XML, as pytest and many others write it: a test that failed is 0, one that passed 1, others have no score."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs.record import ERROR, SCORED, SKIPPED, Log, Measured, measured
from nofluke.readers.numbers import parse_number
from nofluke.registry import FORMATS
from nofluke.types import Note, note

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ROOT = re.compile(r"<testsuites?[\s>/]")
# pytest-repeat names the runs of a test test[2-3], or test[parameter-2-3]: the second of three.
_REPEAT = re.compile(r"(?P<start>.*\[)(?:(?P<parameters>.*)-)?(?P<run>\d+)-(?P<runs>\d+)\]")
_PASS = "pass"
_OTHERS = (("error", ERROR), ("skipped", SKIPPED))


@dataclass(frozen=True, slots=True)
class _Case:
    suite: str
    group: str
    name: str
    status: int
    passed: float
    properties: Mapping[str, float] = field(default_factory=dict)


def _is_log(head: bytes) -> bool:
    start = decode_head(head[:4096]).lstrip()
    return start.startswith("<") and _ROOT.search(start) is not None


@FORMATS.register(
    "junit",
    label="JUnit XML",
    cite="testmoapp/junitxml: the JUnit XML format",
    sniff=_is_log,
    begins=("<",),
    told_by="mark",
    holds=("scores",),
    gives="logs",
    # promptfoo writes the same results as JUnit, passed or failed alone.
    poorer_than="promptfoo",
)
def read_junit(given: Given, cluster: str = "") -> list[Log]:
    """Read one row per test; a file is a system, or each of its suites where they hold the same tests."""
    root = _parsed(given)
    cases = list(_cases(root))
    if not cases:
        raise InputError("there are no test cases.", where=given.name, fix="run the tests to their end.")
    if cluster and cluster != "classname":
        raise InputError(
            f"there is no field {cluster!r}.", where=given.name, fix="tests are grouped by classname alone."
        )
    suites: dict[str, list[_Case]] = defaultdict(list)
    for case in cases:
        suites[case.suite].append(case)
    date = root.get("timestamp") or next((one.get("timestamp") or "" for one in root.iter("testsuite")), "")
    if _are_systems(suites):
        dataset = root.get("name") or "tests"
        return [_log(own, suite, dataset, given.name, date, cluster, own_groups=False) for suite, own in suites.items()]
    system = stem_of(Path(given.name).name).removesuffix(".junit")
    logs = [_log(own, system, suite or "tests", given.name, date, cluster) for suite, own in suites.items()]
    return [replace(log, after_file=True) for log in logs]


def _parsed(given: Given) -> Element:
    """Parse the file; declarations, by which a few bytes become gigabytes or other files, are not read."""
    from xml.etree import ElementTree

    data = decode(given.load(), given.name).encode()
    _refuse_declarations(data, given.name)
    try:
        return ElementTree.fromstring(data, ElementTree.XMLParser(encoding="utf-8"))
    except ElementTree.ParseError as error:
        line, column = error.position
        raise InputError(
            f"the file is no whole XML ({error}).",
            where=f"{given.name} line {line}, column {column + 1}",
            fix="run the tests to their end, or copy the file again.",
        ) from None


class _BegunError(Exception):
    """The first element has begun: nothing is declared after it."""


def _refuse_declarations(data: bytes, name: str) -> None:
    """Look at what comes before the first element with the parser's own eyes: a comment can hide it from others."""
    from xml.parsers import expat

    def refuse(*_: object) -> None:
        raise InputError(
            "the file declares a document type or entities, which are not read.",
            where=name,
            fix="write it without <!DOCTYPE ...>, as pytest --junitxml does.",
        )

    def stop(*_: object) -> None:
        raise _BegunError

    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler, parser.StartElementHandler = refuse, stop
    # What is no XML is told, with its line, by the reading itself.
    with suppress(_BegunError, expat.ExpatError):
        parser.Parse(data, True)


def _cases(root: Element) -> Iterator[_Case]:
    suites = list(root.iter("testsuite"))
    for suite in suites:
        for case in suite.findall("testcase"):
            failed = case.find("failure") is not None
            status = next((code for name, code in _OTHERS if case.find(name) is not None and not failed), SCORED)
            # Google Test writes no element for a test that is switched off.
            status = SKIPPED if case.get("status") == "notrun" else status
            pairs = [(one.get("name") or "", one.get("value") or "") for one in case.iter("property")]
            numbers = {name: number for name, text in pairs if (number := parse_number(text)) is not None}
            group, name = case.get("classname") or "", case.get("name") or ""
            yield _Case(suite.get("name") or "", group, name, status, float(not failed), numbers)


def _are_systems(suites: Mapping[str, Sequence[_Case]]) -> bool:
    """Whether suites hold the same tests, so that each is a system."""
    names = [{case.name for case in own} for own in suites.values()]
    return len(names) > 1 and len(set.intersection(*names)) * 2 > max(map(len, names))


def _log(
    cases: Sequence[_Case],
    system: str,
    dataset: str,
    file: str,
    date: str,
    cluster: str,
    *,
    own_groups: bool = True,
) -> Log:
    """`own_groups` says that the class of a test is part of its name; the class of a suite is that of its system."""
    base, runs = _runs([f"{case.group}::{case.name}" if own_groups and case.group else case.name for case in cases])
    # A test that was run again stands there several times, and its failures look passed: the last one counts.
    last = {key: at for at, key in enumerate(zip(base, runs, strict=True))}
    kept = sorted(last.values())
    again = len(cases) - len(kept)
    notes: tuple[Note, ...] = (note("logs.reruns", n=again, dataset=dataset),) if again else ()
    chosen = [cases[at] for at in kept]
    epochs = tuple(runs[at] for at in kept)
    return Log(
        format="junit",
        version="",
        file=file,
        model=system,
        dataset=dataset,
        items=tuple(base[at] for at in kept),
        measured=_measured(chosen),
        primary=_PASS,
        date=date,
        runs=epochs if len(set(epochs)) > 1 else None,
        clusters=tuple(case.group for case in chosen) if cluster else None,
        notes=notes,
    )


def _runs(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Take the number of the run off the names of tests that were repeated: only where all runs are there."""
    found = [_REPEAT.fullmatch(name) for name in names]
    whole: dict[tuple[str, str], set[int]] = defaultdict(set)
    for one in found:
        if one is not None:
            whole[_base(one), one["runs"]].add(int(one["run"]))
    base, runs = [], []
    for name, one in zip(names, found, strict=True):
        repeated = one is not None and whole[_base(one), one["runs"]] == set(range(1, int(one["runs"]) + 1))
        base.append(_base(one) if one is not None and repeated else name)
        runs.append(one["run"] if one is not None and repeated else "1")
    return base, runs


def _base(found: re.Match[str]) -> str:
    start: str = found["start"]
    return f"{start}{found['parameters']}]" if found["parameters"] else start.removesuffix("[")


def _measured(cases: Sequence[_Case]) -> dict[str, Measured]:
    status = [case.status for case in cases]
    found = {_PASS: measured([case.passed for case in cases], status, higher_is_better=True)}
    for name in dict.fromkeys(name for case in cases for name in case.properties):
        values = [case.properties.get(name) for case in cases]
        found[name if name not in found else f"property {name}"] = measured(values, status)
    return found
