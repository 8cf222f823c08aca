"""Vectors and small matrices agree with NumPy for numbers and stay short for expressions."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from cardan.errors import WrongShape
from cardan.geometry import matrix as mx
from support.close import EPS, assert_close

ROUND_OFF = 16 * EPS


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_products_of_numbers_agree_with_numpy(rng: np.random.Generator) -> None:
    A, B = rng.uniform(-1, 1, (2, 3, 3))
    u, v = rng.uniform(-1, 1, (2, 3))
    because = "sums of three products of numbers below 1"
    assert_close(mx.dot(u, v), u @ v, within=ROUND_OFF, because=because)
    assert_close(mx.cross(u, v), np.cross(u, v), within=ROUND_OFF, because=because)
    assert_close(mx.matmul(A, B), A @ B, within=ROUND_OFF, because=because)
    assert_close(mx.matvec(A, u), A @ u, within=ROUND_OFF, because=because)
    assert_close(mx.outer(u, v), np.outer(u, v), within=0, because="one product each")
    assert_close(mx.transpose(A), A.T, within=0, because="entries are moved")
    assert_close(mx.matrix_add(A, B, A), 2 * A + B, within=ROUND_OFF, because=because)
    assert_close(mx.matrix_subtract(A, B), A - B, within=0, because="one subtraction each")
    assert_close(mx.matrix_scale(2.5, A), 2.5 * A, within=0, because="one product each")
    assert_close(mx.norm(u), np.linalg.norm(u), within=ROUND_OFF, because=because)
    assert_close(mx.squared_norm(u), u @ u, within=ROUND_OFF, because=because)
    assert_close(mx.trace(A), np.trace(A), within=ROUND_OFF, because=because)
    assert_close(mx.determinant(A), np.linalg.det(A), within=ROUND_OFF, because="six products of numbers below 1")
    assert_close(mx.add(u, v, u), 2 * u + v, within=ROUND_OFF, because=because)
    assert_close(mx.subtract(u, v), u - v, within=0, because="one subtraction each")
    assert_close(mx.negate(u), -u, within=0, because="exact")
    assert_close(mx.column(A, 1), A[:, 1], within=0, because="entries are read")
    assert_close(mx.diagonal(u), np.diag(u), within=0, because="entries are placed")


def test_rectangular_products_fit() -> None:
    assert mx.matmul(((1, 2, 3),), ((1,), (10,), (100,))) == ((321,),)
    with pytest.raises(ValueError, match="zip"):
        mx.matmul(((1, 2),), ((1,), (2,), (3,)))


def test_skew_is_the_cross_product_and_unskew_undoes_it() -> None:
    u, v = sp.symbols("u1:4"), sp.symbols("v1:4")
    assert mx.matvec(mx.skew(u), v) == mx.cross(u, v)
    assert mx.unskew(mx.skew(u)) == u
    symmetric = ((1.0, 2.0, 3.0), (2.0, 5.0, 7.0), (3.0, 7.0, 9.0))
    assert mx.unskew(mx.matrix_add(mx.skew((1.0, -2.0, 4.0)), symmetric)) == (1.0, -2.0, 4.0)


def test_structural_zeros_and_ones_vanish_from_products() -> None:
    c, s = sp.symbols("c s")
    R = ((c, -s, 0.0), (s, c, 0), (0, 0.0, 1.0))
    product = mx.matmul(R, ((1.0, 0, 0), (0, c, -s), (0, s, c)))
    assert product == ((c, -s * c, s * s), (s, c * c, -c * s), (0, s, c))
    assert not any(sp.sympify(x).has(sp.Float) for row in product for x in row)


def test_numpy_and_sympy_containers_are_taken_apart() -> None:
    assert mx.as_vector(np.array([1.0, 2.0, 3.0])) == (1.0, 2.0, 3.0)
    x = sp.Symbol("x")
    assert mx.as_vector(sp.Matrix([x, 0, 1])) == (x, 0, 1)
    assert mx.as_matrix(sp.eye(3)) == mx.IDENTITY
    assert mx.as_matrix(np.eye(3)) == mx.IDENTITY


@pytest.mark.parametrize("wrong", [(1, 2), 3.0, "xyz", (1, 2, 3, 4)])
def test_a_vector_of_the_wrong_size_is_refused_by_name(wrong: object) -> None:
    with pytest.raises(WrongShape, match="centre of mass must have 3 components") as caught:
        mx.as_vector(wrong, "centre of mass")
    assert caught.value.expected == 3


def test_a_matrix_of_the_wrong_size_is_refused_by_name() -> None:
    with pytest.raises(WrongShape, match="inertia must be a 3 by 3 matrix"):
        mx.as_matrix(np.eye(2), "inertia")
    with pytest.raises(WrongShape, match="row 2 of inertia must have 3 components; found 2"):
        mx.as_matrix([[1, 0, 0], [0, 1], [0, 0, 1]], "inertia")
