"""Whether a finished motion kept its constraints: contradictions that only time brings out are reported, not hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.linalg.sampling import evaluate_rows
from cardan.simulation.solution import Solution
from cardan.singular.projection import in_units
from cardan.singular.records import EventRecord
from cardan.trajectory.assembly import ConsistentStart
from cardan.trajectory.jumps import shifts

Vector = NDArray[np.float64]
Refresh = Callable[[float, Vector, Vector], None]

KEPT = 1e-6  # residual, in units of the size of its row, beyond which a constraint was not kept
LYING = 1e-3  # sine of the lean of a disc that lies flat, as far as an interrupted step tells
SAMPLES = 50  # steps that are looked at where inputs come from Python


def up_to_contradiction(
    kernel: Kernel,
    parameters: Vector,
    refresh: Refresh | None,
    solution: Solution,
    start: ConsistentStart,
    records: Sequence[EventRecord] = (),
) -> Solution:
    """The motion, ended before its first step that misses a constraint (as shifted, where ``records`` say so).

    Rows that depend on the others are left out by the projection of steps. They hold by themselves where they say the
    same; where time makes them say something else, no motion satisfies all. Rates are compared with the fastest of the
    motion, or with what would add up to a missed constraint in its whole time.
    """
    names = kernel.dynamics.constraints.names
    friction = {one.name for one in kernel.model.frictions}
    judged = np.array([name not in friction for name in names])
    rows = _accepted(solution, kernel.nq + kernel.nv)
    if len(rows) < 2 or not judged.any():
        return solution
    span = abs(float(rows[-1, 0] - rows[0, 0]))
    speed = float(np.max(np.abs(rows[:, 1 + kernel.nq :]) / start.sizes)) + 1.0 / span

    def missed(some: Vector) -> Vector:
        phi, rates = np.split(_residuals(kernel, parameters, refresh, some), 2, axis=1)
        phi = phi - shifts(records, some[:, 0], kernel.m, solution.ahead)
        extent = start.reference.extent
        return np.where(judged, np.maximum(in_units(phi, extent), in_units(rates, extent) / speed), 0.0)

    chosen = np.arange(len(rows))
    if refresh is not None:
        chosen = np.unique(np.linspace(0, len(rows) - 1, SAMPLES).astype(int))
    wrong = np.flatnonzero(np.max(missed(rows[chosen]), axis=1) > KEPT)
    if not wrong.size:
        return solution
    first = int(chosen[wrong[0]])
    last = int(chosen[wrong[0] - 1]) if wrong[0] else 0
    while last + 1 < first and np.max(missed(rows[last + 1 : last + 2])) <= KEPT:
        last += 1
    after = missed(rows[last + 1 : last + 2])[0]
    flat = _flat(kernel, parameters, rows[last : last + 2])
    if flat:
        return _cut(
            solution,
            float(rows[last, 0]),
            f"At t = {rows[last, 0]:.6g} {', '.join(map(repr, flat))} lies flat: every point of its rim touches, so "
            "that the point on which it rolls is undefined, and no rolling motion goes on from there. A floor that "
            "it may leave, s.contact(...), lets it come to rest.",
            "flat",
        )
    worst = ", ".join(f"{names[i]!r} ({after[i]:.3g})" for i in np.argsort(-after)[:3] if after[i] > KEPT)
    return _cut(
        solution,
        float(rows[last, 0]),
        f"From t = {rows[last, 0]:.6g} on no motion satisfies all constraints: {worst} is missed by t = "
        f"{rows[last + 1, 0]:.6g} (in units of its own size). They contradict each other as time goes on; remove or "
        "change one of them.",
    )


def _flat(kernel: Kernel, parameters: Vector, rows: Vector) -> list[str]:
    """Discs that lie flat, or pass through lying flat, at one of these accepted steps [t, y]."""
    flatness = kernel.flatness
    if not flatness.names:
        return []
    leans = flatness.leans(rows[:, 1 : 1 + kernel.nq], rows[:, 0], parameters)
    return [name for name, lean in zip(flatness.bodies, np.min(leans, axis=0), strict=True) if lean < LYING]


def _accepted(solution: Solution, n: int) -> Vector:
    """[t, y] of every accepted step; of two at one time the one before an interruption."""
    parts = [segment.rows[:, : n + 1] for segment in solution.segments]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def _residuals(kernel: Kernel, parameters: Vector, refresh: Refresh | None, rows: Vector) -> Vector:
    """[phi, A v + b0] at each row, with inputs as they were there."""
    function, p = kernel.function("residual"), parameters.copy()
    out, own = np.empty((len(rows), 2 * kernel.m)), np.ascontiguousarray(rows)
    if refresh is None:
        evaluate_rows(function.address, len(own), own.shape[1], out.shape[1], own, p, out)
        return out
    for k, row in enumerate(own):
        refresh(float(row[0]), row[1:], p)
        out[k] = function(float(row[0]), row[1:], p[: function.np])
    return out


def _cut(solution: Solution, end: float, why: str, status: str = "contradiction") -> Solution:
    """The solution up to an accepted step."""
    ahead = solution.ahead
    segments = [replace(one, rows=one.rows[ahead * one.rows[:, 0] <= ahead * end]) for one in solution.segments]
    kept = ahead * solution.t <= ahead * end
    return replace(
        solution,
        t=solution.t[kept],
        y=solution.y[kept],
        status=status,
        message=why,
        events=tuple(one for one in solution.events if ahead * one.t <= ahead * end),
        t_final=end,
        y_final=solution.at(end),
        segments=tuple(one for one in segments if len(one.rows)),
    )
