"""Logs of lm-evaluation-harness: items, filters, metrics that are no scores, groups, and what can be wrong."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke
from support.logs import DATE, lm_eval


def rows(values: list[Any], metric: str = "acc", **more: Any) -> list[dict[str, Any]]:
    return [{metric: value, **more} for value in values]


def test_two_folders_are_compared_item_by_item(tmp_path: Path) -> None:
    tasks = {"arc": rows([1.0, 1.0, 0.0, 1.0] * 10), "arc_hard": rows([1.0, 0.0] * 10)}
    other = {"arc": rows([0.0, 1.0, 0.0, 1.0] * 10), "arc_hard": rows([0.0, 0.0] * 10)}
    lm_eval(tmp_path / "tuned", tasks, model="acme/tuned")
    lm_eval(tmp_path / "base", other, model="acme/base")
    run = nofluke("compare", str(tmp_path / "tuned"), str(tmp_path / "base"))
    assert run.code == 0, run.err
    assert run.err.startswith("lm-evaluation-harness 0.4.13 logs: 2 systems, 2 tasks, 60 items")
    assert "acme/tuned is better than acme/base on the average of 2 tasks" in run.out
    scores = nf.read([str(tmp_path / "tuned"), str(tmp_path / "base")])
    assert scores.datasets == ("arc", "arc_hard")  # one name begins with the other
    # 0 in one task is another item than 0 in the other: their documents differ.
    assert scores.pair().clusters is None


def test_matched_ids_must_ask_the_same(tmp_path: Path) -> None:
    asked = [{"acc": 1.0, "question": f"What is {at}?"} for at in range(6)]
    shuffled = [{**row, "question": asked[(at + 1) % 6]["question"]} for at, row in enumerate(asked)]
    lm_eval(tmp_path / "a", {"arc": asked, "boolq": rows([1.0, 0.0, 1.0])}, model="a")
    lm_eval(tmp_path / "b", {"arc": shuffled, "boolq": rows([0.0, 0.0, 1.0])}, model="b")
    scores = nf.read(tmp_path)
    with pytest.raises(InputError, match="6 of 6 items of arc have one id for a, b and do not ask the same"):
        scores.pair()
    assert scores.pair(dataset="boolq").n == 3  # what is not looked at is not refused


def test_documents_that_occur_twice_are_two_items(tmp_path: Path) -> None:
    same = [{"acc": float(at % 2), "question": "the same"} for at in range(4)]
    lm_eval(tmp_path / "a", {"arc": same}, model="a")
    lm_eval(tmp_path / "b", {"arc": same}, model="b")
    assert nf.read(tmp_path).pair().n == 4


def test_the_end_of_a_line_gives_what_the_whole_line_gives(tmp_path: Path) -> None:
    lm_eval(
        tmp_path / "a", {"arc": [{"acc": 1.0, "bleu": ['a "filter": "none" b', "b"]}, {"acc": math.nan}]}, model="a"
    )
    fast = nf.read(tmp_path / "a")
    file = next((tmp_path / "a").glob("samples*"))
    # Other blanks, and other order of the keys: then the whole line is read.
    slow = [json.dumps(json.loads(line), separators=(",", ":")) for line in file.read_text().splitlines()]
    turned = [json.dumps(dict(reversed(json.loads(line).items()))) for line in file.read_text().splitlines()]
    file.write_text("\n".join(slow))
    compact = nf.read(tmp_path / "a")
    file.write_text(
        '{"doc_id": 9, "filter": "none", "metrics": ["acc"], "doc_hash": "x", "acc": 1}\n' + "\n".join(turned)
    )
    other = nf.read(tmp_path / "a")
    np.testing.assert_array_equal(fast.statistics, compact.statistics)
    np.testing.assert_array_equal(fast.checks, compact.checks)
    assert set(fast.checks.tolist()) <= set(other.checks.tolist())


def test_filters_are_metrics_of_their_own(tmp_path: Path) -> None:
    both = [
        {"exact_match": value, "filter": name, "doc_id": at}
        for name, value in (("strict", 0.0), ("loose", 1.0))
        for at in range(3)
    ]
    lm_eval(tmp_path, {"gsm8k": both})
    scores = nf.read(tmp_path)
    assert scores.metrics == ("exact_match/strict", "exact_match/loose")
    assert scores.primary == {"gsm8k": "exact_match/strict"}
    assert len(scores.item.labels) == 3


def test_before_filters_had_names_they_stand_in_the_order_of_the_task(tmp_path: Path) -> None:
    both = [{"exact_match": value, "doc_id": at} for value in (0.0, 1.0) for at in range(3)]
    configs = {
        "gsm8k": {"filter_list": [{"name": "strict"}, {"name": "loose"}], "metric_list": [{"metric": "exact_match"}]}
    }
    lm_eval(tmp_path, {"gsm8k": both}, more={"configs": configs})
    file = next(tmp_path.glob("samples*"))
    old = [json.loads(line) for line in file.read_text().splitlines()]
    for line in old:
        del line["filter"], line["metrics"]
    file.write_text("\n".join(map(json.dumps, old)))
    scores = nf.read(tmp_path)
    assert scores.metrics == ("exact_match/strict", "exact_match/loose")
    assert scores.statistics[:, 0].tolist() == [0, 0, 0, 1, 1, 1]
    next(tmp_path.glob("results*")).unlink()
    with pytest.raises(InputError, match="doc_id 0 stands in line 1 too"):
        nf.read(tmp_path)


def test_log_likelihoods_become_perplexity_and_lower_is_better(tmp_path: Path) -> None:
    metrics = [{"metric": "perplexity", "aggregation": "perplexity", "higher_is_better": False}]
    for name, likelihood in (("good", -1.0), ("bad", -2.0)):
        lines = rows([likelihood - at / 10 for at in range(8)], "perplexity")
        reported = math.exp(-(likelihood - 0.35))
        more = {
            "configs": {"lambada": {"metric_list": metrics}},
            "results": {"lambada": {"alias": "lambada", "perplexity,none": reported}},
        }
        lm_eval(tmp_path / name, {"lambada": lines}, model=name, more=more)
    compared = nf.compare(nf.read([str(tmp_path / "good"), str(tmp_path / "bad")]))
    assert compared.verdict == "better"
    assert compared.scores[0] == pytest.approx(math.exp(1.35))
    assert not [note for source in nf.read(tmp_path).sources for note in source.notes if note.code == "logs.deviates"]


def test_averages_are_computed_anew_and_deviations_told(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0, 0.0])}, more={"results": {"arc": {"alias": "arc", "acc,none": 0.75}}})
    told = [note for note in nf.read(tmp_path).sources[0].notes if note.code == "logs.deviates"]
    assert "reports acc 0.75 for acme/base on arc, but its items give 0.5" in str(told[0])


def test_an_array_with_gaps_is_no_score(tmp_path: Path) -> None:
    pair: list[Any] = [0, "[0.5 ... 0.5]"]
    configs = {"arc": {"metric_list": [{"metric": "brier_score"}]}}
    lm_eval(tmp_path, {"arc": [{"acc": 1.0, "brier_score": pair}]}, more={"configs": configs})
    scores = nf.read(tmp_path)
    assert scores.metrics == ("acc",)
    assert "brier_score of arc is left out" in str(scores.sources[0].notes[-1])
    lm_eval(tmp_path, {"arc": [{"brier_score": pair}]}, more={"configs": configs})
    with pytest.raises(InputError, match="no metric of these logs can be compared"):
        nf.read(tmp_path)


def test_nan_is_not_scored_and_not_zero(tmp_path: Path) -> None:
    lm_eval(tmp_path / "a", {"arc": rows([1.0, math.nan, 1.0])}, model="a")
    lm_eval(tmp_path / "b", {"arc": rows([1.0, 0.0, 0.0])}, model="b")
    run = nofluke("compare", str(tmp_path))
    assert run.code == 2
    assert "1 has no score for 'a'" in run.err
    assert "a: 1 not scored" in run.err
    assert nf.read(tmp_path).pair(missing="drop").score(0) == 1.0
    assert nf.read(tmp_path, on_unscored="zero").pair().score(0) == pytest.approx(2 / 3)


@pytest.mark.parametrize("by_size", [True, False])
def test_a_group_is_averaged_as_the_harness_does_it(by_size: bool, tmp_path: Path) -> None:
    tasks = {"know_bio": rows([1.0] * 7 + [0.0]), "know_law": rows([1.0, 0.0]), "boolq": rows([1.0, 1.0])}
    results = {"know_bio": {"acc,none": 0.875}, "know_law": {"acc,none": 0.5}}
    mean = 0.8 if by_size else 0.6875
    more = {
        "results": {name: {"alias": name, **values} for name, values in results.items()},
        "groups": {"know": {"acc,none": mean}},
        "group_subtasks": {"know": ["know_bio", "know_law"]},
    }
    for name in ("a", "b"):
        lm_eval(tmp_path / name, tasks, model=name, more=more)
    scores = nf.read(tmp_path)
    sample = scores.pair()
    assert sample.score(0) == pytest.approx((mean + 1) / 2)
    told = "weighted by size" if by_size else "count the same"
    assert f"know (its 2 tasks {told})" in str(sample.notes[-1])
    assert scores.pair(dataset="know_bio,know_law").score(0) == pytest.approx(mean)
    assert scores.pair(weights="items").score(0) == pytest.approx(10 / 12)


def test_tasks_on_other_scales_are_named_and_left_out_of_the_average(tmp_path: Path) -> None:
    better = {"wiki": {"word_perplexity": False}}
    for name, gain in (("a", 1.0), ("b", 0.0)):
        tasks = {
            "arc": rows([gain, 1.0] * 5),
            "gsm8k": rows([gain, 0.0] * 5, "exact_match"),
            "wiki": rows([[-9.0 + gain, 3], [-5.0, 2]], "word_perplexity"),
        }
        lm_eval(tmp_path / name, tasks, model=name, more={"higher_is_better": better})
    run = nofluke("compare", str(tmp_path / "a"), str(tmp_path / "b"))
    assert run.code == 0, run.err
    assert "average of 2 tasks" in run.out
    assert "wiki (word_perplexity) is on another scale and not in the average" in " ".join(run.out.split())
    alone = nf.compare(nf.read(tmp_path), dataset="wiki")
    assert alone.scores[0] == pytest.approx(math.exp(13 / 5))
    assert alone.scores[0] < alone.scores[1]


def test_a_part_of_the_items_does_not_stand_for_all(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0] * 8)}, day=1)
    lm_eval(tmp_path, {"arc": rows([0.0] * 3)}, day=2, sizes={"arc": 8})
    scores = nf.read(tmp_path)
    assert scores.statistics[:, 0].tolist() == [1.0] * 8
    assert "Not used: 1 log" in str(scores.sources[0].notes[0])
    every = nf.read(tmp_path, logs="all")
    assert every.run is not None
    assert len(every.run.labels) == 2


def test_the_newest_of_two_whole_logs_counts(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0] * 4)}, day=1)
    lm_eval(tmp_path, {"arc": rows([0.0] * 4)}, day=2)
    assert nf.read(tmp_path).statistics[:, 0].tolist() == [0.0] * 4


def test_settings_that_differ_make_two_systems(tmp_path: Path) -> None:
    for day, temperature in ((1, 0.0), (2, 0.7)):
        config = {"config": {"model_args": {"pretrained": "acme/base", "temperature": temperature}}}
        lm_eval(tmp_path, {"arc": rows([float(day)] * 4)}, day=day, more=config)
    assert nf.read(tmp_path).systems == ("acme/base:temperature=0.0", "acme/base:temperature=0.7")
    by = nf.read(tmp_path, system_by="temperature")
    assert by.systems == ("temperature=0.0", "temperature=0.7")
    with pytest.raises(InputError, match="no setting 'size'"):
        nf.read(tmp_path, system_by="size")


def test_one_model_in_two_folders_is_named_by_the_folders(tmp_path: Path) -> None:
    for name in ("before", "after"):
        lm_eval(tmp_path / name, {"arc": rows([1.0, 0.0])}, model="acme/base")
    assert nf.read([str(tmp_path / "before"), str(tmp_path / "after")]).systems == ("before", "after")
    named = nf.read({"old": tmp_path / "before", "new": tmp_path / "after"})
    assert named.systems == ("old", "new")


def test_several_folders_of_one_name_are_its_runs(tmp_path: Path) -> None:
    for name, value in (("s1", 1.0), ("s2", 0.0), ("other", 0.0)):
        lm_eval(tmp_path / name, {"arc": rows([value] * 4)}, model="acme/base")
    scores = nf.read([f"new={tmp_path / 's1'}", f"new={tmp_path / 's2'}", f"old={tmp_path / 'other'}"])
    assert scores.systems == ("new", "old")
    assert scores.pair().score(0) == 0.5


def test_clusters_are_chosen_by_a_field(tmp_path: Path) -> None:
    for name in ("a", "b"):
        lm_eval(tmp_path / name, {"arc": rows([1.0, 0.0, 1.0, 0.0])}, model=name)
    assert nf.read(tmp_path, cluster="doc.passage").pair().clusters.tolist() == [0, 0, 1, 1]
    with pytest.raises(InputError, match=r"there is no field 'doc.page'") as caught:
        nf.read(tmp_path, cluster="doc.page")
    assert "line 1" in caught.value.where
    with pytest.raises(InputError, match="a log says itself what the item is"):
        nf.read(tmp_path, item="doc.question")


def test_averages_without_items_are_refused_with_what_to_do(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0])})
    for file in tmp_path.glob("samples*"):
        file.unlink()
    run = nofluke("compare", str(tmp_path))
    assert run.code == 2
    assert "averages of lm-evaluation-harness, without the items" in run.err
    assert "--log_samples" in run.err


def test_a_results_file_of_another_run_is_told(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0, 0.0])}, day=1)
    lm_eval(tmp_path, {"arc": rows([1.0])}, day=2)
    (tmp_path / f"samples_arc_{DATE.format(2)}.jsonl").unlink()
    assert "1 file holds no item scores" in str(nf.read(tmp_path).sources[0].notes[0])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"doc_id": 5, "doc": {"a": "', "the log ends too early"),
        ('{"doc_id": 5, "doc" 3}', "the log is not JSON"),
        ('{"task": "arc"}', "it has no doc_id"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_a_damaged_line_is_named(line: str, said: str, tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0, 0.0])})
    file = next(tmp_path.glob("samples*"))
    file.write_text(file.read_text() + line)
    run = nofluke("compare", str(tmp_path))
    assert run.code == 2
    assert said in run.err
    assert f"{file.name} line 3" in run.err


def test_a_run_without_results_is_named_by_its_folder(tmp_path: Path) -> None:
    lm_eval(tmp_path / "acme__base", {"arc": rows([1.0, 0.0])}, results=False)
    assert nf.read(tmp_path).systems == ("acme/base",)


def test_predictions_alone_are_refused(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": [{}, {}]})
    with pytest.raises(InputError, match="the items were not scored"):
        nf.read(tmp_path)


def test_systems_that_were_not_prompted_alike_are_told(tmp_path: Path) -> None:
    for name, template in (("a", None), ("b", "12345678abc")):
        more = {"chat_template_sha": template, "n-shot": {"arc": 0 if name == "a" else 5}, "versions": {"arc": 1}}
        lm_eval(tmp_path / name, {"arc": rows([1.0, 0.0])}, model=name, more=more)
    file = next((tmp_path / "b").glob("samples*"))
    file.write_text(file.read_text().replace('"prompt_hash": "', '"prompt_hash": "f'))
    told = " ".join(map(str, nf.read(tmp_path).sources[0].notes))
    assert "n-shot differs on arc" in told
    assert "prompt differs on arc" in told
    assert "version differs" not in told


def test_a_results_file_of_another_name_is_found_by_its_date(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0, 0.0])}, model="acme/x")
    next(tmp_path.glob("results*")).rename(tmp_path / f"mine_{DATE.format(1)}.json")
    assert nf.read(tmp_path).systems == ("acme/x",)


def test_a_value_that_the_metric_cannot_have_is_refused(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0, 101.0])})
    with pytest.raises(InputError, match="acc is never above 100, and item '1' of arc has 101") as caught:
        nf.read(tmp_path)
    assert "samples_arc" in caught.value.where
    assert nf.read(tmp_path, higher_is_better=True).metrics == ("acc",)


def test_standard_input(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"arc": rows([1.0, 0.0])})
    run = nofluke("read", "-", stdin=next(tmp_path.glob("samples*")).read_bytes())
    assert run.code == 0, run.err
    assert run.out.startswith("lm-evaluation-harness: 1 system, 1 task, 2 items.")


def test_how_a_group_is_averaged_stays_in_a_long_answer(tmp_path: Path) -> None:
    for name, gain in (("a", 1.0), ("b", 0.0)):
        tasks = {f"task{at}": rows([gain, 1.0, 0.0] * 6) for at in range(9)}
        tasks |= {"know_bio": rows([gain] * 4 + [1.0] * 8), "know_law": rows([gain, 1.0] * 4)}
        more = {"group_subtasks": {"know": ["know_bio", "know_law"]}}
        lm_eval(tmp_path / name, tasks, model=name, more=more)
    for command in ("compare", "rank"):
        said = " ".join(nofluke(command, str(tmp_path)).out.split())
        assert "A group counts as one task, as the harness averages it: know (its 2 tasks weighted by size)" in said
    said = " ".join(nofluke("compare", str(tmp_path), "--dataset", "know_bio,know_law").out.split())
    assert "The average is that of know (its 2 tasks weighted by size), as the harness computes it" in said


def test_samples_before_0_4_3_are_arrays_named_after_arguments_and_task(tmp_path: Path) -> None:
    lm_eval(tmp_path / "now", {"arc": rows([1.0, 0.0, 1.0]), "arc_easy": rows([0.0, 1.0])}, model="org/now")
    old = tmp_path / "old"
    old.mkdir()
    for file in (tmp_path / "now").glob("samples*"):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        for line in lines:
            # Hashes are made of the document as the harness makes them.
            line["doc"] = {"question": f"{file} {line['doc_id']}"}
            for name in ("filter", "metrics", "doc_hash", "prompt_hash", "target_hash"):
                del line[name]
        task = "arc_easy" if "arc_easy" in file.name else "arc"
        (old / f"pretrained__org__old,dtype__float_{task}.jsonl").write_text(json.dumps(lines, indent=2))
    whole = {
        "results": {task: {"acc,none": 0.5, "alias": task} for task in ("arc", "arc_easy")},
        "configs": {"arc": {}, "arc_easy": {}, "easy": {}},
        "config": {"model_args": "pretrained=org/old,dtype=float"},
    }
    (old / "results.json").write_text(json.dumps(whole, indent=2))
    scores = nf.read(old)
    assert (scores.systems, scores.datasets) == (("org/old",), ("arc", "arc_easy"))
    assert scores.statistics[:, 0].tolist() == [1, 0, 1, 0, 1]
    (deviates,) = scores.sources[0].notes  # and the results are no stranger
    assert deviates.code == "logs.deviates"
    (old / "results.json").unlink()
    assert nf.read(old).systems == ("old",)


def test_old_and_new_samples_match_by_the_harness_own_hashes(tmp_path: Path) -> None:
    document = {"question": "Wie groß?", "id": 3}
    line = {"doc_id": 0, "doc": document, "target": ["a", 1], "arguments": [], "resps": [], "filtered_resps": []}
    text = json.dumps(document, indent=2, ensure_ascii=False)
    hashes = {"doc_hash": text, "target_hash": "['a', 1]"}
    new = {**line, "filter": "none", "metrics": ["acc"], **{name: _sha(of) for name, of in hashes.items()}, "acc": 1.0}
    (tmp_path / "samples_t.jsonl").write_text(json.dumps(new))
    (tmp_path / "samples_u.jsonl").write_text(json.dumps([{**line, "acc": 0.0}]))
    checks = [nf.read(tmp_path / f"samples_{name}.jsonl").checks for name in "tu"]
    assert checks[0] is not None
    assert checks[1] is not None
    assert checks[0].tolist() == checks[1].tolist() != [0]


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_files_of_write_out_before_0_4(tmp_path: Path) -> None:
    lines = [
        {"doc_id": at, "prompt_0": "Q", "logit_0": [-1.0, True], "truth": "0", "acc": str(at < 2), "f1": "0.25"}
        for at in range(3)
    ]
    (tmp_path / "hellaswag_write_out_info.json").write_text(json.dumps(lines, indent=4))
    scores = nf.read(tmp_path)
    assert (scores.datasets, scores.metrics) == (("hellaswag",), ("acc", "f1"))
    assert scores.statistics[:, 0].tolist() == [1, 1, 0, 0.25, 0.25, 0.25]
    lines[1]["doc_id"] = 0
    (tmp_path / "hellaswag_write_out_info.json").write_text(json.dumps(lines))
    with pytest.raises(InputError, match="doc_id 0 stands there twice"):
        nf.read(tmp_path)


def test_details_of_the_leaderboard_are_lines_named_json(tmp_path: Path) -> None:
    for model, day in (("a", 1), ("b", 2)):
        lm_eval(tmp_path / model, {"ifeval": rows([1.0, 0.0])}, model=model, day=day)
        for file in (tmp_path / model).glob("samples*"):
            file.rename(file.with_suffix(".json"))
    assert nf.read(tmp_path).pair("a", "b").n == 2


def test_what_stands_for_a_score_of_outputs_alone_is_none(tmp_path: Path) -> None:
    lm_eval(tmp_path, {"gsm8k": rows([None, None], "bypass")})
    with pytest.raises(InputError, match="the items were not scored"):
        nf.read(tmp_path)


def test_ids_that_ask_otherwise_are_told_with_what_content_matches(tmp_path: Path) -> None:
    asked = [{"acc": 1.0, "question": f"What is {at}?"} for at in range(6)]
    lm_eval(tmp_path / "a", {"arc": asked}, model="a")
    lm_eval(tmp_path / "b", {"arc": asked[1:]}, model="b")
    lm_eval(tmp_path / "c", {"arc": [{**row, "question": f"{row['question']}!"} for row in asked]}, model="c")
    with pytest.raises(InputError, match=r"match items by what they ask \(5 match\): match_by='content'"):
        nf.read([str(tmp_path / "a"), str(tmp_path / "b")]).pair()
    assert nf.read([str(tmp_path / "a"), str(tmp_path / "b")], match_by="content").pair(missing="drop").n == 5
    with pytest.raises(InputError) as caught:
        nf.read([str(tmp_path / "a"), str(tmp_path / "c")]).pair()
    assert "content" not in str(caught.value)
