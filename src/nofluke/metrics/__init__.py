"""Metrics: outputs and gold become per-item statistics plus an aggregate; importing this room registers them all."""
