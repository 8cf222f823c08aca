"""Stops as a user meets them: refusals, starts on a stop, constraints in force, drivers, audit."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError, SimulationError, StartError
from support.close import assert_close


def falling(restitution: float = 0.5) -> cd.System:
    s = cd.System("falling")
    z = s.coordinates("z")
    s.particle("P", mass=1, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=restitution, name="floor")
    return s


# --- refusals ----------------------------------------------------------------------------------------------


def test_restitution_must_be_given_and_lie_between_0_and_1():
    s = cd.System("x")
    x = s.coordinates("x")
    with pytest.raises(TypeError, match="restitution"):
        s.stop(x)
    for wrong in (-0.1, 1.5):
        with pytest.raises(ModelError, match="restitution"):
            s.stop(x, restitution=wrong, name=f"stop at {wrong}")


def test_friction_without_a_direction_is_refused_with_both_remedies():
    s = cd.System("x")
    x = s.coordinates("x")
    with pytest.raises(ModelError, match=r"slip=.*s\.contact"):
        s.stop(x, restitution=0, friction=0.3)


def test_a_gap_of_no_coordinate_and_a_negative_friction_are_refused():
    s = cd.System("x")
    x = s.coordinates("x")
    a = s.parameters(a=1.0)
    with pytest.raises(ModelError, match="no coordinate"):
        s.stop(a + s.time, restitution=0)
    with pytest.raises(ModelError, match="friction"):
        s.stop(x, restitution=0, friction=-1, slip=x.dot)


def test_a_restitution_given_later_as_a_value_is_checked_too():
    s = cd.System("x")
    x = s.coordinates("x")
    e = s.parameters(e=0.5)
    s.particle("P", mass=1, position=x * s.world.x)
    s.stop(x, restitution=e)
    with pytest.raises(ModelError, match="restitution 2"):
        s.with_values(e=2.0)


def test_a_start_beyond_a_stop_is_refused_by_name():
    with pytest.raises(StartError, match=r"'floor'.*-0\.1"):
        falling().simulate(1.0, q=[-0.1])


def test_impacts_are_not_run_backwards_and_laws_are_known_by_name():
    with pytest.raises(SimulationError, match="backwards"):
        falling().simulate(-1.0, q=[1.0])
    with pytest.raises(SimulationError, match="sequential, simultaneous"):
        falling().simulate(1.0, q=[1.0], impact_law="magic")


# --- starts on a stop ----------------------------------------------------------------------------------------


def test_a_start_at_rest_on_a_stop_stays_there_and_the_stop_carries_the_weight():
    run = falling().simulate(1.0, q=[0.0])
    assert [event.kind for event in run.events] == ["contact"]
    assert_close(run.q, 0.0, within=1e-15, because="nothing moves")
    assert_close(run.multipliers["floor"], 9.81, within=1e-13, because="one linear solve")


@pytest.mark.parametrize("height", [1e-12, 1e-17, -1e-17, -1e-12])
def test_a_start_on_a_stop_up_to_rounding_is_put_on_it(height):
    run = falling().simulate(1.0, q=[height])
    assert [event.kind for event in run.events] == ["contact"]
    assert_close(run.q, 0.0, within=0.0, because="it starts on the stop, not beside it")
    assert not run.audit().complaints


def test_a_start_on_a_stop_that_moves_into_it_collides_at_once():
    run = falling().simulate(0.1, q=[0.0], v=[-1.0])
    assert [(event.kind, event.t) for event in run.events] == [("impact", 0.0)]
    assert_close(run.v[-1], 0.5 - 0.981, within=1e-12, because="e = 0.5, then free fall")


def test_a_start_on_a_stop_that_leaves_it_meets_nothing():
    run = falling().simulate(0.1, q=[0.0], v=[1.0])
    assert run.events == ()
    assert_close(run.q[-1], 0.1 - 0.04905, within=1e-12, because="a parabola")


def test_grazing_a_stop_changes_nothing_to_speak_of():
    """A thrown particle whose highest point is the ceiling, to 1e-12."""
    s = cd.System("graze")
    x, z = s.coordinates("x z")
    s.particle("P", mass=1, position=x * s.world.x + z * s.world.z)
    s.gravity(-10 * s.world.z)
    s.stop(1.25 - z, restitution=0.5, name="ceiling")
    run = s.simulate(1.0, v=[1.0, 5.0])
    assert_close(run.q[-1], [1.0, 0.0], within=1e-6, because="a grazing rate is at most sqrt(2 g 1e-12)")
    assert run.audit().penetration < 1e-11


def test_a_stop_released_by_a_force_opens_and_is_hit_again():
    """A weight is lifted by 30 N while sin(2 t) > 0: it leaves when the lift exceeds its weight, and comes back."""
    s = cd.System("lift")
    z = s.coordinates("z")
    s.particle("P", mass=1, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.generalized_force(z, 30 * sin(2 * s.time))
    s.stop(z, restitution=0, name="floor")
    run = s.simulate(6.0)
    kinds = [event.kind for event in run.events]
    assert kinds[:3] == ["contact", "release", "impact"]
    start = np.arcsin(9.81 / 30) / 2
    assert_close(run.events[1].t, start, within=1e-9, because="rounding of forces, 1e-11, over their rate")
    assert np.min(run["z"]) > -1e-10
    assert run.audit().power_balance < 1e-8


@pytest.mark.parametrize("depth", [1e-5, 1e-7, 1e-9])
def test_a_graze_next_to_the_end_of_a_step_is_found(depth):
    """A circular motion reaches beyond a wall by little, at both of its rounds, wherever steps end."""
    s = cd.System("circle")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1, position=x * s.world.x + y * s.world.y)
    s.potential((x**2 + y**2) / 2)
    s.stop(1 - depth - x, restitution=1, name="wall")
    run = s.simulate(10.0, q=[0.0, 1.0], v=[1.0, 0.0])
    first, _ = (event.t for event in run.events)
    late = 1e-9 / np.sqrt(2 * depth)
    assert_close(first, np.arcsin(1 - depth), within=late, because="rtol 1e-9 in place, over the speed of approach")


@pytest.mark.parametrize(("length", "mass"), [(1e-9, 1e-21), (1.0, 1.0), (1e3, 1e3), (1e9, 1e24)])
def test_units_do_not_change_what_happens(length, mass):
    """A ball is thrown on a rough floor, bounces, slides and comes to rest; lengths in nanometres or gigametres."""
    s = cd.System("thrown")
    x, z = s.coordinates("x z")
    P = s.particle("P", mass=mass, position=x * s.world.x + z * s.world.z)
    s.gravity(-9.81 * length * s.world.z)
    s.contact(P, on=s.world, restitution=0.5, friction=0.1, name="floor")
    run = s.simulate(3.0, q=[0.0, length], v=[1.5 * length, 0.0])
    hit = np.sqrt(2 / 9.81)
    pushes = 1.5 * 9.81 * hit * 0.1 * 0.5 ** np.arange(4)  # friction takes this speed at each bounce
    assert_close(run.events[0].t, hit, within=1e-12, because="a parabola")
    hits = [event for event in run.events if event.kind == "impact"]
    taken = [-event.facts["velocity_jump"][0] / length for event in hits[:4]]
    speed = 1.5 - np.concatenate([[0.0], np.cumsum(pushes)])
    assert_close(taken, np.minimum(pushes, np.maximum(speed[:4], 0.0)), within=1e-10, because="Coulomb's law")
    assert not run.audit().complaints


def test_a_contact_that_stays_closed_is_no_penetration():
    """A ball slides, then rolls: its gap is a rounding error throughout."""
    s = cd.System("bowling")
    x, y, z = s.coordinates("x y z")
    ball = s.body("ball", mass=2.0, inertia=0.032, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.z)
    s.contact(ball, on=s.world, shape=cd.Sphere(0.2), restitution=0.0, friction=0.3, name="floor")
    run = s.simulate(1.0, q={"z": 0.2}, v={"x": 2.0, "y": 1.0})
    assert not run.audit().complaints
    (rolls,) = [event for event in run.events if event.facts.get("state") == "sticking"]
    late = 2 * np.hypot(2.0, 1.0) / (7 * 0.3 * 9.81)
    assert_close(rolls.t, late, within=1e-9, because="a sphere rolls after 2 v / (7 mu g), rtol 1e-9")


# --- constraints and friction of typed gaps ----------------------------------------------------------------


def test_a_pendulum_of_two_coordinates_hits_a_wall_like_one_of_an_angle_and_its_rod_takes_an_impulse():
    """The wall x = 1/2 is hit at a = 30 degrees from below: the rod takes what the wall pushes along it."""
    a_system = cd.System("angle")
    a = a_system.coordinates("a")
    a_system.particle("P", mass=2, position=sin(a) * a_system.world.x - cos(a) * a_system.world.y)
    a_system.gravity(-9.81 * a_system.world.y)
    a_system.stop(0.5 - sin(a), restitution=0.6, name="wall")
    one = a_system.simulate(4.0, q=[-0.9], rtol=1e-11, atol=1e-13)

    s = cd.System("two coordinates")
    x, y = s.coordinates("x y")
    P = s.particle("P", mass=2, position=x * s.world.x + y * s.world.y)
    s.gravity(-9.81 * s.world.y)
    s.distance(s.world.origin, P, 1, name="rod")
    s.stop(0.5 - x, restitution=0.6, name="wall")
    two = s.simulate(4.0, q=[np.sin(-0.9), -np.cos(0.9)], rtol=1e-11, atol=1e-13)

    hits, others = ([e for e in run.events if e.kind == "impact"] for run in (one, two))
    assert len(hits) == len(others) >= 2
    for hit, other in zip(hits, others, strict=True):
        assert_close(hit.t, other.t, within=1e-9, because="two descriptions at rtol 1e-11")
        push = hit.facts["impulse"]["wall"]
        assert_close(other.facts["impulse"]["wall"], push, within=1e-8, because="two descriptions at rtol 1e-11")
        along = np.array([0.5, -np.sqrt(0.75)])
        rod = other.facts["impulse"]["rod"]
        jump = 2 * other.facts["velocity_jump"]
        assert_close(rod * along + push * np.array([-1.0, 0.0]), jump, within=1e-10, because="momentum of the particle")
        assert_close(rod, push * 0.5, within=1e-8, because="no momentum changes along the rod")
    assert_close(two.audit().energy_drift, 0.0, within=1e-9, because="what impacts take is accounted for")


def test_typed_slip_gives_the_same_friction_as_the_geometry():
    typed, geometric = cd.System("typed"), cd.System("geometric")
    runs = []
    for s in (typed, geometric):
        x, z = s.coordinates("x z")
        P = s.particle("P", mass=1.5, position=x * s.world.x + z * s.world.z)
        s.gravity(-9.81 * s.world.z)
        if s is typed:
            s.stop(z, restitution=0.3, friction=0.2, slip=x.dot, name="floor")
        else:
            s.contact(P, on=s.world, restitution=0.3, friction=0.2, name="floor")
        runs.append(s.simulate(2.0, q=[0.0, 0.5], v=[2.0, 0.0]))
    assert_close(runs[0].q[-1], runs[1].q[-1], within=1e-11, because="the same rows")
    assert [e.kind for e in runs[0].events] == [e.kind for e in runs[1].events]


# --- nothing silent ---------------------------------------------------------------------------------------------


def test_the_audit_names_a_penetration():
    """Steps so long that a thin excursion beyond the stop, 0.03 s and 1e-4 deep, lies between two looks."""
    s = cd.System("thin")
    x = s.coordinates("x")
    s.particle("P", mass=1, position=x * s.world.x)
    s.potential(x**2 / 2)
    s.stop(1.0 - x, restitution=1, name="wall")
    times = np.linspace(0, 2, 2001)
    coarse = s.simulate(2.0, v=[1.0001], rtol=1e-3, atol=1e-3, times=times)
    assert coarse.audit().penetration > 1e-5
    assert "penetration" in str(coarse.audit())
    fine = s.simulate(2.0, v=[1.0001], method="RK4", step=0.01, times=times)
    assert [event.kind for event in fine.events] == ["impact"]
    assert fine.audit().penetration < 1e-9


@pytest.mark.parametrize(("method", "step"), [("Radau", None), ("energy-momentum", 1e-3), ("RATTLE", 1e-3)])
def test_implicit_methods_step_to_impacts_that_follow_each_other_ever_faster(method, step):
    """Steps to an impact start from guesses that are good to rounding, and a whole bounce has no mean velocity."""
    s = cd.System("thrown")
    x, z = s.coordinates("x z")
    P = s.particle("P", mass=2.0, position=x * s.world.x + z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.contact(P, on=s.world, restitution=0.5, friction=0.3, name="floor")
    run = s.simulate(2.0, q=[0.0, 1.0], v=[1.5, 0.0], method=method, step=step)
    (end,) = [event for event in run.events if event.kind == "zeno"]
    first = np.sqrt(2 / 9.81)
    assert_close(end.facts["t_end"], 3 * first, within=1e-9, because="t (1 + e) / (1 - e), parabolas are exact")


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_a_ball_that_bounces_to_rest_in_coordinates_that_round(friction):
    """In polar coordinates a gap is known to 1e-17: it must neither be hit again while it is left, nor without end."""
    s = cd.System("polar ball")
    r, th = s.coordinates("r theta")
    s.kinetic_energy((r.dot**2 + r**2 * th.dot**2) / 2)
    s.potential(9.81 * r * sin(th))
    slip = r.dot * cos(th) - r * th.dot * sin(th)
    s.stop(0.1 + r * sin(th), restitution=0.5, friction=friction, slip=slip, name="floor")
    run = s.simulate(0.6, q=[1.0, np.pi], v=[-1.5, 0.0])
    down = np.sqrt(0.2 / 9.81)
    (end,) = [event for event in run.events if event.kind == "zeno"]
    last_hops = "t (1 + e) / (1 - e); hops of 1e-14 m last 1e-7 s, and are known to a few percent"
    assert_close(end.facts["t_end"], 3 * down, within=5e-9, because=last_hops)
    assert len(run.events) < 40
    # the floor gives 3 times the momentum of the first fall, then carries the weight; friction is its share
    approach = 9.81 * down * 0.5 ** np.arange(60)
    speeds = 1.5 - friction * 1.5 * np.cumsum(approach)
    last = 0.6 - 3 * down
    x = -1 + 1.5 * down + np.sum(speeds * approach / 9.81) + speeds[-1] * last - friction * 9.81 * last**2 / 2
    assert_close((run["r"] * np.cos(run["theta"]))[-1], x, within=1e-9, because="rtol 1e-9")
    assert not run.audit().complaints


def test_a_stop_that_was_released_from_rest_leaves_nothing_to_be_shared():
    """A pendulum hits a stop without restitution, and falls back from it at once."""
    s = cd.System("pendulum")
    a = s.coordinates("a")
    s.body("rod", mass=1.0, inertia=0.1, com=(0, 0, -0.5), joint=cd.Revolute("y", a))
    s.gravity(-9.81 * s.world.z)
    s.stop(0.3 - a, restitution=0, name="limit")
    run = s.simulate(2.0, q=[-0.4])
    assert [event.kind for event in run.events] == ["impact"]
    assert not run.audit().complaints


def test_a_run_that_ends_in_an_impact_ends_with_the_state_after_it():
    s = cd.System("ball")
    z = s.coordinates("z")
    s.kinetic_energy(z.dot**2 / 2)
    s.potential(9.81 * z)
    s.stop(z, restitution=0.5, name="floor")
    hit = np.sqrt(2 / 9.81) * (1 + 1e-15)  # not before it, however it is rounded
    run = s.simulate(hit, q=[1.0])
    assert (run.status, [event.kind for event in run.events]) == ("finished", ["impact"])
    assert_close(run.v[-1, 0], np.sqrt(2 * 9.81) / 2, within=1e-8, because="rtol 1e-9, e = 1/2")
