"""nofluke doctor."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any

from nofluke import __version__
from nofluke.cli.options import LISTING_FORMATS, Listing, takes
from nofluke.cli.output import check_output, write_text
from nofluke.words.installed import CORE, EXTRAS, lines

_EXTRA = re.compile(r"""extra == ['"](\w+)['"]""")
_OLDER_THAN = re.compile(r"""python_version < ['"](\d+)\.(\d+)['"]""")


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Listing, without=("chart", "details"))
    def doctor(output: Listing) -> None:
        """What is installed, and what is missing?"""
        check_output(output, LISTING_FORMATS)
        found = examined()
        as_json = output.format == "json"
        write_text(json.dumps({"ok": True, **found}, indent=2) if as_json else "\n".join(lines(found)), output)

    return doctor


def examined() -> dict[str, Any]:
    """What nofluke runs on, and the version of every package it stands on; None where it is missing."""
    packages: dict[str, dict[str, str | None]] = {CORE: {}, **{extra: {} for extra in EXTRAS}}
    for requirement in requires("nofluke") or ():
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = _EXTRA.search(requirement)
        group = CORE if extra is None else extra[1]
        if group in packages and name != "nofluke" and not _is_for_older(requirement):
            packages[group][name] = _version(name)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return {"nofluke": __version__, "python": platform.python_version(), "machine": machine, "packages": packages}


def _is_for_older(requirement: str) -> bool:
    """Newer Pythons have some of this themselves."""
    found = _OLDER_THAN.search(requirement)
    return found is not None and sys.version_info >= (int(found[1]), int(found[2]))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
