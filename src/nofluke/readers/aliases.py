"""The names that columns go by, and the role each name stands for."""

from __future__ import annotations

import re


def names(*groups: str) -> tuple[frozenset[str], ...]:
    """Give groups of names, each written with blanks between them."""
    return tuple(frozenset(group.split()) for group in groups)


# Earlier groups win over later ones; two names of one group in a file are ambiguous.
ITEM = names(
    "item",
    "id item_id uid",
    "example_id segment_id seg_id sample_id question_id query_id qid doc_id input_id instance_id sentence_id sent_id "
    "line_id topic_id prompt_id test_id",
    "input example segment seg sample query question topic instance sentence sent input_label line row line_number "
    "row_number subject",
    "index",
)
SYSTEM = names("system system_id system_name model model_label model_name model_id method")
SCORE = names("score scores value result metric_value correct is_correct accuracy acc")
RUN = names("run run_id seed repeat trial epoch")
DATASET = names("dataset dataset_name task corpus test_set testset benchmark subset")
METRIC = names("metric metric_name measure")
CLUSTER = names(
    "cluster cluster_id group document passage",
    "doc document_id",
    "speaker speaker_id author author_id",
)
# Names of documents that may as well be the items themselves: clusters only beside a column of items.
_MAYBE_ITEMS = frozenset({"doc", "document_id"})

ROLES = {
    "item": ITEM,
    "system": SYSTEM,
    "score": SCORE,
    "dataset": DATASET,
    "metric": METRIC,
    "run": RUN,
    "cluster": CLUSTER,
}

# Score columns whose names say nothing about the metric.
_BARE_SCORE = frozenset({"score", "scores", "value", "result", "metric_value", "metric"})
# Columns that describe how items were made, and are never the scores of a system unless the user says so.
_NEVER_SCORES = frozenset({"fold", "split", "speaker", "speaker_id", "author", "author_id"}) | _MAYBE_ITEMS
_KNOWN = frozenset(name for groups in ROLES.values() for group in groups for name in group)


def normal(name: str) -> str:
    """Fold a column name: case, and spaces or hyphens for underscores, do not matter."""
    return re.sub(r"[\s\-]+", "_", name.strip()).casefold()


def is_known_name(name: str) -> bool:
    """Whether a cell is a name that columns usually go by."""
    return normal(name) in _KNOWN


def says_only_score(name: str) -> bool:
    """Whether a score column's name leaves the metric open."""
    return normal(name) in _BARE_SCORE


def is_never_score(name: str) -> bool:
    """Whether a column of numbers is no system's scores, by its name."""
    return normal(name) in _NEVER_SCORES or is_alias("item", name) or is_row_index(name)


def is_row_index(name: str) -> bool:
    """Whether a name is what pandas gives to an index it wrote without a name."""
    return re.fullmatch(r"unnamed:? ?\d*", name.strip().casefold()) is not None


def matches(role: str, columns: list[str]) -> list[str]:
    """Give the columns that the best matching group of a role's names points to."""
    for group in ROLES[role]:
        found = [name for name in columns if normal(name) in group]
        if found:
            return found
    return []


def may_be_item(name: str) -> bool:
    """Whether a name of clusters stands for the items themselves where no other column does."""
    return normal(name) in _MAYBE_ITEMS


def is_alias(role: str, name: str) -> bool:
    """Whether a name is any of a role's names."""
    return any(normal(name) in group for group in ROLES[role])
