"""Print how much of each room the tests run, and fail below the floor (tool.coverage.report in pyproject.toml)."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import coverage

PACKAGE = Path(__file__).parent.parent / "src" / "nofluke"


def counted(measured: coverage.Coverage) -> tuple[Counter[str], Counter[str]]:
    """Statements of each room, and those of them that no test ran; files that nobody imported count too."""
    statements: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for file in sorted(PACKAGE.rglob("*.py")):
        below = file.relative_to(PACKAGE).parts
        room = "/".join(below[:2]) if below[0] == "inference" and len(below) > 2 else below[0].removesuffix(".py")
        _, lines, _, missing, _ = measured.analysis2(str(file))
        statements[room] += len(lines)
        missed[room] += len(missing)
    return statements, missed


def main() -> int:
    """Print the table; give 1 where the total is below the floor."""
    measured = coverage.Coverage()
    measured.load()
    statements, missed = counted(measured)
    for room in sorted(room for room in statements if statements[room]):
        print(f"{room:<28}{statements[room]:>8}{100 * (1 - missed[room] / statements[room]):>8.1f}%")
    total = 100 * (1 - missed.total() / statements.total())
    floor = float(measured.get_option("report:fail_under") or 0)
    print(f"{'all':<28}{statements.total():>8}{total:>8.1f}%   (floor {floor:g}%)")
    return int(total < floor)


if __name__ == "__main__":
    sys.exit(main())
