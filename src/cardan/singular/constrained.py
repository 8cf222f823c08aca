"""A constrained system as numbers at a state: what rank decisions, starts and reactions are computed from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.closing import LENGTHS, NUMBERS, SMALL, TYPED
from cardan.native.once import once

Vector = NDArray[np.float64]
ROUNDING = 1e-13  # of a constraint matrix: entries that differences of numbers of order one leave
RANK_CUT = 1e-10  # singular values below this times the largest count as zero
Function = Callable[[float, Vector], Vector]  # (t, y) -> outputs


@dataclass(frozen=True)
class Terms:
    """qd, M, h, A, b at a state: M vd + h = A^T lam, A vd = b."""

    qd: Vector
    M: Vector
    h: Vector
    A: Vector
    b: Vector

    @once
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

    def accelerations(self) -> tuple[Vector, Vector]:
        """(vd, lam) of M vd + h = A^T lam, A vd = b; where multipliers are not unique, the shortest ones."""
        if np.any(np.diag(self.M) == 0.0):  # a massless freedom: its share of h is carried by the constraints alone
            return self._by_saddle_point()
        W, A, h, b = self.half, self.A, self.h, self.b
        rows, free = A @ W, -W.T @ h
        push = np.linalg.lstsq(rows, b - rows @ free, rcond=RANK_CUT)[0]
        lam = np.linalg.lstsq(rows.T, push, rcond=RANK_CUT)[0]
        return W @ (free + push), lam

    def _by_saddle_point(self) -> tuple[Vector, Vector]:
        """The same from the whole system [[M, -A^T], [A, 0]], for singular M."""
        n, m = len(self.M), len(self.A)
        K = np.block([[self.M, -self.A.T], [self.A, np.zeros((m, m))]])
        found = np.linalg.lstsq(K, np.concatenate([-self.h, self.b]), rcond=RANK_CUT)[0]
        return found[:n], found[n:]


def accelerations_along(stack: Terms) -> tuple[Vector, Vector]:
    """(vd, lam) of many states, a row each, as ``Terms.accelerations`` gives them one by one; terms are stacks."""
    M, h, A, b = stack.M, stack.h, stack.A, stack.b
    try:
        if np.any(np.diagonal(M, axis1=1, axis2=2) == 0.0) or not np.isfinite(M).all():
            raise np.linalg.LinAlgError
        W = np.swapaxes(np.linalg.inv(np.linalg.cholesky(M)), 1, 2)
        free = -np.einsum("tji,tj->ti", W, h)
        U, s, V = np.linalg.svd(A @ W, full_matrices=False)
    except np.linalg.LinAlgError:
        found = [Terms(*one).accelerations() for one in zip(stack.qd, M, h, A, b, strict=True)]
        return np.array([vd for vd, _ in found]), np.array([lam for _, lam in found])
    used = s > RANK_CUT * np.max(s, axis=1, initial=0.0)[:, None]
    inverse = np.where(used, 1.0 / np.where(used, s, 1.0), 0.0)
    short = b - np.einsum("tij,tj->ti", A @ W, free)
    share = inverse * np.einsum("tji,tj->ti", U, short)
    lam = np.einsum("tij,tj->ti", U, inverse * share)
    return np.einsum("tij,tj->ti", W, free + np.einsum("tji,tj->ti", V, share)), lam


class Cloud(NamedTuple):
    """Configurations with phi = 0 that were sought around one, and their constraint matrices.

    ``found`` is 0 where none was reached, 2 where ``rows`` (A in the metric of M) could not be had, else 1.
    """

    found: Vector
    places: Vector
    A: Vector
    rows: Vector


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
        holonomic: Sequence[int] | None = None,
        units: Sequence[int] | None = None,
        cloud: Callable[[float, Vector, Vector, Vector], Cloud] | None = None,
        turned: Callable[[float, Vector], NDArray[np.bool_]] | None = None,
    ) -> None:
        self.nq, self.n, self.m = nq, n, m
        self._terms, self._residual, self._rates = terms, residual, rates
        self.quaternions = quaternions
        self.holonomic = list(range(m) if holonomic is None else holonomic)  # rows that have a phi
        self.units = np.array([TYPED] * m if units is None else units)  # what each row measures
        self.turned = turned  # (t, states): which of them satisfy the rows with a hinge upside down
        self.cloud = cloud  # (t, y, steps, sizes): a quick way to many configurations with phi = 0 around y

    def terms(self, t: float, y: Vector) -> Terms:
        return self.terms_of(self._terms(t, y))

    def terms_of(self, out: Vector) -> Terms:
        """The terms in the outputs of their kernel, which are kept."""
        nq, n, m = self.nq, self.n, self.m
        h = nq + n * n
        A, b = h + n, h + n + m * n
        rows = out[A:b].reshape(m, n)
        rows[self._only_rounding(rows)] = 0.0
        return Terms(out[:nq], out[nq:h].reshape(n, n), out[h:A], rows, out[b:])

    def stack_of(self, table: Vector) -> Terms:
        """The terms of many states, outputs of their kernel in rows, each with one axis more."""
        nq, n, m, count = self.nq, self.n, self.m, len(table)
        h = nq + n * n
        A, b = h + n, h + n + m * n
        rows = table[:, A:b].reshape(count, m, n).copy()
        rows[self._only_rounding(rows)] = 0.0
        return Terms(table[:, :nq], table[:, nq:h].reshape(count, n, n), table[:, h:A], rows, table[:, b:])

    def _only_rounding(self, A: Vector) -> NDArray[np.bool_]:
        """Rows of lengths that are next to nothing beside the others, and rows of angles next to nothing by number."""
        largest = np.max(np.abs(A), axis=-1, initial=0.0)
        lengths = self.units == LENGTHS
        longest = np.max(largest[..., lengths], axis=-1, initial=0.0)[..., None]
        return np.asarray(
            largest < np.where(lengths, ROUNDING * longest, np.where(self.units == NUMBERS, ROUNDING, 0.0))
        )

    def residual(self, t: float, y: Vector) -> tuple[Vector, Vector]:
        """(phi, A v + b0); phi is zero for velocity constraints."""
        out = self._residual(t, y)
        return out[: self.m], out[self.m :]

    def shifted(self, shift: Vector) -> ConstrainedNumbers:
        """The same system with the constraints phi - shift = 0."""
        both = np.concatenate([shift, np.zeros(self.m)])
        return ConstrainedNumbers(
            self.nq,
            self.n,
            self.m,
            self._terms,
            lambda t, y: self._residual(t, y) - both,
            self._rates,
            self.quaternions,
            self.holonomic,
            self.units.tolist(),
        )

    def row_sizes(self, A: Vector, sizes: Vector) -> Vector:
        """How much each constraint changes when coordinates change by their typical sizes, sum_j |A_ij| size_j.

        Rows that are much smaller than others of their unit vanish but for rounding: they get a small part of that.
        A may be a stack of matrices; then it is the root mean square over them.
        """
        found = np.abs(A) @ sizes
        if A.ndim > 2:
            found = np.sqrt(np.mean(found**2, axis=0))
        for unit in (TYPED, LENGTHS, NUMBERS):
            own = self.units == unit
            largest = np.max(found[own], initial=1.0 if unit == NUMBERS else 0.0)
            found[own] = np.maximum(found[own], SMALL * largest)
        return np.asarray(found)

    def moved(self, t: float, y: Vector, step: Vector) -> Vector:
        """y with q moved by the velocity-like step, q + N(q) step, unit quaternions kept unit."""
        changed = y.copy()
        changed[: self.nq] += self._rates(t, np.concatenate([y[: self.nq], step]))
        for k in self.quaternions:
            changed[k : k + 4] /= np.linalg.norm(changed[k : k + 4])
        return changed

    def apart(self, y: Vector, others: Vector, sizes: Vector) -> Vector:
        """For each of the others, the largest difference of a coordinate from y, in units of its size.

        Rotations are never far apart.
        """
        places = np.setdiff1d(np.arange(self.nq), [k + j for k in self.quaternions for j in range(4)])
        less = np.searchsorted(self.quaternions, places)  # a quaternion has one velocity less than numbers
        moved = np.abs(others[:, places] - y[places]) / sizes[places - less]
        return np.asarray(np.max(moved, axis=1, initial=0.0))
