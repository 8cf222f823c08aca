"""run.acceleration is the derivative of run.v, whatever coordinates a motion is described and followed in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from tests.support.close import assert_close

import cardan as cd

MASS: dict[str, Any] = {"mass": 1.3, "inertia": (0.2, 0.3, 0.45), "com": (0.1, -0.2, 0.3)}
Q, V = (0.3, 0.8, -0.5, 0.4, 0.6, -0.2), (1.1, -0.7, 2.0, 0.5, -0.4, 0.9)


def _body(joint: Any, count: int, start: Any = None) -> tuple[cd.System, dict[str, Any]]:
    s = cd.System("body")
    q = s.coordinates(f"q0:{count}")
    body = s.body("B", **MASS, joint=joint(*q))
    s.gravity(s.world.vector(0.3, -0.5, -9.0))
    s.spring(s.world.point(1, 2, 3), body.point(0.1, 0.2, 0.3), stiffness=3.0)
    return s, start or {"q": list(Q[:count]), "v": list(V[:count])}


def _particle(coordinates: Any, start: Any) -> tuple[cd.System, dict[str, Any]]:
    s = cd.System("particle")
    q = s.coordinates("a b c")
    s.particle("P", mass=1.3, coordinates=coordinates(*q))
    s.gravity(s.world.vector(0.3, -0.5, -9.0))
    return s, start


def _declared() -> tuple[cd.System, dict[str, Any]]:
    s = cd.System("declared chart")
    r, theta = s.coordinates("r theta")
    s.lagrangian((r.dot**2 + r**2 * theta.dot**2) / 2 - r**2)
    x, y = s.chart_coordinates("x y")
    s.chart(
        "flat",
        (x, y),
        {r: sp.sqrt(x**2 + y**2), theta: sp.atan2(y, x)},
        inverse={x: r * sp.cos(theta), y: r * sp.sin(theta)},
    )
    return s, {"q": {"r": 1.0, "theta": 0.3}, "v": {"r": -1.0, "theta": 0.05}}


def _loop() -> tuple[cd.System, dict[str, Any]]:
    """A free body in Euler angles whose corner is held: constraints, and a chart behind the angles."""
    s = cd.System("held corner")
    x, y, z, psi, theta, phi = s.coordinates("x y z psi theta phi")
    body = s.body("B", **MASS, joint=cd.Free(x, y, z, cd.Euler("3-2-1", psi, theta, phi)))
    s.connect(s.world.origin, body.point(0.2, 0.1, 0.4), cd.Ball())
    s.gravity(-9.81 * s.world.z)
    return s, {"q": {"psi": 0.4, "theta": -0.5, "phi": 0.8}, "v": {"psi": 0.7, "theta": 1.1, "phi": -0.6}}


ROUND = {"q": {"a": 1.0, "b": 0.8, "c": 0.5}, "v": {"a": 0.4, "b": -0.7, "c": 0.6}}

TURNED: dict[str, Any] = {"q": {"q0": 1.0}, "v": {"u": (1.0, -0.4, 2.0), "q1": 0.3}}

CASES: dict[str, Any] = {
    "revolute": lambda: _body(lambda a: cd.Revolute("y", a), 1),
    "screw": lambda: _body(lambda a: cd.Screw("y", a, pitch=0.3), 1),
    "universal": lambda: _body(lambda a, b: cd.Universal("x", a, "y", b), 2),
    "planar": lambda: _body(cd.Planar, 3),
    "ball 3-1-3": lambda: _body(lambda *q: cd.Ball(cd.Euler("3-1-3", *q)), 3),
    "ball 3-2-1": lambda: _body(lambda *q: cd.Ball(cd.Euler("3-2-1", *q)), 3),
    "ball space 1-2-3": lambda: _body(lambda *q: cd.Ball(cd.Euler("1-2-3", *q, space=True)), 3),
    "ball space 2-1-2": lambda: _body(lambda *q: cd.Ball(cd.Euler("2-1-2", *q, space=True)), 3),
    "free 3-1-3": lambda: _body(lambda *q: cd.Free(*q[:3], cd.Euler("3-1-3", *q[3:])), 6),
    "free 2-3-1": lambda: _body(lambda *q: cd.Free(*q[:3], cd.Euler("2-3-1", *q[3:])), 6),
    "free quaternion": lambda: _body(lambda *q: cd.Free(*q, cd.Quaternion("u")), 3, TURNED),
    "polar cylindrical": lambda: _particle(cd.PolarCylindrical, ROUND),
    "polar spherical": lambda: _particle(cd.PolarSpherical, ROUND),
    "declared chart": _declared,
    "held corner": _loop,
}  # fmt: skip


CHARTED = [name for name in CASES if name.split()[0] in ("ball", "polar", "declared", "held")]


@pytest.mark.parametrize(("case", "chart"), [*((one, "auto") for one in CASES), *((one, "typed") for one in CHARTED)])
def test_acceleration_is_the_derivative_of_velocity(case: str, chart: str) -> None:
    """By central differences of order four of run.v, the one thing that must not be asked for its own derivative."""
    s, start = CASES[case]()
    run = s.simulate(0.4, **start, chart=chart, rtol=1e-11, atol=1e-12)
    h, t = 1e-3, np.linspace(0.05, 0.35, 7)
    before2, before, after, after2 = (run.at(t + k * h).v for k in (-2, -1, 1, 2))
    slope = (8 * (after - before) - (after2 - before2)) / (12 * h)
    found = run.at(t).acceleration
    size = float(np.max(np.abs(found)))
    assert size > 0.1
    within = 1e-6 * size  # states to 1e-11 (dense output to about 1e-10) over h = 1e-3, and h^4 = 1e-12 of sixth rates
    assert_close(found, slope, within=within, because="central differences of interpolated states")
