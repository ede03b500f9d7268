"""One decorated function yields the call, its options, their checks and the errors."""

from __future__ import annotations

import math
import re
from typing import Annotated, Literal

import numpy as np
import pytest

from nofluke.errors import InputError, MethodError
from nofluke.registry import ABOUT, AGREEMENT, EFFECTS, REGISTRIES, TESTS, Method, Registry


@pytest.fixture
def registry() -> Registry:
    registry = Registry("test", {"null": str}, room="nofluke.types")

    @registry.register("example", label="an example", cite="Nobody 1900", aliases=("sample_test",), null="nothing")
    def example(
        sample: object,
        *,
        zeros: Annotated[Literal["drop", "pratt"], "what happens to zeros"] = "drop",
        width: Annotated[float, "how wide"] = 0.0,
        draws: Annotated[int | None, "how many draws"] = None,
        snap: Annotated[bool, "whether to snap"] = True,
    ) -> str:
        """Is this an example?

        Yes.
        """
        return f"{sample} {zeros} {width} {draws} {snap}"

    return registry


def test_options_come_from_the_signature(registry: Registry) -> None:
    method = registry["example"]
    assert method.summary == "Is this an example?"
    assert [(o.name, o.type, o.default, o.choices, o.optional) for o in method.options] == [
        ("zeros", str, "drop", ("drop", "pratt"), False),
        ("width", float, 0.0, (), False),
        ("draws", int, None, (), True),
        ("snap", bool, True, (), False),
    ]
    assert method.options[0].help == "what happens to zeros"
    assert registry["sample_test"] is method


def test_good_options_are_converted(registry: Registry) -> None:
    checked = registry["example"].check_options({"width": 2, "draws": None, "snap": False, "zeros": "pratt"})
    assert checked == {"width": 2.0, "draws": None, "snap": False, "zeros": "pratt"}


@pytest.mark.parametrize(
    ("options", "message", "fix"),
    [
        (
            {"zeros": "prat"},
            "zeros = 'prat' is not known to example.",
            "did you mean 'pratt'? choose one of: drop, pratt.",
        ),
        ({"width": "wide"}, "width = 'wide' of example is not a number.", "give a number."),
        ({"draws": 2.5}, "draws = 2.5 of example is not a whole number.", "give a whole number."),
        ({"draws": True}, "draws = True of example is not a whole number.", "give a whole number."),
        ({"draws": math.inf}, "draws = inf of example is not a whole number.", "give a whole number."),
        (
            {"zeros": ["pratt"]},
            "zeros = ['pratt'] is not known to example.",
            "did you mean 'pratt'? choose one of: drop, pratt.",
        ),
        ({"snap": 1}, "snap = 1 of example is not true or false.", "give true or false."),
        (
            {"zeroes": 1},
            "example has no option 'zeroes'.",
            "did you mean 'zeros'? options of example: draws, snap, width, zeros.",
        ),
    ],
)
def test_bad_options_are_refused(registry: Registry, options: dict[str, object], message: str, fix: str) -> None:
    with pytest.raises((InputError, MethodError)) as caught:
        registry["example"].check_options(options)
    assert (caught.value.message, caught.value.fix) == (message, fix)


def test_an_array_is_no_choice(registry: Registry) -> None:
    with pytest.raises(InputError, match="is not known to example"):
        registry["example"].check_options({"zeros": np.array(["drop", "pratt"])})


def test_unknown_methods_raise_and_never_give_a_result(registry: Registry) -> None:
    with pytest.raises(MethodError) as caught:
        registry["exmple"]
    assert caught.value.fix == "did you mean 'example'? choose one of: example."
    assert "exmple" not in registry
    assert "example" in registry


def test_metadata_must_be_complete_and_names_unique(registry: Registry) -> None:
    with pytest.raises(TypeError, match="missing \\['null'\\]"):
        registry.register("other", label="x", cite="y 1")
    with pytest.raises(TypeError, match="unexpected \\['nul'\\]"):
        registry.register("other", label="x", cite="y 1", null="n", nul="n")
    with pytest.raises(TypeError, match="taken \\['example'\\]"):
        registry.register("example", label="x", cite="y 1", null="n")
    with pytest.raises(TypeError, match="taken \\['sample_test'\\]"):
        registry.register("sample_test", label="x", cite="y 1", null="n")
    with pytest.raises(TypeError, match="taken \\['example'\\]"):
        registry.register("other", label="x", cite="y 1", aliases=("example",), null="n")


CLOSED = [
    pytest.param(registry, fact, id=f"{registry.kind}-{fact}")
    for registry in REGISTRIES.values()
    for fact, allowed in registry.facts.items()
    if isinstance(allowed, tuple)
]


def facts_of(registry: Registry) -> dict[str, object]:
    return dict(next(iter(registry)).facts)


@pytest.mark.parametrize(("registry", "fact"), CLOSED)
def test_a_word_that_code_elsewhere_cannot_read_is_refused_at_registration(registry: Registry, fact: str) -> None:
    facts = facts_of(registry) | {fact: "something else"}
    with pytest.raises(MethodError, match=f"{registry.kind} 'new': {fact} = 'something else' is not known") as caught:
        registry.register("new", label="x", cite="y 1", **facts)
    assert all(repr(word) in caught.value.advice() for word in registry.facts[fact])  # type: ignore[union-attr]
    assert "new" not in registry


def test_a_slip_of_the_pen_gets_the_word_that_was_meant() -> None:
    with pytest.raises(MethodError) as caught:
        TESTS.register("new", label="x", cite="y 1", **facts_of(TESTS) | {"about": "means"})
    assert (caught.value.message, caught.value.fix) == (
        "test 'new': about = 'means' is not known.",
        "did you mean 'mean'? choose one of: 'mean', 'items', 'ranks', 'median'.",
    )


TYPED = [
    pytest.param(registry, fact, id=f"{registry.kind}-{fact}")
    for registry in REGISTRIES.values()
    for fact, allowed in registry.facts.items()
    if isinstance(allowed, type)
]


@pytest.mark.parametrize(("registry", "fact"), TYPED)
def test_facts_of_another_type_are_refused_at_registration(registry: Registry, fact: str) -> None:
    with pytest.raises(MethodError, match=f"{fact} = None is of type NoneType"):
        registry.register("new", label="x", cite="y 1", **facts_of(registry) | {fact: None})


def test_every_table_of_words_by_what_a_test_is_about_knows_every_word() -> None:
    from nofluke.words.comparison import _BEYOND, _CLAIMS
    from nofluke.words.notes.power import ABOUT as LOOKED_AT
    from nofluke.words.ranking import MEANINGS

    # A test of the mean needs no remark that it says nothing about the mean.
    assert set(_CLAIMS) == set(ABOUT)
    assert set(_BEYOND) == set(MEANINGS) == set(LOOKED_AT) == set(ABOUT) - {"mean"}


@pytest.mark.parametrize("method", list(TESTS), ids=lambda method: method.name)
def test_a_test_takes_a_delta_or_names_one_that_does(method: Method) -> None:
    instead = method.facts["delta_instead"]
    if "delta" in method.option_names():
        assert instead == ""
    else:
        assert "delta" in TESTS[instead].option_names()


@pytest.mark.parametrize("method", [*EFFECTS, *AGREEMENT], ids=lambda method: f"{method.kind}-{method.name}")
def test_bounds_are_two_numbers_with_the_null_between_them(method: Method) -> None:
    low, high = method.facts["bounds"]
    assert low < high
    assert low <= method.facts.get("null", low) <= high


def test_literature_of_an_option_is_cited_with_that_option_only() -> None:
    wilcoxon = TESTS["wilcoxon"]
    assert "Pratt" not in wilcoxon.cited()
    assert wilcoxon.cited({"zeros": "zsplit"}) == "Wilcoxon 1945; Pratt 1959; Hodges and Lehmann 1963; Noether 1967"
    assert "Edwards" in TESTS["mcnemar"].cited({"continuity": "True"})


@pytest.mark.parametrize("method", [method for registry in REGISTRIES.values() for method in registry])
def test_options_that_citations_name_exist(method: Method) -> None:
    known = {option.name: option for option in method.options}
    for name, values in re.findall(r"\((\w+) = ([^)]+)\)", method.cite):
        assert name in known
        allowed = known[name].choices or ("True", "False")
        assert set(values.split(" or ")) <= set(allowed)
