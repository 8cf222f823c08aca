"""Where the files come from: wheels, downloaded without what they depend on, and packages that are installed."""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

WHEELS = (
    "brax==0.14.2",
    "dm-control==1.0.50",
    "dm-robotics-moma",
    "gymnasium==1.4.0",
    "gymnasium-robotics==1.4.2",
    "mani-skill==3.0.1",
    "metaworld==3.1.1",
    "myosuite==3.0.0",
    "pybullet==3.2.7",
    "robosuite==1.5.2",
    "robosuite-models",
)
INSTALLED = {
    "example-robot-data": "cmeel.prefix/share/example-robot-data",
    "drake": "pydrake/share/drake",
}
ENDINGS = (".urdf", ".xml", ".mjcf", ".sdf")
SAID = {".urdf": ("<robot",), ".sdf": ("<sdf",), ".xml": ("<mujoco", "<robot"), ".mjcf": ("<mujoco",)}
MANY = "random_urdfs"  # a thousand objects of one kind, of which every tenth is read


@dataclass(frozen=True)
class RobotFile:
    """One file, its package, and the folder below which what it names may lie."""

    package: str
    path: Path
    root: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(self.root).as_posix()


def gathered(folder: Path) -> list[RobotFile]:
    """All files, each content once."""
    roots = {requirement.split("==")[0]: _unpacked(requirement, folder) for requirement in WHEELS}
    roots |= {name: root for name, below in INSTALLED.items() if (root := _installed(below)) is not None}
    found: list[RobotFile] = []
    seen: set[str] = set()
    for package, root in sorted(roots.items()):
        for path in sorted(root.rglob("*")):
            if path.suffix not in ENDINGS or not path.is_file() or (MANY in path.parts and path.parent.name[-1] != "0"):
                continue
            text = path.read_bytes()
            key = hashlib.sha256(text + str(path.parent).encode()).hexdigest()
            if any(word.encode() in text for word in SAID[path.suffix]) and key not in seen:
                seen.add(key)
                found.append(RobotFile(package, path, root))
    return found


def _unpacked(requirement: str, folder: Path) -> Path:
    """The content of a wheel, downloaded once."""
    target = folder / requirement.split("==")[0]
    if not target.is_dir():
        wheels = folder / "wheels"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(wheels), requirement]
        subprocess.run(command, check=True)
        stem = requirement.split("==")[0].replace("-", "_")
        with zipfile.ZipFile(next(wheels.glob(f"{stem}-*.whl"))) as wheel:
            wheel.extractall(target)
    return target


def _installed(below: str) -> Path | None:
    """A folder of an installed package."""
    import site

    folders = [Path(one) / below for one in [*site.getsitepackages(), *sys.path]]
    found = next((one for one in folders if one.is_dir()), None)
    if found is None and below.startswith("pydrake") and (spec := importlib.util.find_spec("pydrake")) is not None:
        found = Path(str(spec.origin)).parent / "share/drake"
    return found
