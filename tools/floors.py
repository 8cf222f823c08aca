"""``python -m tools.floors``: do the oldest releases that pyproject.toml allows still work?

A new environment gets the lowest version of every direct dependency, Cardan, and what the tests need; then programs and
tests that touch every dependency run there. Needs ``uv`` (``pip install uv``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tools.locking import ROOT, uv
from tools.release import PROGRAM

TESTED_WITH = ("pytest", "hypothesis", "mujoco")  # newest: they are no dependencies
TESTS = (  # at least one folder for each dependency
    "tests/unit/native",  # llvmlite
    "tests/unit/codegen",
    "tests/unit/equations",  # sympy
    "tests/unit/simulation",  # scipy, numpy
    "tests/unit/formats",  # pydantic, PyYAML
    "tests/unit/cli",  # typer, rich
    "tests/unit/viewer",  # starlette, uvicorn, websockets
    "tests/unit/report",  # matplotlib
    "tests/unit/studies/test_kept_runs.py",  # zarr
)


def floors() -> dict[str, str]:
    """The lower bound of each dependency."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dict(one.split(">=") for one in project["dependencies"])


def environment(folder: Path) -> Path:
    """A new environment with the lowest direct dependencies and this source tree; its Python."""
    program = uv()
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([program, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    install = [program, "pip", "install", "--quiet", "--python", str(python)]
    subprocess.run([*install, "--resolution", "lowest-direct", str(ROOT)], check=True)
    pins = [f"{name}=={version}" for name, version in installed(python).items()]
    subprocess.run([*install, *TESTED_WITH, *pins], check=True)
    return python


def installed(python: Path) -> dict[str, str]:
    """The versions that the environment has of each dependency."""
    words = "import importlib.metadata as m, sys; print(*(m.version(n) for n in sys.argv[1:]))"
    told = subprocess.run([python, "-c", words, *floors()], check=True, capture_output=True, text=True).stdout
    return dict(zip(floors(), told.split(), strict=True))


def main(tests: list[str]) -> int:
    """Make it, say what is in it, use it."""
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder) / "lowest")
        for name, version in installed(python).items():
            print(f"{name:12} asked for {floors()[name]:8} installed {version}")
        outside = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run([python, "-W", "error", "-c", PROGRAM], check=True, cwd=folder, env=outside)
        chosen = tests or [one for one in TESTS if (ROOT / one).exists()]
        command = [python, "-m", "pytest", "-q", "-m", "not long", "-p", "no:cacheprovider", *chosen]
        return subprocess.run(command, cwd=ROOT, env=outside).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
