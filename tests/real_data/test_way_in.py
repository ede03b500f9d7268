"""Every set of real data is read by the natural first command, or by following what that command advises, literally."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Run, nofluke

# What a user types first, by set of data; the advice of a refusal is followed until an answer comes.
FIRST = {
    "classify_sst2": [
        *(f"{verb} predictions.csv" for verb in ("compare", "rank", "test", "score")),
        *("score predictions.csv --metric f1", "power curve predictions.csv --iterations 20"),
    ],
    "hitchhiker_example": [f"{verb} scores.csv" for verb in ("compare", "rank", "test", "replicate", "score")],
    "iaa_snow2008": [
        *(f"agree {name}.csv" for name in ("rte", "wordsim", "irr_anxiety", "irr_diagnoses", "irr_video")),
        *(f"compare {name}.csv" for name in ("rte", "wordsim", "irr_anxiety", "irr_diagnoses")),
    ],
    "ir_trec_adhoc8": ["compare adhoc8_rr.csv", "compare adhoc8_ap.csv", "rank adhoc8_p10.csv"],
    "llm_alpaca_eval2": [
        *("compare preferences.csv.gz", "compare output_chars.csv.gz"),
        *("rank preferences.csv.gz", "replicate preferences.csv.gz"),
    ],
    "mt_wmt17_ende": ["compare systems/FBK.4870.de.gz systems/xmu.4910.de.gz --gold ref.de.gz"],
    "mt_wmt21_zhen": [
        "compare systems/Borderline.en.gz systems/DIDI-NLP.en.gz --gold ref.A.en.gz",
        "compare sentence_bleu.csv.gz",
        "compare human_da_segments.csv.gz",
        "rank human_da_segments.csv.gz",
        "rank sentence_bleu.csv.gz",
        "compare human_official_ranksum_p.csv",
        "replicate human_official_ranksum_p.csv",
        "correct human_official_ranksum_p.csv",
    ],
    "multi_conll17_treebanks": [
        *("compare las.csv", "replicate las.csv", "replicate uas.csv --a C2L2 --b IMS", "rank upos.csv"),
    ],
    "multi_marc_xnli_two_systems": ["compare predictions.csv.gz", "replicate predictions.csv.gz"],
    "multi_uci_54x5": [
        *("compare mean_accuracy.csv", "replicate mean_accuracy.csv", "rank mean_accuracy.csv"),
        *("compare accuracies.csv.gz", "replicate accuracies.csv.gz"),
    ],
    "ner_conll03_tags": ["compare tags.tsv.gz", "score tags.tsv.gz"],
    "nlpstattest_wmt17_zhen_pair": ["compare scores.csv"],
    "parsing_conll18_en_pud": [
        "compare per_sentence_counts.tsv.gz",
        "compare systems/ICS-PAS.conllu.gz systems/LATTICE-18.conllu.gz --gold gold.conllu.gz --metric las",
        "score systems/ICS-PAS.conllu.gz --gold gold.conllu.gz --metric token_accuracy",
    ],
    "alignment_enfr": [
        "compare per_sentence_counts.tsv.gz",
        "compare systems/giza.union.txt systems/giza.intersection.txt --gold gold.txt --metric aer",
    ],
    "sum_compare_mt": ["compare rouge_per_item.csv.gz", "compare sys1.txt.gz sys2.txt.gz --gold ref.txt.gz"],
    "wordsim_glove_wordnet": ["compare pairs.csv.gz", "rank pairs.csv.gz"],
    "formats_inspect": [f"{verb} popularity_3samples.json popularity_10samples.eval" for verb in ("compare", "rank")],
}
_MOST_STEPS = 6


def followed(command: str, refusal: str) -> str:
    """Give the command changed as the advice says, its placeholders filled with the first names that were listed."""
    advice = " ".join(refusal.partition("fix: ")[2].split())
    listed = re.search(r"there are \d+: (.*?)(?:, \.\.\.|\. fix|\.$)", " ".join(refusal.split()))
    if "--a NAME --b NAME" in advice and listed:
        first, second = listed[1].split(", ")[:2]
        return f"{command} --a {shlex.quote(first)} --b {shlex.quote(second)}"
    if found := re.search(r"--systems \S+( --missing drop)?(?=\.$)", advice):
        return f"{command} {found[0]}"
    if found := re.search(r"--missing (drop)", advice):
        return f"{command} --missing {found[1]}"
    if found := re.search(r"hold \d+ (dataset|metric)s: ([^,]*),", " ".join(refusal.split())):
        return f"{command} --{found[1]} {shlex.quote(found[2])}"
    if "A=FILE B=FILE" in advice:
        verb, first, second, *rest = shlex.split(command)
        return shlex.join([verb, f"A={first}", f"B={second}", *rest])
    if found := re.search(r"nofluke (compare|correct|agree|rank|test)\b", advice):
        file = shlex.split(command)[1]
        rest = command.partition(file)[2]
        return f"{found[1]} {file}{rest}"
    if found := re.search(r'(--metric|--columns|--formula|--dataset) ("[^"]*"|\S+?)(?=[;.,]?(?: |$))', advice):
        return f"{command} {found[1]} {found[2]}"
    raise AssertionError(f"no advice in: {refusal}")


@pytest.mark.parametrize(("name", "command"), [(name, one) for name, typed in FIRST.items() for one in typed])
def test_the_advice_leads_to_an_answer(
    data: Callable[[str], Path], name: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOFLUKE_CACHE", "off")
    folder = data(name)
    tried: list[str] = []
    for _ in range(_MOST_STEPS):
        assert command not in tried, f"a circle of advice: {tried}"
        tried.append(command)
        run: Run = nofluke(*shlex.split(command), cwd=folder)
        if run.code == 0:
            return
        assert run.code == 2, run.err
        assert "Traceback" not in run.err
        command = followed(command, run.err)
    raise AssertionError(f"no answer after {tried}")


def test_every_set_is_tried(data: Callable[[str], Path]) -> None:
    folder = data("classify_sst2").parent
    sets = {path.name for path in folder.iterdir() if path.is_dir() and path.name != "logs"}
    assert sets <= set(FIRST)
