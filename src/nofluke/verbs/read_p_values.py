"""read_p_values: which p-value belongs to which dataset, in a file or a pasted table?"""

from __future__ import annotations

from typing import Any

from nofluke.errors import By, Fix, InputError
from nofluke.option_groups import ReadingPValues
from nofluke.options import stating
from nofluke.readers.aliases import P_ROLES
from nofluke.readers.given import given_from
from nofluke.readers.p_table import read_p_table
from nofluke.readers.p_values import to_p_values
from nofluke.readers.roles import check_roles
from nofluke.types import PValues


@stating(ReadingPValues)
def read_p_values(source: Any, *, pairs: bool = False, **stated: Any) -> PValues:
    """Which p-value belongs to which dataset, in a file or a table pasted from a paper?

    One p-value per line, or a table with a column called p (CSV, TSV, Markdown, or columns between spaces), with
    names, the scores of both systems and signs where there are such columns. `a` and `b` name the systems' columns
    where there are more than two. JSON, JSON lines and Parquet are read too. pairs=True reads a square table, whose
    rows and columns are systems, as one p-value for each pair of them. A p-value printed as 0 becomes its upper
    rounding bound; `printed` states the decimals. Whether higher scores are better is known from the columns' names
    (A_wer) unless higher_is_better says it. `columns` names what is not found by its name: {"p_value": ...,
    "dataset": ..., "score": "new,old", "sign": ...}, and with "ignore" what is none of these.

    >>> import io
    >>> read_p_values(io.StringIO("language new old p\\nde 81.2 80.1 0.03\\nfr 79.0 79.5 <0.001\\n")).signs.tolist()
    [1.0, -1.0]
    """
    reading = ReadingPValues(**stated)
    files = given_from(source)
    if len(files) != 1:
        raise InputError(f"{len(files)} files of p-values.", fix="give one table.")
    table = read_p_table(files[0], reading.a, reading.b, check_roles(reading.columns or {}, P_ROLES))
    if table.pairs and not pairs:
        raise InputError(
            "the table is square: it has a p-value for each pair of systems, and none for datasets.",
            where=table.table.name,
            fix=Fix(
                "see which pairs still stand together: ", By("pairs=True, then nf.correct", "nofluke correct FILE"), "."
            ),
        )
    return to_p_values(
        table,
        systems=table.systems or (reading.a or "A", reading.b or "B"),
        printed=reading.printed,
        where=[table.table.place.of(row) for row in range(table.table.rows)],
        higher_is_better=reading.higher_is_better,
        source=table.table.name,
    )
