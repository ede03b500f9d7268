"""All pairs of many systems at once."""
