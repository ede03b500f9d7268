"""Logs of Inspect: marks, epochs, errors, clusters, reducers; old, killed, damaged and hostile archives."""

from __future__ import annotations

import importlib.util
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError, MissingExtra
from nofluke.readers.formats import inspect_logs
from nofluke.readers.logs.zips import Archive
from nofluke.types.bounds import Bounds
from support.command_line import nofluke
from support.logs import inspect, sample

FORMS = ("log.json", "log.eval")


def refused(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        nf.read(path)
    return caught.value


def values(scores: nf.Scores) -> list[float | None]:
    return [None if math.isnan(value) else value for value in scores.statistics[:, 0].tolist()]


@pytest.mark.parametrize("form", FORMS)
def test_marks_are_numbers_and_what_failed_is_missing(form: str, tmp_path: Path) -> None:
    marks = ["C", "P", "I", "N", "yes", "false", "0.25", True, math.nan, 3]
    samples = [sample(at, mark) for at, mark in enumerate(marks)]
    samples.append(sample("e", "C", error={"message": "x"}))
    scores = nf.read(inspect(tmp_path / form, samples))
    assert (scores.systems, scores.datasets, scores.metrics) == (("toy/a",), ("trivia",), ("match",))
    assert values(scores) == [1, 0.5, 0, 0, 1, 0, 0.25, 1, None, 3, None]
    told = " ".join(map(str, scores.sources[0].notes))
    assert "toy/a: 1 not scored, 1 in error" in told or "toy/a: 1 in error, 1 not scored" in told
    assert "The mark N (no answer) counts 0: 1 by match" in told
    assert values(nf.read(tmp_path / form, on_error="zero", on_unscored="zero"))[-3:] == [0, 3, 0]


def test_a_text_that_is_no_score_is_not_taken_as_zero(tmp_path: Path) -> None:
    samples = [sample(at, {"match": "C", "judge": "rather good"}) for at in range(3)]
    scores = nf.read(inspect(tmp_path / "log.json", samples))
    assert scores.metrics == ("match",)
    assert "judge of trivia is left out: 'rather good' is no score." in str(scores.sources[0].notes[-1])


def test_values_of_several_scales_must_be_chosen_from(tmp_path: Path) -> None:
    samples = [sample(at, {"judge": {"helpful": 4, "safe": True}, "match": "C"}) for at in range(3)]
    scores = nf.read(inspect(tmp_path / "log.json", samples))
    assert scores.metrics == ("judge/helpful", "judge/safe", "match")
    assert not scores.primary
    shares = [sample(at, {"judge": {"safe": True}, "match": "C"}) for at in range(3)]
    assert nf.read(inspect(tmp_path / "log.json", shares)).primary == {"trivia": "judge/safe"}


@pytest.mark.parametrize("form", FORMS)
def test_epochs_are_runs_and_never_items(form: str, tmp_path: Path) -> None:
    for name, marks in (("a", "CCI"), ("b", "III")):
        samples = [sample(at, mark, epoch + 1) for at in range(12) for epoch, mark in enumerate(marks)]
        inspect(tmp_path / name / form, samples, model=f"toy/{name}")
    scores = nf.read(tmp_path)
    pair = scores.pair()
    assert (pair.n, pair.score(0)) == (12, pytest.approx(2 / 3))


def test_an_item_that_lacks_a_run_is_averaged_or_dropped(tmp_path: Path) -> None:
    whole = [sample(at, "C", epoch) for at in range(3) for epoch in (1, 2)]
    inspect(tmp_path / "b.json", whole, model="toy/b")
    whole[0] = sample(0, "C", 1, error={"message": "x"})
    inspect(tmp_path / "a.json", whole, model="toy/a")
    assert nf.read(tmp_path).pair().n == 3
    assert nf.read(tmp_path, missing_runs="drop").pair(missing="drop").n == 2


def test_reducers_are_not_metrics_and_the_mean_is_checked(tmp_path: Path) -> None:
    samples = [sample(at, mark, epoch) for at in range(4) for epoch, mark in ((1, "C"), (2, "I"))]
    entry: dict[str, Any] = {"name": "match", "scorer": "match"}
    scored = [
        {**entry, "reducer": "max", "metrics": {"accuracy": {"value": 1.0}}},
        {**entry, "reducer": "mean", "metrics": {"accuracy": {"value": 0.5}}},
    ]
    scores = nf.read(inspect(tmp_path / "log.json", samples, results={"scores": scored}))
    assert scores.metrics == ("match",)
    assert not scores.sources[0].notes
    scored[1]["metrics"] = {"accuracy": {"value": 0.75}}
    scores = nf.read(inspect(tmp_path / "log.json", samples, results={"scores": scored}))
    assert "reports match 0.75" in str(scores.sources[0].notes[0])


@pytest.mark.parametrize("form", FORMS)
def test_clusters_are_those_of_the_logs_own_standard_error(form: str, tmp_path: Path) -> None:
    samples = [sample(at, "C", metadata={"passage": f"p{at // 3}", "kind": "x"}) for at in range(6)]
    metrics = {"accuracy": {"value": 1.0}, "stderr": {"value": 0.0, "params": {"cluster": "passage"}}}
    results = {"scores": [{"name": "match", "scorer": "match", "metrics": metrics}]}
    for name in ("a", "b"):
        inspect(tmp_path / name / form, samples, model=name, results=results)
    assert nf.read(tmp_path).pair().clusters.tolist() == [0, 0, 0, 1, 1, 1]
    assert len(set(nf.read(tmp_path, cluster="metadata.kind").pair().clusters.tolist())) == 1


def test_one_model_with_other_arguments_is_another_system(tmp_path: Path) -> None:
    for hint in (True, False):
        about = {"task_args": {"hint": hint}, "task_id": str(hint)}
        inspect(tmp_path / f"math-{hint}.json", [sample(at, "C" if hint else "I") for at in range(5)], eval=about)
    inspect(tmp_path / "mcq.json", [sample(at, "C") for at in range(5)], task="mcq")
    scores = nf.read(tmp_path)
    assert scores.systems == ("toy/a:hint=false", "toy/a:hint=true")
    # The other task has no such argument, and counts for both.
    assert scores.datasets == ("trivia", "mcq")
    assert scores.pair().score(1) == 1.0


def test_a_shuffle_without_ids_is_found_out(tmp_path: Path) -> None:
    inspect(tmp_path / "a.json", [sample(at, "C") for at in range(6)], model="a")
    inspect(tmp_path / "b.json", [sample(at, "C", input=f"Question {5 - at}?") for at in range(6)], model="b")
    with pytest.raises(InputError, match="6 of 6 items of trivia have one id for a, b"):
        nf.read(tmp_path).pair()


def test_invalidated_samples_are_no_scores(tmp_path: Path) -> None:
    samples = [sample(0, "C", invalidation={"reason": "x"}), sample(1, "C")]
    scores = nf.read(inspect(tmp_path / "log.eval", samples, invalidated=True))
    assert values(scores) == [None, 1]
    assert "toy/a: 1 invalidated" in str(scores.sources[0].notes[0])


def test_a_killed_run_is_read_from_its_journal(tmp_path: Path) -> None:
    path = inspect(tmp_path / "log.eval", [sample(at, "C") for at in range(3)], members=())
    scores = nf.read(path)
    assert values(scores) == [1, 1, 1]
    assert "Runs that did not finish: toy/a on trivia (started)" in str(scores.sources[0].notes[0])


def rewritten(path: Path, members: dict[str, Any]) -> Path:
    """Write an archive of just these members."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, json.dumps(content))
    return path


START = {"version": 2, "eval": {"task": "trivia", "model": "toy/a", "dataset": {"samples": 4}}}


def test_a_sample_that_a_journal_names_twice_counts_once(tmp_path: Path) -> None:
    journal = {
        "_journal/start.json": START,
        "_journal/summaries/1.json": [sample(1, "I"), sample(2, "C")],
        "_journal/summaries/2.json": [sample(1, "C")],
    }
    scores = nf.read(rewritten(tmp_path / "log.eval", journal))
    assert values(scores) == [1, 1]
    told = " ".join(map(str, scores.sources[0].notes))
    assert "did not finish: toy/a on trivia (started)" in told
    assert "(2 of 4)" in told


@pytest.mark.parametrize("members", [{}, {"_journal/summaries/1.json": []}])
def test_a_run_that_was_killed_before_any_sample_is_told(members: dict[str, Any], tmp_path: Path) -> None:
    run = nofluke("compare", str(rewritten(tmp_path / "log.eval", {"_journal/start.json": START, **members})))
    assert run.code == 2
    assert "no sample" in run.err


def test_large_samples_in_several_members(tmp_path: Path) -> None:
    members: dict[str, Any] = {"_journal/start.json": START, "header.json": START | {"status": "success"}}
    for at in range(3):
        members[f"samples/q/{at}_epoch_1/sample.json"] = sample(at, "C")
        members[f"samples/q/{at}_epoch_1/metadata.json"] = {"topic": f"t{at // 2}"}
        members[f"samples/q/{at}_epoch_1/messages/0.json"] = [{"role": "user", "content": "x"}]
    scores = nf.read(rewritten(tmp_path / "log.eval", members), cluster="metadata.topic")
    assert values(scores) == [1, 1, 1]
    assert scores.cluster is not None
    assert scores.cluster.labels == ("t0", "t1")


def shards(folder: Path, workers: dict[str, list[Any]], model: str = "toy/a", status: str = "success") -> Path:
    """Logs of workers who share a run of 6 items."""
    for worker, samples in workers.items():
        path = folder / "run.shards" / worker / f"log-{len(samples)}.eval"
        inspect(path, samples, model=model, status=status, eval={"dataset": {"samples": 6}, "task_id": worker})
    return folder


def test_workers_who_share_a_run_are_one_log(tmp_path: Path) -> None:
    for model, mark in (("toy/a", "C"), ("toy/b", "I")):
        done = [sample(at, mark if at % 3 else "C", metadata={"p": f"p{at // 2}"}) for at in range(6)]
        shards(tmp_path / model, {"0": done[:2], "1": done[2:5], "2": done[5:]}, model)
    scores = nf.read(tmp_path)
    assert scores.systems == ("toy/a", "toy/b")
    assert scores.pair().n == 6
    assert scores.sources[0].notes == ()
    # A second attempt of a worker takes the place of the first.
    shards(tmp_path / "toy/a", {"2": [sample(5, "C"), sample(6, "C")]})
    assert nf.read(tmp_path / "toy/a").item.labels == ("0", "1", "2", "3", "4", "5", "6")


def test_the_merged_log_counts_where_it_has_all_and_else_the_workers_do(tmp_path: Path) -> None:
    done = [sample(at, "C") for at in range(6)]
    shards(tmp_path, {"0": done[:3], "1": done[3:]})
    inspect(tmp_path / "run.eval", done[:3], status="started", eval={"dataset": {"samples": 6}})
    assert values(nf.read(tmp_path)) == [1] * 6
    inspect(tmp_path / "run.eval", [sample(at, "I") for at in range(7)], eval={"dataset": {"samples": 6}})
    assert values(nf.read(tmp_path)) == [0] * 7


def test_items_that_two_workers_have_are_refused(tmp_path: Path) -> None:
    done = [sample(at, "C") for at in range(6)]
    error = refused(shards(tmp_path, {"0": done[:3], "1": done[2:]}))
    assert "two workers have run item '2'" in str(error)


@pytest.mark.skipif(importlib.util.find_spec("backports") is None, reason="backports.zstd is not installed")
def test_a_mistake_of_ours_is_not_told_as_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(inspect_logs, "_settings", mistaken)
    with pytest.raises(KeyError, match="ours"):
        nf.read(inspect(tmp_path / "x.eval", [sample(1, "C")]))


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("[1]", "no eval.task"),
        ('{"eval": 1}', "no eval.task"),
        ('{"eval": {"task": "t"}}', "no eval.model"),
        ('{"eval": {"task": "t", "model": "m"}, "samples": 3}', "no id of a sample"),
        ('{"eval": {"task": "t", "model": "m"}, "samples": [{}]}', "no id of a sample"),
    ],
)
def test_a_log_that_lacks_what_it_needs_names_it(tmp_path: Path, header: str, said: str) -> None:
    (tmp_path / "x.json").write_text(header)
    with pytest.raises(InputError, match=said):
        nf.read(tmp_path / "x.json", format="inspect")


def test_parts_of_another_shape_are_passed_over(tmp_path: Path) -> None:
    odd = {"results": {"scores": [3, {"metrics": [1]}]}, "plan": 1, "eval": {"packages": 1, "dataset": [2]}}
    path = inspect(tmp_path / "x.json", [sample(1, "C"), sample(2, 10**400)], **odd)
    assert values(nf.read(path))[0] == 1


def test_archives_in_zstd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from backports.zstd import zipfile as with_zstd

    inspect(tmp_path / "plain.eval", [sample(at, "C") for at in range(3)])
    with zipfile.ZipFile(tmp_path / "plain.eval") as old, with_zstd.ZipFile(tmp_path / "log.eval", "w", 93) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    assert values(nf.read(tmp_path / "log.eval")) == [1, 1, 1]
    damaged = bytearray((tmp_path / "log.eval").read_bytes())
    place = damaged.index(b"summaries.json") + 20
    damaged[place : place + 20] = b"\xff" * 20
    (tmp_path / "bad.eval").write_bytes(bytes(damaged))
    assert "not whole" in refused(tmp_path / "bad.eval").message
    # Where a member begins, by its entry in the directory, there is something else.
    place = damaged.rindex(b"PK\x03\x04", 0, damaged.index(b"summaries.json"))
    damaged[place : place + 4] = b"XXXX"
    (tmp_path / "bad.eval").write_bytes(bytes(damaged))
    assert "not whole" in refused(tmp_path / "bad.eval").message
    monkeypatch.setitem(__import__("sys").modules, "backports.zstd", None)
    with pytest.raises(MissingExtra, match=r"nofluke\[logs\]"):
        nf.read(tmp_path / "log.eval")


def test_a_python_that_unpacks_zstd_needs_no_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from backports.zstd import zipfile as with_zstd

    inspect(tmp_path / "plain.eval", [sample(at, "C") for at in range(3)])
    with zipfile.ZipFile(tmp_path / "plain.eval") as old, with_zstd.ZipFile(tmp_path / "log.eval", "w", 93) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    # As in Python 3.14, whose own zipfile is that of the backport.
    monkeypatch.setattr(zipfile, "ZIP_ZSTANDARD", 93, raising=False)
    monkeypatch.setattr(zipfile, "ZipFile", with_zstd.ZipFile)
    monkeypatch.setitem(__import__("sys").modules, "backports.zstd", None)
    assert values(nf.read(tmp_path / "log.eval")) == [1, 1, 1]


@pytest.mark.parametrize("broken", [b"PK\x03\x04 header.json", b'{"version": 2, "status": "x", "eval": {}}'])
def test_broken_logs_are_told(broken: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    path.write_bytes(broken)
    assert "log of Inspect" in refused(path).message
    assert nofluke("compare", str(path)).code == 2


def changed(data: bytes, member: str, at: int, value: bytes) -> bytes:
    """The archive with bytes of a member's entry in the directory replaced."""
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(member.encode()))
    return data[: entry + at] + value + data[entry + at + len(value) :]


def test_a_log_that_cannot_be_unpacked_is_told_with_a_fix(tmp_path: Path) -> None:
    path = inspect(tmp_path / "x.eval", [sample(at, "C") for at in range(4)])
    whole = path.read_bytes()
    inside = whole.rindex(b"summaries.json", 0, whole.index(b"PK\x01\x02")) + len(b"summaries.json")
    for broken, said, fix in (
        (whole[:inside] + b"\xff" * 40 + whole[inside + 40 :], "not whole", "copy it again"),
        (whole[: len(whole) // 2], "not whole", "copy it again"),
        (changed(whole, "summaries.json", 24, (10).to_bytes(4, "little")), "not whole", "copy it again"),
        (changed(whole, "summaries.json", 8, (1).to_bytes(2, "little")), "not whole", "copy it again"),
        (changed(whole, "header.json", 10, (14).to_bytes(2, "little")), "packed in a way", "--to json"),
        (changed(whole, "summaries.json", 24, (2**31).to_bytes(4, "little")), "200 times", "--to json"),
    ):
        path.write_bytes(broken)
        error = refused(path)
        assert said in error.message
        assert fix in error.advice()
    path.write_text(json.dumps({"version": 2, "status": "success", "eval": 3}))
    assert "log of Inspect" in refused(path).message


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("header.json", "{}")
        archive.writestr("summaries.json", b" " * 2**25)
    assert "more than 200 times its size" in refused(path).message


def test_the_members_of_a_log_are_bounded(tmp_path: Path) -> None:
    data = inspect(tmp_path / "x.eval", [sample(0, "C")]).read_bytes()
    members = ["header.json", "summaries.json"]
    Archive(data, "x.eval", "Inspect", "", Bounds(members=5)).refuse_declared(members)
    with pytest.raises(InputError, match="over 4 members"):
        Archive(data, "x.eval", "Inspect", "", Bounds(members=4))
    with pytest.raises(InputError, match="more than 0 MB"):
        Archive(data, "x.eval", "Inspect", "", Bounds(total=100)).refuse_declared(members)


def test_metadata_that_old_summaries_lack_is_read_from_the_samples(tmp_path: Path) -> None:
    samples = [sample(at, "C", metadata={"passage": f"p{at // 3}"}) for at in range(6)]
    metrics = {"accuracy": {"value": 1.0}, "stderr": {"value": 0.0, "params": {"cluster": "passage"}}}
    results = {"scores": [{"name": "match", "scorer": "match", "metrics": metrics}]}
    path = inspect(tmp_path / "log.eval", samples, results=results)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    short = [{name: value for name, value in one.items() if name != "metadata"} for one in samples]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, json.dumps(short) if name == "summaries.json" else content)
    scores = nf.read(path)
    assert scores.cluster is not None
    assert scores.cluster.labels == ("p0", "p1")


def test_the_list_of_an_eval_set_is_passed_over(tmp_path: Path) -> None:
    inspect(tmp_path / "a.json", [sample(1, "C"), sample(2, "I")])
    header = json.loads((tmp_path / "a.json").read_text())
    del header["samples"]
    (tmp_path / "logs.json").write_text(json.dumps({"a.json": header}, indent=2))
    scores = nf.read(tmp_path)
    assert scores.statistics[:, 0].tolist() == [1, 0]
    assert [one.code for one in scores.sources[0].notes] == ["logs.passed_over"]
    with pytest.raises(InputError, match="lists logs of Inspect"):
        nf.read(tmp_path / "logs.json")


def test_the_one_scorer_of_the_first_versions(tmp_path: Path) -> None:
    old = [{**sample(at, {}), "score": {"value": value}} for at, value in enumerate("CIC")]
    scores = nf.read(inspect(tmp_path / "a.json", old, results={"scorer": {"name": "includes"}}))
    assert (scores.metrics, scores.statistics[:, 0].tolist()) == (("includes",), [1, 0, 1])


def test_a_value_that_is_never_there_is_no_missing_item(tmp_path: Path) -> None:
    values = [{"judge": {"style": float(at), "tone": None}} for at in range(4)]
    scores = nf.read(inspect(tmp_path / "a.json", [sample(at, value) for at, value in enumerate(values)]))
    assert scores.metrics == ("judge/style", "judge/tone")
    assert "logs.not_scored" not in {one.code for one in scores.sources[0].notes}
