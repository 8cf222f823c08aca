"""Looks of robots: visuals of URDF and geoms of MJCF become pieces, and what cannot be drawn is told and left out."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.errors import FileError, ModelError
from cardan.formats.meshes import read_coloured, read_mesh
from cardan.formats.triangles import Triangles, joined
from cardan.model.appearances import Mesh
from cardan.model.looks import Look
from cardan.report.data.document import document
from support.close import EPS, assert_close

ARM = """<robot name="arm"><material name="blue"><color rgba="0 0 1 1"/></material>
<link name="base"><visual><geometry><box size=".1 .2 .3"/></geometry><material name="blue"/></visual></link>
<link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  <visual><origin xyz="0 0 .5" rpy="0 1.5707963267948966 0"/><geometry><cylinder radius=".1" length="1"/></geometry>
    <material name="own"><color rgba="1 0 0.2 0.5"/></material></visual>{visual}</link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint></robot>"""

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]

DAE = f"""<COLLADA><asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique><phong><diffuse><color>0 1 0 1</color></diffuse></phong>
</technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="s">
<float_array>{" ".join(str(x) for corner in CORNERS for x in corner)}</float_array>
<technique_common><accessor stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<polylist material="paint" count="6"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#n" offset="1"/><vcount>4 4 4 4 4 4</vcount>
<p>{" ".join(f"{corner} 0" for side in SIDES for corner in side)}</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node><translate>1 0 0</translate><node><rotate>0 0 1 90</rotate>
<scale>2 1 1</scale><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="paint" target="#m"/></technique_common></bind_material></instance_geometry></node></node>
</visual_scene></library_visual_scenes></COLLADA>"""


def arm(folder: Path, visual: str = "", **options: object) -> cd.System:
    path = folder / "arm.urdf"
    path.write_text(ARM.format(visual=visual))
    return cd.load(path, **options)  # type: ignore[arg-type]


def look(s: cd.System, body: str) -> Look:
    found = s.bodies[body].shape
    assert isinstance(found, Look)
    return found


def volume(mesh: Triangles) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float(np.sum(np.einsum("ij,ij->i", a, np.cross(b, c)))) / 6


def mesh_visual(name: str) -> str:
    return f'<visual><geometry><mesh filename="{name}" scale="1 -1 2"/></geometry></visual>'


# --- URDF --------------------------------------------------------------------------------------------


def test_primitives_have_the_place_the_turn_and_the_colour_of_the_file(tmp_path: Path) -> None:
    s = arm(tmp_path)
    (box,) = look(s, "base").pieces
    assert (box.shape, box.colour) == (cd.Box(0.1, 0.2, 0.3), "#0000ff")
    (tube,) = look(s, "upper").pieces
    assert (tube.shape, tube.at, tube.colour, tube.opacity) == (cd.Cylinder(0.1, 1.0), (0, 0, 0.5), "#ff0033", 0.5)
    half = np.sqrt(0.5)
    assert_close(tube.turn, [half, 0, half, 0], within=8 * EPS, because="a quarter turn about y")


@pytest.mark.parametrize("name", ["part.obj", "./part.obj", "package://robots/part.obj", "package://parts/part.obj"])
def test_a_mesh_is_found_beside_the_file_and_in_its_package(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "robots"
    (folder / "parts").mkdir(parents=True)
    for place in (folder, folder / "parts"):
        (place / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    piece = look(arm(folder, mesh_visual(name)), "upper").pieces[1]
    assert isinstance(piece.shape, Mesh)
    assert Path(piece.shape.file).name == "part.obj"
    assert piece.scale == (1, -1, 2)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("away.obj", "no file 'away.obj'"),
        ("../away.obj", "outside the folder"),
        ("/etc/passwd.obj", "no path below"),
        ("file:///etc/hosts.obj", "no path below"),
        ("package://nowhere/part.obj", "package 'nowhere' was not found"),
        ("package://../part.obj", "was not found"),
        ("part.exe", "meshes end with"),
    ],
)
def test_a_mesh_that_may_not_or_cannot_be_read_is_told_and_the_robot_moves(name: str, why: str, tmp_path: Path) -> None:
    folder = tmp_path / "robot"
    folder.mkdir()
    (tmp_path / "away.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    s = arm(folder, mesh_visual(name))
    assert len(look(s, "upper").pieces) == 1
    assert any("not drawn" in note and why in note for note in s.notes)


def test_a_root_widens_where_meshes_are_found(tmp_path: Path) -> None:
    (tmp_path / "robot").mkdir()
    (tmp_path / "away.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert len(look(arm(tmp_path / "robot", mesh_visual("../away.obj"), root=tmp_path), "upper").pieces) == 2


def test_a_page_draws_what_the_file_says_and_no_rods_or_pins(tmp_path: Path) -> None:
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    page = document(arm(tmp_path, mesh_visual("part.obj")).simulate(0.1, q=[0.1]), frames=3)["model"]
    base, upper = page["bodies"]
    assert [one["kind"] for one in base["shapes"]] == ["box"]
    assert [(one["kind"], one.get("colour")) for one in upper["shapes"]] == [("cylinder", "#ff0033"), ("mesh", None)]
    assert page["joints"] == []


def test_a_look_is_written_and_read_again(tmp_path: Path) -> None:
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    s = arm(tmp_path, mesh_visual("part.obj"))
    again = cd.load(s.write(tmp_path / "again.yaml") or tmp_path / "again.yaml")
    assert look(again, "base") == look(s, "base")
    assert [one.scale for one in look(again, "upper").pieces] == [one.scale for one in look(s, "upper").pieces]


def test_what_cannot_be_drawn_is_refused() -> None:
    s = cd.System("s")
    for piece, why in [
        (cd.Piece(cd.Box(1, 0, 1)), "should be positive"),
        (cd.Piece(cd.Sphere(1), colour="red"), "write it as"),
        (cd.Piece(cd.Sphere(1), turn=(0, 0, 0, 0)), "of zero"),
        (cd.Piece(cd.Sphere(1), at=(0, 0)), "needs three"),
    ]:
        with pytest.raises(ModelError, match=why):
            s.body("body", mass=1, shape=cd.Look((piece,)))


# --- COLLADA -----------------------------------------------------------------------------------------


def test_a_collada_file_has_places_units_and_colours(tmp_path: Path) -> None:
    path = tmp_path / "cube.dae"
    path.write_text(DAE)
    (part,) = read_coloured(path)
    assert part.colour == "#00ff00"
    assert_close(volume(part.mesh), 2 * 0.5**3, within=1e-14, because="a cube, twice as long, in half metres")
    low, high = part.mesh.vertices.min(axis=0), part.mesh.vertices.max(axis=0)
    assert_close(low, [0.0, 0.0, 0.0], within=1e-15, because="x = 0.5 (1 - y) after a quarter turn")
    assert_close(high, [0.5, 1.0, 0.5], within=1e-15, because="y = 0.5 * 2 x")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<COLLADA>", "<!DOCTYPE a [<!ENTITY b 'c'>]><COLLADA>"),
        ("<p>", "<p>99 0 "),
        ("<vcount>4", "<vcount>-4"),
        ("<vcount>4", "<vcount>999999999"),
        ('offset="1"', 'offset="1e9"'),
        ('stride="3"', 'stride="0"'),
        ("0 1 0 1</color>", "x</color>"),
        ("<float_array>0", "<float_array>nan"),
        ("#g", "#nothing"),
        ("<COLLADA>", "<COLLADA>" + "<a>" * 100),
        ("</COLLADA>", ""),
    ],
)
def test_a_hostile_collada_file_is_refused(before: str, after: str, tmp_path: Path) -> None:
    path = tmp_path / "cube.dae"
    path.write_text(DAE.replace(before, after, 1))
    with pytest.raises(FileError):
        read_mesh(path)


# --- MJCF --------------------------------------------------------------------------------------------

MJCF = """<mujoco><default><mesh scale="0.5 0.5 0.5"/></default>
<asset><mesh name="part" file="part.stl"/><material name="red" rgba="1 0 0 1"/></asset>
<worldbody><body name="a">{inertial}<joint axis="0 1 0"/>
  <geom type="mesh" mesh="part" pos="1 2 3" quat="0.5 0.5 0.5 0.5" contype="0" conaffinity="0" material="red" {more}/>
  <geom type="box" size=".1 .2 .3"/></body>
<body name="b"><joint axis="0 1 0"/><geom type="capsule" size=".1 .2" rgba="0 1 0 1"/>
  <geom type="sphere" size=".1" group="3"/></body>
</worldbody></mujoco>"""
INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def stl(path: Path) -> Triangles:
    """A box of triangles, off its origin."""
    points = np.array(CORNERS, dtype=float) * [1, 2, 3] + [1, 0, 0]
    faces = [tri for a, b, c, d in SIDES for tri in ((a, b, c), (a, c, d))]
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *points[list(one)].ravel(), 0) for one in faces)
    path.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + rows)
    return Triangles(points, np.array(faces))


@pytest.mark.parametrize("inertial", [INERTIAL, ""], ids=["mesh that weighs nothing", "mesh that gives the inertia"])
def test_a_mesh_of_mjcf_is_drawn_where_its_file_has_it(inertial: str, tmp_path: Path) -> None:
    """The compiler moves a mesh to its centre of mass and principal axes if it reads it; the drawing must not move."""
    pytest.importorskip("mujoco", reason="MJCF needs mujoco")
    points = stl(tmp_path / "part.stl").vertices
    (tmp_path / "m.xml").write_text(MJCF.format(inertial=inertial, more=""))
    s = cd.load(tmp_path / "m.xml")
    (piece,) = look(s, "a").pieces  # the box is what touches
    assert piece.colour == "#ff0000"
    page = document(s.simulate(0.01), frames=2)["model"]
    from cardan.report.data.arrays import unpacked

    drawn = unpacked(page["bodies"][0]["shapes"][0]["vertices"])
    expected = points[:, [2, 0, 1]] * 0.5 + [1, 2, 3]  # the turn takes x to y, y to z, z to x
    distance = np.linalg.norm(drawn[:, None] - expected[None], axis=2).min(axis=1)
    assert_close(distance, 0.0, within=2e-6, because="single precision, in the file and on the page")


def test_geoms_of_mjcf_are_shown_as_its_viewer_shows_them(tmp_path: Path) -> None:
    pytest.importorskip("mujoco", reason="MJCF needs mujoco")
    stl(tmp_path / "part.stl")
    (tmp_path / "m.xml").write_text(MJCF.format(inertial=INERTIAL, more=""))
    (capsule,) = look(cd.load(tmp_path / "m.xml"), "b").pieces
    assert (capsule.shape, capsule.colour) == (cd.Bar((0, 0, -0.2), (0, 0, 0.2), 0.1), "#00ff00")


def test_meshes_of_several_colours_are_one_mesh_where_colours_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "cube.dae"
    path.write_text(DAE)
    assert len(joined(read_coloured(path)).faces) == len(read_mesh(path).faces) == 12
