"""Sixty answers of students, each judged rightly: right ones in many forms, and seven kinds of mistakes."""

from __future__ import annotations

from functools import cache

import pytest
from sympy import cos, sin

import cardan as cd
from cardan.equations.equations import Equations


@cache
def pendulum() -> Equations:
    """m l^2 a'' + c a' + m g l sin(a) = u."""
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    m, l, g, c = s.parameters(m=2.0, l=0.7, g=9.81, c=0.1)  # noqa: E741
    s.kinetic_energy(m * l**2 * a.dot**2 / 2)
    s.potential(-m * g * l * cos(a))
    s.generalized_force(a, s.input("u") - c * a.dot)
    return s.equations()


@cache
def cart() -> Equations:
    """(M + m) x'' + m l a'' cos(a) - m l a'^2 sin(a) = F,  m l^2 a'' + m l x'' cos(a) + m g l sin(a) = 0."""
    s = cd.System("cart and pendulum")
    x, a = s.coordinates("x a")
    M, m, l, g = s.parameters(M=3.0, m=1.0, l=0.5, g=9.81)  # noqa: E741
    T = M * x.dot**2 / 2 + m * (x.dot**2 + l**2 * a.dot**2 + 2 * l * x.dot * a.dot * cos(a)) / 2
    s.kinetic_energy(T)
    s.potential(-m * g * l * cos(a))
    s.generalized_force(x, s.input("F"))
    return s.equations()


@cache
def polar() -> Equations:
    """m (r'' - r p'^2) + k r = 0,  m r^2 p'' + 2 m r r' p' = 0."""
    s = cd.System("spring in a plane")
    r, p = s.coordinates("r p")
    m, k = s.parameters(m=1.0, k=4.0)
    s.kinetic_energy(m * (r.dot**2 + r**2 * p.dot**2) / 2)
    s.potential(k * r**2 / 2)
    return s.equations()


@cache
def sleigh() -> Equations:
    """m x'' = -lam sin(h), m y'' = lam cos(h), I h'' = 0, -x' sin(h) + y' cos(h) = 0."""
    s = cd.System("skate")
    x, y, h = s.coordinates("x y h")
    m, I = s.parameters(m=1.0, I=0.2)  # noqa: E741
    s.kinetic_energy(m * (x.dot**2 + y.dot**2) / 2 + I * h.dot**2 / 2)
    s.constrain_velocity(-x.dot * sin(h) + y.dot * cos(h), name="knife")
    return s.equations()


RIGHT = [
    (pendulum, "m*l**2*a_ddot + c*a_dot + m*g*l*sin(a) = u", "equal"),
    (pendulum, "m*l**2*a.ddot = u - c*a.dot - m*g*l*sin(a)", "equal"),
    (cart, "(M + m)*x_ddot + m*l*a_ddot*cos(a) - m*l*a_dot**2*sin(a) = F", "equal"),
    (cart, "M*x_ddot + m*x_ddot + m*l*(a_ddot*cos(a) - a_dot**2*sin(a)) - F", "equal"),
    (cart, "m*l**2*a_ddot + m*l*x_ddot*cos(a) + m*g*l*sin(a) = 0", "equal"),
    (cart, "m*l*(l*a_ddot + x_ddot*cos(a) + g*sin(a))", "equal"),
    (polar, "m*r_ddot - m*r*p_dot**2 + k*r = 0", "equal"),
    (polar, "m*r**2*p_ddot + 2*m*r*r_dot*p_dot = 0", "equal"),
    (sleigh, "m*x_ddot = -lam_knife*sin(h)", "equal"),
    (sleigh, "I*h_ddot = 0", "equal"),
    (sleigh, "y_dot*cos(h) = x_dot*sin(h)", "equal"),
    (pendulum, "a_ddot + c*a_dot/(m*l**2) + g/l*sin(a) = u/(m*l**2)", "factor"),
    (pendulum, "u - c*a_dot - m*g*l*sin(a) - m*l**2*a_ddot = 0", "factor"),
    (pendulum, "2*m*l*a_ddot + 2*c*a_dot/l + 2*m*g*sin(a) = 2*u/l", "factor"),
    (cart, "l*a_ddot + x_ddot*cos(a) + g*sin(a) = 0", "factor"),
    (cart, "-l*a_ddot = x_ddot*cos(a) + 2*g*sin(a/2)*cos(a/2)", "factor"),
    (cart, "F - (M + m)*x_ddot - m*l*a_ddot*cos(a) + m*l*a_dot**2*sin(a)", "factor"),
    (polar, "r_ddot = r*p_dot**2 - k/m*r", "factor"),
    (polar, "r*p_ddot + 2*r_dot*p_dot = 0", "factor"),
    (sleigh, "h_ddot = 0", "factor"),
    (sleigh, "x_dot*sin(h) - y_dot*cos(h)", "factor"),
    (sleigh, "m*x_ddot*cos(h) + m*y_ddot*sin(h) = 0", "implied"),
    (sleigh, "x_ddot*cos(h) = -y_ddot*sin(h)", "implied"),
    (sleigh, "lam_knife = m*(y_ddot*cos(h) - x_ddot*sin(h))", "implied"),
    (sleigh, "lam_knife = m*h_dot*(x_dot*cos(h) + y_dot*sin(h))", "implied"),
    (cart, "(M + m*sin(a)**2)*x_ddot - m*l*a_dot**2*sin(a) - m*g*sin(a)*cos(a) = F", "implied"),
    (polar, "m*(r_ddot + r*p_ddot) = m*r*p_dot**2 - k*r - 2*m*r_dot*p_dot", "implied"),
]

WRONG = [
    # a term is missing
    (pendulum, "m*l**2*a_ddot + m*g*l*sin(a) = u", "missing", "c*a_dot"),
    (cart, "(M + m)*x_ddot + m*l*a_ddot*cos(a) = F", "missing", "a_dot**2"),
    (cart, "l*a_ddot + g*sin(a) = 0", "missing", "x_ddot"),
    (polar, "m*r_ddot + k*r = 0", "missing", "p_dot**2"),
    (polar, "r*p_ddot = 0", "missing", "r_dot"),
    # a term is too much
    (pendulum, "m*l**2*a_ddot + c*a_dot + m*g*l*sin(a) + m*a_dot**2 = u", "extra", "a_dot**2"),
    (cart, "m*l**2*a_ddot + m*l*x_ddot*cos(a) + m*g*l*sin(a) = F", "extra", "F"),
    (polar, "m*r_ddot - m*r*p_dot**2 + k*r + m*p_dot = 0", "extra", "p_dot"),
    (sleigh, "I*h_ddot = lam_knife", "extra", "lam_knife"),
    # a sign
    (pendulum, "m*l**2*a_ddot + c*a_dot - m*g*l*sin(a) = u", "sign", "g"),
    (pendulum, "m*l**2*a_ddot - c*a_dot + m*g*l*sin(a) = u", "sign", "c*a_dot"),
    (cart, "(M + m)*x_ddot + m*l*a_ddot*cos(a) + m*l*a_dot**2*sin(a) = F", "sign", "a_dot**2"),
    (polar, "m*r_ddot + m*r*p_dot**2 + k*r = 0", "sign", "p_dot**2"),
    (polar, "r_ddot = r*p_dot**2 + k/m*r", "sign", "k"),
    # a number
    (pendulum, "m*l**2*a_ddot + c*a_dot + m*g*l*sin(a)/2 = u", "factor", "g"),
    (polar, "m*r**2*p_ddot + m*r*r_dot*p_dot = 0", "factor", "r_dot"),
    (polar, "m*r_ddot - m*r*p_dot**2 + k*r/2 = 0", "factor", "k"),
    (cart, "(M + m)*x_ddot + 2*m*l*a_ddot*cos(a) - m*l*a_dot**2*sin(a) = F", "factor", "a_ddot"),
    # sine and cosine exchanged
    (pendulum, "m*l**2*a_ddot + c*a_dot + m*g*l*cos(a) = u", "function", "sin(a)"),
    (cart, "m*l**2*a_ddot + m*l*x_ddot*cos(a) + m*g*l*cos(a) = 0", "function", "sin(a)"),
    (sleigh, "m*x_ddot = -lam_knife*cos(h)", "function", "sin(h)"),
    # a length or a mass too much or too little
    (pendulum, "m*l**2*a_ddot + c*a_dot + m*g*sin(a) = u", "instead", "g*l"),
    (pendulum, "m*l*a_ddot + c*a_dot + m*g*l*sin(a) = u", "instead", "l**2"),
    (cart, "m*l**2*a_ddot + m*l**2*x_ddot*cos(a) + m*g*l*sin(a) = 0", "instead", "x_ddot"),
    (polar, "m*r_ddot - m*r**2*p_dot**2 + k*r = 0", "instead", "p_dot**2"),
    # another coordinate or velocity
    (cart, "(M + m)*x_ddot + m*l*a_ddot*cos(a) - m*l*x_dot**2*sin(a) = F", "instead", "a_dot**2"),
    (polar, "m*r_ddot - m*r*r_dot**2 + k*r = 0", "instead", "p_dot**2"),
]

SIGNS = [
    (pendulum, "m*l**2*a_ddot + c*a_dot + m*g*l*sin(a) = -u", "u"),
    (cart, "(M + m)*x_ddot + m*l*a_ddot*cos(a) - m*l*a_dot**2*sin(a) = -F", "F"),
    (cart, "m*l**2*a_ddot - m*l*x_ddot*cos(a) + m*g*l*sin(a) = 0", "x"),
    (sleigh, "m*y_ddot = -lam_knife*cos(h)", "lam_knife"),
]

UNRELATED = [(pendulum, "a_dot = 0"), (polar, "r_ddot*p_ddot = k**2 + m")]


def test_there_are_sixty_answers() -> None:
    assert len(RIGHT) + len(WRONG) + len(SIGNS) + len(UNRELATED) == 60


def named(value: object) -> str:
    """Names of tests are the same in every process: those of functions, not their addresses."""
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize(("system", "row", "kind"), RIGHT, ids=named)
def test_right_answers(system, row, kind) -> None:
    found = system().check(row)
    assert found
    assert found.kind == kind


@pytest.mark.parametrize(("system", "row", "kind", "term"), WRONG, ids=named)
def test_wrong_answers_are_told_their_term(system, row, kind, term) -> None:
    found = system().check(row)
    assert not found
    assert found.kind == "wrong", str(found)
    (mistake,) = found.mistakes
    assert mistake.kind == kind, str(found)
    assert term in str(mistake)


@pytest.mark.parametrize(("system", "row", "symbol"), SIGNS, ids=named)
def test_other_signs_are_told_apart_from_mistakes(system, row, symbol) -> None:
    found = system().check(row)
    assert found.kind == "signs"
    assert f"{symbol} counted the other way" in str(found)


@pytest.mark.parametrize(("system", "row"), UNRELATED, ids=named)
def test_what_is_no_equation_of_motion(system, row) -> None:
    assert system().check(row).kind == "unrelated"
