"""What `nofluke read -o scores.parquet` keeps is read back to the same scores, and holds no texts."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.formats import kept
from nofluke.readers.formats.kept import keep
from nofluke.types import Scores
from support.command_line import nofluke
from support.logs import inspect, lm_eval, sample

AXES = ("system", "dataset", "metric", "item", "run", "cluster")
PAIRS = [["a b c d", "a b c e"], ["x y z q", "x y z q"]]
LABELS = [["yes", "no"], ["no", "maybe"]]


def many_kinds(folder: Path) -> Path:
    """Metrics of every kind, groups, a second run, and something missing."""
    metrics = {
        "bleu": "bleu",
        "f1": "f1",
        "mcc": "matthews_corrcoef",
        "ppl": "perplexity",
        "wppl": "weighted_perplexity",
    }
    for name, shift in (("a", 0.0), ("b", 0.5)):
        tasks = {
            "arc": [{"acc": 1.0}, {"acc": shift}, {"acc": math.nan}],
            "boolq": [{"acc": 0.0, "f1": [1, 1], "mcc": LABELS[0]}, {"acc": 1.0, "f1": [0, 1], "mcc": LABELS[1]}],
            "mt": [{"bleu": PAIRS[0]}, {"bleu": PAIRS[1]}],
            "lm": [{"ppl": -1.0 - shift, "wppl": [-3.0, 4]}, {"ppl": -2.0, "wppl": [-5.0, 6]}],
            "rules": [{"inst": [True, False]}, {"inst": [True]}],
        }
        configs = {
            task: {"metric_list": [{"metric": m, "aggregation": how} for m, how in metrics.items()]} for task in tasks
        }
        better = {"lm": {"ppl": False, "wppl": False}}
        more = {"configs": configs, "higher_is_better": better, "group_subtasks": {"know": ["arc", "boolq"]}}
        lm_eval(folder / name, tasks, model=name, more=more)
    return folder


def records(scores: Scores) -> list[tuple[str, ...]]:
    """Every row in words, in one order."""
    axes = [axis for name in AXES if (axis := getattr(scores, name)) is not None]
    labels = [np.array(list(axis.labels), object)[axis.codes] for axis in axes]
    checks = np.zeros(len(scores.statistics)) if scores.checks is None else scores.checks
    return sorted(tuple(map(str, row)) for row in zip(*labels, checks, scores.statistics.tolist(), strict=True))


def same(first: Scores, second: Scores) -> None:
    assert records(first) == records(second)
    for axis in AXES[:3]:
        assert getattr(first, axis).labels == getattr(second, axis).labels
    assert first.higher_is_better == second.higher_is_better
    assert first.primary == second.primary
    assert first.groups == second.groups
    assert first.digits == second.digits
    for metric in first.metrics:
        assert first.aggregates[metric].name == second.aggregates[metric].name
        assert first.aggregates[metric].width == second.aggregates[metric].width
    if first.status is not None:
        assert np.bincount(first.status).tolist() == np.bincount(second.status).tolist()


def test_logs_are_read_back_to_the_same_scores(tmp_path: Path) -> None:
    scores = nf.read(many_kinds(tmp_path / "logs"))
    keep(scores, tmp_path / "scores.parquet")
    again = nf.read(tmp_path / "scores.parquet")
    same(scores, again)
    for dataset in scores.datasets:
        kwargs = {"dataset": dataset, "metric": scores.primary[dataset], "missing": "drop"}
        first, second = scores.pair(**kwargs), again.pair(**kwargs)
        assert [first.score(0), first.score(1)] == [second.score(0), second.score(1)]
    assert b"a b c d" not in (tmp_path / "scores.parquet").read_bytes()


def test_epochs_clusters_and_errors_are_kept(tmp_path: Path) -> None:
    samples = [
        sample(
            at,
            "CI"[at % 2],
            epoch,
            metadata={"page": f"p{at // 2}"},
            **({"error": {"message": "x"}} if at == 3 else {}),
        )
        for at in range(5)
        for epoch in (1, 2)
    ]
    for name in ("a", "b"):
        inspect(tmp_path / "logs" / f"{name}.json", samples, model=name)
    scores = nf.read(tmp_path / "logs", cluster="metadata.page")
    keep(scores, tmp_path / "kept.parquet")
    same(scores, nf.read(tmp_path / "kept.parquet"))
    # What became of an item is still known.
    zero = nf.read(tmp_path / "kept.parquet", on_error="zero")
    assert zero.pair().score(0) == pytest.approx(3 / 5)


def test_a_table_is_kept_as_well(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("item,system,wer,seed\nq1,A,0.5,1\nq1,B,0.25,1\nq2,A,,1\nq2,B,1,1\n")
    scores = nf.read(tmp_path / "s.csv")
    keep(scores, tmp_path / "kept.parquet")
    same(scores, nf.read(tmp_path / "kept.parquet"))


def test_metrics_need_not_have_the_same_items(tmp_path: Path) -> None:
    rows = [("q1", "A", "acc", 1), ("q2", "A", "acc", 0), ("q2", "A", "f", 0.5), ("q3", "A", "f", 0.25)]
    rows += [(item, "B", metric, 1) for item in ("q1", "q2", "q3") for metric in ("acc", "f")]
    text = "".join(f"{item},{system},{metric},{value}\n" for item, system, metric, value in rows)
    (tmp_path / "s.csv").write_text("item,system,metric,score\n" + text)
    scores = nf.read(tmp_path / "s.csv")
    keep(scores, tmp_path / "kept.parquet")
    again = nf.read(tmp_path / "kept.parquet")
    assert [row for row in records(again) if "nan" not in row[-1]] == records(scores)
    for metric in ("acc", "f"):
        first, second = (one.pair(metric=metric, missing="drop") for one in (scores, again))
        assert (first.n, first.score(0)) == (second.n, second.score(0))


@pytest.mark.parametrize("lacking", ["digits", "metrics", "groups"])
def test_kept_scores_that_lack_something_name_it(tmp_path: Path, lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = nf.read(many_kinds(tmp_path / "logs"))
    whole = kept._about(scores)
    monkeypatch.setattr(kept, "_about", lambda _: {key: value for key, value in whole.items() if key != lacking})
    keep(scores, tmp_path / "kept.parquet")
    with pytest.raises(InputError, match=f"not whole .no {lacking}"):
        nf.read(tmp_path / "kept.parquet")


def test_a_mistake_of_ours_is_not_told_as_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(nf.read(many_kinds(tmp_path / "logs")), tmp_path / "kept.parquet")

    def mistaken(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(kept, "_measured", mistaken)
    with pytest.raises(KeyError, match="ours"):
        nf.read(tmp_path / "kept.parquet")


def test_how_scores_were_made_is_kept(tmp_path: Path) -> None:
    lines = [f"q{at},{name},{run},{(at + run) % 2}\n" for at in range(4) for name in "AB" for run in range(3)]
    (tmp_path / "s.csv").write_text("item,system,run,wer\n" + "".join(lines))
    scores = nf.read(tmp_path / "s.csv", reduce="pass_at_2")
    keep(scores, tmp_path / "kept.parquet")
    again = nf.read(tmp_path / "kept.parquet")
    assert again.signatures == scores.signatures != {}
    assert again.notes == scores.notes != ()
    assert again.sources[0].made_by == (("csv", ""),)
    (tmp_path / "s.csv").write_text("item,system,run,wer\n" + "".join(lines).replace("A", "C").replace("B", "D"))
    keep(nf.read(tmp_path / "s.csv"), tmp_path / "other.parquet")
    with pytest.raises(InputError, match="wer was made in two ways"):
        nf.read([tmp_path / "kept.parquet", tmp_path / "other.parquet"])


def test_rows_without_ids_are_kept_as_such(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("A,B\n0.5,0.25\n1,0.75\n")
    scores = nf.read(tmp_path / "s.csv")
    keep(scores, tmp_path / "kept.parquet")
    assert not scores.ids_given
    assert not nf.read(tmp_path / "kept.parquet").ids_given


def test_what_counted_zero_is_still_told(tmp_path: Path) -> None:
    samples = [sample(at, "C", **({"error": {"message": "x"}} if at == 3 else {})) for at in range(5)]
    inspect(tmp_path / "a.json", samples)
    scores = nf.read(tmp_path / "a.json", on_error="zero")
    keep(scores, tmp_path / "kept.parquet")
    again = nf.read(tmp_path / "kept.parquet")
    for one in (scores, again):
        told = [str(note) for note in one.sources[0].notes]
        assert told == ["Not scored, and counted as 0: toy/a: 1 in error."]


def test_a_table_beside_logs_is_kept_first(tmp_path: Path) -> None:
    inspect(tmp_path / "a.json", [sample(at, "C") for at in range(3)])
    (tmp_path / "s.csv").write_text("item,task,system,match\n0,trivia,B,0\n1,trivia,B,1\n2,trivia,B,0\n")
    with pytest.raises(InputError, match="given together") as caught:
        nf.read([tmp_path / "a.json", tmp_path / "s.csv"])
    assert "nf.keep(nf.read(TABLE), 'table.parquet')" in str(caught.value)
    nf.keep(nf.read(tmp_path / "s.csv"), tmp_path / "table.parquet")
    scores = nf.read({"A": tmp_path / "a.json", "B": tmp_path / "table.parquet"})
    assert scores.pair("A", "B").n == 3


def test_a_baseline_is_compared_with_a_folder(tmp_path: Path) -> None:
    tasks = {"arc": [{"acc": float(at % 2)} for at in range(20)]}
    better = {"arc": [{"acc": float(at % 2 or at < 12)} for at in range(20)]}
    lm_eval(tmp_path / "old", tasks, model="acme/m")
    lm_eval(tmp_path / "new", better, model="acme/m")
    assert nofluke("read", str(tmp_path / "old"), "-o", str(tmp_path / "baseline.parquet")).code == 0
    run = nofluke("compare", str(tmp_path / "new"), str(tmp_path / "baseline.parquet"))
    assert run.code == 0, run.err
    assert "new is better than baseline" in run.out


def test_a_formula_without_a_name_is_not_kept(tmp_path: Path) -> None:
    scores = nf.from_statistics({"A": {"hits": [1, 1], "all": [1, 2]}}, "hits/all")
    with pytest.raises(InputError, match="score cannot be kept"):
        keep(scores, tmp_path / "kept.parquet")


def test_damaged_kept_scores_are_told(tmp_path: Path) -> None:
    path = tmp_path / "kept.parquet"
    keep(nf.read(many_kinds(tmp_path / "logs")), path)
    whole = path.read_bytes()
    for broken in (whole[: len(whole) // 2], whole[:-4], whole[:600] + b"\0" * 200 + whole[800:]):
        path.write_bytes(broken)
        with pytest.raises(InputError, match="not whole"):
            nf.read(path).pair(dataset="arc", missing="drop")
