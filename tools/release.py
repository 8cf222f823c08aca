"""``python -m tools.release``: is the wheel what it should be? Built twice, installed alone, used, licences listed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LARGEST = 1_500_000  # bytes of the wheel; 1.77 MB when this was written, most of it sources, the page and its fonts
PROGRAM = """
import cardan as cd
from sympy import cos
s = cd.System("double pendulum")
a, b = s.coordinates("a b", on="S1")
s.lagrangian(a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b) + 9.81 * (2 * cos(a) + cos(b)))
run = s.simulate(10.0, q=[2.0, 1.0])
assert run.audit().energy_drift < 1e-6
assert run.report("pendulum.html").stat().st_size < 3_000_000
print("motion and report: fine")
"""
LICENCES = """
from importlib.metadata import distributions
for one in sorted(distributions(), key=lambda d: d.metadata["Name"].lower()):
    meta = one.metadata
    known = meta.get("License-Expression") or next(
        (c.split(" :: ")[-1] for c in meta.get_all("Classifier") or [] if c.startswith("License ::")), None)
    text = (known or (meta.get("License") or "see its files").splitlines()[0])[:60]
    print(f"{meta['Name']:24} {one.version:14} {text}")
"""


def built(folder: Path) -> Path:
    """The wheel of this tree, built from the files that git knows, with the page as it is built here."""
    source = folder / "source"
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in names.decode().split("\0"):
        if name and (ROOT / name).is_file():
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    page = ROOT / "src" / "cardan" / "report" / "static"
    shutil.copytree(page, source / page.relative_to(ROOT), dirs_exist_ok=True)
    for one in (source / page.relative_to(ROOT)).iterdir():
        os.utime(one)  # newer than its sources, which were copied before
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    subprocess.run(command, check=True)
    return next(folder.glob("cardan-*.whl"))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def try_alone(wheel: Path, folder: Path) -> str:
    """Install the wheel in a new environment, use it there, and list what was installed with it."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "alone")], check=True)
    python = folder / "alone" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)], check=True)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    for arguments in (["-m", "pip", "check"], ["-W", "error", "-c", PROGRAM], ["-m", "cardan.cli", "doctor"]):
        subprocess.run([python, *arguments], check=True, cwd=folder, env=environment)
    told = subprocess.run([python, "-c", LICENCES], check=True, capture_output=True, text=True, env=environment)
    return told.stdout


def main() -> int:
    """Everything in turn; the exit code is 1 where something is not as promised."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        wheel, again = built(Path(first)), built(Path(second))
        same, size = digest(wheel) == digest(again), wheel.stat().st_size
        print(f"{wheel.name}: {size} bytes, {len(zipfile.ZipFile(wheel).namelist())} files, sha256 {digest(wheel)}")
        print("built twice: the same bytes" if same else "built twice: NOT the same bytes")
        licences = try_alone(wheel, Path(first))
        target = ROOT / "output" / "licences.txt"
        target.parent.mkdir(exist_ok=True)
        target.write_text(licences, encoding="utf-8")
        print(licences + f"Wrote {target}")
    if size > LARGEST:
        print(f"The wheel is larger than {LARGEST} bytes.")
    return 0 if same and size <= LARGEST else 1


if __name__ == "__main__":
    sys.exit(main())
