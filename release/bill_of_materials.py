"""Write dist/sbom.json: every package that nofluke[all] brings, with version and licence (CycloneDX 1.5).

Runs in the environment whose packages are listed; `make dist` does so in one that holds nofluke[all] alone.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

_FREE_TEXT = 60  # characters: longer ones are the licence itself, not its name


def licence(of: Distribution) -> str:
    """The name of a licence, from where its package says it."""
    fields: Any = of.metadata
    stated = fields.get("License-Expression") or fields.get("License") or ""
    classified = [one.split(" :: ")[-1] for one in fields.get_all("Classifier") or () if one.startswith("License ::")]
    return stated if 0 < len(stated) <= _FREE_TEXT else ", ".join(classified) or "not stated"


def component(of: Distribution) -> dict[str, Any]:
    """One package as CycloneDX writes it."""
    name = str(of.metadata["Name"])
    return {
        "type": "library",
        "name": name,
        "version": of.version,
        "purl": f"pkg:pypi/{name.lower().replace('_', '-')}@{of.version}",
        "licenses": [{"license": {"name": licence(of)}}],
    }


def main() -> None:
    """Write the list of this environment's packages to the file that is named."""
    own = {"nofluke", "pip", "setuptools"}
    found = [one for one in distributions() if one.metadata["Name"] not in own]
    parts = [component(one) for one in sorted(found, key=lambda one: one.metadata["Name"].lower())]
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": parts}
    Path(sys.argv[1]).write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")
    unknown = [one["name"] for one in parts if one["licenses"][0]["license"]["name"] == "not stated"]
    print(f"{sys.argv[1]}: {len(found)} packages" + (f"; licence not stated: {', '.join(unknown)}" if unknown else ""))


if __name__ == "__main__":
    main()
