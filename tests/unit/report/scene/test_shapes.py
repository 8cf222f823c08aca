"""Shapes that a model gives, as the page draws them; meshes reduced to what a page can carry."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.formats.triangles import Triangles
from cardan.report.data.arrays import unpacked
from cardan.report.data.document import document
from cardan.report.scene.thinning import gathered, shares
from support.close import assert_close

HALF = float(np.sqrt(0.5))


def page_shapes(shape: object) -> list[dict[str, object]]:
    """The shapes of a body with its centre of mass at (1, 0, 0)."""
    s = cd.System("shaped")
    a = s.coordinates("a", on="S1")
    s.body("body", mass=1.0, inertia=0.1, com=(1, 0, 0), joint=cd.Revolute("z", a), shape=shape)
    return document(s.simulate(0.1, q=[0.0]), frames=3)["model"]["bodies"][0]["shapes"]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (cd.Box(1, 2, 3), {"kind": "box", "size": [1, 2, 3], "position": [1, 0, 0]}),
        (cd.Box(1, 2, 3, at=(0, 0, 4)), {"kind": "box", "size": [1, 2, 3], "position": [0, 0, 4]}),
        (
            cd.Cylinder(1, 2, axis="x"),
            {"kind": "cylinder", "radius": 1, "length": 2, "position": [1, 0, 0], "quaternion": [HALF, 0, HALF, 0]},
        ),
        (
            cd.Ring(1, 0.1),
            {"kind": "ring", "radius": 1, "tube": 0.1, "position": [1, 0, 0], "quaternion": [1, 0, 0, 0]},
        ),
        (cd.Bar((0, 0, 0), (2, 0, 0), 0.1), {"kind": "bar", "from": [0, 0, 0], "to": [2, 0, 0], "radius": 0.1}),
        (cd.Ellipsoid(1, 2, 3), {"kind": "ellipsoid", "radii": [1, 2, 3], "position": [1, 0, 0]}),
    ],
    ids=lambda one: type(one).__name__ if not isinstance(one, dict) else "",
)
def test_a_shape_is_drawn_where_it_was_put(shape: object, expected: dict[str, object]) -> None:
    (found,) = page_shapes(shape)
    assert set(found) == set(expected)
    for key, value in expected.items():
        if isinstance(value, str):
            assert found[key] == value
        else:
            assert_close(found[key], value, within=1e-15, because="given numbers, and one square root")


def test_sizes_may_be_parameters() -> None:
    s = cd.System("shaped")
    a = s.coordinates("a", on="S1")
    size = s.parameters(size=0.5)
    s.body("body", mass=1.0, inertia=0.1, joint=cd.Revolute("z", a), shape=cd.Box(size, 2 * size, 1))
    run = s.with_values(size=2.0).simulate(0.1, q=[0.0])
    assert document(run, frames=3)["model"]["bodies"][0]["shapes"][0]["size"] == [2.0, 4.0, 1.0]


def sphere(rings: int) -> Triangles:
    """A ball of triangles: 2 * rings * (2 * rings) of them."""
    u, v = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings, endpoint=False))
    vertices = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    faces = []
    for j in range(2 * rings):
        for i in range(rings):
            a, b = j * (rings + 1) + i, ((j + 1) % (2 * rings)) * (rings + 1) + i
            faces += [(a, a + 1, b), (b, a + 1, b + 1)]
    return Triangles(vertices, np.array(faces))


def volume(mesh: Triangles) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return abs(float(np.sum(np.einsum("ij,ij->i", a, np.cross(b, c))))) / 6


def test_a_mesh_is_drawn_in_its_scale(tmp_path: Path) -> None:
    corners = np.array([[0, 0, 0], [1000, 0, 0], [0, 1000, 0], [0, 0, 1000]], dtype=float)
    content = b" " * 80 + struct.pack("<I", 4)
    for face in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)):
        content += struct.pack("<12fH", 0, 0, 0, *corners[list(face)].ravel(), 0)
    path = tmp_path / "tetrahedron.stl"
    path.write_bytes(content)
    (found,) = page_shapes(cd.Mesh(path, scale=0.001))
    mesh = Triangles(unpacked(found["vertices"]), unpacked(found["faces"]).astype(np.int64))  # type: ignore[arg-type]
    assert found["position"] == [0, 0, 0]
    assert_close(volume(mesh), 1 / 6, within=1e-6, because="a metre in 24 bits")


def test_a_fine_mesh_is_gathered_and_keeps_its_form() -> None:
    fine = sphere(100)
    coarse = gathered(fine, 6000)
    assert len(fine.faces) > 3 * 6000 > 3 * len(coarse.faces)
    assert len(coarse.faces) > 6000 / 6
    assert_close(volume(coarse), 4 * np.pi / 3, within=0.04, because="facets of a twentieth: 1 % of what they span")


def cube(parts: int) -> Triangles:
    """A unit cube with so many squares along each edge."""
    grid = np.stack(np.meshgrid(*2 * [np.linspace(0, 1, parts + 1)], indexing="ij"), axis=-1).reshape(-1, 2)
    k = (np.arange(parts)[:, None] * (parts + 1) + np.arange(parts)).ravel()
    square = np.concatenate(
        [np.stack([k, k + parts + 1, k + 1], 1), np.stack([k + 1, k + parts + 1, k + parts + 2], 1)]
    )
    vertices, faces = [], []
    for axis in range(3):
        for side in (0.0, 1.0):
            faces.append((square if side else square[:, ::-1]) + len(vertices) * len(grid))
            vertices.append(np.roll(np.column_stack([grid, np.full(len(grid), side)]), axis + 1, axis=1))
    return Triangles(np.concatenate(vertices), np.concatenate(faces))


def test_edges_and_corners_stay_sharp_when_a_mesh_is_gathered() -> None:
    fine = cube(40)
    coarse = gathered(fine, 1200)
    assert len(coarse.faces) <= 1200 < len(fine.faces) / 10
    assert_close(volume(fine), 1.0, within=1e-12, because="a cube")
    assert_close(volume(coarse), 1.0, within=0.01, because="planes are kept; a mean would cut edges, and lose 9 %")
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    nearest = np.linalg.norm(coarse.vertices[:, None] - corners, axis=2).min(axis=0)
    assert_close(nearest, 0.0, within=0.01, because="three planes meet in a corner; the mean of a cell weighs 3 %")


def test_small_meshes_keep_all_and_large_ones_share_what_is_left() -> None:
    assert shares([10, 1000, 500, 20], 330) == [10, 150, 150, 20]
    assert shares([10, 20], 100) == [10, 20]
