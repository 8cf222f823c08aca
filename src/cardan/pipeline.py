"""Cardan in one page: a description becomes equations, equations become machine code, machine code moves.

Model  ->  Equations  ->  Kernel  ->  Solution
"""

from __future__ import annotations

from typing import Any

from cardan.codegen.compiled import Kernel, compile_native
from cardan.equations.equations import Equations
from cardan.equations.reduced import Dynamics, derive
from cardan.model.model import Model
from cardan.simulation.solution import Solution
from cardan.simulation.solve import integrate
from cardan.trajectory.prepared import Prepared


def read(model: Model, form: str = "auto") -> Equations:
    """Equations for people."""
    return Equations(model, form)


def prepare(model: Model) -> Kernel:
    """Native code for machines."""
    return compile_native(derive(model))


def run(model: Model, q: Any, v: Any, duration: float, **options: Any) -> Solution:
    """The whole road, from a description to a motion."""
    kernel = prepare(model)
    return integrate(Prepared(kernel), 0.0, duration, kernel.y(q, v), **options)


__all__ = [
    "Dynamics",
    "Equations",
    "Kernel",
    "Model",
    "Prepared",
    "Solution",
    "integrate",
    "prepare",
    "read",
    "run",
]
