"""Measure the budgets that every user feels: help, a small file, a big file; whole processes, start-up included.

Run by `make bench`; writes benchmarks/RESULTS.md. Medians of nine runs, of three of the largest files. Names of
workloads (functions of peers.py and families.py) measure only these anew.
"""

from __future__ import annotations

import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from peers import tables

HERE = Path(__file__).parent
NOFLUKE = Path(sys.executable).parent / "nofluke"


def seconds_and_memory(arguments: list[str], repeats: int) -> tuple[float, float, float]:
    """Median wall and CPU seconds and largest resident set (MB) of `nofluke ARGUMENTS`."""
    times, spent, sizes = [], [], []
    for _ in range(repeats):
        begin = time.perf_counter()
        process = subprocess.Popen([NOFLUKE, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        times.append(time.perf_counter() - begin)
        spent.append(usage.ru_utime + usage.ru_stime)
        sizes.append(usage.ru_maxrss / 1024)
        if status:
            raise SystemExit(f"nofluke {' '.join(arguments)} failed with status {status}")
    return statistics.median(times), statistics.median(spent), max(sizes)


def two_columns(path: Path, n: int) -> None:
    """Real-valued scores with six decimals, two columns, no header."""
    rng = np.random.default_rng(1)
    a = rng.random(n)
    b = np.clip(a + rng.normal(0.002, 0.1, n), 0, 1)
    path.write_text("".join(f"{x:.6f}\t{y:.6f}\n" for x, y in zip(a, b, strict=True)))


def long_csv(path: Path, items: int, digits: int = 4) -> None:
    """item,system,score rows: two systems, scores with so many decimals."""
    rng = np.random.default_rng(2)
    a = rng.random(items)
    b = np.clip(a + rng.normal(0.0005, 0.1, items), 0, 1)
    with path.open("w") as file:
        file.write("item,system,score\n")
        for name, scores in (("new", a), ("old", b)):
            file.writelines(f"q{i},{name},{score:.{digits}f}\n" for i, score in enumerate(scores))


def wide_csv(path: Path, items: int) -> None:
    """item,new,old rows: scores with three decimals."""
    rng = np.random.default_rng(3)
    a = rng.random(items)
    b = np.clip(a + rng.normal(0.0005, 0.1, items), 0, 1)
    with path.open("w") as file:
        file.write("item,new,old\n")
        file.writelines(f"q{i},{x:.3f},{y:.3f}\n" for i, (x, y) in enumerate(zip(a, b, strict=True)))


def tasks_csv(path: Path, tasks: int, items: int, systems: int) -> None:
    """task,item,system,score rows: few items, many systems, scores with three decimals."""
    rng = np.random.default_rng(4)
    with path.open("w") as file:
        file.write("dataset,item,system,score\n")
        for task in range(tasks):
            scores = rng.normal(size=(items, 1)) + rng.normal(size=(items, systems)) + np.arange(systems) * 0.03
            file.writelines(
                f"t{task},q{item},s{system},{scores[item, system]:.3f}\n"
                for item in range(items)
                for system in range(systems)
            )


def raw_scores(path: Path, systems: int, items: int, datasets: int = 1) -> None:
    """Rows of scores with all digits of a double: between counting and smooth sums, few items are the hardest case."""
    rng = np.random.default_rng(3)
    with path.open("w") as file:
        file.write("dataset,item,system,score\n")
        for dataset in range(datasets):
            for system in range(systems):
                scores = rng.normal(0.1 * system, 1.0, items)
                file.writelines(f"d{dataset},q{i},s{system},{score!r}\n" for i, score in enumerate(scores.tolist()))


def main() -> None:
    """Measure, print and write the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        small, big = Path(folder) / "pairs.txt", Path(folder) / "long.csv"
        huge, huger, tasks = (Path(folder) / name for name in ("wide.csv", "longer.csv", "tasks.csv"))
        two_columns(small, 2_000)
        long_csv(big, 500_000)
        wide_csv(huge, 5_000_000)
        long_csv(huger, 5_000_000, 3)
        tasks_csv(tasks, 18, 10, 40)
        few, several, many = (Path(folder) / f"{name}.csv" for name in ("few", "several", "many"))
        raw_scores(few, 6, 46)
        raw_scores(several, 2, 46, datasets=8)
        raw_scores(many, 150, 2_034)
        for label, arguments, repeats, budget in (
            ("`nofluke --help`", ["--help"], 9, "0.3 s"),
            ("compare, two columns, 2,000 pairs", ["compare", str(small)], 9, "1 s"),
            ("compare, long CSV, 1,000,000 rows", ["compare", str(big)], 9, "5 s, 1,000 MB"),
            ("compare, wide CSV, 5,000,000 pairs", ["compare", str(huge)], 3, "12 s, 1,200 MB"),
            ("compare, long CSV, 10,000,000 rows", ["compare", str(huger)], 3, "15 s, 1,200 MB"),
            ("study domain, 18 tasks of 10 items, 40 systems", ["study", "domain", str(tasks)], 3, "10 s"),
            ("rank, 6 systems, 46 raw scores each", ["rank", str(few)], 5, "2 s"),
            ("rank, 150 systems, 2,034 raw scores each", ["rank", str(many)], 3, "5 s"),
            ("replicate, 8 datasets of 46 raw scores", ["replicate", str(several)], 5, "3 s"),
        ):
            seconds_and_memory(arguments, 1)  # warm the disk cache: users run things twice
            seconds, spent, memory = seconds_and_memory(arguments, repeats)
            rows.append(f"| {label} | {seconds:.2f} s | {spent:.2f} s | {memory:.0f} MB | {budget} |")
            print(rows[-1], flush=True)
    machine = (
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}"
    )
    table = "\n".join(["| what | time | CPU | memory | budget |", "|---|---|---|---|---|", *rows])
    compared = []
    results = HERE / "RESULTS.md"
    for line in tables(results.read_text() if results.exists() else "", sys.argv[1:]):
        compared.append(line)
        print(line, flush=True)
    results.write_text(
        f"# Measured budgets\n\nWhole processes, start-up included; medians. Machine: {machine}.\n\n{table}\n\n"
        "# Peers\n\nBack to back in one run: CPU seconds of one thread, best of many; ratios to the first row.\n"
        + "\n".join(compared)
        + "\n"
    )


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
