"""Whoever runs the chunks, the answer is the same; and what can go wrong with them is told in words."""

from __future__ import annotations

import gc
import inspect
import io
import json
import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke import cluster, studies
from nofluke.errors import InputError, MissingExtra
from nofluke.executors import ordered, using
from nofluke.options import EXECUTOR
from nofluke.types import Scores
from support import chunk_work

RNG = np.random.default_rng(11)
A, B = RNG.normal(0.1, 1, 120).round(3), RNG.normal(0, 1, 120).round(3)
SYSTEMS = {name: RNG.normal(place / 9, 1, 60).round(2) for place, name in enumerate("abcd")}
RATINGS = RNG.integers(1, 4, (30, 3)).tolist()
DRAWN = {"monte_carlo": 700}


def corpus() -> Scores:
    gold = ["x"] * 40
    outputs = {
        name: ["x" if right else "y" for right in RNG.random(40) < chance] for name, chance in (("A", 0.8), ("B", 0.7))
    }
    return nf.score(chunk_work.share_right, outputs, gold, whole=True)


CORPUS = corpus()
BLEU = nf.score(
    "bleu",
    {name: [" ".join(RNG.choice(list("abcdef"), 8)) for _ in range(30)] for name in "AB"},
    [" ".join(RNG.choice(list("abcdef"), 8)) for _ in range(30)],
    cache=False,
)

# Every verb that takes an executor, on something that is cut into chunks.
CASES: dict[str, tuple[str, Callable[..., Any]]] = {
    "sums": ("test", lambda **how: nf.test(A, B, "bootstrap", **DRAWN, **how)),
    "flips": ("test", lambda **how: nf.test(A, B, "permutation", monte_carlo=9_000, **how)),
    "medians": ("test", lambda **how: nf.test(A, B, "bootstrap_median", **DRAWN, **how)),
    "a metric of all items": (
        "compare",
        lambda **how: nf.compare(CORPUS.pair("A", "B"), method="permutation", **DRAWN, **how),
    ),
    "a corpus metric": ("compare", lambda **how: nf.compare(BLEU.pair("A", "B"), method="bootstrap", **DRAWN, **how)),
    "all pairs": ("rank", lambda **how: nf.rank(SYSTEMS, adjust="max_t", **how)),
    "a curve": ("power_curve", lambda **how: nf.power_curve(A, B, sizes=4, iterations=40, **how)),
    "a curve of a metric": (
        "power_curve",
        lambda **how: nf.power_curve(BLEU.pair("A", "B"), sizes=2, iterations=20, **how),
    ),
    "ratings": ("agree", lambda **how: nf.agree(RATINGS, interval="bootstrap", n_resamples=700, **how)),
    "datasets": (
        "replicate",
        lambda **how: nf.replicate({"d1": (A, B), "d2": (B, A)}, method="bootstrap", **DRAWN, **how),
    ),
    "a posterior": ("bayes", lambda **how: nf.bayes(A, B, "signed_rank", rope=0.1, **how)),
    "one system": ("estimate", lambda **how: nf.estimate(CORPUS, "A", **how)),
    "a gate": ("gate", lambda **how: nf.gate(one_side(0), one_side(1), **how)),
}


# Pairs of ten systems on two datasets, and what studies of them are told to be done soon.
PAIRS = nf.read(
    pd.DataFrame(
        {"item": [f"q{i}" for i in range(60)], "dataset": ["d0", "d1"] * 30}
        | {f"s{place}": RNG.normal(place / 20, 1, 60).round(2) for place in range(10)}
    )
)
SOON: dict[str, Any] = {"draws": 200, "dataset": "d0"}
INPUTS = RNG.normal(0, 1, (40, 1))
EXAMPLES = INPUTS, (INPUTS[:, 0] > 0.3).astype(int)

STUDIES: dict[str, Callable[..., Any]] = {
    "audit": lambda **how: studies.audit(A, B, "paired_t", iterations=500, **how),
    "by_test_size": lambda **how: studies.by_test_size(PAIRS, **SOON, sizes=[10, 20], **how),
    "calibration": lambda **how: studies.calibration(PAIRS, dataset="d0", size=10, test_sets=60, **how),
    "domain": lambda **how: studies.domain(PAIRS, draws=200, **how),
    "gains": lambda **how: studies.gains(PAIRS, **SOON, **how),
    "similarity": lambda **how: studies.similarity(PAIRS, **SOON, **how),
    "multiplicity": lambda **how: studies.multiplicity(datasets=10, repetitions=600, **how),
    "sample_size_study": lambda **how: studies.sample_size_study(sizes=[30, 60], iterations=5, **how),
    "synthesize": lambda **how: studies.synthesize(
        {"near": chunk_work.Nearest()}, EXAMPLES, EXAMPLES, sizes=[5, 40], systems=4, **how
    ),
}


def one_side(right: int) -> Scores:
    return nf.read(io.StringIO("item,accuracy\n" + "".join(f"q{i},{(i + right) % 2}\n" for i in range(40))))


def bytes_of(made: Any) -> str:
    told = [made.systems, made.statistics.tolist()] if isinstance(made, Scores) else made.to_dict()
    return json.dumps(told, sort_keys=True)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Two workers of a Dask cluster, each a process of its own."""
    from distributed import LocalCluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))
        quiet = {"dashboard_address": "127.0.0.1:0", "silence_logs": 50}
        with LocalCluster(n_workers=2, threads_per_worker=1, **quiet) as running:
            yield str(running.scheduler_address)


def test_every_verb_that_takes_an_executor_is_tried() -> None:
    taking = {name for name in nf.__all__ if EXECUTOR in parameters(getattr(nf, name))}
    assert taking == {verb for verb, _ in CASES.values()}


def test_every_study_that_takes_an_executor_is_tried() -> None:
    taking = {name for name in studies.__all__ if EXECUTOR in parameters(getattr(studies, name))}
    # The digits are synthesised like any other; a command is tried below.
    assert taking - {"synthesize_digits", "synthesize_command"} == set(STUDIES)


def parameters(value: Any) -> set[str]:
    return set(inspect.signature(value).parameters) if inspect.isfunction(value) else set()


@pytest.mark.parametrize("case", CASES)
def test_a_cluster_gives_the_same_bytes(case: str, address: str) -> None:
    ask = CASES[case][1]
    assert bytes_of(ask(executor=address)) == bytes_of(ask())


@pytest.mark.parametrize("study", STUDIES)
def test_a_cluster_gives_the_same_study(study: str, address: str) -> None:
    ask = STUDIES[study]
    assert bytes_of(ask(executor=address)) == bytes_of(ask())


def test_commands_are_run_by_the_cluster(address: str, tmp_path: Path) -> None:
    """Each writes who ran it: nobody but the two workers, and the scores are those of the seed alone."""
    train, test = tmp_path / "train", tmp_path / "test"
    train.write_text("".join(f"{i}\n" for i in range(9)))
    test.write_text("x\n" * 3)
    line = "import os, sys; train, out = sys.argv[1:]; open(out, 'w').write(open(train).readline() * 3)"
    told = f"; open({str(tmp_path / 'parents')!r}, 'a').write(f'{{os.getppid()}} ')"
    command = f"{sys.executable} -c {shlex.quote(line + told)} {{train}} {{output}}"

    def scores(**how: Any) -> str:
        return bytes_of(studies.synthesize_command({"first": command}, [train], test, systems=6, **how))

    by_cluster = scores(executor=address)
    parents = set((tmp_path / "parents").read_text().split())
    assert parents
    assert str(os.getpid()) not in parents
    assert by_cluster == scores() == scores(workers=3)


def test_processes_and_threads_give_the_same_bytes() -> None:
    with ThreadPoolExecutor(3) as threads:
        for ask in (CASES["sums"][1], CASES["a curve"][1], CASES["a metric of all items"][1]):
            assert len({bytes_of(ask(executor=who)) for who in (None, 1, 2, threads)}) == 1


def test_results_come_in_the_order_of_the_chunks(address: str, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    for who in (2, address):
        with using(who):
            flag = str(tmp_path / f"first {who!r}".replace("/", ""))
            found = ordered(chunk_work.square_slowly_once, flag, range(20), lambda *done: seen.append(done))
            assert list(found) == [chunk * chunk for chunk in range(20)]
    assert seen[-1] == (20, 20)


def test_whoever_has_seen_enough_may_stop(address: str) -> None:
    for who in (2, address):
        with using(who):
            results = ordered(chunk_work.wait, None, range(640))
            started = time.monotonic()
            assert [next(results), next(results)] == [0, 1]
            results.close()  # type: ignore[attr-defined]
        assert time.monotonic() - started < 12


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_the_chunks_of_a_lost_worker_are_done_again(address: str, tmp_path: Path) -> None:
    for who in (2, address):
        flag = tmp_path / ("processes" if who == 2 else "cluster")
        with using(who):
            assert list(ordered(chunk_work.square_or_die_once, str(flag), range(20))) == [n * n for n in range(20)]
        assert flag.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_work_that_kills_every_worker_is_told() -> None:
    with using(2), pytest.raises(InputError, match="a worker process ended"):
        list(ordered(chunk_work.die, None, range(6)))


def test_an_error_of_the_work_comes_back_with_its_advice(address: str) -> None:
    for who in (2, address):
        with using(who), pytest.raises(InputError, match=r"it is too low\.\n  fix: give low=3\."):
            list(ordered(chunk_work.refuse, None, range(6)))


def test_a_function_that_cannot_travel_is_named() -> None:
    scores = nf.score(lambda outputs, golds: float(outputs == golds), {"A": ["x"], "B": ["y"]}, ["x"], whole=True)
    with pytest.raises(InputError, match="cannot be sent to other processes"):
        nf.test(scores.pair("A", "B"), "permutation", monte_carlo=300, executor=2)


def test_a_function_that_others_do_not_find_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one of a notebook: it can be sent by its name, which means nothing elsewhere."""

    def found_here(outputs: Sequence[str], golds: Sequence[str]) -> float:
        return chunk_work.share_right(outputs, golds)

    found_here.__module__, found_here.__qualname__ = chunk_work.__name__, "found_here"
    monkeypatch.setattr(chunk_work, "found_here", found_here, raising=False)
    scores = nf.score(found_here, {"A": ["x"] * 9, "B": ["x", "y", "y"] * 3}, ["x"] * 9, whole=True)
    with pytest.raises(InputError, match=r"cannot be sent to other processes: .*found_here(.|\n)*top of a module"):
        nf.test(scores.pair("A", "B"), "permutation", monte_carlo=300, executor=2)


@pytest.mark.parametrize("wrong", [0, -1, True, 2.0, object()])
def test_what_is_no_executor_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"no executor|cannot work"):
        nf.test(A, B, "bootstrap", **DRAWN, executor=wrong)


def test_an_address_where_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS", 0.5)
    for wrong in ("tcp://127.0.0.1:1", "dask://127.0.0.1:1", "nonsense", "http://127.0.0.1:1"):
        with pytest.raises(InputError, match="no Dask scheduler answers at"):
            nf.test(A, B, "bootstrap", **DRAWN, executor=wrong)


def test_a_client_that_cannot_connect_is_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # Closed by the garbage collector, in the middle of another connection, it waited for ever.
    monkeypatch.setattr(cluster, "_SECONDS", 0.5)
    before = io_threads()
    gc.disable()
    try:
        for wrong in ("tcp://127.0.0.1:1", "nonsense", "http://127.0.0.1:1"):
            with pytest.raises(InputError, match="no Dask scheduler answers at"):
                cluster.crew_at(wrong)
        clients = [found for found in gc.get_objects() if isinstance(found, distributed.Client)]
        assert {client.status for client in clients} <= {"running", "closed"}
        assert io_threads() <= before
    finally:
        gc.enable()


def io_threads() -> int:
    return sum(thread.name == "IO loop" for thread in threading.enumerate())


def test_workers_of_other_versions_are_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "__version__", "0.0.1")
    with pytest.raises(InputError, match=r"has nofluke .* \(here 0\.0\.1\)"):
        nf.test(A, B, "bootstrap", **DRAWN, executor=address)


def test_a_scheduler_that_ends_and_one_without_workers(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    start = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    own = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    options = ["--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    scheduler = subprocess.Popen([*start, *options], stderr=subprocess.DEVNULL, env=own)
    try:
        where = wait_for(lambda: json.loads(file.read_text())["address"])
        with pytest.raises(InputError, match="has no workers"), using(where):
            pass
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", where, "--nthreads", "2", "--no-dashboard"]
        helper = subprocess.Popen(worker, stderr=subprocess.DEVNULL, env=own)
        try:
            wait_for(lambda: using_opens(where))
            threading.Timer(0.5, scheduler.kill).start()
            with pytest.raises(InputError, match="is gone"), using(where):
                list(ordered(chunk_work.wait, None, range(400)))
        finally:
            helper.terminate()
            helper.wait()
    finally:
        scheduler.kill()
        scheduler.wait()


def using_opens(where: str) -> bool:
    with using(where):
        return True


def wait_for(find: Callable[[], Any]) -> Any:
    for _ in range(300):
        try:
            return find()
        except (OSError, ValueError, InputError):
            time.sleep(0.1)
    raise AssertionError("it did not start")


def test_without_the_extra_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"nofluke\[cluster\]"):
        nf.test(A, B, "bootstrap", **DRAWN, executor="dask")


@pytest.mark.slow
def test_a_metric_that_waits_is_three_times_as_fast_by_four_workers() -> None:
    from distributed import LocalCluster

    gold = ["x"] * 60
    outputs = {
        name: ["x" if right else "y" for right in RNG.random(60) < chance] for name, chance in (("A", 0.8), ("B", 0.7))
    }
    pair = nf.score(chunk_work.share_right_after_5_ms, outputs, gold, whole=True).pair("A", "B")

    def taken(executor: Any) -> tuple[float, str]:
        begin = time.perf_counter()
        made = nf.test(pair, "permutation", monte_carlo=1_500, executor=executor)
        return time.perf_counter() - begin, bytes_of(made)

    alone, first = taken(None)
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as running:
        together, second = taken(str(running.scheduler_address))
    assert first == second
    assert alone >= 3 * together
