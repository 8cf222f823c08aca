"""Bodies that bend: beams of Cardan's continua in a system, against exact, published and independent results."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close

CANTILEVER = np.array([3.516015268891, 22.034491564669, 61.697214413591])  # (beta L)^2, roots of cos cosh = -1


def blade(speed: float, axis: str, modes: int, **options: object) -> tuple[cd.System, np.ndarray]:
    """A uniform beam of unit length, mass and stiffness clamped on an axis (z) that turns; and its frequencies."""
    s = cd.System("blade")
    q = s.coordinates("q", on="S1")
    beam = cd.Beam(length=1.0, EI=1.0, rho_A=1.0)
    s.flexible_body("blade", beam={axis: beam}, modes=modes, joint=cd.Revolute("z", q), **options)
    s.prescribe(q, speed * s.time)
    lin = s.linearize(np.zeros(modes), about="equilibrium")
    return s, np.sort(np.abs(np.imag(lin.eigenvalues)))[::2]


def test_a_blade_at_rest_rings_as_the_exact_cantilever():
    _, found = blade(0.0, "y", 3)
    assert_close(found / CANTILEVER, 1.0, within=1e-9, because="modal masses at stations are integrals to 1e-9")


# Wright, Smith, Thresher and Wang (1982), uniform cantilever without hub, in units of sqrt(EI / (rho A L^4)).
WRIGHT = {3.0: (4.7973, 23.3203), 6.0: (7.3604, 26.8091), 12.0: (13.1702, 37.6031)}


@pytest.mark.parametrize("speed", WRIGHT)
def test_a_turning_blade_is_stiffened_as_published(speed: float):
    _, found = blade(speed, "z", 6)
    error = found[:2] / np.array(WRIGHT[speed]) - 1
    assert np.all(error > -2e-5), "modes of the blade at rest are admissible: frequencies lie above, up to the digits"
    assert_close(error, 0.0, within=3e-4, because="six modes of the blade at rest, four digits printed")


def test_in_the_plane_of_rotation_the_square_of_the_frequency_is_less_by_that_of_the_speed():
    """Southwell: omega_lag^2 = omega_flap^2 - speed^2, for every mode of a blade without hub."""
    _, flap = blade(5.0, "z", 3)
    _, lag = blade(5.0, "y", 3)
    assert_close(lag**2, flap**2 - 25.0, within=1e-7 * flap[2] ** 2, because="modal masses are integrals to 1e-9")


def test_without_stiffening_a_fast_blade_seems_to_buckle():
    """omega^2 = 3.516^2 - speed^2 with linear kinematics: negative beyond 3.516, where a real blade is stiffer."""
    s = cd.System("blade")
    q = s.coordinates("q", on="S1")
    beam = cd.Beam(length=1.0, EI=1.0, rho_A=1.0)
    s.flexible_body("blade", beam=beam, modes=2, joint=cd.Revolute("z", q), stiffening=False)
    s.prescribe(q, 4.0 * s.time)
    grows = s.linearize(np.zeros(2), about="equilibrium").eigenvalues
    expected = np.sqrt(16.0 - CANTILEVER[0] ** 2)
    assert_close(np.max(np.real(grows)), expected, within=1e-8, because="modal masses are integrals to 1e-9")


def test_spin_up_of_kane_ryan_and_banerjee():
    """Kane, Ryan and Banerjee (1987): a beam of 10 m on a hub that is brought to 6 rad/s in 15 s lags by about 0.57 m.

    Beside it their linear equations, with polynomials as shapes, integrated by SciPy: nothing of Cardan.
    """
    L, EI, rho, T, top = 10.0, 1.4e4, 1.2, 15.0, 6.0
    s = cd.System("spin-up")
    q, t = s.coordinates("q", on="S1"), s.time
    body = s.flexible_body("beam", beam=cd.Beam(length=L, EI=EI, rho_A=rho), modes=3, joint=cd.Revolute("z", q))
    c = 2 * sp.pi / T
    s.prescribe(q, top / T * (t**2 / 2 + (sp.cos(c * t) - 1) / c**2))
    times = np.linspace(0.0, T, 61)
    run = s.simulate(T, times=times, rtol=1e-8)
    tip = run.evaluate(sum(body.coordinates))
    tip_of_text = _spin_up_by_polynomials(L, EI, rho, T, top, times)
    assert_close(tip, tip_of_text, within=0.01, because="their equations drop squares of deflections: (0.57 / 10)^2")
    assert_close(-tip.min(), 0.57, within=0.01, because="read from their figure 4")
    assert abs(tip[-1]) < 0.02, "brought to speed it is straight again"


def _spin_up_by_polynomials(L: float, EI: float, rho: float, T: float, top: float, times: np.ndarray) -> np.ndarray:
    """M x" + (K + w^2 (S - M)) x = -w' b with x^2, x^3, x^4; S is the work of the centrifugal tension on slopes."""
    x, w = np.polynomial.legendre.leggauss(20)
    x, w = L * (x + 1) / 2, L * w / 2
    powers, n = np.arange(2, 5), 3
    phi, slope = (x[:, None] / L) ** powers, powers * (x[:, None] / L) ** (powers - 1) / L
    bent = powers * (powers - 1) * (x[:, None] / L) ** (powers - 2) / L**2
    M = rho * phi.T @ (w[:, None] * phi)
    K = EI * bent.T @ (w[:, None] * bent)
    S = slope.T @ ((w * rho * (L**2 - x**2) / 2)[:, None] * slope)
    b = rho * phi.T @ (w * x)

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        speed = top / T * (t - T / (2 * np.pi) * np.sin(2 * np.pi * t / T))
        jerk = top / T * (1 - np.cos(2 * np.pi * t / T))
        force = -jerk * b - (K + speed**2 * (S - M)) @ y[:n]
        return np.concatenate([y[n:], np.linalg.solve(M, force)])

    found = solve_ivp(rates, (0.0, T), np.zeros(2 * n), t_eval=times, rtol=1e-5, atol=1e-7)
    return np.sum(found.y[:n], axis=0)


def test_a_hanging_beam_is_held_by_its_weight_and_swings_as_a_stiff_rod_does():
    """The slowest frequency of a stiff rod hanging from its end is sqrt(3 g / 2 L)."""
    s = cd.System("rod")
    q = s.coordinates("q", on="S1")
    s.flexible_body("rod", beam=cd.Beam(length=2.0, EI=1e6, rho_A=0.7), modes=2, joint=cd.Revolute("z", q))
    s.gravity(9.81 * s.world.x)
    slowest = s.modes([0.0, 0.0, 0.0]).frequencies[0]
    assert_close(slowest, np.sqrt(3 * 9.81 / 4), within=1e-5, because="bending by a part of rho g L^3 / EI = 5e-5")
    forces = s.equations().at([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]).multipliers
    assert_close(forces["rod_force_x"], -0.7 * 2.0 * 9.81, within=1e-12, because="rounding of a sum of masses")


def test_a_force_at_the_tip_bends_it_as_in_every_textbook():
    """w = F L^3 / 3 EI; modes beyond the fourth hold sum 12 / beta^4 of it."""
    s = cd.System("cantilever")
    body = s.flexible_body("beam", beam=cd.Beam(length=1.5, EI=40.0, rho_A=1.0), modes=4)
    s.force("F", on=body.tip, along=s.world.y)
    (rest,) = s.equilibria(loads={"F": 0.01})
    left_out = np.sum(12 / ((np.arange(5, 4000) - 0.5) * np.pi) ** 4)
    bent = sum(rest.q) / (0.01 * 1.5**3 / 120.0)
    assert_close(bent, 1.0 - left_out, within=1e-7, because="beta = (k - 1/2) pi to 1e-6 from the fifth on")


def test_energy_and_momentum_of_a_free_beam_are_kept():
    """Free at both ends it floats with its mean motion; nothing acts on it, so momenta about any point are constant."""
    s = cd.System("stick")
    x, y, q = s.coordinates("x y q")
    beam = cd.Beam(length=1.0, EI=3.0, rho_A=2.0, left="free", right="free")
    body = s.flexible_body("stick", beam=beam, modes=2, joint=cd.Planar(x, y, q, "z"))
    run = s.simulate(1.0, q={"stick_y1": 0.05}, v={"x": 0.3, "q": 2.0, "stick_y2": 0.4}, times=np.linspace(0, 1, 21))
    places = np.array([run.position(one) for one in body.stations])
    assert np.ptp(run.energy) < 1e-9 * run.energy[0]
    masses = np.array([float(one.mass) for one in body.stations])
    centre = np.einsum("k,kti->ti", masses, places) / masses.sum()
    straight = centre[0] + np.outer(run.t, (centre[-1] - centre[0]) / run.t[-1])
    assert_close(centre, straight, within=1e-9, because="rtol 1e-9 of a run of one second")


@pytest.mark.parametrize(
    "ends", [("pinned", "pinned"), ("clamped", "pinned"), ("clamped", {"mass": 0.4, "inertia": 0.02})]
)
def test_modes_are_those_of_the_beam_as_its_ends_hold_it(ends):
    beam = cd.Beam(length=1.3, EI=2.0, rho_A=0.8, left=ends[0], right=ends[1])
    s = cd.System("beam")
    s.flexible_body("beam", beam=beam, modes=3)
    found = s.modes([0.0, 0.0, 0.0]).frequencies
    assert_close(found / beam.frequencies(3), 1.0, within=1e-8, because="modal masses are integrals to 1e-9")


def test_a_mass_carried_by_the_tip_is_a_mass_at_the_end_of_the_beam():
    """With five modes of the beam alone, against the exact frequencies with the mass on it."""
    beam = cd.Beam(length=1.0, EI=1.0, rho_A=1.0)
    s = cd.System("loaded")
    body = s.flexible_body("beam", beam=beam, modes=5)
    s.body("weight", mass=0.5, parent=body.section(1.0))
    exact = cd.Beam(length=1.0, EI=1.0, rho_A=1.0, right={"mass": 0.5}).frequencies(2)
    found = s.modes(np.zeros(5)).frequencies[:2]
    assert np.all(found > exact)
    assert_close(found / exact, 1.0, within=6e-3, because="modes without the mass converge as 1 / n^3")


def test_both_routes_to_the_equations_agree():
    s = cd.System("two planes")
    q = s.coordinates("q", on="S1")
    beam, flat = (cd.Beam(length=1.0, EI=EI, rho_A=1.0) for EI in (2.0, 9.0))
    body = s.flexible_body("blade", beam={"y": beam, "z": flat}, modes=1, joint=cd.Revolute("z", q), stations=4)
    s.force("F", on=body.tip, along=body.section(1.0).y)
    s.gravity(-9.81 * s.world.z)
    here = ([0.4, 0.1, -0.2], [1.0, 2.0, -1.5])
    symbols = dict(zip(s.model.q + s.model.v, here[0] + here[1], strict=True)) | {sp.Symbol("F", real=True): 3.0}
    eq, numbers = s.equations(), s.equations().at(*here, loads={"F": 3.0})
    for name, own in (("mass_matrix", numbers.M), ("velocity_terms", numbers.f), ("potential_terms", numbers.g)):
        found = np.array(getattr(eq, name).xreplace(symbols), dtype=float).reshape(own.shape)
        assert_close(found, own, within=1e-12 * np.max(np.abs(own)), because="rounding of two orders of summation")


def test_what_is_no_flexible_body_is_refused_by_name():
    s = cd.System("wrong")
    beam = cd.Beam(length=1.0, EI=1.0, rho_A=1.0)
    thick = cd.Beam(length=1.0, EI=1.0, rho_A=1.0, kappa_GA=50.0, rho_I=0.01)
    for wrong, word in (
        ({"w": beam}, "direction"),
        (thick, "shear"),
        ({"x": cd.Rod(length=1.0, EA=1.0, rho_A=1.0)}, "bends"),
    ):
        with pytest.raises(ModelError, match=word):
            s.flexible_body("a", beam=wrong)
    with pytest.raises(ModelError, match="belong to one line"):
        s.flexible_body("a", beam={"y": beam, "z": cd.Beam(length=2.0, EI=1.0, rho_A=1.0)})
    s.coordinates("a_y2")
    with pytest.raises(ModelError, match="a_y2"):
        s.flexible_body("a", beam=beam)
    body = s.flexible_body("b", beam=beam)
    with pytest.raises(ModelError, match=r"no section at 1\.5"):
        body.point(1.5)
    assert [one.name for one in s.model.bodies] == ["b"], "what a refused call had added is taken back"
