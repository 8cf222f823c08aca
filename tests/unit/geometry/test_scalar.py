"""Functions of a scalar go to the right library, and exact zeros and ones leave no trace."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
import sympy as sp

from cardan.errors import ModelError
from cardan.geometry import scalar

ONE_ARGUMENT = ["sin", "cos", "tan", "sqrt", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log"]


@pytest.mark.parametrize("name", ONE_ARGUMENT)
def test_a_number_gives_what_math_gives(name: str) -> None:
    assert getattr(scalar, name)(0.37) == getattr(math, name)(0.37)
    assert getattr(scalar, name)(np.float32(0.5)) == getattr(math, name)(0.5)


@pytest.mark.parametrize("name", ONE_ARGUMENT)
def test_a_sympy_expression_stays_exact(name: str) -> None:
    x = sp.Symbol("x")
    assert getattr(scalar, name)(x + 1) == getattr(sp, name)(x + 1)


def test_two_arguments_and_renamed_functions_reach_sympy() -> None:
    x, y = sp.symbols("x y", real=True)
    assert scalar.atan2(y, x) == sp.atan2(y, x)
    assert scalar.atan2(1, x) == sp.atan2(1, x)
    assert scalar.absolute(x) == sp.Abs(x)
    assert scalar.minimum(x, 2) == sp.Min(x, 2)
    assert scalar.maximum(2, x) == sp.Max(x, 2)
    assert scalar.atan2(-1.0, -2.0) == math.atan2(-1.0, -2.0)
    assert (scalar.absolute(-2.0), scalar.minimum(1.0, 2.0), scalar.maximum(1.0, 2.0)) == (2.0, 1.0, 2.0)


class Recorder:
    """Stands in for a graph node: a thing with methods named as the functions are."""

    def sin(self) -> str:
        return "sin called"


def test_anything_else_is_asked_for_its_own_method() -> None:
    assert scalar.sin(Recorder()) == "sin called"
    with pytest.raises(ModelError, match=r"cos\(\) needs a number.*Recorder"):
        scalar.cos(Recorder())


def test_exact_zeros_and_ones_leave_no_trace() -> None:
    x = sp.Symbol("x")
    assert scalar.times(0.0, x) == 0
    assert isinstance(scalar.times(0.0, x), int)
    assert scalar.times(1.0, x) is x
    assert scalar.times(x, -1.0) == -x
    assert scalar.plus(0.0, x) is x
    assert scalar.plus(x, 0) is x
    assert scalar.minus(x, 0.0) is x
    assert scalar.minus(0, x) == -x
    assert math.copysign(1.0, scalar.negative(0.0)) == 1.0
    assert (scalar.sin(0.0), scalar.cos(0)) == (0, 1)
    assert scalar.half(x) == x / 2
    assert scalar.half(3.0) == 1.5
    assert scalar.square(x) == x**2


def test_as_number_knows_which_scalars_have_a_value() -> None:
    x = sp.Symbol("x")
    assert scalar.as_number(3) == 3.0
    assert scalar.as_number(np.int64(4)) == 4.0
    assert scalar.as_number(sp.pi) == math.pi
    assert scalar.as_number(sp.Rational(1, 4)) == 0.25
    assert scalar.as_number(x) is None
    assert scalar.as_number(sp.I) is None
    assert scalar.as_number(object()) is None


def test_geometry_does_not_import_sympy_or_numpy() -> None:
    program = (
        "import sys\n"
        "from cardan.geometry import scalar, matrix, axis, rotation, euler, quaternion, rigid, solids, inertia\n"
        "euler.matrix('3-1-3', (0.1, 0.2, 0.3))\n"
        "loaded = {'sympy', 'numpy', 'scipy'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
