"""Singular sets by numbers alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.sets.tracing import cloud, dimension_at, distinct, ranked, roots, traced
from support.close import assert_close

Vector = NDArray[np.float64]
BOX = np.array([np.pi, 2.0, 0.0])  # an angle, a length, and a time on which nothing depends


def polar(x: Vector) -> Vector:
    """d(r cos a, r sin a)/d(a, r)."""
    a, r = x[0], x[1]
    return np.array([[-r * np.sin(a), np.cos(a)], [r * np.cos(a), np.sin(a)]])


def test_rank_of_polar_coordinates_drops_on_a_line() -> None:
    which = ranked(polar, list(cloud(BOX, 24)))
    assert which.rank == 2
    points = traced(which, None, BOX)
    assert len(points) > 20
    for x in points:
        assert_close(x[1], 0.0, within=2e-8, because="a singular value below 1e-8 of the largest counts as zero")
        assert dimension_at(which, None, x, BOX) == 1


def test_the_same_by_the_root_of_a_mass_matrix_which_has_a_kink_there() -> None:
    def root(x: Vector) -> Vector:
        w, U = np.linalg.eigh(polar(x).T @ polar(x))
        return np.sqrt(np.maximum(w, 0.0))[:, None] * U.T

    which = ranked(root, list(cloud(BOX, 24)), 1e-7)
    assert traced(which, None, BOX)


def test_a_matrix_that_keeps_its_rank_has_no_set() -> None:
    which = ranked(lambda x: np.eye(2) * (2 + np.sin(x[0])), list(cloud(BOX, 24)))
    assert traced(which, None, BOX) == []


def test_ranks_do_not_depend_on_units_of_columns_and_rows() -> None:
    scales = np.array([1e-9, 1e12])
    which = ranked(lambda x: 1e-7 * polar(x) * scales, list(cloud(BOX, 24)))
    assert which.rank == 2
    assert which.is_singular(np.array([0.3, 0.0, 0.0]))
    assert not which.is_singular(np.array([0.3, 0.1, 0.0]))


def test_constraints_cut_the_set_to_points() -> None:
    """On r = sin(a) - 1/2 the polar radius vanishes at a = pi/6 and 5 pi/6."""
    which = ranked(polar, list(cloud(BOX, 24)))
    points = traced(which, lambda x: np.array([x[1] - np.sin(x[0]) + 0.5]), BOX)
    kept = sorted(x[0] for x in distinct(points, BOX, [0]))
    assert_close(kept, [np.pi / 6, 5 * np.pi / 6], within=1e-7, because="both conditions hold to 1e-8")


def test_roots_are_found_only_where_they_are() -> None:
    assert roots(lambda x: np.array([2 + np.sin(x[0])]), BOX) == []
    found = roots(lambda x: np.array([np.sin(x[0]) * x[1]]), BOX)
    assert_close(
        [np.sin(x[0]) * x[1] for x in found], np.zeros(len(found)), within=1e-11, because="the tolerance of the search"
    )


def test_angles_a_turn_apart_are_one_point() -> None:
    points = [np.array([0.1, 1.0, 0.0]), np.array([0.1 + 2 * np.pi, 1.0, 0.5])]
    assert len(distinct(points, BOX, [0])) == 1
    assert len(distinct(points, BOX, [])) == 2
