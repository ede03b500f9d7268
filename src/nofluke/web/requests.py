"""What a client may ask: one model per verb, made from the verb's own signature, beside the data it is asked of."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from nofluke.option_groups import Aligning, Rating, Reading, ReadingPValues, Scoring, TwoSystems
from nofluke.options import Bounds, Option, options_of
from nofluke.readers.aliases import OUTPUT_ROLES, P_ROLES, RATING_ROLES, SCORE_ROLES
from nofluke.registry import help_of
from nofluke.verbs.agree import agree
from nofluke.verbs.bayes import bayes
from nofluke.verbs.combine import combine
from nofluke.verbs.compare import compare
from nofluke.verbs.correct import correct
from nofluke.verbs.describe import describe
from nofluke.verbs.detectable_effect import detectable_effect
from nofluke.verbs.effect import effect
from nofluke.verbs.estimate import estimate
from nofluke.verbs.gate import gate
from nofluke.verbs.omnibus import omnibus
from nofluke.verbs.power import power
from nofluke.verbs.power_curve import power_curve
from nofluke.verbs.rank import rank
from nofluke.verbs.recommend import recommend
from nofluke.verbs.replicate import replicate
from nofluke.verbs.sample_size import sample_size
from nofluke.verbs.score import scored
from nofluke.verbs.test import test

_LONGEST_NAME = 500
_MOST_NAMES = 10_000
_MOST_P_VALUES = 100_000
Text = Annotated[str, Field(max_length=20_000_000)]
Name = Annotated[str, Field(max_length=_LONGEST_NAME)]
PValue = Annotated[float, Field(ge=0, le=1)]
PValues = Annotated[list[PValue], Field(min_length=1, max_length=_MOST_P_VALUES)]
Role: Any = Literal[tuple(dict.fromkeys((*SCORE_ROLES, *OUTPUT_ROLES)))]
_RolesOfP: Any = Literal[P_ROLES]
_RolesOfRatings: Any = Literal[RATING_ROLES]
Options = Annotated[
    dict[Name, bool | int | float | Name | None],
    Field(max_length=40, description="Options of the method by name; see `nofluke methods`."),
]


class Request(BaseModel):
    """Unknown fields are refused: a misspelt option must not be ignored."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


def plain(request: Request) -> dict[str, Any]:
    """The request as JSON values, for the job's memory."""
    return request.model_dump(mode="json")


class File(Request):
    """A file sent before (its upload id), or text sent along; `system` names the system it belongs to."""

    upload: Annotated[Name | None, Field(description="The id that POST /api/uploads gave.")] = None
    text: Annotated[Text | None, Field(description="The content itself, instead of an upload.")] = None
    system: Annotated[Name | None, Field(description="The system the file belongs to. Default: its file's name.")] = (
        None
    )


# Action -> the options that its request and its form have, by name.
OPTIONS_OF: dict[str, dict[str, Option]] = {}


def model_of(name: str, verb: Callable[..., Any], base: type[Request], *more: Option) -> type[Request]:
    """Make the model of what a verb is asked; options of its methods have a field of their own."""
    collects = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in inspect.signature(verb).parameters.values())
    question = (inspect.getdoc(verb) or "").partition("\n")[0]
    return _made(name, question, base, (*more, *options_of(verb)), of_methods=collects)


def _made(
    name: str, question: str, base: type[Request], options: Sequence[Option], *, of_methods: bool = False
) -> type[Request]:
    own = [option for option in options if option.name not in base.model_fields]
    OPTIONS_OF[name] = {option.name: option for option in own}
    fields: dict[str, Any] = {option.name: (_kind(option), _default(option)) for option in own}
    if of_methods:
        fields["options"] = (Options, {})
    called = "Data" if base is Files else f"{name.title().replace('_', '')}Request"
    return create_model(called, __base__=base, __doc__=question, **fields)


# Fields that are no plain values: files, and what has names of its own.
_KINDS: dict[str, Any] = {
    "columns": dict[Role, Name],
    "metric_options": Options,
    "gold": Annotated[list[File], Field(max_length=20)],
}


def _kind(option: Option) -> Any:
    """Give the type of a field, within the limits of a server that strangers may ask."""
    if option.name in _KINDS:
        return Annotated[_KINDS[option.name], Field(description=help_of(option))]
    one = _within(option, option.opt.web or option.opt.bounds)
    if option.several != "never":
        items: Any = _within(option, option.opt.bounds)
        listed: Any = Annotated[list[items], Field(max_length=option.opt.most)]
        one = listed if option.several == "only" else listed | one
    if option.words:
        one = one | Literal[option.words]
    if option.default is None:
        one = one | None
    return Annotated[one, Field(description=help_of(option))]


def _within(option: Option, bounds: Bounds) -> Any:
    if option.choices:
        return Literal[option.choices]
    if option.type not in (int, float):
        return Name if option.type is str else option.type
    named = {"gt": bounds.above, "ge": bounds.at_least, "lt": bounds.below, "le": bounds.at_most}
    limits: dict[str, Any] = {name: limit for name, limit in named.items() if limit is not None}
    return Annotated[option.type, Field(**limits)] if limits else option.type


def _default(option: Option) -> Any:
    if option.default is inspect.Parameter.empty:
        return ...
    if option.several == "named":
        return {}
    return list(option.default) if isinstance(option.default, tuple) else option.default


class Files(Request):
    """Files, or a built-in example."""

    files: Annotated[
        list[File], Field(max_length=1000, description="Scores, or with `gold` the outputs of each system.")
    ] = []
    example: Annotated[Name | None, Field(description="A built-in example instead of files.")] = None


# The metric that a command names by --metric whether it scores by it or looks at it.
_SCORE_BY = Option("score_by", str, None, optional=True, help="The metric that scores the outputs against `gold`.")
# How the data of a request and of a form are read.
READING = (*options_of(Scoring), _SCORE_BY)
# The same of ratings.
READING_RATINGS = options_of(Rating)
Data = _made(
    "data",
    "Scores in files, outputs with gold answers and a metric, counts and a formula, or an example.",
    Files,
    READING,
)


class OnData(Request):
    """Something asked of data."""

    data: Data  # type: ignore[valid-type]  # made above


class Looked(OnData):
    """A look at data before anything is asked of them."""

    items: Annotated[bool, Field(description="Write every item down: /api/jobs/{id}/items.csv.")] = False


class OnPTable(Request):
    """Something asked of a table of p-values, of p-values, of a published example, or of scores."""

    p_table: File | None = None
    columns: Annotated[
        dict[_RolesOfP, Name] | None,
        Field(description="The columns of `p_table` by their names; score names those of A and B, with a comma."),
    ] = None
    higher_is_better: Annotated[
        bool | None, Field(description="Direction of the scores beside p-values. Default: known from their names.")
    ] = None
    p_values: Annotated[dict[Name, PValue], Field(max_length=_MOST_NAMES)] | None = None
    published: Name | None = None
    data: Data | None = None  # type: ignore[valid-type]


class OnRatings(Request):
    """Something asked of ratings."""

    ratings: File
    columns: Annotated[
        dict[_RolesOfRatings, Name],
        Field(description="Columns by their names; several annotators, with commas, are those of a wide table."),
    ] = {}


class OnPValues(Request):
    """Something asked of p-values alone."""

    p_values: PValues


# Which part of the data is looked at, and how items are matched; and of which two systems.
ALIGNED = options_of(Aligning)
PAIR = (*ALIGNED, *options_of(TwoSystems))
# The two sides of a gate are systems of the same data: how these are read stands with them, and no texts are kept.
_SIDES = (
    Option("baseline", str, None, optional=True, help="The system that is in place. Default: the second one."),
    Option("candidate", str, None, optional=True, help="The system that may take its place. Default: the first one."),
)
_NOT_OF_SIDES = {option.name for option in options_of(Reading)} | {"system", "name", "forbid", "show_text"}
_OF_GATES = tuple(option for option in options_of(gate) if option.name not in _NOT_OF_SIDES)
# Over all datasets, and with a metric of the verb's own.
_EACH_DATASET = tuple(option for option in ALIGNED if option.name not in ("dataset", "metric"))
BY_ACTION: Mapping[str, type[Request]] = {
    "compare": model_of("compare", compare, OnData, *PAIR),
    "rank": model_of("rank", rank, OnData),
    "replicate": model_of("replicate", replicate, OnPTable, *_EACH_DATASET),
    "agree": model_of("agree", agree, OnRatings, *READING_RATINGS),
    "gate": _made("gate", "May the candidate take the place of the baseline?", OnData, (*_SIDES, *_OF_GATES)),
    "bayes": model_of("bayes", bayes, OnData, *PAIR),
    "sample_size": model_of("sample_size", sample_size, Request),
    "power_curve": model_of("power_curve", power_curve, OnData, *PAIR),
    "describe": model_of("describe", describe, OnData, *PAIR),
    "recommend": model_of("recommend", recommend, OnData, *PAIR),
    "test": model_of("test", test, OnData, *PAIR),
    "effect": model_of("effect", effect, OnData, *PAIR),
    "estimate": model_of("estimate", estimate, OnData),
    "score": model_of("score", scored, OnData),
    "power": model_of("power", power, Request),
    "detectable_effect": model_of("detectable_effect", detectable_effect, Request),
    "correct": model_of("correct", correct, OnPValues),
    "combine": model_of("combine", combine, OnPValues),
    "omnibus": model_of("omnibus", omnibus, OnData),
    "inspect": _made("inspect", "Which columns do these data have, and which items would be compared?", Looked, PAIR),
}
# How items are chosen and matched: what `pair`, `select` and `rank` take beside the systems.
ALIGNING = tuple(option.name for option in ALIGNED)
# What only scores can be told: how their items are matched and tested.
ONLY_OF_SCORES = ("metric", "method", *(option.name for option in _EACH_DATASET))
# How a table of p-values is read.
READING_P = tuple(field.name for field in fields(ReadingPValues) if field.name not in ("a", "b"))
# Fields that bring the data or say how they are read and chosen; all others go to the verb by their names.
_OF_THE_DATA = frozenset(
    [
        "options",
        "a",
        "b",
        *ALIGNING,
        *(option.name for option in READING_RATINGS),
        *(name for base in (OnData, OnPTable, OnPValues, OnRatings) for name in base.model_fields),
    ]
)


def settings_of(action: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """What a request tells the verb itself, by the verb's own names; options of the method are not among it."""
    names = [name for name in BY_ACTION[action].model_fields if name not in _OF_THE_DATA]
    return {name: request[name] for name in names if request.get(name) is not None}


def as_asked_today(action: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """A stored request with all fields of this version: an earlier one knew nothing of newer ones."""
    model = BY_ACTION[action]
    return plain(model.model_validate({name: value for name, value in request.items() if name in model.model_fields}))


def table_alone(request: Mapping[str, Any]) -> str:
    """Which part of a request is one table that holds no scores; "" where there is none."""
    return next((name for name in ("ratings", "p_table") if request.get(name)), "")
