"""Every option of every command, given a value, changes the answer or is refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from nofluke.cli.main import build
from nofluke.registry import REGISTRIES
from support.command_line import nofluke

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
TRANSLATION = str(EXAMPLES / "translation.csv")
DOMAINS = str(EXAMPLES / "domains.csv")

RUNS = {
    "compare": ("compare", [TRANSLATION]),
    "test": ("test", [TRANSLATION]),
    "test of counts": ("test", ["--counts", "40,12,5,43"]),
    "rank": ("rank", [str(EXAMPLES / "leaderboard.csv")]),
    "replicate scores": ("replicate", [DOMAINS]),
    "replicate an example": ("replicate", ["--example", "pos-tagging"]),
    "replicate a table": ("replicate", [str(EXAMPLES / "published.txt"), "--sided", "two"]),
    "correct": ("correct", ["0.01", "0.02", "0.5"]),
    "power plan": ("power plan", ["--difference", "0.1", "--sd", "1"]),
    "power of n": ("power plan", ["--difference", "0.1", "--sd", "1", "--n", "50"]),
    "power plan of shares": ("power plan", ["--p10", "0.2", "--p01", "0.1"]),
    "power detect": ("power detect", [TRANSLATION]),
    "power detect of numbers": ("power detect", ["--n", "100", "--sd", "1"]),
    "power curve": ("power curve", [TRANSLATION, *["--difference", "0.05", "--sizes", "50,100", "--iterations", "20"]]),
    "agree": ("agree", [str(EXAMPLES / "sentiment.csv")]),
}

# A value for each option that is not its default and, where that can be, means something for the files above.
# A method's own option needs none where any of its type will do.
VALUES: dict[str, Any] = {
    "a": "baseline", "b": "new", "input_format": "csv", "columns": "ignore=segment", "dataset": "unheard-of",
    "metric": "accuracy", "gold": TRANSLATION, "metric_option": "tokenize=none", "formula": "new", "run": "1",
    "higher_is_better": False, "clusters": True, "missing": "drop", "unit": 2, "unit_statistic": "median",
    "shuffle_seed": 3, "runs": "crossed", "over": "datasets", "joint": True, "against": 0.5,
    "method": "paired_t", "alternative": "less", "alpha": 0.2, "margin": 0.3, "low": 0, "high": 1,
    "require": "better", "rules": "zhu2020", "delta": 0.01, "seed": 5, "normality_alpha": 0.2, "bayes": True,
    "rope": "0.1", "confidence_level": 0.5, "counts": "40,12,5,43", "adjust": "bonferroni", "family": "pairs",
    "baseline": "ember", "exact": "all", "n_resamples": 99, "dependence": "positive", "sided": "two", "subset": "news",
    "fdr": True, "printed": 2, "example": "sentiment", "form": "shift", "recentre": "bootstrap_mean",
    "systems": "ember,atlas",
    "two_sided": "absolute", "resample_size": 100, "monte_carlo": 99, "continuity": True, "rho": 0.1, "mode": "normal",
    "snap": False, "stop": "besag", "stop_alpha": 0.01, "tie_width": 0.1, "zeros": "pratt", "power": 0.9, "tests": 3,
    "test": "wilcoxon", "difference": "0.2", "sd": "2", "sd_b": "2", "n": "60", "design_effect": 2, "each": "sign",
    "datasets": 3, "claim": 2, "accuracy_a": ".8", "accuracy_b": ".7", "disagreement": ".2", "p10": ".3", "p01": ".2",
    "prob_a_better": ".7", "sizes": "60", "up_to": 100, "iterations": 30, "test_form": "raw",
    "coefficient": "cohen_kappa", "layout": "long", "annotators": "ann,bob",
    "categories": "negative,neutral,positive,none", "level": "ordinal", "weights": "linear", "interval": "bootstrap",
    "limits": "delta", "n_runs": 4, "run_sd": "0.05", "answer_sd": "0.1",
    "on_error": "zero", "on_unscored": "zero", "missing_runs": "drop", "logs": "all", "system_by": "model",
    "match_by": "content", "reduce": "max",
    "width": 0.1, "disputed": 3, "cutoff": 0.3, "null_share": 0.5, "finite_sample": True,
}  # fmt: skip

# What an option does where its use cannot be seen in the result.
SEEN_ELSEWHERE = {
    "format": "the form of the answer",
    "output": "where the answer goes",
    "chart": "a picture beside the answer",
    "quiet": "what stands on stderr",
    "details": "how much of the answer is printed as text",
    "plain": "with which characters the answer is printed as text",
    "config": "options from a file",
    "save_config": "options to a file",
    "pairs": "a table beside the answer",
    "require": "the exit code",
    "seed": "a promise for whatever is drawn, also for nothing",
    "missing": "a rule for missing scores, also for none",
    "printed": "a rule for p-values printed as 0, also for none",
    "input_format": "the same as was recognised",
    "exact": "the few pairs of the example are computed exactly anyway",
    "workers": "who computes the answer, which is the same",
    "cluster": "who computes the answer, which is the same",
    "memory": "where the rows lie, which changes no answer",
}
# The answer to these does not depend on an option that is used all the same.
SAME_ANSWER = {
    ("power detect", "a"): "what could be found is the same for both directions",
    ("power detect", "b"): "what could be found is the same for both directions",
    ("power detect", "higher_is_better"): "what could be found is the same for both directions",
    ("power detect", "columns"): "items are matched by row as well",
    ("power curve", "columns"): "items are matched by row as well",
    ("test", "columns"): "items are matched by row as well",
}


def _value(name: str) -> Any:
    """The value named above, else one that a method's own option of that name may have and does not have by default."""
    if name in VALUES:
        return VALUES[name]
    own = next(
        (o for registry in REGISTRIES.values() for method in registry for o in method.options if o.name == name), None
    )
    assert own is not None, f"give --{name.replace('_', '-')} a value in VALUES of this file"
    if own.type is bool:
        return not own.default
    if own.choices:
        return next(choice for choice in own.choices if choice != own.default)
    assert own.type in (int, float), f"give --{own.flag} a value in VALUES of this file"
    return (own.default or 0) + 1


def _parameters(command: str) -> list[Any]:
    words = command.split()
    found: Any = typer.main.get_command(build(words))
    for word in words:
        found = found.commands[word]
    return [parameter for parameter in found.params if parameter.param_type_name == "option"]


def _without_call(text: str) -> Any:
    """The answer without how it was asked for."""
    if isinstance(value := json.loads(text), dict):
        return _stripped(value)
    return value


def _stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _stripped(v) for k, v in value.items() if k not in ("command", "run", "signature", "provenance")}
    return [_stripped(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", RUNS)
def test_an_option_is_used_or_refused(name: str) -> None:
    command, arguments = RUNS[name]
    words = [*command.split(), *arguments, "--format", "json", "-q"]
    plain = nofluke(*words)
    assert plain.code == 0, plain.err
    silent = []
    for option in _parameters(command):
        flag = max(option.opts, key=len)
        if option.name in SEEN_ELSEWHERE or (command, option.name) in SAME_ANSWER or flag in arguments:
            continue
        value = _value(option.name)
        off = max(option.secondary_opts or [flag], key=len)
        given = [flag if value else off] if option.is_flag else [flag, str(value)]
        run = nofluke(*words, *given)
        assert run.code in (0, 2), run.err
        if run.code == 0 and _without_call(run.out) == _without_call(plain.out):
            silent.append(" ".join(given))
    assert not silent


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", TRANSLATION, "--alpha", "0.05", "--alpha=0.01"], "--alpha 0.05 and --alpha 0.01"),
        (["compare", TRANSLATION, "--clusters", "--no-clusters"], "--clusters and --no-clusters"),
        (["power", "plan", "--sd", "1", "--sd", "2", "--difference", "1"], "--sd 1 and --sd 2"),
        (["rank", TRANSLATION, "-o", "x", "--output", "y"], "-o x and --output y"),
    ],
)
def test_one_value_cannot_be_two(arguments: list[str], said: str) -> None:
    run = nofluke(*arguments)
    assert run.code == 2
    assert said in run.err


@pytest.mark.parametrize("ending", [".pdf", ".PNG", ".docx", ".xlsx"])
def test_no_answer_is_written_as_what_it_is_not(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"x{ending}"
    run = nofluke("compare", TRANSLATION, "-o", str(file))
    assert run.code == 2
    assert f"no answer is written as {ending.lower()}." in " ".join(run.err.split())
    assert not file.exists()
    # Who names the format means it.
    assert nofluke("compare", TRANSLATION, "-o", str(file), "--format", "text").code == 0
    assert file.exists()


@pytest.mark.parametrize("name", ["compare", "rank", "replicate an example", "correct", "power plan", "agree"])
def test_all_and_the_least_cannot_both_be_printed(name: str) -> None:
    command, arguments = RUNS[name]
    run = nofluke(*command.split(), *arguments, "--details", "-q")
    assert run.code == 2
    assert "--details says all, and --quiet the least." in run.err
    assert run.out == ""
    # Formats for machines hold all there is; -q then is about stderr.
    assert nofluke(*command.split(), *arguments, "--details", "-q", "--format", "json").code == 0


def test_the_same_switch_twice_is_no_contradiction() -> None:
    assert nofluke("compare", TRANSLATION, "-q", "-q").code == 0


def test_an_option_of_a_file_counts_as_given(tmp_path: Path) -> None:
    settings = tmp_path / "run.toml"
    settings.write_text("shuffle_seed = 3\n")
    run = nofluke("compare", TRANSLATION, "--config", str(settings))
    assert run.code == 2
    assert "--shuffle-seed would change nothing here: every unit is a single item." in run.err
    assert "give --unit N as well" in run.err
