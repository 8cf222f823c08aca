"""A unit as a file: description, sources and, where a C compiler is at hand, the library for this machine."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from cardan.codegen.abroad.fmu.description import KINDS, build_description, description
from cardan.codegen.abroad.fmu.sources import source_of
from cardan.codegen.abroad.fmu.unit import Unit
from cardan.errors import CompileError
from cardan.formats.storing import written_beside

COMPILERS = ("cc", "gcc", "clang")
OPTIONS = ("-std=c99", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fvisibility=hidden")


def write_unit(unit: Unit, path: str | Path, *, kind: str, version: int, duration: float) -> Path:
    """Write the file, beside and renamed; returns its path."""
    if kind not in KINDS:
        raise CompileError(f"kind is one of {', '.join(map(repr, KINDS))}, found {kind!r}.", kind=kind)
    if version not in (2, 3):
        raise CompileError(f"version is 2 or 3 of FMI, found {version!r}.", version=version)
    target = Path(path)
    source = source_of(unit, version)
    entries = {
        "modelDescription.xml": description(unit, kind, version, duration).encode(),
        f"sources/{unit.identifier}.c": source.encode(),
    }
    if version == 3:
        entries["sources/buildDescription.xml"] = build_description(unit).encode()
    library = compiled(source)
    if library is not None:
        folder, ending = _place(version)
        entries[f"binaries/{folder}/{unit.identifier}{ending}"] = library
    with written_beside(target) as beside, zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in entries.items():
            bundle.writestr(name, content)
    return target


def compiled(source: str) -> bytes | None:
    """The shared library of C sources; None where there is no compiler, an error where it refuses them."""
    compiler = next((found for name in COMPILERS if (found := shutil.which(name))), None)
    if compiler is None or sys.platform == "win32":
        return None
    with tempfile.TemporaryDirectory() as folder:
        text, library = Path(folder, "unit.c"), Path(folder, "unit.so")
        text.write_text(source, encoding="utf-8")
        done = subprocess.run(
            [compiler, *OPTIONS, str(text), "-o", str(library), "-lm"], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise CompileError(f"{compiler} refused the sources of the unit:\n{done.stderr[:2000]}", source=source)
        return library.read_bytes()


def _place(version: int) -> tuple[str, str]:
    """Folder and ending of the library for this machine."""
    system = {"darwin": "darwin", "win32": "win"}.get(sys.platform, "linux")
    ending = {"darwin": ".dylib", "win": ".dll"}.get(system, ".so")
    if version == 2:
        return f"{system}64", ending
    machine = platform.machine().lower()
    architecture = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    return f"{architecture}-{ {'win': 'windows'}.get(system, system) }", ending
