"""Reference sizes and generic ranks of constraint rows, and accelerations as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from cardan.singular.constrained import ConstrainedNumbers, Terms
from cardan.singular.projection import project_position, project_velocity
from cardan.singular.reference import reference
from support.close import assert_close


def system(phi, jacobian, n: int, M=None, *, velocity_rows=()) -> ConstrainedNumbers:
    """Coordinates with mass matrix M and rows phi(q) = 0; ``velocity_rows`` have no phi of their own."""
    m = len(phi(np.zeros(n)))
    M = np.eye(n) if M is None else np.asarray(M, dtype=float)

    def terms(t, y):
        A = np.atleast_2d(jacobian(y[:n]))
        return np.concatenate([y[n:], M.ravel(), np.zeros(n), A.ravel(), np.zeros(m)])

    def residual(t, y):
        return np.concatenate([phi(y[:n]), np.atleast_2d(jacobian(y[:n])) @ y[n:]])

    held = [i for i in range(m) if i not in velocity_rows]
    return ConstrainedNumbers(n, n, m, terms, residual, lambda t, y: y[n:].copy(), (), held)


def circle(q):
    return np.array([(q @ q - 1) / 2])


def sized(s: ConstrainedNumbers, q, box=0.5):
    y = np.concatenate([q, np.zeros(s.n)])
    return reference(s, 0.0, y, box * np.ones(s.n))


def test_the_scale_of_a_row_is_its_length_in_the_metric_of_the_mass_matrix():
    """On the unit circle |A| = 1; with mass 4 a force moves a quarter, and A M^-1/2 is half as long."""
    s = system(circle, lambda q: q[None, :], 2, 4 * np.eye(2))
    found = sized(s, [1.0, 0.0])
    assert found.rank == 1
    assert_close(found.scale, 0.5, within=1e-12, because="the same length at every feasible configuration")


@pytest.mark.parametrize("factor", [1e-3, 1.0, 1e9])
def test_the_units_of_a_row_scale_it_and_leave_the_rank(factor):
    """x^2 + y^2 = 1 in any units, and z = 0."""
    s = system(
        lambda q: np.array([factor * circle(q[:2])[0], q[2]]),
        lambda q: np.array([[factor * q[0], factor * q[1], 0.0], [0.0, 0.0, 1.0]]),
        3,
    )
    found = sized(s, [1.0, 0.0, 0.0])
    assert found.rank == 2
    assert_close(
        found.scale / [factor, 1.0],
        1.0,
        within=1e-8,
        because="feasible to 1e-12 in the units of the row, of which its length is 1e-3 at least",
    )


def test_a_row_said_twice_and_a_row_that_is_nothing_are_redundant_everywhere():
    s = system(lambda q: np.array([circle(q)[0], 7 * circle(q)[0], 0.0]), lambda q: np.array([q, 7 * q, 0 * q]), 2)
    found = sized(s, [0.6, 0.8])
    assert found.rank == 1
    assert_close(found.scale, [1.0, 7.0, 0.0], within=1e-11, because="lengths of the rows")


def test_a_singular_start_does_not_lower_the_generic_rank():
    """x y = 0 at the origin has A = 0; anywhere else on the two lines it has rank one."""
    s = system(lambda q: np.array([q[0] * q[1]]), lambda q: np.array([[q[1], q[0]]]), 2)
    assert sized(s, [0.0, 0.0]).rank == 1


# --- projections -------------------------------------------------------------------------------------


def test_a_position_goes_back_along_the_metric():
    """x + y = 1 with masses 1 and 3: from the origin to (3/4, 1/4)."""
    s = system(lambda q: np.array([q[0] + q[1] - 1]), lambda q: np.ones((1, 2)), 2, np.diag([1.0, 3.0]))
    y = project_position(s, 0.0, np.zeros(4), np.ones(2))
    assert y is not None
    assert_close(y[:2], [0.75, 0.25], within=1e-15, because="one step")
    y = project_position(s, 0.0, np.zeros(4), np.ones(2), np.array([False, True]))
    assert y is not None
    assert_close(y[:2], [0.0, 1.0], within=1e-15, because="only y may move")


def test_a_position_that_cannot_be_reached_is_none():
    s = system(lambda q: np.array([q @ q + 1]), lambda q: 2 * q[None, :], 2)
    assert project_position(s, 0.0, np.array([1.0, 1.0, 0.0, 0.0]), np.ones(2)) is None


def test_velocity_rows_take_no_part_in_positions():
    """Row 1 forbids the velocity along x, row 0 wants x = 1: x is free to go there, its velocity is not."""
    s = system(lambda q: np.array([q[0] - 1, 0.0]), lambda q: np.array([[1.0, 0.0], [1.0, 0.0]]), 2, velocity_rows=(1,))
    y = project_position(s, 0.0, np.array([0.0, 0.0, 1.0, 1.0]), np.ones(2))
    assert y is not None
    assert_close(y, [1.0, 0.0, 1.0, 1.0], within=1e-15, because="one step")
    assert_close(project_velocity(s, 0.0, y, np.ones(2))[2:], [0.0, 1.0], within=1e-15, because="one step")


# --- accelerations as numbers ------------------------------------------------------------------------


def test_multipliers_of_dependent_rows_are_the_shortest():
    """Two supports side by side share the weight."""
    terms = Terms(np.zeros(0), np.eye(1), np.array([10.0]), np.ones((2, 1)), np.zeros(2))
    vd, lam = terms.accelerations()
    assert_close(vd, 0.0, within=1e-14, because="ten less ten, rounded")
    assert_close(lam, [5.0, 5.0], within=1e-14, because="halves")


def test_a_massless_freedom_hands_its_force_on():
    terms = Terms(np.zeros(0), np.diag([2.0, 0.0]), np.array([0.0, -6.0]), np.array([[1.0, -1.0]]), np.zeros(1))
    vd, lam = terms.accelerations()
    assert_close(vd, [3.0, 3.0], within=1e-13, because="a small dense system")
    assert_close(lam, 6.0, within=1e-13, because="a small dense system")
