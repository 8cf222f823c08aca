"""Linear equations at many values of parameters: rests, state matrices and eigenvalues in stacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.analysis.deflation import spectrum
from cardan.analysis.linear import Basis
from cardan.analysis.linearizing import independent_rows, tangents
from cardan.analysis.place import Place
from cardan.analysis.stacked import Stack, States, stacked
from cardan.analysis.varied import varied
from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError, unknown
from cardan.singular.constrained import RANK_CUT

Vector = NDArray[np.float64]
Complex = NDArray[np.complex128]
Flags = NDArray[np.bool_]

NEWTON = 30  # steps to a rest
LONGEST = 0.5  # of typical sizes: a step
RESTS = 1e-9  # of what typical displacements would make: accelerations of a rest that are rounding
MOVES = 1e-6  # the same, of a steady motion that is given


@dataclass(frozen=True)
class Grid:
    """Values of one or several parameters, all combinations of them; states at each, in rows."""

    place: Place
    names: tuple[str, ...]
    values: tuple[Vector, ...]
    states: States
    found: Flags  # whether there is a rest, or the given motion is steady

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(one) for one in self.values)


def grid(place: Place, ranges: Mapping[str, ArrayLike]) -> Grid:
    """The rest next to a place, at all combinations of parameter values; a motion stays as it is."""
    kernel = place.kernel
    known = [str(symbol) for symbol in kernel.model.parameters]
    for name in ranges:
        if str(name) not in known:
            raise unknown(name, known, f"parameter of {kernel.model.name!r} to vary")
    names = tuple(str(name) for name in ranges)
    values = tuple(np.atleast_1d(np.asarray(one, dtype=float)).ravel() for one in ranges.values())
    table = np.stack([one.ravel() for one in np.meshgrid(*values, indexing="ij")], axis=1)
    p = np.tile(place.p, (len(table), 1))
    p[:, [known.index(name) for name in names]] = table
    y = np.tile(place.y, (len(table), 1))
    states = States(kernel, np.full(len(table), place.t), y, p)
    if np.any(place.v != 0):
        return Grid(place, names, values, states, _stays(states, place))
    return Grid(place, names, values, *_rests(states, place))


def _rests(states: States, place: Place) -> tuple[States, Flags]:
    """Rests by Newton's method for all at once; one that is reached stays."""
    kernel, y = states.kernel, states.y.copy()
    numbers, open_ = kernel.numbers(place.p), np.arange(len(states))
    done = np.zeros(len(states), dtype=bool)
    for _ in range(NEWTON):
        here = States(kernel, states.t[open_], y[open_], states.p[open_])
        d = stacked(here, at_rest=True)
        step = _newton(here, d)
        longest = np.max(np.abs(step) / place.sizes, axis=1, initial=0.0)
        step *= np.minimum(1.0, LONGEST / np.maximum(longest, 1e-300))[:, None]
        if kernel.nq == kernel.nv:
            y[open_, : kernel.nq] += step
        else:
            y[open_] = [numbers.moved(place.t, y[i], one) for i, one in zip(open_, step, strict=True)]
        right = longest < RESTS
        done[open_[right]] = True
        open_ = open_[~right & np.isfinite(longest)]
        if not len(open_):
            break
    return States(kernel, states.t, y, states.p), done


def _newton(states: States, d: Stack) -> Vector:
    """Displacements of  r_pi dpi - A^T dlam = -r,  phi_pi dpi = -phi."""
    kernel, n = states.kernel, states.kernel.nv
    h = d.phi.shape[1]
    r = d.terms.h - np.einsum("tji,tj->ti", d.terms.A, d.lam)
    if not kernel.m:
        return np.asarray(-np.einsum("tij,tj->ti", np.linalg.pinv(d.balance, rcond=RANK_CUT), r))
    corner = np.zeros((len(states), h, kernel.m))
    K = np.concatenate(
        [
            np.concatenate([d.balance, -np.swapaxes(d.terms.A, 1, 2)], axis=2),
            np.concatenate([d.phi, corner], axis=2),
        ],
        axis=1,
    )
    batch = kernel.own_batch("residual")
    phi = batch(states.t, states.y, states.p[:, : batch.np])[:, kernel.dynamics.constraints.holonomic]
    size = np.maximum(np.max(np.abs(K), axis=2), 1e-300)
    rows = np.linalg.pinv(K / size[:, :, None], rcond=RANK_CUT)
    return np.asarray(-np.einsum("tij,tj->ti", rows, np.concatenate([r, phi], axis=1) / size)[:, :n])


def _stays(states: States, place: Place) -> Flags:
    """Whether accelerations vanish along the motion that is given."""
    d = stacked(states)
    usual = np.abs(d.pi) @ place.sizes + np.abs(d.v) @ np.abs(place.v)
    return np.asarray(np.max(np.abs(d.vd), axis=1) <= MOVES * np.maximum(np.max(usual, axis=1), 1e-300))


# --- state matrices ------------------------------------------------------------------------------------


def state_matrices(found: Grid) -> Vector:
    """A of x' = A x at every point, in the same independent coordinates; (points, k, k)."""
    place = found.place
    displacements, velocities, _ = tangents(place, varied(place.kernel, place.t, place.y, place.p))
    d, n = stacked(found.states), place.kernel.nv
    J = d.jacobian
    if not place.kernel.m:
        return J
    holonomic = place.kernel.dynamics.constraints.holonomic
    A = d.terms.A
    Zq, Zv = _allowed(A[:, holonomic], displacements), _allowed(A, velocities)
    changed = -np.linalg.pinv(A, rcond=RANK_CUT) @ d.rates @ Zq
    changed = changed - Zv @ changed[:, velocities.independent]
    none = np.zeros((len(A), n, Zv.shape[2]))
    T = np.concatenate([np.concatenate([Zq, none], axis=2), np.concatenate([changed, Zv], axis=2)], axis=1)
    return np.asarray((J @ T)[:, independent_rows(displacements, velocities, n)], dtype=float)


def _allowed(rows: Vector, basis: Basis) -> Vector:
    """Z with rows @ Z = 0 and the identity in the independent rows, at every point."""
    n = rows.shape[2]
    dependent = [j for j in range(n) if j not in set(basis.independent)]
    Z = np.zeros((len(rows), n, len(basis.independent)))
    Z[:, basis.independent] = np.eye(len(basis.independent))
    if dependent:
        Z[:, dependent] = -np.linalg.pinv(rows[:, :, dependent], rcond=RANK_CUT) @ rows[:, :, basis.independent]
    return Z


def zeros_everywhere(A: Vector, found: Flags) -> int:
    """How many eigenvalues are zero at all points: of coordinates that nothing depends on, and kinematic ones."""
    places = np.flatnonzero(found)
    if not len(places):
        return 0
    some = np.unique(places[np.linspace(0, len(places) - 1, 7).astype(int)])
    return min(spectrum(A[k]).zeros for k in some)


def place_of(kernel: Kernel, place: Place) -> Place:
    """The place as a start for others; one where freedoms have no inertia is refused."""
    if np.any(np.diag(varied(kernel, place.t, place.y, place.p).terms.M) == 0.0):
        raise ModelError(f"{kernel.model.name!r} has freedoms without inertia, which maps of stability do not take.")
    return place
