"""The commands of `nofluke study`, one file each."""
