"""Build the documentation site into site/, without network: `make site`.

The pages are those of docs/, as they are, and what is collected or drawn while the site is built: the gallery, the
Python reference, changes, how to contribute, and measured speed. All are put into one folder, which the generator
(zensical, by mkdocs.yml) turns into pages; it ends with an error where a link or an anchor points nowhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

from docstrings import python_page
from gallery import gallery
from generate import DOCS, ROOT, run
from notebooks import as_page

SOURCE = ROOT / "build" / "site-source"
SITE = ROOT / "site"
# Pages that live elsewhere in the repository -> their place on the site.
ELSEWHERE = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/RESULTS.md": "speed.md",
    "release/README.md": "releasing.md",
    "SECURITY.md": "security.md",
}
# Pictures are drawn for white paper, also where the page is dark.
# What a notebook prints is scrolled on a phone, not the page.
STYLE = """img[src$=".svg"] { background: white; border-radius: 4px; padding: 4px; }
.md-typeset pre, .output { overflow-x: auto; }
.output table.dataframe { border: 0; border-collapse: collapse; font-size: .64rem; white-space: nowrap; margin: 1em 0; }
.output table.dataframe :is(th, td) { border: 0; border-bottom: 1px solid #8884; padding: .25em .7em; }
"""
_LINK = re.compile(r"(\]\()((?:\.\./)*)([^)#\s:]+)((?:#[^)]*)?\))")


def assemble() -> None:
    """Put all pages into one folder."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(DOCS, SOURCE, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (SOURCE / "pictures.css").write_text(STYLE, encoding="utf-8")
    (SOURCE / "examples" / "README.md").rename(SOURCE / "examples" / "index.md")
    for page, place in ELSEWHERE.items():
        (SOURCE / place).write_text((ROOT / page).read_text(encoding="utf-8"), encoding="utf-8")
    for notebook in (DOCS / "notebooks").glob("*.ipynb"):
        (SOURCE / "notebooks" / f"{notebook.stem}.md").write_text(as_page(notebook), encoding="utf-8")
    (SOURCE / "python.md").write_text(python_page(), encoding="utf-8")
    (SOURCE / "gallery.md").write_text(gallery(SOURCE / "drawn", run), encoding="utf-8")
    for page in SOURCE.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(_LINK.sub(partial(_moved, page), text), encoding="utf-8")


def _moved(page: Path, link: re.Match[str]) -> str:
    """A link as it reads on the site: to what has moved, and to folders, which have no page."""
    opening, up, target, closing = link.groups()
    here = page.relative_to(SOURCE)
    # Pages from elsewhere in the repository link from their old place.
    old = next((Path(old) for old, new in ELSEWHERE.items() if new == str(here)), Path("docs") / here)
    wanted = (ROOT / old.parent / up / target).resolve()
    if not wanted.exists() or not wanted.is_relative_to(ROOT):
        return link[0]
    inside = wanted.relative_to(ROOT).as_posix()
    place = ELSEWHERE.get(inside, inside.removeprefix("docs/"))
    if place == "examples/README.md":
        place = "examples/index.md"
    if not (SOURCE / place).is_file():
        return link[0]
    depth = len(here.parts) - 1
    return f"{opening}{'../' * depth}{place}{closing}"


def foreign(folder: Path) -> list[str]:
    """Scripts, styles, fonts and pictures that a page would fetch from elsewhere."""
    fetched = re.compile(
        r"<(?:script|img|iframe)[^>]*\ssrc=\"https?:|<link[^>]*rel=\"(?:stylesheet|preconnect)\"[^>]*https?:"
    )
    return [
        f"{page.relative_to(folder)} fetches something from elsewhere"
        for page in folder.rglob("*.html")
        if fetched.search(page.read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Build the site; give the number of problems, at most 1."""
    assemble()
    built = subprocess.run(
        [Path(sys.executable).parent / "zensical", "build", "--strict", "--clean"], cwd=ROOT, check=False
    )
    if built.returncode:
        return 1
    problems = foreign(SITE)
    for problem in problems:
        print(problem)
    print(f"site/index.html: {len(list(SITE.rglob('*.html')))} pages, {len(problems)} problems")
    return min(len(problems), 1)


if __name__ == "__main__":
    sys.exit(main())
