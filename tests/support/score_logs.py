"""Outputs of tools that score translations, embeddings and answers, small and made here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SCORES = {"new.txt": (0.9, 0.8, 0.7, 0.85), "old.txt": (0.6, 0.8, 0.5, 0.55)}
SIGNATURE = "nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0"


def _written(path: Path, whole: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(whole if isinstance(whole, str) else json.dumps(whole, indent=4), encoding="utf-8")
    return path


def segments(scores: Sequence[Any], order: Sequence[int] = ()) -> list[dict[str, Any]]:
    """Segments as comet-score writes them; `order` says which source stands where."""
    places = order or range(len(scores))
    return [
        {"src": f"Quelle {at}", "mt": f"guess {at}", "ref": f"source {at}", "COMET": score}
        for at, score in zip(places, scores, strict=True)
    ]


def comet_score(path: Path, systems: Mapping[str, Sequence[Any]] = SCORES) -> Path:
    return _written(path, {name: segments(scores) for name, scores in systems.items()})


def comet_compare(path: Path, systems: Mapping[str, Sequence[Any]] = SCORES, model: str = "acme/comet-da") -> Path:
    size = len(next(iter(systems.values())))
    return _written(
        path,
        {
            "model": model,
            "statistical_results": [{"x_name": "new.txt", "y_name": "old.txt", "bootstrap_resampling": {"ties": 0.1}}],
            "source": [f"Quelle {at}" for at in range(size)],
            "translations": [
                {"name": name, "mt": [f"guess {at}" for at in range(size)], "scores": list(scores)}
                for name, scores in systems.items()
            ],
            "reference": [f"source {at}" for at in range(size)],
        },
    )


def comet_printed(path: Path, systems: Mapping[str, Sequence[float]] = SCORES) -> Path:
    size = len(next(iter(systems.values())))
    lines = [f"{name}\tSegment {at}\tscore: {own[at]:.4f}" for at in range(size) for name, own in systems.items()]
    lines += [f"{name}\tscore: {sum(own) / size:.4f}" for name, own in systems.items()]
    return _written(path, "\n".join(lines) + "\n")


def mt_metrics_eval(root: Path, metrics: Mapping[str, Mapping[str, Sequence[Any]]], domains: Sequence[str]) -> Path:
    """Write a test set in German and English; a metric's name begins with human: where people gave its scores."""
    _written(root / "documents" / "de-en.docs", "".join(f"{one}\t{one}-{at // 2}\n" for at, one in enumerate(domains)))
    for metric, systems in metrics.items():
        human = metric.startswith("human:")
        folder = root / ("human-scores" if human else "metric-scores/de-en")
        name = metric.replace("human:", "de-en.")
        lines = [f"{system}\t{score}\n" for system, own in systems.items() for score in own]
        _written(folder / f"{name}.seg.score", "".join(lines))
        known = {system: [score for score in own if score is not None] for system, own in systems.items()}
        means = [f"{system}\t{sum(own) / len(own)}\n" for system, own in known.items() if own]
        _written(folder / f"{name}.sys.score", "".join(means))
    return root


def mteb(folder: Path, tasks: Mapping[str, Any], model: str = "acme/new", revision: str = "1", day: int = 1) -> Path:
    """Write results: {task: main score}, or {task: {split: {subset: main score}}}."""
    for task, score in tasks.items():
        splits = score if isinstance(score, dict) else {"test": {"default": score}}
        scores = {
            split: [{"accuracy": 0.5, "main_score": own, "hf_subset": subset} for subset, own in subsets.items()]
            for split, subsets in splits.items()
        }
        whole = {"dataset_revision": "abc", "task_name": task, "mteb_version": "2.26.24", "scores": scores}
        place = folder / model.replace("/", "__") / revision
        _written(place / f"{task}.json", {**whole, "evaluation_time": 1.5, "date": 1.7e9 + day})
        _written(place / "model_meta.json", {"name": model, "revision": revision, "n_parameters": None})
    return folder


def answered(question: str, score: Any) -> tuple[str, list[dict[str, str]]]:
    """The page and the conversation of one item; the answer looks like a score, too."""
    page = f"<h3>Sampled message</h3>\n<pre>&lt;p&gt;Score: 7&lt;/p&gt;</pre>\n<h3>Results</h3>\n<p>Score: {score}</p>"
    return page, [{"role": "user", "content": question}, {"content": "<p>Score: 7</p>", "role": "assistant"}]


def simple_evals(path: Path, answers: Sequence[tuple[str, Any]], **more: Any) -> Path:
    """Write _allresults.json of questions with their scores, and the averages beside it."""
    pages, talks = zip(*(answered(*one) for one in answers), strict=True)
    numbers = [float(score) for _, score in answers if isinstance(score, int | float)]
    mean = sum(numbers) / max(1, len(numbers))
    about = {"example_level_metadata": [{"topic": f"t{at // 2}"} for at in range(len(answers))]}
    metrics = {"chars": 3.5, "chars:std": 0.5, "score:std": 0.1}
    whole = {"score": mean, "metrics": metrics, "htmls": list(pages), "convos": list(talks), "metadata": about}
    _written(path.with_name(path.name.replace("_allresults", "")), dict(sorted({**metrics, "score": mean}.items())))
    return _written(path, whole | more)


def sacrebleu_sentences(path: Path, scores: Sequence[float], metric: str = "BLEU", signature: str = SIGNATURE) -> Path:
    rest = "50.0/40.0/30.0/20.0 (BP = 1.000 ratio = 1.000 hyp_len = 5 ref_len = 5)"
    return _written(path, "".join(f"{metric}|{signature} = {score:.4f} {rest}\n" for score in scores))


def ir_measures(path: Path, scores: Sequence[float], *, lines: bool = False) -> Path:
    rows = [(f"q{at}", measure, score) for at, score in enumerate(scores) for measure in ("AP", "P@5")]
    if lines:
        keys = ("query_id", "measure", "value")
        return _written(path, "".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows))
    return _written(path, "".join(f"{query}\t{measure}\t{score:.4f}\n" for query, measure, score in rows))
