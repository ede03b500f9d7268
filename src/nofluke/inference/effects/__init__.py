"""Effect sizes: one index per file; importing this room registers them all."""
