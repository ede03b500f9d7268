"""nofluke mcp."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nofluke.cli.options import takes
from nofluke.errors import InputError, MissingExtra


def command() -> Callable[..., None]:
    """Build the command."""

    @takes()
    def mcp(
        folder: Annotated[Path, typer.Argument(help="The folder whose files may be read; nothing else is.")] = Path(),
    ) -> None:
        """The same for an assistant, as tools (Model Context Protocol)."""
        if not folder.is_dir():
            raise InputError(f"{str(folder)!r} is no folder.", fix="name the folder that holds your scores or logs.")
        try:
            import anyio

            from nofluke.web.assistant import serve_over_stdio
        except ImportError as error:
            raise MissingExtra(f"this needs {error.name}.", fix="pip install 'nofluke[mcp]'") from None
        anyio.run(serve_over_stdio, folder.resolve())

    return mcp
