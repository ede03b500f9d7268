"""Studies of all pairs of many systems: gains, similarity, test size, domain."""
