"""Notes of the tests of all systems at once."""

from nofluke.words.notes import Sayings

SAYINGS: Sayings = {
    "nothing_differs": "All systems have the same score on every dataset: nothing favours any of them, so p = 1.",
    "right_on_same_items": "All systems are right on the same items: nothing favours any of them, so p = 1.",
    "w_undefined": "W is undefined then.",
    "one_dataset": "One dataset has no spread to compare the systems with, so F is undefined.",
    "all_alike": "All datasets order the systems alike, so F is infinite. p is the chance of that under random orders.",
    "few_informative": "The systems differ on only {n:item}, so the chi-square approximation is rough.",
    "few_datasets": "With {datasets:dataset} and {systems:system} the p-value is a rough approximation.",
}
