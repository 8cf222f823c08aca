"""Meshes: what is read, and that everything that is not plainly a mesh is refused with its place."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.errors import FileError, ModelError
from cardan.formats.meshes import FARTHEST, MOST_BINARY, beside, read_coloured, read_mesh

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
TETRAHEDRON = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def binary_stl(header: bytes = b"tetrahedron") -> bytes:
    content = header.ljust(80) + struct.pack("<I", len(TETRAHEDRON))
    for face in TETRAHEDRON:
        content += struct.pack("<12fH", 0, 0, 0, *CORNERS[list(face)].ravel(), 0)
    return content


def text_stl() -> str:
    lines = ["solid tetrahedron"]
    for face in TETRAHEDRON:
        lines += ["facet normal 0 0 1", "  outer loop"]
        lines += [f"    vertex {x:e} {y:e} {z:e}" for x, y, z in CORNERS[list(face)]]
        lines += ["  endloop", "endfacet"]
    return "\n".join([*lines, "endsolid tetrahedron", ""])


OBJ = """# a tetrahedron
mtllib /etc/passwd
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1 1.0
vn 0 0 1
f 1 3 2
f 1/1/1 2/1/1 4/1/1
f -3//1 -2//1 -1//1
f 1 4 3
"""


def glb(changes: dict[str, object] | None = None) -> bytes:
    """The tetrahedron in binary glTF, orange, with changes of what its JSON says."""
    points = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    faces = struct.pack("<12H", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
    said = {
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0.5019607843, 0, 1]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0}, {"buffer": 0, "byteOffset": 48}],
        **(changes or {}),
    }
    text = json.dumps(said).encode()
    text += b" " * (-len(text) % 4)
    binary = points + faces
    chunks = struct.pack("<2I", len(text), 0x4E4F534A) + text + struct.pack("<2I", len(binary), 0x004E4942) + binary
    return struct.pack("<3I", 0x46546C67, 2, 12 + len(chunks)) + chunks


def volume(path: Path) -> float:
    """Of a closed mesh whose faces look outwards."""
    mesh = read_mesh(path)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float(np.sum(np.einsum("ij,ij->i", a, np.cross(b, c))) / 6)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("binary.stl", binary_stl()),
        ("binary_that_says_solid.stl", binary_stl(b"solid but binary")),
        ("text.STL", text_stl().encode()),
        ("windows.stl", text_stl().replace("\n", "\r\n").encode()),
        ("mesh.obj", OBJ.encode()),
    ],
)
def test_a_tetrahedron_has_four_vertices_and_the_volume_of_a_sixth(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    mesh = read_mesh(path)
    assert mesh.vertices.shape == (4, 3)
    assert mesh.faces.shape == (4, 3)
    assert volume(path) == 1 / 6


def test_polygons_become_fans_of_triangles(tmp_path: Path) -> None:
    path = tmp_path / "square.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    assert read_mesh(path).faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_msh_and_glb_hold_the_same_tetrahedron(tmp_path: Path) -> None:
    points = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    faces = struct.pack("<12i", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
    (tmp_path / "one.msh").write_bytes(struct.pack("<4i", 4, 4, 4, 4) + points + bytes(48 + 32) + faces)
    assert volume(tmp_path / "one.msh") == 1 / 6
    (tmp_path / "one.glb").write_bytes(glb())
    assert volume(tmp_path / "one.glb") == 1 / 6
    (tmp_path / "moved.glb").write_bytes(glb({"nodes": [{"mesh": 0, "translation": [5, 0, 0], "scale": [2, 2, 2]}]}))
    assert volume(tmp_path / "moved.glb") == 8 / 6
    assert read_mesh(tmp_path / "moved.glb").vertices[:, 0].max() == 7
    assert [one.colour for one in read_coloured(tmp_path / "one.glb")] == ["#ff8000"]


@pytest.mark.parametrize(
    ("name", "content", "line", "words"),
    [
        ("nothing.stl", b"", 0, "no triangles"),
        ("passwd.stl", b"root:x:0:0:root:/root:/bin/bash\n", 1, "is not STL"),
        ("short.stl", binary_stl()[:-1], 0, "as many triangles as it says"),
        ("many.stl", b" " * 80 + struct.pack("<I", 2**32 - 1), 1, "is not STL"),
        ("two_thirds.stl", b"solid\nvertex 0 0 0\nvertex 1 0 0\n", 0, "no whole number of triangles"),
        ("nan.stl", b"solid\nvertex nan 0 0\nvertex 1 0 0\nvertex 0 1 0\n", 2, "three numbers"),
        ("words.stl", b"solid\nvertex a b c\n", 2, "no three numbers"),
        ("far.stl", f"solid\nvertex {10 * FARTHEST} 0 0\nvertex 1 0 0\nvertex 0 1 0\n".encode(), 0, "below 1e\\+09"),
        ("huge.stl", b"solid\nvertex 1e999 0 0\nvertex 1 0 0\nvertex 0 1 0\n", 0, "is inf"),
        ("long_number.stl", b"solid\nvertex " + b"9" * 100_000 + b" 0 0\n", 2, "is not STL"),
        ("index.obj", b"v 0 0 0\nf 1 2 3\n", 2, "names vertex 2, and there are 1"),
        ("zero.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", 4, "names vertex 0"),
        ("negative.obj", b"v 0 0 0\nf -2 -1 1\n", 2, "names vertex -2"),
        ("long_index.obj", b"v 0 0 0\nf " + b"1" * 50_000 + b" 1 1\n", 2, "is no corner"),
        ("include.obj", b"call other.obj\n", 1, "not understood"),
        ("shell.obj", b"csh rm -rf\n", 1, "not understood"),
        ("null.obj", b"v 0 0 0\n\0\0\0", 0, "neither"),
        ("wide.obj", b"v 0 0 0\nf " + b"1 " * 10_000 + b"\n", 2, "not understood"),
        ("large.stl", b"solid\n" + b"x" * MOST_BINARY, 0, "larger than"),
        ("large_text.obj", b"# comment\n" * 500_000, 0, "has no triangles"),
        ("short.msh", struct.pack("<4i", 1, 0, 0, 0), 0, "as many vertices"),
        ("negative.msh", struct.pack("<4i", -1, 0, 0, 1) + bytes(12), 0, "as many vertices"),
        ("corner.msh", struct.pack("<4i", 1, 0, 0, 1) + bytes(12) + struct.pack("<3i", 0, 0, 1), 0, "not there"),
        ("nothing.glb", b"", 0, "not binary glTF"),
        ("version.glb", struct.pack("<3I", 0x46546C67, 1, 12), 0, "version 2"),
        ("far.glb", glb({"bufferViews": [{"buffer": 0, "byteOffset": 10**6}]}), 0, "ends before"),
        ("other.glb", glb({"bufferViews": [{"buffer": 1}]}), 0, "other files"),
        ("circle.glb", glb({"nodes": [{"children": [0]}]}), 0, "nested more"),
        ("packed.glb", glb({"extensionsRequired": ["KHR_draco_mesh_compression"]}), 0, "extensions"),
        ("text.glb", glb({"nodes": "none"}), 0, "not binary glTF"),
    ],
)
def test_what_is_no_mesh_is_refused_with_its_place(
    name: str, content: bytes, line: int, words: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FileError, match=words) as caught:
        read_mesh(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "a\\b.stl",
        "C:a.stl",
        "a\0.stl",
        "http://x/a.stl",
    ],
)
def test_a_model_names_only_meshes_below_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no path below the model file"):
        beside(str(tmp_path / "model.yaml"), name)


def test_a_path_is_normalised_and_then_judged(tmp_path: Path) -> None:
    (tmp_path / "robots").mkdir()
    model = str(tmp_path / "robots" / "model.yaml")
    for name in ("./a.stl", "parts/../a.stl", "parts/.././a.stl", "./parts//../a.stl"):
        assert beside(model, name) == (tmp_path / "robots" / "a.stl").resolve()
    for name in ("../a.stl", "parts/../../a.stl"):
        with pytest.raises(FileError, match=r"outside the folder of the model file.*root=FOLDER"):
            beside(model, name)
        assert beside(model, name, root=tmp_path) == (tmp_path / "a.stl").resolve()
    with pytest.raises(FileError, match="outside the root"):
        beside(model, "../../a.stl", root=tmp_path)


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "parts").symlink_to(outside)
    with pytest.raises(FileError, match="outside the folder"):
        beside(str(inside / "model.yaml"), "parts/a.stl")


MODEL = """
cardan: 1
coordinates: {phi: S1}
parameters: {l: 2}
bodies:
  arm:
    mass: 1
    joint: {kind: revolute, angle: phi}
    shape: SHAPE
"""


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("{kind: box, x: l, y: 1, z: 0.5, at: [l/2, 0, 0]}", cd.Box),
        ("{kind: cylinder, radius: 1, length: l, axis: x}", cd.Cylinder),
        ("{kind: ring, radius: l, tube: 0.1, axis: [0, 1, 0]}", cd.Ring),
        ("{kind: bar, start: [0, 0, 0], end: [l, 0, 0], radius: 0.1}", cd.Bar),
        ("{kind: mesh, file: parts/arm.stl, scale: 0.001}", cd.Mesh),
    ],
)
def test_a_model_file_gives_its_bodies_shapes(text: str, shape: type, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.stl").write_bytes(binary_stl())
    path = tmp_path / "model.yaml"
    path.write_text(MODEL.replace("SHAPE", text))
    assert isinstance(cd.load(path).model.bodies[0].shape, shape)


def test_a_broken_mesh_is_told_where_the_model_names_it(tmp_path: Path) -> None:
    (tmp_path / "arm.stl").write_bytes(b"no mesh")
    path = tmp_path / "model.yaml"
    path.write_text(MODEL.replace("SHAPE", "{kind: mesh, file: arm.stl}"))
    with pytest.raises(FileError, match=r"arm\.stl:1: this line is not STL") as caught:
        cd.load(path)
    assert (caught.value.file, caught.value.line, caught.value.field) == (str(path), 9, "bodies.arm.shape.file")


def test_what_a_file_says_is_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "secret.stl"
    path.write_text("password: hunter2")
    with pytest.raises(FileError) as caught:
        read_mesh(path)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("round", "is no shape"),
        (cd.Box(1, 2, 0), "give a positive one"),
        (cd.Ring(1, -0.1), "give a positive one"),
        (cd.Bar((0, 0), (1, 0, 0), 0.1), "expected three components"),
        (cd.Cylinder(1, 1, axis="w"), "axis 'w' is unknown"),
    ],
)
def test_a_shape_that_is_none_is_refused(shape: object, words: str) -> None:
    s = cd.System()
    with pytest.raises(ModelError, match=words):
        s.body("b", mass=1, shape=shape)


def test_a_mesh_has_to_be_there(tmp_path: Path) -> None:
    s = cd.System()
    with pytest.raises(FileError, match="is no file"):
        s.body("b", mass=1, shape=cd.Mesh(tmp_path / "missing.stl"))
