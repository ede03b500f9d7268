"""Systems whose truth is known: teams that share what they get right, and systems of one spread."""

from __future__ import annotations

import numpy as np

TEAMS = ("oak", "elm", "ash", "fir")


def teams(n: int = 300, each: int = 5, seed: int = 1) -> dict[str, np.ndarray]:
    """Systems of a team share most of what they get right."""
    rng = np.random.default_rng(seed)
    difficulty, made = rng.normal(size=n), {}
    for team in TEAMS:
        shared = rng.normal(size=n)
        for number in range(each):
            own, ability = rng.normal(size=n), rng.normal(0, 0.12)
            made[f"{team}-{number}"] = np.round(ability + difficulty + 0.8 * shared + 0.3 * own, 2)
    return made


def team_of(names: dict[str, np.ndarray]) -> dict[str, str]:
    """Say which team a system is of."""
    return {name: name.partition("-")[0] for name in names}


def graded(n: int = 1600, spread: float = 1.0, seed: int = 1, number: int = 14) -> dict[str, np.ndarray]:
    """Systems that differ a little in ability, with luck of one spread."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=n)
    return {f"s{i}": np.round(0.01 * i + difficulty + spread * rng.normal(size=n), 3) for i in range(number)}
