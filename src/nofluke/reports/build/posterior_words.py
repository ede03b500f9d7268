"""A Posterior in words and short figures, for its own report and for that of a comparison."""

from __future__ import annotations

from nofluke.inference.bayes.words import probability
from nofluke.types import Posterior

_SIGNS = {"more than ": ">", "less than ": "<"}


def limits(rope: tuple[float, float]) -> str:
    """Both ends of the region of practical equivalence."""
    return f"{rope[0]:g} to {rope[1]:g}"


def how_drawn(result: Posterior) -> str:
    """How the probabilities were obtained, to follow the prior."""
    return f"; {result.draws:,} draws, seed {result.seed}" if result.draws else "; computed without random draws"


def probabilities(result: Posterior) -> str:
    """All probabilities in one line: A better, within the region if there is one, B better."""
    a, b = result.systems
    parts = [f"P({a} better) {equal_to(result.p_better, result.draws)}"]
    if result.rope is not None:
        parts.append(f"P(within {limits(result.rope)}) {equal_to(result.p_equal, result.draws)}")
    parts.append(f"P({b} better) {equal_to(result.p_worse, result.draws)}")
    return ", ".join(parts)


def equal_to(p: float, draws: int) -> str:
    """Give "= 0.93", "> 0.999" or "< 0.001"."""
    text = probability(p, draws)
    for word, sign in _SIGNS.items():
        if text.startswith(word):
            return f"{sign} {text.removeprefix(word)}"
    return f"= {text}"


def long_answer(result: Posterior) -> str:
    """The whole answer for a paper: model, n, prior, probabilities, and how they were computed."""
    if not result.known:
        return result.headline
    drawn = (
        f"It was computed from {result.draws:,} random draws (seed {result.seed}; Monte Carlo standard error at most "
        f"{result.error:.1g})."
        if result.draws
        else "It was computed without random draws."
    )
    model = f"{result.label}, n = {result.n:,}; prior: {result.prior}"
    return f"By a Bayesian analysis ({model}), {probabilities(result)}. {drawn}"
