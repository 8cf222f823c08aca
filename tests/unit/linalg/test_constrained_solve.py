"""Cholesky factors, orthonormal rows and constrained accelerations in native code, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from cardan.codegen.ordering import narrow_order
from cardan.linalg.cholesky import PIVOT_TOLERANCE, backward, cholesky, forward
from cardan.linalg.constrained import System, accelerations, factors_size
from cardan.linalg.envelope import backward_within, cholesky_within, forward_within, rearrange, restore_row
from cardan.linalg.orthonormal import (
    Rows,
    book_in,
    book_size,
    holonomic_rows_first,
    least_pivots,
    measure,
    orthonormal_rows,
)
from support.close import EPS, assert_close

SIZES = [(1, 1), (3, 1), (4, 4), (7, 3), (12, 9)]


def positive(rng: np.random.Generator, n: int) -> np.ndarray:
    """A mass matrix of condition below a hundred or so."""
    B = rng.standard_normal((n, n))
    return B @ B.T + n * np.eye(n)


def solve(M, h, A, b, rank: int, scale=None) -> tuple[np.ndarray, np.ndarray, int]:
    n, m = len(M), len(A)
    vd, lam = np.zeros(n), np.zeros(m)
    work = np.zeros(factors_size(n, m) + m)
    scale = np.linalg.norm(A, axis=1) if scale is None else np.asarray(scale, dtype=float)
    status = accelerations(System(n, m, rank, scale, M.copy(), h.copy(), A.copy(), b.copy()), work, vd, lam)
    return vd, lam, status


def orthonormalised(W: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """V, R, when each row was chosen, and how many were found."""
    m, n = W.shape
    V, R, book, rest = np.ones((m, n)), np.zeros((m, m)), np.zeros(book_size(n, m)), W.copy()
    rows = Rows(n, m, rest, V, R, book_in.python(n, m, book))
    measure(rows)
    found = orthonormal_rows(rows, rank)
    return V, R, book[:m], found


def expected(M, h, A, b) -> tuple[np.ndarray, np.ndarray]:
    """(vd, A^T lam) from the dense system, by least squares where rows depend."""
    n, m = len(M), len(A)
    K = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    found = np.linalg.lstsq(K, np.concatenate([-h, b]), rcond=1e-11)[0]
    return found[:n], A.T @ found[n:]


# --- Cholesky ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 5, 13])
def test_factors_and_solutions_are_those_of_numpy(n):
    rng = np.random.default_rng(n)
    M, x = positive(rng, n), rng.standard_normal(n)
    L = np.zeros((n, n))
    assert cholesky(n, M, L) == 0
    expected_L = np.linalg.cholesky(M)
    because = "sums of n products; the condition is below a hundred"
    assert_close(np.tril(L), expected_L, within=100 * n * EPS * np.max(expected_L), because=because)
    solved = x.copy()
    forward(n, L, solved)
    assert_close(solved, np.linalg.solve(expected_L, x), within=1e-13, because=because)
    backward(n, L, solved)
    assert_close(solved, np.linalg.solve(M, x), within=1e-13, because=because)


def test_the_pivot_that_fails_is_named():
    """The third row repeats the second: nothing is left of its pivot but rounding."""
    B = np.array([[2.0, 0.1, 0.3], [0.1, 1.0, 0.7], [0.1, 1.0, 0.7]])
    M = B @ B.T
    assert cholesky(3, M, np.zeros((3, 3))) == 3
    assert cholesky(3, M + np.diag([0, 0, 4 * PIVOT_TOLERANCE * M[2, 2]]), np.zeros((3, 3))) == 0
    assert cholesky(2, np.array([[0.0, 0.0], [0.0, 1.0]]), np.zeros((2, 2))) == 1
    assert cholesky(1, np.array([[np.nan]]), np.zeros((1, 1))) == 1


# --- rows --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_rows_are_orthonormalised_with_their_shares(n, m):
    """R V gives the rows back; of rows that are all equally long from begin to end the largest comes first."""
    rng = np.random.default_rng(10 * n + m)
    W = rng.standard_normal((m, n))
    V, R, order, found = orthonormalised(W, m)
    assert found == m
    assert_close(V @ V.T, np.eye(m), within=1e-14 * m, because="orthogonalised twice")
    assert_close(R @ V, W, within=1e-13, because="condition below a hundred")
    assert order[np.argmax(np.linalg.norm(W, axis=1))] == 0
    assert sorted(order) == list(range(m))


def test_dependent_rows_are_left_out():
    rng = np.random.default_rng(5)
    W = rng.standard_normal((2, 6))
    W = np.vstack([W, W[0] - 2 * W[1], 3 * W[1]])
    V, R, order, found = orthonormalised(W, 2)
    assert found == 2
    assert np.sum(order >= 0) == 2
    assert_close(R[:, :2] @ V[:2], W, within=1e-14 * 10, because="the two chosen ones span all four")


def test_rows_that_are_all_zero_give_nothing():
    V, _, order, found = orthonormalised(np.zeros((2, 3)), 2)
    assert found == 0
    assert list(order) == [-1.0, -1.0]
    assert not V.any()


# --- rows that are nearly empty ------------------------------------------------------------------------


def chain(rng: np.random.Generator, loops: int) -> tuple[np.ndarray, np.ndarray]:
    """M and A like those of a chain of loops, its velocities in an order in which entries are far apart."""
    n = 2 * loops + 1
    M, A = np.zeros((n, n)), np.zeros((2 * loops, n))
    for i in range(loops):
        pair = np.ix_([i, loops + 1 + i], [i, loops + 1 + i])
        M[pair] += positive(rng, 2)
        A[np.ix_([2 * i, 2 * i + 1], [i, i + 1, loops + 1 + i])] = rng.standard_normal((2, 3))
    M[loops, loops] += 2.0
    return M, A


def test_velocities_of_a_chain_are_brought_close_together():
    M, A = chain(np.random.default_rng(1), 9)
    places = narrow_order(M.tolist(), A.tolist(), 19)
    assert sorted(places) == list(range(19))
    widths = [np.ptp(np.flatnonzero(row)) + 1 for row in A[:, places]]
    assert max(widths) <= 4, "three velocities in a row, and at most one between them"
    assert max(np.ptp(np.flatnonzero(row)) + 1 for row in A) > 9, "which they were not before"


def test_an_order_takes_every_velocity_also_of_parts_that_do_not_touch():
    M = np.diag([1.0, 2.0, 3.0, 4.0])
    assert sorted(narrow_order(M.tolist(), [[1.0, 0.0, 0.0, 1.0]], 4)) == [0, 1, 2, 3]
    assert sorted(narrow_order(M.tolist(), (), 4)) == [0, 1, 2, 3]


def test_factors_within_the_envelope_are_those_of_numpy():
    M, A = chain(np.random.default_rng(2), 7)
    n, x = len(M), np.random.default_rng(3).standard_normal(len(M))
    L, first = np.ones((n, n)), np.zeros(n)
    assert cholesky_within(n, M, first, L) == 0
    wanted = np.linalg.cholesky(M)
    because = "sums of a few products; the condition is below a hundred"
    assert_close(np.tril(L), wanted, within=1e-14 * np.max(wanted), because=because)
    row = A[4].copy()
    used = np.flatnonzero(row)
    end = forward_within(n, L, first, int(used[0]), int(used[-1]) + 1, row)
    assert_close(row, np.linalg.solve(wanted, A[4]), within=1e-14, because=because)
    assert not row[end:].any()
    backward_within(n, L, first, x)
    assert_close(wanted.T @ x, np.random.default_rng(3).standard_normal(n), within=1e-13, because=because)


@pytest.mark.parametrize("loops", [1, 5, 12])
def test_chains_move_the_same_in_any_order_of_their_velocities(loops):
    rng = np.random.default_rng(loops)
    M, A = chain(rng, loops)
    n, m = len(M), len(A)
    h, b = rng.standard_normal(n), rng.standard_normal(m)
    wanted, push = expected(M, h, A, b)
    places = np.array(narrow_order(M.tolist(), A.tolist(), n))
    ordered_M, ordered_h, ordered_A = M.copy(), h.copy(), A.copy()
    rearrange(n, m, places, ordered_M, ordered_h, ordered_A, np.zeros(n * n))
    assert_close(ordered_M, M[np.ix_(places, places)], within=0.0, because="moved, not computed")
    assert_close(ordered_A, A[:, places], within=0.0, because="moved, not computed")
    vd, lam, status = solve(ordered_M, ordered_h, ordered_A, b, m)
    found = np.zeros(n)
    restore_row(n, places, vd, found)
    assert status == 0
    within = 1e-11 * max(1.0, float(np.max(np.abs(wanted))), float(np.max(np.abs(push))))
    assert_close(found, wanted, within=within, because="condition of a few thousand")
    assert_close(A.T @ lam, push, within=10 * within, because="condition of a few thousand")


def test_the_least_pivot_of_a_chain_is_as_small_as_its_distance_from_losing_rank():
    """One row of a chain nearly repeats the sum of two others: sigma_min and the least pivot fall together."""
    _, A = chain(np.random.default_rng(4), 6)
    A[3] = A[1] + A[5]
    away = np.random.default_rng(5).standard_normal(A.shape[1]) * (A[3] != 0)
    for distance in (1e-3, 1e-6, 1e-9):
        near = A.copy()
        near[3] += distance * away
        m, n = near.shape
        pivot, book = np.zeros(1), np.zeros(book_size(n, m))
        least_pivots(1, n, m, m, near.copy(), np.zeros((m, n)), np.zeros((m, m)), book, pivot)
        smallest = np.linalg.svd(near, compute_uv=False)[-1]
        assert smallest <= 1.001 * pivot[0] <= 10 * m * smallest, "rows a tenth as long may come before the longest"


# --- accelerations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_accelerations_and_multipliers_are_those_of_the_dense_system(n, m):
    rng = np.random.default_rng(n + 100 * m)
    M, h, A, b = positive(rng, n), rng.standard_normal(n), rng.standard_normal((m, n)), rng.standard_normal(m)
    vd, lam, status = solve(M, h, A, b, m)
    wanted, push = expected(M, h, A, b)
    assert status == 0
    within = 1e-12 * max(1.0, float(np.max(np.abs(wanted))), float(np.max(np.abs(push))))
    because = "twelve digits: condition of a few hundred"
    assert_close(vd, wanted, within=within, because=because)
    assert_close(A.T @ lam, push, within=within * 10, because=because)


def test_the_rod_pulls_a_hanging_mass_up_by_its_weight():
    """Fixes the sign of lam: phi = |r| - l at r = (0, -l), so A = [0, -1] and lam is what pushes outwards."""
    M, weight = 3.0 * np.eye(2), np.array([0.0, -30.0])
    vd, lam, _ = solve(M, -weight, np.array([[0.0, -1.0]]), np.zeros(1), 1)
    assert_close(vd, 0.0, within=0.0, because="exact numbers")
    assert_close(lam, -30.0, within=8 * EPS * 30, because="one division")


@pytest.mark.parametrize("factor", [1e-8, 1.0, 1e8])
def test_dependent_rows_and_their_units_change_no_motion(factor):
    """A row said twice, once in other units, a combination of two rows, and a zero row: rank 3 of 6."""
    rng = np.random.default_rng(7)
    M, h, B = positive(rng, 8), rng.standard_normal(8), rng.standard_normal((3, 8))
    target = rng.standard_normal(3)
    A = np.vstack([B, factor * B[0], B[1] - B[2], np.zeros(8)])
    b = np.concatenate([target, [factor * target[0], target[1] - target[2], 0.0]])
    scale = np.linalg.norm(A, axis=1)
    vd, lam, status = solve(M, h, A, b, 3, scale)
    wanted, push = expected(M, h, B, target)
    assert status == 0
    because = "rounding, condition of a hundred"
    assert_close(vd, wanted, within=1e-12, because=because)
    assert_close(A.T @ lam, push, within=1e-11, because=because)
    assert np.sum(lam != 0) == 3, "as many multipliers as the rank; the others are zero"


def test_a_massless_freedom_that_is_held_moves_with_its_constraint():
    """x1 has mass 2, x2 none; x1 = x2 and a force 6 acts on x2: both accelerate with 3."""
    M, h = np.diag([2.0, 0.0]), np.array([0.0, -6.0])
    A = np.array([[1.0, -1.0]])
    vd, lam, status = solve(M, h, A, np.zeros(1), 1)
    assert status == 0
    assert_close(vd, [3.0, 3.0], within=1e-14, because="two divisions")
    assert_close(A.T @ lam + [0.0, 6.0], [6.0, 0.0], within=1e-12, because="the force is handed on, rounded")


def test_a_massless_freedom_that_nothing_holds_fails_with_its_index():
    _, _, status = solve(np.diag([2.0, 0.0]), np.zeros(2), np.array([[1.0, 0.0]]), np.zeros(1), 1)
    assert status == 2


def test_rows_with_a_phi_are_chosen_before_any_other():
    """Two of the four rows with a phi are independent; rows of velocities are a thousand times longer."""
    rng = np.random.default_rng(11)
    B = rng.standard_normal((4, 7))
    holonomic = np.vstack([B[0], B[1], B[0] + B[1], B[0] - 2 * B[1]])
    velocities = 1e3 * np.vstack([B[1], B[2], B[0] + B[3]])
    W = np.vstack([velocities[0], holonomic[:2], velocities[1:], holonomic[2:]])
    has_phi = np.array([0, 1, 1, 0, 0, 1, 1])
    for run in (holonomic_rows_first, holonomic_rows_first.python):
        V, R, book, rest = np.zeros((7, 7)), np.zeros((7, 7)), np.zeros(book_size(7, 7)), W.copy()
        rows = Rows(7, 7, rest, V, R, book_in.python(7, 7, book))
        measure(rows)
        assert run(rows, 4, 2, has_phi) == 2
        chosen = np.argsort(book[:7])[-4:]
        assert list(has_phi[chosen]) == [1, 1, 0, 0]
        assert_close(V[:4] @ V[:4].T, np.eye(4), within=1e-14 * 4, because="orthogonalised twice")
        assert_close(R[:, :4] @ V[:4], W, within=1e-10, because="entries of a thousand, condition below a hundred")
