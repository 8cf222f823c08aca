"""Ruina, MAE 6700, part IV: Coulomb friction, restitution, collisions at once (row R15), against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from support.close import EPS, assert_close

G = 9.81
ROUND = "round-off of a few products"


def impacts(run: cd.Run) -> list:
    return [event for event in run.events if event.kind == "impact"]


# --- Coulomb friction --------------------------------------------------------------------------------------


def block(mu: float, pull: float = 0.0) -> cd.System:
    """A block of 2 kg on the floor, pulled along x by ``pull`` newtons per kilogram."""
    s = cd.System("block")
    x, y, z = s.coordinates("x y z")
    P = s.particle("P", mass=2, position=x * s.world.x + y * s.world.y + z * s.world.z)
    s.gravity(-G * s.world.z + pull * s.world.x)
    s.contact(P, on=s.world, restitution=0, friction=mu, name="floor")
    return s


def test_a_sliding_block_stops_after_v_over_mu_g_and_stays():
    run = block(0.3).simulate(3.0, v=[3.0, 4.0, 0.0])
    assert [event.facts["state"] for event in run.events] == ["sliding", "sticking"]
    stop = 5.0 / (0.3 * G)
    assert_close(run.events[1].t, stop, within=1e-12, because="the force is constant while it slides")
    where = 12.5 / (0.3 * G) * np.array([0.6, 0.8])
    assert_close(run.q[-1][:2], where, within=1e-11, because="a parabola, rtol 1e-9 exact for the method")
    audit = run.audit()
    assert audit.power_balance < 1e-10, "friction takes all of the energy"


@pytest.mark.parametrize(("pull", "held"), [(2.0, True), (2.9, True), (3.0, False), (4.0, False)])
def test_a_block_stays_or_slides_as_the_pull_is_below_or_above_mu_g(pull, held):
    run = block(0.3, pull).simulate(1.0)
    moved = 0.0 if held else 0.5 * (pull - 0.3 * G)
    assert_close(run.q[-1], [moved, 0, 0], within=1e-12, because="constant forces")
    friction = np.hypot(run.multipliers["floor_slip1"][-1], run.multipliers["floor_slip2"][-1])
    assert_close(friction, 2 * pull if held else 0.6 * G, within=1e-11, because="constant forces")


def test_a_block_pushed_up_against_a_pull_turns_and_slides_back():
    run = block(0.3, -4.0).simulate(2.0, v=[3.0, 0.0, 0.0])
    turn = 3.0 / (4.0 + 0.3 * G)
    assert_close(run.events[1].t, turn, within=1e-12, because="constant forces")
    back = 4.5 / (4.0 + 0.3 * G) - 0.5 * (4.0 - 0.3 * G) * (2.0 - turn) ** 2
    assert_close(run.q[-1][0], back, within=1e-11, because="two parabolas")


def test_a_block_begins_to_slide_when_a_growing_pull_reaches_mu_g():
    s = cd.System("pulled block")
    x, z = s.coordinates("x z")
    P = s.particle("P", mass=2, position=x * s.world.x + z * s.world.z)
    s.gravity(-G * s.world.z)
    s.generalized_force(x, 5 * s.time)
    s.contact(P, on=s.world, restitution=0, friction=0.4, name="floor")
    run = s.simulate(2.0)
    start = 0.4 * 2 * G / 5
    sliding = [event for event in run.events if event.facts.get("state") == "sliding"]
    assert_close(sliding[0].t, start, within=1e-9, because="rounding of forces, 1e-11, over their rate")
    assert_close(run["x_dot"][-1], 5 / 4 * (2 - start) ** 2, within=1e-8, because="the integral of 5 (t - start) / 2")


# --- restitution with friction -------------------------------------------------------------------------------


def spinning_ball(mu: float) -> cd.System:
    """A uniform ball in a plane: I = 2/5 m R^2, m = 1, R = 0.1."""
    s = cd.System("ball")
    x, y, a = s.coordinates("x y a")
    ball = s.body("ball", mass=1, inertia=0.4 * 0.01, joint=cd.Planar(x, y, a))
    s.contact(ball, on=cd.Plane(s.world, "y"), shape=cd.Sphere(0.1), restitution=0.8, friction=mu, name="floor")
    return s


@pytest.mark.parametrize("spin", [0.0, 30.0, -60.0])
def test_a_ball_that_grips_leaves_the_floor_rolling(spin):
    """Sticking: the impulse that stops the slip u = vx + R w is -u / (1/m + R^2/I) = -(2/7) m u."""
    run = spinning_ball(5.0).simulate(0.02, q=[0.0, 0.11, 0.0], v=[1.0, -2.0, spin])
    (hit,) = impacts(run)
    u = 1.0 + 0.1 * spin
    assert_close(hit.facts["impulse"]["floor"], 1.8 * 2.0, within=1e-13, because=ROUND)
    assert_close(hit.facts["impulse"]["floor_slip1"], -2 / 7 * u, within=1e-13, because=ROUND)
    after = hit.v + hit.facts["velocity_jump"]
    assert_close(after[0] + 0.1 * after[2], 0.0, within=1e-13, because="it rolls")


def test_a_ball_that_slips_takes_mu_times_the_normal_impulse():
    run = spinning_ball(0.05).simulate(0.02, q=[0.0, 0.11, 0.0], v=[1.0, -2.0, 0.0])
    (hit,) = impacts(run)
    friction = hit.facts["impulse"]["floor_slip1"]
    assert_close(friction, -0.05 * 3.6, within=1e-13, because="1 - 0.18 * 3.5 > 0: it slips on")


# --- collisions at once ----------------------------------------------------------------------------------------


def cradle(n: int, restitution: float = 1.0) -> cd.System:
    s = cd.System("cradle")
    x = s.coordinates(" ".join(f"x{k}" for k in range(n)))
    for k in range(n):
        s.particle(f"ball{k}", mass=1, position=x[k] * s.world.x)
    for k in range(n - 1):
        s.stop(x[k + 1] - x[k], restitution=restitution, name=f"pair{k}")
    return s


@pytest.mark.parametrize(("law", "after"), [("sequential", [0, 0, 1]), ("simultaneous", [-1 / 3, 2 / 3, 2 / 3])])
def test_three_balls_in_touch_obey_the_law_that_was_chosen_and_the_record_says_so(law, after):
    run = cradle(3).simulate(2.0, q=[-1.0, 0.0, 0.0], v=[1.0, 0.0, 0.0], impact_law=law)
    assert_close(run.v[-1], after, within=64 * EPS, because=ROUND)
    hit = impacts(run)[0]
    assert_close(hit.facts["kinetic_cosine"], 0.5, within=64 * EPS, because=ROUND)
    assert hit.facts["determined"] is False
    assert "not determined by the rigid model" in hit.what
    assert_close(hit.facts["energy_change"], 0.0, within=64 * EPS, because="both laws keep the energy")


def test_five_balls_plastic_move_together():
    run = cradle(5, 0.0).simulate(2.0, q=[-1.0, 0, 0, 0, 0], v=[1.0, 0, 0, 0, 0], impact_law="simultaneous")
    assert_close(run.v[-1], 0.2, within=1e-13, because="momentum, one velocity")


def corner(angle: float) -> cd.System:
    """A particle between the floor and a wall that leans at ``angle``."""
    s = cd.System("corner")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1.3, position=x * s.world.x + y * s.world.y)
    s.stop(y, restitution=1, name="floor")
    s.stop(float(np.sin(angle)) * x - float(np.cos(angle)) * y, restitution=1, name="wall")
    return s


@pytest.mark.parametrize("law", ["sequential", "simultaneous"])
def test_in_a_square_corner_every_law_gives_the_same_and_it_is_determined(law):
    run = corner(np.pi / 2).simulate(2.0, q=[1.0, 0.3], v=[-1.0, -0.3], impact_law=law)
    assert_close(run.v[-1], [1.0, 0.3], within=1e-12, because=ROUND)
    (hit,) = impacts(run)
    assert hit.name == "floor+wall"
    assert hit.facts["determined"] is True


def test_in_an_obtuse_corner_the_laws_differ_and_the_record_says_it_is_not_determined():
    outcomes = {}
    for law in ("sequential", "simultaneous"):
        run = corner(np.deg2rad(100)).simulate(2.0, q=[1.0, 0.3], v=[-1.0, -0.3], impact_law=law)
        hit = impacts(run)[0]
        assert_close(hit.facts["kinetic_cosine"], abs(np.cos(np.deg2rad(100))), within=1e-14, because=ROUND)
        assert hit.facts["determined"] is False
        assert_close(run.audit().energy_drift, 0.0, within=1e-12, because="elastic")
        outcomes[law] = run.v[-1]
    assert np.max(np.abs(outcomes["sequential"] - outcomes["simultaneous"])) > 0.01
