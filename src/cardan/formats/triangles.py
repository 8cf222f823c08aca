"""Triangles as files hold them, and the refusal of a file that holds none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardan.errors import FileError


@dataclass(frozen=True)
class Triangles:
    """Vertices (n, 3), and faces (m, 3) as indices of them."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]


@dataclass(frozen=True)
class Coloured:
    """Triangles of one colour ("#c0c0c0"), or of none."""

    mesh: Triangles
    colour: str | None = None


def joined(parts: Sequence[Coloured]) -> Triangles:
    """All parts as one mesh."""
    sizes = np.cumsum([0, *(len(one.mesh.vertices) for one in parts)])
    vertices = [np.zeros((0, 3)), *(one.mesh.vertices for one in parts)]
    faces = [np.zeros((0, 3), dtype=np.int64)]
    faces += [one.mesh.faces + start for one, start in zip(parts, sizes, strict=False)]
    return Triangles(np.concatenate(vertices), np.concatenate(faces))


def hex_colour(parts: Sequence[float]) -> str:
    """Red, green and blue between 0 and 1 as "#rrggbb"."""
    return "#" + "".join(f"{round(255 * min(max(float(one), 0.0), 1.0)):02x}" for one in parts)


def refused(path: Path, problem: str, line: int = 0) -> FileError:
    """The refusal of a mesh, with file and line."""
    where = f"{path}:{line}" if line else str(path)
    return FileError(f"{where}: {problem}", file=str(path), line=line, field="", problem=problem)
