"""`python -m tests.freeze` stores today's numbers anew; read the difference that it prints before you commit it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

os.environ["NOFLUKE_CACHE"] = "off"
sys.path.insert(0, str(Path(__file__).parent.parent))

from freeze.asked import all_cases
from freeze.cases import docs, real
from freeze.store import FILE, differences, store, stored
from freeze.walk import numbers_of


def main() -> None:
    """Ask every case, print what is other than before, and store what was found."""
    before = stored()["cases"] if FILE.exists() else {}
    if not real.is_here():
        sys.exit(f"the real data do not lie in {real.DATA}: their numbers would be lost.")
    commands, sources = docs.written_now()
    found = {}
    for name, case in all_cases(commands, sources).items():
        start = time.process_time()
        found[name] = numbers_of(case())
        if "--times" in sys.argv:
            print(f"{time.process_time() - start:7.2f} s  {name}")
        for line in differences(before.get(name, {}), found[name]):
            print(f"{name}: {line}")
    for name in sorted(before.keys() - found.keys()):
        print(f"{name}: is not asked any more")
    store(found, sources)
    print(f"{len(found)} cases, {sum(map(len, found.values()))} numbers, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
