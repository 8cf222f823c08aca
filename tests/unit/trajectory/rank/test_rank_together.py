"""Losses of rank together with stops and with friction: what works, and what is refused by name."""

from __future__ import annotations

from math import pi, sin

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import SimulationError
from support.close import assert_close
from support.four_bars import GRAVITY, chain

CRANKS, COUPLERS = [1.3, 2.4], [0.6]
START = {"q": [pi / 2, pi / 2, 0], "v": [-1, -1, 0]}
INERTIA = sum(CRANKS) / 3 + sum(COUPLERS)  # of the parallelogram as a pendulum, about the crank's pin
PULL = (sum(CRANKS) / 2 + sum(COUPLERS)) * GRAVITY


def speed(angle: float) -> float:
    """|da/dt| of the parallelogram, from its energy."""
    return float(np.sqrt(1 + 2 * PULL * (1 - sin(angle)) / INERTIA))


def test_a_stop_behind_the_fold_is_hit_on_the_right_branch():
    """Through the fold at a = 0, a bounce at a = -1, and through the fold again; only the impact takes energy."""
    s = chain(1, CRANKS, COUPLERS)
    a = s.model.q[0]
    s.stop(a + 1.0, restitution=0.5, name="bump")
    run = s.simulate(1.2, **START)
    kinds = [one.kind for one in run.events]
    assert kinds[:3] == ["rank-change", "branch", "impact"]
    hit = run.events[2]
    assert_close(hit.facts["approach"]["bump"], -speed(-1.0), within=1e-7, because="rtol 1e-9 and one crossing")
    assert_close(run.q[:, 0], run.q[:, 1], within=1e-7, because="it stays a parallelogram")
    rebound = 0.5 * speed(-1.0)
    highest = float(np.arcsin(-sin(1.0) + INERTIA * rebound**2 / (2 * PULL)))
    top = run.q[:, 0][run.t > hit.t]
    assert_close(float(np.max(top)), highest, within=1e-2, because="read at the steps of the run")
    assert not run.audit().complaints, run.audit()


def test_a_stop_at_the_fold_itself():
    """The stop throws back one crank where two motions meet: which of them goes on is open, and said to be."""
    s = chain(1, CRANKS, COUPLERS)
    s.stop(s.model.q[0], restitution=1.0, name="flat")
    with pytest.raises(SimulationError, match=r"2 branches of motion meet at t = 0\.686.*flat.*max_energy") as caught:
        s.simulate(1.0, **START)
    run = caught.value.trajectory
    assert run.events[-1].name == "flat"
    assert_close(run.q[-1], 0.0, within=1e-7, because="rtol 1e-9 up to the fold")


def test_a_stop_at_the_fold_itself_with_a_rule():
    """The velocity after the bounce is projected to the nearest branch; its cost is recorded, nothing else is lost."""
    s = chain(1, CRANKS, COUPLERS, coupler=2.0)
    s.stop(s.model.q[0], restitution=1.0, name="flat")
    run = s.simulate(0.9, **START, project="max_energy")
    kinds = [one.kind for one in run.events]
    jump = run.events[kinds.index("impulse")]
    assert kinds.index("impact") < kinds.index("impulse")
    M, before = s.compile().mass_matrix([0, 0, 0]), jump.v
    energy = before @ M @ before
    kept = max((T @ M @ before) ** 2 / (T @ M @ T) for T in np.array([[1, 1, 0], [-1 / 3, 1, 2 / 3]]))
    assert_close(jump.facts["energy_change"], (kept - energy) / 2, within=1e-6, because="rtol 1e-9 up to the fold")
    assert run.audit().energy_drift < 1e-7  # rtol 1e-9, a crossing and an impact


def test_friction_with_a_known_load_is_carried_across():
    """A smooth law at the pin of the first crank: the parallelogram is a pendulum with that friction."""
    s = chain(1, CRANKS, COUPLERS)
    s.friction(s.model.q[0], coefficient=0.2, normal=5.0, law="tanh", width=0.01, name="pin")
    run = s.simulate(2.0, **START)
    one = cd.System("pendulum")
    a = one.coordinates("a", on="S1")
    one.kinetic_energy(INERTIA * a.dot**2 / 2)
    one.potential(PULL * sp.sin(a))
    one.friction(a, coefficient=0.2, normal=5.0, law="tanh", width=0.01, name="pin")
    expected = one.simulate(2.0, q=[pi / 2], v=[-1.0], rtol=1e-11)
    assert_close(run.q[-1, 0], expected.q[-1, 0], within=1e-6, because="rtol 1e-9, crossings, angles of size 10")
    assert {one.kind for one in run.events} >= {"rank-change"}
    assert run.audit().is_branch_certain


@pytest.mark.parametrize(("method", "rtol"), [("auto", 1e-6), ("auto", 1e-9), ("auto", 1e-11), ("Radau", 1e-9)])
def test_friction_that_depends_on_the_constraints_is_refused_at_the_fold(method: str, rtol: float):
    s = chain(1, CRANKS, COUPLERS)
    s.friction(s.model.q[0], coefficient=0.05, normal="loop0_y", name="pin")
    with pytest.raises(SimulationError, match=r"pin.*loop0_.*lose rank.*law='tanh'") as caught:
        s.simulate(2.0, **START, method=method, rtol=rtol)
    run = caught.value.trajectory
    assert 0 < run.q[-1, 0] < 0.1, "just before the fold"
    assert run.audit()["status"].verdict == "wrong"


def test_friction_of_a_joint_away_from_the_fold_is_not_disturbed():
    s = chain(1, CRANKS, COUPLERS)
    s.friction(s.model.q[0], coefficient=0.05, normal="loop0_y", name="pin")
    run = s.simulate(0.4, **START)
    assert run.status == "finished"
    assert run.audit()["power balance"].verdict == "ok"


def test_angles_of_a_declared_chart_are_flagged_where_they_have_no_meaning():
    s = cd.System("polar")
    r, th = s.coordinates("r theta")
    s.lagrangian((r.dot**2 + r**2 * th.dot**2 - r**2) / 2)
    x, y = s.chart_coordinates("x y")
    back = {x: r * sp.cos(th), y: r * sp.sin(th)}
    s.chart("cartesian", [x, y], {r: sp.sqrt(x**2 + y**2), th: sp.atan2(y, x)}, inverse=back)
    pole = pi / 2  # of cos(t), the distance along a line through it
    run = s.simulate(2.0, q=[1.0, 0.3], rtol=1e-12, times=[0.0, 1.0, pole, 2.0])
    assert [one.kind for one in run.events] == ["chart-switch"]
    assert run.is_defined.tolist() == [True, True, False, True]
    assert [one.name for one in run.audit().complaints] == ["angles"]
    assert run.at([pole, 1.6]).is_defined.tolist() == [False, True]


def test_a_long_chain_that_starts_on_its_fold():
    """Eleven motions begin there, most of them inside configurations of lower rank; it keeps to its own."""
    N = 10
    cranks, couplers = 1.0 + 0.37 * (7 * np.arange(N + 1) % 5), 0.5 + 0.29 * (3 * np.arange(N) % 4)
    s = chain(N, list(cranks), list(couplers))
    run = s.simulate(3.0, q=[0.0] * (2 * N + 1), v=[2.0] * (N + 1) + [0.0] * N)
    pull = GRAVITY * (cranks.sum() / 2 + couplers.sum()) / (cranks.sum() / 3 + couplers.sum())
    assert_close(run.v[:, 0] ** 2, 4 - 2 * pull * np.sin(run.q[:, 0]), within=1e-6, because="energy of a pendulum")
    assert_close(np.ptp(run.q[:, : N + 1], axis=1), 0.0, within=1e-6, because="cranks stay parallel")
    assert [one.name for one in run.audit().complaints] == ["reactions"], "its multipliers are infinite at the start"


def test_requested_times_just_before_a_passage_are_those_of_the_shortened_step():
    """The step that meets the window is made again, shorter; the longer one reaches into places without meaning."""
    s, times = chain(1, CRANKS, COUPLERS), np.linspace(0.0, 5.0, 2001)
    asked, steps = s.simulate(5.0, **START, times=times), s.simulate(5.0, **START)
    assert_close(asked.q, steps.at(times).q, within=1e-12, because="the same polynomials, read at the same times")
    assert_close(asked.v, steps.at(times).v, within=1e-11, because="the same, at speeds of 6")


# --- stops that are closed while the linkage folds ------------------------------------------------------------------


def carried(floor: bool, friction: float = 0.0, ground: float = 2.0, restitution: float = 0.0) -> cd.System:
    """A parallelogram on a cart that slides along x, on a floor (y >= 0) or on a rail."""
    s = cd.System("linkage on a cart")
    x = s.coordinates("x")
    y = s.coordinates("y") if floor else 0
    a, b, c = s.coordinates("a b c", on="S1")
    lift = s.body("lift", mass=1.0, inertia=1.0, joint=cd.Prismatic("y", y)) if floor else None
    cart = s.body("cart", mass=9.0, inertia=1.0, parent=lift, joint=cd.Prismatic("x", x))
    crank = {"mass": 1.0, "inertia": 1 / 12, "com": (0.5, 0, 0), "parent": cart}
    left = s.body("left", **crank, joint=cd.Revolute("z", a))
    right = s.body("right", **crank, at=(ground, 0, 0), joint=cd.Revolute("z", b))
    across = s.body(
        "across", mass=2.0, inertia=2 / 3, com=(1, 0, 0), parent=left, at=(1, 0, 0), joint=cd.Revolute("z", c - a)
    )
    s.connect(across.point(2, 0, 0), right.point(1, 0, 0), cd.Revolute("z"), name="pin")
    s.gravity(-9.81 * s.world.y)
    if floor:
        s.stop(y, restitution=restitution, friction=friction, slip=x.dot if friction else (), name="floor")
    return s


UPRIGHT = {"a": pi / 2, "b": pi / 2, "x": 0.0}


def test_a_linkage_folds_while_it_rests_on_a_floor():
    """The floor that never lets go is a rail: the same motion, the same crossings."""
    run = carried(floor=True).simulate(2.0, q={**UPRIGHT, "y": 0.0}, v={"a": -1.0})
    rail = carried(floor=False).simulate(2.0, q=UPRIGHT, v={"a": -1.0}, rtol=1e-11)
    assert_close(run.q[-1, [0, 2, 3]], rail.q[-1, :3], within=1e-6, because="rtol 1e-9, two crossings, angles of 10")
    crossings = [[event for event in one.events if event.kind == "rank-change"] for one in (run, rail)]
    assert [event.kind for event in run.events[:3]] == ["contact", "rank-change", "branch"]
    for here, there in zip(*crossings, strict=True):
        assert_close(here.t, there.t, within=1e-8, because="rtol 1e-9")
        known = there.facts["limit_acceleration"]
        assert_close(
            here.facts["limit_acceleration"][[0, 2, 3, 4]], known, within=1e-5, because="the slope of a polynomial"
        )
    assert not run.audit().complaints, run.audit()


def test_a_linkage_folds_while_its_cart_slides_with_friction():
    """Friction keeps acting inside the passages: the account of work closes, and a strong one holds the cart."""
    run = carried(floor=True, friction=0.1).simulate(2.0, q={**UPRIGHT, "y": 0.0}, v={"a": -1.0, "x": 2.0})
    assert [event.kind for event in run.events].count("rank-change") == 2
    assert_close(run["a"], run["b"], within=1e-7, because="it stays a parallelogram")
    assert run.audit().power_balance < 1e-8  # rtol 1e-9 over some fifty steps
    held = carried(floor=True, friction=0.9).simulate(1.5, q={**UPRIGHT, "y": 0.0}, v={"a": -1.0})
    assert_close(held["x"], 0.0, within=1e-10, because="friction 0.9 holds it")
    alone = chain(1, coupler=2.0, couplers=[2.0]).simulate(1.5, q=[pi / 2, pi / 2, 0], v=[-1, -1, 0], rtol=1e-11)
    assert_close(held["a"][-1], alone["a0"][-1], within=1e-6, because="rtol 1e-9 and two crossings")


@pytest.mark.parametrize("height", [0.3, 0.0])
def test_a_snapped_linkage_on_a_floor_stays_snapped(height: float):
    """The constraints are shifted in every mode: before and after impacts, open and closed."""
    s = carried(floor=True, ground=2.0001, restitution=0.5)
    run = s.simulate(1.5, q={**UPRIGHT, "y": height}, v={"a": -1.0}, geometry_tol=1e-3)
    kinds = [event.kind for event in run.events]
    snap = run.events[kinds.index("snap")]
    assert kinds.count("snap") == 1
    assert ("impact" in kinds[kinds.index("snap") :]) == (height > 0)
    after = run.t > snap.t
    assert_close(run.residuals[after, 0] - snap.facts["shift"], 0, within=1e-8, because="projected after every step")
    assert_close(run["a"][after], run["b"][after], within=1e-3, because="no motion of crossed bars")


def test_resting_at_the_fold_on_a_floor_is_refused():
    with pytest.raises(SimulationError, match="rests on floor where its constraints lose rank"):
        carried(floor=True).simulate(1.0, q={"a": 0, "b": 0, "c": 0, "x": 0, "y": 0}, v={"a": 0.0, "b": 0.0})
