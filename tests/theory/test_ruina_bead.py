"""Ruina, MAE 6700, 3/27: a bead on a wire x(s) (row R7): m sdd = F . e_t with s the arc length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.routes import assert_printed, vanishes


def bead(wire: Any, **values: float) -> tuple[Any, ...]:
    """A bead of mass m on wire(u, parameters...), pulled by a force along the world's axes."""
    s = cd.System("bead on a wire")
    u = s.coordinates("u")
    m, *parameters = s.parameters(m=1.7, **values)
    x = sp.Matrix(wire(u, *parameters))
    P = s.particle("P", mass=m, coordinates=cd.Curve(list(x), u))
    return s, u, m, x, sp.Matrix(s.force("F", on=P))


def test_a_wire_given_by_its_arc_length() -> None:
    """T = 1/2 m sd^2 and m sdd = F . e_t, here on a helix of radius a and pitch 2 pi b; e_t = dx/ds."""

    def helix(s: Any, a: Any, b: Any) -> list[Any]:
        length = sp.sqrt(a**2 + b**2)
        return [a * cos(s / length), a * sin(s / length), b * s / length]

    s, u, m, x, F = bead(helix, a=0.5, b=0.2)
    e_t = sp.diff(x, u)
    assert vanishes(e_t.dot(e_t) - 1)
    assert vanishes(s.equations().kinetic_energy - m * u.dot**2 / 2)
    assert_printed(s, M=[[m]], f=[0], Q=[F.dot(e_t)], ranges=[(-3, 3)])


WIRES = {
    "parabola": lambda u, a: [u, 0, a * u**2],
    "knot": lambda u, a: [(2 + a * cos(3 * u)) * cos(2 * u), (2 + a * cos(3 * u)) * sin(2 * u), sin(3 * u)],
    "cubic": lambda u, a: [u, a * u**2, u**3],
}


@pytest.mark.parametrize("wire", WIRES)
def test_a_wire_given_by_any_parameter(wire: str) -> None:
    """s(u) with ds/du = |x'|: m sdd = F . e_t becomes m (|x'|^2 udd + x'.x'' ud^2) = F . x' after times |x'|."""
    s, u, m, x, F = bead(WIRES[wire], a=0.6)
    first, second = sp.diff(x, u), sp.diff(x, u, 2)
    speed = sp.sqrt(first.dot(first))
    sdd = speed * u.ddot + sp.diff(speed, u) * u.dot**2
    row = speed * (m * sdd - F.dot(first) / speed)
    M, f = m * first.dot(first), m * first.dot(second) * u.dot**2
    assert vanishes(row - (M * u.ddot + f - F.dot(first)))
    assert_printed(s, M=[[M]], f=[f], Q=[F.dot(first)], ranges=[(-1.5, 1.5)])


@pytest.mark.parametrize("amplitude", [0.1, 1.5, 3.0])
def test_a_bead_on_a_cycloid_keeps_time_at_any_amplitude(amplitude: float) -> None:
    """x = a (u + sin u), z = a (1 - cos u): s = 4 a sin(u/2), z = s^2 / (8 a), so sdd = -g/(4 a) s: a harmonic bead."""
    s, *_ = bead(lambda u, a: [a * (u + sin(u)), 0, a * (1 - cos(u))], a=0.4)
    s.gravity(-9.81 * s.world.z)
    a, rate = 0.4, np.sqrt(9.81 / (4 * 0.4))
    run = s.simulate(4 * np.pi / rate, q=[amplitude], v=[0.0], rtol=1e-11, atol=1e-13)
    arc = 4 * a * np.sin(run["u"] / 2)
    assert_close(
        arc,
        arc[0] * np.cos(rate * run.t),
        within=1e-9,
        because="100 times the integrator's tolerance over two periods; the arc is below 1.6",
    )
