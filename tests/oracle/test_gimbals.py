"""Gimbals with inertia: the Cardan suspension crosses coplanar gimbals, and a bead passes the pole of its gimbal."""

from __future__ import annotations

import numpy as np
from sympy import cos, sin

import cardan as cd
from support.close import EPS, assert_close
from support.reference import STRICT, keyed_times, reference

CARDAN = reference("cardan_suspension_T3")
BEAD = reference("bead_in_free_gimbal_T2")
BECAUSE = "the tolerance of the reference"


def suspension(**values: float) -> cd.System:
    """Outer gimbal, inner gimbal and platform, each with three equal moments; a moment on the platform."""
    s = cd.System("Cardan suspension")
    al, be, ga = s.coordinates("alpha beta gamma", on="S1")
    lambdas = {name: CARDAN["parameters"][name] for name in ("lambda1", "lambda2", "lambda3")} | values
    l1, l2, l3 = s.parameters(**lambdas)
    outer = s.body("outer", inertia=l1, joint=cd.Revolute("z", al))
    inner = s.body("inner", inertia=l2, joint=cd.Revolute("x", be), parent=outer)
    platform = s.body("platform", inertia=l3, joint=cd.Revolute("z", ga), parent=inner)
    s.moment("M", on=platform)
    return s


def start() -> tuple[list[float], list[float]]:
    given = CARDAN["initial_conditions"]
    return [given[k] for k in ("alpha", "beta", "gamma")], [given[k] for k in ("alphad", "betad", "gammad")]


def test_the_suspension_crosses_coplanar_gimbals():
    q, v = start()
    s = suspension()
    tolerance = float(CARDAN["tolerance"])
    run = s.simulate(5.0, q=q, v=v, events=[cd.Event(sin(s.model.q[1]), name="coplanar")], **STRICT)
    assert len(run.events) == 2, "beta runs from 0.8 to -5.2: through 0 and -pi"
    for t, expected in keyed_times(CARDAN["reference"]).items():
        here = run.at(t)
        angles = [expected[name] for name in ("alpha", "beta", "gamma")]
        assert_close(here.q[0], angles, within=tolerance, because=BECAUSE)
        assert_close(here.v[0], expected["rates"], within=tolerance, because=BECAUSE)


def test_momenta_and_energy_of_the_suspension_are_kept():
    q, v = start()
    run = suspension().simulate(5.0, q=q, v=v, **STRICT)
    tolerance, kernel = float(CARDAN["tolerance"]), run.kernel
    momenta = np.array(
        [kernel.function("momentum")(0.0, kernel.y(*state), kernel.p()) for state in zip(run.q, run.v, strict=True)]
    )
    assert_close(momenta[:, 0], CARDAN["reference"]["p_alpha"], within=tolerance, because=BECAUSE)
    assert_close(momenta[:, 2], CARDAN["reference"]["p_gamma"], within=tolerance, because=BECAUSE)
    assert_close(run.energy, CARDAN["reference"]["energy"], within=tolerance, because=BECAUSE)


def test_mass_matrix_where_the_gimbals_are_coplanar():
    """Regular thanks to the inertia of the gimbals; without it the coordinates are singular."""
    q = [0.1, 0.0, -0.2]
    because = "a 3 by 3 determinant of numbers below one"
    expected = CARDAN["reference"]
    found = np.linalg.det(suspension().compile().mass_matrix(q))
    assert_close(found, expected["det_mass_matrix_at_beta0"], within=8 * EPS, because=because)
    bare = np.linalg.det(suspension(lambda1=0.0, lambda2=0.0).compile().mass_matrix(q))
    assert_close(bare, expected["det_mass_matrix_at_beta0_if_lambda1_lambda2_zero"], within=8 * EPS, because=because)


def test_rank_of_the_moment_map():
    """Columns: generalized forces of the three unit moments; coplanar gimbals lock the direction g1 x g2."""
    eq = suspension().equations()

    def rank(beta: float) -> int:
        columns = [eq.at([0.1, beta, -0.2], loads={"M": unit}).Q for unit in np.eye(3)]
        return int(np.linalg.matrix_rank(np.column_stack(columns), tol=1e-9))

    assert rank(0.0) == CARDAN["reference"]["rank_moment_map_beta0"]
    assert rank(0.8) == CARDAN["reference"]["rank_moment_map_generic"]


def test_the_bead_passes_the_pole_of_its_gimbal():
    s = cd.System("bead in a free gimbal")
    nu, phi = s.coordinates("nu phi_e", on="S1")
    m, R0, inertia, g = s.parameters(**BEAD["parameters"])
    gimbal = s.body("gimbal", inertia=inertia, joint=cd.Revolute("z", nu))
    s.particle("bead", mass=m, position=gimbal.vector(R0 * sin(phi), 0, R0 * cos(phi)))
    s.gravity(-g * s.world.z)
    given = BEAD["initial_conditions"]
    q, v = [given["nu"], given["phi_e"]], [given["nu_dot"], given["phi_e_dot"]]
    run = s.simulate(2.0, q=q, v=v, **STRICT)
    tolerance, reference_values = float(BEAD["tolerance"]), BEAD["reference"]
    for t, expected in keyed_times(reference_values).items():
        here = run.at(t)
        for name in ("nu", "phi_e", "nu_dot", "phi_e_dot"):
            assert_close(here[name], expected[name], within=tolerance, because=BECAUSE)
    p_nu = run.evaluate((inertia + m * R0**2 * sin(phi) ** 2) * nu.dot)
    assert_close(p_nu, reference_values["p_nu"], within=tolerance, because=BECAUSE)
    assert_close(run.energy, reference_values["energy"], within=tolerance, because=BECAUSE)
