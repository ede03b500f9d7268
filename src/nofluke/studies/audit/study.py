"""Does a test keep its promise on data like these? Test sets are drawn from items whose true difference is 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from nofluke.align import as_sample, cluster_totals
from nofluke.errors import InputError, unknown
from nofluke.inference.power.curves.choose import has_rule, inner_of
from nofluke.inference.power.curves.draws import Alias, drawn_counts
from nofluke.inference.power.curves.inner import Setting
from nofluke.inference.power.curves.pilot import pilot_of
from nofluke.registry import TESTS, Method
from nofluke.studies.audit.material import FORMS, form_for, recentred
from nofluke.studies.audit.tables import Audited, curve_of, table_of
from nofluke.studies.audit.words import captions, headline, notes, sentences
from nofluke.studies.block_p_values import block_p_values
from nofluke.studies.recording import check_count, check_number, signature_of
from nofluke.types import FloatArray, Sample, Study
from nofluke.verbs.recommend import preferred

Progress = Callable[[int, int], None] | None
Form = Literal["auto", "recentred", "reweighted"]


def audit(
    a: Any,
    b: Any = None,
    methods: str | Sequence[str] = "auto",
    *,
    alpha: float = 0.05,
    size: int | None = None,
    iterations: int = 4_000,
    form: Form = "auto",
    test_form: str | None = None,
    seed: int = 0,
    missing: Literal["refuse", "drop"] = "refuse",
    progress: Progress = None,
    **options: Any,
) -> Study:
    """Does this test keep its promise on data like these, when A and B do not differ?

    Takes two sequences or one Sample. The differences are moved so that their mean is 0 (form "recentred"), and test
    sets of `size` items (default: as many as there are) are drawn from them with replacement, whole clusters where
    there are clusters. A test that keeps its promise is significant in at most alpha of them; both tails are counted
    apart, because a skewed metric breaks them in opposite ways. 0/1 scores, corpus metrics and scores with many ties
    would not survive the move: there the items are reweighted until both systems score the same ("reweighted").
    `methods` are names of tests; "auto" is the recommended one. Further options belong to the tests; what a test itself
    calls form (bootstrap, permutation) is `test_form` here.

    >>> study = audit([3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8], "paired_t", iterations=500)
    >>> study.tables["significant"]["promised"]
    (0.05, 0.025, 0.025)
    """
    if isinstance(a, Sample) and b is not None:
        b, methods = None, b
    sample = as_sample(a, b, missing=missing)
    names = (methods,) if isinstance(methods, str) else tuple(methods)
    chosen = [TESTS[preferred(sample) if name == "auto" else name] for name in names]
    check_number(alpha, "alpha", 1e-6, 0.5)
    check_count(iterations, "iterations", 100, 10_000_000)
    if form not in FORMS:
        raise unknown("form", str(form), FORMS)
    how = form_for(sample, chosen, form)
    options = options if test_form is None else {**options, "form": test_form}
    own = [_own_options(method, options, chosen) for method in chosen]
    material = recentred(sample) if how == "recentred" else sample
    units = len(cluster_totals(np.zeros(sample.n, np.int64), sample.clusters)[0])
    size = check_count(units if size is None else size, "size", 2, 10_000_000)
    done: list[Audited] = []
    for index, method in enumerate(chosen):
        done.append(
            _audited(material, method, own[index], how, alpha, size, iterations, seed, _part(progress, index, chosen))
        )
    settings = {
        "methods": tuple(method.name for method in chosen),
        **{"test_form" if name == "form" else name: value for name, value in options.items()},
        "form": how,
        "alpha": alpha,
        "size": size,
        "iterations": iterations,
        "seed": seed,
        "n": sample.n,
        "clusters": units if sample.clusters is not None else None,
    }
    table = table_of(done, alpha)
    unit = "clusters" if sample.clusters is not None else "units" if sample.unit_size > 1 else "items"
    return Study(
        name="audit",
        title="Does the test keep its promise on data like these?",
        question="How often is the test significant on data like these, when A and B do not differ?",
        settings={key: value for key, value in settings.items() if value is not None},
        tables={"significant": table},
        series={"p-values": curve_of(done)},
        charts=("audit",),
        headline=headline(done, table, alpha, unit, size),
        sentences=sentences(done, table, sample, how, unit, units, size, iterations),
        notes=notes(done, sample, how),
        citations=tuple(dict.fromkeys(method.cite for method in chosen)),
        signature=signature_of("audit", settings),
        captions=captions(alpha, size, unit, iterations),
    )


def _part(progress: Progress, index: int, chosen: Sequence[Method]) -> Progress:
    if progress is None:
        return None
    return lambda done, total: progress(index * total + done, len(chosen) * total)


def _own_options(method: Method, options: dict[str, Any], chosen: Sequence[Method]) -> dict[str, Any]:
    """Give a test the options that it knows; an option that none of the tests knows is refused."""
    for name in options:
        if not any(name in other.option_names() for other in chosen):
            method.check_options({name: options[name]})
    return method.check_options({name: value for name, value in options.items() if name in method.option_names()})


def _audited(
    sample: Sample,
    method: Method,
    options: dict[str, Any],
    how: str,
    alpha: float,
    size: int,
    iterations: int,
    seed: int,
    progress: Progress,
) -> Audited:
    # Half of alpha is the tail in which a two-sided test becomes significant: there tails are most precise.
    setting = Setting("greater", alpha / 2, 0.0, options)
    pilot = pilot_of(sample, grouped=has_rule(sample, method, setting))
    if not pilot.varies:
        raise InputError("A and B do not differ on any item, so there is nothing to draw.", fix="give other systems.")
    weights = pilot.equal_weights if how == "recentred" else pilot.weights_for(0.0)
    sides = [inner_of(pilot, method, replace(setting, alternative=side), seed) for side in ("greater", "less")]
    found: list[list[FloatArray]] = [[], []]
    done = 0
    for counts in drawn_counts(Alias(weights), size, iterations, seed):
        for part, inner in zip(found, sides, strict=True):
            p = block_p_values(inner, counts, pilot, method, options)
            # Without a p-value nothing is claimed.
            part.append(np.where(np.isnan(p), 1.0, p))
        done += len(counts)
        if progress is not None:
            progress(done, iterations)
    return Audited(method, np.concatenate(found[0]), np.concatenate(found[1]))
