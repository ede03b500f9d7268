"""Runs of HELM: per_instance_stats.json, with the files of the same run beside it; a train trial is a run."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import Log, Measured, PassedOverError, check_of, first_share, measured, setting
from nofluke.registry import FORMATS
from nofluke.types import Note, frozen, note

_ITEMS = re.compile(r'\[\s*\{\s*"instance_id"\s*:.*?"stats"\s*:\s*\[\s*\{\s*"name"\s*:\s*\{\s*"name"', re.DOTALL)
_NO_ITEMS = (
    re.compile(r'\[\s*\{\s*"name"\s*:\s*\{\s*"name"\s*:\s*"[^"]*".*?"sum_squared"', re.DOTALL),
    re.compile(r'\{\s*"name"\s*:\s*"[^"]*",\s*"scenario_spec"\s*:'),
    re.compile(r'\{\s*"adapter_spec"\s*:\s*\{\s*"method"\s*:'),
)
# How the work went, not how good it is: HELM writes these for every instance, whatever was measured.
_BOOKKEEPING = re.compile(
    r"num_.*|.*_(cost|runtime)|batch_size|finish_reason_.*|prompt_truncated|max_prob|logprob|logprob_per_byte"
    r"|perplexity|bits_per_byte|inference_.*|training_.*"
)
_BEST_OF = re.compile(r"(?P<name>.+)@\d+")
# Parts of a run's name that say which model it is of.
_OF_MODEL = ("model", "model_deployment")
# What should be the same of all models on a scenario.
_ALIKE = ("method", "instructions", "max_train_instances", "max_eval_instances", "temperature", "max_tokens")
# Texts are worth reading to check items, within reason.
_MOST_TEXT = 256 * 2**20
_GIVE = "give the run's folder, with per_instance_stats.json and run_spec.json in it."


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()[:20_000]
    return any(kind.match(start) for kind in (_ITEMS, *_NO_ITEMS))


@dataclass(frozen=True, slots=True)
class _Run:
    """The files beside the items; all empty where there are none."""

    folder: Path | None
    spec: Mapping[str, Any] = field(default_factory=dict)
    stats: Sequence[Any] = ()

    @property
    def adapter(self) -> Mapping[str, Any]:
        return within(self.spec, "adapter_spec")

    @property
    def declared(self) -> list[str]:
        """The metrics that the run names, in its order."""
        specs = self.spec.get("metric_specs")
        lists = [within(one, "args").get("names") for one in specs] if isinstance(specs, list) else []
        return [str(name) for names in lists if isinstance(names, list) for name in names]

    def reported(self) -> dict[tuple[str, str], float]:
        """The mean of every metric by name and split, without perturbations: those of trials, which are the items'."""
        found = {}
        for one in self.stats:
            name, mean = within(one, "name"), within(one).get("mean")
            if mean is not None and is_number(mean) and not name.get("perturbation"):
                found[str(name.get("name")), str(name.get("split") or "")] = float(mean)
        return found


@dataclass(frozen=True, slots=True)
class _Row:
    """The statistics of one instance in one trial: as they are, and of each perturbed form."""

    item: str
    trial: str
    record: Mapping[str, Any]
    values: dict[str, Any]


@FORMATS.register(
    "helm",
    label="HELM",
    cite="Liang et al. 2023 (HELM)",
    sniff=_is_log,
    begins=("[", "{"),
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_helm(given: Given, cluster: str = "") -> list[Log]:
    """Read the metrics that a run is about; a perturbation makes another metric of the same instances."""
    if not _ITEMS.match(decode_head(given.head()).lstrip()[:20_000]):
        raise PassedOverError("this file of HELM holds no scores of instances.", where=given.name, fix=_GIVE)
    run = _beside(given)
    by_split = _rows(load_json(decode(given.load(), given.name), given.name), given.name)
    name = str(run.spec.get("name") or Path(given.name).parent.name)
    asked = _asked(run.folder)
    logs = []
    for split, rows in by_split.items():
        dataset = _dataset(name) + (f" [{split}]" if len(by_split) > 1 else "")
        found = _measured(rows, run, split)
        trials = tuple(row.trial for row in rows)
        logs.append(
            Log(
                format="helm",
                version="",
                file=given.name,
                model=_model(run, name),
                dataset=dataset,
                items=tuple(row.item for row in rows),
                measured=found,
                primary=first_share(found, run.declared),
                settings=_settings(run),
                differing={key: setting(run.adapter[key]) for key in _ALIKE if run.adapter.get(key) is not None},
                checks=frozen([asked.get(row.item, 0) for row in rows], np.int64) if asked else None,
                runs=trials if len(set(trials)) > 1 else None,
                clusters=tuple(field_of(row.record, cluster, given.name, 0) for row in rows) if cluster else None,
                notes=_averages_alone(run, found, split, dataset),
                beside=tuple(map(str, run.folder.glob("*.json"))) if run.folder is not None else (),
            )
        )
    if not any(log.measured for log in logs):
        raise InputError(
            "the run has no metric of its instances: only counts, run times and the like.",
            where=given.name,
            fix="run HELM with metrics that judge single instances, such as exact_match.",
        )
    return logs


def _beside(given: Given) -> _Run:
    if given.path is None:
        return _Run(None)
    folder = given.path.parent
    spec, stats = (_loaded(folder / name) for name in ("run_spec.json", "stats.json"))
    return _Run(folder, spec if isinstance(spec, dict) else {}, stats if isinstance(stats, list) else ())


def _loaded(path: Path) -> Any:
    return load_json(decode(Given(str(path), path=path).load(), str(path)), str(path)) if path.is_file() else None


def _rows(whole: Any, name: str) -> dict[str, list[_Row]]:
    """Give the rows of every split; perturbed forms of an instance stand with it."""
    found: dict[str, dict[tuple[str, str], _Row]] = defaultdict(dict)
    for at, one in enumerate(whole if isinstance(whole, list) else [], 1):
        instance, stats = within(one).get("instance_id"), within(one).get("stats")
        if not isinstance(instance, str | int) or not isinstance(stats, list):
            raise InputError(f"instance {at} has no instance_id or no stats.", where=name, fix=_GIVE)
        trial = str(one.get("train_trial_index", 0))
        form = within(one, "perturbation")
        changed = "/".join(str(form[key]) for key in ("name", "seed") if form.get(key) is not None)
        values, split = _values(stats, at, name)
        row = found[split].setdefault((str(instance), trial), _Row(str(instance), trial, one, {}))
        for metric, value in values:
            full = f"{metric}/{changed}" if changed else metric
            if full in row.values:
                raise InputError(
                    f"instance {instance} has {full} twice in trial {trial}.", where=name, fix="give every run its own."
                )
            row.values[full] = value
    if not found:
        raise InputError("there are no instances.", where=name, fix="run HELM to its end.")
    return {split: list(rows.values()) for split, rows in found.items()}


def _values(stats: Sequence[Any], at: int, name: str) -> tuple[list[tuple[str, Any]], str]:
    """The mean of every metric of an instance, and its split; a statistic of nothing (count 0) has no mean."""
    found, split = [], ""
    for stat in stats:
        about = within(stat, "name")
        if not about.get("name"):
            raise InputError(f"a statistic of instance {at} has no name.", where=name, fix=_GIVE)
        split = split or str(about.get("split") or "")
        if not _BOOKKEEPING.fullmatch(str(about["name"])):
            mean = stat.get("mean")
            found.append((str(about["name"]), mean if is_number(mean) else None))
    return found, split


def _measured(rows: Sequence[_Row], run: _Run, split: str) -> dict[str, Measured]:
    """Give the metrics, those that the run names first; the best of k where k is 1 is the metric itself."""
    reported = run.reported()
    columns = {
        name: [row.values.get(name) for row in rows]
        for name in dict.fromkeys((*run.declared, *(name for row in rows for name in row.values)))
    }
    found = {}
    for name, values in columns.items():
        best = _BEST_OF.fullmatch(name)
        same = best is not None and columns.get(best["name"]) == values
        if not same and any(value is not None for value in values):
            found[name] = measured(values, reported=reported.get((name, split), math.nan))
    return found


def _averages_alone(run: _Run, found: Mapping[str, Measured], split: str, dataset: str) -> tuple[Note, ...]:
    """Name the metrics of which there are only averages."""
    lost = [
        name
        for name, own in run.reported()
        if own in (split, "") and name not in found and "@" not in name and not _BOOKKEEPING.fullmatch(name)
    ]
    if not lost:
        return ()
    return (note("logs.averages_alone", metrics=tuple(dict.fromkeys(lost)), dataset=dataset),)


def _dataset(name: str) -> str:
    """The name of a run without its model: scenario:argument=value,..."""
    scenario, _, arguments = name.partition(":")
    kept = [one for one in arguments.split(",") if one and one.partition("=")[0] not in _OF_MODEL]
    return f"{scenario}:{','.join(kept)}" if kept else scenario


def _model(run: _Run, name: str) -> str:
    told = run.adapter.get("model") or run.adapter.get("model_deployment")
    if told:
        return str(told)
    arguments = dict(one.partition("=")[::2] for one in name.partition(":")[2].split(","))
    return arguments.get("model", "").replace("_", "/", 1) or name or "HELM"


def _settings(run: _Run) -> dict[str, str]:
    told = {key: run.adapter.get(key) for key in ("model_deployment", *_ALIKE)}
    if told["model_deployment"] == run.adapter.get("model"):
        del told["model_deployment"]
    return {key: setting(value) for key, value in told.items() if value is not None}


def _asked(folder: Path | None) -> dict[str, int]:
    """What every instance asks, as it is without perturbation, from the files of the run that say it."""
    if folder is None:
        return {}
    states = folder / "scenario_state.json"
    path = folder / "instances.json" if (folder / "instances.json").is_file() else states
    if not path.is_file() or path.stat().st_size > _MOST_TEXT:
        return {}
    whole = _loaded(path)
    listed = within(whole).get("request_states") if path == states else whole
    found = {}
    for one in listed if isinstance(listed, list) else []:
        instance = within(one, "instance") if path == states else within(one)
        if instance.get("id") is not None and not instance.get("perturbation"):
            found[str(instance["id"])] = check_of(setting(instance.get("input")), setting(instance.get("references")))
    return found
