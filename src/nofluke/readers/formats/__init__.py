"""Formats of files, one module each: importing this room registers them all."""

from nofluke.readers.formats import (
    delimited,
    inspect_logs,
    jsonl,
    junit,
    kept,
    lm_eval,
    parquet,
    pasted,
    promptfoo,
    table_json,
    trec,
)
