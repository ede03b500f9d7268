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
    "idx guid "
    "example_id segment_id seg_id sample_id question_id query_id qid doc_id input_id instance_id sentence_id sent_id "
    "line_id topic_id prompt_id test_id pair_id segid sentid docid",
    "input example segment seg sample query question topic instance sentence sent input_label line row line_number "
    "row_number subject pair",
    "index",
)
SYSTEM = names("system system_id system_name model model_label model_name model_id method")
SCORE = names("score scores value result metric_value correct is_correct accuracy acc")
RUN = names("run run_id run_number seed seed_id repeat repetition trial epoch", "fold fold_id")
DATASET = names("dataset dataset_name task corpus test_set testset benchmark subset")
METRIC = names("metric metric_name measure")
CLUSTER = names(
    "cluster cluster_id group document passage",
    "doc document_id",
    "speaker speaker_id author author_id",
)
_THINGS = "label labels class answer answers output response text translation summary tag tags category intent value"


def _of_things(words: str) -> str:
    """Give words that say whose something is, each with all that it may be: gold_label, true_class."""
    return " ".join(f"{word}_{thing}" for word in words.split() for thing in _THINGS.split())


GOLD = names(
    "gold golds target targets reference references ref refs truth ground_truth groundtruth gt human y_true expected "
    "actual ideal gold_standard " + _of_things("gold true correct expected actual reference ref target")
)
OUTPUT = names(
    "prediction predictions predicted pred output outputs hypothesis hyp hypotheses response completion generation "
    "generated candidate y_pred mt "
    + _of_things("predicted pred generated")
    + " system_output model_output system_answer model_answer system_response model_response"
)
_RATERS = "annotator rater coder worker judge assessor labeler labeller user evaluator turker grader reviewer"
ANNOTATOR = names(" ".join(f"{name} {name}_id {name}_name" for name in _RATERS.split()))
LABEL = names("label rating annotation response answer category class judgment judgement tag", "score value code")
# A bare "label" may be gold or predicted, so it comes after the names that say which.
(EITHER,) = names("label labels answer answers tag tags ner_tags")
# What a system was given, or what was noted beside: never the output or the scores of a system.
(SOURCE,) = names(
    "source src input inputs prompt question text sentence sentence1 sentence2 context premise passage document "
    "article instruction query token tokens word words form word1 word2 comment comments note notes lang language "
    "domain genre length category topic year date time timestamp datetime created created_at url title doc"
)
# Counts and sizes of an item.
_SIZE = re.compile(
    r"(n|num|count|len|length)_.*|.*_(id|ids|length|len|count|counts|chars|tokens|words)"
    r"|totals?|possible|attempted|max_(score|points)|(total|max)_\w+"
)
# Names of documents that may as well be the items themselves: clusters only beside a column of items.
_MAYBE_ITEMS = frozenset({"doc", "document_id"})

# What p-values belong to goes by more names than a dataset of scores; a sign says which system is better.
_NAME_OF_P = names(
    *["name", "dataset", "language", "task", "domain", "test_set", "treebank", "corpus", "hypothesis", "test"]
)
SIGN = names("sign", "direction", "better")
# Numbers that papers print beside p-values, and that are no system's scores unless the user says so.
(BESIDE_P,) = names(
    "n t z f w u v d r df dof year statistic stat test_statistic t_statistic t_value z_value chi2 chisq effect "
    "effect_size cohen_d cohens_d g se sd std stderr std_error standard_error sem ci ci_low ci_high ci_lower ci_upper "
    "lower upper low high delta diff difference gain improvement size items count sentences tokens instances samples "
    "n_items n_sentences num no nr # rank alpha power weight q q_value p_adj padj p_adjusted adjusted_p adj_p holm bh "
    "bonferroni"
)

NAMES = {
    "item": ITEM,
    "system": SYSTEM,
    "score": SCORE,
    "gold": GOLD,
    "output": OUTPUT,
    "dataset": DATASET,
    "metric": METRIC,
    "run": RUN,
    "cluster": CLUSTER,
    "annotator": ANNOTATOR,
    "label": LABEL,
    "sign": SIGN,
    "name": _NAME_OF_P,
}
# Every role that a column can be given by the user; columns to be ignored have no other.
ROLES = (*(role for role in NAMES if role != "name"), "p_value", "ignore")
# Roles of tables of scores, and of tables of outputs and gold.
SCORE_ROLES = ("item", "system", "score", "dataset", "metric", "run", "cluster", "ignore")
OUTPUT_ROLES = ("item", "system", "gold", "output", "dataset", "run", "cluster", "ignore")
# Roles of tables of p-values, and of ratings.
P_ROLES = ("p_value", "dataset", "score", "sign", "ignore")
RATING_ROLES = ("item", "annotator", "label", "ignore")
# Roles that several columns may have.
SEVERAL = frozenset({"item", "dataset", "score", "ignore", "gold", "output", "annotator"})
# Roles of tables that do not hold scores.
_OF_OTHERS = ("gold", "output", "annotator", "label", "sign", "name")

# Where a capital begins another word of a name, after a small letter or at the end of an abbreviation.
_NEW_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Score columns whose names say nothing about the metric.
_BARE_SCORE = frozenset({"score", "scores", "value", "result", "metric_value", "metric"})
# Columns that describe how items were made, and are never the scores of a system unless the user says so.
# How outputs were made; systems are hardly called so.
_SETTINGS = frozenset({"temperature", "top_p", "top_k", "learning_rate", "lr", "batch_size", "beam_size", "max_tokens"})
_NEVER_SCORES = frozenset({"split", "speaker", "speaker_id", "author", "author_id"}) | _MAYBE_ITEMS | _SETTINGS
_KNOWN = frozenset(
    name for role, groups in NAMES.items() if role not in _OF_OTHERS for group in groups for name in group
)


def normal(name: str) -> str:
    """Fold a column name: it does not matter how its words are set apart, nor their case.

    >>> normal("Worker-ID"), normal("WorkerId"), normal("worker.id"), normal("HITId"), normal("_annotator_id")
    ('worker_id', 'worker_id', 'worker_id', 'hit_id', 'annotator_id')
    """
    apart = _NEW_WORD.sub("_", name.strip())
    return re.sub(r"[\s\-._]+", "_", apart).casefold().strip("_") or apart.casefold()


def is_known_name(name: str) -> bool:
    """Whether a cell is a name that columns usually go by."""
    return normal(name) in _KNOWN


def says_only_score(name: str) -> bool:
    """Whether a score column's name leaves the metric open."""
    return normal(name) in _BARE_SCORE


def is_never_score(name: str) -> bool:
    """Whether a column of numbers is no system's scores, by its name."""
    return normal(name) in _NEVER_SCORES or is_alias("item", name) or is_fold(name) or is_row_index(name)


def is_fold(name: str) -> bool:
    """Whether a name stands for folds: each has its own items, where runs and seeds repeat the same."""
    return normal(name) in RUN[1]


def is_size(name: str) -> bool:
    """Whether a name may say how large an item is, or when or of what it was made: n_tokens, output_chars, year."""
    return _SIZE.fullmatch(normal(name)) is not None or normal(name) in SOURCE


def is_like_annotator(name: str) -> bool:
    """Whether a name begins as an annotator's: rater1, coder_b, annotator 3."""
    return normal(name).startswith(tuple(_RATERS.split()))


def is_numbered_gold(name: str) -> bool:
    """Whether a name is that of one of several references: ref_1, answer2, gold_a."""
    return re.fullmatch(r"(gold|ref|reference|target|answer)_?[0-9a-d]", normal(name)) is not None


def is_row_index(name: str) -> bool:
    """Whether a name is what pandas gives to an index it wrote without a name."""
    return re.fullmatch(r"unnamed:? ?\d*", name.strip().casefold()) is not None or is_stored_index(name)


def is_stored_index(name: str) -> bool:
    """Whether a name is what pandas gives to an index in Parquet."""
    return re.fullmatch(r"__index_level_\d+__", name) is not None


def is_other_id(name: str) -> bool:
    """Whether a name is that of an id of something that no role has: tweet_id, HITId, _task_hash."""
    return normal(name).endswith(("_id", "_hash")) and not any(is_alias(role, name) for role in NAMES)


def matches(role: str, columns: list[str]) -> list[str]:
    """Give the columns that the best matching group of a role's names points to."""
    for group in NAMES[role]:
        found = [name for name in columns if normal(name) in group]
        if found:
            return found
    return []


def may_be_item(name: str) -> bool:
    """Whether a name of clusters stands for the items themselves where no other column does."""
    return normal(name) in _MAYBE_ITEMS


def is_alias(role: str, name: str) -> bool:
    """Whether a name is any of a role's names."""
    return any(normal(name) in group for group in NAMES[role])
