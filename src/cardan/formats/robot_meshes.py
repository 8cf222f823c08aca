"""Where the meshes are that a robot file names: beside it, in its package, or below a given root.

``package://NAME/meshes/arm.stl`` is a path in the package of that name. The package is the folder of that name in which
the robot file lies, or one in the folder of the file or in the root. Nothing else is looked for, and files that are not
there are told and not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cardan.errors import FileError
from cardan.formats.meshes import beside
from cardan.model.appearances import MESHES

PACKAGES = ("package://", "model://")
HIGHEST = 6  # folders above the file among which its package is looked for


class MeshFinder:
    """Finds meshes of one robot file; ``found`` has them by the names of the file, ``missing`` says why not."""

    def __init__(self, file: str, root: str | Path | None) -> None:
        self.file, self.root = file, root
        self.found: dict[str, Path] = {}
        self.missing: dict[str, str] = {}

    def find(self, name: str) -> Path | None:
        """The file that a name means, or None."""
        if name not in self.found and name not in self.missing:
            try:
                self.found[name] = self._looked_for(name)
            except FileError as problem:
                self.missing[name] = str(problem)
        return self.found.get(name)

    def notes(self) -> Iterator[str]:
        """One line for each reason, with the first mesh that it keeps away."""
        if self.missing:
            name, why = next(iter(self.missing.items()))
            others = f", and {len(self.missing) - 1} more meshes" if len(self.missing) > 1 else ""
            yield f"not drawn: the mesh {name[:80]!r}{others}; {why}"

    def _looked_for(self, name: str) -> Path:
        if not name.lower().endswith(MESHES):
            raise FileError(f"meshes end with {' or '.join(MESHES)}.")
        name = name.removeprefix("package:///")  # no package: beside the file, as onshape-to-robot writes it
        scheme = next((one for one in PACKAGES if name.startswith(one)), None)
        if scheme is None:
            path = beside(self.file, name, self.root)
            if not path.is_file():
                raise FileError(f"there is no file {name[:80]!r} beside the model.")
            return path
        package, _, inside = name.removeprefix(scheme).partition("/")
        for folder in self._packages(package):
            path = (folder / inside).resolve()
            if inside and path.is_relative_to(folder) and path.is_file():
                return path
        raise FileError(f"the package {package[:60]!r} was not found; give its folder as root=FOLDER (--root FOLDER).")

    def _packages(self, name: str) -> Iterator[Path]:
        """Folders that a package of this name may be."""
        if not name or name in (".", "..") or "\\" in name or "\0" in name:
            return
        own = Path(self.file).resolve().parent
        roots = [own] if self.root is None else [Path(self.root).resolve(), own]
        for root in roots:
            yield from (one for one in (root, root / name) if one.name == name)
        yield from (one for one in list(own.parents)[:HIGHEST] if one.name == name)
