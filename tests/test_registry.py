"""One decorated function yields the call, its options, their checks and the errors."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import pytest

from nofluke.errors import InputError, MethodError
from nofluke.registry import REGISTRIES, TESTS, Method, Registry


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
    with pytest.raises(TypeError, match="registered twice"):
        registry.register("example", label="x", cite="y 1", null="n")


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
