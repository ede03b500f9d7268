"""How a result was made, written down again from the values alone: as Python, as a command, as TOML and as a link."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from nofluke.option_groups import SELECTING
from nofluke.typed_call import READERS, READING, STDIN, Options, files_by_name, files_of, origin_of, selection, typed
from nofluke.types import Call, Origin

_OUTPUTS_FILE = "outputs.csv"
# Functions behind the verbs that give the whole result where the verb gives a number, with their modules.
_NOT_PUBLIC = {
    "correct": ("nofluke.verbs.correct", "correct_named"),
    "detectable_effect": ("nofluke.verbs.detectable_effect", "detected"),
    "detectable_in": ("nofluke.verbs.detectable_effect", "detected_in"),
    "power": ("nofluke.verbs.power", "planned"),
    "score": ("nofluke.verbs.score", "scored"),
}
# What a command calls its arguments, where these are no files.
_ARGUMENTS = {"agree": "file", "correct": "values"}
# Pages of the app that ask the same.
_PAGES = {"agree": "agree", "compare": "compare", "rank": "rank", "replicate": "replicate", "sample_size": "plan"}
# What states a plan there, right or wrong answers or scores on a scale, and the tests that are then taken.
ACCURACIES, ON_A_SCALE = ("accuracy_a", "accuracy_b", "disagreement"), ("difference", "sd")
_PLANS: dict[str, tuple[tuple[str, ...], ...]] = {"paired_t": (ON_A_SCALE,), "mcnemar": (ACCURACIES,)}
_PLANS |= {"tango": ((*ACCURACIES, "margin"),), "crossed_runs": (ON_A_SCALE, ACCURACIES)}
# Terms of other tests, or of many datasets; all other options of a plan have a place there.
NOT_ON_A_PAGE = ("sd_b", "p10", "p01", "prob_a_better", "datasets", "claim", "each")
_SWITCHED_OFF = {option.flag: option.opt.off for option in READING.values() if option.opt.off}


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
    if call.data == "sides" and call.origin is not None and not call.unwritten:
        told = ", ".join([*_sides(call.origin), *_named(call.options)])
        return f"import nofluke as nf\nprint(nf.{call.verb}({told}))"
    if call.data == "systems" and call.origin is not None and not call.unwritten:
        return _of_two_systems(call, call.origin)
    if call.unwritten or call.data not in ("", *READERS):
        return ""
    read = [_read_again(call)] if call.data else []
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


def _of_two_systems(call: Call, origin: Origin) -> str:
    """A gate on two systems of the same files; of those that were not named the first is the candidate."""
    named = {side: repr(name) for side, name in call.selection.items()}
    by_place = {"baseline": "scores.systems[1]", "candidate": "scores.systems[0]"}
    sides = ", ".join(f"as_side(scores, {side!r}, {named.get(side, place)})" for side, place in by_place.items())
    lines = ["from pathlib import Path"] if len(origin.gold) > 1 else []
    lines += ["import nofluke as nf", "from nofluke.align.join import as_side", ""]
    lines += [f"scores = {_expression(origin, _OUTPUTS_FILE)}"]
    lines += [f"print(nf.{call.verb}({', '.join([sides, *_named(call.options)])}))"]
    return "\n".join(lines)


def _sides(origin: Origin) -> list[str]:
    """What a gate is given: the paths of each side."""
    paths = [files_of(origin, side) for side in dict.fromkeys(origin.systems)]
    return [repr(own[0] if len(own) == 1 else own) for own in paths]


def _read_again(call: Call) -> str:
    """The expression that gives the verb its data."""
    origin, file = origin_of(call) or Origin(""), READERS[call.data][1]
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
    told = selection(call)
    if "a" not in told:
        return _named(told)
    rest = {name: value for name, value in told.items() if name not in ("a", "b")}
    return [repr(told[name]) for name in ("a", "b") if name in told] + _named(rest)


def _expression(origin: Origin, piped: str) -> str:
    """The call of the library that reads the same; what came through a pipe is a file here."""
    files = [piped if file == STDIN else file for file in origin.files]
    if origin.reader == "example":
        return f"nf.example({origin.given[0]!r})"
    if origin.systems and origin.given:
        by_name = (f"{name!r}: {value}" for name, value in zip(origin.systems, origin.given, strict=True))
        return f"{{{', '.join(by_name)}}}"
    if origin.given:
        return _typed(origin)
    options = dict(origin.options)
    if origin.reader == "datasets":
        read = (f"{name!r}: {_function('read', [repr(file)], options)}" for name, file in files_by_name(origin, files))
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
    words = [f"{name}={file}" if name else file for name, file in files_by_name(origin, files)]
    return words[0] if len(words) == 1 else words


def _gold(origin: Origin) -> list[str]:
    gold = ["gold.txt" if file == STDIN else file for file in origin.gold]
    # A list of texts would be lines.
    several = f"[{', '.join(f'Path({file!r})' for file in gold)}]"
    return [] if not gold else [repr(gold[0])] if len(gold) == 1 else [several]


def _function(name: str, arguments: list[str], options: Options) -> str:
    return f"nf.{name}({', '.join([*arguments, *_named(options)])})"


def _named(options: Options) -> list[str]:
    return [f"{name}={value!r}" for name, value in options.items()]


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
    dashed = any(word.startswith("-") and word != STDIN for word in found.arguments)
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
    origin = origin_of(call)
    by_name = origin is not None and bool(origin.systems and origin.given)
    found = typed(replace(call, origin=replace(origin, systems=())) if by_name and origin else call)
    if call.verb not in _PAGES or found is None or origin is None or not _is_asked_on_a_page(call, origin):
        return ""
    query: dict[str, Any] = {"files": [file for file in found.arguments if file != STDIN]} if origin.files else {}
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
        stated, ways = set(call.options), _PLANS.get(call.options.get("test", ""), ())
        whole = any(stated.issuperset(terms) for terms in ways) and stated.isdisjoint(NOT_ON_A_PAGE)
        return whole and call.options.get("alternative") != "less"
    several = isinstance(call.options.get("metric"), list | tuple)
    # No form names the metric that a formula computes, nor columns to be ignored.
    named = bool(origin.formula and origin.metric) or "ignore" in origin.options.get("columns", {})
    return not (several or named or origin.reader == "datasets")
