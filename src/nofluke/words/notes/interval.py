"""Notes of intervals: where they and the p-value come from two tests, and where items are too few."""

from nofluke.words.notes import Sayings

SAYINGS: Sayings = {
    "contains_rejected": "The p-value rejects a difference of {null} at this level. The {method} interval comes from "
    "another test and still contains it: decide by the p-value.",
    "extended": "The {method} interval alone is {low:.4g} to {high:.4g} and excludes {null}, which the p-value does "
    "not reject. It was extended to {null}, so that both say the same.",
    "too_few": "There are too few items ({n}) for an interval of {level:.0%}: even the whole range of the differences "
    "would reach only {achieved:.1%}.",
}
