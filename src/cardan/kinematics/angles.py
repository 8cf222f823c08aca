"""Which coordinates are angles, by the way a model uses them."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from cardan.kinematics.tree import Tree
from cardan.model.constraints import Holonomic, VelocityConstraint
from cardan.model.model import Model


def angles_of(model: Model, tree: Tree) -> set[sp.Symbol]:
    """Coordinates that a joint turns by, or that stand with a plain number inside a sine or cosine, as in sin(2 u)."""
    found: set[sp.Symbol] = set()
    slides = [link.variable for link in tree.links if link.kind == "slide"]
    for link in tree.links:
        if link.kind == "turn":
            found |= link.variable.free_symbols
    typed = [one.expression for one in model.constraints if isinstance(one, (Holonomic, VelocityConstraint))]
    return found | _inside((*slides, *typed, *model.kinetic_energies, *model.potentials, *model.lagrangians), model.q)


def _inside(expressions: Iterable[sp.Expr], coordinates: Iterable[sp.Symbol]) -> set[sp.Symbol]:
    arguments = {f.args[0] for e in expressions for f in sp.sympify(e).atoms(sp.sin, sp.cos, sp.tan)}
    return {q for q in coordinates for argument in arguments if argument.has(q) and sp.diff(argument, q).is_number}
