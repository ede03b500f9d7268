"""Every test that was run on the data of a comparison, where there were others than its own."""

from __future__ import annotations

from nofluke.reports.build.figures import p_cell
from nofluke.types import Comparison, Section, Table, TestResult
from nofluke.words.comparison_report import ALL_TESTS_CAPTION, TITLES, sides_explained, tests_of

# Of the options of a test: those in another column, and the seed, which matters only where draws were made.
_SAID_ELSEWHERE = ("method", "alternative", "confidence_level", "seed")


def all_tests_section(result: Comparison) -> tuple[Section, ...]:
    """The tests with their sides and p-values: the one reported here first, the others in the order they were run."""
    if not result.also_run:
        return ()
    table = Table(
        columns=("test", "sides", "p"),
        rows=tuple((_label(one), one.alternative, p_cell(one)) for one in tests_of(result)),
        caption=ALL_TESTS_CAPTION,
        figures=("p",),
        strong=(0,),
        explain={"sides": sides_explained(result)},
    )
    return (Section(TITLES["all_tests"], table=table, name="all_tests"),)


def other_tests_columns(result: Comparison) -> dict[str, str]:
    """The other tests as one cell of a table for programs."""
    if not result.also_run:
        return {}
    return {"also_run": "; ".join(f"{one.method} {one.alternative} p={one.p_value!r}" for one in result.also_run)}


def _label(result: TestResult) -> str:
    """The test with whatever tells it from another run of it."""
    given = {} if result.call is None else result.call.options
    told = {name: value for name, value in given.items() if name not in _SAID_ELSEWHERE}
    told |= {} if result.computed.seed is None else {"seed": result.computed.seed}
    options = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in told.items())
    return (result.label or result.method) + (f" ({options})" if options else "")
