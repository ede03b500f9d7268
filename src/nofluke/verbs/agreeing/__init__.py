"""What agree puts together: options, names and tables."""
