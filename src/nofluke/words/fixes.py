"""Advice on options, as Python, the shell and the pages word it."""

from __future__ import annotations

from nofluke.errors import Option, Surface

# Options whose flag is not their name, and switches that have a flag for each value.
_FLAGS = {
    ("higher_is_better", "True"): "--higher-is-better",
    ("higher_is_better", "False"): "--lower-is-better",
    ("clusters", "False"): "--no-clusters",
}
# What an option is called on a page, where it is not a field of its own name.
_FIELDS = {
    "a": "System A",
    "b": "System B",
    "low": "the smallest possible score",
    "high": "the largest possible score",
    "annotators": "the field Annotators",
}


def option_on(option: Option, surface: Surface) -> str:
    """Name an option with its value, as it is given there.

    >>> [option_on(Option("columns", "item=doc"), where) for where in ("python", "shell", "page")]
    ["item='doc'", '--columns item=doc', 'doc as the column of the item']
    >>> [option_on(Option("missing", "drop"), where) for where in ("python", "shell", "page")]
    ["missing='drop'", '--missing drop', '"drop" in the field Missing']
    """
    return {"python": _in_python, "shell": _in_shell, "page": _on_page}[surface](option)


def _in_python(option: Option) -> str:
    name, value = option
    if name == "columns" and "=" in value:
        role, _, column = value.partition("=")
        return f"{role}={_python_value(column)}"
    return f"{name}={_python_value(value)}" if value else f"{name}="


def _python_value(value: str) -> str:
    """Quote what is a text; numbers, truth values and placeholders in capitals stay bare."""
    bare = value in ("True", "False", "None") or value.isupper() or value.replace(".", "", 1).lstrip("-").isdigit()
    if "," in value and not bare:
        return repr(tuple(value.split(",")))
    return value if bare else repr(value)


def _in_shell(option: Option) -> str:
    name, value = option
    if (name, value) in _FLAGS:
        return _FLAGS[name, value]
    flag = f"--{name.replace('_', '-')}"
    return f"{flag} {_shell_value(value)}" if value and value != "True" else flag


def _shell_value(value: str) -> str:
    return f"'{value}'" if any(mark in value for mark in ' ()*$;|&<>"') else value


def _on_page(option: Option) -> str:
    name, value = option
    if name == "columns" and "=" in value:
        role, _, column = value.partition("=")
        if role == "ignore":
            return f"{column} as a column that is not used"
        return f"{'a column' if column.isupper() else column} as the column of the {role}"
    if name == "higher_is_better":
        return {"True": "that higher is better", "False": "that lower is better"}.get(value, "the direction")
    if (name, value) == ("clusters", "False"):
        return '"take items as independent"'
    field = _FIELDS.get(name, f"the field {name.replace('_', ' ').capitalize()}")
    return f'"{value}" in {field}' if value and not value.isupper() else field
