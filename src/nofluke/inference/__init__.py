"""Every statistical method, one file each, by kind."""
