"""Build wheel and sdist into dist/, and try them in empty environments: the core, each extra, and all (`make dist`).

Every Python 3.11 or newer that is present tries the core from the wheel; this one tries the sdist and the extras as
well. The bill of materials is that of nofluke[all].
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from smoke import PARTS

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
HERE = Path(__file__).parent
NEWEST = 20


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command; the first that fails ends it all."""
    # What is tried must be what was installed, not the repository.
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=known, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    print(done.stdout.strip().splitlines()[-1] if done.stdout.strip() else f"{Path(str(command[0])).name}: done")


def pythons() -> list[str]:
    """The Pythons on this machine that nofluke is for, this one first; some are only names of what is not installed."""
    named = [path for minor in range(11, NEWEST) if (path := shutil.which(f"python3.{minor}"))]
    wanted = "import sys; sys.exit(sys.version_info < (3, 11))"
    usable = [path for path in named if not subprocess.run([path, "-c", wanted], capture_output=True).returncode]
    own = f"python3.{sys.version_info.minor}"
    return [sys.executable, *(path for path in usable if Path(path).name != own)]


def tried(python: str, package: Path, extra: str = "") -> None:
    """Install a package with an extra into an empty environment and let the smoke test try it."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        run(python, "-m", "venv", place / "env")
        inside = place / "env" / "bin" / "python"
        wanted = f"nofluke{f'[{extra}]' if extra else ''} @ {package.as_uri()}"
        run(inside, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", ROOT / "constraints.txt", wanted)
        run(inside, HERE / "smoke.py", *([extra] if extra else []), cwd=place)
        if extra == "all":
            run(inside, HERE / "bill_of_materials.py", DIST / "sbom.json")


def main() -> None:
    """Build, then try."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "-d", DIST)
    wheel, sdist = next(DIST.glob("*.whl")), next(DIST.glob("*.tar.gz"))
    for python in pythons():
        tried(python, wheel)
    tried(sys.executable, sdist)
    for extra in (*sorted(PARTS), "all"):
        tried(sys.executable, wheel, extra)
    print(f"dist/: {wheel.name}, {sdist.name}, sbom.json")


if __name__ == "__main__":
    main()
