"""What joints forbid: the constrained directions of each joint, the loads along them, and what the joint transmits.

A revolute joint carries one coordinate but answers for five more directions; Hemingway & O'Reilly (101) list the
angular ones of the Cardan suspension. Directions are axes of the body after the joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from cardan.equations.recursive import Rate, add_pairs
from cardan.equations.reduced import Dynamics
from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.transmission import Transmission
from cardan.equations.unplaced import can_be_balanced
from cardan.geometry.scalar import Scalar
from cardan.kinematics.lifted import LiftedTree
from cardan.model.motions import Triple


@dataclass(frozen=True)
class JointDirection:
    """One forbidden direction: its name, what loads and constraints do along it, and what goes through it.

    ``transmitted`` is what the joint and the constraints beyond it pass on together, ``pushed`` the constraints' part.
    """

    name: str
    kind: str  # "force" or "moment"
    direction: Triple
    applied: sp.Expr
    transmitted: sp.Expr
    pushed: sp.Expr


def multiplier(name: str, letter: str = "mu") -> sp.Symbol:
    """The symbol of a multiplier."""
    return sp.Symbol(f"{letter}_{name}", real=True)


def joint_directions(s: SymbolicEquations) -> list[JointDirection]:
    """All forbidden directions of the joints of a model, with symbols for accelerations."""
    accelerations = _by_link(s.tree, [s.rate_with_accelerations(_tuple(rate)) for rate in s.joint_rates])
    lam = [multiplier(row.name, "lam") for row in s.rows]
    whole = Transmission(s.model, s.tree, s.joint_rates, accelerations, s.gravity, s.external, s.elements)
    found: list[tuple[int, JointDirection]] = []
    for part in whole.parts():
        moving = part.moving(part.loads_and_elements())
        loads, pushes = part.still(part.external), part.still(part.constraints(s.rows, lam))
        for held in part.held():
            one = JointDirection(
                name=held.name,
                kind=held.forbidden.kind,
                direction=held.forbidden.direction,
                applied=-sp.sympify(held.share(loads)),
                transmitted=sp.sympify(held.share(moving)),
                pushed=-sp.sympify(held.share(pushes)),
            )
            found.append((held.order, one))
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def joint_nodes(d: Dynamics) -> dict[str, Scalar]:
    """What the joints themselves transmit along their forbidden directions, as graph nodes of (q, v, vd, lam, t).

    Empty where a constraint or a weight was typed by hand: nobody can say on which body it acts.
    """
    if not all(row.actions for row in d.full.rows) or not can_be_balanced(d.model):
        return {}
    rates, tree = d.full.joints.rates, d.full.lifted
    accelerations = _by_link(tree, [d.rate_with_accelerations(_tuple(rate)) for rate in rates])
    whole = Transmission(d.model, tree, rates, accelerations, d.full.gravity, d.full.external, d.elements)
    found: list[tuple[int, str, Scalar]] = []
    for part in whole.parts():
        acting = part.loads_and_elements()
        for k, push in part.constraints(d.full.rows, d.lam).items():
            acting[k] = add_pairs(acting[k], push) if k in acting else push
        moving = part.moving(acting)
        found += [(held.order, held.name, held.share(moving)) for held in part.held()]
    return {name: share for _, name, share in sorted(found, key=lambda one: one[0])}


def _by_link(tree: LiftedTree, accelerations: Sequence[Triple]) -> list[Rate]:
    return [a if link.kind == "spin" else a[0] for a, link in zip(accelerations, tree.links, strict=True)]


def _tuple(rate: Rate) -> Triple:
    return tuple(rate) if isinstance(rate, tuple) else (rate,)
