"""Branches of motion: tangents by closed forms, ranks, and what second order cannot tell."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.trajectory.rank.branches import cone, readable
from support.close import assert_close
from support.four_bars import chain

ROUNDING = 1e-9


def rates(branches, *columns: int) -> list[list[float]]:
    """Tangents in some of the velocities, the last of them 1, in a fixed order."""
    found = [one.tangent[list(columns)] / one.tangent[columns[-1]] for one in branches]
    return sorted((part.tolist() for part in found), key=lambda part: [round(x, 5) + 0.0 for x in part])


def test_a_folded_parallelogram_has_two_branches():
    """Ground and coupler 2, cranks 1: both cranks alike, or against each other as in an antiparallelogram."""
    found = chain(1, coupler=2.0).branches([0, 0, 0])
    assert_close(rates(found, 0, 1), [[-1 / 3, 1], [1, 1]], within=ROUNDING, because="closed form for two freedoms")
    assert [(one.rank, one.verified) for one in found] == [(2, True)] * 2
    assert (found.freedoms, found.corank, found.decided) == (2, 1, True)


def test_a_folded_rhombus_has_two_branches():
    """The second crank may also turn alone, about the pins that lie on each other."""
    found = chain(1).branches([0, 0, 0])
    assert_close(rates(found, 0, 1), [[0, 1], [1, 1]], within=ROUNDING, because="closed form for two freedoms")


@pytest.mark.parametrize("N", [2, 3, 5])
def test_a_chain_of_four_bars_has_n_plus_one(N: int):
    """y_i (y_(i+1) - y_i) = 0: the first so many cranks rest, the others turn alike."""
    found = chain(N).branches([0] * (2 * N + 1))
    assert (found.freedoms, found.corank, len(found), found.decided) == (N + 1, N, N + 1, True)
    expected = sorted([0.0] * k + [1.0] * (N + 1 - k) for k in range(N + 1))
    because = "Newton's method at solutions that are double"
    assert_close(rates(found, *range(N + 1)), expected, within=1e-6, because=because)
    assert {one.rank for one in found} == {N + 1 + k for k in range(N - 1)} | {2 * N}


def test_the_branches_of_a_snake_cart_are_surfaces():
    """At 90 degrees either the cart does not slide sideways, or the wheels do not turn: Briggs 1.2."""
    s = cd.System("snake cart")
    x, y = s.coordinates("x y")
    theta, phi = s.coordinates("theta phi", on="S1")
    s.kinetic_energy((2.6 * (x.dot**2 + y.dot**2) + 0.3 * theta.dot**2 + 0.02 * phi.dot**2) / 2)
    turn = 0.4 * cos(phi) * theta.dot
    s.constrain_velocity(turn + cos(theta + phi) * y.dot - sin(theta + phi) * x.dot)
    s.constrain_velocity(turn - cos(theta - phi) * y.dot + sin(theta - phi) * x.dot)
    found = s.branches([0, 0, 0, pi / 2])
    planes = {tuple(np.flatnonzero(np.any(one.tangents != 0, axis=1))): one for one in found}
    assert set(planes) == {(2, 3), (1, 2)}, "theta and phi turn, or theta turns and the cart slides along y"
    assert planes[2, 3].rank == 2
    assert planes[1, 2].rank == 1, "there the wheels stay at 90 degrees"
    assert all(one.dimension == 2 and one.verified for one in found)


def test_a_regular_configuration_has_one_branch():
    found = chain(1).branches([pi / 3, pi / 3, 0])
    assert (len(found), found.corank, found.decided) == (1, 0, True)
    assert_close(found[0].tangent, [1, 1, 0], within=ROUNDING, because="both cranks alike, the coupler does not turn")


def test_a_definite_cone_is_locked():
    """Two bars as long as their supports are apart: every velocity across violates the constraint at second order."""
    pieces, decided = cone(np.array([np.eye(3)]))
    assert (pieces, decided) == ([], True)


def test_coincident_tangents_are_not_decided():
    """z1^2 = 0 for a cusp, 0 = 0 where second order says nothing."""
    pieces, decided = cone(np.array([[[1.0, 0.0], [0.0, 0.0]]]))
    assert not decided
    assert_close(np.abs(pieces[0][:, 0]), [0, 1], within=ROUNDING, because="the tangent of the cusp")
    assert not cone(np.zeros((1, 2, 2)))[1]


def test_a_curved_cone_is_not_decided():
    """x^2 + y^2 = z^2 has tangents without end."""
    assert not cone(np.array([np.diag([1.0, 1.0, -1.0])]))[1]


def test_columns_are_made_readable():
    T = readable(np.array([[1.0, 1.0], [1.0, -1.0], [0.0, 0.0]]))
    assert_close(np.sort(T, axis=1), [[0, 1], [0, 1], [0, 0]], within=0, because="sums of small integers")
