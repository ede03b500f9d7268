"""Power by number of items, simulated from a pilot: items are reweighted to a stated effect and drawn again."""
