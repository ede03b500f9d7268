"""Metrics: outputs and gold become per-item statistics plus an aggregate; importing this room registers them all."""

from nofluke.metrics import (
    alignment,
    bracket_f1,
    classification,
    classification_f1,
    correlation,
    dependency,
    morphology,
    question_answering,
    sequence_labelling,
    span_f1,
    speech,
    summarisation,
    translation,
)
