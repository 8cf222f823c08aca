"""The page of a run as data: complete for systems of every kind, and true to the run."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

import cardan as cd
from cardan.report.data.arrays import packed, unpacked
from cardan.report.data.document import document, motion
from cardan.report.scene.cast import cast
from support.close import assert_close
from support.report_systems import KINDS, run_of

FLOAT32 = {"within": 2e-6, "because": "numbers of a page have 24 bits; sizes here are below 10"}

MODEL = {
    "name": str,
    "up": list,
    "size": float,
    "centre": list,
    "bodies": list,
    "fixtures": list,
    "joints": list,
    "coordinates": list,
    "verdict": list,
    "standing": list,
    "singular_sets": list,
    "portraits": list,
    "equations": list,
    "provenance": list,
    "controls": type(None),
    "special": list,
    "live": type(None),
    "map": type(None),
}
ENTRIES = {
    "bodies": {"name": str, "kind": str, "mass": float, "colour": int, "shapes": list},
    "joints": {"name": str, "kind": str, "body": int, "position": list, "axis": (list, type(None))},
    "coordinates": {"name": str, "latex": str, "unit": str, "period": (float, type(None))},
    "verdict": {"label": str, "value": str, "detail": str, "tone": str},
    "standing": {"label": str, "value": str, "detail": str, "tone": str},
    "singular_sets": {"kind": str, "text": str, "latex": str, "load": (str, type(None))},
    "portraits": {
        "title": str,
        "surface": str,
        "x": str,
        "y": str,
        "x_period": (float, type(None)),
        "y_period": (float, type(None)),
        "singular": list,
    },
    "equations": {"title": str, "latex": list, "note": str},
    "provenance": {"label": str, "value": str},
}
MOTION = {
    "verdict": {"label": str, "value": str, "detail": str, "tone": str},
    "poses": {"position": dict, "quaternion": dict},
    "arrows": {"name": str, "kind": str, "at": dict, "vector": dict, "unit": str, "visible": (dict, type(None))},
    "series": {
        "group": str,
        "name": str,
        "latex": str,
        "unit": str,
        "values": dict,
        "threshold": (float, type(None)),
        "log": bool,
    },
    "findings": {
        "t": float,
        "t_end": float,
        "kind": str,
        "title": str,
        "what": str,
        "why": str,
        "evidence": list,
        "remedies": list,
        "series": (str, type(None)),
    },
    "events": {"t": float, "kind": str, "title": str, "name": str, "what": str, "facts": list},
    "audit": {"label": str, "value": str, "tone": str},
}
SHAPES = {
    "ellipsoid": {"radii"},
    "sphere": {"radius"},
    "cylinder": {"radius", "length"},
    "box": {"size"},
    "bar": {"from", "to", "radius"},
    "ring": {"radius", "tube"},
    "mesh": {"vertices", "faces"},
    "plane": {"normal", "point", "extent"},
}
TONES = {"good", "warn", "bad", "plain"}
GROUPS = {"coordinates", "velocities", "energy", "drift", "multipliers", "indicators"}


@pytest.fixture(scope="module")
def pages() -> dict[str, Any]:
    """Every page, made once, as it comes back from JSON."""
    return {}


def page_of(kind: str, pages: dict[str, Any]) -> Any:
    if kind not in pages:
        pages[kind] = json.loads(json.dumps(document(run_of(kind)), allow_nan=False))
    return pages[kind]


def require(entry: Any, fields: dict[str, Any]) -> None:
    assert set(entry) == set(fields), set(entry) ^ set(fields)
    for key, kind in fields.items():
        assert isinstance(entry[key], kind), f"{key} is {entry[key]!r}"


def shapes_of(page: Any) -> list[Any]:
    return [*page["model"]["fixtures"], *(shape for body in page["model"]["bodies"] for shape in body["shapes"])]


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_has_the_form_that_was_agreed(kind: str, pages: dict[str, Any]) -> None:
    page = page_of(kind, pages)
    assert set(page) == {"format", "kind", "model", "motion"}
    assert page["format"] == "cardan-page/1"
    require(page["model"], MODEL)
    for key, fields in ENTRIES.items():
        for entry in page["model"][key]:
            require(entry, fields)
    assert set(page["motion"]) == {"times", "status", "message", *MOTION}
    for key, fields in MOTION.items():
        for entry in page["motion"][key]:
            require(entry, fields)
    assert {one["tone"] for one in (*page["model"]["verdict"], *page["motion"]["audit"])} <= TONES
    assert {one["group"] for one in page["motion"]["series"]} <= GROUPS


@pytest.mark.parametrize("kind", KINDS)
def test_all_histories_have_the_length_of_the_times(kind: str, pages: dict[str, Any]) -> None:
    moving = page_of(kind, pages)["motion"]
    times = unpacked(moving["times"])
    count = len(times)
    assert np.all(np.diff(times) > 0)
    for one in moving["poses"]:
        assert one["position"]["shape"] == [count, 3]
        assert one["quaternion"]["shape"] == [count, 4]
    for one in moving["arrows"]:
        assert one["at"]["shape"] == one["vector"]["shape"] == [count, 3]
        assert one["visible"] is None or one["visible"]["shape"] == [count]
    assert {tuple(one["values"]["shape"]) for one in moving["series"]} == {(count,)}
    names = [one["name"] for one in moving["series"]]
    assert len(names) == len(set(names)), "portraits name their series"


@pytest.mark.parametrize("kind", KINDS)
def test_portraits_name_histories_and_shapes_are_complete(kind: str, pages: dict[str, Any]) -> None:
    page = page_of(kind, pages)
    names = {one["name"] for one in page["motion"]["series"]}
    for one in page["model"]["portraits"]:
        assert {one["x"], one["y"]} <= names
        assert one["surface"] == {0: "plane", 1: "cylinder", 2: "torus"}[bool(one["x_period"]) + bool(one["y_period"])]
    for shape in shapes_of(page):
        extra = set(shape) - SHAPES[shape["kind"]] - {"kind", "position", "quaternion", "opacity"}
        assert not extra
        assert SHAPES[shape["kind"]] <= set(shape)
        numbers = [x for value in shape.values() if isinstance(value, (list, float)) for x in np.atleast_1d(value)]
        assert np.all(np.isfinite(numbers))
    assert len(page["motion"]["poses"]) == len(page["model"]["bodies"])
    assert page["model"]["size"] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_poses_are_those_of_the_run(kind: str, pages: dict[str, Any]) -> None:
    page, run = page_of(kind, pages), run_of(kind)
    here = run.at(unpacked(page["motion"]["times"]))
    for body, pose in zip(page["model"]["bodies"], page["motion"]["poses"], strict=True):
        if body["kind"] == "marker":
            continue
        assert_close(unpacked(pose["position"]), here.position(body["name"]), **FLOAT32)
        e = unpacked(pose["quaternion"])
        w, x, y, z = e.T
        first = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
        second = np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], axis=1)
        R = here.rotation(body["name"])
        assert_close(first, R[:, :, 0], **FLOAT32)
        assert_close(second, R[:, :, 1], **FLOAT32)


@pytest.mark.parametrize("kind", KINDS)
def test_quaternions_never_jump(kind: str, pages: dict[str, Any]) -> None:
    page, run = page_of(kind, pages), run_of(kind)
    times = unpacked(page["motion"]["times"])
    for body, pose in zip(page["model"]["bodies"], page["motion"]["poses"], strict=True):
        e = unpacked(pose["quaternion"])
        assert_close(np.linalg.norm(e, axis=1), np.ones(len(e)), within=1e-6, because="unit length in 24 bits")
        if body["kind"] == "body":
            turned = np.linalg.norm(np.diff(e, axis=0), axis=1)
            fastest = float(np.max(np.linalg.norm(run.at(times).omega(body["name"]), axis=1)))
            allowed = 0.5 * fastest * float(np.max(np.diff(times))) + 1e-5  # |de| = |w| dt / 2; 24 bits
            assert np.max(turned, initial=0.0) <= 1.1 * allowed


def test_a_hanging_pendulum_is_held_up_by_its_weight(pages: dict[str, Any]) -> None:
    """Two kilograms under ten metres per second squared, at the centre of mass half a metre below the hinge."""
    arrows = page_of("hanging", pages)["motion"]["arrows"]
    (force,) = [one for one in arrows if one["kind"] == "reaction-force"]
    assert_close(unpacked(force["vector"]), [[0, 0, 20.0]], within=1e-5, because="20 N in 24 bits, at rest")
    assert_close(unpacked(force["at"]), [[0, 0, -0.5]], within=1e-7, because="half a metre in 24 bits")
    assert force["unit"] == "N"
    assert not [one for one in arrows if one["kind"] == "load"]


def test_the_load_and_the_direction_in_which_it_is_lost_are_drawn(pages: dict[str, Any]) -> None:
    """The moment of 0.4 N m along the inner gimbal's y axis; lost while beta is near zero, and only then."""
    page, run = page_of("suspension", pages), run_of("suspension")
    times = unpacked(page["motion"]["times"])
    axis = run.at(times).rotation("inner")[:, :, 1]
    load, lost = ([one for one in page["motion"]["arrows"] if one["kind"] == kind] for kind in ("load", "lost"))
    assert_close(unpacked(load[0]["vector"]), 0.4 * axis, **FLOAT32)
    assert_close(unpacked(lost[0]["vector"]), axis, **FLOAT32)
    visible = unpacked(lost[0]["visible"]).astype(bool)
    beta = np.abs(np.sin(run.at(times)["beta"]))
    assert np.all(visible[beta < 0.02])
    assert not np.any(visible[beta > 0.5])
    (finding,) = page["motion"]["findings"]
    assert_close(run.at(finding["t"])["beta"], 0.0, within=1e-9, because="the axes are in line there, to round-off")
    assert finding["series"] == "load M"
    assert finding["remedies"]


def test_gimbals_are_rings_inside_each_other(pages: dict[str, Any]) -> None:
    outer, inner, platform = page_of("suspension", pages)["model"]["bodies"]
    rings = [next(one for one in body["shapes"] if one["kind"] == "ring") for body in (outer, inner)]
    discs = [one for one in platform["shapes"] if one["kind"] == "cylinder"]
    assert rings[0]["radius"] > rings[1]["radius"] + rings[1]["tube"] > discs[0]["radius"]


def test_links_are_bars_from_joint_to_joint(pages: dict[str, Any]) -> None:
    """Crank 1, coupler 2 and rocker 1.5 long, from their own joint along x."""
    for body, length in zip(page_of("four_bar", pages)["model"]["bodies"], (1.0, 2.0, 1.5), strict=True):
        (bar,) = [one for one in body["shapes"] if one["kind"] == "bar"]
        assert bar["from"] == [0, 0, 0]
        assert bar["to"] == [length, 0, 0]


def test_a_floating_body_is_the_ellipsoid_of_its_inertia(pages: dict[str, Any]) -> None:
    """m (b^2 + c^2)/5 and so on give back the moments 0.1, 0.2, 0.25."""
    (shape,) = page_of("free", pages)["model"]["bodies"][0]["shapes"]
    a, b, c = sorted(shape["radii"], reverse=True)
    moments = [(b**2 + c**2) / 5, (a**2 + c**2) / 5, (a**2 + b**2) / 5]
    assert_close(moments, [0.1, 0.2, 0.25], within=1e-12, because="three square roots")


def test_what_rolls_has_its_shape_and_its_plane(pages: dict[str, Any]) -> None:
    ball, table = page_of("rolling", pages)["model"]["bodies"]
    assert ball["shapes"][0] == {"kind": "sphere", "radius": 0.2, "position": [0, 0, 0]}
    assert [one["radius"] for one in ball["shapes"] if one["kind"] == "ring"] == [0.2, 0.2], "how it turns is seen"
    assert (table["name"], table["kind"], table["shapes"][0]["kind"]) == ("table", "marker", "cylinder")
    floor = page_of("bouncing", pages)["model"]["fixtures"]
    assert [(one["kind"], one["normal"]) for one in floor] == [("plane", [0, 0, 1])]


def test_a_massless_rod_joins_its_ends(pages: dict[str, Any]) -> None:
    page, run = page_of("particles", pages), run_of("particles")
    k = [one["name"] for one in page["model"]["bodies"]].index("rod")
    (bar,) = page["model"]["bodies"][k]["shapes"]
    pose = page["motion"]["poses"][k]
    w, x, y, z = unpacked(pose["quaternion"]).T
    along = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    end = unpacked(pose["position"]) + bar["to"][2] * along
    here = run.at(unpacked(page["motion"]["times"]))
    assert_close(unpacked(pose["position"]), here.position("P"), **FLOAT32)
    assert_close(end, here.position("R"), **FLOAT32)


def named(page: Any, name: str) -> tuple[Any, np.ndarray, np.ndarray]:
    """(entry, positions, z axes) of a body of the page."""
    k = [one["name"] for one in page["model"]["bodies"]].index(name)
    w, x, y, z = unpacked(page["motion"]["poses"][k]["quaternion"]).T
    axis = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    return page["model"]["bodies"][k], unpacked(page["motion"]["poses"][k]["position"]), axis


def test_beads_show_a_spring(pages: dict[str, Any]) -> None:
    """From P to the origin: the middle one of five is halfway, and all have one colour."""
    page, run = page_of("particles", pages), run_of("particles")
    here = run.at(unpacked(page["motion"]["times"]))
    _, middle, _ = named(page, "spring")
    assert_close(middle, here.position("P") / 2, **FLOAT32)
    beads = page["model"]["bodies"][-5:]
    assert [one["name"] for one in beads] == ["", "", "spring", "", ""]
    assert len({one["colour"] for one in beads}) == 1


def test_particles_have_the_ring_the_wire_and_the_plate_they_live_on(pages: dict[str, Any]) -> None:
    page, run = page_of("beads", pages), run_of("beads")
    here = run.at(unpacked(page["motion"]["times"]))
    gimbal, centre, normal = named(page, "gimbal of hung")
    arm = here.position("hung") - centre
    assert gimbal["shapes"][0]["radius"] == 2.0
    assert_close(np.linalg.norm(arm, axis=1), 2.0, **FLOAT32)
    assert_close(np.einsum("ij,ij->i", arm, normal), 0.0, **FLOAT32)
    assert_close(normal[:, 2], 0.0, **FLOAT32)
    wire = [one for one in page["model"]["fixtures"] if one["kind"] == "bar"]
    ends = np.array([one["from"] for one in wire])
    assert_close(np.linalg.norm(ends, axis=1), 1.0, within=1e-12, because="a circle of radius one")
    (plate,) = [one for one in page["model"]["fixtures"] if one["kind"] == "cylinder"]
    assert plate["position"] == [0, 0, -1]


def test_singular_sets_are_drawn_where_they_are(pages: dict[str, Any]) -> None:
    """sin(beta) = 0: lines at beta = 0 and beta = pi (or -pi) on the torus of alpha and beta."""
    page = page_of("suspension", pages)
    torus = page["model"]["portraits"][0]
    assert (torus["surface"], torus["y"]) == ("torus", "beta")
    curves = [unpacked(one) for one in torus["singular"][0]["curves"]]
    assert len(curves) == 2
    for curve in curves:
        assert_close(np.sin(curve[:, 1]), 0.0, within=1e-6, because="angles in 24 bits")


def test_impacts_are_told_with_their_impulses(pages: dict[str, Any]) -> None:
    events = page_of("bouncing", pages)["motion"]["events"]
    first = next(one for one in events if one["kind"] == "impact")
    assert "impulse" in [label for label, _ in first["facts"]]
    assert first["t"] == pytest.approx(np.sqrt(2 * 0.9 / 9.81), rel=1e-9)  # falls 0.9 m; located to rtol 1e-9


def test_a_large_system_says_that_formulas_were_left_out(pages: dict[str, Any]) -> None:
    page = page_of("large", pages)
    assert "fill pages" in page["model"]["equations"][-1]["note"]
    manifold = next(one for one in page["model"]["verdict"] if one["label"] == "Configuration manifold")
    assert manifold["value"] == "not determined"


def test_a_typed_lagrangian_has_no_bodies_and_moves_on_its_torus(pages: dict[str, Any]) -> None:
    page = page_of("typed", pages)
    assert page["model"]["bodies"] == []
    assert page["model"]["portraits"][0]["surface"] == "torus"
    mass = next(one for one in page["model"]["equations"] if one["title"] == "Mass matrix")
    assert r"\cos{\left(a - b \right)}" in mass["latex"][0]


@pytest.mark.parametrize("kind", KINDS)
def test_dragging_gives_the_poses_and_leaves_the_rest_for_later(kind: str) -> None:
    run = run_of(kind)
    moving = motion(run, "drag")
    assert moving["findings"] == moving["events"] == moving["audit"] == []
    assert len(moving["poses"]) == len(cast(run))
    assert {one["group"] for one in moving["series"]} == {"coordinates", "velocities", "energy"}


@pytest.mark.parametrize("name", [one.name for one in (files("cardan.formats") / "starters").iterdir()])
def test_every_starter_has_a_page(name: str) -> None:
    if not name.endswith(".yaml"):
        return
    system = cd.load(str(files("cardan.formats") / "starters" / name))
    run = system.simulate(**system.plan)
    page = document(run, frames=31)
    assert page["model"]["name"] == system.name
    assert len(page["motion"]["poses"]) == len(page["model"]["bodies"])
    json.dumps(page, allow_nan=False)


def test_numbers_come_back_from_their_form() -> None:
    table = np.array([[1.0, -2.5], [np.pi, 1e300]])
    assert np.array_equal(unpacked(packed(table, "f64")), table)
    assert packed(table[:1])["shape"] == [1, 2]
