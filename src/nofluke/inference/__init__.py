"""Every statistical method, by kind; what all of them share is p_values.py.

From a pair of systems: describe, recommend, tests (with resampling, what swaps and resamples share), effects and
intervals, bayes, power. From many: omnibus, ranking, multiplicity (corrections and combinations), replication. From
other data: correlation, agreement.
"""
