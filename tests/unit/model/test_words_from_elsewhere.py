"""What people who come from SymPy, math and numpy type: understood, or refused with the word to use instead."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

import cardan as cd
from cardan.errors import DuplicateName, ModelError, NoNumber, UnknownName

S = cd.System("words")
X, Y = S.coordinates("x y")
C = S.parameters(c=2.0)
T = S.time
FOREIGN_T = sp.Symbol("t")


# --- derivatives by time -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    [
        lambda: X.diff(T),
        lambda: sp.diff(X, T),
        lambda: X.diff(T, 2),
        lambda: X.diff((T, 2)),
        lambda: -C * (X**2 + Y**2).diff(T),
        lambda: sp.sqrt(X**2 + Y**2).diff(T),
        lambda: (sp.sin(X) * T).diff(T),
        lambda: X.dot.diff(T),
        lambda: sp.Derivative(X, T),
        lambda: sp.Matrix([X, Y]).diff(T),
        lambda: X.diff(FOREIGN_T),
        lambda: sp.diff(Y.dot, FOREIGN_T),
        lambda: (X * FOREIGN_T).diff(FOREIGN_T),
    ],
)
def test_what_moves_is_not_differentiated_by_time(typed: Callable[[], object]) -> None:
    """SymPy would answer 0, and a damper typed so would do nothing."""
    with pytest.raises(ModelError, match=r"\.d?dot"):
        typed()


def test_derivatives_that_mean_what_they_say_are_left_to_sympy() -> None:
    t = S.model.time
    assert (T**2 * C).diff(T) == 2 * T * C
    assert (X**2 * T).diff(X) == 2 * X * T
    assert X.diff(C) == 0
    assert (X * sp.sin(t)).diff(t) == X * sp.cos(t)  # partial, with X held


def test_the_time_of_users_is_the_symbol_t() -> None:
    """Two symbols that are equal must be so for sets, dictionaries, order of terms and copies in other processes."""
    plain = sp.Symbol("t", real=True)
    assert T == plain
    assert plain == T
    assert not T != plain
    assert hash(T) == hash(plain)
    assert T != sp.Symbol("t")
    assert T != X
    assert (X * T + C).args == (X * plain + C).args
    assert {T} == {plain}
    assert pickle.loads(pickle.dumps(X * T)) == X * plain
    assert sp.latex(T) == "t"


# --- functions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [math.cos, math.sqrt, np.cos, np.sin, np.exp, np.sqrt, np.arctan, float])
@pytest.mark.parametrize("symbol", [X, X.dot])
def test_functions_of_numbers_name_those_of_sympy(function: Callable[[object], object], symbol: sp.Symbol) -> None:
    with pytest.raises(NoNumber, match=r"sympy\.cos"):
        function(symbol)


def test_arrays_of_coordinates_still_work() -> None:
    assert list(np.array([1.0, 2.0]) * X) == [1.0 * X, 2.0 * X]


@pytest.mark.parametrize(
    "typed", [dynamicsymbols("q"), dynamicsymbols("q", 1), sp.Function("q")(T), sp.Derivative(X, FOREIGN_T)]
)
def test_functions_of_time_are_refused_with_the_word_for_them(typed: sp.Expr) -> None:
    with pytest.raises(ModelError, match=r"s\.coordinates"):
        S.potential(typed)


@pytest.mark.parametrize("typed", [X * FOREIGN_T, sp.Symbol("x") * 2, sp.Symbol("c", positive=True)])
def test_a_symbol_with_a_known_name_but_other_assumptions_is_told_apart(typed: sp.Expr) -> None:
    with pytest.raises(UnknownName, match="not the system's own"):
        S.potential(typed)


# --- names ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["q1:4", "q:3", "a b q2:5", "u1:2", "x_1:3, y"])
def test_ranges_are_those_of_sympy(text: str) -> None:
    made = cd.System("ranges").coordinates(text)
    assert [one.name for one in made] == [one.name for one in sp.symbols(text)]


@pytest.mark.parametrize(
    "text", ["a-b", "lambda", "2x", "a:d", "q3:1", "q0:100000000", "q1:", ":3", "x.dot", "a+1", "x'", "None", "f(x)"]
)
def test_names_that_cannot_be_written_are_refused_and_leave_nothing_behind(text: str) -> None:
    s = cd.System("names")
    with pytest.raises(ModelError, match="name"):
        s.coordinates(f"ok {text}")
    s.coordinates("ok")  # what was refused had claimed nothing


def test_names_of_parameters_inputs_loads_and_charts_are_held_to_the_same() -> None:
    s = cd.System("names")
    x = s.coordinates("x")
    P = s.particle("P", mass=1.0, position=x * s.world.x)
    for typed in (
        lambda: s.parameters(**{"ok": 1.0, "a-b": 2.0}),
        lambda: s.input("u 1"),
        lambda: s.force("F-1", on=P, along=s.world.x),
        lambda: s.chart_coordinates("lambda"),
        lambda: s.chart_coordinates(""),
    ):
        with pytest.raises(ModelError, match="name"):
            typed()
    s.parameters(ok=1.0)


def test_names_that_come_with_a_coordinate_or_quaternion_are_taken() -> None:
    """A parameter e_w would be the same symbol as the first part of the quaternion e."""
    s = cd.System("names")
    s.coordinates("x")
    s.body("B", mass=1.0, inertia=1.0, joint=cd.Ball(cd.Quaternion("e")))
    for name in ("x_dot", "x_ddot", "e_w", "omega_e_z"):
        with pytest.raises(DuplicateName, match=r"coordinate 'x'|quaternion 'e'"):
            s.coordinates(name)
    s.parameters(y_dot=1.0)
    with pytest.raises(DuplicateName, match="y_dot"):
        s.coordinates("y")
