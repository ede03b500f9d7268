"""A call as it is typed: the command that asks the same, what it reads, and its options by the names of flags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from nofluke.option_groups import SELECTING, Scoring
from nofluke.options import options_of
from nofluke.types import Call, Origin

Options = Mapping[str, Any]
# What reads data of a kind, and the name of a file where none is known (or where it came through a pipe).
READERS = {
    "pair": ("read", "scores.csv"),
    "unpaired": ("read", "scores.csv"),
    "scores": ("read", "scores.csv"),
    "p_values": ("read_p_values", "p_values.csv"),
    "ratings": ("read_ratings", "ratings.csv"),
}
STDIN = "-"
# Commands that ask the same; what is not here has none.
_COMMANDS = {
    "agree": "agree",
    "compare": "compare",
    "correct": "correct",
    "detectable_effect": "power detect",
    "detectable_in": "power detect",
    "estimate": "compare",
    "gate": "gate",
    "power": "power plan",
    "power_curve": "power curve",
    "rank": "rank",
    "replicate": "replicate",
    "sample_size": "power plan",
    "score": "score",
    "self_check": "gate",
    "studies.audit": "study audit",
    "studies.by_test_size": "study test-size",
    "studies.calibration": "study calibration",
    "studies.domain": "study domain",
    "studies.gains": "study gains",
    "studies.multiplicity": "study multiplicity",
    "studies.sample_size_study": "study sample-size",
    "studies.similarity": "study similarity",
    "studies.synthesized": "study synthesize",
    "test": "test",
}
# Options of reading, and the names of those that are typed differently.
READING = {option.name: option for option in options_of(Scoring)}
_FLAGS = {"n_untied": "n", **{name: option.flag for name, option in READING.items()}}


class Typed(NamedTuple):
    """A call as it is typed: the command, what it reads, and its options by the names of flags."""

    command: str
    arguments: list[str]
    flags: dict[str, Any]


def typed(call: Call) -> Typed | None:
    """Give what a shell, a TOML file and an address are written from; None where no command asks the same."""
    origin = origin_of(call)
    told = {**selection(call), **call.options}
    # A command takes a path for each side of a gate, and no two systems of one file.
    if call.verb not in _COMMANDS or origin is None or call.data == "systems":
        return None
    # What trained its systems was told all of it.
    if set(call.unwritten) - set(origin.beside) and origin.reader != "synthesize":
        return None
    # Scores that are read as they are need no command but for their intervals.
    if call.verb == "score" and not (origin.metric or origin.formula or "interval" in told):
        return None
    # P-values by name cannot be typed.
    if origin.systems and origin.given:
        return None
    written = _OWN_WAYS.get(call.verb, dict)(told)
    if written is None:
        return None
    flags = _read_by(origin) | {name: _value(name, value) for name, value in origin.beside.items()}
    flags |= {_FLAGS.get(name, name): _value(name, value) for name, value in written.items() if value is not None}
    return Typed(_COMMANDS[call.verb], _arguments(origin), flags)


def origin_of(call: Call) -> Origin | None:
    """Where the data came from, or the general file of their kind; None where there is none."""
    if not call.data or call.origin is not None:
        return call.origin or Origin("")
    if call.data not in READERS:
        return None
    reader, file = READERS[call.data]
    return Origin(reader, (file,), ("",))


def _agreement(told: Options) -> Options:
    """Coefficients are named in one list; the first that is named is the one explained."""
    names = (told.get("name", "krippendorff_alpha"), *told.get("others", ()))
    rest = {name: value for name, value in told.items() if name not in ("name", "others")}
    return {"coefficient": names, **rest} if {"name", "others"} & set(told) else rest


def _against(told: Options) -> Options | None:
    """One system beside a number: `compare` has a level where `estimate` has that of its interval."""
    named = {"system": "a", "against": "against", "alternative": "alternative", "seed": "seed"}
    own = {named.get(name, name): value for name, value in told.items() if name != "confidence_level"}
    if "against" not in told or set(own) - {*named.values(), *SELECTING}:
        return None
    return own | ({"alpha": round(1 - told["confidence_level"], 12)} if "confidence_level" in told else {})


def _groups(told: Options) -> Options:
    """Groups of datasets with their correlations: 34:0,33:0.5."""
    groups = told.get("dependence")
    if groups is None or isinstance(groups, str):
        return told
    return {**told, "dependence": ",".join(f"{size}:{correlation:g}" for size, correlation in groups)}


def _laws(told: Options) -> Options | None:
    """A command simulates one design, or those of the paper."""
    designs = told.get("designs", ())
    rest = {name: value for name, value in told.items() if name != "designs"}
    if len(designs) > 1:
        return None
    return {name: law for design in designs for name, law in zip(("a", "b", "test"), design, strict=True)} | rest


# Verbs whose commands are told something in another way.
_OWN_WAYS: dict[str, Callable[[Options], Options | None]] = {
    "agree": _agreement,
    "estimate": _against,
    "studies.multiplicity": _groups,
    "studies.sample_size_study": _laws,
    "studies.synthesized": lambda _told: {},
}


def _arguments(origin: Origin) -> list[str]:
    """What a command reads: files, or what was typed instead."""
    if origin.reader in ("example", "counts", "sides"):
        return []
    # A file that holds a dataset is called by no name: that would be one of a system.
    named = origin.reader != "datasets"
    files = [f"{name}={file}" if name and named else file for name, file in files_by_name(origin, list(origin.files))]
    return [*files, *origin.given]


def _read_by(origin: Origin) -> dict[str, Any]:
    """The options that make a command read the same."""
    if origin.reader in ("example", "counts"):
        return {origin.reader: ",".join(origin.given)}
    if origin.reader == "sides":
        return {side: files_of(origin, side) for side in origin.systems}
    made_by = {"gold": list(origin.gold), "metric": origin.metric, "formula": origin.formula}
    flags: dict[str, Any] = {name: value for name, value in made_by.items() if value}
    for name, value in origin.options.items():
        if name == "columns":
            flags["columns"] = [f"{role}={column}" for role, column in value.items()]
        elif origin.reader == "score" and name not in READING:
            own = str(value).lower() if isinstance(value, bool) else value
            flags.setdefault("metric_option", []).append(f"{name}={own}")
        elif (origin.reader, name) not in (("read_p_values", "pairs"), ("read_ratings", "keep")):
            flags[_FLAGS.get(name, name)] = _value(name, value)
    return flags


def _value(name: str, value: Any) -> Any:
    """Several names are a list, of which each is typed anew; several numbers are one text with commas between them."""
    if not isinstance(value, list | tuple):
        return value
    # Metrics, and tests of an audit, are named with commas between them: most commands take one.
    several = any(isinstance(one, str) for one in value) and name not in ("metric", "methods")
    return list(value) if several else ",".join(map(str, value))


def selection(call: Call) -> dict[str, Any]:
    """What is selected; scores that were made by a metric have no other."""
    scored = call.origin is not None and bool(call.origin.metric)
    return {name: value for name, value in call.selection.items() if not (scored and name == "metric")}


def files_by_name(origin: Origin, files: list[str]) -> list[tuple[str, str]]:
    """Give files with the names of their systems, "" where they have none."""
    return list(zip(origin.systems or [""] * len(files), files, strict=True))


def files_of(origin: Origin, side: str) -> list[str]:
    """Give the files of one side of a gate."""
    return [file for own, file in files_by_name(origin, list(origin.files)) if own == side]
