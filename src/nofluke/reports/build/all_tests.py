"""Every test that was run on the data of a comparison, where there were others than its own."""

from __future__ import annotations

from nofluke.inference.wording import p_of_result
from nofluke.registry import TESTS
from nofluke.reports.build.calls import options_in
from nofluke.reports.build.figures import p_cell
from nofluke.types import Comparison, Section, Table, TestResult

# Of the options in a signature: those in another column, and those that are of the data.
_SAID_ELSEWHERE = frozenset(
    {"alternative", "confidence_level", "unit", "unit_statistic", "shuffle_seed", "missing", "clusters"}
)

# Ways to read printed scores again whose names say too little in a paper.
_EXPLAINED = {
    "ties one printed unit wide": "differences one unit of the last printed decimal apart taken as equal",
}


def all_tests_section(result: Comparison) -> tuple[Section, ...]:
    """The tests with their sides and p-values: the one reported here first, the others in the order they were run."""
    if not result.also_run:
        return ()
    tests = _tests(result)
    rows = tuple((_label(one), one.alternative, p_cell(one)) for one in tests)
    table = Table(
        columns=("test", "sides", "p"),
        rows=rows,
        caption="The test reported here stands first, the others in the order in which they were run. "
        "Each p-value is that of its own test; none is corrected for the number of tests.",
        figures=("p",),
        strong=(0,),
        explain={"sides": "which differences count against the null hypothesis; greater means A is better"},
    )
    return (Section("All tests run on these data", table=table, name="all_tests"),)


def names_of_tests(result: Comparison) -> list[str]:
    """The tests for a sentence: by name, and those of other runs with their sides and p-values."""
    others = [f"{one.method} ({one.alternative}, {p_of_result(one)})" for one in result.also_run]
    return [*result.tests_run, *others]


def tests_in_words(result: Comparison) -> str:
    """The tests as sentences for a paper; why one was run again, with the rounding of scores undone, is explained."""
    names = [name for name in names_of_tests(result) if name not in result.tests_run or name in TESTS]
    told = f"Tests run on these data: {', '.join(names)}."
    for name in result.tests_run:
        if name not in TESTS:
            method, _, how = name.partition(" with ")
            how = _EXPLAINED.get(how, how)
            told += f" To see whether rounded scores decide the verdict, {method} was run again with {how}."
    return told


def one_of_several(result: Comparison) -> str:
    """How many tests this one was chosen from; nothing where it is the only one."""
    return f"one of {len(_tests(result)):,} tests run on these data" if result.also_run else ""


def other_tests_columns(result: Comparison) -> dict[str, str]:
    """The other tests as one cell of a table for programs."""
    if not result.also_run:
        return {}
    return {"also_run": "; ".join(f"{one.method} {one.alternative} p={one.p_value!r}" for one in result.also_run)}


def _tests(result: Comparison) -> list[TestResult]:
    own = [result.test] if result.margin_test is None else [result.test, result.margin_test]
    return [*own, *result.also_run]


def _label(result: TestResult) -> str:
    """The test with whatever tells it from another run of it."""
    told = {name: value for name, value in options_in(result.signature).items() if name not in _SAID_ELSEWHERE}
    options = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in told.items())
    return (result.label or result.method) + (f" ({options})" if options else "")
