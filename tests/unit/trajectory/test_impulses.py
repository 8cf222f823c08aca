"""Impulses on bodies and bearings as vectors: hand formulas of impact, and the balance of every body."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from cardan.report.data.happenings import event_entries
from support.close import EPS, assert_close
from support.four_bars import chain


def struck_rod(d: float) -> cd.System:
    """A rod of mass 3 and length 2, hinged at its end, falling about z until its point at distance d meets y = 0."""
    s = cd.System("rod on an anvil")
    th = s.coordinates("th", on="S1")
    rod = s.body("rod", mass=3, inertia=(0, 1, 1), com=(1, 0, 0), joint=cd.Revolute("z", th))  # m l^2 / 12 = 1
    s.contact(rod.point(d, 0, 0), on=cd.Plane(s.world, normal="y"), restitution=0.5, name="anvil")
    return s


@pytest.mark.parametrize("d", [0.8, 4 / 3, 1.9])
def test_a_struck_rod_pushes_its_hinge_by_the_law_of_the_centre_of_percussion(d):
    """P d = I_O (1 + e) w,  R = P (1 - 3 d / (2 l)) against P: no push on the hinge at d = 2 l / 3."""
    w, e, inertia, length = 2.0, 0.5, 3 * 2.0**2 / 3, 2.0
    run = struck_rod(d).simulate(0.6, q=[1.0], v=[-w])
    (hit,) = run.impulses
    P = inertia * (1 + e) * w / d
    R = -P * (1 - 3 * d / (2 * length))
    because = "a few operations on the speed at impact, which is kept to the tolerance of the run"
    assert_close(hit.contacts["anvil"][0].force, [0, P, 0], within=1e-8 * P, because=because)
    assert_close(hit.bearings["rod"].force, [0, R, 0], within=1e-8 * P, because=because)
    assert_close(hit.bearings["rod"].moment, [0, 0, 0], within=1e-8 * P, because=because)
    assert_close(hit.bodies["rod"].force, [0, 3 * 1 * (1 + e) * w, 0], within=1e-8 * P, because=because)
    assert_close(hit.bodies["rod"].moment, [0, 0, 1 * (1 + e) * w], within=1e-8 * P, because=because)
    assert_close(hit.bodies["rod"].point, [1, 0, 0], within=1e-8, because=because)


def test_a_sliding_ball_is_turned_by_the_floor():
    """Sticking: J = v / (1/m + r^2/I) against the slip, I dw = r J, and the normal impulse m (1 + e) sqrt(2 g h)."""
    s = cd.System("ball")
    x, y, z = s.coordinates("x y z")
    m, inertia, r, e = 2.0, 0.3, 0.5, 0.5
    ball = s.body("ball", mass=m, inertia=inertia, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.z)
    s.contact(ball, on=s.world, shape=cd.Sphere(r), restitution=e, friction=0.3, name="floor")
    run = s.simulate(0.4, q={"z": 1.0}, v={"x": 1.0})
    (hit,) = run.impulses
    J, N = 1 / (1 / m + r**2 / inertia), m * (1 + e) * np.sqrt(2 * 9.81 * 0.5)
    assert J < 0.3 * N, "the ball sticks in this test"
    because = "a few operations on the speed at impact, which is kept to the tolerance of the run"
    assert_close(hit.bodies["ball"].force, [-J, 0, N], within=1e-8 * N, because=because)
    assert_close(hit.bodies["ball"].moment, [0, r * J, 0], within=1e-8 * N, because=because)
    assert_close(hit.contacts["floor"][0].force, [-J, 0, N], within=1e-8 * N, because=because)
    assert hit is run.events[0].facts["impulses"]


def tumbling_chain() -> cd.System:
    """Three bodies on skew hinges, the first welded to a plate on a ball joint, the last thrown onto the floor."""
    s = cd.System("chain on the floor")
    a, b = s.coordinates("a b", on="S1")
    s.gravity(-9.81 * s.world.z)
    base = s.body("base", mass=1.0, inertia=(0.2, 0.3, 0.4), com=(0.1, 0, 0.2), at=(0, 0, 1),
                  joint=cd.Ball(cd.Quaternion("e")))  # fmt: skip
    plate = s.body("plate", mass=0.5, inertia=0.1, com=(0.2, 0, 0), at=(0.3, 0.1, 0), parent=base, joint=cd.Fixed())
    arm = s.body("arm", mass=0.8, inertia=(0.1, 0.2, 0.15), com=(0.3, 0, 0), at=(0.4, 0, 0.1), parent=plate,
                 joint=cd.Revolute((0.6, 0.8, 0), a))  # fmt: skip
    hand = s.body("hand", mass=0.4, inertia=0.05, com=(0, 0.1, -0.2), at=(0.6, 0, 0), parent=arm,
                  joint=cd.Revolute("y", b))  # fmt: skip
    s.contact(hand.point(0.1, 0.2, -0.5), on=s.world, restitution=0.6, friction=0.4, name="floor")
    s.stop(a + 0.2, restitution=0.5, name="limit")
    return s


def about(one, place):
    return one.moment + np.cross(one.point - place, one.force)


def test_bearings_and_contacts_make_up_the_impulse_of_every_body():
    """Newton's third law, joint by joint: a body has what its bearing and contacts give, less what it hands on."""
    run = tumbling_chain().simulate(1.2, q={"b": 0.3}, v={"a": -2.0, "b": 1.0})
    children = {"base": ["plate"], "plate": ["arm"], "arm": ["hand"], "hand": []}
    assert {one.name for one in run.impulses} >= {"floor", "limit"}
    for hit in run.impulses:
        size = max(float(np.abs(one.force).max() + np.abs(one.moment).max()) for one in hit.bodies.values())
        for name, after in children.items():
            given = [hit.bearings[name], *(one for one in hit.contacts.get("floor", ()) if one.on == name)]
            place = hit.bodies[name].point
            force = sum(one.force for one in given) - sum((hit.bearings[k].force for k in after), np.zeros(3))
            moment = sum(about(one, place) for one in given)
            moment = moment - sum((about(hit.bearings[k], place) for k in after), np.zeros(3))
            because = "sums of some hundred terms of the size of the impulses"
            assert_close(force, hit.bodies[name].force, within=1e4 * EPS * size, because=because)
            assert_close(moment, hit.bodies[name].moment, within=1e4 * EPS * size, because=because)
        assert_close(hit.bearings["base"].moment, 0, within=1e-10 * size, because="a ball joint carries no moment")
        includes = {"limit"} if "limit" in hit.name else set()
        assert set(hit.bearings["arm"].includes) == includes


def test_an_impulse_where_rank_is_lost_is_balanced_body_by_body():
    """Cranks folded along x, velocity (1, 2, 1/2) thrown to the parallelogram (c, c, 0).

    M = [[4/3, 0, 1], [0, 1/3, 0], [1, 0, 4/3]]: (1, 1, 0) M (1, 2, 1/2) = 5/2, (1, 1, 0) M (1, 1, 0) = 5/3, so the
    speed is 3/2.
    """
    run = chain(1, coupler=2.0).simulate(0.1, q=[0, 0, 0], v=[1.0, 2.0, 0.5], project="max_energy")
    hit = run.impulses[0]
    M = np.array([[4 / 3, 0, 1], [0, 1 / 3, 0], [1, 0, 4 / 3]])
    T, before = np.array([1, 1, 0]), np.array([1, 2, 0.5])
    c = (T @ M @ before) / (T @ M @ T)
    da, dd, dc = c * T - before
    expected = {"crank0": (da / 2, da / 12), "crank1": (dd / 2, dd / 12), "coupler0": (da + dc, dc * 4 / 12)}
    for name, (push, turn) in expected.items():
        assert_close(hit.bodies[name].force, [0, push, 0], within=1e-12, because="rounding of one projection")
        assert_close(hit.bodies[name].moment, [0, 0, turn], within=1e-12, because="rounding of one projection")
    assert hit.bearings["crank0"].includes, "the loops were typed without a place"


def test_page_and_command_tell_impulses(tmp_path):
    run = struck_rod(0.8).simulate(0.6, q=[1.0], v=[-2.0])
    (entry,) = event_entries(run)
    told = dict(entry["facts"])
    assert told["impulse of anvil on rod"].startswith("force (0, 15, 0) N s")  # 4 * 1.5 * 2 / 0.8
    path = tmp_path / "rod.yaml"
    path.write_text(
        "cardan: 1\nname: rod\ncoordinates: {th: {on: S1}}\nbodies:\n"
        "  rod: {mass: 3, inertia: [0, 1, 1], com: [1, 0, 0], joint: {kind: revolute, axis: z, angle: th}}\n"
        "stops:\n  - {kind: gap, name: rest, gap: th, restitution: 0.5}\n"
        "start: {q: {th: 1}, v: {th: -2}}\nsimulate: {duration: 0.6}\n"
    )
    answer = CliRunner().invoke(app, ["simulate", str(path), "--json"])
    assert answer.exit_code == 0, answer.output
    (event,) = json.loads(answer.output)["events"]
    through = next(one for one in event["impulses"] if one["what"] == "through the joint of rod")
    assert_close(through["force"], [0, 9, 0], within=1e-7, because="m l/2 (1 + e) w, printed in full")
    assert_close(through["moment"], [0, 0, 12], within=1e-7, because="I_O (1 + e) w")
    assert "through the joint of rod" in CliRunner().invoke(app, ["simulate", str(path)]).output
