"""How a motion changes with parameters, exactly: s' = J s + g along it, with g = d(vd)/dp from the graph.

    M dvd - A^T dlam + (M_p vd + h_p - A_p^T lam) = 0,    A dvd + (A_p vd - b_p) = 0

The linear equation is solved by collocation at Gauss points along the steps of the run, as ``analysis/transition.py``
does for neighbours; its polynomials give the slopes at any time in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.arc import arc
from cardan.analysis.place import place_at
from cardan.analysis.stacked import Stack, States, stacked
from cardan.analysis.transition import POINTS, gauss
from cardan.analysis.varied import varied
from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction
from cardan.errors import ModelError
from cardan.graph import jacobian
from cardan.simulation.solution import Segment
from cardan.singular.constrained import RANK_CUT, Terms
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.settings import Settings

Vector = NDArray[np.float64]
NUDGE = 1e-5  # of a parameter: how far a start is completed on either side of it


def slopes(kernels: Kernels, settings: Settings, times: Vector, names: Sequence[str]) -> Vector:
    """Derivatives of [q, v] by parameters at ascending times: (times, numbers, names). Refuses what interrupts."""
    piece = arc(kernels, replace(settings, times=None, chart="typed"))
    segments = piece.trajectory.solution.segments
    if len(segments) != 1:
        raise ModelError(f"Something interrupts the motion of {kernels.model.name!r}; its slopes jump there.")
    kernel = kernels.user
    at = [kernel.dynamics.p.index(kernel.dynamics.space.lift(symbol)) for symbol in _symbols(kernel, names)]
    S = _start(kernels, settings, names)
    found = _followed(kernel, piece.p, segments[0], times, at, S)
    states = segments[0].at(segments[0].rows, times)[:, : kernel.nq + kernel.nv]
    n = kernel.nv
    return np.array(
        [
            np.vstack([_turning(kernel, t, y, piece.p) @ s[:n], s[n:]])
            for t, y, s in zip(times, states, found, strict=True)
        ]
    )


def _symbols(kernel: Kernel, names: Sequence[str]) -> list[object]:
    known = {str(symbol): symbol for symbol in kernel.model.parameters}
    return [known[name] for name in names]


def _start(kernels: Kernels, settings: Settings, names: Sequence[str]) -> Vector:
    """Slopes of the start (displacements, velocities): zero, but where constraints complete what was given."""
    kernel = kernels.user
    found = np.zeros((2 * kernel.nv, len(names)))
    if not kernel.m:
        return found
    values = {str(symbol): float(value) for symbol, value in kernel.values.items()}
    for k, name in enumerate(names):
        step = NUDGE * (abs(values[name]) or 1.0)
        ends = []
        for sign in (1.0, -1.0):
            moved = {symbol: float(x) + sign * step * (str(symbol) == name) for symbol, x in kernel.values.items()}
            place = place_at(
                kernels.with_values(moved), settings.q, settings.v, settings.t0, settings.loads, settings.inputs
            )
            ends.append(place.y)
        dy = (ends[0] - ends[1]) / (2 * step)
        N = _turning(kernel, settings.t0, place.y, place.p)
        found[:, k] = np.concatenate([np.linalg.lstsq(N, dy[: kernel.nq], rcond=None)[0], dy[kernel.nq :]])
    return found


def _turning(kernel: Kernel, t: float, y: Vector, p: Vector) -> Vector:
    """N of q' = N v."""
    return np.eye(kernel.nv) if kernel.nq == kernel.nv and not kernel.quaternions else varied(kernel, t, y, p).N


def _followed(kernel: Kernel, p: Vector, segment: Segment, times: Vector, at: Sequence[int], S: Vector) -> Vector:
    t = segment.rows[:, 0]
    keep = np.flatnonzero(np.diff(t) != 0)
    h, begins, n = np.diff(t)[keep], t[keep], 2 * kernel.nv
    c, A, b = gauss(POINTS)
    inner = begins[:, None] + h[:, None] * c
    states = segment.at(segment.rows, inner.ravel())[:, : kernel.nq + kernel.nv]
    stack = stacked(States(kernel, inner.ravel(), states, np.tile(p, (inner.size, 1))))
    J = stack.jacobian.reshape(len(h), POINTS, n, n)
    g = _pushes(kernel, p, inner.ravel(), states, stack, at).reshape(len(h), POINTS, n, len(at))
    K = -np.einsum("k,ij,kiab->kiajb", h, A, J).reshape(len(h), POINTS * n, POINTS * n) + np.eye(POINTS * n)
    inverse = np.linalg.inv(K).reshape(len(h), POINTS * n, POINTS * n)
    which = np.clip(np.searchsorted(begins, times, side="right") - 1, 0, len(h) - 1)
    lagrange = np.linalg.inv(np.vander(c, POINTS, increasing=True))
    found = np.empty((len(times), n, len(at)))
    for k in range(len(h)):
        stages = (inverse[k] @ (J[k] @ S + g[k]).reshape(POINTS * n, -1)).reshape(POINTS, n, -1)
        for j in np.flatnonzero(which == k):
            theta = (times[j] - begins[k]) / h[k]
            weights = (theta ** (np.arange(POINTS) + 1) / (np.arange(POINTS) + 1)) @ lagrange
            found[j] = S + h[k] * np.einsum("i,iab->ab", weights, stages)
        S = S + h[k] * np.einsum("i,iab->ab", b, stages)
    return found


def _pushes(kernel: Kernel, p: Vector, t: Vector, y: Vector, stack: Stack, at: Sequence[int]) -> Vector:
    """(0, d(vd)/dp) at many states: (states, 2 n, parameters)."""
    n, m, count = kernel.nv, kernel.m, len(kernel.dynamics.p)
    function = kernel.keep("slopes by parameters", lambda: _by_parameters(kernel))
    found = np.zeros((len(t), 2 * n, len(at)))
    for k in range(len(t)):
        parts = function(float(t[k]), y[k], p[: function.np]).reshape(-1, count)[:, list(at)]
        M, h, A, b = np.split(parts, np.cumsum([n * n, n, m * n]))
        vd, lam = stack.vd[k], stack.lam[k]
        r = (
            np.einsum("abp,b->ap", M.reshape(n, n, len(at)), vd)
            + h
            - np.einsum("map,m->ap", A.reshape(m, n, len(at)), lam)
        )
        s = np.einsum("map,a->mp", A.reshape(m, n, len(at)), vd) - b
        found[k, n:] = _solved(Terms(*(getattr(stack.terms, x)[k] for x in ("qd", "M", "h", "A", "b"))), r, s)
    return found


def _solved(terms: Terms, r: Vector, s: Vector) -> Vector:
    """dvd of M dvd - A^T dlam + r = 0, A dvd + s = 0, where multipliers need not be unique."""
    W, A = terms.half, terms.A
    free = -W.T @ r
    if not len(A):
        return np.asarray(W @ free)
    inverse = np.linalg.pinv(A @ W, rcond=RANK_CUT)
    return np.asarray(W @ (free - inverse @ (s + A @ (W @ free))))


def _by_parameters(kernel: Kernel) -> NativeFunction:
    d = kernel.dynamics
    matrix = [x for row in d.constraints.matrix for x in row] if kernel.m else []
    targets = list(d.constraints.targets) if kernel.m else []
    nodes = [*(x for row in d.mass_matrix for x in row), *d.bias, *matrix, *targets]
    return kernel.custom("slopes_by_parameters", [x for row in jacobian(nodes, list(d.p)) for x in row])
