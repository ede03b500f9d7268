"""nofluke serve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.options import takes
from nofluke.errors import MissingExtra


def command() -> Callable[..., None]:
    """Build the command."""

    @takes()
    def serve(
        host: Annotated[
            str, typer.Option(help="Address to listen on; other than this machine needs a token.")
        ] = "127.0.0.1",
        port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 8765,
        folder: Annotated[
            str | None, typer.Option(help="Data folder of the app. Default: NOFLUKE_DATA, or the user's data folder.")
        ] = None,
        workers: Annotated[
            int | None,
            typer.Option(
                min=1, help="Worker processes; of two or more, one is kept for short questions. Default: one per core."
            ),
        ] = None,
        memory: Annotated[
            float | None,
            typer.Option(
                min=0.1, help="GB of memory one job may take. Default: three quarters of the machine's, shared by all."
            ),
        ] = None,
        cluster: Annotated[
            str | None,
            typer.Option(help="Let a Dask cluster do the draws and simulations of jobs: the address of its scheduler."),
        ] = None,
    ) -> None:
        """The same in a browser: drop a file, see whether it was a fluke."""
        try:
            import uvicorn

            from nofluke.web.app import app_for, listen
        except ImportError as error:
            raise MissingExtra(f"the web app needs {error.name}.", fix="pip install 'nofluke[app,charts]'") from None
        with listen(host, port) as listening:
            app, address = app_for(host, listening.getsockname()[1], folder, workers, memory, cluster)
            typer.echo(f"nofluke is at {address} (Ctrl-C stops it)", err=True)
            config = uvicorn.Config(app, log_level="warning", server_header=False)
            uvicorn.Server(config).run(sockets=[listening])

    return serve
