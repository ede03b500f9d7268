"""Agreement of annotators, one coefficient a file."""
