"""Tests of all systems at once over many datasets."""
