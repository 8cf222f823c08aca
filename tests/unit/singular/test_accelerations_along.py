"""Accelerations and multipliers of many states at once: M vd + h = A^T lam, A vd = b, with dependent rows too."""

from __future__ import annotations

import numpy as np
import pytest

from cardan.singular.constrained import Terms, accelerations_along
from support.close import assert_close


@pytest.mark.parametrize("dependent", [False, True])
def test_stacked_states_satisfy_the_equations_by_the_shortest_multipliers(dependent: bool):
    rng = np.random.default_rng(1)
    count, n, m = 7, 5, 3
    half = rng.normal(size=(count, n, n))
    M = half @ np.swapaxes(half, 1, 2) + np.eye(n)
    h, A, b = rng.normal(size=(count, n)), rng.normal(size=(count, m, n)), rng.normal(size=(count, m))
    if dependent:
        A[:, 2], b[:, 2] = 2 * A[:, 0], 2 * b[:, 0]
    vd, lam = accelerations_along(Terms(np.zeros((count, n)), M, h, A, b))
    why = "round-off of matrices of order one"
    assert_close(np.einsum("tij,tj->ti", M, vd) + h, np.einsum("tji,tj->ti", A, lam), within=1e-11, because=why)
    assert_close(np.einsum("tij,tj->ti", A, vd), b, within=1e-11, because=why)
    shortest = [np.linalg.pinv(one.T) @ one.T @ x for one, x in zip(A, lam, strict=True)]
    assert_close(lam, np.array(shortest), within=1e-10, because=why)


def test_a_massless_freedom_is_solved_for_all_the_same():
    """x carries mass 2 and is pushed by -6, y none; x - y = 0 is held: both move alike with 6 / 2."""
    M = np.array([[[2.0, 0.0], [0.0, 0.0]]])
    vd, lam = accelerations_along(
        Terms(np.zeros((1, 2)), M, np.array([[-6.0, 0.0]]), np.array([[[1.0, -1.0]]]), np.zeros((1, 1)))
    )
    assert_close(vd[0], np.array([3.0, 3.0]), within=1e-12, because="round-off")
    assert_close(lam[0], np.array([0.0]), within=1e-12, because="y has nothing to push")
