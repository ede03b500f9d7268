"""What a gate judges, and how: tasks by their metrics, losses that are forbidden, margins that are required."""
