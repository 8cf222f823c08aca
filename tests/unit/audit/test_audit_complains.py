"""Every way in which a run can be wrong, provoked by a deliberately bad setting, and what the audit says of it.

The good twin of each run has no complaints.
"""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from sympy import cos, exp, log, sin, sqrt

import cardan as cd
from cardan.audit.audit import LOOK, OK, WRONG
from cardan.errors import SimulationError
from support.close import assert_close
from support.four_bars import chain

G = 9.81
FOLDING = {"q": [pi / 2, pi / 2, 0], "v": [-1, -1, 0]}
FIXED = ("RK4", "symplectic", "symplectic-4", "symplectic-6", "RATTLE", "energy-momentum")


def double_pendulum() -> cd.System:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("A", mass=1, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    s.body("B", mass=1, inertia=1 / 12, com=(0.5, 0, 0), at=(1, 0, 0), parent=first, joint=cd.Revolute("z", b))
    s.gravity(-G * s.world.y)
    return s


def pendulum_on_a_rod() -> cd.System:
    s = cd.System("pendulum on a rod")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1, position=x * s.world.x + y * s.world.y)
    s.gravity(-G * s.world.y)
    s.constrain(x**2 + y**2 - 1, name="rod")
    return s


def ball(restitution: float, **more: float) -> cd.System:
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("P", mass=1, position=z * s.world.z)
    s.gravity(-G * s.world.z)
    s.stop(z, restitution=restitution, name="floor")
    return s


def body(joint: object, **options: object) -> cd.System:
    s = cd.System("body")
    s.body("B", mass=1, inertia=(1.0, 2.0, 2.5), joint=joint)
    return s


def complaints(run: cd.Run) -> dict[str, str]:
    return {one.name: one.verdict for one in run.audit(budget=120).complaints}


# --- energy ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["RK4", "symplectic", "symplectic-4", "symplectic-6", "RATTLE"])
def test_energy_lost_by_long_steps(method: str):
    s = double_pendulum()
    fine = {"symplectic": 2e-4, "RATTLE": 2e-4, "symplectic-6": 2e-3}.get(method, 1e-3)
    assert not complaints(s.simulate(3.0, q=[1, 0.5], method=method, step=fine))
    line = s.simulate(3.0, q=[1, 0.5], method=method, step=0.15, throw=False).audit()["energy"]
    assert line.verdict != OK
    assert "step=" in line.words
    assert f"{line.value:.2e}" in line.words


@pytest.mark.parametrize("method", ["auto", "DOP853", "Radau"])
def test_energy_lost_by_a_loose_tolerance(method: str):
    s = double_pendulum()
    assert not complaints(s.simulate(3.0, q=[1, 0.5], method=method))
    found = s.simulate(20.0, q=[2, 0.5], method=method, rtol=1e-2, atol=1e-2).audit()
    assert found["energy"].verdict == WRONG
    assert "rtol=" in found["energy"].words
    assert found["tolerance"].verdict == LOOK
    assert "energy" in str(found).splitlines()[-1]


def test_a_driven_system_loses_its_jacobi_integral():
    """A bead on a hoop turned at a constant rate: T + V is fed by the motor, v dL/dv - L is conserved."""
    s = cd.System("hoop")
    phi, th = s.coordinates("phi th")
    s.prescribe(phi, 3.0 * s.time)
    s.kinetic_energy((th.dot**2 + sin(th) ** 2 * phi.dot**2) / 2)
    s.potential(-G * cos(th))
    good = s.simulate(5.0, q={"th": 1.0})
    assert not complaints(good)
    assert good.audit().energy_drift > 1e-2, "the motor does work"
    assert s.simulate(5.0, q={"th": 1.0}, method="RK4", step=0.2).audit()["Jacobi integral"].verdict != OK


def test_a_method_that_loses_angular_momentum_is_complained_of():
    s = cd.System("planet")
    r, phi = s.coordinates("r phi")
    P = s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, phi, 0))
    s.spring(P, s.world.origin, stiffness=2.0)
    assert s.simulate(5.0, q=[1, 0], v=[0, 1.0]).audit()["momenta"].verdict == OK
    bad = s.simulate(5.0, q=[1, 0], v=[0, 1.0], method="RK4", step=0.3)
    line = bad.audit()["momenta"]
    assert line.verdict != OK
    along = bad["r"] ** 2 * bad["phi_dot"]
    assert abs(line.value - np.ptp(along) / np.max(np.abs(along))) < 1e-12  # the same number, typed
    assert "phi" in line.words


def test_a_power_that_steps_do_not_see():
    """A short push between two long steps: the state does not change, the account does."""
    s = cd.System("pushed")
    x = s.coordinates("x")
    P = s.particle("P", mass=1, position=x * s.world.x)
    s.force("push", on=P, along=s.world.x)

    def push(t: float, q: object, v: object) -> float:
        return 50.0 * np.exp(-(((t - 0.93) / 0.004) ** 2))

    good = s.simulate(2.0, v=[1.0], loads={"push": push}, method="RK4", step=1e-4)
    assert not complaints(good)
    line = s.simulate(2.0, v=[1.0], loads={"push": push}, method="RK4", step=0.1).audit()["power balance"]
    assert line.verdict != OK


def test_an_unfinished_implicit_step_ends_the_run_and_is_wrong():
    run = double_pendulum().simulate(5.0, q=[2, 1], v=[20, -30], method="energy-momentum", step=0.5, throw=False)
    assert run.status == "no-convergence"
    assert complaints(run)["status"] == WRONG


def test_an_inexact_energy_momentum_step_is_seen_although_its_energy_is_kept():
    found = double_pendulum().simulate(5.0, q=[2, 1], method="energy-momentum", step=0.03).audit()
    assert found["energy"].verdict == OK
    assert found["resolution"].verdict != OK


# --- constraints, quaternions, starts -----------------------------------------------------------------------


def test_drift_of_constraints_without_projection():
    s = pendulum_on_a_rod()
    assert not complaints(s.simulate(2.0, q=[1, 0]))
    run = s.simulate(2.0, q=[1, 0], method="scipy-DOP853", rtol=1e-6, atol=1e-8, throw=False)
    line = run.audit()["constraints"]
    assert line.verdict != OK
    assert "projects" in line.words


def test_drift_of_constraints_in_long_time_steps():
    s = pendulum_on_a_rod()
    s.stop(2 + s.model.q[0], restitution=0.5, name="wall")
    assert s.simulate(1.0, q=[1, 0], method="Moreau-Jean", step=0.02, throw=False).audit()["constraints"].verdict != OK
    assert complaints(s.simulate(1.0, q=[1, 0], method="Moreau-Jean", step=0.1, throw=False))["status"] == WRONG
    assert not complaints(s.simulate(1.0, q=[1, 0]))


def test_quaternions_that_are_no_rotations():
    s = body(cd.Ball(cd.Quaternion("e")))
    start = {"v": [1.0, 2.0, 0.3]}
    assert not complaints(s.simulate(5.0, **start))
    assert s.simulate(5.0, **start, times=np.linspace(0, 5, 40)).audit()["quaternions"].value < 1e-14
    line = s.simulate(5.0, **start, method="scipy-DOP853", rtol=1e-3, atol=1e-3).audit()["quaternions"]
    assert line.verdict != OK


def test_a_start_that_was_moved():
    s = pendulum_on_a_rod()
    found = s.simulate(1.0, q=[1.2, 0], start_tol=1.0).audit()["start"]
    assert found.verdict == LOOK
    assert_close(found.value, 0.2, within=0.1, because="the rod is 0.2 shorter, and about 1 is typical")


# --- rank ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["RK4", "RATTLE", "energy-momentum"])
def test_a_loss_of_rank_near_which_fixed_steps_go_on(method: str):
    """Geometry that does not bifurcate is not passed but resolved, for which such steps may be too long."""
    s = chain(1, [1.3, 2.4], [0.6], ground=1 + 1e-6)
    found = s.simulate(0.8, **FOLDING, method=method, step=1e-3, throw=False).audit()
    assert found["branch"].verdict != OK
    assert "NOT CERTAIN" in found["branch"].words
    assert "method='auto'" in found["branch"].words
    assert not found.is_branch_certain


def test_a_loss_of_rank_passed_by_another_integrator():
    run = chain(1, [1.3, 2.4], [0.6]).simulate(1.0, **FOLDING, method="scipy-DOP853", throw=False)
    assert run.audit()["branch"].verdict != OK


@pytest.mark.parametrize("method", ["auto", "Radau", "RK4", "energy-momentum"])
def test_a_passage_under_watch_is_no_complaint(method: str):
    step = None if method in ("auto", "Radau") else 2e-3
    assert not complaints(chain(1, [1.3, 2.4], [0.6]).simulate(3.0, **FOLDING, method=method, step=step))


def test_a_passage_that_failed_is_said(monkeypatch: pytest.MonkeyPatch):
    """Passages are made impossible; ordinary steps go on, and nobody knows where."""
    monkeypatch.setattr("cardan.trajectory.rank.window.ATTEMPTS", 0)
    run = chain(1, [1.3, 2.4], [0.6]).simulate(0.8, **FOLDING, throw=False, max_steps=2000)
    assert [one.name for one in run.events if one.kind == "branch"] == ["unwatched"]
    assert complaints(run)["branch"] == WRONG


def test_geometry_that_was_changed_to_pass():
    s = chain(1, [1.3, 2.4], [0.6], ground=1 + 1e-7)
    start = s.assemble({"a0": pi / 2})[0].q
    found = s.simulate(1.0, q=start, v={"a0": -1.0}, geometry_tol=1e-3).audit()
    assert found["snapped geometry"].verdict == LOOK
    assert "geometry_tol" in found["snapped geometry"].words


def test_multipliers_that_are_not_unique():
    s = pendulum_on_a_rod()
    x, y = s.model.q
    s.constrain(2 * x**2 + 2 * y**2 - 2, name="again")
    line = s.simulate(1.0, q=[1, 0]).audit()["reactions"]
    assert line.verdict == LOOK
    assert "rod, again" in line.words


def test_multipliers_asked_for_where_they_have_no_value():
    s = chain(1, [1.3, 2.4], [0.6])
    crossing = next(one.t for one in s.simulate(1.0, **FOLDING).events if one.kind == "rank-change")
    assert s.simulate(1.0, **FOLDING).audit()["reactions"].verdict == OK
    run = s.simulate(1.0, **FOLDING, times=[0.0, crossing, 1.0])
    assert run.audit()["reactions"].verdict == LOOK
    assert np.isnan(run.multipliers["loop0_x"][1])


def test_a_weight_typed_as_a_potential_counts_as_a_reaction():
    """A rod hanging at rest from a pin: its weight, said by s.gravity, is no reaction; typed, it is."""
    for typed in (False, True):
        s = cd.System("hanging rod")
        th = s.coordinate("th")
        s.body("rod", mass=2.0, com=(0, -0.5, 0), inertia=0.1, joint=cd.Revolute("z", th))
        if typed:
            s.potential(-2.0 * 9.81 * 0.5 * cos(th))
        else:
            s.gravity(-9.81 * s.world.y)
        audit = s.simulate(0.1, q=[0.0]).audit()
        assert ("typed forces" in [one.name for one in audit.lines]) == typed
    line = audit["typed forces"]
    assert line.verdict == OK, "the motion is the same"
    assert "rod" in line.words


# --- coordinates --------------------------------------------------------------------------------------------


def test_singular_coordinates_passed_by_fixed_steps():
    """A particle in polar coordinates, aimed past the pole with a miss of 1e-3 by symplectic steps."""
    s = cd.System("polar")
    r, th = s.coordinates("r th")
    s.kinetic_energy((r.dot**2 + r**2 * th.dot**2) / 2)
    start = {"q": [1.0, 0.0], "v": [-2.0, 2e-3]}
    assert not complaints(s.simulate(1.0, **start))
    line = s.simulate(1.0, **start, method="symplectic", step=0.01, throw=False).audit()["coordinates"]
    assert line.verdict != OK
    assert "chart" in line.words


def test_angles_without_a_meaning():
    """A particle through the axis of its cylindrical coordinates: there the angle is anything."""
    s = cd.System("cylindrical")
    r, th, z = s.coordinates("r th z")
    s.particle("P", mass=1, coordinates=cd.PolarCylindrical(r, th, z))
    run = s.simulate(1.0, q=[1.0, 0.0, 0.0], v=[-2.0, 0.0, 0.0], times=[0.0, 0.5, 1.0])
    assert run.is_defined.tolist() == [True, False, True]
    assert run.audit()["angles"].verdict == LOOK


# --- contact and friction -----------------------------------------------------------------------------------


def test_penetration_by_long_time_steps():
    assert not complaints(ball(0.5).simulate(1.0, q=[1.0]))
    line = ball(0.5).simulate(1.0, q=[1.0], method="Moreau-Jean", step=0.01).audit()["penetration"]
    assert line.verdict != OK
    assert "step=" in line.words


def across_a_thin_wall() -> tuple[cd.System, object]:
    """A free particle, and a bump that long steps do not see."""
    s = cd.System("thin wall")
    x = s.coordinates("x")
    s.particle("P", mass=1, position=x * s.world.x)
    return s, 1 - 2 * exp(-(((x - 0.63) / 0.02) ** 2))


def test_a_stop_passed_and_left_between_two_steps():
    s, gap = across_a_thin_wall()
    s.stop(gap, restitution=0.5, name="wall")
    good = s.simulate(1.0, v=[1.0], method="RK4", step=0.01)
    assert [one.kind for one in good.events] == ["impact"]
    assert not complaints(good)
    run = s.simulate(1.0, v=[1.0], method="RK4", step=1.0)
    assert not run.events
    assert run.audit()["missed stops"].verdict == WRONG
    assert "wall" in run.audit()["missed stops"].words


def test_an_event_that_was_missed():
    s, gap = across_a_thin_wall()
    gate = cd.Event(gap, name="gate")
    good = s.simulate(1.0, v=[1.0], events=[gate], method="RK4", step=0.01)
    assert len(good.events) == 2
    assert not complaints(good)
    run = s.simulate(1.0, v=[1.0], events=[gate], method="RK4", step=1.0)
    assert not run.events
    assert run.audit()["events"].verdict == LOOK
    assert "gate" in run.audit()["events"].words


def test_several_impacts_at_once_that_nothing_determines():
    s = cd.System("corner")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1, position=x * s.world.x + y * s.world.y)
    s.stop(x, restitution=1.0, name="left")
    s.stop(x + y, restitution=1.0, name="oblique")
    line = s.simulate(2.0, q=[1.0, 0.0], v=[-1.0, 0.0]).audit()["impacts"]
    assert line.verdict == LOOK
    assert "impact_law" in line.words
    assert not complaints(s.simulate(0.5, q=[1.0, 0.0], v=[-1.0, 0.0]))


def test_smooth_friction_that_creeps():
    def incline(law: str, **more: float) -> cd.Run:
        s = cd.System("incline")
        x = s.coordinates("x")
        s.particle("P", mass=1, position=x * s.world.x)
        s.gravity(2.0 * s.world.x)
        s.friction(x, coefficient=0.5, normal=8.0, law=law, name="rub", **more)
        return s.simulate(2.0)

    assert not complaints(incline("exact"))
    line = incline("tanh", width=1e-2).audit()["friction"]
    assert line.verdict == LOOK
    assert "law='exact'" in line.words


# --- no false alarms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [1.0, 0.6, 0.0])
def test_energy_lost_in_impacts_is_no_drift(restitution: float):
    run = ball(restitution).simulate(3.0, q=[1.0])
    assert not complaints(run)
    assert "impact" in [one.kind for one in run.events]


def test_time_stepping_accounts_for_what_contacts_take():
    """First order: the account is open by the step, not by the energy that impacts take."""
    run = ball(0.5).simulate(2.0, q=[1.0], method="Moreau-Jean", step=1e-4)
    lost = run.energy[0] - run.energy[-1]
    assert lost > 0.7 * run.energy[0]
    assert_close(run.audit().energy_drift, 0.0, within=2e-3, because="steps of 1e-4 s at 4 m/s, relative to 1 m")


def test_a_system_at_rest_and_one_that_hardly_moves_are_fine():
    assert not complaints(double_pendulum().simulate(2.0, q=[-pi / 2, 0.0]))
    assert not complaints(double_pendulum().simulate(2.0, q=[-pi / 2 + 1e-9, 0.0]))
    assert not complaints(ball(0.3).simulate(1.0, q=[0.0]))


@pytest.mark.parametrize("feet", [1, 2, 3])
def test_feet_that_share_their_load_at_will(feet: int):
    """A bar in the plane on one foot, two, or three: its weight is shared in one way by two, in many by three."""
    s = cd.System("bar")
    x, y, a = s.coordinates("x y a")
    bar = s.body("bar", mass=1.0, inertia=1.0, joint=cd.Planar(x, y, a))
    s.gravity(-9.81 * s.world.y)
    for k in range(feet):
        s.contact(bar.point(k, 0, 0), on=cd.Plane(s.world, "y"), restitution=0, name=f"foot{k}")
    run = s.simulate(0.1)
    found = complaints(run)
    assert found == ({"contact forces": LOOK} if feet == 3 else {})
    total = sum(run.multipliers[f"foot{k}"][0] for k in range(feet))
    assert_close(total, 9.81, within=1e-12, because="the sum is determined")
    if feet == 3:
        assert "foot0, foot1, foot2" in run.audit()["contact forces"].words


def test_forces_inputs_and_dampers_are_accounted_for():
    s = cd.System("driven")
    x = s.coordinates("x")
    P = s.particle("P", mass=1, position=x * s.world.x)
    s.potential(2 * x**2)
    s.force("push", on=P, along=s.world.x)
    run = s.simulate(5.0, q=[1.0], loads={"push": sin(3 * s.time)})
    assert not complaints(run)
    assert run.audit().energy_drift > 1e-2


def test_a_run_that_stopped_early_is_wrong_and_says_so():
    with pytest.raises(SimulationError) as caught:
        double_pendulum().simulate(5.0, q=[1, 1], max_steps=20)
    found = caught.value.trajectory.audit()
    assert found["status"].verdict == WRONG
    assert str(found).splitlines()[-1].startswith("verdict           wrong: status")


def test_a_method_that_knows_no_stops_falls_through_them_and_is_wrong():
    assert complaints(ball(0.5).simulate(1.0, q=[1.0], method="scipy-DOP853"))["penetration"] == WRONG


@pytest.mark.parametrize("begin", [3.1, 5.1, 6.1, 8.1])
def test_a_pulse_that_no_step_has_looked_at_is_wrong(begin: float):
    """With steps of any length a pulse of 0.3 N s is seen or stepped over; the audit knows which."""
    s = cd.System("pushed")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2)
    s.generalized_force(x, s.input("u"))
    pulse = {"u": lambda t: float(begin < t < begin + 0.3)}
    long = s.simulate(10.0, inputs=pulse, max_step=100.0)
    missed = abs(long.v[-1, 0] - 0.3) > 1e-6
    assert (complaints(long).get("between steps") == WRONG) == missed
    assert missed or begin == 5.1, "of these only one happens to be seen"
    short = s.simulate(10.0, inputs=pulse)
    assert abs(short.v[-1, 0] - 0.3) <= 1e-6
    assert "between steps" not in complaints(short)
    assert "longer than" in long.audit()["between steps"].words


def test_a_motion_longer_than_its_neighbours_stay_together_is_looked_at():
    s = double_pendulum()
    assert complaints(s.simulate(60.0, q=[2.0, 0.5]))["digits"] == LOOK
    assert not complaints(s.simulate(3.0, q=[2.0, 0.5]))


@pytest.mark.parametrize(("on", "v", "when"), [("R+", -1.0, 1.0), ((0, 2), 1.0, 1.0), ((-1, 2), -1.0, 2.0)])
def test_a_coordinate_that_leaves_its_range_is_looked_at(on: object, v: float, when: float):
    s = cd.System("free")
    r = s.coordinates("r", on=on)
    s.lagrangian(r.dot**2 / 2)
    line = s.simulate(3.0, q=[1.0], v=[v]).audit()["ranges"]
    assert line.verdict == LOOK
    since = float(line.words.split("t = ")[1].split(":")[0])
    assert when <= since <= when + 1.0, "the first place that was looked at behind the end"
    assert s.simulate(0.5, q=[1.0], v=[v]).audit()["ranges"].verdict == OK


def test_a_coordinate_that_a_stop_keeps_in_its_range():
    s = cd.System("kept")
    r = s.coordinates("r", on="R+")
    s.lagrangian(r.dot**2 / 2)
    s.stop(r, restitution=1.0)
    assert not complaints(s.simulate(3.0, q=[1.0], v=[-1.0]))


def test_an_event_function_without_a_value_is_looked_at():
    s = cd.System("free")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2)
    for expression in (log(x - 100), sqrt(x - 2)):
        line = s.simulate(2.0, q=[1.0], v=[1.0], events=cd.Event(expression)).audit()["events"]
        assert line.verdict == LOOK
        assert "undefined" in line.words


@pytest.mark.parametrize(("t0", "duration"), [(1e16, 1.0), (-1e14, 1.0), (1.0, 1e-17), (1e16, -1.0)])
def test_times_that_the_clock_cannot_tell_apart_are_refused(t0: float, duration: float):
    s = cd.System("free")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2)
    with pytest.raises(cd.errors.ModelError, match="told apart"):
        s.simulate(duration, t0=t0)
