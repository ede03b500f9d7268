"""nofluke as tools of an assistant (Model Context Protocol, over standard input and output), on files of one folder.

The fields of every tool are made from the signature of its verb, as those of the API are.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from pydantic import Field, ValidationError

import nofluke as nf
from nofluke import __version__
from nofluke.errors import InputError, NoflukeError
from nofluke.option_groups import Rating, ReadingTables, Scoring
from nofluke.readers.given import kept_within, refuse_beyond
from nofluke.reports.build import build
from nofluke.reports.plain import stored
from nofluke.reports.provenance import Run
from nofluke.types import Scores, Value
from nofluke.types.base import json_safe
from nofluke.web.data import own_options
from nofluke.web.requests import ALIGNED, PAIR, READING, READING_RATINGS, Name, Request, model_of

INSTRUCTIONS = (
    "Says whether one system is really better than another, or whether it was a fluke. Give the per-item scores or the "
    "logs of both: averages alone cannot be compared. Quote the verdict as it stands."
)
_Asked = dict[str, Any]


class OnNumbers(Request):
    """Something asked of numbers alone."""

    whole: Annotated[
        bool, Field(description="Give the whole result as JSON too, not only the answer and its rows.")
    ] = False


class OnFiles(OnNumbers):
    """Something asked of files."""

    paths: Annotated[
        list[Name],
        Field(
            min_length=1,
            max_length=1000,
            description="Files or folders below the folder of this server: tables of scores, or logs of evaluation "
            "harnesses. NAME=PATH names the system of a file.",
        ),
    ]
    gold: Annotated[
        list[Name], Field(max_length=20, description="Files of gold answers; then `paths` hold outputs.")
    ] = []


class OnRatings(OnNumbers):
    """Something asked of a table of ratings."""

    path: Annotated[Name, Field(description="A table of ratings below the folder of this server.")]


def _taken(asked: _Asked, group: type) -> _Asked:
    """Take what belongs to a group of options out of what is asked."""
    return {field.name: asked.pop(field.name) for field in fields(group) if field.name in asked}


def _scores(asked: _Asked) -> Scores:
    """Read what is asked about; what is left in `asked` goes to the verb."""
    told = _taken(asked, Scoring)
    paths, gold, formula = asked.pop("paths"), told.pop("gold", []), told.pop("formula", None)
    options = own_options(told.pop("metric_options", None) or {}, nf.score)
    metric = asked.pop("score_by", None)
    if formula:
        return nf.from_statistics(paths, formula, **told)
    if not (gold or metric):
        return nf.read(paths, **told)
    # A list of texts would be the lines of one reference.
    references = [Path(one) for one in gold]
    reference: Any = references[0] if len(references) == 1 else references or None
    return nf.score(metric or "", paths, reference, **_taken(told, ReadingTables), **options)


def _ratings(asked: _Asked) -> Any:
    return nf.read_ratings(asked.pop("path"), **_taken(asked, Rating))


def _on(read: Callable[[_Asked], Any], verb: Callable[..., Value]) -> Callable[[_Asked], Value]:
    """Answer by a verb on what is read; options of a method name neither files nor where work is done."""
    return lambda asked: verb(read(asked), **own_options(asked.pop("options", {}), verb), **asked)


# Tool -> what it may be asked, and how it answers.
_TOOLS: dict[str, tuple[type[Request], Callable[[_Asked], Value]]] = {
    "read": (model_of("read files", nf.contents, OnFiles, *READING), _on(_scores, nf.contents)),
    "compare": (model_of("compare files", nf.compare, OnFiles, *READING, *PAIR), _on(_scores, nf.compare)),
    "rank": (model_of("rank files", nf.rank, OnFiles, *READING), _on(_scores, nf.rank)),
    "replicate": (
        model_of("replicate on files", nf.replicate, OnFiles, *READING, *ALIGNED),
        _on(_scores, nf.replicate),
    ),
    "plan": (
        model_of("plan", nf.sample_size, OnNumbers),
        lambda asked: nf.sample_size(**own_options(asked.pop("options", {}), nf.sample_size), **asked),
    ),
    "agree": (model_of("agree on ratings", nf.agree, OnRatings, *READING_RATINGS), _on(_ratings, nf.agree)),
}


def answered(name: str, given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Answer one call: the answer in words, its rows unrounded, or what was wrong and how to mend it."""
    try:
        if name not in _TOOLS:
            raise InputError(f"there is no tool {name!r}.", fix=f"take one of {', '.join(_TOOLS)}.")
        model, verb = _TOOLS[name]
        asked = model.model_validate(dict(given)).model_dump(exclude_unset=True)
        whole = asked.pop("whole", False)
        with kept_within(folder):
            _check_places(asked)
            result = verb(asked)
        rows = json_safe(build(result).records)
        more = {"result": stored(result, Run())} if whole else {}
    except ValidationError as error:
        wrong = [
            {
                "where": ".".join(map(str, one["loc"])),
                "message": f"{one['msg']}.",
                "fix": "See the schema.",
            }
            for one in error.errors()
        ]
        return {"ok": False, "errors": wrong}
    except NoflukeError as error:
        return {"ok": False, "errors": [error.to_dict("api")]}
    return {"ok": True, "answer": str(result), "rows": rows, **more}


def _check_places(asked: Mapping[str, Any]) -> None:
    """Refuse places outside of the folder before anything looks there; standard input belongs to the protocol."""
    for given in (*asked.get("paths", ()), *asked.get("gold", ()), *filter(None, [asked.get("path")])):
        # NAME=PATH names a system; a path with a = in it may be given as it stands.
        for path in {given, given.partition("=")[2] or given}:
            refuse_beyond(path)


def _said(error: Mapping[str, str]) -> str:
    """An error as a terminal prints it."""
    return NoflukeError(error["message"], where=error["where"], fix=error["fix"]).said()


def server(folder: Path) -> Server[Any]:
    """Make the server of one folder."""

    async def tools(_context: Any, _asked: Any) -> types.ListToolsResult:
        made = [
            types.Tool(name=name, description=model.__doc__ or name, input_schema=model.model_json_schema())
            for name, (model, _) in _TOOLS.items()
        ]
        return types.ListToolsResult(tools=made)

    async def call(_context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        found = await asyncio.to_thread(answered, asked.name, asked.arguments or {}, folder)
        said = found.get("answer") or "\n".join(map(_said, found["errors"]))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=said)], structured_content=found, is_error=not found["ok"]
        )

    return Server("nofluke", version=__version__, instructions=INSTRUCTIONS, on_list_tools=tools, on_call_tool=call)


async def serve_over_stdio(folder: Path) -> None:
    """Answer calls until the client goes away."""
    os.chdir(folder)  # paths are those of the folder
    made = server(folder)
    async with stdio_server() as (reading, writing):
        await made.run(reading, writing, made.create_initialization_options())
