"""nofluke doctor: what is there, and what to install."""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from nofluke.cli import doctor
from nofluke.words.installed import EXTRAS
from support.command_line import nofluke

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


def test_every_extra_for_users_is_looked_at() -> None:
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"]) - {"all", "bench", "dev"}


def test_versions_are_those_installed() -> None:
    found = json.loads(nofluke("doctor", "--format", "json").out)
    assert found["packages"]["core"]["numpy"] == version("numpy")
    assert all(number for packages in found["packages"].values() for number in packages.values())
    assert "Everything is there." in nofluke("doctor").out


def test_what_is_missing_is_told_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(name: str) -> str:
        if name == "altair":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(doctor, "version", lacking)
    said = nofluke("doctor").out
    assert "Not everything is there: charts." in said
    assert "altair missing" in said
    assert "pip install 'nofluke[charts]'" in said
