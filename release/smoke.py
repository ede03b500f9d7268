"""What an installed nofluke must do, the core and each extra; `make dist` runs it far from the repository.

smoke.py EXTRA... exits 1 when something that these extras promise does not work, or when what they bring is missing
but used. Without extras it also checks that each extra is asked for by name where it is needed.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

# As Inspect 0.3.285 wrote it, but for the texts of its samples.
ARCHIVE = Path(__file__).resolve().parent / "inspect.eval"
ROWS = [("item", "new", "old"), *((f"q{k}", round(k % 10 / 20 + 0.1, 2), k % 10 / 20 + k % 3 / 50) for k in range(40))]


def said(*arguments: str, fails: bool = False) -> str:
    """What the installed command prints; it must end well, or with exit 2 and one message."""
    done = subprocess.run(
        [Path(sys.executable).parent / "nofluke", *arguments], capture_output=True, text=True, timeout=120
    )
    if done.returncode != (2 if fails else 0) or "Traceback" in done.stderr:
        raise SystemExit(f"nofluke {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stderr if fails else done.stdout


def core(folder: Path) -> None:
    """Compare, rank, plan, report, help."""
    assert "Usage" in said("--help")
    assert "better" in said("compare", "scores.csv", "--alternative", "greater") or "clear" in said(
        "compare", "scores.csv"
    )
    assert json.loads(said("rank", "scores.csv", "--format", "json"))["ok"]
    assert "787" in said("power", "plan", "--difference", "0.02", "--sd", "0.2")
    said("compare", "scores.csv", "-o", str(folder / "report.html"))
    assert "nofluke" in said("doctor")


def app(folder: Path) -> None:
    """Start the app, ask its pages and its help."""
    command = [Path(sys.executable).parent / "nofluke", "serve", "--port", "0", "--folder", str(folder / "data")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        address = running.stderr.readline().split(" at ")[1].split()[0].rstrip("/")
        try:
            for page in ("/", "/plan", "/help/tutorial.md", "/help/how-to/web-app.md", "/static/app.css"):
                assert status(address + page) == 200, page
        finally:
            running.terminate()


def status(address: str, patience: float = 60) -> int:
    """The status of a page, as soon as the server has started."""
    began = time.monotonic()
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except urllib.error.URLError:
            if time.monotonic() - began > patience:
                raise
            time.sleep(0.2)


def charts(folder: Path) -> None:
    """Draw."""
    said("compare", "scores.csv", "--chart", str(folder / "p.svg"), "--chart", str(folder / "p.png"))
    assert (folder / "p.svg").stat().st_size > 1000


def metrics(_folder: Path) -> None:
    """Score text."""
    assert "bleu" in said("score", "--metric", "bleu", "--gold", "ref.txt", "new.txt", "old.txt").lower()


def logs(_folder: Path) -> None:
    """Read an archive of Inspect's, packed by zstd."""
    assert "0.896" in said("compare", str(ARCHIVE), "--against", "0.5")


def studies(_folder: Path) -> None:
    """Train small systems."""
    said("study", "synthesize", "--example", "digits", "-q")


def cluster(_folder: Path) -> None:
    """Work through Dask on this machine."""
    said("test", "scores.csv", "--monte-carlo", "20000", "--workers", "2", "-q")
    import distributed  # noqa: F401


def mcp(folder: Path) -> None:
    """A session by the protocol's own client."""
    import anyio
    from mcp import Client, StdioServerParameters

    async def session() -> bool:
        command = StdioServerParameters(command=sys.executable, args=["-m", "nofluke", "mcp", str(folder)])
        async with Client(command) as client:
            return not (await client.call_tool("compare", {"paths": ["scores.csv"]})).is_error

    assert anyio.run(session)


PARTS = {
    "app": app,
    "charts": charts,
    "cluster": cluster,
    "logs": logs,
    "mcp": mcp,
    "metrics": metrics,
    "studies": studies,
}
LACKING = {
    "app": ["serve", "--port", "0"],
    "charts": ["compare", "scores.csv", "--chart", "p.svg"],
    "metrics": ["score", "--metric", "bleu", "--gold", "ref.txt", "new.txt"],
    "mcp": ["mcp"],
    "studies": ["study", "synthesize", "--example", "digits"],
    "cluster": ["test", "scores.csv", "--monte-carlo", "20000", "--cluster", "tcp://127.0.0.1:9"],
}
if sys.version_info < (3, 14):  # from then on Python unpacks it by itself
    LACKING["logs"] = ["compare", str(ARCHIVE), "--against", "0.5"]


def main() -> None:
    """Try the core, and the extras that are named."""
    extras = list(PARTS) if sys.argv[1:] == ["all"] else sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        os.chdir(folder)
        os.environ["NOFLUKE_CACHE"] = str(folder / "cache")
        with (folder / "scores.csv").open("w", newline="") as file:
            csv.writer(file).writerows(ROWS)
        for name, line in (("ref", "the cat sat on the mat"), ("new", "the cat sat on a mat"), ("old", "a cat on mat")):
            (folder / f"{name}.txt").write_text(f"{line}\n" * 20)
        core(folder)
        for extra in extras:
            PARTS[extra](folder)
        for extra, command in {} if extras else LACKING.items():
            told = said(*command, fails=True)
            assert f"nofluke[{extra}" in told, f"{extra} is lacking, and this is told: {told}"
    print(f"installed {sys.executable}: core{''.join(f', {extra}' for extra in extras)} fine")


if __name__ == "__main__":
    main()
