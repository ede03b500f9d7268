"""nofluke power plan, curve and detect, as typed."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.reports.build import build
from nofluke.reports.plain import parsed
from support.command_line import nofluke


def load_text(text: str) -> Any:
    return parsed(text, "test")[0]


@pytest.fixture
def pilot(tmp_path: Path) -> Path:
    path = tmp_path / "pilot.csv"
    rows = [f"q{i},{(i * 7 % 13) / 10},{(i * 5 % 11) / 10}" for i in range(60)]
    path.write_text("item,new,old\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_the_group_says_what_its_commands_answer() -> None:
    run = nofluke("power", "--help")
    assert run.code == 0
    for part in ("plan", "curve", "detect", "How many items are needed (or, with --n, how often is it found)?"):
        assert part in run.out
    assert "--disagreement" in nofluke("power", "plan", "--help").out


def test_plan_gives_items() -> None:
    run = nofluke("power", "plan", "--difference", "0.2", "--sd", "1", "--power", "0.9", "--format", "json")
    result = json.loads(run.out)
    assert result["type"] == "PowerPlan"
    assert result["n"] == 265
    text = nofluke("power", "plan", "--accuracy-a", "0.9", "--accuracy-b", "0.88", "--disagreement", "0.1").out
    assert text.startswith("2,043 items reveal a true gap of 0.02 in accuracy in 8 of 10 test sets")
    asked = ("--accuracy-a", "0.9", "--accuracy-b", "0.88", "--disagreement", "0.1", "--details")
    assert "What this rests on" in nofluke("power", "plan", *asked).out


def test_plan_with_a_number_of_items_gives_power() -> None:
    run = nofluke("power", "plan", "--test", "sign", "--prob-a-better", "0.7", "--n", "20", "--format", "json")
    assert json.loads(run.out)["power"] == pytest.approx(0.416413769469435, rel=1e-9)
    several = nofluke("power", "plan", "--test", "replicate", "--datasets", "3", "--claim", "2", "--n", "100,150,200",
                      "--difference", "0.2,0.2,0.1", "--sd", "1", "--format", "json")  # fmt: skip
    expected = nf.power("replicate", n=[100, 150, 200], datasets=3, claim=2, difference=[0.2, 0.2, 0.1], sd=1.0)
    assert json.loads(several.out)["power"] == expected


def test_plan_with_margin_tests_and_clusters() -> None:
    run = nofluke("power", "plan", "--sd", "0.2", "--margin", "0.01", "--tests", "5", "--design-effect", "2")
    assert run.code == 0
    assert "not worse than B by more than 0.01" in run.out.replace("\n", " ")
    assert "Each of 5 tests is planned at level 0.05 / 5 = 0.01 (Holm)." in run.out
    assert "2 clustered items carry the information of one independent item." in run.out


def test_curve_of_a_file(pilot: Path) -> None:
    run = nofluke("power", "curve", str(pilot), "--difference", "0.1", "--sizes", "100,300,600", "--seed", "3")
    assert run.code == 0, run.err
    assert "items reveal a true gap of 0.1 in 8 of 10 test sets" in run.out
    assert "95% band" in run.out
    again = nofluke("power", "curve", str(pilot), "--difference", "0.1", "--sizes", "100,300,600", "--seed", "3")
    assert again.out == run.out
    table = nofluke("power", "curve", str(pilot), "--difference", "0.1", "--sizes", "3", "--format", "csv", "-q")
    rows = list(csv.DictReader(io.StringIO(table.out)))
    assert len(rows) == 3
    assert {"n", "power", "low", "high"} <= set(rows[0])


def test_curve_without_and_with_the_observed_effect(pilot: Path) -> None:
    without = nofluke("power", "curve", str(pilot), "--sizes", "4").out
    assert "--difference X draws the curve" in without
    assert "upper end of the CI" in without
    observed = nofluke("power", "curve", str(pilot), "--difference", "observed", "--method", "wilcoxon", "--sizes", "4")
    assert "no evidence about these systems" in " ".join(observed.out.split())
    normal = nofluke("power", "curve", str(pilot), "--difference", "0.1", "--form", "normal", "--method", "paired_t",
                     "--details")  # fmt: skip
    assert "nothing was drawn" in normal.out
    form = nofluke("power", "curve", str(pilot), "--difference", "0.1", "--method", "bootstrap",
                   "--test-form", "percentile", "--sizes", "3", "--details")  # fmt: skip
    assert "form:percentile" in form.out.replace("\n", "").replace(" ", "")


def test_detect_in_a_file_and_from_numbers(pilot: Path) -> None:
    run = nofluke("power", "detect", str(pilot), "--format", "json")
    found = json.loads(run.out)
    compared = json.loads(nofluke("compare", str(pilot), "--format", "json").out)
    assert found["difference"] == pytest.approx(compared["detectable"]["difference"], rel=1e-9)
    assert found["threshold"] == pytest.approx(compared["detectable"]["threshold"], rel=1e-9)
    assert found["systems"] == ["new", "old"]
    assert "the observed difference plays no part" in " ".join(nofluke("power", "detect", str(pilot)).out.split())
    numbers = nofluke("power", "detect", "--n", "100", "--sd", "1", "--format", "json")
    assert json.loads(numbers.out)["difference"] == nf.detectable_effect(n=100, sd=1)
    welch = ["--test", "welch_t", "--n", "100", "--sd", "1", "--sd-b", "2", "--tests", "3", "--adjust", "bonferroni"]
    found = json.loads(nofluke("power", "detect", *welch, "--format", "json").out)
    assert found["difference"] == nf.detectable_effect("welch_t", n=100, sd=1, sd_b=2, tests=3, adjust="bonferroni")
    shares = nofluke("power", "detect", "--n", "500", "--disagreement", "0.1", "--format", "json")
    assert json.loads(shares.out)["test"] == "mcnemar"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plan", "--difference", "x", "--sd", "1"), "--difference 'x' is not a number."),
        (("plan", "--sd", "1"), "paired_t cannot be planned without difference."),
        (("curve",), "no file was given."),
        (("detect",), "what can be found depends on the number of items."),
        (("plan", "--difference", "1", "--sd", "1", "--test", "t"), "the power of the test 't' is not known"),
    ],
)
def test_mistakes_are_told(arguments: tuple[str, ...], message: str) -> None:
    run = nofluke("power", *arguments)
    assert run.code == 2
    assert message in run.err
    assert "fix:" in run.err


def test_a_file_and_numbers_do_not_go_together(pilot: Path) -> None:
    run = nofluke("power", "detect", str(pilot), "--n", "5")
    assert run.code == 2
    assert "both a file and numbers were given" in run.err
    sizes = nofluke("power", "curve", str(pilot), "--sizes", "many")
    assert "--sizes 'many' is not a whole number." in sizes.err


def test_a_run_is_saved_and_repeated(pilot: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run.toml"
    first = nofluke("power", "curve", str(pilot), "--difference", "0.1", "--sizes", "3", "--save-config", str(saved))
    second = nofluke("power", "curve", "--config", str(saved))
    assert second.code == 0, second.err
    assert second.out == first.out


def test_a_stored_curve_reads_again(pilot: Path, tmp_path: Path) -> None:
    stored = tmp_path / "curve.json"
    text = nofluke("power", "curve", str(pilot), "--difference", "0.1", "--sizes", "3", "--details").out
    nofluke("power", "curve", str(pilot), "--difference", "0.1", "--sizes", "3", "-o", str(stored))
    assert nofluke("report", str(stored)).out == text


@pytest.mark.parametrize(
    "asked",
    [
        ("plan", "--difference", "0.2", "--sd", "1", "--tests", "4"),
        ("plan", "--accuracy-a", "0.9", "--accuracy-b", "0.88", "--disagreement", "0.1", "--n", "400"),
        ("plan", "--test", "sign", "--prob-a-better", "0.7", "--n", "20"),
        ("plan", "--test", "replicate", "--datasets", "3", "--claim", "2", "--difference", "0.2,0.3,0.2", "--sd", "1"),
        ("detect", "--n", "100", "--sd", "1", "--alternative", "less"),
        ("detect", "--test", "sign", "--n", "100"),
        ("plan", "--sd", "0.2", "--margin", "0.01"),
    ],
)
def test_the_calls_of_a_report_give_the_same_number_again(asked: tuple[str, ...]) -> None:
    shown = nofluke("power", *asked, "--format", "json")
    assert shown.code == 0, shown.err
    result = load_text(shown.out)
    calls = build(result).calls
    again = nofluke(*calls["shell"].split()[1:], "--format", "json")
    assert again.code == 0, (calls["shell"], again.err)
    assert load_text(again.out) == result
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(calls["Python"], {})
    assert said.getvalue().rstrip("\n") == str(result)


def test_a_saved_plan_names_the_whole_command(pilot: Path, tmp_path: Path) -> None:
    saved = tmp_path / "plan.toml"
    nofluke("power", "plan", "--difference", "0.1", "--sd", "1", "--save-config", str(saved))
    assert 'command = "power plan"' in saved.read_text(encoding="utf-8")
    run = nofluke("compare", str(pilot), "--config", str(saved))
    assert run.code == 2
    assert "nofluke power plan --config" in run.err
    saved.write_text('command = "plan"\ndifference = "0.1"\nsd = "1"\n', encoding="utf-8")
    assert nofluke("power", "plan", "--config", str(saved)).code == 0
    assert "nofluke power plan --config" in nofluke("compare", str(pilot), "--config", str(saved)).err


def test_detect_without_items_names_options_that_exist() -> None:
    run = nofluke("power", "detect", "--test", "sign")
    assert run.code == 2
    assert "n_untied" not in run.err
    assert "--n" in run.err
