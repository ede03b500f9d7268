"""How a result was made, written down again from the values alone: as Python, as a command, as TOML and as a link."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from nofluke.option_groups import SELECTING, Scoring
from nofluke.options import options_of
from nofluke.types import Call, Origin

Options = Mapping[str, Any]
# What reads data of a kind, and the name of a file where none is known (or where it came through a pipe).
_READERS = {
    "pair": ("read", "scores.csv"),
    "unpaired": ("read", "scores.csv"),
    "scores": ("read", "scores.csv"),
    "p_values": ("read_p_values", "p_values.csv"),
    "ratings": ("read_ratings", "ratings.csv"),
}
_OUTPUTS_FILE = "outputs.csv"
_STDIN = "-"
# Functions behind the verbs that give the whole result where the verb gives a number, with their modules.
_NOT_PUBLIC = {
    "correct": ("nofluke.verbs.correct", "correct_named"),
    "detectable_effect": ("nofluke.verbs.detectable_effect", "detected"),
    "detectable_in": ("nofluke.verbs.detectable_effect", "detected_in"),
    "power": ("nofluke.verbs.power", "planned"),
    "score": ("nofluke.verbs.score", "scored"),
}
# Commands that ask the same; what is not here has none.
_COMMANDS = {
    "agree": "agree",
    "compare": "compare",
    "correct": "correct",
    "detectable_effect": "power detect",
    "detectable_in": "power detect",
    "estimate": "compare",
    "power": "power plan",
    "power_curve": "power curve",
    "rank": "rank",
    "replicate": "replicate",
    "sample_size": "power plan",
    "score": "score",
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
# What a command calls its arguments, where these are no files.
_ARGUMENTS = {"agree": "file", "correct": "values"}
# Pages of the app that ask the same, and what states a plan there: right or wrong answers, or scores on a scale.
_PAGES = {"agree": "agree", "compare": "compare", "rank": "rank", "replicate": "replicate", "sample_size": "plan"}
_PLANS = {"paired_t": {"difference", "sd"}, "mcnemar": {"accuracy_a", "accuracy_b", "disagreement"}}
_PLANS["tango"] = _PLANS["mcnemar"] | {"margin"}
_ASIDE = {"test", "power", "alpha", "alternative", "margin", "tests", "adjust", "design_effect"}
# Options of reading; the names of those that are typed differently, and what switches one off.
_READING = {option.name: option for option in options_of(Scoring)}
_FLAGS = {"n_untied": "n", **{name: option.flag for name, option in _READING.items()}}
_SWITCHED_OFF = {option.flag: option.opt.off for option in _READING.values() if option.opt.off}


def calls(call: Call | None) -> dict[str, str]:
    """Write a call in every way there is; nothing where it cannot be written down.

    >>> calls(Call("compare", {"method": "sign"}, "pair", {"a": "new", "b": "the old one"}))["shell"]
    "nofluke compare scores.csv --a new --b 'the old one' --method sign"
    """
    made = {} if call is None else {"Python": in_python(call), "shell": in_shell(call)}
    return {language: text for language, text in made.items() if text}


def in_python(call: Call) -> str:
    """Write a call as Python that prints the result; "" where some of it cannot be written.

    >>> origin = Origin("read", ("my scores.csv",), ("",), {"columns": {"item": "id"}})
    >>> print(in_python(Call("compare", {}, "pair", {"a": "new"}, origin)))
    import nofluke as nf
    print(nf.compare(nf.read('my scores.csv', item='id').pair('new')))
    """
    # Scores of outputs are not those of any table.
    if call.verb == "score" and call.origin is None:
        return ""
    if call.unwritten or call.data not in ("", *_READERS) or (call.data and _read_again(call) is None):
        return ""
    read = [str(_read_again(call))] if call.data else []
    chosen = SELECTING if _by_metric(call) else ()
    arguments = ", ".join([*read, *_named({k: value for k, value in call.options.items() if k not in chosen})])
    module, function = _NOT_PUBLIC.get(call.verb, ("", call.verb))
    imports = {
        "import io": "io.StringIO(" in arguments,
        "from pathlib import Path": "Path(" in arguments,
        "import nofluke as nf": not module or "nf." in arguments,
        "from nofluke.align import sample_from_counts": "sample_from_counts(" in arguments,
        f"from {module} import {function}": bool(module),
    }
    lines = [line for line, needed in imports.items() if needed]
    lines += [""] if len(lines) > 1 or module else []
    return "\n".join([*lines, f"print({'' if module else 'nf.'}{function}({arguments}))"])


def _read_again(call: Call) -> str | None:
    """The expression that gives the verb its data; None where there is none."""
    reader, file = _READERS[call.data]
    origin = call.origin or Origin(reader, (file,), ("",))
    if origin.reader == "counts":
        return f"sample_from_counts({', '.join(origin.given)})"
    if _by_metric(call):
        # Outputs are scored by each metric, and paired.
        part = {name: value for name, value in call.options.items() if name in SELECTING and name != "metric"}
        pairs = (
            f"{metric!r}: {_expression(replace(origin, metric=metric), file)}.pair({', '.join(_named(part))})"
            for metric in call.options["metric"]
        )
        return f"{{{', '.join(pairs)}}}"
    found = _expression(origin, _OUTPUTS_FILE if origin.reader == "score" else file)
    if call.data in ("pair", "unpaired"):
        return f"{found}.{call.data}({', '.join(_chosen(call))})"
    return found


def _by_metric(call: Call) -> bool:
    """Whether outputs were scored by several metrics."""
    several = isinstance(call.options.get("metric"), list | tuple)
    return several and call.origin is not None and call.origin.reader == "score"


def _chosen(call: Call) -> list[str]:
    """The arguments that select a sample. A alone can stand by its place; B without A needs its name."""
    selection = _selection(call)
    if "a" not in selection:
        return _named(selection)
    rest = {name: value for name, value in selection.items() if name not in ("a", "b")}
    return [repr(selection[name]) for name in ("a", "b") if name in selection] + _named(rest)


def _selection(call: Call) -> dict[str, Any]:
    """What is selected; scores that were made by a metric have no other."""
    scored = call.origin is not None and bool(call.origin.metric)
    return {name: value for name, value in call.selection.items() if not (scored and name == "metric")}


def _expression(origin: Origin, piped: str) -> str:
    """The call of the library that reads the same; what came through a pipe is a file here."""
    files = [piped if file == _STDIN else file for file in origin.files]
    if origin.reader == "example":
        return f"nf.example({origin.given[0]!r})"
    if origin.systems and origin.given:
        by_name = (f"{name!r}: {value}" for name, value in zip(origin.systems, origin.given, strict=True))
        return f"{{{', '.join(by_name)}}}"
    if origin.given:
        return _typed(origin)
    options = dict(origin.options)
    if origin.reader == "datasets":
        read = (f"{name!r}: {_function('read', [repr(file)], options)}" for name, file in _by_name(origin, files))
        return f"{{{', '.join(read)}}}"
    given = repr(_given(origin, files))
    if origin.reader == "score":
        return _function("score", [repr(origin.metric), given, *_gold(origin)], options)
    if origin.reader == "from_statistics":
        own = {"metric": origin.metric} if origin.metric else {}
        return _function("from_statistics", [given, repr(origin.formula)], own | options)
    if origin.reader == "read":
        options = {**options.pop("columns", {}), **options}
    return _function(origin.reader, [given], options)


def _typed(origin: Origin) -> str:
    """P-values that were typed: as numbers, or as they stood where that says more (<0.001, 0.000)."""
    try:
        bare = not origin.options and all(0 < float(text) <= 1 for text in origin.given)
    except ValueError:
        bare = False
    if bare:
        return f"[{', '.join(origin.given)}]"
    lines = "\n".join(origin.given) + "\n"
    return _function("read_p_values", [f"io.StringIO({lines!r})"], origin.options)


def _given(origin: Origin, files: list[str]) -> Any:
    """Files as a reader takes them: by the names of their systems where all have one."""
    if files and origin.systems and all(origin.systems):
        return dict(zip(origin.systems, files, strict=True))
    words = [f"{name}={file}" if name else file for name, file in _by_name(origin, files)]
    return words[0] if len(words) == 1 else words


def _by_name(origin: Origin, files: list[str]) -> list[tuple[str, str]]:
    return list(zip(origin.systems or [""] * len(files), files, strict=True))


def _gold(origin: Origin) -> list[str]:
    gold = ["gold.txt" if file == _STDIN else file for file in origin.gold]
    # A list of texts would be lines.
    several = f"[{', '.join(f'Path({file!r})' for file in gold)}]"
    return [] if not gold else [repr(gold[0])] if len(gold) == 1 else [several]


def _function(name: str, arguments: list[str], options: Options) -> str:
    return f"nf.{name}({', '.join([*arguments, *_named(options)])})"


def _named(options: Options) -> list[str]:
    return [f"{name}={value!r}" for name, value in options.items()]


class Typed(NamedTuple):
    """A call as it is typed: the command, what it reads, and its options by the names of flags."""

    command: str
    arguments: list[str]
    flags: dict[str, Any]


def typed(call: Call) -> Typed | None:
    """Give what a shell, a TOML file and an address are written from; None where no command asks the same."""
    origin = _origin_of(call)
    told = {**_selection(call), **call.options}
    if call.verb not in _COMMANDS or origin is None:
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


def _origin_of(call: Call) -> Origin | None:
    """Where the data came from, or the general file of their kind; None where there is none."""
    if not call.data or call.origin is not None:
        return call.origin or Origin("")
    if call.data not in _READERS:
        return None
    reader, file = _READERS[call.data]
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
    if origin.reader in ("example", "counts"):
        return []
    # A file that holds a dataset is called by no name: that would be one of a system.
    named = origin.reader != "datasets"
    files = [f"{name}={file}" if name and named else file for name, file in _by_name(origin, list(origin.files))]
    return [*files, *origin.given]


def _read_by(origin: Origin) -> dict[str, Any]:
    """The options that make a command read the same."""
    if origin.reader in ("example", "counts"):
        return {origin.reader: ",".join(origin.given)}
    made_by = {"gold": list(origin.gold), "metric": origin.metric, "formula": origin.formula}
    flags: dict[str, Any] = {name: value for name, value in made_by.items() if value}
    for name, value in origin.options.items():
        if name == "columns":
            flags["columns"] = [f"{role}={column}" for role, column in value.items()]
        elif origin.reader == "score" and name not in _READING:
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


def in_shell(call: Call) -> str:
    """Write a call as a command; "" where there is none that asks the same.

    >>> in_shell(Call("sample_size", {"difference": 0.1, "sd": 0.5}))
    'nofluke power plan --difference 0.1 --sd 0.5'
    """
    found = typed(call)
    if found is None:
        return ""
    words = [word for name, value in found.flags.items() for word in _words(name, value)]
    # What begins with a dash, as a system's name before its file may, would be an option where options can follow.
    dashed = any(word.startswith("-") and word != _STDIN for word in found.arguments)
    words = [*words, "--", *found.arguments] if dashed else [*found.arguments, *words]
    return " ".join(["nofluke", found.command, *map(shlex.quote, words)])


def _words(name: str, value: Any) -> list[str]:
    flag = f"--{_SWITCHED_OFF.get(name, f'no_{name}') if value is False else name}".replace("_", "-")
    if isinstance(value, bool):
        return [flag]
    return [word for one in (value if isinstance(value, list) else [value]) for word in (flag, str(one))]


def in_toml(call: Call) -> str:
    """Write a call as a file of options, for --config; "" where no command asks the same.

    >>> print(in_toml(Call("sample_size", {"difference": 0.1, "sd": 0.5})))
    command = "power plan"
    difference = 0.1
    sd = 0.5
    """
    found = typed(call)
    if found is None:
        return ""
    read: Any = found.arguments[0] if found.command == "agree" else found.arguments
    given = {_ARGUMENTS.get(found.command, "files"): read} if found.arguments else {}
    return "\n".join(toml_line(*line) for line in ({"command": found.command} | given | found.flags).items())


def toml_line(name: str, value: Any) -> str:
    """Write one option; JSON's texts, numbers and lists are TOML's."""
    return f"{name} = {json.dumps(value)}"


def in_url(call: Call) -> str:
    """Write a call as the address of the page that asks the same, with its form filled in; "" where there is none.

    An address carries no files: it names them, to be chosen anew. P-values that were typed stand in it.

    >>> in_url(Call("rank", {"adjust": "bh"}, "scores", origin=Origin("read", ("s.csv",))))
    '/rank?files=s.csv&adjust=bh'
    """
    origin = _origin_of(call)
    by_name = origin is not None and bool(origin.systems and origin.given)
    found = typed(replace(call, origin=replace(origin, systems=())) if by_name and origin else call)
    if call.verb not in _PAGES or found is None or origin is None or not _is_asked_on_a_page(call, origin):
        return ""
    query: dict[str, Any] = {"files": [file for file in found.arguments if file != _STDIN]} if origin.files else {}
    if origin.given and origin.reader != "example":
        lines = zip(origin.systems, origin.given, strict=True) if by_name else ((one,) for one in origin.given)
        query["text"] = "\n".join(map("\t".join, lines))
    if call.verb == "replicate" and call.data == "scores":
        query["holds"] = "scores"
    query |= {"score_by" if name == "metric" and origin.metric else name: one for name, one in found.flags.items()}
    plain = {name: str(one).lower() if isinstance(one, bool) else one for name, one in query.items()}
    return f"/{_PAGES[call.verb]}?{urlencode(plain, doseq=True)}"


def _is_asked_on_a_page(call: Call, origin: Origin) -> bool:
    """Whether the form has a place for all of it: one metric, one table, and a plan in the terms of the sliders."""
    if call.verb == "sample_size":
        stated = set(call.options) - _ASIDE
        terms = _PLANS.get(call.options.get("test", ""), set())
        return stated == terms - _ASIDE and terms <= set(call.options) and call.options.get("alternative") != "less"
    several = isinstance(call.options.get("metric"), list | tuple)
    # No form names the metric that a formula computes, nor columns to be ignored.
    named = bool(origin.formula and origin.metric) or "ignore" in origin.options.get("columns", {})
    return not (several or named or origin.reader == "datasets")
