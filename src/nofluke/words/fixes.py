"""Options, verbs and columns within advice and notes, as Python, the shell and the pages word them."""

from __future__ import annotations

import functools
import shlex

from nofluke.errors import By, Option, Surface, Verb
from nofluke.registry import TESTS

# Options whose flag is not their name, and switches that have a flag for each value.
_FLAGS = {
    ("higher_is_better", "True"): "--higher-is-better",
    ("higher_is_better", "False"): "--lower-is-better",
    ("higher_is_better", ""): "--higher-is-better or --lower-is-better",
    ("clusters", "False"): "--no-clusters",
}
# Words that stand for what only the user knows.
_PLACEHOLDERS = frozenset({"NAME", "FILE", "N", "A", "B", "X"})
# What is chosen in fields of a page's own.
CHOICES = {
    ("missing", "drop"): "leave out",
    ("clusters", "False"): "take items as independent",
    ("higher_is_better", "True"): "higher is better",
    ("higher_is_better", "False"): "lower is better",
    ("layout", "matrix"): "counts of two annotators (confusion matrix)",
    ("layout", "wide"): "one column per annotator",
    ("sided", "two"): "two-sided",
}
# What the fields of columns are called on the pages; columns to be ignored have no field.
COLUMNS = {
    "item": "Item id",
    "system": "System",
    "score": "Score",
    "dataset": "Dataset",
    "metric": "Metric",
    "run": "Run or seed",
    "cluster": "Cluster (document, speaker)",
    "gold": "Gold answers, beside outputs",
    "output": "Output, beside gold answers",
    "annotator": "Annotator",
    "label": "Label",
    "p_value": "P-value",
    "sign": "Sign (+ where A is better)",
}
PAGES = {
    "compare": "Two systems",
    "rank": "Many systems",
    "replicate": "Many datasets",
    "agree": "Annotators",
    "power": "Sample size",
    "power plan": "Sample size",
}
# What may become of items without all scores; any other value of the option is a word of the user's.
_MISSING_ITEMS = ("", "drop", "refuse", "pairwise")
# A switch, as a page shows it.
_SWITCHED = {"True": "yes", "False": "no"}
# Options that no page has a field for.
_WITHOUT_FIELD = frozenset({"across", "log", "pairs", "prior_place", "take"})
# Commands that are called differently in Python.
_IN_PYTHON = {"power plan": "sample_size", "study audit": "studies.audit"}
# Where all is said that an answer leaves out.
DETAILS = By(python="nf.report(result)", shell="--details", page="see the details")


def worded(part: Option | Verb | By, surface: Surface) -> str:
    """Word a part of advice as it is given there.

    >>> [worded(Option("columns", (("item", "doc"),)), where) for where in ("python", "shell", "page")]
    ["columns={'item': 'doc'}", '--columns item=doc', '"doc" under Item id']
    >>> [worded(Option("missing", "drop"), where) for where in ("python", "shell", "page")]
    ["missing='drop'", '--missing drop', '"leave out" under Items without both scores']
    >>> worded(Option("level", "interval"), "page"), worded(Option("bayes", "True"), "page")
    ('"interval" under Level', '"yes" under Bayes')
    >>> [worded(Verb("rank"), where) for where in ("python", "shell", "page")]
    ['nf.rank', 'nofluke rank FILE', 'the page Many systems']
    """
    if isinstance(part, By):
        return {"shell": part.shell, "page": part.page, "api": part.api or part.python}.get(surface, part.python)
    if isinstance(part, Verb):
        shell = f"nofluke {part.name} {part.arguments}".rstrip()
        page = f"the page {PAGES[part.name]}" if part.name in PAGES else "the command line"
        return {"shell": shell, "page": page}.get(surface, f"nf.{_IN_PYTHON.get(part.name, part.name)}")
    return {"shell": _in_shell, "page": _on_page}.get(surface, _in_python)(part)


def more_of(*, pictures: bool, comment: bool = False) -> str:
    """Where the rest is, as the shell has it: the last line after an answer."""
    if comment:
        return "More: --details; for a pull request: -o comment.md"
    return f"More: --details; a page{' with pictures' if pictures else ''}: -o report.html"


def _in_python(option: Option) -> str:
    name, value = option
    if isinstance(value, tuple):
        return f"{name}={{{', '.join(f'{role!r}: {_python_value(column)}' for role, column in value)}}}"
    if name == "metric_option":
        name, _, value = value.partition("=")
    return f"{name}={_python_value(value)}" if value else f"{name}=..."


def _python_value(value: str) -> str:
    """Quote what is a text; numbers, truth values and placeholders stay bare."""
    if value in ("True", "False", "None") or value in _PLACEHOLDERS:
        return value
    try:
        float(value)
    except ValueError:
        return repr(value)
    return value


def _in_shell(option: Option) -> str:
    name, value = option
    if isinstance(value, tuple):
        return f"--{name} {shlex.quote(','.join(f'{role}={column}' for role, column in value))}"
    if (name, value) in _FLAGS:
        return _FLAGS[name, value]
    flag = f"--{name.replace('_', '-')}"
    return f"{flag} {shlex.quote(value)}" if value and value != "True" else flag


def _on_page(option: Option) -> str:
    name, value = option
    if isinstance(value, tuple):
        return " and ".join(
            _under(COLUMNS[role], column) if role in COLUMNS else f'a file without "{column}"' for role, column in value
        )
    if name in _WITHOUT_FIELD:
        return f"{name}={value or '...'} on the command line"
    if name == "missing" and value not in _MISSING_ITEMS:
        return _under("Words that mean a missing rating", value)
    return _under(*on_page(option))


def on_page(option: Option) -> tuple[str, str]:
    """Give an option as a page has it: what its field is called, and what is chosen there.

    >>> on_page(Option("clusters", "False"))
    ('Clusters', 'take items as independent')
    """
    name, value = option.name, str(option.value)
    field = labels().get(name, name.replace("_", " ").capitalize())
    return field, CHOICES.get((name, value)) or _SWITCHED.get(value) or _method_label(name, value) or value


def _method_label(name: str, value: str) -> str:
    """What a list of methods calls one of them."""
    return TESTS[value].label if name == "method" and value in TESTS else ""


@functools.cache
def labels() -> dict[str, str]:
    """What the fields of the pages are called, by the flag of their option."""
    from nofluke.option_groups import Aligning, Rating, Scoring, TwoSystems
    from nofluke.options import options_of
    from nofluke.verbs.agree import agree
    from nofluke.verbs.compare import compare
    from nofluke.verbs.rank import rank
    from nofluke.verbs.read_p_values import read_p_values
    from nofluke.verbs.replicate import replicate
    from nofluke.verbs.sample_size import sample_size

    # Where two call something alike, the last one is meant.
    asked = (sample_size, agree, Rating, replicate, rank, compare, read_p_values, TwoSystems, Scoring, Aligning)
    found = [option for source in asked for option in options_of(source)]
    return {option.flag: option.label[:1].upper() + option.label[1:] for option in found}


def _under(field: str, value: str) -> str:
    """Name the field, with what is to be written there where that is known."""
    return field if all(part in ("", *_PLACEHOLDERS) for part in value.split(",")) else f'"{value}" under {field}'
