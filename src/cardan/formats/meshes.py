"""Triangles from STL (binary and text), OBJ, COLLADA, GLB and MSH files; what is not plainly a mesh is refused.

A file is read once, up to a size, and nothing in it is followed: materials, includes and textures that an OBJ file
names are not opened. What is refused raises FileError with file and line (0 in binary files), and is not quoted.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardan.errors import FileError
from cardan.formats.collada import read_collada
from cardan.formats.gltf import read_gltf
from cardan.formats.numerals import decimal
from cardan.formats.opening import open_plain
from cardan.formats.triangles import Coloured, Triangles, joined, refused
from cardan.model.appearances import MESHES

MOST_BINARY = 10_000_000  # bytes, two hundred thousand triangles
MOST_TEXT = 10_000_000
MOST_TRIANGLES = 200_000
MOST_CORNERS = 1_000  # of one polygon
FARTHEST = 1e9  # from the origin, in the file's own units
HEADER, RECORD = 84, 50  # bytes before the triangles of a binary STL, and of each

VERTEX = re.compile(rb"^[ \t]*vertex[ \t]+(\S{1,40})[ \t]+(\S{1,40})[ \t]+(\S{1,40})[ \t]*$")
STL_WORDS = (b"solid", b"facet", b"outer", b"endloop", b"endfacet", b"endsolid")
OBJ_IGNORED = (b"vn", b"vt", b"vp", b"o", b"g", b"s", b"l", b"p", b"usemtl", b"mtllib")


def read_mesh(path: str | Path) -> Triangles:
    """The triangles of a mesh file."""
    return joined(read_coloured(path))


def read_coloured(path: str | Path) -> list[Coloured]:
    """The triangles of a file by colour; only DAE and GLB files have some."""
    place = Path(path)
    ending = place.suffix.lower()
    if ending not in (".dae", ".glb"):
        return [Coloured(_read(place))]
    parts = read_collada(place) if ending == ".dae" else read_gltf(_content(place), place)
    _checked(joined(parts), place)
    return parts


def _read(place: Path) -> Triangles:
    content = _content(place)
    if place.suffix.lower() == ".obj":
        return _checked(_obj(content, place), place)
    if place.suffix.lower() == ".msh":
        return _checked(_msh(content, place), place)
    return _checked(_binary_stl(content, place) if _is_binary(content) else _text_stl(content, place), place)


def beside(model_file: str, name: str, root: str | Path | None = None) -> Path:
    """The mesh that a model file names: in its own folder or below it (or below ``root``), and nowhere else."""
    return below(model_file, name, MESHES, "mesh", root)


def below(model_file: str, name: str, endings: tuple[str, ...], what: str, root: str | Path | None = None) -> Path:
    """A file that a model file names, with one of these endings: below the folder of the model, or below ``root``.

    The path is normalised first, links included, and judged then: parts such as ``.`` and ``..`` may stand in it as
    long as it ends where it may.
    """
    if not name or "\\" in name or ":" in name or "\0" in name or name.startswith("/"):
        raise FileError(
            f"the {what} {name[:80]!r} is no path below the model file. Put the {what} beside the model and name it "
            f"like parts/arm{endings[0]}."
        )
    if not name.lower().endswith(endings):
        raise FileError(f"the {what} {name[:80]!r} should end with {' or '.join(endings)}.")
    folder = Path(model_file).parent.resolve()
    allowed = folder if root is None else Path(root).resolve()
    found = (folder / name).resolve()
    if not found.is_relative_to(allowed):
        where = "the folder of the model file" if root is None else f"the root {str(root)!r}"
        raise FileError(
            f"the {what} {name[:80]!r} lies outside {where}. Copy it there, or widen what may be read with "
            "root=FOLDER (--root FOLDER)."
        )
    return found


def _content(path: Path) -> bytes:
    try:
        with open_plain(path) as stream:
            content = stream.read(MOST_BINARY + 1)
    except OSError as problem:
        raise refused(path, f"cannot be read: {problem.strerror or problem}.") from None
    if len(content) > MOST_BINARY:
        raise refused(path, f"the mesh is larger than {MOST_BINARY // 1_000_000} MB. Reduce its triangles.")
    return content


def _is_binary(content: bytes) -> bool:
    """A binary STL has as many bytes as its number of triangles says; its first word may be "solid" all the same."""
    return len(content) >= HEADER and len(content) == HEADER + RECORD * int.from_bytes(content[80:84], "little")


def _binary_stl(content: bytes, path: Path) -> Triangles:
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    table = np.frombuffer(content, dtype=record, offset=HEADER)
    return _merged(table["corners"].reshape(-1, 3).astype(float))


def _msh(content: bytes, path: Path) -> Triangles:
    """MuJoCo's own format: counts of vertices, normals, texture coordinates and faces, then these in turn."""
    counts = np.frombuffer(content[:16], dtype="<i4")
    vertices, normals, coordinates, faces = (int(x) for x in counts) if len(counts) == 4 else (0, 0, 0, 0)
    size = 16 + 4 * (3 * vertices + 3 * normals + 2 * coordinates + 3 * faces)
    if min(vertices, normals, coordinates, faces) < 0 or size != len(content) or faces > MOST_TRIANGLES:
        raise refused(path, "the file does not have as many vertices and faces as it says.")
    points = np.frombuffer(content, "<f4", 3 * vertices, 16).reshape(-1, 3).astype(float)
    corners = np.frombuffer(content, "<i4", 3 * faces, size - 12 * faces).reshape(-1, 3).astype(np.int64)
    if len(corners) and not 0 <= corners.min() <= corners.max() < vertices:
        raise refused(path, "a face names a vertex that is not there.")
    return Triangles(points, corners)


def _lines(content: bytes, path: Path) -> list[bytes]:
    if len(content) > MOST_TEXT:
        raise refused(path, f"the mesh is text of more than {MOST_TEXT // 1_000_000} MB. Save it as binary STL.")
    if b"\0" in content:
        raise refused(path, "the file is neither a text nor a binary STL with as many triangles as it says.")
    return content.splitlines()


def _text_stl(content: bytes, path: Path) -> Triangles:
    corners: list[tuple[float, float, float]] = []
    for number, line in enumerate(_lines(content, path), 1):
        found = VERTEX.match(line)
        if found:
            corners.append(_point(found.groups(), path, number))
        elif line.strip() and not line.split(None, 1)[0].lower().startswith(STL_WORDS):
            raise refused(path, "this line is not STL.", number)
    if len(corners) % 3:
        raise refused(path, f"{len(corners)} vertices are no whole number of triangles.")
    return _merged(np.array(corners, dtype=float).reshape(-1, 3))


def _point(words: tuple[bytes, ...], path: Path, line: int) -> tuple[float, float, float]:
    try:
        x, y, z = (decimal(word.decode("ascii")) for word in words)
    except ValueError:
        raise refused(path, "a vertex has no three numbers.", line) from None
    return x, y, z


def _merged(corners: NDArray[np.float64]) -> Triangles:
    """Equal corners become one vertex."""
    rows = np.ascontiguousarray(corners + 0.0).view(np.dtype((np.void, 24))).ravel()  # 24 bytes each; -0 is 0
    _, first, faces = np.unique(rows, return_index=True, return_inverse=True)
    return Triangles(corners[first], np.asarray(faces, dtype=np.int64).reshape(-1, 3))


def _obj(content: bytes, path: Path) -> Triangles:
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    for number, line in enumerate(_lines(content, path), 1):
        words = line.split(b"#", 1)[0].split()
        if not words or words[0] in OBJ_IGNORED:
            continue
        if words[0] == b"v" and len(words) in (4, 5, 7):
            vertices.append(_point(tuple(words[1:4]), path, number))
        elif words[0] == b"f" and 4 <= len(words) <= MOST_CORNERS + 1:
            corners = [_index(word, len(vertices), path, number) for word in words[1:]]
            faces += [(corners[0], b, c) for b, c in pairwise(corners[1:])]
        else:
            raise refused(path, "this line is not understood; meshes have lines v and f.", number)
        if len(faces) > MOST_TRIANGLES:
            raise refused(path, f"more than {MOST_TRIANGLES} triangles. Reduce the mesh.", number)
    return Triangles(np.array(vertices, dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3))


def _index(word: bytes, count: int, path: Path, line: int) -> int:
    """The vertex that a corner such as 3/1/2 means; negative ones count from the last."""
    text = word.split(b"/", 1)[0]
    if not re.fullmatch(rb"-?[0-9]{1,9}", text):
        raise refused(path, "a face has something that is no corner.", line)
    number = int(text)
    index = number - 1 if number > 0 else count + number
    if not 0 <= index < count or number == 0:
        raise refused(path, f"a face names vertex {number}, and there are {count} so far.", line)
    return index


def _checked(mesh: Triangles, path: Path) -> Triangles:
    if not len(mesh.faces):
        raise refused(path, "the mesh has no triangles.")
    size = np.max(np.abs(mesh.vertices), initial=0.0)
    if not size <= FARTHEST:
        raise refused(path, f"a coordinate of the mesh is {size:g}; expected finite ones below {FARTHEST:g}.")
    return mesh
