"""Results on real scores, outputs and annotations, which lie beside the repository and never in it."""

from __future__ import annotations

import csv
import gzip
import io
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import nofluke as nf
from freeze.cases import Case, Cases
from nofluke.verbs.detectable_effect import detected_in
from nofluke.verbs.score import scored

DATA = Path(__file__).parent.parent.parent.parent.parent / "shared" / "data"
MARK = "real data: "


def is_here() -> bool:
    return DATA.is_dir()


def cases() -> Cases:
    found: Cases = {}
    for make in (_pairs, _many, _datasets, _annotations, _outputs):
        found |= make()
    return {MARK + name: case for name, case in found.items()}


@cache
def read(name: str, **columns: Any) -> Any:
    return nf.read(DATA / name, **columns)


def _pairs() -> Cases:
    def by_method(pair: Case, method: str) -> Case:
        return lambda: nf.test(pair(), method)

    hitchhiker = partial(_pair, "hitchhiker_example/scores.csv")
    translation = partial(_pair, "nlpstattest_wmt17_zhen_pair/scores.csv")
    found: Cases = {
        "hitchhiker, compared": lambda: nf.compare(hitchhiker()),
        "hitchhiker, one-sided": lambda: nf.compare(hitchhiker(), alternative="greater"),
        "translation, compared": lambda: nf.compare(translation()),
        "translation, margin": lambda: nf.compare(translation(), margin=0.01),
        "translation, bayes": lambda: nf.compare(translation(), bayes=True, rope=0.005),
        "translation, paper's rules": lambda: nf.compare(translation(), rules="zhu2020"),
        "translation, detectable": lambda: detected_in(translation()),
        "sentiment, compared": lambda: nf.compare(*_right("classify_sst2/predictions.csv", "cnn", "lstm")),
        "sentiment, margin": lambda: nf.compare(*_right("classify_sst2/predictions.csv", "cnn", "lstm"), margin=0.02),
        "topics, clusters": lambda: nf.compare(_alpaca().pair("vicuna-13b", "vicuna-7b")),
        "topics, no clusters": lambda: nf.compare(_alpaca().pair("vicuna-13b", "vicuna-7b", clusters=False)),
    }
    for method in ("paired_t", "wilcoxon", "sign", "permutation", "bootstrap", "bootstrap_median"):
        found[f"hitchhiker by {method}"] = by_method(hitchhiker, method)
        found[f"translation by {method}"] = by_method(translation, method)
    return found


def _pair(name: str) -> Any:
    return read(name).pair()


def _alpaca() -> Any:
    models = ("vicuna-13b", "vicuna-7b", "claude", "claude-2", "gpt4_gamed")
    return read("llm_alpaca_eval2/preferences.csv.gz", cluster="dataset", score=models)


def _right(name: str, a: str, b: str) -> tuple[list[int], list[int]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple([int(row[system] == row["gold"]) for row in rows] for system in (a, b))  # type: ignore[return-value]


def _many() -> Cases:
    bleu = "mt_wmt21_zhen/sentence_bleu.csv.gz"
    return {
        "TREC-8, ranked": lambda: nf.rank(read("ir_trec_adhoc8/adhoc8_ap.csv")),
        "TREC-8, paired_t": lambda: nf.rank(read("ir_trec_adhoc8/adhoc8_p10.csv"), method="paired_t", adjust="bh"),
        "TREC-8, friedman": lambda: nf.omnibus(read("ir_trec_adhoc8/adhoc8_ap.csv")),
        "WMT21, ranked": lambda: nf.rank(read(bleu), unit=15),
        "WMT21, as published": lambda: nf.rank(
            read(bleu), unit=15, method="wilcoxon", mode="normal", family="pairs", adjust="bonferroni"
        ),
        "WMT21, people": lambda: nf.rank(
            read("mt_wmt21_zhen/human_da_segments.csv.gz", score="z"), method="mann_whitney", mode="normal"
        ),
        "models, clusters": lambda: nf.rank(_alpaca()),
        "treebanks, ranked": lambda: nf.rank(read("multi_conll17_treebanks/las.csv", dataset="treebank")),
        "classifiers, omnibus": lambda: nf.omnibus(_means(), "iman_davenport"),
        "classifiers, nemenyi": lambda: nf.nemenyi(_means()),
        "gains of WMT21": lambda: nf.studies.gains(read(bleu)),
    }


def _means() -> np.ndarray:
    table = np.genfromtxt(DATA / "multi_uci_54x5/mean_accuracy.csv", delimiter=",", skip_header=1, comments=None)
    return table[:, ~np.isnan(table).any(axis=0)]


def _datasets() -> Cases:
    return {
        "languages, replicated": lambda: nf.replicate(_languages()),
        "languages, one claim": lambda: nf.replicate(_languages(), alternative="greater", dependence="positive"),
        "languages, hierarchical": lambda: nf.bayes(_languages(), rope=0.01),
        "word similarity": lambda: {name: nf.compare(sample) for name, sample in _similarity()},
    }


@cache
def _languages() -> Any:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["dataset", "language", "item", "mlpp", "mt5base"])
    with gzip.open(DATA / "multi_marc_xnli_two_systems/predictions.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            answers = (int(row[name] == row["gold"]) for name in ("mlpp", "mt5base"))
            writer.writerow([row["dataset"], row["language"], row["item"], *answers])
    out.seek(0)
    return nf.read(out, dataset="dataset,language")


def _similarity() -> list[tuple[str, Any]]:
    with gzip.open(DATA / "wordsim_glove_wordnet/pairs.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = []
    for dataset in ("MC-30", "RG-65", "YP-130"):
        table = [row for row in rows if row["dataset"] == dataset]
        human = [row["human"] for row in table]
        outputs = {name: [row[name] for row in table] for name in ("glove100d_cosine", "wordnet_path")}
        found.append((dataset, nf.score("spearman", outputs, human, cache=False).pair(missing="drop")))
    return found


def _annotations() -> Cases:
    def agreed(file: str, name: str, **options: Any) -> Case:
        return lambda: nf.agree(nf.read_ratings(DATA / "iaa_snow2008" / file), name, **options)

    return {
        "crowd, krippendorff": agreed("rte.csv", "krippendorff_alpha"),
        "crowd, ordinal": agreed("wordsim.csv", "krippendorff_alpha", level="interval"),
        "diagnoses, fleiss": agreed("irr_diagnoses.csv", "fleiss_kappa"),
        "diagnoses, gwet": agreed("irr_diagnoses.csv", "gwet_ac1", width=0.1),
        "diagnoses, light": agreed("irr_diagnoses.csv", "light_kappa"),
        "anxiety, quadratic": agreed("irr_anxiety.csv", "conger_kappa"),
        "video, ordinal": agreed("irr_video.csv", "krippendorff_alpha", level="ordinal"),
    }


def _outputs() -> Cases:
    def compared(metric: str, outputs: dict[str, str], gold: str, **options: Any) -> Case:
        def made() -> Any:
            files = {name: DATA / path for name, path in outputs.items()}
            scores = nf.score(metric, files, DATA / gold, cache=False)
            return {"scored": scored(scores), "compared": nf.compare(scores.pair(), seed=1, **options)}

        return made

    parsing, aligned = "parsing_conll18_en_pud", "alignment_enfr"
    parsers = {name: f"{parsing}/systems/{name}.conllu.gz" for name in ("Stanford-18", "TurkuNLP-18")}
    alignments = {name: f"{aligned}/systems/{name}.txt" for name in ("awesome-align", "giza.union")}
    summaries = {name: f"sum_compare_mt/{name}.txt.gz" for name in ("sys1", "sys2")}
    return {
        "parsing, las": compared("las", parsers, f"{parsing}/gold.conllu.gz"),
        "parsing, las, margin": compared("las", parsers, f"{parsing}/gold.conllu.gz", margin=0.01),
        "alignment, aer": compared("aer", alignments, f"{aligned}/gold.txt"),
        "summaries, rouge": compared("rouge_l", summaries, "sum_compare_mt/ref.txt.gz"),
    }
