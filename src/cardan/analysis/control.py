"""What inputs can reach and outputs can see, and the feedback that costs least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import LinAlgError, solve_continuous_are

from cardan.errors import UnreachableMotion, WrongShape
from cardan.native.showing import Shown

if TYPE_CHECKING:
    from cardan.analysis.linear import Linearization

Vector = NDArray[np.float64]

LOST = 1e-9  # of the largest singular value of [A - lambda I, B]


@dataclass(frozen=True)
class Reach(Shown):
    """Whether every motion is reached (or seen); ``lost`` are directions that are not, one row each, with their
    eigenvalues."""

    is_complete: bool
    lost: Vector
    eigenvalues: NDArray[np.complex128]
    what: str

    def __bool__(self) -> bool:
        return self.is_complete

    def __str__(self) -> str:
        return self.what


def controllability(lin: Linearization) -> Reach:
    """Which combinations of states no input reaches (Popov, Belevitch, Hautus: w^T A = lambda w^T, w^T B = 0)."""
    return _reach(lin, lin.A, lin.B, "no input changes")


def observability(lin: Linearization, C: ArrayLike) -> Reach:
    """Which combinations of states the outputs C x never show."""
    rows = np.atleast_2d(np.asarray(C, dtype=float))
    if rows.shape[1] != len(lin.A):
        raise WrongShape(
            f"C has {rows.shape[1]} columns, expected {len(lin.A)}, as many as states.", found=rows.shape[1]
        )
    return _reach(lin, lin.A.T, rows.T, "no output shows")


def _reach(lin: Linearization, A: Vector, B: Vector, words: str) -> Reach:
    n, lost, values = len(A), [], []
    eigenvalues = np.unique(np.round(np.concatenate([lin.eigenvalues, np.linalg.eigvals(A)]), 9))
    for value in eigenvalues:
        H = np.hstack([A - value * np.eye(n), B])
        U, s, _ = np.linalg.svd(H)
        for k in np.flatnonzero(s <= LOST * s[0]):
            lost.append(U[:, k].conj())
            values.append(value)
    if not lost:
        return Reach(True, np.zeros((0, n)), np.zeros(0, dtype=complex), "every motion is reached.")
    said = [f"{_combination(lin, one)} (eigenvalue {value:.4g})" for one, value in zip(lost, values, strict=True)]
    return Reach(False, np.array(lost), np.array(values), f"{words} {'; '.join(dict.fromkeys(said))}.")


def _combination(lin: Linearization, direction: NDArray[np.complex128]) -> str:
    """A direction in words, by its largest parts."""
    largest = direction[np.argmax(np.abs(direction))]
    real = (direction / largest).real
    parts = [f"{x:+.3g} {name}" for x, name in zip(real, lin.states, strict=True) if abs(x) > 0.05]
    return " ".join(parts).removeprefix("+").replace("1 ", "", 1) if parts else "a combination of states"


def lqr(lin: Linearization, Q: ArrayLike, R: ArrayLike) -> Vector:
    """K of the feedback u = -K x that makes the integral of x^T Q x + u^T R u least."""
    weights, costs = np.atleast_2d(np.asarray(Q, float)), np.atleast_2d(np.asarray(R, float))
    n, m = lin.B.shape
    if weights.shape != (n, n) or costs.shape != (m, m):
        raise WrongShape(
            f"Q is {n} by {n} (states {', '.join(lin.states)}), R {m} by {m} (inputs {', '.join(lin.inputs)})."
        )
    try:
        P = solve_continuous_are(lin.A, lin.B, weights, costs)
    except LinAlgError as problem:
        raise UnreachableMotion(
            f"No feedback stabilises {lin.place.kernel.model.name!r}: {controllability(lin)} ({problem})"
        ) from None
    return np.asarray(np.linalg.solve(costs, lin.B.T @ P))
