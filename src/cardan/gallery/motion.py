"""Printed equations of motion, M vd + f + g = Q, held against the symbolic and the compiled route."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import sympy as sp

from cardan.api.system import System
from cardan.gallery.comparing import Formula, Pair, agreement, identity
from cardan.gallery.entry import Check
from cardan.gallery.sampling import numbers, states


def motion(
    s: System,
    equation: str,
    *,
    M: Formula,
    f: Formula,
    g: Formula | None = None,
    Q: Formula | None = None,
    ranges: Sequence[tuple[float, float]],
) -> Iterator[Check]:
    """The printed terms one by one, then the accelerations of native code at random states, vd = M^-1 (Q - f - g)."""
    n = len(s.model.v)
    M, f, g, Q = (sp.zeros(n, 1) if part is None else sp.Matrix(part) for part in (M, f, g, Q))
    eq = s.equations()
    yield identity("mass matrix", equation, eq.mass_matrix, M)
    yield identity("velocity terms", equation, eq.velocity_terms, f)
    if g != sp.zeros(n, 1):
        yield identity("potential terms", equation, eq.potential_terms, g)
    yield identity("generalized forces", equation, list(eq.generalized_forces.values())[:n], Q)
    kernel, mass, rest = s.compile(), numbers(s, M), numbers(s, Q - f - g)

    def pairs() -> Iterator[Pair]:
        for at in states(s, ranges):
            vd = np.linalg.solve(mass(at).reshape(n, n), rest(at))
            yield kernel.acceleration(at.q, at.v, at.t, loads=dict(at.signals)), vd

    yield agreement("accelerations in native code", equation, pairs())
