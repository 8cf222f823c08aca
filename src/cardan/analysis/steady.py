"""States that symmetry alone carries on: rests, and motions in which nothing changes but along a symmetry.

With fields X_k(q) = B_k q + c_k along which nothing changes, a steady motion has v = X(q) and vd = B v, where
X = sum eta_k X_k; a rest has none. So both are roots of

    M vd + h - A^T lam = 0,    phi = 0,    A v + b0 = 0        for q, eta and lam,

found by Newton's method with exact derivatives and shortest steps, whether roots are isolated or fill curves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.sampling import whole_turns
from cardan.analysis.symmetries import Field
from cardan.analysis.varied import Varied, varied
from cardan.codegen.compiled import Kernel
from cardan.native.once import once

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]

NEWTON = 40  # steps before a start is given up
LONGEST = 0.5  # of typical sizes: a step
FASTER = 8.0  # rates may change by that much more, in units of a typical one: spins are faster than swings
HELD_BACK = 0.1  # lengths against conditions in units of their sizes, where a step would be too long
DONE = 1e-13  # of typical sizes: a step that is rounding
RIGHT = 1e-10  # of the forces that act: what may be left of their balance
LITTLE = 1e-6  # of the largest condition of its kind
RANK = 1e-10  # of the largest singular value
FLAT = 1e-8  # the same, of conditions in units of their sizes: along such a direction there may be more roots


@dataclass(frozen=True)
class Root:
    """A state that satisfies the conditions: what moves along which symmetry, and the directions of more of them."""

    y: Vector
    eta: Vector
    lam: Vector
    tangents: Vector  # directions (displacements, eta) of further roots, one row each
    carried: Vector  # B of the symmetry that carries it


@dataclass(frozen=True)
class Conditions:
    """The conditions of rests and steady motions of one model, with the sizes by which steps are measured."""

    kernel: Kernel
    t: float
    p: Vector
    sizes: Vector
    fields: tuple[Field, ...] = ()
    speed: float = 1.0  # a typical rate
    held: Flags | None = None  # displacements that stay as they are
    rates: tuple[tuple[int, float], ...] = ()  # velocities that have given values

    def state(self, q: Vector, eta: Vector) -> tuple[Vector, Vector]:
        """(y, vd) of a configuration carried along."""
        B, v = self._together(eta), np.zeros(self.kernel.nv)
        for one, amount in zip(self.fields, eta, strict=True):
            v = v + amount * one(q)
        return np.concatenate([q, v]), B @ v

    @once
    def around(self) -> Flags:
        """Coordinates that are back after a whole turn."""
        return whole_turns(self.kernel)

    def _together(self, eta: Vector) -> Vector:
        B = np.zeros((self.kernel.nv, self.kernel.nv))
        for one, amount in zip(self.fields, eta, strict=True):
            B = B + amount * one.B
        return B

    def solve(self, q: Vector, eta: Vector) -> Root | None:
        """The root that Newton's method reaches from a guess."""
        y, vd = self.state(q, eta)
        if not np.isfinite(self._terms(y)).all():
            return None
        lam = self._multipliers(y, vd)
        small = 0
        for _ in range(NEWTON):
            y, vd = self.state(y[: self.kernel.nq], eta)
            d = varied(self.kernel, self.t, y, self.p, (vd, lam))
            F, J = self._residual(d, y, vd, lam), self._jacobian(d, y, eta)
            if not (np.isfinite(F).all() and np.isfinite(J).all()):
                return None
            step = self._shortest(J, -F, len(lam))
            if self._longest(step) > LONGEST:  # what hardly matters here would be moved far: held back instead
                step = self._shortest(J, -F, len(lam), HELD_BACK)
            dpi, deta, dlam = np.split(step, [self.kernel.nv, self.kernel.nv + len(eta)])
            longest = self._longest(step)
            share = min(1.0, LONGEST / longest) if longest else 1.0
            y = self.kernel.numbers(self.p).moved(self.t, y, share * dpi)
            eta, lam = eta + share * deta, lam + (dlam if share == 1.0 else share * dlam)
            small = small + 1 if longest < DONE else 0
            if small or (longest < 1e3 * DONE and self.is_right(y, eta, lam)):
                return self._root(y, eta, lam) if self.is_right(y, eta, lam) else None
        return None

    # --- along a family ----------------------------------------------------------------------------

    def near(self, root: Root, step: Vector) -> Root | None:
        """The root next to another, moved by a step (displacements, eta)."""
        n = self.kernel.nv
        y = self.kernel.numbers(self.p).moved(self.t, root.y, step[:n])
        found = self.solve(y[: self.kernel.nq], root.eta + step[n:])
        if found is None or self.distance(found, root) > 3 * self.measure(step):
            return None
        return found

    def measure(self, direction: Vector) -> float:
        """The length of a direction in units of typical sizes and rates."""
        return float(np.sqrt(self.inner(direction, direction)))

    def inner(self, a: Vector, b: Vector) -> float:
        scale = np.concatenate([self.sizes, np.full(len(self.fields), self.speed)])
        return float((a / scale) @ (b / scale))

    def distance(self, a: Root, b: Root) -> float:
        """How far two roots are apart; whole turns count."""
        nq = self.kernel.nq
        return self.measure(np.concatenate([a.y[:nq] - b.y[:nq], a.eta - b.eta]))

    def beyond(self, root: Root, bounds: float) -> bool:
        """Whether a root is further out than so many typical sizes and rates."""
        q = np.abs(root.y[: self.kernel.nq]) / self.sizes
        return bool(_most(q) > bounds or _most(root.eta) > bounds * self.speed)

    # --- pieces ------------------------------------------------------------------------------------

    def _terms(self, y: Vector) -> Vector:
        terms = self.kernel.numbers(self.p).terms(self.t, y)
        return np.concatenate([terms.M.ravel(), terms.h, terms.A.ravel()])

    def _multipliers(self, y: Vector, vd: Vector) -> Vector:
        terms = self.kernel.numbers(self.p).terms(self.t, y)
        return np.asarray(np.linalg.lstsq(terms.A.T, terms.M @ vd + terms.h, rcond=RANK)[0])

    def _residual(self, d: Varied, y: Vector, vd: Vector, lam: Vector) -> Vector:
        phi, rate = self.kernel.numbers(self.p).residual(self.t, y)
        holonomic = self.kernel.dynamics.constraints.holonomic
        balance = (d.terms.M @ vd + d.terms.h - d.terms.A.T @ lam) * self.sizes
        given = np.array([y[self.kernel.nq + j] - value for j, value in self.rates])
        return np.concatenate([balance, phi[holonomic], rate if self.fields else rate[:0], given])

    def _jacobian(self, d: Varied, y: Vector, eta: Vector) -> Vector:
        """By displacements, eta and lam: dv = B dpi + sum deta_k X_k, dvd = B dv + sum deta_k B_k v."""
        q, v, M, A = y[: self.kernel.nq], y[self.kernel.nq :], d.terms.M, d.terms.A
        m, e = len(A), len(eta)
        B = self._together(eta)
        X = np.array([one(q) for one in self.fields]).reshape(e, len(v)).T
        turned = np.array([one.B @ v for one in self.fields]).reshape(e, len(v)).T
        r_pi = d.balance.pi + d.balance.v @ B + M @ B @ B
        r_eta = d.balance.v @ X + M @ (B @ X + turned)
        rows = [np.hstack([r_pi, r_eta, -A.T]) * self.sizes[:, None]]
        rows.append(np.hstack([d.phi, np.zeros((len(d.phi), e + m))]))
        if self.fields:
            rows.append(np.hstack([d.rates + A @ B, A @ X, np.zeros((m, m))]))
        given = [j for j, _ in self.rates]
        rows.append(np.hstack([B[given], X[given], np.zeros((len(given), m))]))
        return np.vstack(rows)

    def _longest(self, step: Vector) -> float:
        """The largest part of a step, multipliers aside, in units of sizes and of what rates may change at once."""
        n, e = self.kernel.nv, len(self.fields)
        return max(_most(step[:n] / self.sizes), _most(step[n : n + e]) / (FASTER * self.speed))

    def _shortest(self, J: Vector, F: Vector, m: int, held_back: float = 0.0) -> Vector:
        """The shortest of the best steps, rows and columns measured by their sizes; ``held_back`` weighs lengths
        against what is left (Levenberg), multipliers aside."""
        column = self._columns(m)
        scaled = J * column
        row = self._rows(scaled[:, : len(column) - m] if held_back else scaled)
        rows, target = scaled / row[:, None], F / row
        if held_back:
            length = np.zeros((len(column) - m, len(column)))
            length[:, : len(column) - m] = held_back * np.eye(len(column) - m)
            rows, target = np.vstack([rows, length]), np.concatenate([target, np.zeros(len(length))])
        return np.asarray(column * np.linalg.lstsq(rows, target, rcond=RANK)[0])

    def _rows(self, scaled: Vector) -> Vector:
        """Sizes of the conditions; one that is next to nothing beside others of its kind is rounding, and stays so."""
        row, n = np.max(np.abs(scaled), axis=1, initial=0.0), self.kernel.nv
        h = n + len(self.kernel.dynamics.constraints.holonomic)
        for kind in (slice(0, n), slice(n, h), slice(h, None)):
            row[kind] = np.maximum(row[kind], LITTLE * np.max(row[kind], initial=0.0))
        row[row == 0] = 1.0
        return np.asarray(row)

    def _columns(self, m: int) -> Vector:
        displacements = self.sizes if self.held is None else np.where(self.held, 0.0, self.sizes)
        return np.concatenate([displacements, np.full(len(self.fields), self.speed), np.full(m, 1e6)])

    def is_right(self, y: Vector, eta: Vector, lam: Vector) -> bool:
        """Whether forces balance and constraints hold."""
        y, vd = self.state(y[: self.kernel.nq], eta)
        d, system = varied(self.kernel, self.t, y, self.p, (vd, lam)), self.kernel.numbers(self.p)
        terms, stiff = d.terms, np.abs(d.balance.pi) @ self.sizes  # forces that typical displacements would make
        parts = np.array([terms.M @ vd, terms.h, terms.A.T @ lam, stiff]) * self.sizes
        phi, rate = system.residual(self.t, y)
        extent = system.row_sizes(terms.A, self.sizes)
        extent = np.where(extent > 0, extent, 1.0)
        balanced = _most(parts[0] + parts[1] - parts[2]) <= RIGHT * _most(parts)
        missed = np.array([y[self.kernel.nq + j] - value for j, value in self.rates])
        turned = self.kernel.facing.turned(y[None, : self.kernel.nq], self.t, self.p)  # hinges that close backwards
        return bool(
            not turned.any()
            and balanced
            and _most(phi / extent) <= RIGHT
            and _most(rate / extent) <= RIGHT * self.speed
            and _most(missed) <= RIGHT * max(self.speed, max((abs(value) for _, value in self.rates), default=0.0))
        )

    def _root(self, y: Vector, eta: Vector, lam: Vector) -> Root:
        y, vd = self.state(y[: self.kernel.nq], eta)
        d = varied(self.kernel, self.t, y, self.p, (vd, lam))
        J = self._jacobian(d, y, eta)
        column = self._columns(0)
        moving, k = np.flatnonzero(column), len(column)
        scaled = J[:, moving] * column[moving]
        row = self._rows(scaled)
        kept = _left_null(J[:, k:] / row[:, None]).T @ (scaled / row[:, None])  # whatever multipliers change
        _, s, Vt = np.linalg.svd(kept) if len(kept) else (None, np.zeros(0), np.eye(len(moving)))
        rank = int(np.sum(s > FLAT * max(float(s[0]), 1.0))) if len(s) else 0
        tangents = np.zeros((len(moving) - rank, k))
        tangents[:, moving] = Vt[rank:] * column[moving]
        return Root(y, eta, lam, tangents, self._together(eta))


def _left_null(matrix: Vector) -> Vector:
    if not matrix.shape[1]:
        return np.eye(len(matrix))
    U, s, _ = np.linalg.svd(matrix)
    return np.asarray(U[:, int(np.sum(s > RANK * max(float(s[0]), 1e-300))) :])


def _most(values: Vector) -> float:
    return float(np.max(np.abs(values), initial=0.0))
