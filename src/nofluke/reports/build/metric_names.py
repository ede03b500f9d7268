"""What a metric is called in a paper: by its name and how it was computed."""

from __future__ import annotations

from nofluke.reports.build.citing import fields_of

# Statistics of the user's own have no name but the one that the user gave the metric.
_NO_NAMES = ("table", "callable:")
# What scores are called that came without the name of a metric.
_UNNAMED = "score"


def metric_in_full(metric: str, signature: str) -> str:
    """Name a metric with the settings that a result's signature records of it.

    >>> metric_in_full("bleu", "nofluke:0.1.0|test:permutation|scored_by:BLEU;nrefs:1;tok:13a|n:9")
    'BLEU (nrefs:1|tok:13a)'
    >>> metric_in_full("accuracy", "nofluke:0.1.0|test:mcnemar|n:9")
    'accuracy'
    """
    name, _, settings = fields_of(signature).get("scored_by", "").partition(";")
    if not settings:
        return metric
    return f"{metric if name.startswith(_NO_NAMES) else name} ({settings.replace(';', '|')})"


def metric_option(metric: str, signature: str) -> dict[str, str]:
    """The option that chooses the metric again, where scores were read that have a name of their own.

    >>> metric_option("f1", "nofluke:0.1.0|test:sign|n:9"), metric_option("score", "nofluke:0.1.0|test:sign|n:9")
    ({'metric': 'f1'}, {})
    """
    return {} if metric in ("", _UNNAMED) or "scored_by" in fields_of(signature) else {"metric": metric}
