"""The line of an audit about momenta of coordinates on which nothing depends."""

from __future__ import annotations

import numpy as np

import cardan as cd
from cardan.audit.audit import OK
from cardan.audit.momenta import ignorable


def top() -> cd.System:
    s = cd.System("top")
    angles = s.coordinates("psi theta phi", on="S1")
    s.body("top", mass=1.0, inertia=(1, 1, 0.5), com=(0, 0, 0.5), joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    s.gravity(-9.81 * s.world.z)
    return s


def planet(**more: float) -> cd.System:
    """On a spring about the origin, in polar coordinates: r^2 phi' is conserved."""
    s = cd.System("planet")
    r, phi = s.coordinates("r phi")
    P = s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, phi, 0))
    s.spring(P, s.world.origin, stiffness=2.0)
    return s


def test_a_heavy_top_has_two_coordinates_on_which_nothing_depends():
    """psi and phi, by symmetry; typed momenta p_psi = (I sin^2 + C cos^2) psi' + C cos phi' agree."""
    run = top().simulate(2.0, q=[0.0, 0.5, 0.0], v=[0.5, 0.0, 20.0])
    assert set(ignorable(run)) == {"psi", "phi"}
    line = run.audit(quick=False)["momenta"]
    assert line.verdict == OK
    th, psi_dot, phi_dot = run["theta"], run["psi_dot"], run["phi_dot"]
    typed = (1.25 * np.sin(th) ** 2 + 0.5 * np.cos(th) ** 2) * psi_dot + 0.5 * np.cos(th) * phi_dot
    assert line.value < 1e-8
    assert np.ptp(typed) < 1e-7


def test_what_is_pushed_or_held_is_not_watched():
    s = planet()
    s.generalized_force("phi", -0.1 * s.model.v[1])
    assert "phi" not in ignorable(s.simulate(1.0, q=[1, 0], v=[0, 1.0]))
    s = planet()
    s.constrain_velocity(s.model.v[1] - 2 * s.model.v[0])
    assert "phi" not in ignorable(s.simulate(1.0, q=[1, 0], v=[0.1, 0.2]))
    s = top()
    s.force("F", on=s.bodies["top"].point(0, 0, 1), along=s.world.x)
    assert set(ignorable(s.simulate(0.5, q=[0, 0.5, 0], loads={"F": 1.0}))) == {"phi"}
