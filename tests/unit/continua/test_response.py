"""Motions from a start: series of modes against d'Alembert's waves, energy, standing and travelling waves."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close

x = sp.Symbol("x")
L, T, RHO = 1.5, 80.0, 0.02
C = np.sqrt(T / RHO)
BUMP = sp.exp(-(((x - L / 3) / 0.1) ** 2))
PLACES, TIMES = np.linspace(0, L, 61), np.linspace(0, 5 * L / C, 23)


def string(left: str = "fixed", right: str = "fixed") -> cd.String:
    return cd.String(length=L, tension=T, rho=RHO, left=left, right=right)


@pytest.mark.parametrize("left", ["fixed", "free"])
@pytest.mark.parametrize("right", ["fixed", "free"])
@pytest.mark.parametrize(("u0", "v0"), [(BUMP, None), (None, 300 * BUMP), (BUMP, 200 * BUMP * x)], ids=["u", "v", "uv"])
def test_the_series_is_dalemberts_solution(left: str, right: str, u0: sp.Expr | None, v0: sp.Expr | None):
    """With reflections at both ends, over more than two periods."""
    one = string(left, right)
    series, waves = one.response(u0, v0, modes=60), one.dalembert(u0, v0)
    assert series.left_out < 1e-6
    # exp(-(x/0.1)^2) is 1e-11 of its height at the fixed end next to it; sixty modes hold it to 1e-8.
    assert_close(series(PLACES, TIMES), waves(PLACES, TIMES), within=1e-6, because="the tail of the series")


A, B = 0.37, 0.61  # a hammer's edges, between the nodes of any rule
STRUCK = {
    "Piecewise": sp.Piecewise((3.0, (x > A) & (x < B)), (0, True)),
    "Heaviside": 3.0 * (sp.Heaviside(x - A) - sp.Heaviside(x - B)),
    "sign": 1.5 * (sp.sign(x - A) - sp.sign(x - B)),
    "Min": 3.0 * sp.sign(sp.Max(0, sp.Min(x - A, B - x))),
    "Abs": 3.0 * (1 - sp.sign(sp.Abs(x - (A + B) / 2) - (B - A) / 2)) / 2,
}


@pytest.mark.parametrize("name", STRUCK)
def test_edges_of_a_start_are_found_in_its_expression(name: str):
    """A string struck between A and B: rates sqrt(2 rho / L) 3 (cos(n pi A / L) - cos(n pi B / L)) L / n pi."""
    n = np.arange(1, 31) * np.pi / L
    by_hand = np.sqrt(2 * RHO / L) * 3.0 * (np.cos(n * A) - np.cos(n * B)) / n
    found = string().response(None, STRUCK[name], modes=30)
    assert_close(
        np.abs(found.rates), np.abs(by_hand), within=1e-13, because="Gauss' rule between edges; signs are free"
    )


def test_waves_before_they_meet_an_end_run_as_they_are():
    """u = f(x - c t) where u_t(x, 0) = -c f': to the right only."""
    waves = string().dalembert(BUMP, -C * sp.diff(BUMP, x))
    t = L / 4 / C
    moved = np.exp(-(((PLACES - C * t - L / 3) / 0.1) ** 2))
    assert_close(waves(PLACES, t), moved, within=1e-10, because="round-off of integrals, and exp(-25) at the left end")
    assert_close(waves.left(PLACES, t), 0 * PLACES, within=1e-10, because="nothing runs to the left")


def test_reflection_turns_a_wave_over_at_a_fixed_end_and_not_at_a_free_one():
    arrival = 2 * L / 3 / C  # of the right-going half at the right end
    at = L - 0.2
    back = arrival + 0.2 / C
    assert_close(string().dalembert(BUMP)(at, back), -0.5, within=1e-6, because="the tail of the other half")
    assert_close(string(right="free").dalembert(BUMP)(at, back), 0.5, within=1e-6, because="the tail of the other half")


def test_a_plucked_string_has_the_coefficients_of_the_textbook():
    """q_n = 2 h L^2 / (n^2 pi^2 a (L - a)) sin(n pi a / L) of sines, and the kink of the waves stays sharp."""
    a, h = L / 4, 5e-3
    pluck = sp.Piecewise((h * x / a, x < a), (h * (L - x) / (L - a), True))
    series = string().response(pluck, kinks=[a], modes=30)
    n = np.arange(1, 31)
    expected = 2 * h * L**2 / (n**2 * np.pi**2 * a * (L - a)) * np.sin(n * np.pi * a / L)
    sines = series.amplitudes * np.sqrt(2 / (RHO * L))
    assert_close(sines, expected, within=1e-15, because="round-off of 1e-3")
    waves = string().dalembert(pluck, kinks=[a])
    assert_close(waves(a, waves.period), h, within=1e-15, because="after a period it is as it was")
    assert_close(waves(L - a, waves.period / 2), -h, within=1e-15, because="and upside down after half of one")
    # Energy of the start: T h^2 L / (2 a (L - a)), from the two slopes.
    assert series.energy() < T * h**2 * L / (2 * a * (L - a))


@pytest.mark.parametrize(
    "one",
    [
        cd.Beam(length=1, EI=1, rho_A=1, right={"mass": 0.3, "inertia": 0.1}),
        cd.Beam(length=1, EI=1, rho_A=1, left="free", right="free", rho_I=0.01),
        string("free", "fixed"),
    ],
)
def test_energy_is_kept_and_shared_by_no_modes(one: cd.Beam | cd.String):
    series = one.response(x**2 * (1 - x / 3), 0.3 * x**2, modes=12)
    energies = series.energies(np.linspace(0, 7.0, 50))
    assert_close(energies / energies[0].sum(), np.tile(energies[0] / energies[0].sum(), (50, 1)), within=1e-12,
                 because="round-off")  # fmt: skip


def test_a_mode_stands():
    one = cd.Beam(length=1, EI=1, rho_A=1, right={"mass": 0.3})
    mode = one.modes(3)[2]
    series = one.response(mode, modes=5)
    assert_close(series.amplitudes, [0, 0, 1, 0, 0], within=1e-12, because="modes are orthonormal, the mass included")
    at = np.linspace(0, 1, 9)
    assert_close(series(at, 0.7), mode(at) * np.cos(mode.omega * 0.7), within=1e-11, because="round-off of the phase")
    assert_close(series.velocity(0.5, 0.7), -mode.omega * mode(0.5) * np.sin(mode.omega * 0.7), within=1e-9,
                 because="round-off of the phase, times the frequency")  # fmt: skip


def test_a_free_rod_that_is_pushed_drifts():
    """Its centre moves with the mean of the velocities, in the series and in the waves."""
    one = cd.Rod(length=1, EA=4, rho_A=1, left="free", right="free")
    for motion in (one.response(None, x, modes=80), one.dalembert(None, x)):
        nodes, weights = np.polynomial.legendre.leggauss(40)
        mean = motion((nodes + 1) / 2, 3.25) @ weights / 2
        assert_close(mean, 0.5 * 3.25, within=1e-5, because="the mean of kinked waves by a rule for smooth ones")


def test_dispersion_relations():
    k = np.array([0.3, 2.0, 11.0])
    (plain,) = string().dispersion(k)
    assert_close(plain.phase_speeds, C * np.ones(3), within=1e-12, because="no dispersion")
    assert_close(plain.group_speeds, C * np.ones(3), within=1e-12, because="no dispersion")
    (beam,) = cd.Beam(length=1, EI=3, rho_A=2).dispersion(k)
    assert_close(beam.frequencies, np.sqrt(1.5) * k**2, within=1e-12, because="by hand")
    assert_close(beam.group_speeds, 2 * beam.phase_speeds, within=1e-12, because="energy goes twice as fast as crests")
    (based,) = cd.String(length=1, tension=1, rho=1, foundation=9).dispersion(k)
    assert_close(based.phase_speeds * based.group_speeds, np.ones(3), within=1e-12, because="c^2 of Klein and Gordon")


def test_both_branches_of_timoshenko():
    """The determinant of the 2 by 2 problem, group speeds by differences; short waves reach both speeds of a solid."""
    g, J = 0.1, 0.01
    one = cd.Beam(length=1, EI=1, rho_A=1, kappa_GA=1 / g, rho_I=J, tension=2.0, foundation=3.0)
    k = np.array([0.5, 4.0, 30.0])
    for branch, found in enumerate(one.dispersion(k)):
        for wave, omega in zip(k, found.frequencies, strict=True):
            K = np.array([[wave**2 * (1 / g + 2) + 3, -wave / g], [-wave / g, wave**2 + 1 / g]])
            squares = np.linalg.eigvals(np.diag([1, 1 / J]) @ K)
            assert_close(omega, np.sqrt(np.sort(squares)[branch]), within=1e-9, because="an eigenvalue of 1e5")
        h = 1e-5
        fore, aft = one.dispersion(k + h)[branch].frequencies, one.dispersion(k - h)[branch].frequencies
        assert_close(found.group_speeds, (fore - aft) / (2 * h), within=1e-6, because="central differences")
    slow, fast = cd.Beam(length=1, EI=1, rho_A=1, kappa_GA=1 / g, rho_I=J).dispersion(1e4)
    speeds = np.sqrt([1 / g, 1 / J])
    assert_close([slow.group_speeds[0], fast.group_speeds[0]], np.sort(speeds), within=1e-3, because="k is finite")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: string().response(x * sp.Symbol("y")), "x alone"),
        (lambda: string().response(lambda at: at * np.nan), "finite"),
        (lambda: cd.String(length=1, tension=1, rho=1, right={"mass": 1}).dalembert(x), "mass"),
        (lambda: cd.String(length=1, tension=1, rho=1, foundation=1).dalembert(x), "foundation"),
        (lambda: string().dispersion(0.0), "positive"),
        (lambda: string().join(string()).dispersion(1.0), "uniform span"),
    ],
)
def test_what_cannot_be_asked_is_said(ask, said):
    with pytest.raises(ModelError, match=said):
        ask()
