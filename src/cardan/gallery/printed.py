"""Equations of motion as texts print them: rows to compare in symbols, accelerations to compare in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import sympy as sp

from cardan.api.system import System
from cardan.equations.equations import Equations
from cardan.gallery.comparing import Pair
from cardan.gallery.sampling import numbers, states


def rows(equations: Equations) -> sp.Matrix:
    """M vd + f + g - Q as a column: what a text writes as equations of motion, everything on one side."""
    vd = sp.Matrix([v.dot for v in equations.model.v])
    Q = sp.Matrix(list(equations.generalized_forces.values())[: len(vd)])
    return equations.mass_matrix * vd + equations.velocity_terms + equations.potential_terms - Q


def solved(s: System, row: sp.Matrix, ranges: Sequence[tuple[float, float]], count: int = 12) -> Iterator[Pair]:
    """(accelerations of the compiled model, those that the printed rows give) at random states.

    A row is linear in the accelerations, so that its values at zero and at unit accelerations give matrix and rest.
    """
    kernel, value, n = s.compile(), numbers(s, list(row)), len(s.model.v)
    for at in states(s, ranges, count):
        rest = value(at)
        matrix = np.stack([value(at, unit) - rest for unit in np.eye(n)], axis=1)
        yield kernel.acceleration(at.q, at.v, at.t, loads=dict(at.signals)), np.linalg.solve(matrix, -rest)
