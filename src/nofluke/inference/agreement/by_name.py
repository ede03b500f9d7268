"""A coefficient by name: its options, its value on all ratings and on parts of them, its label, call and signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from nofluke.check import check_level
from nofluke.errors import By, Fix, InputError, MethodError, did_you_mean, listing, unknown
from nofluke.inference.agreement.chance_test import with_chance_test
from nofluke.inference.agreement.interpret import word_for
from nofluke.inference.agreement.krippendorff_alpha import item_distances
from nofluke.inference.agreement.measured import HALVES, own_and_shared
from nofluke.inference.agreement.tally import Tally
from nofluke.inference.agreement.weights import agreement_weights
from nofluke.inference.p_values import Progress
from nofluke.noting import signature
from nofluke.registry import AGREEMENT, Method
from nofluke.types import Call, Coefficient, Estimate, FloatArray, Ratings


@dataclass(frozen=True, slots=True)
class Chosen:
    """A coefficient with the options it was given, checked."""

    method: Method
    given: Mapping[str, Any]

    @property
    def usual(self) -> dict[str, Any]:
        """The defaults of all its options."""
        return {option.name: option.default for option in self.method.options}

    @property
    def options(self) -> dict[str, Any]:
        """All its options, with their defaults where nothing was said."""
        return self.usual | dict(self.given)

    @property
    def scale(self) -> str:
        """The level of measurement, where it has one."""
        return str(self.options.get("level", ""))

    @property
    def weights(self) -> str:
        """The weights of labels close together, where it has them."""
        return str(self.options.get("weights", ""))

    @property
    def weighted(self) -> bool:
        """Whether labels close together agree in part."""
        return self.weights not in ("", "none")

    @property
    def numbers(self) -> bool:
        """Whether ratings are taken as numbers, not as labels."""
        return self.scale in ("interval", "ratio")

    @property
    def label(self) -> str:
        """Its name with the option that makes it another one."""
        if self.scale:
            return f"{self.method.label} ({self.scale})"
        return f"{self.method.label} ({self.weights} weights)" if self.weighted else self.method.label

    @property
    def plain(self) -> Chosen:
        """The coefficient without weights or levels, which two labels do not need."""
        kept = {key: value for key, value in self.given.items() if key == "confidence_level"}
        return Chosen(AGREEMENT[self.method.facts["plain"] or self.method.name], kept)

    @property
    def call(self) -> Call:
        """The call of this coefficient alone."""
        usual = self.usual
        told = {key: value for key, value in self.given.items() if value != usual[key]}
        return Call("agree", {"name": self.method.name, **told}, "ratings")

    def on(self, data: Ratings, progress: Progress = None) -> Coefficient:
        """Compute it, without the test of agreement by chance."""
        self._refuse_too_many(data)
        result: Coefficient = self.method.function(data, **self.given, progress=progress)
        return result

    def value_on(self, data: Ratings) -> float:
        """Compute its value alone, whatever the interval that was asked for."""
        self._refuse_too_many(data)
        return float(self.method.function(data, **own_and_shared(self.given)[0]).value)

    def tested_on(self, data: Ratings, seed: int, progress: Progress = None) -> Coefficient:
        """Compute it, and test it against its own model of chance."""
        self._refuse_too_many(data)
        own, shared = own_and_shared(self.given)
        halves = HALVES[self.method.name]
        measured = halves.measure(data, **own)
        found = halves.finish(measured, **shared, progress=progress)
        return with_chance_test(partial(halves.measure, **own), measured, self.method.facts["chance"], found, seed)

    def _refuse_too_many(self, data: Ratings) -> None:
        """Refuse three annotators where it takes two."""
        if self.method.facts["needs"] == "two annotators" and len(data.annotators) > 2:
            raise MethodError(
                f"{self.method.name} is for two annotators, and there are {len(data.annotators):,}.",
                fix=Fix(
                    "use conger_kappa, fleiss_kappa or krippendorff_alpha for all of them, or choose two: ",
                    By("annotators=('A', 'B')", "--annotators A,B", "Annotators"),
                    ".",
                ),
            )

    def estimate(self, found: Coefficient, rules: str, signed: str) -> Estimate:
        """Give what was computed as an estimate, with the word of these rules."""
        return Estimate(
            self.method.name,
            found.value,
            found.interval,
            found.standard_error,
            word_for(found.value, rules),
            "" if rules == "none" else rules,
            found.notes,
            signed,
            call=self.call,
        )

    def signature(self, data: Ratings, found: Coefficient, named: Mapping[str, Sequence[Any]]) -> str:
        """Give its signature; `named` are the annotators and categories that were named."""
        usual = self.usual
        draws = {key: self.options[key] for key in ("n_resamples", "seed")}
        tested = found.test is not None and "seed" in dict(found.test.facts) and self.given.get("seed", 0)
        told = {key: value for key, value in self.given.items() if key not in draws and value != usual[key]}
        names = {key: ",".join(map(str, those)).replace("|", "/") for key, those in named.items()}
        size = {"items": found.items, "raters": len(data.annotators), "labels": len(data.categories)}
        last = draws if self.options["interval"] == "bootstrap" else {"seed": draws["seed"]} if tested else {}
        return signature("agreement", self.method.name, told, names, size, last)

    def item_disagreement(self, data: Ratings, t: Tally) -> FloatArray | None:
        """Give each item's disagreement where labels lie closer or further apart; None where they only differ."""
        if self.weighted:
            return 1 - t.agreement(agreement_weights(data, self.weights, self.method.name))
        return None if self.scale in ("", "nominal") else item_distances(t, data, self.scale)


def chosen_coefficients(names: Sequence[str], options: Mapping[str, Any]) -> tuple[Chosen, list[Chosen]]:
    """Give the first coefficient and those to stand beside it, each once and with the options it takes."""
    first, *others = (_named(name) for name in names)
    rest = list({other.name: other for other in others if other.name != first.name}.values())
    known = {option for one in (first, *rest) for option in one.option_names()}
    for option in options:
        if option not in known:
            raise MethodError(
                f"{' and '.join(one.name for one in (first, *rest))} has no option {option!r}.",
                fix=f"{did_you_mean(option, known)}options: {listing(sorted(known), 20)}.",
            )
    given = first.check_options({key: value for key, value in options.items() if key in first.option_names()})
    if "confidence_level" in given:
        check_level(given["confidence_level"], "confidence_level")
    return Chosen(first, given), [Chosen(other, _fitting(other, options)) for other in rest]


def _named(name: str) -> Method:
    """Find a coefficient, or say which there are."""
    if str(name).casefold() == "kappa":
        raise InputError(
            "there are several kappas, and 'kappa' names none of them.",
            fix="for two annotators did you mean 'cohen_kappa'? For more take 'conger_kappa' or 'fleiss_kappa'.",
        )
    if name not in AGREEMENT:
        raise unknown("coefficient of agreement", str(name), AGREEMENT.names())
    return AGREEMENT[name]


def _fitting(method: Method, options: Mapping[str, Any]) -> dict[str, Any]:
    """Give a further coefficient the options it knows, and leave out values it does not know."""
    known = {option.name: option for option in method.options}
    fitting = {
        key: value
        for key, value in options.items()
        if key in known and (not known[key].choices or value in known[key].choices)
    }
    return method.check_options(fitting)
