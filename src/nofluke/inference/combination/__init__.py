"""Combining p-values: global tests, partial conjunction, closed testing."""
