"""nofluke serve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.options import takes
from nofluke.errors import InputError, MissingExtra


def command() -> Callable[..., None]:
    """Build the command."""

    @takes()
    def serve(
        host: Annotated[
            str, typer.Option(help="Address to listen on; other than this machine needs a token.")
        ] = "127.0.0.1",
        port: Annotated[int, typer.Option(help="Port to listen on.")] = 8765,
        folder: Annotated[
            str | None, typer.Option(help="Data folder of the app. Default: NOFLUKE_DATA, or the user's data folder.")
        ] = None,
        workers: Annotated[int | None, typer.Option(help="Worker processes. Default: one per core.")] = None,
    ) -> None:
        """The same in a browser: drop a file, see whether it was a fluke."""
        try:
            import uvicorn

            from nofluke.web.serving import app_for, listen
        except ImportError as error:
            raise MissingExtra(f"the web app needs {error.name}.", fix="pip install 'nofluke[app,charts]'") from None
        app, address = app_for(host, port, folder, workers)
        sockets = [listen(host, port)]
        typer.echo(f"nofluke is at {address} (Ctrl-C stops it)", err=True)
        config = uvicorn.Config(app, log_level="warning", server_header=False)
        try:
            uvicorn.Server(config).run(sockets=sockets)
        except OSError as error:
            raise InputError(
                f"cannot serve on {host}:{port}: {error.strerror}.", fix="choose another --port."
            ) from None

    return serve
