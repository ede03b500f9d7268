"""What a copy of nofluke says of options that were added to it: a program, run in a process of its own.

`add_options` makes the copy; `python one_more_option.py DOCS` prints what every surface of it shows, as JSON.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

HELP = "A colour that changes nothing."
# File -> the line before which an option of a verb is added.
VERBS = {
    "verbs/compare.py": "    alternative: Alternative = ",
    "verbs/rank.py": "    adjust: Annotated[",
    "verbs/replicate.py": "    a: SystemA = ",
    "verbs/test.py": "    alternative: Alternative = ",
    "verbs/agree.py": "    others: Annotated[",
    "verbs/gate.py": "    tasks: Annotated[",
    "verbs/bayes.py": "    rope: Rope = ",
    "verbs/estimate.py": "    confidence_level: ConfidenceLevel = ",
    "verbs/power_curve.py": "    form: Annotated[",
    "inference/power/terms.py": "    alpha: TestLevel = ",
    "studies/pairs/gains.py": "    special: Annotated[",
    "studies/audit_study.py": "    alpha: Annotated[",
}
METHODS = {
    "inference/tests/permutation.py": "    monte_carlo: ",
    "inference/agreement/cohen_kappa.py": "    weights: Annotated[",
    "metrics/translation.py": "    smooth_method: ",
}
READING = {"option_groups.py": "    columns: Columns = "}
# Public name -> what is typed to ask it, the action of the API, and the page; "" where there is none.
ASKED = {
    "compare": ("compare scores.csv", "compare", "/compare"),
    "rank": ("rank scores.csv", "rank", "/rank"),
    "replicate": ("replicate datasets.csv --columns dataset=dataset", "replicate", "/replicate"),
    "test": ("test scores.csv", "test", ""),
    "agree": ("agree ratings.csv", "agree", "/agree"),
    "gate": ("gate --baseline one.csv --candidate one.csv", "gate", ""),
    "bayes": ("", "bayes", ""),
    "estimate": ("", "estimate", ""),
    "power_curve": (
        "power curve scores.csv --difference 1 --sizes 20,40 --iterations 20",
        "power_curve",
        "",
    ),
    "sample_size": ("power plan --difference 1 --sd 2", "sample_size", "/plan"),
    "power": ("power plan --difference 1 --sd 2 --n 9", "power", ""),
    "detectable_effect": ("power detect --n 9 --sd 2", "detectable_effect", ""),
    "studies.gains": ("study gains many.csv", "", ""),
    "studies.audit": ("study audit scores.csv --iterations 100", "", ""),
}


def add_options(package: Path, folder: Path) -> None:
    """Copy the package with an option more for verbs (shade), for methods (hue) and for reading (tint)."""
    shutil.copytree(package, folder / "nofluke", ignore=shutil.ignore_patterns("__pycache__"))
    for name, places in (("shade", VERBS), ("hue", METHODS), ("tint", READING)):
        said = f'"{HELP}"' if places is METHODS else f'Opt("{HELP}")'
        for file, before in places.items():
            path = folder / "nofluke" / file
            first, place, rest = path.read_text().partition(before)
            assert place, f"{file} has no line {before!r}"
            # Fields of a group stand alone, parameters have commas.
            end = "" if file in ("inference/power/terms.py", "option_groups.py") else ","
            path.write_text(f'{first}    {name}: Annotated[str, {said}] = "grey"{end}\n{place}{rest}')


def write_data(folder: Path) -> None:
    """Write the files that the commands read."""
    rows = [(i, i * 7 % 5, i * 3 % 4) for i in range(30)]
    (folder / "scores.csv").write_text("item,new,old\n" + "".join(f"i{i},{a},{b}\n" for i, a, b in rows))
    (folder / "datasets.csv").write_text(
        "dataset,item,new,old\n" + "".join(f"d{i % 3},i{i},{a},{b}\n" for i, a, b in rows)
    )
    (folder / "one.csv").write_text("item,accuracy\n" + "".join(f"q{i},{i % 2}\n" for i in range(40)))
    (folder / "ratings.csv").write_text("item,ann,bob\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(30)))
    many = "".join(f"{i}," + ",".join(str(i * step % 7) for step in range(1, 9)) + "\n" for i in range(60))
    (folder / "many.csv").write_text("item," + ",".join(f"s{step}" for step in range(1, 9)) + "\n" + many)


def sections(page: str) -> dict[str, str]:
    """The help of every command, from the page that shows them all."""
    parts = re.split(r"^## `nofluke (.*?) --help`$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def repeated(typed: str, option: str) -> list[Any]:
    """Run a command with the option and save it; and what a run from that file saves in turn."""
    from support.command_line import nofluke

    words = typed.split()
    runs = [
        nofluke(*words, f"--{option}", "blue", "--save-config", "run.toml", "-q"),
        nofluke(
            *words[: 2 if words[0] in ("power", "study") else 1], "--config", "run.toml", "--save-config", "2.toml"
        ),
    ]
    failed = [run.err for run in runs if run.code]
    if failed:
        return failed
    saved, again = (Path(name).read_text() for name in ("run.toml", "2.toml"))
    return [f'{option} = "blue"' in saved, again == saved]


@contextlib.contextmanager
def app() -> Iterator[tuple[Any, Any]]:
    """The local app, and a client of it."""
    from fastapi.testclient import TestClient

    from nofluke.web.app import create_app

    with tempfile.TemporaryDirectory() as folder:
        made = create_app(Path(folder), workers=1)
        with TestClient(made, base_url="http://127.0.0.1") as client:
            yield made, client


def shown() -> dict[str, Any]:
    """What every surface shows of the options that were added."""
    from generate import cli_page, methods_page

    import nofluke as nf
    from nofluke.web.form_data import reading_fields
    from nofluke.web.forms import settings_fields
    from support.command_line import nofluke

    helps = sections(cli_page())
    found: dict[str, Any] = {}
    with app() as (made, client):
        schemas = made.openapi()["components"]["schemas"]
        fields = {name: schema.get("properties", {}) for name, schema in schemas.items()}
        for name, (typed, action, page) in ASKED.items():
            verb = reduce(getattr, name.split("."), nf)
            command = " ".join(typed.split()[: 2 if typed.startswith(("power", "study")) else 1])
            said: dict[str, Any] = {"python": inspect.signature(verb).parameters["shade"].default}
            if typed:
                said["help"] = "--shade TEXT" in helps[command] and HELP in " ".join(helps[command].split())
                said["toml"] = repeated(typed, "shade")
            if action:
                asked = fields[f"{action.title().replace('_', '')}Request"]["shade"]
                said["api"] = [asked["default"], asked["description"]]
                said["form"] = [settings_fields(action)["shade"].label, settings_fields(action)["shade"].shown_default]
            if page:
                linked = client.get(f"{page}?shade=blue").text
                said["page"] = ['name="shade"' in linked, 'value="blue"' in linked]
            found[name] = said
        explained = client.get("/docs").text
        pages = {name: client.get(f"/{name}").text for name in ("compare", "rank", "replicate", "agree")}
    report = nofluke("compare", "scores.csv", "--shade", "blue", "--tint", "red", "--format", "html").out
    return {
        "verbs": found,
        "explained": explained.count(HELP) - sum("tint" in one for one in fields.values()),
        "report": [name in report.replace("&#39;", "'") for name in ("shade='blue'", "tint='red'", "--shade blue")],
        "methods": {
            "python": [one.name for several in nf.methods().values() for one in several if "hue" in one.option_names()],
            "docs": methods_page().count(f"| `hue` | str | grey | {HELP} |"),
            "help": [command for command, text in helps.items() if "--hue TEXT" in text],
            "pages": [
                f'name="option_{method}_hue"' in pages[page]
                for page, method in (("compare", "permutation"), ("rank", "permutation"), ("agree", "cohen_kappa"))
            ],
            "toml": [
                repeated(f"{one} --method permutation", "hue") for one in ("compare scores.csv", "rank scores.csv")
            ],
        },
        "reading": {
            "python": [inspect.signature(verb).parameters["tint"].default for verb in (nf.read, nf.score)],
            "api": [name for name, one in fields.items() if "tint" in one],
            "form": [reading_fields()["tint"].label, reading_fields()["tint"].shown_default],
            "pages": [name for name, text in pages.items() if 'name="tint"' in text],
            "help": [command for command, text in helps.items() if "--tint TEXT" in text],
            "toml": repeated("compare scores.csv", "tint"),
            "read": len(nf.read("scores.csv", tint="blue").systems),
        },
    }


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    sys.stdout.write(json.dumps(shown()))
