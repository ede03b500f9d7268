"""Every stored number comes out again, digit for digit; words and new fields are free."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import nofluke as nf
from freeze.asked import all_cases
from freeze.cases import docs, real
from freeze.cases.verbs import A, B
from freeze.store import differences, machine, stored
from freeze.walk import numbers_of

STORED = stored()
CASES = all_cases([name for name in STORED["cases"] if name.startswith(docs.COMMAND)], STORED["sources"])
HERE = STORED["machine"] == machine()


# The check of the docs runs it and compares what it prints.
LONG = "$ nofluke study calibration leaderboard.csv"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == LONG else name for name in STORED["cases"]]
)
def test_the_numbers_are_those_of_before(name: str) -> None:
    if name.startswith(real.MARK) and not real.is_here():
        pytest.skip("real data not found: shared/data does not lie beside the repository")
    assert name in CASES, f"{name} is not asked any more"
    changed = differences(STORED["cases"][name], numbers_of(CASES[name]()), here=HERE)
    assert not changed, f"{len(changed)} numbers changed, first {changed[0]} (python -m tests.freeze stores them anew)"


def test_one_digit_is_found_and_named() -> None:
    result = nf.compare(A, B)
    other = dataclasses.replace(
        result, test=dataclasses.replace(result.test, p_value=np.nextafter(result.test.p_value, 1))
    )
    (told,) = differences(numbers_of(result), numbers_of(other))
    assert told.startswith(f"test.p_value: was {result.test.p_value!r}, is ")
    assert not differences(numbers_of(result), numbers_of(other), here=False)


def test_a_number_that_is_gone_is_named_and_a_new_one_is_welcome() -> None:
    before = numbers_of({"n": 3, "share": 0.5})
    assert differences(before, {**before, "more": "1"}) == []
    assert differences(before, {"n": "3"}) == ["share: was 0.5, is gone"]


def test_a_test_that_came_since_moves_no_other() -> None:
    before = numbers_of(nf.compare(A, B))
    first, second = (f"choices.rows.{place}.method" for place in (0, 1))
    rows = [name for path, name in before.items() if path.startswith("choices.rows.") and path.endswith(".method")]
    rows.insert(1, "'new_test'")
    now = before | {f"choices.rows.{place}.method": name for place, name in enumerate(rows)}
    assert differences(before, now) == []
    swapped = differences(before, now | {first: now["choices.rows.2.method"], "choices.rows.2.method": now[first]})
    assert [line.partition(":")[0] for line in swapped] == [first, second]
    assert differences(before, {path: value for path, value in now.items() if not path.startswith(first)})


def test_words_are_free() -> None:
    result = nf.rank({"A": A, "B": B})
    reworded = dataclasses.replace(result, notes=("2",), validity="other words")
    assert numbers_of(reworded) == numbers_of(result)


def test_a_long_row_is_one_checksum_that_sees_every_digit() -> None:
    row = np.linspace(0, 1, 50)
    other = row.copy()
    other[17] = np.nextafter(other[17], 1)
    assert list(numbers_of({"row": row})) == ["row"]
    assert differences(numbers_of({"row": row}), numbers_of({"row": other}))
    assert not differences(numbers_of({"row": row}), numbers_of({"row": other}), here=False)
    assert differences(numbers_of({"row": row}), numbers_of({"row": row + 0.1}), here=False)
    assert numbers_of({"row": row}) == numbers_of({"row": tuple(row.tolist())})


def test_names_are_facts_and_verdicts_are_not() -> None:
    found = numbers_of(nf.compare(A, B))
    assert found["systems.0"] == "'A'"
    assert found["test.method"] == "'permutation'"
    assert "verdict" not in found
    assert not any(path.startswith(("headline", "sentences", "notes")) for path in found)
