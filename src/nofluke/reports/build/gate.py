"""A Gate, and a SelfCheck, as reports."""

from __future__ import annotations

from nofluke.call import calls
from nofluke.reports.build.citing import cited
from nofluke.types import Gate, Report, Section, SelfCheck, Table
from nofluke.words import gate as words
from nofluke.words import self_check as own_words
from nofluke.words.gate_rows import flips_table, flips_title, full_table

# As many as a comment shows; JSON has more.
_MOST_FLIPS = 20


def build_gate(result: Gate) -> Report:
    """Say whether the candidate passes, with every row and the items that differ."""
    headline, sentences = words.headline(result), words.sentences(result)
    methods = dict.fromkeys(("test", row.method) for row in result.every)
    holm = [("correction", "holm")] if len(result.forbidden) > 1 else []
    settings = {"alpha": result.alpha, "max_errors": result.max_errors}
    settings |= {} if result.must_catch is None else {"must_catch": result.must_catch}
    return Report(
        kind="Gate",
        title=words.title(result),
        headline=headline,
        sentences=sentences,
        main=full_table(result),
        sections=(Section(flips_title(result), table=flips_table(result, _MOST_FLIPS), name="flips"),)
        if result.flips
        else (),
        records=tuple(
            {
                "task": row.task,
                "metric": row.metric,
                "n": row.n,
                "baseline": row.scores[0],
                "candidate": row.scores[1],
                "difference": row.difference,
                "low": None if row.interval is None else row.interval.low,
                "high": None if row.interval is None else row.interval.high,
                "rule": row.rule,
                "margin": row.margin,
                "p_value": row.p_value,
                "adjusted": row.adjusted,
                "verdict": row.verdict,
                "caught": row.caught,
                "method": row.method,
                "expected": row.coverage.expected,
                "outcome": result.outcome,
            }
            for row in result.every
        ),
        short="",
        long="",
        notes=tuple(dict.fromkeys(map(str, result.notes))),
        citations=cited(*methods, *holm),
        calls=calls(result.call),
        settings=settings,
        signature=result.signature,
        tone="settled" if result.passed else "worse" if result.outcome == "worse" else "open",
        systems=("baseline", "candidate"),
    )


def build_self_check(result: SelfCheck) -> Report:
    """Say whether runs of one system differ, with every task."""
    headline, sentences = own_words.headline(result), own_words.sentences(result)
    main: Table = own_words.table(result, len(result.tasks))
    return Report(
        kind="SelfCheck",
        title=own_words.title(result),
        headline=headline,
        sentences=sentences,
        main=main,
        sections=(),
        records=tuple(
            {
                "task": task.task,
                "metric": task.metric,
                "n": task.n,
                "first": task.scores[0],
                "second": task.scores[1],
                "p_value": task.p_value,
                "alarm": task.alarm,
            }
            for task in result.tasks
        ),
        short="",
        long="",
        notes=tuple(dict.fromkeys(map(str, result.notes))),
        citations=cited(("test", "permutation")),
        calls=calls(result.call),
        settings={"alpha": result.alpha},
        signature=result.signature,
        tone="worse" if result.outcome == "alarm" else "open",
    )
