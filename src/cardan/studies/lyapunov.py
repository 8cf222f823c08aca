"""Lyapunov exponents: how fast neighbours of a motion part, in every direction.

The variational equations w' = (df/dy) w come from the graph and are integrated together with the motion; every so often
the vectors are made orthonormal again, and the logarithms of what they had grown by are summed [Benettin1980]. Where
something may happen to the motion, arcs and their exact derivatives take their place (``neighbours.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.function import NativeFunction, native_function
from cardan.errors import ModelError, SimulationError
from cardan.graph import jvp
from cardan.native.showing import Shown
from cardan.simulation.protocol import CompiledModel
from cardan.simulation.solve import integrate
from cardan.studies.neighbours import growths, independent_directions
from cardan.studies.setup import Mover
from cardan.trajectory.coordinates import Entry, Typed
from cardan.trajectory.request import Request, read_request
from cardan.trajectory.settings import Settings

Vector = NDArray[np.float64]
BLOCKS = 8  # parts of the time by which the spread is judged


@dataclass(frozen=True)
class Lyapunov(Shown):
    """Exponents in decreasing order (1/s), their standard errors from parts of the time, and how they settled.

    ``history`` has the estimates after each interval from ``settle`` on, at the times ``t``.
    """

    exponents: Vector
    errors: Vector
    t: Vector
    history: Vector

    @property
    def total(self) -> float:
        """Their sum: the mean rate at which volumes of states grow."""
        return float(self.exponents.sum())

    @property
    def dimension(self) -> float:
        """The Kaplan-Yorke dimension."""
        sums = np.cumsum(self.exponents)
        whole = int(np.count_nonzero(sums >= 0))
        if whole == 0 or whole == len(sums):
            return float(whole)
        return whole + float(sums[whole - 1] / abs(self.exponents[whole]))

    def __str__(self) -> str:
        told = [f"{x:+.5f} +- {e:.5f}" for x, e in zip(self.exponents, self.errors, strict=True)]
        return "Lyapunov exponents (1/s): " + ", ".join(told)


class Tangent(CompiledModel):
    """A motion with vectors beside it: the state [y, w_1, ..., w_k]."""

    def __init__(self, entry: Entry, count: int) -> None:
        d, n = entry.kernel.dynamics, len(entry.y)
        graph, y = d.space.graph, [*d.q, *d.v]
        f, pivots = [*d.configuration_rates, *d.acceleration[0]], d.acceleration[1]
        vectors = [_input(graph, f"tangent {j} {i}") for j in range(count) for i in range(n)]
        rates = [rate for j in range(count) for rate in jvp(f, y, vectors[j * n : (j + 1) * n])]
        self.function: NativeFunction = native_function(
            f"tangent{count}", t=d.t, y=[*y, *vectors], p=d.p, outputs=[*f, *rates], pivots=pivots
        )
        self.nq, self.nv = n * (1 + count), 0
        self.rhs = self.function.address
        self.parameters = np.array(entry.compiled.parameters)


def _input(graph: Any, name: str) -> Any:
    return graph.inputs[name] if name in graph.inputs else graph.input(name)


def lyapunov(
    system: Mover,
    settings: Settings,
    count: int | None = None,
    settle: float | None = None,
    interval: float | None = None,
) -> Lyapunov:
    """The largest ``count`` exponents (all of them by default) of the motion with these settings.

    The first ``settle`` seconds (a tenth by default) are not counted; vectors are made orthonormal every ``interval``.
    """
    request = read_request(system.kernels.user, settings)
    if request.signals.functions:
        raise ModelError("Lyapunov exponents need loads and inputs as numbers or expressions, not as Python functions.")
    span = settings.duration
    dt = interval or span / 1000
    skipped = span / 10 if settle is None else settle
    entry = _smooth_entry(system, request)
    if entry is None:
        first = independent_directions(system.kernels, settings)
        k = _counted_directions(first.shape[1], count)
        ends = request.t0 + np.minimum(dt * np.arange(1, max(int(np.ceil(span / dt)), 1) + 1), span)
        grown = np.array(list(growths(system.kernels, settings, ends, first[:, :k])))
        return _counted(grown, ends, request.t0, skipped)
    return _smooth(entry, request, span, dt, skipped, count)


def _counted_directions(n: int, count: int | None) -> int:
    k = n if count is None else count
    if not 1 <= k <= n:
        raise ModelError(f"There are 1 to {n} exponents, not {k}.", count=k)
    return k


def _smooth(entry: Entry, request: Request, span: float, dt: float, skipped: float, count: int | None) -> Lyapunov:
    """Where nothing happens to the motion: state and vectors are one system of equations."""
    settings, n = request.settings, len(entry.y)
    k = _counted_directions(n, count)
    model = Tangent(entry, k)
    state = np.concatenate([entry.y, np.eye(n, k).T.ravel()])
    logs, times, t = [], [], request.t0
    atol = np.concatenate([np.full(n, settings.absolute), np.full(n * k, 1e-9)])
    for step in range(max(int(np.ceil(span / dt)), 1)):
        end = request.t0 + min((step + 1) * dt, span)
        part = integrate(model, t, end, state, rtol=settings.rtol, atol=atol, method="DOP853", keep_steps=False)
        if not part.is_complete:
            raise SimulationError(f"The motion stopped at t = {part.t_final:g}: {part.message}", t=part.t_final)
        state, t = part.y_final.copy(), end
        Q, R = np.linalg.qr(state[n:].reshape(k, n).T)
        logs.append(np.log(np.abs(np.diagonal(R))))
        times.append(end)
        state[n:] = Q.T.ravel()
    return _counted(np.array(logs), np.array(times), request.t0, skipped)


def _smooth_entry(system: Mover, request: Request) -> Entry | None:
    """The start in the typed coordinates, where nothing can happen to the motion; None where something may."""
    kernels = system.kernels
    model = kernels.model
    coordinates = kernels.coordinates(request)
    if kernels.user.m or model.stops or model.rubbing or kernels.user.quaternions or not isinstance(coordinates, Typed):
        return None
    return coordinates.enter(request)


def _counted(logs: Vector, times: Vector, t0: float, skipped: float) -> Lyapunov:
    kept = times > t0 + skipped
    if kept.sum() < BLOCKS:
        raise ModelError(f"Only {int(kept.sum())} intervals are left to be counted; simulate longer or settle less.")
    begun = float(times[~kept][-1]) if (~kept).any() else t0
    grown, t = logs[kept], times[kept]
    history = np.cumsum(grown, axis=0) / (t - begun)[:, None]
    parts = np.array_split(np.arange(len(t)), BLOCKS)
    starts = np.concatenate([[begun], t[:-1]])
    rates = np.array([grown[one].sum(axis=0) / (t[one[-1]] - starts[one[0]]) for one in parts])
    order = np.argsort(-history[-1])
    with np.errstate(invalid="ignore"):  # a direction that is lost has no spread
        spread = rates.std(axis=0, ddof=1) / np.sqrt(BLOCKS)
    return Lyapunov(history[-1][order], spread[order], t, history[:, order])
