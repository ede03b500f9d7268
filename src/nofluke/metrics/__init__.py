"""Metrics: outputs and gold become per-item statistics plus an aggregate; importing this room registers them all."""

from nofluke.metrics import (
    alignment,
    classification,
    classification_f1,
    constituency,
    correlation,
    dependency,
    question_answering,
    sequence_labelling,
    speech,
    summarisation,
    translation,
)
