"""What the audit of a test says: how often it finds a difference where there is none, and how often it may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nofluke.registry import TESTS
from nofluke.types import Study, Table
from nofluke.types.base import counted
from nofluke.words.numbers import hundredths

TITLE = "Does the test keep its promise on data like these?"
QUESTION = "How often is the test significant on data like these, when the systems do not differ?"
_SIDES = ("two-sided", "greater", "less")
_TOO_OFTEN, _KEPT, _OPEN = "too often", "as promised", "no breach seen"
# Longer names leave no room for a column of their own.
_LONGEST_NAME = 12
_NOT_TYPICAL = (
    "The audit shows how the test behaves on data of this shape. It cannot show whether these items are typical."
)


@dataclass(frozen=True, slots=True)
class _Audited:
    """The three rows of a test: both sides together, then each."""

    test: str
    promised: tuple[float, ...]
    found: tuple[float, ...]
    range: tuple[float, float]
    verdicts: tuple[str, ...]

    @property
    def of_the_mean(self) -> bool:
        """Whether equal means, which is what is drawn here, are the test's null hypothesis."""
        return bool(TESTS[self.test].facts["about"] == "mean")


def _audited(study: Study) -> list[_Audited]:
    table: Any = study.tables["significant"]
    step = len(_SIDES)
    return [
        _Audited(
            test=table["test"][at],
            promised=table["promised"][at : at + step],
            found=table["found"][at : at + step],
            range=(table["from"][at], table["to"][at]),
            verdicts=table["verdict"][at : at + step],
        )
        for at in range(0, len(table["test"]), step)
    ]


def _systems(study: Study) -> tuple[str, str]:
    first, second = study.facts["systems"]
    return str(first), str(second)


def _percent(share: float) -> str:
    return f"{hundredths(share, 1)}%"


def _interval(one: _Audited) -> str:
    low, high = one.range
    return f"95% CI {100 * low:.1f}% to {100 * high:.1f}%"


def headline(study: Study) -> str:
    """Say of the first test whether it keeps its promise."""
    one, (a, b) = _audited(study)[0], _systems(study)
    test = f"The test {one.test!r}"
    finds = f"finds a difference in {_percent(one.found[0])} of test sets ({_interval(one)}"
    if not one.of_the_mean:
        same = f"When {a} and {b} truly have the same mean, the test {one.test!r} {finds})."
        return f"{same} It does not test the mean, so this is no error."
    verdict = one.verdicts[0]
    said = {_TOO_OFTEN: f"{test} does not keep its level", _KEPT: f"{test} keeps its level"}.get(
        verdict, f"Nothing speaks against the test {one.test!r}"
    )
    promised = _percent(one.promised[0])
    text = f"{said}. When {a} and {b} truly score the same, it {finds}; promised at most {promised})."
    too_often = [name for name, side in zip((a, b), one.verdicts[1:], strict=True) if side == _TOO_OFTEN]
    if too_often and verdict != _TOO_OFTEN:
        return f"{text} But its errors lie on one side: it calls {too_often[0]} better too often."
    return text


def _within(one: _Audited, side: int) -> str:
    """What is said of a rate whose interval reaches beyond the promised one."""
    promised = _percent(one.promised[side])
    return f"within {promised}" if one.found[side] <= one.promised[side] else f"not clearly above {promised}"


def sentences(study: Study) -> tuple[str, ...]:
    """Say how the test sets were made and what each test did."""
    return (_drawn(study), *_each_test(study))


def _drawn(study: Study) -> str:
    a, b = _systems(study)
    unit, units, settings = study.facts["unit"], study.facts["units"], study.settings
    made = (
        "the differences moved to a mean of 0"
        if settings["no_difference"] == "recentred"
        else f"the {unit}s reweighted until {a} and {b} score the same"
    )
    return (
        f"{settings['iterations']:,} test sets of {counted(settings['size'], unit)} were drawn from the {units:,} "
        f"given, with {made}."
    )


def _each_test(study: Study) -> Iterator[str]:
    a, b = _systems(study)
    for one in _audited(study):
        both, up, down = (_percent(share) for share in one.found)
        yield (
            f"{one.test}: a difference in {both} ({_interval(one)}); {a} called better in {up}, {b} in {down} "
            f"(promised {_percent(one.promised[1])} each)."
        )


def remarks(study: Study) -> tuple[str, ...]:
    """Say what the audit cannot tell."""
    told = [_NOT_TYPICAL]
    if study.settings["no_difference"] == "reweighted":
        told.append("Single items were kept and given other weights, so ties and 0/1 scores stay as they are.")
    told += _other_questions(study)
    if study.facts["unit"] == "cluster":
        told.append("Whole clusters were drawn, as a new test set would bring new ones.")
    return tuple(told)


def _other_questions(study: Study) -> tuple[str, ...]:
    other = [one.test for one in _audited(study) if not one.of_the_mean]
    if not other:
        return ()
    do = "does" if len(other) == 1 else "do"
    return (
        f"{', '.join(other)} {do} not test the mean. Systems with equal means may differ in what is tested, so a high "
        "rate is no error.",
    )


def shown(study: Study) -> Table:
    """How often each test finds a difference, and each side, beside what it promises."""
    (first, *others), names = _audited(study), _systems(study)
    # Of many tests, those that break their promise must not be left out.
    every = [first, *sorted(others, key=lambda one: _TOO_OFTEN not in one.verdicts)]
    sides = 3 if max(map(len, names)) <= _LONGEST_NAME else 1
    headings = ("test", "a difference", *(f"{name} better" for name in names))[: sides + 1]
    rows = [
        (one.test, *map(_percent, one.found[:sides]), _verdict(one, names))
        for one in (_Audited("promised", every[0].promised, every[0].promised, (0.0, 0.0), ()), *every)
    ]
    return Table((*headings, "verdict"), tuple(rows), figures=headings[1:])


def _verdict(one: _Audited, names: tuple[str, str]) -> str:
    if not one.verdicts:
        return ""
    wrong = [name for name, verdict in zip(names, one.verdicts[1:], strict=True) if verdict == _TOO_OFTEN]
    if wrong and one.verdicts[0] != _TOO_OFTEN:
        return f"{wrong[0]} too often"
    return _within(one, 0) if one.verdicts[0] == _OPEN else one.verdicts[0]


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """How the test sets were made."""
    return (("Study", _drawn(study)),)


def caveats(study: Study) -> tuple[str, ...]:
    """Which tests do not test the mean; otherwise that these items need not be typical."""
    return _other_questions(study) or (_NOT_TYPICAL,)


def cells(study: Study) -> dict[str, dict[str, str]]:
    """What a side claims, and what is said where nothing was found against the test."""
    a, b = _systems(study)
    claims = (f"{a} and {b} differ", f"{a} is better", f"{b} is better")
    return {"claim": dict(zip(_SIDES, claims, strict=True)), "verdict": {_OPEN: "not clearly above"}}


def captions(study: Study) -> dict[str, str]:
    """Say what the table shows."""
    (a, b), settings = _systems(study), study.settings
    return {
        "significant": f"How often each test is significant when {a} and {b} truly score the same, in "
        f"{settings['iterations']:,} test sets of {counted(settings['size'], study.facts['unit'])}; two-sided at "
        f"{settings['alpha']:g}, each side at {settings['alpha'] / 2:g}; from and to: 95% CI of the simulated rate."
    }
