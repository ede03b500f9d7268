"""What a release says of itself is the same everywhere."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
from pathlib import Path

import jinja2
import pytest
import yaml

import nofluke
from support.command_line import nofluke as nofluke_said

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# As conda reads it: a template that becomes YAML.
TEMPLATE = (ROOT / "release" / "meta.yaml").read_text()
RECIPE = yaml.safe_load(jinja2.Template(TEMPLATE).render(PYTHON="python"))


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    in_recipe = RECIPE["package"]["version"]
    assert {nofluke.__version__, citation["version"], in_recipe} == {PROJECT["version"]}
    assert RECIPE["source"]["path"].endswith(f"nofluke-{PROJECT['version']}.tar.gz")


def test_the_recipe_takes_what_the_package_needs() -> None:
    """The same names and the same oldest versions; conda calls duckdb python-duckdb."""
    taken = {one.replace(" ", "").removeprefix("python-") for one in RECIPE["requirements"]["run"]}
    assert taken == {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"}
    backend = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert set(backend) <= {one.replace(" ", "") for one in RECIPE["requirements"]["host"]}
    assert RECIPE["build"]["entry_points"] == [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert RECIPE["about"]["license"] == PROJECT["license"]
    assert (ROOT / RECIPE["about"]["license_file"]).is_file()


def test_the_recipe_and_the_image_start_what_there_is() -> None:
    """conda tries these commands in what it has built; the image starts this one."""
    for command in RECIPE["test"]["commands"]:
        name, *arguments = command.split()
        assert (name, nofluke_said(*arguments).code) == ("nofluke", 0)
    image = (ROOT / "release" / "Dockerfile").read_text()
    entry, arguments = (json.loads(found) for found in re.findall(r"^(?:ENTRYPOINT|CMD) (.+)$", image, re.MULTILINE))
    assert (entry, arguments[0]) == (["nofluke"], "serve")
    assert nofluke_said(*arguments, "--help").code == 0
    extras = {extra for listed in re.findall(r"\[([\w,]+)\]'", image) for extra in listed.split(",")}
    assert extras <= set(PROJECT["optional-dependencies"])
    assert re.search(r"^USER [1-9]\d*$", image, re.MULTILINE)


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
