"""Manifests: what a folder of results holds, file by file with its SHA-256, so that every changed byte is found."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from cardan.errors import StoreError

MANIFEST = "manifest.json"
PACKAGES = ("cardan", "numpy", "sympy", "llvmlite", "scipy", "zarr")


def canonical(content: Any) -> bytes:
    """JSON in one form only: equal contents are equal bytes."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=True).encode()


def sealed(content: dict[str, Any]) -> bytes:
    """The content with its own SHA-256 behind it."""
    text = canonical(content)
    return text + b"\n" + hashlib.sha256(text).hexdigest().encode() + b"\n"


def unsealed(data: bytes, what: str) -> dict[str, Any]:
    """The content of what ``sealed`` made; StoreError where a byte of it has changed."""
    text, _, seal = data.partition(b"\n")
    if seal != hashlib.sha256(text).hexdigest().encode() + b"\n":
        raise StoreError(f"{what} is damaged: its SHA-256 is not that of its content.", path=what)
    found: dict[str, Any] = json.loads(text)
    return found


def read_sealed(path: Path) -> dict[str, Any]:
    """The content of a sealed file."""
    try:
        return unsealed(path.read_bytes(), str(path))
    except OSError as problem:
        raise StoreError(f"{path} cannot be read: {problem.strerror or problem}.", path=str(path)) from None


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            found.update(part)
    return found.hexdigest()


def files_in(folder: Path) -> list[str]:
    """Names of all files below a folder, but the manifest, in order."""
    found = (one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file())
    return sorted(one for one in found if one != MANIFEST)


def damages(folder: Path, files: dict[str, str]) -> list[str]:
    """What is missing, new or changed in a folder, compared with a list of files and their SHA-256."""
    there = files_in(folder)
    found = [f"{name} is missing" for name in files if name not in there]
    found += [f"{name} is not in the manifest" for name in there if name not in files]
    return found + [f"{name} has changed" for name in there if name in files and digest(folder / name) != files[name]]


def circumstances() -> dict[str, str]:
    """Where numbers were made: versions and processor."""
    return {**{name: _version(name) for name in PACKAGES}, "python": platform.python_version(), "cpu": processor()}


def processor() -> str:
    """The processor and its features as the compiler sees them."""
    from cardan.native.engine import host

    machine = host()
    return f"{machine.triple} {machine.cpu} {hashlib.sha256(machine.features.encode()).hexdigest()[:12]}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"


def flushed(path: Path) -> None:
    """Have the system write a file, or the names in a folder, to its disk."""
    if os.name == "nt" and path.is_dir():
        return  # folders cannot be opened there
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
