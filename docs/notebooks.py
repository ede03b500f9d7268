"""The example notebooks: run anew, and as pages of the documentation site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

_SVG = re.compile(r"<svg.*</svg>", re.DOTALL)
# Not those that hold a figure together.
_BLANKS = re.compile(r"[ \t\r\n]+")
_LONG_NUMBER = re.compile(r"\d*\.\d{11,}(?:e-?\d+)?")


def executed(notebook: Path, folder: Path) -> str:
    """Run a notebook in a folder, and give it with the outputs it has now."""
    pages: Any = nbformat.read(notebook, as_version=4)
    NotebookClient(
        pages, timeout=120, extra_arguments=["--log-level=40"], resources={"metadata": {"path": str(folder)}}
    ).execute()
    for cell in pages.cells:
        cell.metadata.clear()  # when each cell ran
        for output in cell.get("outputs", ()):
            output.get("metadata", {}).clear()
            # The SVG beside it is what pages show, in a tenth of the room.
            output.get("data", {}).pop("image/png", None)
    pages.metadata = {"kernelspec": pages.metadata["kernelspec"], "language_info": {"name": "python"}}
    return nbformat.writes(pages) + "\n"


def said(notebook: str) -> list[tuple[str, str]]:
    """What a notebook asks and prints; pictures are left out, as places of letters depend on the fonts.

    Unrounded numbers are held to ten digits: the last ones depend on the processor.
    """
    pages: Any = nbformat.reads(notebook, as_version=4)
    return [
        (cell.source, kind + _LONG_NUMBER.sub(_ten_digits, "".join(text)))
        for cell in pages.cells
        for output in cell.get("outputs", ())
        for kind, text in (output.get("data") or {"text": output.get("text", "")}).items()
        if kind != "image/svg+xml"
    ]


def _ten_digits(number: re.Match[str]) -> str:
    return f"{float(number[0]):.10g}"


def as_page(notebook: Path) -> str:
    """The notebook as a page: texts, code, and below it what it gave."""
    pages: Any = nbformat.read(notebook, as_version=4)
    link = f"[Download this notebook]({notebook.name})."
    parts = [part for cell in pages.cells for part in _cell(cell)]
    return "\n\n".join([parts[0], link, *parts[1:]]) + "\n"


def _cell(cell: Any) -> list[str]:
    if cell.cell_type == "markdown":
        return [cell.source]
    parts = [f"```python\n{cell.source}\n```"]
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            parts.append(_in_one_block("".join(data["image/svg+xml"])))
        elif "text/html" in data:
            parts.append(_in_one_block("".join(data["text/html"])))
        else:
            parts.append(f"```text\n{data.get('text/plain', output.get('text', '')).rstrip()}\n```")
    return parts


def _in_one_block(markup: str) -> str:
    """HTML without empty lines, at which Markdown would end it."""
    found = _SVG.search(markup)
    whole = found[0] if found and markup.lstrip().startswith(("<?xml", "<svg")) else markup
    return f'<div class="output">{" ".join(whole.split())}</div>'
