"""The n-link pendulum in Cardan: as bodies on revolute joints, or from a Lagrangian typed by hand."""

from __future__ import annotations

from typing import Any

import sympy as sp

import cardan as cd
from benchmarks import pendulum


def of_bodies(n: int) -> cd.System:
    """Bodies hung from one another by revolute joints."""
    s = cd.System(f"{n}-link pendulum")
    m, length, g = _parameters(s, n)
    s.gravity(-g * s.world.y)
    above: Any = None
    at: Any = None
    for i in range(n):
        q = s.coordinates(f"q{i}", on="S1")
        above = s.body(f"link{i}", mass=m[i], com=(0, -length[i], 0), joint=cd.Revolute("z", q), parent=above, at=at)
        at = (0, -length[i], 0)
    return s


def of_lagrangian(n: int) -> cd.System:
    """L = T - V in the positions of the masses."""
    s = cd.System(f"{n}-link pendulum")
    m, length, g = _parameters(s, n)
    theta = omega = xd = yd = y = L = sp.Integer(0)
    for i in range(n):
        q = s.coordinates(f"q{i}", on="S1")
        theta, omega = theta + q, omega + q.dot
        xd, yd = xd + length[i] * sp.cos(theta) * omega, yd + length[i] * sp.sin(theta) * omega
        y -= length[i] * sp.cos(theta)
        L += m[i] * (xd**2 + yd**2) / 2 - m[i] * g * y
    s.lagrangian(L)
    return s


def _parameters(s: cd.System, n: int) -> tuple[Any, Any, Any]:
    """m, l, g with the values of the benchmark, in that order."""
    _, _, values = pendulum.state(n)
    names = [*(f"m{i}" for i in range(n)), *(f"l{i}" for i in range(n)), "g"]
    symbols = s.parameters(**dict(zip(names, values, strict=True)))
    return symbols[:n], symbols[n : 2 * n], symbols[-1]
