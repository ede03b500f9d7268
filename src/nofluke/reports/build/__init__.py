"""Any result -> Report: what it has to say, as data without markup."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from nofluke.errors import InputError, listing
from nofluke.types import Report, Value

# A new kind of result is one file in this folder with a function `build_<kind>(result) -> Report`, one line here
# (name of the type -> "module:function", sorted by name) and one small real result in tests/reports/kinds.py.
# Every writer works on the Report alone, so nothing else has to change.
BUILDERS: dict[str, str] = {
    "Agreement": "agreement:build_agreement",
    "Choices": "profile:build_choices",
    "Comparison": "comparison:build_comparison",
    "Contents": "contents:build_contents",
    "Corrected": "corrected:build_corrected",
    "Estimate": "estimate:build_estimate",
    "Gate": "gate:build_gate",
    "MetricsComparison": "metrics_comparison:build_metrics_comparison",
    "MetricsReplication": "replication:build_metrics_replication",
    "Posterior": "posterior:build_posterior",
    "PowerCurve": "power_curve:build_power_curve",
    "PowerPlan": "plan:build_plan",
    "Profile": "profile:build_profile",
    "Ranking": "ranking:build_ranking",
    "Replication": "replication:build_replication",
    "Scored": "scored:build_scored",
    "SelfCheck": "gate:build_self_check",
    "Study": "study:build_study",
    "SystemScore": "system_score:build_system_score",
    "TestResult": "test_result:build_test_result",
}


def build(result: Value) -> Report:
    """Give the report of any result; a Report is its own."""
    if isinstance(result, Report):
        return result
    kind = type(result).__name__
    if kind not in BUILDERS:
        raise InputError(f"a {kind} has no report.", fix=f"kinds with a report: {listing(sorted(BUILDERS), 20)}.")
    module, _, name = BUILDERS[kind].partition(":")
    builder: Callable[[Value], Report] = getattr(import_module(f"{__name__}.{module}"), name)
    return builder(result)
