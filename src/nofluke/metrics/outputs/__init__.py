"""Outputs and gold as users give them, in lines or tables: one text per item for each system."""
