"""Tests of all systems at once, one method a file; importing this registers them."""

from nofluke.inference.omnibus import (
    cochran_q,
    friedman,
    iman_davenport,
    kendall_w,
    quade,
)
