"""Many systems: tests of all pairs in bulk, families of claims, rank ranges, groups, and what to say about them."""
