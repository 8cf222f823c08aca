"""A constrained system as numbers at a state: what rank decisions, starts and reactions are computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Function = Callable[[float, Vector], Vector]  # (t, y) -> outputs


@dataclass(frozen=True)
class Terms:
    """qd, M, h, A, b at a state: M vd + h = A^T lam, A vd = b."""

    qd: Vector
    M: Vector
    h: Vector
    A: Vector
    b: Vector

    @cached_property
    def half(self) -> Vector:
        """W with M = W^-T W^-1, so that A W measures rows in the metric of M; where M is singular, stiffened by A."""
        M = self.M
        try:
            lower: Vector = np.linalg.inv(np.linalg.cholesky(M)).T
            return lower
        except np.linalg.LinAlgError:
            weight = max(float(np.max(np.diag(M), initial=0.0)), 1e-300)
            size = max(float(np.max(np.sum(self.A**2, axis=1), initial=0.0)), 1e-300)
            stiff = M + weight / size * self.A.T @ self.A
            w, U = np.linalg.eigh(stiff)
            spread: Vector = U / np.sqrt(np.maximum(w, 1e-14 * float(np.max(w))))
            return spread


class ConstrainedNumbers:
    """Numbers of a constrained system from its kernels."""

    def __init__(
        self,
        nq: int,
        n: int,
        m: int,
        terms: Function,
        residual: Function,
        rates: Function,
        quaternions: tuple[int, ...] = (),
    ) -> None:
        self.nq, self.n, self.m = nq, n, m
        self._terms, self._residual, self._rates = terms, residual, rates
        self.quaternions = quaternions

    def terms(self, t: float, y: Vector) -> Terms:
        nq, n, m = self.nq, self.n, self.m
        out = self._terms(t, y)
        parts = np.split(out, np.cumsum([nq, n * n, n, m * n]))
        return Terms(parts[0], parts[1].reshape(n, n), parts[2], parts[3].reshape(m, n), parts[4])

    def residual(self, t: float, y: Vector) -> tuple[Vector, Vector]:
        """(phi, A v + b0); phi is zero for velocity constraints."""
        out = self._residual(t, y)
        return out[: self.m], out[self.m :]

    def moved(self, t: float, y: Vector, step: Vector) -> Vector:
        """y with q moved by the velocity-like step, q + N(q) step, unit quaternions kept unit."""
        changed = y.copy()
        changed[: self.nq] += self._rates(t, np.concatenate([y[: self.nq], step]))
        for k in self.quaternions:
            changed[k : k + 4] /= np.linalg.norm(changed[k : k + 4])
        return changed
