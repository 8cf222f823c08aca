"""A real browser without a window, for tests, screenshots and measurements.

The browser is the system's own Chromium, Chrome or Edge; nothing is downloaded past the package manager. ``python -m
tools.browser`` finds it, installs it where it can (``apt-get``, as root), and otherwise says how to.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

VARIABLE = "CARDAN_BROWSER"
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
PLACES = (  # where installers of macOS and Windows put them, which is on no path
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
    r"%ProgramFiles%\Microsoft\Edge\Application\msedge.exe",
)
FLAGS = (
    "--headless=new",
    "--use-angle=swiftshader",  # WebGL without a graphics card, composed where it is drawn: no reading back
    "--enable-unsafe-swiftshader",  # the pages are our own
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PACKAGES = ("chromium", "fonts-dejavu-core")
TRIES = 4
HOW = f"""The browser tests need Chromium, Chrome or Edge, and none was found. Install one:
    Debian, Ubuntu   sudo apt-get install chromium
    Fedora           sudo dnf install chromium
    macOS            brew install --cask chromium
    Windows          Edge is part of it; otherwise winget install Google.Chrome
or name a program: {VARIABLE}=/path/to/chromium make test"""


def found() -> str | None:
    """The browser's program: what the environment names, what is on the path, what stands in the usual places."""
    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    on_path = (shutil.which(name) for name in NAMES)
    in_place = (place for place in map(os.path.expandvars, PLACES) if Path(place).is_file())
    return next((one for one in (*on_path, *in_place) if one), None)


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def install() -> str:
    """The browser's program, installed first if this is a Debian and we are its root; otherwise the way out is said."""
    program = found()
    if program is None and os.environ.get(VARIABLE) is None and is_root() and shutil.which("apt-get"):
        print("Installing Chromium for the browser tests (once)", file=sys.stderr)
        for delay in range(TRIES):
            time.sleep(5 * delay)  # mirrors and locks recover
            if _apt("update") and _apt("install", "--yes", "--no-install-recommends", *PACKAGES):
                break
        program = found()
    if program is None:
        sys.exit(HOW)
    return program


def _apt(*words: str) -> bool:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(["apt-get", "-qq", *words], env=quiet, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr.strip() or done.stdout.strip(), file=sys.stderr)
    return done.returncode == 0


@contextmanager
def started(*flags: str) -> Iterator[Any]:
    """A running browser with an empty profile, as Playwright sees it."""
    from playwright.sync_api import sync_playwright

    program = found()
    if program is None:
        raise FileNotFoundError(HOW)
    with sync_playwright() as playwright:
        # Root has no sandbox to put the pages in; everybody else keeps it.
        launch = playwright.chromium.launch
        browser = launch(executable_path=program, args=[*FLAGS, *flags], chromium_sandbox=not is_root())
        try:
            yield browser
        finally:
            browser.close()


if __name__ == "__main__":
    print(install())
