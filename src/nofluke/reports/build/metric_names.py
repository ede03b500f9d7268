"""The option that chooses a metric again."""

from __future__ import annotations

from nofluke.reports.build.citing import fields_of

# What scores are called that came without the name of a metric.
_UNNAMED = "score"


def metric_option(metric: str, signature: str) -> dict[str, str]:
    """The option that chooses the metric again, where scores were read that have a name of their own.

    >>> metric_option("f1", "nofluke:0.1.0|test:sign|n:9"), metric_option("score", "nofluke:0.1.0|test:sign|n:9")
    ({'metric': 'f1'}, {})
    """
    return {} if metric in ("", _UNNAMED) or "scored_by" in fields_of(signature) else {"metric": metric}
