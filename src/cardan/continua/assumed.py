"""Assumed shapes (Rayleigh and Ritz): u = sum q_k(t) f_k(x) with functions of one's choice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
from scipy import sparse

from cardan.continua.counting import Line
from cardan.continua.discrete import Discrete
from cardan.continua.elements import foundation
from cardan.continua.spans import Array, BeamSpan
from cardan.errors import ModelError

POINTS = 200  # of Gauss and Legendre's rule on a span: exact for polynomials up to degree 399


def assumed(line: Line, shapes: Sequence[sp.Expr], x: sp.Symbol) -> Discrete:
    """The model with the shares of these shapes as coordinates; they must satisfy what holds the places."""
    if any(isinstance(span, BeamSpan) and span.compliance for span in line.spans):
        raise ModelError("Assumed shapes give deflections only; a beam with shear has rotations of its own.")
    for shape in shapes:
        require_held(line, sp.sympify(shape), x)
    nodes, weights = np.polynomial.legendre.leggauss(POINTS)
    strains, stiffness, velocities, masses, places = [], [], [], [], []
    for start, span in zip(line.positions, line.spans, strict=False):
        at = start + span.length * (nodes + 1) / 2
        amount = span.length * weights / 2
        value, slope, curvature = (columns(shapes, x, at, order) for order in range(3))
        strains += [value, slope]
        stiffness += [amount * foundation(span), amount * span.tension]
        velocities.append(value)
        masses.append(amount * span.mass[0])
        if isinstance(span, BeamSpan):
            strains.append(curvature)
            stiffness.append(amount * span.bending)
            velocities.append(slope)
            masses.append(amount * span.rotary)
        places.append(at)
    for i in range(line.freedoms):
        ends = columns(shapes, x, np.array(line.positions), i)
        strains.append(ends)
        velocities.append(ends)
        stiffness.append(np.array([place[i].spring for place in line.places]))
        masses.append(np.array([place[i].mass for place in line.places]))
    where = np.concatenate(places)
    displacements = sparse.csr_array(columns(shapes, x, where, 0))
    B, C = (sparse.csr_array(np.concatenate(rows)) for rows in (strains, velocities))
    return Discrete(B, np.concatenate(stiffness), C, np.concatenate(masses), where, displacements, line.scale)


def columns(shapes: Sequence[sp.Expr], x: sp.Symbol, at: Array, order: int) -> Array:
    """Derivatives of this order of all shapes at these places, a column each."""
    made = [sp.lambdify(x, sp.diff(shape, x, order), "numpy") for shape in shapes]
    return np.column_stack([np.broadcast_to(np.asarray(f(at), dtype=float), at.shape) for f in made])


def require_held(line: Line, shape: sp.Expr, x: sp.Symbol) -> None:
    """Refuse a shape that moves what is held."""
    for position, place in zip(line.positions, line.places, strict=True):
        for order, freedom in enumerate(place):
            moved = float(sp.diff(shape, x, order).subs(x, position))
            size = max(abs(float(sp.diff(shape, x, order).subs(x, s * line.positions[-1]))) for s in (0.1, 0.37, 0.8))
            if freedom.held and abs(moved) > 1e-9 * max(size, 1e-300):
                what = ("moves", "turns")[order]
                raise ModelError(
                    f"The shape {shape} {what} the place x = {position:g} by {moved:g}, which is held. "
                    "Choose shapes that satisfy the supports.",
                    position=position,
                )
