"""Linear complementarity problems against enumeration, in any units."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cardan.linalg.complementarity import complementary
from support.close import assert_close


def by_enumeration(M: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The solution for a positive definite M, by trying which entries of z are positive."""
    for choice in product([False, True], repeat=len(q)):
        active = np.flatnonzero(choice)
        z = np.zeros(len(q))
        if len(active):
            z[active] = np.linalg.solve(M[np.ix_(active, active)], -q[active])
        if np.all(z >= 0) and np.all((M @ z + q)[~np.array(choice)] >= 0):
            return z
    raise AssertionError("a positive definite M has a solution")


@pytest.mark.parametrize("unit", [1e-24, 1.0, 1e21])
def test_solutions_are_found_in_any_units_of_mass_and_with_unequal_masses(unit):
    rng = np.random.default_rng(1)
    for _ in range(30):
        B = rng.normal(size=(4, 6)) * 10.0 ** rng.uniform(-3, 3, size=(4, 1))
        M, q = unit * (B @ B.T), rng.normal(size=4)
        expected = by_enumeration(M, q)
        size = float(np.max(expected, initial=0.0)) or 1.0
        found = complementary(M, q)
        assert found is not None
        assert_close(found / size, expected / size, within=1e-9, because="four pivots, conditions up to 1e4")
