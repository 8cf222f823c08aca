"""Linear equations of random constrained systems, beside differences of their runs.

Systems with loops, with rolling, with a row said twice, on a turntable, and with quaternions. Runs of the nonlinear
equations from neighbouring states tell how many freedoms there are and what their eigenvalues are, without derivatives.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.close import assert_close
from support.flow_differences import apart, flow
from support.random_rests import FAMILIES, Case, draw_case

ASKED = 1e-7
WHY = (
    "runs at rtol 1e-13 in differences of order eight leave at most 1e-9 of a rate, told by a lower order beside it; "
    "a pair of eigenvalues at an angle to each other multiplies that, by less than 50 in these systems"
)
FEW = [("holonomic", 7), ("nonholonomic", 9), ("redundant", 1), ("driven", 6), ("driven", 9), ("quaternions", 0)]


def without_chains(
    matrix: np.ndarray, found: np.ndarray, expected: np.ndarray, zeros: int, directions: int, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """Multipliers with those that belong to chains of zeros replaced by their mean.

    A chain of length k is a Jordan block of the flow at 1, which rounding of 1e-12 splits by 1e-12^(1/k); its mean is
    not split. How many directions stay and how many zeros there are is read off the singular values of F - 1.
    """
    step = matrix - np.eye(len(matrix))
    still = np.linalg.svd(step, compute_uv=False)
    assert int(np.sum(still < 1e-7 * still[0])) == directions, f"{name}: {still}"
    order = np.argsort(np.abs(found - 1))
    group = found[order[:zeros]]
    assert np.all(np.abs(group - 1) < 1e-4)
    assert abs(found[order[zeros]] - 1) > 1e-4, f"{name}: more zeros than are told"
    kept = expected[np.argsort(np.abs(expected - 1), kind="stable")[zeros:]]
    return np.append(found[order[zeros:]], group.mean()), np.append(kept, 1.0)


def check(case: Case) -> None:
    lin = case.system.linearize(case.q, case.v, **case.signals)
    assert lin.about == ("steady" if np.any(case.v) else "equilibrium")
    fastest = float(np.max(np.abs(lin.eigenvalues), initial=0.0))
    span = min(0.5, 1 / max(fastest, 1e-3))
    moved = flow(case.system, lin.place, span, case.signals)
    assert moved.freedoms == len(lin.eigenvalues), f"{case.name}: {moved.singular_values}"
    assert_close(
        moved.drift, 0.0, within=1e-9, because="a rest stays, but for its rounding, which an unstable one grows"
    )
    length, zeros = len(lin.spectrum.steps), lin.spectrum.zeros
    found, expected = moved.multipliers, np.exp(lin.eigenvalues * span)
    if length > 1:
        found, expected = without_chains(moved.matrix, found, expected, zeros, lin.spectrum.steps[0], case.name)
    resolved = 1e-8 if length < 2 else 1e-12 ** (1 / length) / span
    assert moved.uncertainty < resolved, f"{case.name}: differences do not resolve it"
    off = apart(found, expected) / span
    assert_close(off, 0.0, within=ASKED * max(1.0, fastest), because=f"{WHY} ({case.name})")


@pytest.mark.parametrize(("family", "seed"), FEW)
def test_eigenvalues_are_those_of_the_flow(family: str, seed: int):
    case = draw_case(family, seed)
    assert case is not None
    check(case)


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
def test_eigenvalues_of_forty_systems_of_each_family_are_those_of_the_flow(family: str):
    found = 0
    for seed in range(400):
        case = draw_case(family, seed)
        if case is not None:
            check(case)
            found += 1
        if found == 40:
            return
    raise AssertionError(f"{found} systems of 40 drawn")
