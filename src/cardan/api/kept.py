"""Whether a finished motion kept its constraints: contradictions that only time brings out are reported, not hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.simulation.solution import Solution

Vector = NDArray[np.float64]
Refresh = Callable[[float, Vector, Vector], None]

KEPT = 1e-6  # residual, in units of the state's size, beyond which a constraint was not kept
SAMPLES = 50


def up_to_contradiction(kernel: Kernel, parameters: Vector, refresh: Refresh | None, solution: Solution) -> Solution:
    """The motion, ended before its first step that misses a constraint.

    Rows that depend on the others are left out by the projection of steps. They hold by themselves where they say the
    same; where time makes them say something else, no motion satisfies all.
    """
    friction = {one.name for one in kernel.model.frictions}
    names = kernel.dynamics.constraints.names
    judged = np.array([name not in friction for name in names])
    p = parameters.copy()
    system = kernel.numbers(p)

    def missed(t: float, y: Vector) -> Vector:
        if refresh is not None:
            refresh(t, y, p)
        phi, rate = (system if refresh is None else kernel.numbers(p)).residual(t, y)
        size = np.maximum(np.abs(phi), np.abs(rate)) / max(1.0, float(np.max(np.abs(y), initial=0.0)))
        return np.where(judged, size, 0.0)

    times = solution.steps
    if len(times) < 2 or not judged.any():
        return solution
    chosen = np.unique(np.linspace(0, len(times) - 1, SAMPLES).astype(int))
    states = solution.at(times[chosen])
    wrong = [k for k, y in zip(chosen, states, strict=True) if np.max(missed(times[k], y)) > KEPT]
    if not wrong:
        return solution
    last = max((int(k) for k in chosen if k < wrong[0]), default=0)
    while last + 1 < wrong[0] and np.max(missed(times[last + 1], solution.at(times[last + 1]))) <= KEPT:
        last += 1
    after = missed(times[last + 1], solution.at(times[last + 1]))
    worst = ", ".join(f"{names[i]!r} ({after[i]:.3g})" for i in np.argsort(-after)[:3] if after[i] > KEPT)
    return _cut(
        solution,
        float(times[last]),
        f"From t = {times[last]:.6g} on no motion satisfies all constraints: {worst} is missed by t = "
        f"{times[last + 1]:.6g}. They contradict each other as time goes on; remove or change one of them.",
    )


def _cut(solution: Solution, end: float, why: str) -> Solution:
    """The solution up to an accepted step."""
    ahead = 1.0 if solution.steps[-1] >= solution.steps[0] else -1.0
    segments = [replace(one, rows=one.rows[ahead * one.rows[:, 0] <= ahead * end]) for one in solution.segments]
    kept = ahead * solution.t <= ahead * end
    return replace(
        solution,
        t=solution.t[kept],
        y=solution.y[kept],
        status="contradiction",
        message=why,
        events=tuple(one for one in solution.events if ahead * one.t <= ahead * end),
        t_final=end,
        y_final=solution.at(end),
        segments=tuple(one for one in segments if len(one.rows)),
    )
