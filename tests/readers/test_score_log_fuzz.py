"""Small outputs of every tool, damaged at every node: read or refused with one message; never taken for another."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.readers.given import HEAD_BYTES
from nofluke.readers.sniff import sniff_format
from nofluke.registry import FORMATS
from readers.test_sacrebleu import ONE, PAIRED, SEVERAL
from support import score_logs
from support.command_line import nofluke
from support.logs import inspect, lm_eval, sample

JUNK: tuple[Any, ...] = (None, [], {}, "x", 10**400, float("nan"), -1, True, [[]], {"a": 1})
LINES = ("", "\t", "x", "x\ty\tz\tw", "nan", "new\tNone", '{"a": 1}', "9" * 5000, "a b c d e")
METRIC = {"new": [0.5, 0.25, 0.75], "old": [0.5, None, 0.25]}


def examples(folder: Path) -> dict[str, Path]:
    """One small output of every form."""
    mteb = score_logs.mteb(folder / "mteb", {"A": {"test": {"eng": 0.5, "fra": 0.25}}, "B": 0.5})
    mtme = score_logs.mt_metrics_eval(folder / "wmt99", {"BLEURT-refA": METRIC}, ("news", "news", "chat"))
    answers = [("What?\n\nA) a\nB) b\nC) c\nD) d", 1.0), ("Why?", 0.5)]
    found = {
        "comet": score_logs.comet_score(folder / "comet.json"),
        "comet compared": score_logs.comet_compare(folder / "compared.json"),
        "comet printed": score_logs.comet_printed(folder / "printed.txt"),
        "mt_metrics_eval": mtme / "metric-scores/de-en/BLEURT-refA.seg.score",
        "mt_metrics_eval documents": mtme / "documents/de-en.docs",
        "mt_metrics_eval systems": mtme / "metric-scores/de-en/BLEURT-refA.sys.score",
        "mteb": mteb / "acme__new/1/A.json",
        "mteb model": mteb / "acme__new/1/model_meta.json",
        "simple_evals": score_logs.simple_evals(folder / "math_new_20260101_100000_allresults.json", answers),
        "sacrebleu": score_logs.sacrebleu_sentences(folder / "new.txt", [50, 60]),
        "trec": score_logs.ir_measures(folder / "run.tsv", [0.5, 0.25]),
        "trec lines": score_logs.ir_measures(folder / "run.jsonl", [0.5, 0.25], lines=True),
    }
    found["simple_evals averages"] = folder / "math_new_20260101_100000.json"
    for name, text in (("one", ONE), ("several", SEVERAL), ("paired", PAIRED)):
        found[f"sacrebleu {name}"] = folder / f"{name}.json"
        found[f"sacrebleu {name}"].write_text(text)
    return found


def damaged(whole: Any) -> Iterator[Any]:
    """Put something else at every node, and take every key away."""
    places: list[tuple[Any, ...]] = []

    def visit(node: Any, path: tuple[Any, ...]) -> None:
        inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, value in inner:
            places.append((*path, key))
            visit(value, (*path, key))

    visit(whole, ())
    for path in places:
        for junk in (*JUNK, KeyError):
            changed = copy.deepcopy(whole)
            node = changed
            for key in path[:-1]:
                node = node[key]
            if junk is KeyError:
                del node[path[-1]]
            else:
                node[path[-1]] = junk
            yield changed


def texts(path: Path) -> Iterator[str]:
    """All damaged forms of a file: of JSON every node, of lines every line and cell; cut at many places."""
    text = path.read_text()
    yield from (text[: len(text) * part // 12] for part in range(1, 12))
    try:
        yield from map(json.dumps, damaged(json.loads(text)))
        return
    except ValueError:
        lines = text.splitlines()
    for at, line in enumerate(lines):
        for junk in (*LINES, line + "\t" + line, line.replace("\t", " "), line[: len(line) // 2]):
            yield "\n".join([*lines[:at], junk, *lines[at + 1 :]]) + "\n"
        yield "\n".join(lines[:at] + lines[at + 1 :]) + "\n"
        yield "\n".join([*lines[: at + 1], *lines[at:]]) + "\n"


FORMS = (
    *("comet", "comet compared", "comet printed", "mt_metrics_eval", "mt_metrics_eval documents"),
    *("mt_metrics_eval systems", "mteb", "mteb model", "simple_evals", "simple_evals averages"),
    *("sacrebleu", "sacrebleu one", "sacrebleu several", "sacrebleu paired", "trec", "trec lines"),
)


@pytest.mark.parametrize("form", FORMS)
def test_damage_at_every_node_is_read_or_refused(form: str, tmp_path: Path) -> None:
    path = examples(tmp_path)[form]
    # What lies beside scores is damaged, and the scores are read.
    beside = {"mteb model": path.parent}
    beside |= dict.fromkeys(("mt_metrics_eval documents", "mt_metrics_eval systems"), tmp_path / "wmt99")
    kind = "auto" if form in beside else form.split()[0]
    read, refused = 0, set()
    for text in texts(path):
        path.write_text(text)
        try:
            assert nf.read(beside.get(form, path), format=kind).systems
            read += 1
        except NoflukeError as error:
            refused.add(str(error))
    # Scores of systems are looked at only to be compared with those of segments.
    assert all(refused)
    assert refused or form == "mt_metrics_eval systems"
    assert read or form.startswith("sacrebleu ") or form.endswith("averages")


@pytest.mark.parametrize("form", FORMS)
def test_a_command_on_a_damaged_file_gives_one_message(form: str, tmp_path: Path) -> None:
    path = examples(tmp_path)[form]
    text = path.read_text()
    path.write_text(text[: len(text) // 2].rstrip("\n,0123456789") + " {")
    run = nofluke("compare", str(path), str(path))
    assert run.code == 2
    assert run.err.count("error: ") == 1


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_recognised_by_one_format_alone(form: str, tmp_path: Path) -> None:
    path = examples(tmp_path)[form]
    name = form.split()[0]
    if form in ("mteb model", "mt_metrics_eval documents"):
        return
    head = path.read_bytes()[:HEAD_BYTES]
    assert sniff_format(head, name=path.name) == name
    sure = [one for one in FORMATS if one.facts["told_by"] in ("mark", "layout") and one.facts["sniff"](head)]
    assert {one.name for one in sure if one.facts["names"] is None or one.facts["names"].search(path.name)} == {name}


TABLES = {
    "wide.csv": "item,A,B\nq1,0.5,0.4\nq2,0.7,0.9\n",
    "long.csv": "system,item,score\nA,q1,0.5\nB,q1,0.4\n",
    "blocks.tsv": "A\t0.5\nA\t0.4\nB\t0.5\nB\t0.1\n",
    "items.txt": "q1 0.5\nq2 0.7\n",
    "numbers.txt": "0.5\n0.7\n",
    "bleu.csv": "segment,BLEU,COMET\n1,0.5,0.4\n",
    "records.jsonl": '{"src": "a", "mt": "b", "COMET": 0.5}\n{"src": "c", "mt": "d", "COMET": 0.25}\n',
    "systems.json": '[{"system": "A", "item": "q1", "BLEU": 30.5}, {"system": "B", "item": "q1", "BLEU": 31.5}]',
    "named.json": '{"A": [0.5, 0.25], "B": [0.25, 0.5]}',
    "objects.json": '{"A": [{"item": "q1", "score": 0.5}], "B": [{"item": "q1", "score": 0.25}]}',
    "means.json": '{"score": 0.5, "chars": 3}',
    "tasks.json": '{"task_name": "A", "scores": {"test": [0.5]}, "mteb_version": "2"}',
    "words.tsv": "sentence\tscore\nBLEU is a score: 5\t0.5\n",
    "colon.tsv": "A\tscore 0.5\nB\tscore 0.6\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_a_plain_table_is_no_log(name: str) -> None:
    found = sniff_format(TABLES[name].encode(), name=name)
    assert FORMATS[found].facts["gives"] == "table"


def test_logs_of_other_harnesses_are_not_taken_for_these(tmp_path: Path) -> None:
    lm_eval(tmp_path / "lm", {"arc": [{"acc": 1.0}] * 3})
    inspect(tmp_path / "a.json", [sample(at, "C") for at in range(3)])
    for path in (*(tmp_path / "lm").iterdir(), tmp_path / "a.json"):
        assert sniff_format(path.read_bytes(), name=path.name) in ("lm_eval", "inspect")


HOSTILE = (
    b" " * HEAD_BYTES,
    b"[" + b" " * HEAD_BYTES,
    b'{"score":' + b" " * HEAD_BYTES,
    b'{"score:std": 1, "score": 1' + b', "a": 1   \n   ' * 3_000 + b"x",
    b'{"' + b"\\\\" * (HEAD_BYTES // 2),
    b'{"model": "' + b"a" * HEAD_BYTES,
    b'[{"system": "' + b"\\" * HEAD_BYTES,
    b"BLEU|" + b"= " * HEAD_BYTES,
    b"a\tSegment 1\tscore: 1" * 5_000,
    b'{"dataset_revision":' * 3_000,
)


@pytest.mark.parametrize("head", HOSTILE, ids=range(len(HOSTILE)))
def test_no_beginning_of_a_file_takes_long_to_look_at(head: bytes) -> None:
    """A pattern that goes back and forth over blanks would take minutes."""
    assert sniff_format(head[:HEAD_BYTES], name="x.seg.score") in FORMATS
