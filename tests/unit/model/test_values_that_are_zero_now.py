"""A parameter that is zero now may have another value later: a system described at zero and given values afterwards is
the system described with these values. Every place of a description that takes an amount is tried."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp
from tests.support.close import assert_close

import cardan as cd

Amounts = tuple[sp.Expr, sp.Expr]
FINALLY = (0.4, 0.3)


def rod(s: cd.System, name: str, **more: object) -> cd.Body:
    return s.body(name, **({"mass": 1.2, "inertia": (0.2, 0.3, 0.45), "com": (0.5, -0.1, 0.2)} | more))


def turned(a: sp.Expr, b: sp.Expr) -> list[list[sp.Expr]]:
    """About z by a, then about the new x by b, typed out."""
    ca, sa, cb, sb = sp.cos(a), sp.sin(a), sp.cos(b), sp.sin(b)
    return [[ca, -sa * cb, sa * sb], [sa, ca * cb, -ca * sb], [0, sb, cb]]


def placed(s: cd.System, q: list[cd.Coordinate], p: Amounts) -> None:
    first = rod(s, "first", joint=cd.Revolute("y", q[0]), at=((p[0], p[1], 0), turned(*p)))
    rod(s, "second", joint=cd.Revolute("z", q[1]), parent=first, at=((1, p[1], p[0]), turned(p[1], p[0])))


def framed(s: cd.System, q: list[cd.Coordinate], p: Amounts) -> None:
    first = rod(s, "first", joint=cd.Revolute("y", q[0]))
    stand = s.frame("stand", parent=first, at=((p[0], 0, p[1]), turned(*p)))
    rod(s, "second", joint=cd.Prismatic("z", q[1]), parent=stand)


def massive(s: cd.System, q: list[cd.Coordinate], p: Amounts) -> None:
    moments = [[0.5, p[0] / 10, 0], [p[0] / 10, 0.6, p[1] / 10], [0, p[1] / 10, 0.7 + p[0] / 9]]
    first = rod(s, "first", joint=cd.Revolute("y", q[0]))
    rod(s, "second", mass=1 + p[0], inertia=moments, com=(p[0], p[1], 0.3), joint=cd.Revolute("x", q[1]), parent=first)


def pulled(s: cd.System, q: list[cd.Coordinate], p: Amounts) -> None:
    first = rod(s, "first", joint=cd.Revolute("y", q[0]))
    second = rod(s, "second", joint=cd.Revolute("z", q[1]), parent=first)
    s.spring(first.point(p[0], 0, 0), s.world.point(1, p[1], 2), stiffness=3 * p[0], length=p[1])
    s.damper(second.point(p[0], 1, 0), s.world.point(0, 3, 0), coefficient=p[1])
    s.generalized_force(q[0], p[0] * q[1] - p[1] * q[0].dot)
    s.potential(p[0] * q[0] ** 2 * q[1])


def screwed(s: cd.System, q: list[cd.Coordinate], p: Amounts) -> None:
    first = rod(s, "first", joint=cd.Screw("z", q[0], pitch=p[0]))
    rod(s, "second", joint=cd.Revolute((0, sp.sin(p[1]), sp.cos(p[1])), q[1]), parent=first)


PLACES: dict[str, Callable[[cd.System, list[cd.Coordinate], Amounts], None]] = {
    "placements": placed,
    "frames": framed,
    "masses": massive,
    "forces": pulled,
    "joints": screwed,
}


def described(place: str, *, at_zero: bool) -> cd.System:
    s = cd.System(place)
    q = list(s.coordinates("q0:2"))
    values = (0.0, 0.0) if at_zero else FINALLY
    PLACES[place](s, q, s.parameters(p0=values[0], p1=values[1]))
    s.gravity(s.world.vector(1.0, 2.0, -9.0))
    return s.with_values(p0=FINALLY[0], p1=FINALLY[1]) if at_zero else s


@pytest.mark.parametrize("place", PLACES)
def test_a_value_that_was_zero_counts(place: str) -> None:
    q, v = [0.7, -0.4], [0.3, 1.1]
    late, early = (described(place, at_zero=at_zero) for at_zero in (True, False))
    found, expected = (one.compile().acceleration(q, v) for one in (late, early))
    assert_close(found, expected, within=1e-12 * np.max(np.abs(expected)), because="the same numbers in another order")
    symbols, numbers = (one.equations().at(q, v).acceleration for one in (late, early))
    assert_close(symbols, numbers, within=1e-11 * np.max(np.abs(expected)), because="the same numbers, by SymPy")
    before = described(place, at_zero=True).with_values(p0=0.0, p1=0.0).compile().acceleration(q, v)
    assert np.max(np.abs(before - expected)) > 1e-3 * np.max(np.abs(expected))  # the values do matter
