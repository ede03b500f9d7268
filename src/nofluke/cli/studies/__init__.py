"""The commands of `nofluke study` that read more than scores."""
