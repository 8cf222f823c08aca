"""The package as a whole: version, size of files, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cardan

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "cardan").rglob("*.py"))
LONGEST_FILE = 400
HEAVY = ("sympy", "matplotlib", "llvmlite", "scipy", "pydantic", "starlette", "uvicorn", "websockets")
SERVERS = ("starlette", "uvicorn", "websockets", "matplotlib")


def test_version_is_the_one_in_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert cardan.__version__ == project["version"]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT / "src").as_posix())
def test_a_file_holds_one_idea(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_FILE, f"{path.name} has {lines} lines: which two things is it?"


def test_importing_cardan_loads_nothing_heavy() -> None:
    program = f"import sys, cardan; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == [], f"`import cardan` also imports {', '.join(loaded)}"


def test_every_public_name_can_be_reached() -> None:
    missing = [name for name in getattr(cardan, "__all__", ()) if not hasattr(cardan, name)]
    assert missing == [], "cardan.__all__ promises names that do not exist"


def test_simulating_loads_no_web_server() -> None:
    program = (
        "import sys, cardan as cd\n"
        "s = cd.System('s'); x = s.coordinates('x'); s.lagrangian(x.dot**2 / 2); s.simulate(0.1, v=[1.0])\n"
        f"print(*[name for name in {SERVERS!r} if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == [], f"simulating also imports {', '.join(loaded)}"
