"""Draw docs/images/app.png, the app's answer in the README: `python docs/app_picture.py` starts the app and a browser.

It is drawn by hand after the page has changed: a photograph depends on the fonts and the browser of a machine, so that
docs/generate.py, which draws the other pictures, could not say whether this one is current.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

DOCS = Path(__file__).parent
PICTURE = DOCS / "images" / "app.png"
SHOWN = DOCS / "examples" / "translation.csv"
PORT = 8799
WIDTH, HEIGHT = 1000, 640


def photographed(browser: Browser, address: str) -> bytes:
    """Drop the example file into the app, as a user does, and give a picture of the answer."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
    page.goto(address)
    page.locator("#file").set_input_files(SHOWN)
    page.locator(".verdict h1").wait_for()
    page.wait_for_load_state("networkidle")
    return page.screenshot(animations="disabled")


def main() -> None:
    """Start the app on an empty folder, and write the picture."""
    chromium = os.environ.get("NOFLUKE_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "nofluke", "serve", "--port", str(PORT), "--workers", "1", "--folder", folder]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as app:
            try:
                next(iter(app.stderr or ()), "")  # it says where it listens, once it does
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                PICTURE.write_bytes(photographed(browser, f"http://127.0.0.1:{PORT}"))
            finally:
                app.terminate()
    print(f"wrote {PICTURE.relative_to(DOCS.parent)}, {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
