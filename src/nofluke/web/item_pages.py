"""Single items of a comparison as a page: those of one bar of a picture, or all; sorted, searched, and as a file."""

from __future__ import annotations

import asyncio
import csv
import io
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from nofluke.web.context import Context, context_of
from nofluke.web.items import DIFFERENCE
from nofluke.web.rendering import failure, page
from nofluke.web.requests import BY_ACTION, as_asked_today, plain
from nofluke.web.safety import Refused
from nofluke.web.store import Job
from nofluke.web.uploads import file_name

router = APIRouter(tags=["nofluke"], responses={"4XX": {"model": Refused, "description": "What was wrong."}})
_A_PAGE = 100
Text = Annotated[str, Query(max_length=500)]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which items are shown, in which order."""

    low: float
    high: float
    search: str
    sort: str
    down: bool

    def takes(self, row: dict[str, str]) -> bool:
        """Whether an item is among those asked for; the upper end belongs to the next bar."""
        gap = _number(row[DIFFERENCE])
        inside = math.isnan(self.low) or (self.low <= gap < self.high) or (self.low == self.high == gap)
        return inside and (not self.search or any(self.search in cell.casefold() for cell in row.values()))

    def ordered(self, rows: Iterable[dict[str, str]]) -> list[dict[str, str]]:
        """The items in the order asked for: as numbers where a column holds numbers."""
        found = [row for row in rows if self.takes(row)]
        if not found or self.sort not in found[0]:
            return found
        numeric = all(not math.isnan(_number(row[self.sort])) for row in found if row[self.sort])
        key = (lambda row: _number(row[self.sort] or "nan")) if numeric else (lambda row: row[self.sort].casefold())
        return sorted(found, key=key, reverse=self.down)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


@router.get("/results/{identifier}/items", include_in_schema=False)
@router.get("/results/{identifier}/items.json", include_in_schema=False)
@router.get("/results/{identifier}/items.csv", summary="The items behind a comparison")
async def items(
    request: Request,
    identifier: str,
    low: Text = "",
    high: Text = "",
    search: Text = "",
    sort: Text = DIFFERENCE,
    down: bool = True,
    start: Annotated[int, Query(alias="from", ge=0, lt=2**31)] = 0,
) -> Response:
    """Every item with both scores and their difference; low and high choose those of one bar of the picture."""
    context = context_of(request)
    job = context.store.job(identifier)
    if job is None or job.state != "done" or not {"a", "data"} <= set(job.request):
        return failure(request, 404, "there are no items behind this.", fix="see /history for comparisons.")
    looking = await _looked(context, job)
    path = context.store.items_of(looking.id)
    if looking.state in ("queued", "running"):
        return page(request, "job.html", {"job": looking})
    if looking.state != "done" or not path.exists():
        said = looking.error.get("message") or "no single item has a score of its own."
        return failure(request, 422, said, fix="go back to the result.")
    wanted = Wanted(_number(low or "nan"), _number(high or "inf"), search.strip().casefold(), sort, down)
    columns, rows = await asyncio.to_thread(_read, path, wanted)
    if request.url.path.endswith(".csv"):
        headers = {"Content-Disposition": f'attachment; filename="{file_name(f"{job.name} items", "csv")}"'}
        return Response(_written(columns, rows), media_type="text/csv; charset=utf-8", headers=headers)
    query = {"low": low, "high": high, "search": search, "sort": sort, "down": str(down).lower()}
    values: dict[str, Any] = {"job": job, "columns": columns, "total": len(rows), "start": start, "query": query}
    values |= {"rows": rows[start : start + _A_PAGE], "size": _A_PAGE}
    return page(request, "items.html", values)


async def _looked(context: Context, job: Job) -> Job:
    """The job that writes the items down, once."""
    model = BY_ACTION["inspect"]
    asked = as_asked_today("inspect", job.request) | {"items": True}
    looking = context.jobs.submit_once("inspect", plain(model.model_validate(asked)))
    return await context.jobs.ended(looking.id, context.patience) or looking


def _read(path: Path, wanted: Wanted) -> tuple[list[str], list[dict[str, str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        return list(table.fieldnames or ()), wanted.ordered(table)


def _written(columns: list[str], rows: list[dict[str, str]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
