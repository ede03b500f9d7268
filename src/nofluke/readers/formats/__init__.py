"""Formats of files, one module each: importing this room registers them all."""

from nofluke.readers.formats import delimited, inspect_logs, jsonl, lm_eval, parquet, pasted, trec
