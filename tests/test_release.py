"""What a release says of itself is the same everywhere."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import nofluke

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RECIPE = (ROOT / "release" / "meta.yaml").read_text()


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    in_recipe = re.search(r'set version = "(.+?)"', RECIPE)
    assert in_recipe is not None
    assert {nofluke.__version__, citation["version"], in_recipe[1]} == {PROJECT["version"]}


def test_the_recipe_takes_what_the_package_needs() -> None:
    needed = {re.split(r"[>=]", one)[0] for one in PROJECT["dependencies"]}
    run = RECIPE.partition("  run:")[2].partition("\n\n")[0]
    taken = {name.removeprefix("python-") for name in re.findall(r"- ([\w-]+)", run)} - {"python"}
    assert taken == needed


@pytest.mark.parametrize("of", ["PARTS", "LACKING"])
def test_every_extra_is_tried(of: str) -> None:
    described = importlib.util.spec_from_file_location("smoke", ROOT / "release" / "smoke.py")
    assert described is not None
    assert described.loader is not None
    smoke = importlib.util.module_from_spec(described)
    described.loader.exec_module(smoke)
    extras = set(PROJECT["optional-dependencies"]) - {"all", "bench", "dev"}
    # From 3.14 on Python unpacks Inspect's archives by itself.
    needless = {"logs"} if of == "LACKING" and sys.version_info >= (3, 14) else set()
    assert set(getattr(smoke, of)) == extras - needless
