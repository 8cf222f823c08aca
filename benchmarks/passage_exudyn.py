"""Exudyn through singular configurations: the settings that its documentation offers for constraints.

Defaults: generalized-alpha, index 3, dense solver. ``redundant``: the same with ``ignoreSingularJacobian``, by which
dependent equations are left out with full pivoting. ``sparse``: the same with the sparse solver, for large systems.
``index2``: the trapezoidal rule with constraints of velocities, its best for regular mechanisms.
"""

from __future__ import annotations

from typing import Any

from benchmarks.mechanism import Case, Mechanism
from benchmarks.mechanism_exudyn import _states, system_of

SETTINGS = {
    "defaults": "Exudyn, generalized-alpha (defaults)",
    "redundant": "Exudyn, generalized-alpha, singular Jacobian ignored",
    "sparse": "Exudyn, generalized-alpha, sparse",
    "index2": "Exudyn, trapezoidal index 2",
}


def case(mechanism: Mechanism, setting: str, step: float, outputs: int) -> Case:
    """The motion at a time step, by Exudyn's own solver in C++."""
    import exudyn as exu

    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(mechanism.span / step)
    settings.timeIntegration.endTime = mechanism.span
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = mechanism.span / outputs
    kinds, solvers = exu.DynamicSolverType, exu.LinearSolverType
    kind = kinds.TrapezoidalIndex2 if setting == "index2" else kinds.GeneralizedAlpha
    if setting == "sparse":
        settings.linearSolverType = solvers.EigenSparse
    if setting in ("redundant", "index2"):
        settings.linearSolverType = solvers.EigenDense
        settings.linearSolverSettings.ignoreSingularJacobian = True
    ready: list[tuple[Any, list[tuple[int, ...]]]] = []

    def before() -> None:
        ready[:] = [system_of(mechanism)]

    def work() -> Any:
        if not ready[0][0].SolveDynamic(settings, solverType=kind, showHints=False):
            raise RuntimeError("Exudyn's solver gave up")
        return ready[0]

    return Case(before, work, lambda solved: _states(*solved, mechanism))
