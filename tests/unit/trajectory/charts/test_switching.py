"""Charts declared for energies typed by hand: runs switch between them, and speak the user's coordinates throughout."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy import atan2, cos, sin, sqrt

import cardan as cd
from cardan.errors import DerivationError, ModelError, SimulationError, StartError
from cardan.geometry import euler
from support.close import assert_close


def polar(potential=None, *, inverse: bool = True) -> tuple[cd.System, sp.Symbol, sp.Symbol]:
    """A particle in the plane with a Lagrangian in r and theta, and the chart of x and y."""
    s = cd.System("polar")
    r, th = s.coordinates("r theta")
    m = s.parameters(m=1.5)
    s.lagrangian(m * (r.dot**2 + r**2 * th.dot**2) / 2 - (potential(r) if potential else 0))
    x, y = sp.symbols("x y")
    back = {x: r * cos(th), y: r * sin(th)} if inverse else None
    s.chart("cartesian", [x, y], {r: sqrt(x**2 + y**2), th: atan2(y, x)}, inverse=back)
    return s, r, th


def aimed(miss: float) -> dict:
    """From (-1, miss) along x with speed 2."""
    r = np.hypot(1.0, miss)
    return {"q": [r, np.arctan2(miss, -1.0)], "v": [-2.0 / r, -2.0 * miss / r**2]}


@pytest.mark.parametrize("inverse", [True, False], ids=["inverse given", "inverse found"])
@pytest.mark.parametrize("miss", [1e-1, 1e-4, 1e-8, 0.0])
def test_a_free_particle_in_polar_coordinates_goes_straight_through_the_pole(miss, inverse):
    s, _, _ = polar(inverse=inverse)
    run = s.simulate(1.0, times=np.linspace(0, 1, 50), **aimed(miss))
    place = np.stack([run["r"] * np.cos(run["theta"]), run["r"] * np.sin(run["theta"])], axis=1)
    line = np.stack([-1 + 2 * run.t, np.full_like(run.t, miss)], axis=1)
    assert_close(place, line, within=1e-9, because="a straight line, rtol 1e-9 in polar coordinates down to r = 0.5")
    r, th = run["r"], run["theta"]
    speed = np.stack(
        [run["r_dot"] * np.cos(th) - r * run["theta_dot"] * np.sin(th),
         run["r_dot"] * np.sin(th) + r * run["theta_dot"] * np.cos(th)], axis=1
    )  # fmt: skip
    assert_close(speed, np.broadcast_to([2.0, 0.0], speed.shape), within=1e-9, because="the same, in velocities")
    assert [(one.kind, one.name) for one in run.events] == [("chart-switch", "cartesian")]
    assert run.events[0].facts["from"] == "as typed"
    assert_close(run.events[0].q[0], np.interp(run.events[0].t, run.t, r), within=1e-2, because="read off 50 points")
    assert run.audit().evaluations < 250
    assert run.audit().energy_drift < 1e-9


def test_a_bound_particle_goes_many_times_past_the_pole():
    """An oscillator in the plane: an ellipse with half axes 1 and 1e-4, theta gains half a turn at each pass."""
    s, _, _ = polar(lambda r: 1.5 * r**2 / 2)
    run = s.simulate(20.0, q=[1.0, 0.0], v=[0.0, 1e-4], rtol=1e-11, times=np.linspace(0, 20, 801))
    x, y = np.cos(run.t), 1e-4 * np.sin(run.t)
    assert_close(run["r"], np.hypot(x, y), within=1e-8, because="rtol 1e-11 over three periods")
    expected = run.t + (np.arctan2(y, x) - run.t + np.pi) % (2 * np.pi) - np.pi  # theta follows t within half a turn
    assert_close(run["theta"], expected, within=1e-3, because="errors of 1e-8 in place over the closest approach, 1e-4")


def test_a_start_at_the_pole_needs_the_inverse():
    s, _, _ = polar()
    run = s.simulate(1.0, q=[0.0, 0.7], v=[2.0, 0.0], times=np.linspace(0, 1, 5))
    assert_close(run["r"], 2 * run.t, within=1e-12, because="a straight line")
    assert_close(run["theta"], 0.7, within=1e-12, because="its direction was given")
    assert [one.t for one in run.events] == [0.0]
    s, _, _ = polar(inverse=False)
    with pytest.raises(StartError, match=r"inverse= maps"):
        s.simulate(1.0, q=[0.0, 0.7], v=[2.0, 0.0])


def test_a_place_outside_a_chart_stays_in_the_one_that_was_typed():
    s = cd.System("half")
    r = s.coordinates("r")
    s.kinetic_energy(r.dot**2 * (1 + r**2) / 2)
    s.chart("log", "x", {r: sp.exp(sp.Symbol("x"))})
    run = s.simulate(1.0, q=[-1.0], v=[0.5])
    assert not run.events
    assert run.audit().energy_drift < 1e-8


def test_the_typed_chart_alone_stops_there():
    s, _, _ = polar()
    with pytest.raises(SimulationError, match=r"singular"):
        s.simulate(1.0, chart="typed", **aimed(1e-8))


def test_events_controllers_and_signals_see_the_users_coordinates():
    s, r, th = polar()
    u = s.input("u")
    w = s.input("w")
    s.generalized_force(r, u * cos(th) + w)
    s.generalized_force(th, -u * r * sin(th))  # together: a force u along x, and w along the radius
    arguments = {
        "q": [1.0, 2.6],
        "v": [-1.0, 0.05],
        "times": np.linspace(0, 2, 21),
        "inputs": {"u": lambda t, q, v: 0.3 * q[0] + 0.1 * v[1] * q[0] ** 2, "w": -0.2 * r + 0.01 * r**2 * th.dot},
        "events": [cd.Event(r - 0.5, name="half"), cd.Event(th - 3.0, name="three")],
    }
    run = s.simulate(2.0, rtol=1e-11, **arguments)
    typed = s.simulate(2.0, rtol=1e-12, chart="typed", **arguments)
    assert "chart-switch" in [one.kind for one in run.events]
    assert np.min(typed["r"]) < 0.2
    assert_close(run.q, typed.q, within=1e-8, because="rtol 1e-11 and 1e-12, a closest approach of 0.1")
    own = [(one.name, one.t) for one in run.events if one.kind == "user"]
    expected = [(one.name, one.t) for one in typed.events if one.kind == "user"]
    assert [name for name, _ in own] == [name for name, _ in expected]
    assert {"half", "three"} <= {name for name, _ in own}
    assert_close([t for _, t in own], [t for _, t in expected], within=1e-8, because="the same tolerance")


A, C, WEIGHT = 1.0, 0.5, 2.0


def typed_top() -> cd.System:
    """A heavy symmetric top in 3-1-3 angles, with the chart of 3-2-1 angles, regular where the others are not."""
    s = cd.System("top")
    psi, th, phi = s.coordinates("psi theta phi")
    s.kinetic_energy(A * (th.dot**2 + psi.dot**2 * sin(th) ** 2) / 2 + C * (phi.dot + psi.dot * cos(th)) ** 2 / 2)
    s.potential(WEIGHT * cos(th))
    a, b, c = s.chart_coordinates("a b c")
    R = sp.Matrix(euler.matrix("3-2-1", (a, b, c)))
    old = sp.Matrix(euler.matrix("3-1-3", (psi, th, phi)))
    w = (c.dot - a.dot * sin(b), b.dot * cos(c) + a.dot * cos(b) * sin(c), a.dot * cos(b) * cos(c) - b.dot * sin(c))
    s.chart(
        "3-2-1",
        (a, b, c),
        {
            psi: atan2(R[0, 2], -R[1, 2]),
            th: atan2(sqrt(R[0, 2] ** 2 + R[1, 2] ** 2), R[2, 2]),
            phi: atan2(R[2, 0], R[2, 1]),
        },
        inverse={
            a: atan2(old[1, 0], old[0, 0]),
            b: atan2(-old[2, 0], sqrt(old[0, 0] ** 2 + old[1, 0] ** 2)),
            c: atan2(old[2, 1], old[2, 2]),
        },
        kinetic_energy=A * (w[0] ** 2 + w[1] ** 2) / 2 + C * w[2] ** 2 / 2,
    )
    return s


@pytest.mark.parametrize("delta", [1e-1, 1e-3, 1e-6, 0.0])
def test_a_typed_top_through_the_vertical_against_a_quaternion(delta):
    """p_psi = p_phi (1 + delta) aims at theta = 0."""
    start, spin = 1.0, 1.0
    rate = C * spin * (1 + delta - np.cos(start)) / (A * np.sin(start) ** 2)
    q, v = (0.0, start, 0.0), (rate, -3.0, spin - rate * np.cos(start))
    times = np.linspace(0.0, 4.0, 41)
    run = typed_top().simulate(4.0, q=q, v=v, rtol=1e-10, times=times)
    body = cd.System("quaternion")
    B = body.body("B", mass=1.0, inertia=(A - 0.01, A - 0.01, C), com=(0, 0, 0.1), joint=cd.Ball(cd.Quaternion("e")))
    body.gravity(-WEIGHT / 0.1 * body.world.z)
    from cardan.geometry import quaternion

    expected = body.simulate(
        4.0,
        q={"e": quaternion.from_euler("3-1-3", q)},
        v={"e": euler.angular_velocity("3-1-3", q, v)},
        rtol=1e-12,
        times=times,
    ).rotation(B)
    found = np.array([euler.matrix("3-1-3", tuple(row)) for row in run.q], dtype=float)
    assert_close(found, expected, within=1e-7, because="rtol 1e-10 over 4 s and several switches")
    switches = [one for one in run.events if one.kind == "chart-switch"]
    assert len(switches) >= 1
    assert run.audit().energy_drift < 1e-8


def test_wrong_charts_are_refused():
    s, r, _ = polar()
    x, y = sp.symbols("X Y")
    with pytest.raises(ModelError, match=r"replaces 1 coordinates by 2"):
        s.chart("short", [x, y], {r: x})
    with pytest.raises(ModelError, match=r"already a chart"):
        s.chart("cartesian", [x, y], {r: x, "theta": y})
    with pytest.raises(ModelError, match=r"new names"):
        s.chart("same", "r Y", {r: x, "theta": y})
    with pytest.raises(ModelError, match=r"contains z"):
        s.chart("stray", [x, y], {r: sp.Symbol("z"), "theta": y})
    with pytest.raises(ModelError, match=r"lacks Y"):
        s.chart("half", [x, y], {r: x, "theta": y}, inverse={x: r})


def test_a_kinetic_energy_that_is_not_the_same_is_refused():
    s = cd.System("polar")
    r, th = s.coordinates("r theta")
    s.kinetic_energy((r.dot**2 + r**2 * th.dot**2) / 2)
    x, y = s.chart_coordinates("x y")
    maps = {r: sqrt(x**2 + y**2), th: atan2(y, x)}
    s.chart("wrong", (x, y), maps, kinetic_energy=x.dot**2 + y.dot**2)
    with pytest.raises(ModelError, match=r"does not describe the same system"):
        s.simulate(1.0, q=[1.0, 0.0], v=[-1.0, 0.0])


def test_an_inverse_that_undoes_nothing_is_refused():
    s = cd.System("polar")
    r, th = s.coordinates("r theta")
    s.kinetic_energy((r.dot**2 + r**2 * th.dot**2) / 2)
    x, y = s.chart_coordinates("x y")
    s.chart("wrong", (x, y), {r: sqrt(x**2 + y**2), th: atan2(y, x)}, inverse={x: r * sin(th), y: r * cos(th)})
    with pytest.raises(ModelError, match=r"do not undo each other"):
        s.simulate(1.0, q=[1.0, 0.0], v=[-1.0, 0.0])


def test_an_energy_too_long_to_simplify_asks_for_one_that_is_typed():
    s = typed_top()
    chart = s._charts[0]
    s._charts[0] = type(chart)(chart.name, chart.maps, chart.coordinates, chart.inverse)
    with pytest.raises(DerivationError, match=r"kinetic_energy=T"):
        s.simulate(1.0, q=[0, 1.0, 0], v=[0.0, 0.0, 0.0])


def test_a_wall_is_hit_in_whatever_chart_the_motion_is_in():
    """A wall just beyond the pole throws the particle back through it; the jump is told in r' and theta'."""
    s, r, th = polar()
    s.stop(0.1 - r * cos(th), restitution=0.5, name="wall")
    run = s.simulate(2.0, times=np.linspace(0, 2, 41), **aimed(1e-3))
    hit = next(one for one in run.events if one.kind == "impact")
    assert_close(hit.t, 0.55, within=1e-9, because="the wall is 1.1 away at a speed of 2")
    x = np.where(run.t < 0.55, -1 + 2 * run.t, 0.1 - (run.t - 0.55))
    assert_close(run["r"] * np.cos(run["theta"]), x, within=1e-8, because="straight lines, rtol 1e-9")
    assert_close(run["r"] * np.sin(run["theta"]), 1e-3, within=1e-8, because="straight lines, rtol 1e-9")
    q, after = hit.q, hit.v + hit.facts["velocity_jump"]
    speed = after[0] * np.cos(q[1]) - q[0] * after[1] * np.sin(q[1])
    assert_close(speed, -1.0, within=1e-8, because="half of the speed, back")
    assert_close(q, run.at(hit.t).q[0], within=1e-9, because="angles in the turns of the run")
    assert not run.audit().complaints


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_a_particle_that_slides_on_a_floor_below_the_pole_changes_its_chart_there(friction):
    """It falls on the floor, slides below the pole, where r is small, and comes to rest if the floor is rough."""
    s, r, th = polar(lambda r: 0)
    s.potential(1.5 * 9.81 * r * sin(th))
    slip = r.dot * cos(th) - r * th.dot * sin(th)
    s.stop(0.1 + r * sin(th), restitution=0, friction=friction, slip=slip, name="floor")
    run = s.simulate(1.5, q=[1.0, np.pi], v=[-1.5, 0.0], times=np.linspace(0, 1.5, 31))
    assert "chart-switch" in [one.kind for one in run.events]
    down = np.sqrt(0.2 / 9.81)
    speed = 1.5 - friction * 9.81 * down
    t = np.minimum(run.t - down, speed / (friction * 9.81) if friction else np.inf)
    x = np.where(t < 0, -1 + 1.5 * run.t, -1 + 1.5 * down + speed * t - friction * 9.81 * t**2 / 2)
    assert_close(run["r"] * np.cos(run["theta"]), x, within=1e-8, because="rtol 1e-9")
    late = run.t > down
    assert_close(run.multipliers["floor"][late], 1.5 * 9.81, within=1e-6, because="its weight, in whatever chart")
    assert not run.audit().complaints


def test_time_stepping_does_not_change_charts():
    s, r, th = polar()
    s.stop(0.5 - r * cos(th), restitution=1, name="wall")
    with pytest.raises(SimulationError, match=r"chart='typed'"):
        s.simulate(2.0, method="Moreau-Jean", step=1e-3, **aimed(1e-3))


def test_charts_and_constraints_do_not_mix():
    s, r, _ = polar()
    s.constrain(r - 1)
    with pytest.raises(ModelError, match=r"Charts are for systems without them"):
        s.simulate(1.0, q=[1.0, 0.0])


def test_coordinates_that_no_chart_replaces_keep_their_place_in_the_energies():
    """r and theta are replaced, z is not; a spring along x couples them."""
    s = cd.System("three")
    r, th, z = s.coordinates("r theta z")
    s.kinetic_energy((r.dot**2 + r**2 * th.dot**2 + z.dot**2) / 2)
    s.potential((z - r * cos(th)) ** 2)
    x, y = sp.symbols("x y")
    back = {x: r * cos(th), y: r * sin(th)}
    s.chart("cartesian", [x, y], {r: sqrt(x**2 + y**2), th: atan2(y, x)}, inverse=back)
    start = aimed(1e-6)
    run = s.simulate(1.0, q=[*start["q"], -1.0], v=[*start["v"], 0.0], rtol=1e-11)
    # the sum of x and z moves steadily, their difference swings: x + z = -2 + 2 t, x - z = sin(2 t)
    assert_close(run["z"], -1 + run.t - np.sin(2 * run.t) / 2, within=1e-9, because="rtol 1e-11")
    assert [one.name for one in run.events] == ["cartesian"]


def two_pairs(*, typed: bool) -> cd.System:
    """Two particles in polar coordinates, each with a chart; ``typed``: with the energy of both, so not to be added."""
    s = cd.System("two")
    r, th, u, w = s.coordinates("r theta u w")
    pairs = {(r, th): "x y", (u, w): "X Y"}
    T = {pair: (pair[0].dot ** 2 + pair[0] ** 2 * pair[1].dot ** 2) / 2 for pair in pairs}
    s.kinetic_energy(sum(T.values()))
    for (a, b), names in pairs.items():
        x, y = s.chart_coordinates(names)
        other = next(T[pair] for pair in pairs if pair != (a, b))
        s.chart(
            names,
            (x, y),
            {a: sqrt(x**2 + y**2), b: atan2(y, x)},
            inverse={x: a * cos(b), y: a * sin(b)},
            kinetic_energy=(x.dot**2 + y.dot**2) / 2 + other if typed else None,
        )
    return s


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize(("speed", "miss"), [(1.9, 1e-4), (2.0, 1e-8)])
def test_two_particles_pass_their_poles_together(speed, miss, typed):
    """At once, or shortly after each other, so that a chart that is entered is near a singular place of its own."""
    start, other = aimed(miss), aimed(miss)
    q, v = start["q"] + other["q"], start["v"] + [speed / 2 * x for x in other["v"]]
    run = two_pairs(typed=typed).simulate(1.0, q=q, v=v, throw=False)
    names = [one.name for one in run.events]
    assert_close(run["r"] * np.cos(run["theta"]), -1 + 2 * run.t, within=1e-8, because="a straight line, rtol 1e-9")
    assert_close(run["u"] * np.cos(run["w"]), -1 + speed * run.t, within=1e-8, because="a straight line, rtol 1e-9")
    if typed:
        assert names == (["x y", "X Y"] if speed < 2 else ["singular coordinates"])
        return
    assert names == ["x y and X Y"]
    assert run.status == "finished"
