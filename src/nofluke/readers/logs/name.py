"""Which system a log is of, and which of several logs counts: the model plus what else differs, the newest whole log.

Logs of one model that differ in a setting (an argument of the task, a solver, a chat template) are logs of two systems.
Of logs that do not, the newest complete one counts, and the others are superseded; so is one of some items only beside
a complete one of the same model.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from nofluke.errors import InputError, listing, unknown
from nofluke.readers.file_names import names_of
from nofluke.readers.logs.record import Log


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A log under the name of its system; `run` tells several logs of a system on a dataset apart, "" for one."""

    log: Log
    system: str
    place: int
    stated: str | None = None
    origin: str = ""
    run: str = ""


def named(
    logs: Sequence[Named], *, keep: str = "newest", system_by: Sequence[str] = ()
) -> tuple[list[Named], list[Named]]:
    """Name the system of every log; give the logs that count, and those that are superseded."""
    superseded: list[Named] = []
    if keep == "newest":
        logs, superseded = _of_one_task(logs)
    logs = [
        replace(one, system=one.stated or _by_keys(one, system_by) or one.log.system or one.log.model) for one in logs
    ]
    if not system_by:
        logs = _by_origin(logs)
    by_system: dict[str, list[Named]] = defaultdict(list)
    for one in logs:
        by_system[one.system].append(one)
    kept: list[Named] = []
    for several in by_system.values():
        stay, go = _of_one_name(several, keep, told_apart=not system_by)
        kept += stay
        superseded += go
    return kept, superseded


def _of_one_task(logs: Sequence[Named]) -> tuple[list[Named], list[Named]]:
    """Of logs that name one and the same task that was run (again), the last by rank counts."""
    best: dict[tuple[int, str], Named] = {}
    for one in logs:
        key = (one.place, one.log.task_id)
        if one.log.task_id and (key not in best or best[key].log.rank < one.log.rank):
            best[key] = one
    kept = [one for one in logs if not one.log.task_id or best[one.place, one.log.task_id] is one]
    going = [one for one in logs if one not in kept]
    return kept, [replace(one, system=one.log.model) for one in going]


def _by_keys(one: Named, keys: Sequence[str]) -> str:
    """Name a system by the keys that the user asks for."""
    if not keys:
        return ""
    known: Mapping[str, str] = {"model": one.log.model, "file": one.log.file, "date": one.log.date, **one.log.settings}
    for key in keys:
        if key not in known:
            raise unknown("setting", key, known, where=one.log.file)
    return ":".join(known[key] if key == "model" else f"{key}={known[key]}" for key in keys)


def _by_origin(logs: list[Named]) -> list[Named]:
    """Where one model is in several of the folders that were given, the folders name the systems."""
    places: dict[str, set[int]] = defaultdict(set)
    for one in logs:
        if one.stated is None:
            places[one.system].add(one.place)
    shared = {place for several in places.values() if len(several) > 1 for place in several}
    origins = dict(sorted({one.place: one.origin for one in logs if one.place in shared}.items()))
    called = dict(zip(origins, names_of([origin.rstrip("/\\") for origin in origins.values()]), strict=True))
    models = Counter(place for several in places.values() for place in several)
    return [
        replace(one, system=called[one.place] if models[one.place] == 1 else f"{called[one.place]}:{one.system}")
        if one.stated is None and len(places[one.system]) > 1
        else one
        for one in logs
    ]


def _of_one_name(logs: list[Named], keep: str, *, told_apart: bool) -> tuple[list[Named], list[Named]]:
    """Tell the logs of one name apart by their settings, and choose those that count."""
    by_dataset: dict[tuple[str, str], list[Named]] = defaultdict(list)
    for one in logs:
        by_dataset[one.log.dataset, one.log.part].append(one)
    superseded = []
    for dataset, several in by_dataset.items():
        if keep == "newest" and any(one.log.complete for one in several):
            superseded += [one for one in several if not one.log.complete]
            by_dataset[dataset] = [one for one in several if one.log.complete]
    # Several folders under one name are its runs.
    one_place = len({one.place for one in logs}) == 1
    settled = any(one.log.system for one in logs)
    telling = _telling(by_dataset.values()) if told_apart and one_place and not settled else []
    variants = _variants(by_dataset.values(), telling)
    kept: list[Named] = []
    for several in by_dataset.values():
        for own, values in _by_settings(several, telling).items():
            newest = sorted(values, key=lambda one: one.log.rank)
            if keep == "newest" and one_place:
                superseded += newest[:-1]
                newest = newest[-1:]
            runs = [""] if len(newest) == 1 else _runs(newest)
            # A task that has none of these settings counts for all variants of the model.
            systems = [name for name, known in variants.items() if all(known.get(key) == value for key, value in own)]
            kept += [
                replace(one, system=system, run=run)
                for system in systems
                for one, run in zip(newest, runs, strict=True)
            ]
    order = list(variants)
    return sorted(kept, key=lambda one: order.index(one.system)), superseded


def _runs(logs: Sequence[Named]) -> list[str]:
    """Name the runs of several logs: by date, or by file where dates do not tell them apart."""
    dates = [one.log.date for one in logs]
    return dates if len(set(dates)) == len(dates) and "" not in dates else names_of([one.log.file for one in logs])


def _telling(datasets: Iterable[Sequence[Named]]) -> list[str]:
    """The settings that differ between logs of one name on one dataset."""
    keys: dict[str, None] = {}
    for several in datasets:
        for key in dict.fromkeys(key for one in several for key in one.log.settings):
            if len({one.log.settings.get(key) for one in several}) > 1:
                keys[key] = None
    return list(keys)


def _by_settings(logs: Sequence[Named], telling: Sequence[str]) -> dict[tuple[tuple[str, str], ...], list[Named]]:
    found: dict[tuple[tuple[str, str], ...], list[Named]] = defaultdict(list)
    for one in logs:
        found[tuple((key, one.log.settings[key]) for key in telling if key in one.log.settings)].append(one)
    return found


def _variants(datasets: Iterable[Sequence[Named]], telling: Sequence[str]) -> dict[str, dict[str, str]]:
    """Give the systems that settings make of one name: those that have most of these settings."""
    every = {own: several[0] for logs in datasets for own, several in _by_settings(logs, telling).items()}
    widest = [own for own in every if not any(set(own) < set(other) for other in every)]
    return {":".join([every[own].system, *(f"{key}={value}" for key, value in own)]): dict(own) for own in widest}


def refuse_two_models(logs: Sequence[Named]) -> None:
    """Refuse one name for the logs of two models on one dataset: only one of them can be meant."""
    models: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    for one in logs:
        if one.stated is not None:
            models[one.stated, one.log.dataset, one.place].add(one.log.model)
    for (name, dataset, _), several in models.items():
        if len(several) > 1:
            raise InputError(
                f"the system {name!r} would be {len(several)} models on {dataset}: {listing(sorted(several))}.",
                fix=f"give one folder for each, or let the logs name the systems: leave out {name}=.",
            )
