"""nf.bayes: what it takes, which model it chooses, what it says and what it refuses; and compare(bayes=True)."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.bayes.region import as_region
from nofluke.types import Posterior, note
from nofluke.words.comparison import verdict_text
from nofluke.words.posterior import headline, probability
from support.command_line import nofluke
from support.quantities.bayes import posterior, three

A, B = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3], [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1]
RIGHT_A, RIGHT_B = [1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0, 1, 1]


class TestChoosing:
    @pytest.mark.parametrize(
        ("given", "method"),
        [
            ((RIGHT_A, RIGHT_B), "dirichlet"),
            (([True, False], [False, False]), "dirichlet"),
            ((A, B), "correlated_t"),
            ((as_sample(RIGHT_A, RIGHT_B, clusters=list("aabbccdd")),), "correlated_t"),
            (({"x": (A, B), "y": (B, A)},), "hierarchical"),
            (({"x": (A[:1], B[:1]), "y": (A[1:2], B[1:2])},), "signed_rank"),
            (({"x": (RIGHT_A, RIGHT_B)},), "dirichlet"),
            ((as_sample(RIGHT_A, RIGHT_B[:3], paired=False),), "beta_binomial"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_the_model_follows_the_kind_of_data(self, given: tuple[Any, ...], method: str) -> None:
        options = {"form": "unpaired"} if method == "beta_binomial" else {}
        assert posterior(*given, **options).method == method

    def test_a_method_may_follow_a_sample(self) -> None:
        assert posterior(as_sample(A, B), "sign").method == "sign"
        assert posterior({"x": (A, B), "y": (B, A)}, "sign").method == "sign"

    def test_scores_with_datasets(self, tmp_path: Path) -> None:
        path = tmp_path / "scores.csv"
        lines = ["dataset,item,system,score"]
        for shift, dataset in enumerate(("news", "web", "law")):
            for i, (a, b) in enumerate(zip(A, B, strict=True)):
                lines += [f"{dataset},{i},new,{a + shift / 10:.2f}", f"{dataset},{i},old,{b:.2f}"]
        path.write_text("\n".join(lines) + "\n")
        scores = nf.read(path)
        found = posterior(scores, rope=0.02)
        assert found.method == "hierarchical"
        assert [part.dataset for part in found.datasets] == ["news", "web", "law"]
        assert found.systems == ("new", "old")
        turned = posterior(scores, rope=0.02, systems=("old", "new"))
        assert three(found) == pytest.approx(three(turned)[::-1], abs=1e-9)
        by_rank = posterior(scores, method="signed_rank", draws=1_000)
        assert by_rank.n == 3
        assert by_rank.p_better > 0.9

    def test_lower_is_better_turns_everything(self) -> None:
        one = posterior(as_sample(A, B, higher_is_better=False), rope=0.05)
        assert three(one) == pytest.approx(three(posterior(B, A, rope=0.05)), abs=1e-12)
        right = posterior(as_sample(RIGHT_A, RIGHT_B, higher_is_better=False))
        assert right.p_better == pytest.approx(posterior(RIGHT_B, RIGHT_A).p_better, abs=1e-12)


class TestRegion:
    def test_read_in_many_ways(self) -> None:
        same = [
            posterior(A, B, rope=rope) for rope in (0.05, (-0.05, 0.05), "0.05", "-0.05, 0.05", np.array([-0.05, 0.05]))
        ]
        assert all(three(one) == three(same[0]) for one in same)
        assert same[0].rope == (-0.05, 0.05)
        assert as_region((0.4, 0.6), 0.5) == (0.4, 0.6)

    @pytest.mark.parametrize("rope", [-1, (0.1, 0.2), (1, 2, 3), "x", "", math.nan, True, ("a", 1), math.inf])
    def test_nonsense_is_refused(self, rope: Any) -> None:
        with pytest.raises(nf.InputError, match="rope"):
            nf.bayes(A, B, rope=rope)

    def test_none_is_unknown_with_a_note_and_no_width_is_0(self) -> None:
        none, point = posterior(A, B), posterior(A, B, rope=0)
        assert math.isnan(none.p_equal)
        assert none.notes[-1].code == "bayes.no_region"
        assert "bayes.no_region" not in [one.code for one in point.notes]
        assert point.p_equal == 0
        assert point.p_better == none.p_better

    def test_a_difference_on_the_limit_is_inside_whatever_binary_says(self) -> None:
        # 0.8 - 0.7 and 0.3 - 0.2 differ in the last bit; both are 0.1.
        found = posterior([0.8, 0.3, 0.9], [0.7, 0.2, 0.1], "sign", rope=0.1)
        assert str(found.notes[0]) == "A is better on 1 dataset, B on 0; 2 within the region."

    def test_bayes_factor_has_none(self) -> None:
        with pytest.raises(nf.MethodError, match="exact equality"):
            nf.bayes(A, B, "bayes_factor", rope=0.1)


class TestDegenerate:
    def test_identical_systems(self) -> None:
        for method in ("dirichlet", "beta_binomial", "sign", "signed_rank"):
            found = posterior(RIGHT_A, RIGHT_A, method)
            assert (found.p_better, found.p_worse) == pytest.approx((0.5, 0.5), abs=1e-12)
        assert three(posterior(A, A)) == pytest.approx([0.5, math.nan, 0.5], nan_ok=True)
        assert posterior(A, A).notes[0].code == "bayes.all_tied"
        near = posterior(RIGHT_A * 100, RIGHT_A * 100, rope=0.02)
        assert near.p_equal > 0.99
        silent = posterior(A, A, rope=0.1)
        assert not silent.known
        assert "tie on all 9 items" in headline(silent)

    def test_constant_differences(self) -> None:
        silent = posterior([0.5, 0.6], [0.4, 0.5])
        assert not silent.known
        assert math.isnan(silent.p_worse)
        assert "beta_binomial" in str(silent.notes[0])

    def test_one_item(self) -> None:
        assert "at least 2" in headline(posterior([0.5], [0.4]))
        for method in ("sign", "signed_rank", "beta_binomial", "dirichlet"):
            assert 0.6 < posterior([1], [0], method).p_better < 0.9

    def test_a_unanimous_vote_of_few_datasets_is_not_certainty(self) -> None:
        a, b = [0.6, 0.7, 0.8, 0.9], [0.5, 0.5, 0.5, 0.5]
        for method in ("sign", "signed_rank"):
            found = posterior(a, b, method)
            assert 0.9 < found.p_better < 1
            assert "prior_place='worse'" in " ".join(map(str, found.notes))

    def test_datasets_without_spread_borrow_it(self) -> None:
        found = posterior({"x": (A, B), "y": ([0.5, 0.6], [0.4, 0.5]), "z": (B, A)})
        assert note("bayes.borrowed", datasets=("y",)) in found.notes
        with pytest.raises(nf.MethodError, match="no dataset shows any spread"):
            nf.bayes({"x": ([1.5, 2], [1, 1.5]), "y": ([1, 1], [1, 1])})


class TestRefusals:
    @pytest.mark.parametrize(
        ("given", "options", "match"),
        [
            ((A, B, "dirichlet"), {}, "needs scores of 0 and 1"),
            ((A, B, "dirichlets"), {}, "did you mean 'dirichlet'"),
            ((A, B), {"draws": 10}, "has no option"),
            ((A, B, "correlated_t"), {"rho": 1.0}, "rho"),
            ((A, B, "sign"), {"prior_strength": 0.0}, "prior_strength"),
            ((RIGHT_A, RIGHT_B), {"prior": 0.0}, "prior"),
            ((A, B, "signed_rank"), {"draws": 5}, "too few"),
            ((A, B, "hierarchical"), {}, "several datasets"),
            (({"x": (A, B), "y": (B, A)}, None, "correlated_t"), {}, "is for one dataset"),
            (({"x": A},), {}, "does not hold two systems"),
            (({},), {}, "no dataset"),
            ((as_sample(RIGHT_A, RIGHT_B, clusters=list("aabbccdd")), None, "dirichlet"), {}, "come in clusters"),
            ((A, B), {"confidence_level": 1.5}, "confidence_level"),
            ((A, B), {"systems": ("x", "y")}, "choose from a table"),
            ((A, B[:-1]), {}, "paired scores"),
        ],
    )
    def test_say_what_is_wrong_and_what_to_do(
        self, given: tuple[Any, ...], options: dict[str, Any], match: str
    ) -> None:
        with pytest.raises((nf.InputError, nf.MethodError), match=re.escape(match)) as caught:
            nf.bayes(*given, **options)
        assert caught.value.fix


class TestWords:
    def test_probabilities_are_never_0_or_1(self) -> None:
        assert probability(0.0) == "< 0.000001"
        assert probability(1.0) == "> 0.999999"
        assert probability(1.0, 1_000) == "> 0.990"
        assert probability(0.9996) == "0.9996"
        assert probability(0.00012) == "0.00012"
        assert probability(math.nan) == "unknown"

    def test_the_headline_can_be_read_aloud(self) -> None:
        assert headline(posterior(RIGHT_A, RIGHT_B)) == "P(A better) = 0.985, P(B better) = 0.015."
        assert headline(posterior(RIGHT_A, RIGHT_B, rope=0.05)) == (
            "P(A better) = 0.974, P(practically equivalent) = 0.017, P(B better) = 0.009."
        )
        assert headline(posterior(RIGHT_A, RIGHT_B, "beta_binomial")).endswith("nothing about the mean score.")

    def test_every_answer_states_prior_and_computation(self) -> None:
        for method in ("dirichlet", "beta_binomial", "sign", "signed_rank", "correlated_t"):
            found = posterior(RIGHT_A, RIGHT_B, method, rope=0.1)
            text = " ".join(str(found).split())
            assert str(found.prior)[1:] in text
            assert "random draws" in text
            assert "given the prior, not p-values" in text
            assert "from -0.1 to 0.1" in text or "wins 0.4 to 0.6 of the decided items" in text
            assert found.signature.startswith(f"nofluke:{nf.__version__}|bayes:{method}|")
            assert "significant" not in text

    def test_the_signature_says_how_to_get_it_again(self) -> None:
        found = posterior(A, B, "signed_rank", rope=(-0.1, 0.05), prior_strength=2, seed=4, draws=500)
        assert found.signature.endswith("|prior_strength:2.0|draws:500|rope:-0.1,0.05|n:9|seed:4")

    def test_json_safe(self) -> None:
        assert json.loads(json.dumps(posterior(A, B).to_dict()))["p_equal"] is None


class TestCompare:
    def test_adds_a_posterior_only_when_asked(self) -> None:
        plain, both = nf.compare(A, B), nf.compare(A, B, bayes=True, rope=0.02, alpha=0.1)
        assert plain.posterior is None
        assert isinstance(both.posterior, Posterior)
        assert both.posterior.rope == (-0.02, 0.02)
        assert both.posterior.interval is not None
        assert both.posterior.interval.level == pytest.approx(0.9)
        assert verdict_text(both) == verdict_text(nf.compare(A, B, alpha=0.1))

    def test_a_region_without_the_posterior_is_refused(self) -> None:
        with pytest.raises(nf.InputError, match="region of practical equivalence"):
            nf.compare(A, B, rope=0.1)

    @pytest.mark.parametrize("form", ["text", "markdown", "json", "csv", "latex"])
    def test_command_line(self, tmp_path: Path, form: str) -> None:
        path = tmp_path / "scores.csv"
        path.write_text("new,old\n" + "".join(f"{a},{b}\n" for a, b in zip(A, B, strict=True)))
        run = nofluke("compare", str(path), "--bayes", "--rope", "-0.02,0.05", "--format", form, "--details")
        assert run.code == 0, run.err
        found = posterior(A, B, rope=(-0.02, 0.05))
        if form == "json":
            assert json.loads(run.out)["posterior"]["p_better"] == pytest.approx(found.p_better)
        elif form == "csv":
            assert f"{found.p_better!r}" in run.out
        elif form != "latex":
            assert "The Bayesian answer" in run.out
            assert f"{found.p_better:.3f}" in run.out

    def test_a_bad_region_is_one_message(self, tmp_path: Path) -> None:
        path = tmp_path / "scores.csv"
        path.write_text("new,old\n" + "".join(f"{a},{b}\n" for a, b in zip(A, B, strict=True)))
        run = nofluke("compare", str(path), "--bayes", "--rope", "small")
        assert run.code == 2
        assert "rope" in run.err
        assert "fix:" in run.err
