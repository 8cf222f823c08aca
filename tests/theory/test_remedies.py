"""Every remedy that is printed lifts its finding: each is applied and judged again, by plain NumPy where possible."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import cardan as cd


def suspension(*inertias: float) -> cd.System:
    s = cd.System("Cardan suspension")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    a, b, c = s.parameters(lambda1=inertias[0], lambda2=inertias[1], lambda3=inertias[2])
    outer = s.body("outer", inertia=a, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=b, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=c, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    return s


def polar_particle() -> cd.System:
    s = cd.System("free particle")
    r, theta, z = s.coordinates("r theta z")
    s.particle("P", mass=2.0, coordinates=cd.PolarCylindrical(r, theta, z))
    return s


def spinning_body() -> cd.System:
    s = cd.System("body about a point")
    nu = s.coordinates("nu1 nu2 nu3", on="S1")
    s.body("B", inertia=(1.0, 1.5, 2.0), joint=cd.Ball(cd.Euler("3-1-3", *nu)))
    return s


def snake_cart() -> cd.System:
    s = cd.System("snake cart")
    x, y, theta, phi = s.coordinates("x y theta phi")
    s.kinetic_energy((x.dot**2 + y.dot**2 + theta.dot**2 + phi.dot**2) / 2)
    for sign, name in ((1, "front"), (-1, "rear")):
        across = -sp.sin(theta + sign * phi) * x.dot + sp.cos(theta + sign * phi) * y.dot
        s.constrain_velocity(across + sign * sp.cos(phi) * theta.dot / 2, name=name)
    return s


def half_gimbal() -> cd.System:
    s = cd.System("half-gimbal")
    nu, phi = s.coordinates("nu phi", on="S1")
    gimbal = s.body("gimbal", inertia=0.1, joint=cd.Revolute("z", nu))
    s.particle("bead", mass=1.0, position=gimbal.vector(0.5 * sp.sin(phi), 0, 0.5 * sp.cos(phi)))
    s.stop(phi, restitution=1, name="top")
    return s


CASES = {
    "bead at its stop": (half_gimbal(), [0.2, 0.0], "boundary", {"extend-range", "move-start"}),
    "locked suspension": (suspension(0.3, 0.2, 0.1), [0.1, 0.0, 0.3], "gimbal-lock", {"reorient-load", "move-start"}),
    "massless suspension": (
        suspension(0.0, 0.0, 0.1),
        [0.1, 0.0, 0.3],
        "coordinate-singularity",
        {"prescribe", "inertia", "move-start"},
    ),
    "particle on the axis": (
        polar_particle(),
        [0.0, 0.3, 1.0],
        "coordinate-singularity",
        {"other-chart", "prescribe", "move-start"},
    ),
    "Euler angles": (
        spinning_body(),
        [0.2, 0.0, 0.4],
        "coordinate-singularity",
        {"other-chart", "prescribe", "move-start"},
    ),
    "snake cart": (
        snake_cart(),
        [0.0, 0.0, 0.3, np.pi / 2],
        "constraint-degeneracy",
        {"remove-constraint", "move-start"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_remedy_that_should_exist_is_found(name):
    system, q, kind, expected = CASES[name]
    (finding,) = [one for one in system.diagnose(q=q).findings if one.kind == kind]
    assert expected <= {remedy.kind for remedy in finding.remedies()}


@pytest.mark.parametrize("name", CASES)
def test_every_remedy_lifts_its_finding(name):
    system, q, kind, _ = CASES[name]
    (finding,) = [one for one in system.diagnose(q=q).findings if one.kind == kind]
    for remedy in finding.remedies():
        if remedy.apply is None:
            continue
        changed = remedy.apply()
        if isinstance(changed, dict):
            assert kind not in system.diagnose(q=changed).kinds, remedy.text
        else:
            names = {variable.name for variable in changed.model.free}
            start = {k: v for k, v in zip([one.name for one in system.model.free], q, strict=True) if k in names}
            assert kind not in changed.diagnose(q=start).kinds, remedy.text


def test_the_inertia_offered_makes_the_mass_matrix_regular():
    """det M = lambda3 (lambda2 + lambda3)(lambda1 + lambda2 + lambda3 sin^2 beta): positive once either is."""
    system, q, _, _ = CASES["massless suspension"]
    (finding,) = system.diagnose(q=q).findings
    heavier = [remedy.apply() for remedy in finding.remedies() if remedy.kind == "inertia"]
    assert len(heavier) == 2
    for changed in heavier:
        M = changed.compile().mass_matrix(q)
        assert np.linalg.eigvalsh(M)[0] > 0


def test_the_prescription_offered_leaves_a_regular_mass_matrix():
    system, q, _, _ = CASES["Euler angles"]
    (finding,) = system.diagnose(q=q).findings
    for remedy in finding.remedies():
        if remedy.kind == "prescribe":
            changed = remedy.apply()
            rest = [value for one, value in zip(system.model.free, q, strict=True) if one in changed.model.free]
            assert np.linalg.matrix_rank(changed.compile().mass_matrix(rest)) == 2


def test_the_direction_offered_for_a_locked_load_has_a_generalized_force():
    """At beta = 0 a moment along z of the platform turns alpha and gamma, one along the lost axis turns nothing."""
    system, q, _, _ = CASES["locked suspension"]
    assert np.max(np.abs(system.equations().at(q, loads={"M": 1.0}).Q)) < 1e-15
    (finding,) = system.diagnose(q=q).findings
    for remedy in finding.remedies():
        if remedy.kind == "reorient-load":
            Q = remedy.apply().equations().at(q, loads={"M": 1.0}).Q
            assert np.max(np.abs(Q)) > 0.05
