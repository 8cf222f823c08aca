"""Nearly bifurcating four-bars: the unfolding parameter, snapping, and what the rigid linkage really does."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import cos

import cardan as cd
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.rank.numbers import RankNumbers
from cardan.trajectory.start import given_start
from support.close import assert_close
from support.four_bars import chain

START = {"q": [pi / 2, pi / 2, 0], "v": [-1, -1, 0]}


def unfolding_of(error: float):
    kernel = chain(1, coupler=2.0, ground=2.0 + error).compile()
    start = consistent_start(kernel, given_start(kernel, [0.05, 0.05, 0.0], None), kernel.p(), 0.0, 1.0)
    return RankNumbers(kernel, kernel.p(), start.reference).unfolding(0.0, start.y)


@pytest.mark.parametrize("error", [1e-3, 1e-6, 1e-9])
def test_the_shift_is_the_error_of_the_ground(error: float):
    """All links in one line: the loop is open by exactly the error, along the line."""
    found = unfolding_of(error)
    assert_close(found.y[:3], 0, within=1e-10, because="the singular configuration is folded")
    assert_close(found.shift, [-error, 0], within=1e-6 * error + 1e-16, because="rounding of cosines against 2")


def test_the_parameter_is_proportional_to_the_error():
    assert_close(unfolding_of(1e-5).e / unfolding_of(1e-7).e, 100, within=3, because="the cloud of typical rows")


@pytest.mark.parametrize("error", [0.0, 1e-10])
def test_small_errors_are_snapped(error: float):
    """The motion goes straight through, as without the error: coupler parallel to the ground."""
    run = chain(1, coupler=2.0, ground=2.0 + error).simulate(1.2, **START)
    assert ("snap" in [event.kind for event in run.events]) == (error > 0)
    assert_close(run["c0"], 0, within=1e-6, because="an error of the ground over the distance from the fold")
    assert run.audit().energy_drift < 1e-8


@pytest.mark.parametrize("error", [1e-7, 1e-5, 1e-3])
def test_larger_errors_are_resolved(error: float):
    """The branches avoid each other, and the linkage changes to the other mode with its energy kept."""
    run = chain(1, coupler=2.0, ground=2.0 + error).simulate(1.2, **START)
    assert [event.name for event in run.events] == ["near"]
    assert run.events[0].facts["e"] > 1e-9
    assert abs(run["c0"][-1]) > 0.5
    assert run.audit().energy_drift < 1e-8
    assert run.audit().constraint_error < 1e-12


def test_the_tolerance_decides():
    """With a wider tolerance the same linkage goes straight through, and says that it was snapped."""
    run = chain(1, coupler=2.0, ground=2.0 + 1e-7).simulate(1.2, **START, geometry_tol=1e-6)
    assert run.events[0].kind == "snap"
    assert_close(run["c0"], 0, within=1e-4, because="an error of the ground over the distance from the fold")


def test_branches_avoid_each_other_by_the_root_of_the_error():
    """Halfway between the branches cos(a) a' etc. vanish together: the smallest singular value goes as sqrt(error)."""
    smallest = []
    for error in (1e-4, 1e-6):
        run = chain(1, coupler=2.0, ground=2.0 + error).simulate(1.0, **START)
        a, c = run.at(np.linspace(0.6, 0.75, 30001)).q[:, [0, 2]].T
        smallest.append(np.min(np.hypot(np.sin(a), np.sin(c))))
    assert_close(
        smallest[0] / smallest[1], sqrt(100), within=0.3, because="the leading term of an expansion in sqrt(e)"
    )


def linkage(how: str, error: float) -> cd.System:
    """A four-bar whose ground is too long by ``error``, in angles a0, a1, c0 of cranks and coupler: with the rows of
    its loop, with a row that is repeated, or closed by a pin in space, three rows of which are zero."""
    s = cd.System(how) if how == "pin in space" else chain(1, coupler=2.0, ground=2.0 + error)
    if how == "repeated row":
        a0, a1, c0 = s.model.q
        s.constrain(10 * (cos(a0) + 2 * cos(c0) - (2.0 + error) - cos(a1)), name="again_x")
    if how == "pin in space":
        a0, a1, c0 = s.coordinates("a0 a1 c0", on="S1")
        s.gravity(-9.81 * s.world.y)
        crank = {"mass": 1.0, "inertia": (0, 1 / 12, 1 / 12), "com": (0.5, 0, 0)}
        coupler = {"mass": 1.0, "inertia": (0, 1 / 3, 1 / 3), "com": (1, 0, 0)}
        first = s.body("first", **crank, joint=cd.Revolute("z", a0))
        second = s.body("second", **crank, at=(2.0 + error, 0, 0), joint=cd.Revolute("z", a1))
        across = s.body("across", **coupler, parent=first, at=(1, 0, 0), joint=cd.Revolute("z", c0 - a0))
        s.connect(across.point(2, 0, 0), second.point(1, 0, 0), cd.Revolute("z"), name="pin")
    return s


WRITTEN = ("rows of angles", "repeated row", "pin in space")


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize("error", [1e-7, 1e-4, 1e-3])
def test_the_description_does_not_matter(how: str, error: float):
    """Snapped or resolved, and told, however the same linkage is written."""
    s = linkage(how, error)
    resolved = s.simulate(1.2, **START, start_tol=0.05)
    assert [event.name for event in resolved.events] == ["near"]
    assert abs(resolved["c0"][-1]) > 0.5
    snapped = s.simulate(1.2, **START, start_tol=0.05, geometry_tol=10 * error)
    assert [event.kind for event in snapped.events][:3] == ["snap", "rank-change", "branch"]
    assert_close(
        snapped["c0"][-1], 0, within=10 * error, because="an error of the ground over the distance from the fold"
    )
    audit = snapped.audit()
    shared = {"reactions"} if how == "repeated row" else set()
    assert {line.name for line in audit.complaints} <= {"start", "snapped geometry"} | shared


def index_one(t: float, y: np.ndarray, error: float) -> np.ndarray:
    """The same linkage by hand: [M, -A^T; A, 0] [vd, lam] = [Q, -Adot v], uniform bars of mass 1, coupler 2 m long."""
    (a0, a1, c0), v = y[:3], y[3:]
    w0, _, wc = v
    M = np.diag([4 / 3, 1 / 3, 4 / 3])
    M[0, 2] = M[2, 0] = np.cos(c0 - a0)
    turning = np.sin(c0 - a0) * np.array([wc**2, 0, -(w0**2)])
    weight = -9.81 * np.array([1.5 * np.cos(a0), 0.5 * np.cos(a1), np.cos(c0)])
    A = np.array([[-np.sin(a0), np.sin(a1), -2 * np.sin(c0)], [np.cos(a0), -np.cos(a1), 2 * np.cos(c0)]])
    drift = np.array([[-np.cos(a0), np.cos(a1), -2 * np.cos(c0)], [-np.sin(a0), np.sin(a1), -2 * np.sin(c0)]]) @ v**2
    system = np.block([[M, -A.T], [A, np.zeros((2, 2))]])
    return np.concatenate([v, np.linalg.solve(system, np.concatenate([turning + weight, -drift]))[:3]])


@pytest.mark.parametrize("how", WRITTEN)
def test_resolved_motion_is_that_of_the_rigid_linkage(how: str):
    error = 1e-3
    run = linkage(how, error).simulate(1.2, **START, start_tol=0.05, rtol=1e-11, atol=1e-13)
    start = np.concatenate([run.q[0], run.v[0]])
    exact = solve_ivp(index_one, (0, 1.2), start, "DOP853", rtol=1e-12, atol=1e-13, args=(error,)).y[:, -1]
    assert_close(run.q[-1], exact[:3], within=1e-7, because="rtol, times 1/sqrt(error) squared near the fold")


def test_snapping_does_not_reach_back():
    """States before the snap satisfy the constraints as they were typed, those after it the shifted ones."""
    error = 1e-4
    s = linkage("pin in space", error)
    times = np.linspace(0, 1.2, 25)
    run = s.simulate(1.2, **START, times=times, start_tol=0.05, geometry_tol=1e-3)
    snap = run.events[0]
    for one in (run, run.at(times)):
        phi = one.residuals[:, 0]
        assert_close(phi[times <= snap.t], 0, within=1e-13, because="rounding of a projection")
        assert_close(phi[times > snap.t] - snap.facts["shift"], 0, within=1e-13, because="rounding of a projection")
    assert_close(abs(snap.facts["shift"][0]), error, within=1e-9, because="all links in one line: open by the error")
    assert run.audit().energy_drift < 1e-8  # the change that the snap reports is accounted for


def test_several_loops_are_snapped_together():
    """Two loops fold at once: the rank falls by two, and e has two components."""
    error = 1e-6
    run = chain(2, coupler=2.0, ground=2.0 + error).simulate(
        1.2, q=[pi / 2] * 3 + [0] * 2, v=[-1] * 3 + [0] * 2, start_tol=0.05, geometry_tol=1e-5
    )  # fmt: skip
    assert run.events[0].kind == "snap"
    assert_close(run.events[0].facts["shift"], [-error, 0, -error, 0], within=1e-10, because="as for one loop")
    assert_close(run["c0"][-1], 0, within=1e-4, because="an error of the ground over the distance from the fold")
    assert_close(run["c1"][-1], 0, within=1e-4, because="an error of the ground over the distance from the fold")
