"""Angles typed in degrees: exact in expressions, plain numbers elsewhere, and a question where they look forgotten."""

from __future__ import annotations

import copy
import pickle
import warnings
from math import pi

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.formats.expressions import constant
from cardan.model.degrees import LooksLikeDegrees


def pendulum() -> cd.System:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.lagrangian(a.dot**2 / 2 + sp.cos(a - 30 * cd.deg))
    return s


@pytest.mark.parametrize(
    ("angle", "exact"), [(30, sp.pi / 6), (22.5, sp.pi / 8), (-90, -sp.pi / 2), (0.1, sp.pi / 1800)]
)
def test_degrees_are_radians_and_exact_in_expressions(angle: float, exact: sp.Expr) -> None:
    for value in (angle * cd.deg, cd.deg * angle):
        assert value == pytest.approx(np.radians(angle), rel=4e-16)
        assert sp.sympify(value) == exact


def test_degrees_are_numbers_wherever_numbers_are_meant() -> None:
    assert np.array([180 * cd.deg])[0] == pi
    assert sp.sympify(90 * cd.deg / 2) == sp.pi / 4
    assert sp.sympify(90 * cd.deg - 30 * cd.deg) == sp.pi / 3
    assert sp.Symbol("t") * cd.deg == sp.pi * sp.Symbol("t") / 180
    assert np.allclose(np.array([1.0, 2.0]) * cd.deg, np.radians([1.0, 2.0]), rtol=1e-15)
    for copied in (pickle.loads(pickle.dumps(45 * cd.deg)), copy.deepcopy(45 * cd.deg)):
        assert sp.sympify(copied) == sp.pi / 4


def test_equations_hold_the_exact_angle() -> None:
    assert pendulum().equations().check("a_ddot + sin(a - pi/6) = 0")


def test_files_and_options_know_degrees() -> None:
    assert constant("90*deg") == pi / 2
    assert constant("-deg*45") == -pi / 4


@pytest.mark.parametrize("q", [{"a": 90}, {"a": -90.0}, [180], (22.5,)], ids=str)
def test_an_angle_of_many_turns_is_asked_about(q: object) -> None:
    with pytest.warns(LooksLikeDegrees, match=r"a = .* turns.*cd.deg"):
        pendulum().simulate(0.01, q=q)


def test_the_warning_points_at_the_line_of_its_user() -> None:
    with pytest.warns(LooksLikeDegrees) as heard:
        pendulum().simulate(0.01, q={"a": 90})
    assert heard[0].filename == __file__


@pytest.mark.parametrize("q", [{"a": 90 * cd.deg}, {"a": 12.5}, np.array([90.0]), [31.41592653589793]], ids=str)
def test_turns_that_were_counted_or_computed_are_not(q: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pendulum().simulate(0.01, q=q)


def test_a_length_is_no_angle() -> None:
    s = cd.System("block")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s.simulate(0.01, q={"x": 90})
