"""The fixture `nofluke` in runs of pytest of their own: what holds passes, what does not fails in words."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parent.parent
ALONE = ("--disable-plugin-autoload", "-p", "nofluke.pytest_plugin", "-p", "no:cacheprovider")
LOGS = ROOT / "docs" / "examples" / "lm-eval"
DATA = """
    import nofluke as nf
    weak, strong = [1, 0] * 100, [1, 0, 1, 1] * 50
    def named(scores): return {f"q{at}": score for at, score in enumerate(scores)}
"""


def test_a_claim_that_holds_passes_whatever_the_scores_are_in(pytester: pytest.Pytester) -> None:
    pytester.makefile(".csv", base="\n".join(["item,correct", *(f"q{at},{(at + 1) % 2}" for at in range(200))]))
    pytester.makepyfile(
        DATA
        + f"""
    import pytest

    @pytest.mark.parametrize("baseline", ["base.csv", ["base.csv"], "base.parquet", "scores", "mapping"])
    def test_ids(nofluke, baseline):
        scores = nf.read({{"old": "base.csv"}})
        nf.keep(scores, "base.parquet")
        made = {{"scores": scores, "mapping": named(weak)}}
        baseline = made.get(baseline, baseline) if isinstance(baseline, str) else baseline
        shuffled = dict(reversed(named(strong).items()))
        answer = nofluke.better(shuffled, baseline)
        assert answer
        assert answer.result.scores == (0.75, 0.5)
        assert answer.result.systems == ("candidate", "baseline")

    def test_lists_and_samples(nofluke):
        assert nofluke.better(strong, weak)
        assert nofluke.not_worse(weak, weak, margin=0.05)
        assert nofluke.not_worse(nf.sample_from_counts(100, 0, 0, 100), margin=0.05)
        assert not nofluke.better(weak, weak)
        assert nofluke.better(weak, strong, higher_is_better=False)

    def test_logs(nofluke):
        answer = nofluke.better({str(LOGS / "tuned")!r}, {str(LOGS / "base")!r})
        assert answer and len(answer.result.tasks) == 3
        assert not nofluke.better({str(LOGS / "tuned")!r}, {str(LOGS / "base")!r}, dataset="proverbs")

    def test_gates(nofluke):
        assert nofluke.gate({str(LOGS / "tuned")!r}, {str(LOGS / "base")!r})
        assert nofluke.gate(named(strong), "base.csv", require="not-worse", margin=0.05)
        assert nofluke.gate(named(strong), named(strong)).result.outcome == "passed"
        assert nofluke.gate(named(strong), named(weak), must_catch=0.01).result.outcome == "blind"

    def test_a_log_against_itself_has_no_winner(nofluke):
        assert not nofluke.better({str(LOGS / "base")!r}, {str(LOGS / "base")!r})
    """
    )
    pytester.runpytest_subprocess(*ALONE).assert_outcomes(passed=9)


def test_a_claim_that_does_not_hold_fails_with_the_answer(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        DATA
        + """
    def test_release(nofluke):
        assert nofluke.not_worse(weak, strong, margin=0.02)
    def test_few(nofluke):
        assert nofluke.not_worse([1] * 10, [1] * 10, margin=0.02)
    def test_better(nofluke):
        assert nofluke.better(named(weak), named(strong))
    def test_gate(nofluke):
        assert nofluke.gate(named(weak), named(strong))
    """
    )
    run = pytester.runpytest_subprocess(*ALONE)
    run.assert_outcomes(failed=4)
    run.stdout.fnmatch_lines(
        [
            "E * assert Not shown: candidate is not worse than baseline by more than 0.02 (*p > 0.99, level 0.05).",
            "*- Captured nofluke call -*",
            "Not shown: candidate is not worse*",
            "baseline is better than candidate: +0.25*",
            "  Test * two-sided*",
            "E * assert Not shown: candidate is not worse*level 0.05).",
            "*10 items are too few for a margin of 0.02*",
            "E * assert Not shown: candidate is better than baseline (*). The evidence points the other way.",
            "E * assert Failed: the candidate is worse (-0.25*",
        ]
    )


def test_bad_input_says_what_is_wrong_and_how_to_fix_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        DATA
        + """
    import pytest

    BAD = {
        "needs a margin": ([1, 0], [1, 0]),
        "only the candidate was given": ([1, 0], None),
        "the candidate is a list of scores without ids": ([1, 0], {"q1": 1}),
        "candidate has 2 scores and baseline has 1;": ([1, 0], [1]),
        "candidate: the score of item 'q1' is 'yes', not a number": ({"q1": "yes"}, {"q1": 1}),
        "two ids are the same": ({1: 1, "1": 0}, {"1": 1}),
        "the file does not exist": ("absent.csv", "absent.csv"),
        "(for example q2); 1 item matches": (
            {"q1": 1, "q2": 0}, {"q1": 1, "q2": None}
        ),
    }

    @pytest.mark.parametrize("words", BAD)
    def test_it(nofluke, words):
        margin = {} if "margin" in words else {"margin": 0.5}
        with pytest.raises(nf.InputError) as told:
            nofluke.not_worse(*BAD[words], **margin)
        assert words in str(told.value) and told.value.fix, told.value
    """
    )
    pytester.runpytest_subprocess(*ALONE).assert_outcomes(passed=8)


def test_pytest_finds_the_plugin_by_itself_and_loads_nothing_before_it_is_used(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]["pytest11"]
    installed = pytester.mkdir("installed-1.dist-info")
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: installed\nVersion: 1\n")
    points = "\n".join(f"{name} = {module}" for name, module in stated.items())
    (installed / "entry_points.txt").write_text(f"[pytest11]\n{points}\n")
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=":")
    pytester.makepyfile(
        """
    import sys

    def test_without(): pass
    def test_nothing_is_loaded_for_a_run_that_does_not_use_it():
        own = {name for name in sys.modules if name.partition(".")[0] == "nofluke"}
        assert own == {"nofluke", "nofluke.pytest_plugin"}
        assert not {"numpy", "scipy", "duckdb", "typer"} & set(sys.modules)
    def test_it_is_there(request):
        assert request.getfixturevalue("nofluke").better([1] * 20, [0] * 20)
    """
    )
    # Other plugins that happen to be installed load what they like.
    others = [part for name in ("schemathesis", "hypothesispytest", "anyio", "xdist") for part in ("-p", f"no:{name}")]
    run = pytester.run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *others)
    run.assert_outcomes(passed=3)
