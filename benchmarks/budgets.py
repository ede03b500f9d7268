"""Measure the budgets that every user feels: help, a small file, a big file; whole processes, start-up included.

Run by `make bench`; writes benchmarks/RESULTS.md, after every row. Medians of nine runs, of three of the largest files.
Names of rows (see `budgets`) and of workloads (functions of peers.py and families.py) measure only these anew.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from peers import tables

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
# A run that takes so many times its budget in CPU seconds is ended: the rows after it are measured all the same.
TOO_LONG = 4
NOFLUKE = Path(sys.executable).parent / "nofluke"


@dataclass(frozen=True)
class Budget:
    """One row: a command on one file, made only where the row is measured, and what it may take.

    `status` is how the command ends: 0, or that of a refusal; `cache` lets runs find what the first one kept.
    """

    name: str
    label: str
    command: tuple[str, ...]
    make: Callable[[Path], None] | None
    repeats: int
    budget: str
    status: int = 0
    cache: bool = False


def budgets() -> Iterator[Budget]:
    """Give all rows, in the order of the table."""
    compare = ("compare",)
    yield Budget("help", "`nofluke --help`", ("--help",), None, 9, "0.3 s")
    yield Budget(
        "pairs.txt", "compare, two columns, 2,000 pairs", compare, lambda path: two_columns(path, 2_000), 9, "1 s"
    )
    yield Budget(
        "long.csv",
        "compare, long CSV, 1,000,000 rows",
        compare,
        lambda path: long_csv(path, 500_000),
        9,
        "5 s, 1,000 MB",
    )
    yield Budget(
        "wide.csv",
        "compare, wide CSV, 5,000,000 pairs",
        compare,
        lambda path: wide_csv(path, 5_000_000),
        3,
        "12 s, 1,200 MB",
    )
    yield Budget(
        "longer.csv",
        "compare, long CSV, 10,000,000 rows",
        compare,
        lambda path: long_csv(path, 5_000_000, 3),
        3,
        "15 s, 1,200 MB",
    )
    for items in (10, 14):
        yield Budget(
            f"tasks{items}.csv",
            f"study domain, 18 tasks of {items} items, 40 systems",
            ("study", "domain"),
            lambda path, items=items: tasks_csv(path, 18, items, 40),
            3,
            "10 s",
        )
    yield Budget(
        "few.csv", "rank, 6 systems, 46 raw scores each", ("rank",), lambda path: raw_scores(path, 6, 46), 5, "2 s"
    )
    yield Budget(
        "many.csv",
        "rank, 150 systems, 2,034 raw scores each",
        ("rank",),
        lambda path: raw_scores(path, 150, 2_034),
        3,
        "5 s",
    )
    for name, scores, digits, even in (
        ("benchmark01.csv", "0/1", 0, True),
        ("benchmark.csv", "3 decimals", 3, True),
        ("uneven01.csv", "0/1, tasks of 100 to 1,900 items", 0, False),
        ("uneven.csv", "3 decimals, tasks of 100 to 1,900 items", 3, False),
    ):
        yield Budget(
            name,
            f"rank, long CSV, 150 systems, 20 tasks of 1,000 items, {scores}",
            ("rank",),
            lambda path, digits=digits, even=even: benchmark_csv(path, 150, digits, even=even),
            3,
            "10 s, 2,000 MB",
        )
    yield Budget(
        "close.csv",
        "rank, 150 close systems, 2,034 raw scores each",
        ("rank",),
        lambda path: raw_scores(path, 150, 2_034, gap=0.003),
        3,
        "5 s",
    )
    yield Budget(
        "several.csv",
        "replicate, 8 datasets of 46 raw scores",
        ("replicate",),
        lambda path: raw_scores(path, 2, 46, datasets=8),
        5,
        "3 s",
    )
    for name, how, kept, budget in (
        ("logs", "read anew", False, "20 s, 2,000 MB"),
        ("kept-logs", "from the cache", True, "3 s, 1,000 MB"),
    ):
        yield Budget(
            name,
            f"rank, lm-eval logs of 20 models, 50 tasks of 1,000 items (1.2 GB), {how}",
            ("rank",),
            lambda path: lm_eval_logs(path, 20, 50, 1_000),
            3,
            budget,
            cache=kept,
        )
    yield Budget("columns.csv", "refused: a CSV with 100,000 columns", compare, many_columns, 5, "1 s", 2)
    yield Budget("bomb.csv.gz", "refused: 1.9 MB of gzip, one line of 1.9 GB", compare, one_line, 3, "2 s, 200 MB", 2)


def measured(row: Budget, folder: Path) -> str:
    """Make the file, run the command on it, and give the row of the table."""
    arguments = list(row.command)
    if row.make is not None:
        path = folder / row.name
        row.make(path)
        arguments.append(str(path))
    longest = TOO_LONG * math.ceil(float(row.budget.split()[0]))
    # The first run warms the disk cache: users run things twice.
    where = str(folder / "cache") if row.cache else "off"
    runs = [of_one_run([str(NOFLUKE), *arguments], longest, where) for _ in range(1 + row.repeats)][1:]
    if row.make is not None:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    times, spent, sizes, ended = zip(*runs, strict=True)
    if -signal.SIGXCPU in ended:
        return f"| {row.label} | | over {longest} s | | {row.budget} |"
    if set(ended) != {row.status}:
        raise SystemExit(f"nofluke {' '.join(arguments)} ended with status {ended} instead of {row.status}")
    wall, cpu = statistics.median(times), statistics.median(spent)
    return f"| {row.label} | {wall:.2f} s | {cpu:.2f} s | {max(sizes):.0f} MB | {row.budget} |"


def of_one_run(command: list[str], longest: int, cache: str) -> tuple[float, ...]:
    """Wall and CPU seconds, MB and exit status of a command that is nobody's but a small process's child."""
    alone = [sys.executable, "-I", "-S", str(HERE / "alone.py"), str(longest), *command]
    told = os.environ | {"NOFLUKE_CACHE": cache}
    return tuple(map(float, subprocess.run(alone, capture_output=True, check=True, env=told).stdout.split()))


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


def benchmark_csv(path: Path, systems: int, digits: int, *, even: bool) -> None:
    """dataset,item,system,score rows of 20 tasks with 20,000 items together; 0/1 without digits."""
    rng = np.random.default_rng(5)
    sizes = [1_000] * 20 if even else np.linspace(100, 1_900, 20).round().astype(int).tolist()
    skill = 0.004 * np.arange(systems)
    with path.open("w") as file:
        file.write("dataset,item,system,score\n")
        for task, items in enumerate(sizes):
            ease = rng.normal(0.0, 0.3, (items, 1)) + skill + rng.normal(0.0, 0.2, (items, systems))
            scores = (ease > 0).astype(float) if digits == 0 else np.clip(ease / 2 + 0.5, 0, 1)
            file.writelines(
                f"t{task},t{task}-{item},s{system},{scores[item, system]:.{digits}f}\n"
                for item in range(items)
                for system in range(systems)
            )


def raw_scores(path: Path, systems: int, items: int, datasets: int = 1, gap: float = 0.1) -> None:
    """Rows of scores with all digits of a double: between counting and smooth sums, few items are the hardest case.

    With the usual gap 150 systems are far apart and most p-values are below all doubles.
    """
    rng = np.random.default_rng(3)
    with path.open("w") as file:
        file.write("dataset,item,system,score\n")
        for dataset in range(datasets):
            for system in range(systems):
                scores = rng.normal(gap * system, 1.0, items)
                file.writelines(f"d{dataset},q{i},s{system},{score!r}\n" for i, score in enumerate(scores.tolist()))


def lm_eval_logs(path: Path, models: int, tasks: int, items: int) -> None:
    """Logs of lm-evaluation-harness: some 1,200 bytes a line, as multiple-choice tasks have, two metrics."""
    date = "2026-03-02T09-15-00.000000"
    rng = np.random.default_rng(7)
    ease = rng.random((tasks, items))
    filler = "a b c " * 60
    starts = [
        [
            f'{{"doc_id": {at}, "doc": {{"question": "task {task} item {at} {filler}"}}, "target": "1", "arguments": '
            f'{{"gen_args_0": {{"arg_0": "{filler}"}}}}, "resps": [[["-1.5", "False"]]], "filtered_resps": [["-1.5", '
            f'"False"]], "filter": "none", "metrics": ["acc", "acc_norm"], "doc_hash": "{task * items + at:064x}", '
            f'"prompt_hash": "{at:064x}", "target_hash": "{1:064x}", '
            for at in range(items)
        ]
        for task in range(tasks)
    ]
    for model in range(models):
        folder = path / f"m{model:02d}"
        folder.mkdir(parents=True)
        right = (0.6 * ease + 0.4 * rng.random((tasks, items)) < 0.4 + 0.02 * model).astype(float)
        for task in range(tasks):
            with (folder / f"samples_task{task:02d}_{date}.jsonl").open("w") as file:
                for start, value in zip(starts[task], right[task].tolist(), strict=True):
                    file.write(f'{start}"acc": {value}, "acc_norm": {value}}}\n')
        sizes = {f"task{task:02d}": {"original": items, "effective": items} for task in range(tasks)}
        about = {"results": {"task00": {"alias": "task00"}}, "n-samples": sizes, "model_name": f"acme/m{model:02d}"}
        (folder / f"results_{date}.json").write_text(json.dumps(about))


def many_columns(path: Path) -> None:
    """A header of 100,000 names over one row: somebody's features instead of scores."""
    columns = range(100_000)
    path.write_text(",".join(f"c{i}" for i in columns) + "\n" + ",".join("1" for _ in columns) + "\n")


def one_line(path: Path) -> None:
    """A gzip of 1.9 MB that unpacks into a line of 1.9 GB."""
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(1_900):
            file.write(b"0" * 1_000_000)


def main() -> None:
    """Measure, print and write the tables."""
    only, recorded = sys.argv[1:], RESULTS.read_text() if RESULTS.exists() else ""
    known = {line.split(" | ")[0]: line for line in recorded.splitlines() if line.count("|") == 6}
    rows = {
        row.label: known.get(f"| {row.label}", f"| {row.label} | not measured | | | {row.budget} |")
        for row in budgets()
    }
    # What is measured is written at once: whoever breaks off loses no row.
    with tempfile.TemporaryDirectory() as folder:
        for row in budgets():
            if not only or row.name in only:
                rows[row.label] = measured(row, Path(folder))
                print(rows[row.label], flush=True)
                write(rows.values(), recorded.partition("# Peers")[2].partition("\n## ")[2])
    compared = []
    for line in tables(recorded, only):
        compared.append(line)
        print(line, flush=True)
    write(rows.values(), "\n".join(compared).removeprefix("\n## "))


def write(rows: Iterable[str], peers: str) -> None:
    """Write the rows of the budgets and the sections of the peers."""
    machine = (
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}"
    )
    table = "\n".join(["| what | time | CPU | memory | budget |", "|---|---|---|---|---|", *rows])
    RESULTS.write_text(
        f"# Measured budgets\n\nWhole processes, start-up included; medians. Machine: {machine}.\n\n{table}\n\n"
        "# Peers\n\nBack to back in one run: CPU seconds of one thread, best of many; ratios to the first row.\n"
        f"\n## {peers.strip()}\n"
    )


if __name__ == "__main__":
    main()
