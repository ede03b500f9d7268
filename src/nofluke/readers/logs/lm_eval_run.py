"""What lm-evaluation-harness writes beside the samples of a run: averages, how tasks are made, groups, arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from nofluke.readers.decode import decode
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import is_number, load_json, within
from nofluke.readers.logs.record import setting
from nofluke.types import Group

_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?)\.jsonl?(?:\.gz)?")
_WRITE_OUT = "_write_out_info"
_NAMES_OF_MODELS = ("pretrained", "model", "engine", "path")


@dataclass(frozen=True, slots=True)
class Run:
    """What the results file says of a task; all empty where there is none beside the samples."""

    results: Mapping[str, Any] = field(default_factory=dict)
    task: str = ""
    date: str = ""
    file: str = ""

    def of(self, part: str) -> Any:
        """What a part of the file says of the task."""
        return within(self.results, part).get(self.task)

    @property
    def config(self) -> Mapping[str, Any]:
        return within(self.results, "configs", self.task)

    @property
    def expected(self) -> int:
        """How many items the task has, 0 where that is not told."""
        found = within(self.results, "n-samples", self.task).get("original")
        return found if isinstance(found, int) else 0

    @property
    def metrics(self) -> dict[str, Mapping[str, Any]]:
        """The metrics as the task declares them, in its order."""
        return {str(one["metric"]): one for one in self._declared("metric_list") if "metric" in one}

    @property
    def filters(self) -> list[str]:
        return [str(one.get("name")) for one in self._declared("filter_list")]

    def _declared(self, part: str) -> list[Mapping[str, Any]]:
        found = self.config.get(part)
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def run_of(given: Given) -> Run:
    """Give what the results beside the samples say of their task."""
    name = Path(given.name).name
    found = _SAMPLES.fullmatch(name)
    date = found["date"] if found else ""
    path = _results_beside(given, date)
    results = {} if path is None else _results(path, path.stat().st_mtime_ns)
    file = "" if path is None else str(path)
    if found:
        return Run(results, found["task"], date, file)
    stem = stem_of(name).removeprefix("samples_")
    # The arguments of the model come first, and tasks may be the ends of each other.
    tasks = [str(task) for task in within(results, "configs") if f"_{stem}".endswith(f"_{task}")]
    return Run(results, max(tasks, key=len, default=stem.removesuffix(_WRITE_OUT)), file=file)


def _results_beside(given: Given, date: str) -> Path | None:
    """Find the results file of the same date: results_DATE.json, or NAME_DATE.json where a file was asked for."""
    if given.path is None:
        return None
    folder = given.path.parent
    usual = folder / (f"results_{date}.json" if date else "results.json")
    others = sorted(folder.glob(f"*_{date}.json")) if date else []
    return next((path for path in (usual, *others) if path.is_file() and _holds_averages(path)), None)


def _holds_averages(path: Path) -> bool:
    with path.open("rb") as file:
        return re.match(rb'\s*\{\s*"results"', file.read(4096)) is not None


@lru_cache(maxsize=4)
def _results(path: Path, _changed: int) -> Mapping[str, Any]:
    """Read a results file once for all tasks of its run."""
    found = load_json(decode(Given(str(path), path=path).load(), str(path)), str(path))
    return found if isinstance(found, dict) else {}


def model_of(run: Run, given: Given) -> str:
    """Name the model as the log does, else by its arguments, else by the folder of the run."""
    named = run.results.get("model_name")
    if named:
        return str(named)
    path = next((told[name] for name in _NAMES_OF_MODELS if (told := _arguments(run)).get(name)), None)
    if path is not None:
        return str(path)
    folder = Path(given.name).parent.name
    return folder.replace("__", "/") if folder else stem_of(given.name)


def settings_of(run: Run) -> dict[str, str]:
    """What tells two runs of a model apart."""
    config = within(run.results, "config")
    told = {str(name): value for name, value in _arguments(run).items() if name not in _NAMES_OF_MODELS}
    told |= {"gen_kwargs": config.get("gen_kwargs") or None, "n-shot": run.of("n-shot")}
    told |= {name: str(run.results.get(f"{name}_sha") or "")[:8] for name in ("chat_template", "system_instruction")}
    return {name: setting(value) for name, value in told.items() if value not in (None, "")}


def _arguments(run: Run) -> Mapping[str, Any]:
    """The arguments of the model, as typed or as an object."""
    found = within(run.results, "config").get("model_args")
    if isinstance(found, str):
        return dict(pair.split("=", 1) for pair in found.split(",") if "=" in pair)
    return within(found)


def differing_of(run: Run) -> dict[str, str]:
    """What should be the same where systems are compared."""
    settings = settings_of(run)
    told = {"version": run.of("versions")}
    told |= {name: settings.get(name) for name in ("n-shot", "chat_template", "system_instruction")}
    return {name: str(value) for name, value in told.items() if value is not None} if run.results else {}


def groups_of(whole: Mapping[str, Any]) -> tuple[Group, ...]:
    """Give the outermost groups with their tasks, and whether their mean is weighted by size: as it was computed."""
    subtasks = {
        name: list(dict.fromkeys(map(str, tasks)))
        for name, tasks in within(whole, "group_subtasks").items()
        if isinstance(tasks, list) and tasks
    }
    within_groups = {task for tasks in subtasks.values() for task in tasks}
    found = []
    for name in subtasks:
        if name not in within_groups:
            tasks = _leaves(name, subtasks, frozenset())
            found.append(Group(name, tuple(dict.fromkeys(tasks)), by_size=_by_size(name, tasks, whole)))
    return tuple(found)


def _leaves(name: str, subtasks: Mapping[str, list[str]], above: frozenset[str]) -> list[str]:
    if name not in subtasks or name in above:
        return [name]
    return [leaf for one in subtasks[name] for leaf in _leaves(one, subtasks, above | {name})]


def _by_size(name: str, tasks: Sequence[str], whole: Mapping[str, Any]) -> bool:
    """Whether the group's mean is that of all items; where nothing tells, it is: that is the harness's default."""
    group = within(whole, "groups", name) or within(whole, "results", name)
    for metric, value in group.items():
        parts: list[Any] = [within(whole, "results", task).get(metric) for task in tasks]
        counts: list[Any] = [within(whole, "n-samples", task).get("effective") for task in tasks]
        if not is_number(value) or not all(map(is_number, (*parts, *counts))) or not sum(counts):
            continue
        weighted = sum(part * count for part, count in zip(parts, counts, strict=True)) / sum(counts)
        return bool(abs(weighted - value) <= abs(sum(parts) / len(parts) - value))
    return True
