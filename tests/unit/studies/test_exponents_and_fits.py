"""Lyapunov exponents, fitted parameters and sensitivities, against published numbers and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.studies.slopes import slopes
from cardan.trajectory.settings import Settings
from support.close import assert_close


def test_exponents_of_forced_oscillators_are_the_published_ones() -> None:
    """Ueda's oscillator and a forced pendulum: 0.1034 and 0.1400 [Sprott2003, appendix A.5]; their sum is -b."""
    ueda = cd.System("Ueda")
    x = ueda.coordinates("x")
    ueda.particle("P", mass=1, position=x * ueda.world.x)
    ueda.generalized_force(x, -0.05 * x.dot - x**3 + 7.5 * sin(ueda.time))
    pendulum = cd.System("forced pendulum")
    a = pendulum.coordinates("a", on="S1")
    pendulum.lagrangian(a.dot**2 / 2 + cos(a))
    pendulum.generalized_force(a, -0.05 * a.dot + 0.6 * sin(0.7 * pendulum.time))
    for system, start, published in ((ueda, {"x": 2.5}, 0.1034), (pendulum, {"a": 0.1}, 0.1400)):
        found = system.lyapunov(2000.0, q=start, rtol=1e-8, interval=2.5, settle=100.0)
        assert_close(found.exponents[0], published, within=4 * found.errors[0], because="four of its standard errors")
        assert found.errors[0] < 0.02
        assert_close(found.total, -0.05, within=1e-6, because="the divergence of the flow is -b everywhere")


def test_exponents_of_a_conservative_system_come_in_pairs() -> None:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    s.lagrangian(a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b) + 9.81 * (2 * cos(a) + cos(b)))
    found = s.lyapunov(60.0, q={"a": 2.0, "b": 2.0}, interval=0.1)
    largest = found.exponents[0]
    assert largest > 0.5  # chaotic
    assert_close(found.total, 0.0, within=0.02, because="volumes in phase space are kept; (q, v) stretch for a while")
    assert_close(found.exponents[3], -largest, within=0.1 * largest, because="a pair, up to what the short time leaves")
    assert_close(found.exponents[1:3], [0.0, 0.0], within=0.25, because="time and energy; logarithmic in 60 s")
    assert found.exponents.tolist() == sorted(found.exponents, reverse=True)


def reflected(duration: float, q: np.ndarray, v: np.ndarray, radius: float) -> np.ndarray:
    """The derivative of (q, v) after ``duration`` by those at the start, in a square of half side 1 around a disc.

    Straight flights, and at each hit dv+ = R dv - 2 dn-terms of a wall of curvature K [Dellago1996].
    """
    slopes, t = np.eye(4), 0.0
    while True:
        hits = []
        for k in range(2):
            far = (np.copysign(1.0, v[k]) - q[k]) / v[k]
            hits.append((far if far > 1e-12 else np.inf, np.eye(2)[k], 0.0))
        b, c = q @ v, q @ q - radius**2
        if b < 0 and b * b > (v @ v) * c:
            far = (-b - np.sqrt(b * b - (v @ v) * c)) / (v @ v)
            hits.append((far, (q + far * v) / radius, 1 / radius))
        far, n, K = min(hits, key=lambda one: one[0])
        dt = min(far, duration - t)
        flight = np.eye(4)
        flight[:2, 2:] = dt * np.eye(2)
        slopes, q, t = flight @ slopes, q + dt * v, t + dt
        if t >= duration - 1e-12:
            return slopes
        R, across = np.eye(2) - 2 * np.outer(n, n), np.eye(2) - np.outer(v, n) / (v @ n)
        turning = (v @ n) * np.eye(2) + np.outer(n, v)
        hit = np.block([[R, np.zeros((2, 2))], [-2 * K * turning @ (np.eye(2) - np.outer(n, n)) @ across, R]])
        slopes, v = hit @ slopes, R @ v


def test_exponents_go_through_impacts_as_those_of_a_billiard() -> None:
    """Sinai's billiard [Sinai1970], 10 s of it, beside flights and reflections in closed form."""
    s = cd.System("billiard")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1, position=x * s.world.x + y * s.world.y)
    for name, gap in (
        ("right", 1 - x),
        ("left", 1 + x),
        ("top", 1 - y),
        ("bottom", 1 + y),
        ("disc", x**2 + y**2 - 0.25),
    ):
        s.stop(gap, restitution=1, name=name)
    q, v = np.array([0.7, 0.31]), np.array([np.cos(1.1), np.sin(1.1)])
    found = s.lyapunov(10.0, q=q, v=v, interval=0.5, settle=0.0)
    _, R = np.linalg.qr(reflected(10.0, q, v, 0.5))
    grown = np.log(np.abs(np.diag(R))) / 10.0
    assert_close(np.sort(found.exponents), np.sort(grown), within=1e-6, because="rtol 1e-9, grown by e^6.4 in 10 s")
    assert found.exponents[0] > 0.6


def test_exponents_along_constraints_are_those_of_the_freedoms() -> None:
    """A point on a rod that stands upside down: neighbours leave as exp(sqrt(g/l) t); two freedoms, two exponents."""
    s = cd.System("rod")
    x, y = s.coordinates("x y")
    P = s.particle("P", mass=1, position=x * s.world.x + y * s.world.y)
    s.distance(P, s.world.origin, 1)
    s.gravity(-9.81 * s.world.y)
    found = s.lyapunov(5.0, q=[0.0, 1.0], interval=0.1, settle=2.5)
    rate = np.sqrt(9.81)
    assert_close(found.exponents, [rate, -rate], within=1e-5, because="exp(-2 rate 2.5) of the start is left, 1.6e-7")


def test_what_a_contact_takes_away_never_comes_back() -> None:
    """A ball that falls and stays: its height and speed are forgotten, its place and speed along the floor are not."""
    s = cd.System("drop")
    x, z = s.coordinates("x z")
    s.particle("P", mass=1, position=x * s.world.x + z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0, name="floor")
    found = s.lyapunov(2.0, q=[0.0, 1.0], v=[1.0, 0.0], interval=0.1, settle=0.0)
    assert_close(found.exponents[:2], [0.0, 0.0], within=1e-9, because="a free motion along the floor, rounding")
    assert np.isneginf(found.exponents[2:]).all()


def oscillator() -> cd.System:
    s = cd.System("oscillator")
    x = s.coordinates("x")
    m, k, c = s.parameters(m=1.0, k=4.0, c=0.3)
    s.kinetic_energy(m * x.dot**2 / 2)
    s.potential(k * x**2 / 2)
    s.generalized_force(x, -c * x.dot)
    return s


def test_fitted_parameters_lie_within_their_intervals_as_often_as_is_said() -> None:
    """x'' + c x' + k x = 0 with known solution, measured with noise: 20 trials of 95 % intervals for two parameters."""
    s = oscillator()
    t = np.linspace(0.1, 6.0, 40)
    decay, omega = 0.15, np.sqrt(4.0 - 0.15**2)
    exact = np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))
    random, inside = np.random.default_rng(7), 0
    for _ in range(20):
        data = exact + 0.01 * random.standard_normal(len(t))
        found = s.fit(t, {"x": data}, parameters={"k": 3.8, "c": 0.2}, q=[1.0])
        inside += sum(
            low <= true <= high for true, (low, high) in zip((4.0, 0.3), found.intervals.values(), strict=True)
        )
    # 40 intervals of 95 %: 38 expected, standard deviation sqrt(40 x 0.95 x 0.05) = 1.4
    assert 34 <= inside <= 40
    assert found.unseen == ()


def test_what_data_cannot_tell_is_named() -> None:
    """Only k/m and c/m move a free oscillator: the three of them cannot be told apart."""
    t = np.linspace(0.1, 3.0, 20)
    s = oscillator()
    run = s.simulate(3.0, q=[1.0], times=t)
    found = s.fit(t, {"x": run["x"]}, parameters={"m": 1.1, "k": 4.2, "c": 0.3}, q=[1.0])
    assert found.unseen
    assert set(found.unseen[0].split(" together with ")) == {"m", "k", "c"}
    assert not np.isfinite(found.errors["m"])
    assert_close(found.values["k"] / found.values["m"], 4.0, within=1e-5, because="this ratio is seen")


def test_sobol_indices_of_a_sum_are_shares_of_its_variance() -> None:
    """x(1) = x0 + v0: uniform on (0, 1) and (0, 3) has variances 1/12 and 9/12, so 10 % and 90 %."""
    s = cd.System("free")
    x = s.coordinates("x")
    s.particle("P", mass=1, position=x * s.world.x)
    found = s.sensitivity(1.0, cd.last(x), q={"x": (0, 1)}, v={"x_dot": (0, 3)}, count=256, executor="serial")
    assert_close(found.first, [0.1, 0.9], within=0.05, because="256 points: twice the half-width that SALib states")
    assert_close(found.total, [0.1, 0.9], within=0.05, because="nothing acts together")
    screened = s.sensitivity(
        1.0, cd.last(x), q={"x": (0, 1)}, v={"x_dot": (0, 3)}, count=8, method="morris", executor="serial"
    )
    assert_close(
        screened.total, [1.0, 3.0], within=1e-9, because="effects of a linear function are its slopes, in ranges"
    )


def four_bar() -> cd.System:
    """A crank that is braked, a coupler of unknown mass and length, a rocker."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    m, l, k = s.parameters(m=2.0, l=2.0, k=0.3)  # noqa: E741
    crank = s.body("crank", mass=1.0, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler",
        mass=m,
        inertia=m * l**2 / 12,
        com=(l / 2, 0, 0),
        at=(1, 0, 0),
        joint=cd.Revolute("z", b),
        parent=crank,
    )
    rocker = s.body("rocker", mass=1.3, inertia=0.24, com=(0.75, 0, 0), at=(2, 0, 0), joint=cd.Revolute("z", c))
    s.connect(coupler.point(l, 0, 0), rocker.point(1.5, 0, 0), cd.Revolute("z"), name="pin")
    s.generalized_force(a, -k * a.dot)
    s.gravity(-9.81 * s.world.y)
    return s


def test_slopes_along_constraints_are_those_of_neighbours() -> None:
    """Derivatives by a mass, a length that the start depends on, and a brake, beside differences of runs."""
    s, t = four_bar(), np.linspace(0.2, 1.0, 4)
    start = {"q": {"a": 1.2}, "v": {"a": 1.0}}
    values = {"m": 2.0, "l": 2.0, "k": 0.3}
    found = slopes(s.kernels, Settings(1.0, rtol=1e-10, **start), t, list(values))
    for k, (name, value) in enumerate(values.items()):
        up, down = (
            s.with_values(**{name: value + step}).simulate(1.0, rtol=1e-12, times=t, **start) for step in (2e-5, -2e-5)
        )
        differences = np.hstack([up.q - down.q, up.v - down.v]) / 4e-5
        within = 1e-6 * np.abs(differences).max() + 1e-7
        assert_close(found[:, :, k], differences, within=within, because="h^2 of differences, and rtol over 4e-5")


@pytest.mark.long
def test_parameters_of_a_four_bar_are_recovered_in_95_of_100_trials() -> None:
    """Mass and length of the coupler and a brake, from two angles at 40 times with noise of 0.002 rad.

    A joint region holds less often than each interval: three intervals of 95 % are counted one by one.
    """
    s, t = four_bar(), np.linspace(0.05, 2.0, 40)
    start = {"q": {"a": 1.2}, "v": {"a": 1.0}}
    true = s.simulate(2.0, rtol=1e-12, times=t, **start)
    random, inside = np.random.default_rng(11), {"m": 0, "l": 0, "k": 0}
    for _ in range(100):
        data = {name: true[name] + 0.002 * random.standard_normal(len(t)) for name in ("a", "c")}
        found = s.fit(t, data, parameters={"m": 2.1, "l": 2.02, "k": 0.25}, **start)
        assert found.gradients == "exact"
        for name, value in (("m", 2.0), ("l", 2.0), ("k", 0.3)):
            low, high = found.intervals[name]
            inside[name] += low <= value <= high
    print(inside)
    # 300 intervals of 95 %: 285 expected, standard deviation 3.8 were they independent
    assert sum(inside.values()) >= 274
    assert min(inside.values()) >= 88  # 95 of 100, less three standard deviations
