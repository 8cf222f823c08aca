"""Periodic motions beside closed forms, SciPy and published values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve
from scipy.special import ellipk
from sympy import Piecewise, cos, sin

import cardan as cd
from cardan.analysis.arc import arc
from cardan.errors import ModelError, SimulationError
from cardan.trajectory.settings import Settings
from support.close import assert_close

RUN = "arcs are followed to 1e-12 and joined to 1e-10 of their sizes"


def plane(values) -> np.ndarray:
    """Complex numbers as pairs, in order."""
    found = np.sort_complex(np.atleast_1d(np.asarray(values, dtype=complex)).round(13))
    return np.column_stack([found.real, found.imag])


def pendulum() -> tuple[cd.System, float]:
    """A swing of one radian, and its period by the elliptic integral."""
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.lagrangian(a.dot**2 / 2 + cos(a))
    return s, 4 * float(ellipk(np.sin(0.5) ** 2))


# --- smooth motions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("segments", [1, 3])
def test_a_swing_has_the_period_of_the_elliptic_integral(segments: int):
    s, period = pendulum()
    found = s.periodic_motion([1.0], hold={"a": 1.0, "a_dot": 0.0}, segments=segments)
    assert_close(found.period, period, within=1e-10, because=RUN)
    assert found.trivial == ("the motion's own direction", "energy")
    assert_close(plane(found.multipliers), [[1, 0], [1, 0]], within=1e-9, because="both are 1 for a reason")


def test_a_whole_turn_is_a_period():
    s, _ = pendulum()
    found = s.periodic_motion([0.0], [2.5], hold={"a": 0.0, "a_dot": 2.5})
    assert_close(found.period, 2 * 2 / 2.5 * float(ellipk(4 / 2.5**2)), within=1e-10, because=RUN)


def test_the_same_swing_on_redundant_constraints_has_the_same_multipliers_across_it():
    """The z of an oscillator beside it turns by one period: exp(i T)."""
    s = cd.System("on a circle, said twice")
    x, y, z = s.coordinates("x y z")
    s.lagrangian((x.dot**2 + y.dot**2 + z.dot**2) / 2 - y - z**2 / 2)
    s.constrain(x**2 + y**2 - 1)
    s.constrain(2 * x**2 + 2 * y**2 - 2)
    start = {"x": float(np.sin(1.0)), "y": float(-np.cos(1.0))}
    found = s.periodic_motion(start, hold={"x": start["x"], "x_dot": 0.0})
    _, period = pendulum()
    assert_close(found.period, period, within=1e-10, because=RUN)
    assert len(found.multipliers) == 4
    others = found.found_multipliers.others
    assert_close(plane(others), plane(np.exp([-1j * period, 1j * period])), within=1e-9, because=RUN)


def test_a_body_on_quaternions_swings_with_the_period_of_its_energy():
    s = cd.System("swinging body")
    s.body("b", mass=1, inertia=(1, 1, 0.1), com=(0, 0, -0.5), joint=cd.Ball(cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.z)
    found = s.periodic_motion([np.cos(0.4), np.sin(0.4), 0, 0], within=5.0)
    w, x = found.q[:2]
    spin, inertia, weight = found.v[0], 1.25, 9.81 * 0.5
    lowest = inertia * spin**2 / 2 - weight * (w**2 - x**2)  # energy of a swing about x; quaternion of half the angle
    widest = np.arccos(-lowest / weight)
    period = 4 * float(ellipk(np.sin(widest / 2) ** 2)) * np.sqrt(inertia / weight)
    assert_close(found.period, period, within=1e-9, because=RUN)
    assert len(found.multipliers) == 6


def test_a_spherical_pendulum_repeats_itself_turned():
    """The turn and the period of one nutation, by quadrature of the energy integral."""
    s = cd.System("spherical pendulum")
    b, c = s.coordinates("b c")
    s.lagrangian((b.dot**2 + sin(b) ** 2 * c.dot**2) / 2 + cos(b))
    start = {"b": 0.8, "b_dot": 0.0, "c_dot": 0.9}
    found = s.periodic_motion([0.8, 0.0], [0.0, 0.9], relative=True, within=8.0, hold=start)
    momentum, z0 = 0.9 * np.sin(0.8) ** 2, np.cos(0.8)
    energy = momentum**2 / (2 * np.sin(0.8) ** 2) - z0
    turning = np.roots([-2.0, -2 * energy, 2.0, 2 * energy - momentum**2])  # z'^2 = 2 (E + z)(1 - z^2) - momentum^2
    low, high = sorted(z for z in turning if abs(z) < 1)
    other = next(z for z in turning if abs(z) >= 1)
    x, weights = np.polynomial.chebyshev.chebgauss(80)
    z = (low + high) / 2 + (high - low) / 2 * x
    rest = np.sqrt(2 * (z - other))
    assert_close(found.period, 2 * np.sum(weights / rest), within=1e-9, because=RUN)
    assert_close(found.shifts[0], 2 * np.sum(weights * momentum / (1 - z**2) / rest), within=1e-9, because=RUN)


def test_the_limit_cycle_of_van_der_pol():
    """Period and decay by SciPy: T from crossings, ln(mu) = the integral of (1 - x^2)."""
    s = cd.System("van der Pol")
    x = s.coordinates("x")
    s.lagrangian((x.dot**2 - x**2) / 2)
    s.generalized_force(x, (1 - x**2) * x.dot)
    found = s.periodic_motion([2.0], settle=30.0)

    def rates(t, y):
        return [y[1], (1 - y[0] ** 2) * y[1] - y[0], 1 - y[0] ** 2]

    def crossing(t, y):
        return y[0]

    crossing.direction = 1
    other = solve_ivp(rates, (0, 80), [2.0, 0.0, 0.0], rtol=1e-12, atol=1e-13, events=crossing, method="DOP853")
    times, states = other.t_events[0][-2:], other.y_events[0][-2:]
    assert_close(found.period, np.diff(times)[0], within=1e-9, because="SciPy's run and ours, to 1e-12 per step")
    decay = np.exp(states[1][2] - states[0][2])
    assert_close(plane(found.found_multipliers.others), plane(decay), within=1e-9, because="the same")
    assert found.stability.verdict == "asymptotically stable"
    mirrored = s.periodic_motion([2.0], period=3.3, jump=cd.Jump(None, {x: -x, x.dot: -x.dot}))
    assert_close(2 * mirrored.period, found.period, within=1e-9, because="half of the cycle is the other half's mirror")
    assert_close(plane(mirrored.multipliers**2), plane(found.multipliers), within=1e-9, because="twice the half")


def test_a_forced_motion_contracts_as_its_damping_says():
    """Liouville: the multipliers' product is exp(-damping period); a neighbour in a long run does the same."""
    s = cd.System("Duffing")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2 - x**2 / 2 - x**4 / 4)
    s.generalized_force(x, -0.1 * x.dot + 0.3 * cos(1.4 * s.time))
    period = 2 * np.pi / 1.4
    found = s.periodic_motion([0.1], period=period)
    assert_close(plane(np.prod(found.multipliers)), plane(np.exp(-0.1 * period)), within=1e-10, because=RUN)
    long = found.long_run(10)
    assert_close(long.drift, 0.0, within=1e-9, because="it attracts")
    assert_close(long.mismatch, 0.0, within=1e-3, because="the neighbour starts 1e-6 away, and squares are left out")


def test_three_motions_of_one_period_are_found_without_a_guess():
    """A Duffing oscillator between its folds: amplitudes of one harmonic solve a cubic, which has three roots here."""
    s = cd.System("Duffing")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2 - x**2 / 2 - 0.1 * x**4 / 4)
    s.generalized_force(x, -0.04 * x.dot + 0.3 * cos(1.4 * s.time))
    found = s.periodic_motions(2 * np.pi / 1.4, box={"x": (-4, 4)}, seeds=24)
    cubic = [(0.075) ** 2, 2 * 0.075 * (1 - 1.4**2), (1 - 1.4**2) ** 2 + (0.04 * 1.4) ** 2, -(0.3**2)]
    amplitudes = np.sort(np.sqrt(np.roots(cubic).real))
    assert len(found) == 3
    assert_close(np.sort([one.amplitude("x") for one in found]), amplitudes, within=0.1, because="one harmonic is kept")
    assert [one.stability.verdict for one in found] == ["asymptotically stable"] * 2 + ["unstable"]


# --- through stops and switches --------------------------------------------------------------------------


def table(e: float = 0.6, amplitude: float = 0.01, omega: float = 40.0) -> cd.System:
    s = cd.System("mass on a moving table")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2 - 9.81 * x)
    s.stop(x - amplitude * sin(omega * s.time), restitution=e, name="table")
    return s


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("turns", [1, 2])
def test_a_mass_bounces_in_step_with_its_table(sign: int, turns: int):
    """Impacts at phase phi with (1 - e) g T / 2 = (1 + e) A w cos(phi), and their map differentiated by hand.

    From an impact at t_i with the speed u behind it, h(t_j) = h(t_i) + u tau - g tau^2 / 2, tau = t_j - t_i, and
    u' = (1 + e) h'(t_j) - e (u - g tau).
    """
    g, A, w, e = 9.81, 0.01, 40.0, 0.6
    T = 2 * np.pi / w * turns
    phase = sign * np.arccos((1 - e) / (1 + e) * g * T / 2 / (A * w))
    t0, later = phase / w + T / 3, T / 3
    x0, v0 = A * np.sin(phase) + g * T / 2 * later - g * later**2 / 2, g * T / 2 - g * later
    found = table().periodic_motion([x0 + 1e-3], [v0 + 1e-2], period=T, t0=t0)
    assert_close([found.q[0], found.v[0]], [x0, v0], within=1e-10, because=RUN)
    V, a, u = A * w * np.cos(phase), -A * w**2 * np.sin(phase), g * T / 2
    dtj = np.array([1.0, T / (V - u + g * T)])  # by (t_i, u): V dtj = V dti + T du + (u - g T)(dtj - dti)
    du = (1 + e) * a * dtj - e * (np.array([0.0, 1.0]) - g * (dtj - np.array([1.0, 0.0])))
    by_hand = np.linalg.eigvals(np.array([dtj, du]))
    assert_close(plane(found.multipliers), plane(by_hand), within=1e-8, because=RUN)


def bounces() -> tuple[cd.System, object, float]:
    """A mass that bounces once in two turns of its table, below a period doubling, and the period."""
    g, w, e = 9.81, 40.0, 0.6
    T = 2 * np.pi / w * 2
    s = cd.System("mass on a moving table")
    x, A = s.coordinates("x"), s.parameters(A=0.0115)
    s.lagrangian(x.dot**2 / 2 - g * x)
    s.stop(x - A * sin(w * s.time), restitution=e, name="table")
    phase, later = np.arccos((1 - e) / (1 + e) * g * T / 2 / w / 0.0115), T / 3
    q, v = 0.0115 * np.sin(phase) + g * T / 2 * later - g * later**2 / 2, g * T / 2 - g * later
    return s, s.periodic_motion([q], [v], period=T, t0=phase / w + later), T


def test_bounces_double_their_period_where_the_map_says():
    """The amplitude at which a multiplier of the map by hand is -1."""
    s, start, T = bounces()
    g, w, e = 9.81, 40.0, 0.6
    least = (1 - e) / (1 + e) * g * T / 2 / w

    def doubled(amplitude: float) -> float:
        phi = np.arccos(least / amplitude)
        V, a, u = amplitude * w * np.cos(phi), -amplitude * w**2 * np.sin(phi), g * T / 2
        dtj = np.array([1.0, T / (V + u)])
        du = (1 + e) * a * dtj - e * (np.array([0.0, 1.0]) - g * (dtj - np.array([1.0, 0.0])))
        return float(np.linalg.det(np.array([dtj, du]) + np.eye(2)))

    (point,) = s.periodic_family(start, "A", 0.0114, 0.0118).points
    assert point.kind == "period doubling"
    assert_close(point.value, brentq(doubled, 0.0098, 0.013), within=1e-9, because=RUN)


@pytest.mark.long
def test_bounces_of_twice_the_period_are_followed_and_attract():
    s, start, T = bounces()
    (point,) = s.periodic_family(start, "A", 0.0114, 0.0118).points
    twice = s.periodic_family(point, "A", 0.0114, 0.0121)
    last = max(twice.members, key=lambda one: one["A"])
    assert_close([last["A"], last.period], [0.0121, 2 * T], within=1e-12, because="it ends where the range does")
    far = s.with_values(A=last["A"]).simulate(300 * T, q=last.q + 1e-4, v=last.v, t0=start.joined.shots.t0, rtol=1e-11)
    assert_close([far.q[-1], far.v[-1]], [last.q, last.v], within=1e-6, because="150 periods of a motion that attracts")


def test_neighbours_of_motions_with_impacts_and_switches_are_those_of_differences():
    """Through an impact on a moving, slanted stop with inertia that changes, through rest on a stop and a switch."""
    first = cd.System("moving stop")
    x, b = first.coordinates("x b")
    first.lagrangian(x.dot**2 / 2 * (1 + b**2) + b.dot**2 / 2 - 9.81 * x - 5 * b**2)
    first.stop(x - b - sin(3 * first.time) * (1 + x) / 10, restitution=0.5, name="floor")
    second = cd.System("switch")
    x, b = second.coordinates("x b")
    second.lagrangian((x.dot**2 + b.dot**2 - x**2 - b**2) / 2 - x * b / 3)
    second.generalized_force(x, Piecewise((-1, x + b > 0), (1, True)))
    third = cd.System("comes to rest on a stop and leaves it")
    x, b = third.coordinates("x b")
    third.lagrangian((x.dot**2 + b.dot**2) / 2 - 9.81 * x - 100 * (x - b + 1) ** 2 / 2 - 20 * (b - 1.2) ** 2 / 2)
    third.stop(x, restitution=0.0, name="floor")
    cases = (
        (first, 0.9, [1.0, 0.0], [0.0, 0.3], ["impact"]),
        (second, 4.0, [1.0, 0.0], [0.0, 0.3], []),
        (third, 0.8, [0.3, 1.2], [-1.0, -1.5], ["impact", "contact", "release", "impact", "contact"]),
    )
    for s, duration, q, v, kinds in cases:
        one = _end(s, duration, np.array([*q, *v]))
        assert [record.kind for record in one.trajectory.records] == kinds, s.name
        differences = np.column_stack([_slope(s, duration, np.array([*q, *v]), j) for j in range(4)])
        why = "differences of order four over 1e-4, of runs whose events are found to 1e-11"
        assert_close(one.derivative, differences, within=2e-7, because=why)


def _end(s: cd.System, duration: float, y: np.ndarray):
    return arc(s.kernels, Settings(duration, y[:2], y[2:], rtol=1e-12, chart="typed"))


def _slope(s: cd.System, duration: float, y: np.ndarray, j: int, h: float = 1e-4) -> np.ndarray:
    ends = [_end(s, duration, y + k * h * np.eye(4)[j]).end for k in (1, -1, 2, -2)]
    return (8 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / (12 * h)


# --- walking -----------------------------------------------------------------------------------------


def test_the_simplest_walker_walks_down_its_slope():
    """Garcia et al. 1998, slope 0.009: swing and heelstrike as printed there, the gait by SciPy."""
    s = cd.System("simplest walker")
    theta, phi = s.coordinates("theta phi")
    s.kinetic_energy((theta.dot**2 + phi.dot**2) / 2)
    s.generalized_force(theta, sin(theta - 0.009))
    s.generalized_force(phi, sin(theta - 0.009) + (theta.dot**2 - cos(theta - 0.009)) * sin(phi))
    turn = cos(2 * theta)
    heel = cd.Jump(
        phi - 2 * theta,
        {theta: -theta, phi: -2 * theta, theta.dot: turn * theta.dot, phi.dot: turn * (1 - turn) * theta.dot},
    )
    found = s.periodic_motion([0.19, 0.38], [-0.205, -0.015], period=3.8, jump=heel)
    gait = fsolve(lambda x: _stride(*x) - x, [0.2, -0.2], xtol=1e-13)
    assert_close([found.q[0], found.v[0]], gait, within=1e-9, because="both gaits are known to their runs' 1e-11")
    assert_close([found.q[0], found.v[0]], [0.2003, -0.1998], within=5e-5, because="four digits are printed")
    h, columns = 1e-4, []
    for d in h * np.eye(2):
        near, far = (_stride(*(gait + k * d)) - _stride(*(gait - k * d)) for k in (1, 2))
        columns.append((8 * near - far) / (12 * h))
    pair = found.found_multipliers.others[:2]
    why = "differences of order four over 1e-4 of a map whose fifth derivatives are 1e10"
    assert_close(plane(pair), plane(np.linalg.eigvals(np.column_stack(columns))), within=1e-6, because=why)
    assert found.stability.verdict == "asymptotically stable"
    assert_close(found.long_run(8).mismatch, 0.0, within=1e-2, because="the neighbour starts 1e-6 away")


def _stride(theta: float, speed: float, slope: float = 0.009) -> np.ndarray:
    """The simplest walker's next (theta, theta') after a step that begins with both feet down, by SciPy."""

    def rates(t, y):
        lean, swing, lean_rate, swing_rate = y
        push = np.sin(lean - slope)
        return [lean_rate, swing_rate, push, push + (lean_rate**2 - np.cos(lean - slope)) * np.sin(swing)]

    def heel(t, y):
        return y[1] - 2 * y[0]

    start = [theta, 2 * theta, speed, (1 - np.cos(2 * theta)) * speed]
    run = solve_ivp(rates, (0, 5), start, events=heel, rtol=1e-12, atol=1e-13, method="DOP853")
    late = run.t_events[0] > 3.0  # the swing foot passes the ground when the legs pass each other, which is forgiven
    end = run.y_events[0][late][0]
    return np.array([-end[0], np.cos(2 * end[0]) * end[2]])


# --- refusals ------------------------------------------------------------------------------------------


def test_what_has_no_period_or_no_derivative_is_refused_by_name():
    s = table()
    with pytest.raises(ModelError, match="say the period="):
        s.periodic_motion([0.1])
    falls = cd.System("falls")
    z = falls.coordinates("z")
    falls.lagrangian(z.dot**2 / 2 - z)
    with pytest.raises(SimulationError, match="No periodic motion"):
        falls.periodic_motion([0.0], [1.0], period=1.0)
    drops = cd.System("comes to rest by bouncing")
    z = drops.coordinates("z")
    drops.lagrangian(z.dot**2 / 2 - 9.81 * z)
    drops.stop(z, restitution=0.5, name="floor")
    with pytest.raises(SimulationError, match="zeno"):
        _ = arc(drops.kernels, Settings(3.0, [1.0], [0.0], rtol=1e-10, chart="typed")).derivative
