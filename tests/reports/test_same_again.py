"""The same again: every call that is written down, in Python, in the shell and in TOML, gives its result.

Addresses of pages are tried in tests/web/test_links.py.
"""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.call import calls, in_python, in_shell, in_toml
from nofluke.reports.build import build
from nofluke.reports.plain import parsed
from nofluke.reports.provenance import calls_in
from nofluke.types import Call, Origin, Value
from nofluke.types.load import from_dict
from nofluke.verbs.detectable_effect import detected
from nofluke.verbs.power import planned
from reports.kinds import RESULTS, A, B
from support.command_line import nofluke

NASTY = ("the new, 'better' one", 'old "x" $HOME')
OUTPUTS = "id,gold,new,old\n" + "".join(f"q{at},{'xy'[at % 2]},{'xy'[at % 2]},{'xxy'[at % 3]}\n" for at in range(24))
WIDE = "id,new,old,third\n" + "".join(
    f"q{at},{a},{b},{b / 2}\n" for at, (a, b) in enumerate(zip(A * 2, B * 2, strict=True))
)
LONG = "item\tsystem\tmetric\tdataset\tscore\n" + "".join(
    f"q{at}-{dataset}\t{name}\t{metric}\t{dataset}\t{value * scale + shift * (at % 3) / 50}\n"
    for dataset, shift in (("de", 0), ("fr", 1), ("it", 2))
    for metric, scale in (("f1", 1), ("rouge", 2))
    for name, scores in zip((*NASTY, "third"), (A, B, B[::-1]), strict=True)
    for at, value in enumerate(scores)
)
STATISTICS = "id,system,tp,fp,fn\n" + "".join(
    f"q{at},{name},{(at * step) % 4},{at % 3},{at % 2}\n" for name, step in (("new", 3), ("old", 2)) for at in range(20)
)
FILES = {
    "my scores.csv": WIDE,
    "long.tsv": LONG,
    "outputs.csv": OUTPUTS,
    "counts.csv": STATISTICS,
    "p.csv": "dataset,p\nde,0.001\nfr,0.04\nit,0.3\n",
    "two sided.csv": "name new old p2\nde 81.2 80.1 0.0004\nfr 79.0 78.2 0.013\npl 70.4 70.6 0.6\n",
    "labels.csv": "sentence,ann,bob,comment\n"
    + "".join(f"s{at},{'xy'[at % 2]},x,{'xy'[at % 3 % 2]}\n" for at in range(9)),
    "gaps.csv": "id,new,old,third\n"
    + "".join(f"q{i},{i % 7},{i % 5},{'' if i % 9 == 2 else i % 4}\n" for i in range(40)),
    "gold.txt": "a b c d\ne f g h\n" * 6,
    "gold2.txt": "a b c\ne f g h i\n" * 6,
    "h1.txt": "a b c d\ne f g x\n" * 6,
    "h2.txt": "a x c d\ne f y x\n" * 6,
    "x1.txt": "1\n0\n1\n1\n0\n1\n0\n1\n",
    "x2.txt": "0\n0\n1\n0\n0\n1\n0\n1\n",
    "de.csv": "id,new,old\n" + "".join(f"d{i},{i % 7},{i % 5}\n" for i in range(30)),
    "teams.csv": "system,team\nnew,x\nold,y\nthird,y\n",
    "domains.csv": "item,domain\n" + "".join(f"q{i},{'uv'[i % 2]}\n" for i in range(18)),
    "fr.csv": "id,new,old\n" + "".join(f"f{i},{i % 6},{i % 5}\n" for i in range(30)),
}
QUOTED = " ".join(shlex.quote(word) for word in ("--a", NASTY[1], "--b", NASTY[0]))
COMMANDS = [
    "compare 'my scores.csv' --columns item=id --a new --b old",
    "compare 'my scores.csv' --lower-is-better --a third --b new --alternative less --alpha 0.1 --unit 2",
    "compare 'my scores.csv' --a new --b old --margin 0.1 --low 0 --high 1 --bayes --rope -0.02,0.03",
    "compare 'my scores.csv' --a new --b old --method wilcoxon --zeros pratt",
    "compare 'my scores.csv' --a new --b old --method permutation --monte-carlo 199 --seed 3",
    f"compare long.tsv --metric rouge --dataset fr {QUOTED}",
    "compare x1.txt x2.txt",
    f"compare {shlex.quote(NASTY[0].replace(chr(34), ''))}=x1.txt old=x2.txt",
    "compare new=h1.txt old=h2.txt --gold gold.txt --metric bleu --metric-option lowercase=true",
    "compare h1.txt h2.txt --gold gold.txt --gold gold2.txt --metric bleu",
    "compare outputs.csv --metric accuracy",
    "compare counts.csv --formula '2*tp/(2*tp+fp+fn)' --metric f1",
    "compare gaps.csv --a new --b third --missing drop",
    "compare - --a new --b old < 'my scores.csv'",
    "compare - --metric accuracy < outputs.csv",
    "test 'my scores.csv' --a new --b old --method sign",
    "test 'my scores.csv' --a new --b old --method mann_whitney",
    "test 'my scores.csv' --a old --b third --method wilcoxon --unit 3 --unit-statistic median --shuffle-seed 4",
    "test --counts 40,12,5,43 --method mcnemar --mode midp",
    "rank 'my scores.csv' --adjust bonferroni --alpha 0.1",
    "rank gaps.csv --systems new --systems third --missing pairwise",
    f"rank long.tsv --metric f1 --dataset de --baseline {shlex.quote(NASTY[0])}",
    "rank h1.txt h2.txt --gold gold.txt --metric token_f1",
    f"replicate long.tsv --metric f1 {QUOTED}",
    f"replicate long.tsv {QUOTED}",
    "replicate de.csv fr.csv",
    "replicate p.csv --dependence independent --fdr --subset de,it",
    "replicate 'two sided.csv' --sided two --columns p_value=p2",
    "replicate 0.001 0.04 0.3",
    "replicate --example parsing-spacy",
    "correct p.csv --method bh",
    "correct 0.01 0.02 0.3",
    "correct '<0.001' 0.02 0.000",
    "correct - < p.csv",
    "agree labels.csv",
    "agree labels.csv --annotators ann,bob --coefficient cohen_kappa --coefficient scott_pi",
    "agree labels.csv --missing x --columns annotator=ann,comment --coefficient krippendorff_alpha",
    "agree labels.csv --columns ignore=comment --interval bootstrap --n-resamples 199 --seed 2",
    "power plan --difference 0.05 --sd 0.2 --tests 3",
    "power plan --test mcnemar --n 500 --accuracy-a 0.9 --accuracy-b 0.88 --disagreement 0.1",
    "power plan --test replicate --datasets 3 --claim 2 --difference 0.05,0.1,0.2 --sd 0.3 --n 100",
    "power plan --test sign --n 40 --prob-a-better 0.7",
    "power detect --n 50 --sd 0.2 --power 0.9",
    "power detect --test sign --n 60",
    "power detect 'my scores.csv' --a new --b old --tests 2",
    "power curve 'my scores.csv' --a new --b old --difference 0.1 --sizes 20,40 --iterations 20 --seed 1",
    "power curve 'my scores.csv' --a new --b old --method welch_t --difference 0.1 --sizes 3 --iterations 20",
    "score new=h1.txt old=h2.txt --gold gold.txt --metric bleu",
    "score outputs.csv --metric accuracy",
    "score counts.csv --formula tp/(tp+fp)",
    "study gains 'my scores.csv' --window 0.0,0.5",
    "study similarity 'my scores.csv' --bins 2 --window 0,0.5",
    "study test-size 'my scores.csv' --sizes 9,18 --window 0,0.5",
    "study domain long.tsv --metric f1 --window 0,0.5",
    "study calibration 'my scores.csv' --size 8 --test-sets 5",
    "study audit 'my scores.csv' --a new --b old --methods paired_t,sign --iterations 100",
    "study multiplicity --datasets 10 --repetitions 50 --effects 2",
    "study sample-size --iterations 3 --sizes 30,60",
    "study sample-size --a 'normal(0,1)' --b 'normal(0.1,1)' --test wilcoxon --iterations 3 --sizes 30,60",
    "study multiplicity --dependence 6:0,4:0.5 --repetitions 50 --methods simes,fisher",
    "compare 'my scores.csv' --against 0.4 --a new --alpha 0.1 --alternative greater",
    f"compare long.tsv --metric f1,rouge --dataset de {QUOTED}",
    "compare new=h1.txt old=h2.txt --gold gold.txt --metric bleu,chrf",
    f"compare long.tsv --metric f1 --weights de=1,fr=2,it=2 {QUOTED}",
    "score 'my scores.csv' --interval",
    "replicate de.csv fr.csv --method sign",
]
# Tables beside the scores stand in a command; Python has them as they are.
ONLY_TYPED = [
    "study gains 'my scores.csv' --groups teams.csv --window 0,0.5 --overlay other=gaps.csv --missing drop",
    "study domain 'my scores.csv' --domains domains.csv --window 0,0.5",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOFLUKE_CACHE", "off")
    for name, text in FILES.items():
        Path(name).write_text(text)
    return tmp_path


def ran(command: str) -> str:
    line, _, piped = command.partition(" < ")
    stdin = Path(shlex.split(piped)[0]).read_bytes() if piped else b""
    run = nofluke(*shlex.split(line), "--format", "json", "-q", stdin=stdin)
    assert run.code == 0, run.err
    return run.out


def printed(python: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(python, {})
    return said.getvalue().rstrip("\n")


def told(text: str) -> dict[str, Any]:
    return {name: value for name, value in json.loads(text).items() if name not in ("run", "call")}


def piped_file(command: str) -> None:
    """What came through a pipe is read from a file of a general name."""
    _, _, piped = command.partition(" < ")
    if piped:
        content = Path(shlex.split(piped)[0]).read_text()
        for name in ("scores.csv", "outputs.csv", "p_values.csv"):
            Path(name).write_text(content)


@pytest.mark.parametrize("command", [*COMMANDS, *ONLY_TYPED])
def test_a_command_is_called_again_in_every_way(folder: Path, command: str) -> None:
    text = ran(command)
    result, run = parsed(text, "it")
    call = result.call  # type: ignore[attr-defined]
    assert from_dict(call.to_dict()) == call
    made = calls_in(call, run)
    _, arrow, piped = command.partition(" < ")
    assert told(ran(made["shell"].removeprefix("nofluke ") + arrow + piped)) == told(text)
    # What is written from the values alone asks the same as what was typed.
    read = replace(call, origin=run.source)
    assert told(ran(in_shell(read).removeprefix("nofluke ") + arrow + piped)) == told(text)
    settings = in_toml(read)
    (folder / "run.toml").write_text(settings)
    asked = tomllib.loads(settings)["command"]
    assert told(ran(f"{asked} --config run.toml{arrow}{piped}")) == told(text)
    piped_file(command)
    if command in ONLY_TYPED:
        assert "Python" not in made
    else:
        assert printed(made["Python"]) == str(result)


def test_the_file_of_options_repeats_the_run(folder: Path) -> None:
    typed = ("compare", "my scores.csv", "--a", "new", "--b", "old", "--require", "better", "--format", "json", "-q")
    first = nofluke(*typed, "--save-config", "run.toml")
    again = nofluke("compare", "--config", "run.toml")
    assert (again.code, told(again.out)) == (first.code, told(first.out))
    assert tomllib.loads((folder / "run.toml").read_text()) == {
        "command": "compare",
        "files": ["my scores.csv"],
        "a": "new",
        "b": "old",
        "method": "permutation",
        "format": "json",
        "quiet": True,
        "require": "better",
    }


def test_a_result_and_its_run_are_stored_with_their_call(folder: Path) -> None:
    assert folder.exists()
    ran("compare 'my scores.csv' --a new --b old -o page.json")
    again = nofluke("report", "page.json", "--format", "html").out
    assert "nf.read(&#39;my scores.csv&#39;).pair(&#39;new&#39;, &#39;old&#39;)" in again


@pytest.mark.parametrize(
    "result",
    [
        detected("paired_t", n=50, sd=0.2),
        planned("mcnemar", n=500, accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1),
        nf.sample_size(difference=0.05, sd=0.2),
        nf.correlation_test(0.5, 0.4, 0.7, 200),
        nf.studies.multiplicity(datasets=10, repetitions=50),
        nf.studies.sample_size_study((("normal(0,1)", "normal(0,1)", "paired_t"),), sizes=(30, 60), iterations=3),
    ],
    ids=lambda result: type(result).__name__,
)
def test_plans_and_simulations_print_the_whole_answer(result: Any) -> None:
    assert printed(build(result).calls["Python"]) == str(result)


def made_in_python() -> dict[str, Value]:
    scores, long = nf.read("scores.csv"), nf.read("long.tsv")
    pair = scores.pair("new", "old")
    return {
        "compare": nf.compare(pair, alpha=0.1, seed=4),
        "test": nf.test(pair, "wilcoxon", zeros="zsplit"),
        "unpaired": nf.test(scores.unpaired("new", "old"), "welch_t"),
        "effect": nf.effect(pair, "cohens_d", form="av"),
        "bayes": nf.bayes(pair, "bayes_factor"),
        "posterior": nf.bayes(scores.pair("old", "third"), rope=(-0.1, 0.2)),
        "curve": nf.power_curve(pair, difference=0.1, sizes=[20, 40], iterations=20),
        "rank": nf.rank(scores, method="sign", systems=["new", "third"]),
        "omnibus": nf.omnibus(scores, "quade"),
        "one metric": nf.compare(long.pair(*NASTY, dataset="de", metric="rouge")),
        "clusters": nf.compare(long.pair(*NASTY, dataset="de", metric="rouge", clusters=False, unit=3)),
        "hierarchical": nf.bayes(long, metric="f1", systems=NASTY, rope=0.1),
        "replicate": nf.replicate(long, a=NASTY[0], b=NASTY[1], metric="f1", method="paired_t"),
        "gains": nf.studies.gains(scores, window=(0.0, 0.5)),
        "agree": nf.agree(
            nf.read_ratings("ratings.csv"), "cohen_kappa", others=("scott_pi",), annotators=("ann", "bob")
        ),
    }


@pytest.mark.parametrize("name", ["compare", "test", "unpaired", "effect", "bayes", "posterior", "curve", "rank",
    "omnibus", "one metric", "clusters", "hierarchical", "replicate", "gains", "agree"])  # fmt: skip
def test_what_is_made_in_python_is_called_again_on_the_general_file(folder: Path, name: str) -> None:
    (folder / "scores.csv").write_text(WIDE)
    (folder / "ratings.csv").write_text(FILES["labels.csv"])
    result = made_in_python()[name]
    call = result.call  # type: ignore[attr-defined]
    assert from_dict(json.loads(json.dumps(call.to_dict()))) == call
    if name in ("one metric", "clusters", "hierarchical", "replicate"):
        (folder / "scores.csv").write_text(LONG)
    made = build(result).calls
    assert printed(made["Python"]) == str(result)
    if "shell" in made:
        # The words name options as their reader gives them.
        asked, typed = told(nf.report(result, "json")), told(ran(made["shell"].removeprefix("nofluke ")))
        assert {**asked, "text": ""} == {**typed, "text": ""}


@pytest.mark.parametrize("name", ["-My sys", "--b", "-q"])
def test_a_system_whose_name_begins_with_a_dash_is_called_again(folder: Path, name: str) -> None:
    by_file = nf.compare(nf.read({name: "x1.txt", "old": "x2.txt"}).pair(name, "old"))
    origin = Origin("read", ("x1.txt", "x2.txt"), (name, "old"))
    (folder / "scores.csv").write_text(WIDE.replace("id,new", f"id,{name}"))
    in_table = nf.compare(nf.read("scores.csv").pair(name, "old"))
    for result, source in ((by_file, origin), (in_table, Origin("read", ("scores.csv",)))):
        assert result.call is not None
        command, *words = shlex.split(in_shell(replace(result.call, origin=source)).removeprefix("nofluke "))
        run = nofluke(command, "-q", "--format", "json", *words)
        assert run.code == 0, run.err
        assert json.loads(run.out)["systems"] == [name, "old"]
        assert json.loads(run.out)["test"]["p_value"] == result.test.p_value


def test_only_what_is_not_the_default_is_told() -> None:
    asked = nf.compare(A, B, alternative="two-sided", alpha=0.05, seed=0, bayes=False)
    assert asked.call == Call("compare", {"method": asked.test.method}, "pair")
    assert nf.test(A, B, "wilcoxon", zeros="drop").call == Call("test", {"method": "wilcoxon"}, "pair")
    assert nf.sample_size(difference=0.1, sd=1, power=0.8).call == Call(
        "sample_size", {"test": "paired_t", "difference": 0.1, "sd": 1}
    )


def test_what_nobody_can_write_down_has_no_call() -> None:
    groups = {"a": "one", "b": "two", "c": "two"}
    study = nf.studies.gains({"a": A, "b": B, "c": B[::-1]}, groups=groups)
    assert study.call is not None
    assert study.call.unwritten == ("groups",)
    assert build(study).calls == {}
    assert calls(nf.correlation(A, B).call) == {}


def test_an_old_run_whose_files_nobody_knows_keeps_its_command() -> None:
    page = json.loads(nf.report(nf.compare(A, B), "json"))
    page["run"] = {"command": "nofluke compare s.csv", "inputs": {"s.csv": ""}, "versions": {}, "scored": True}
    result, run = parsed(json.dumps(page), "it")
    assert calls_in(result.call, run) == {"shell": "nofluke compare s.csv"}  # type: ignore[attr-defined]


def test_a_pipe_keeps_its_columns_and_its_neighbour() -> None:
    piped = Origin("read", ("-",), ("",), {"columns": {"item": "id"}})
    call = Call("compare", {}, "pair", {"a": "new", "b": "old"}, piped)
    assert "nf.read('scores.csv', item='id')" in in_python(call)
    assert in_shell(call) == "nofluke compare - --columns item=id --a new --b old"
    beside = replace(call, origin=Origin("read", ("-", "b.csv"), ("new", "old")))
    assert "nf.read({'new': 'scores.csv', 'old': 'b.csv'})" in in_python(beside)


def without_calls(data: Any) -> Any:
    """A result as it was stored before it held its call."""
    if isinstance(data, dict):
        new = {"call", "left_out", "scored_by"} | ({"n"} if {"magnitude", "rule"} <= data.keys() else set())
        return {name: without_calls(value) for name, value in data.items() if name not in new}
    return [without_calls(value) for value in data] if isinstance(data, list) else data


# What is younger than calls was never stored without one.
@pytest.mark.parametrize("kind", [kind for kind in RESULTS if kind not in ("Gate", "MetricsComparison", "SelfCheck")])
def test_a_result_stored_before_it_held_its_call_is_told_alike(kind: str) -> None:
    result = RESULTS[kind](("new", "old"))
    again = from_dict(without_calls(result.to_dict()))
    assert str(again) == str(result)
    told, before = build(again), build(result)
    for part in ("headline", "sentences", "main", "short", "long", "notes", "citations", "records"):
        assert repr(getattr(told, part)) == repr(getattr(before, part)), part
    if getattr(result, "call", None) is not None and kind not in ("Scored", "SystemScore"):  # never stored without
        assert again.call.verb == result.call.verb  # type: ignore[attr-defined]
        assert bool(told.calls) == bool(before.calls)


def test_a_metric_of_a_result_stored_before_keeps_its_settings() -> None:
    lines = {"new": ["a b c d", "e f g x"] * 6, "old": ["a x c d", "e f y x"] * 6}
    scores = nf.score("bleu", lines, ["a b c d", "e f g h"] * 6, lowercase=True)
    for result in (nf.compare(scores.pair()), nf.test(scores.pair(), "permutation"), nf.rank(scores)):
        again = from_dict(without_calls(result.to_dict()))
        assert again.scored_by == result.scored_by != ""  # type: ignore[attr-defined]
        assert build(again).long == build(result).long
