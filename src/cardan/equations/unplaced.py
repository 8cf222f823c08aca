"""What was typed without a place: energies, generalized forces and constraints of which nobody can say on which body
they act.

The motion does not need to know; a balance of forces on one body does. A weight that was typed as a potential is no
load of that balance, so it ends up in the reaction: a hanging rod seems to be carried by nothing. What acts within
joints is another matter: a spring, a damper, a friction or a gear on the coordinates of joints acts between the two
sides of each of them, along the axis that the joint leaves free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sympy as sp

from cardan.model.constraints import Holonomic, VelocityConstraint
from cardan.model.frames import Frame
from cardan.model.loads import Damper, Spring
from cardan.model.model import Model
from cardan.model.motions import Slide, Spin, Turn

SHORT = 60  # characters of a typed expression that are quoted


@dataclass(frozen=True)
class Unplaced:
    """Something typed without a place: what, in words, and the names of the variables along which it acts."""

    words: str
    along: frozenset[str]
    is_driven: bool = False  # its size is an input: a drive of its user's, hardly a weight


def unplaced(model: Model, *, constraints: bool = False) -> list[Unplaced]:
    """What acts nowhere in particular, within joints left out; with ``constraints`` those and frictions too."""
    names = _names(model)
    everything = frozenset(one.name for one in model.variables)
    found = [Unplaced(f"the Lagrangian {_short(one)}", everything) for one in model.lagrangians]
    found += [
        Unplaced(f"the potential {_short(one)}", _along(one, names))
        for one in model.potentials
        if not all(_is_spring(term, model) for term in sp.Add.make_args(one))
    ]
    found += [
        Unplaced(f"the kinetic energy {_short(one)}", _along(one, names))
        for one in model.kinetic_energies
        if not _within(_slopes(model, one), model)
    ]
    frictions = {one.name: one for one in model.frictions}
    for force in model.generalized_forces:
        if force.name not in frictions:
            words = f"the generalized force {_short(force.expression)} on {names[force.coordinate]}"
            driven = bool(force.expression.free_symbols & set(model.inputs))
            found.append(Unplaced(words, frozenset({names[force.coordinate]}), driven))
    elements: list[Spring | Damper] = [*model.springs, *model.dampers]
    for element in elements:
        if not element.acts_between_points and not _within([element.first], model):
            found.append(Unplaced(f"{element.name!r} on {_short(element.first)}", _along(element.first, names)))
    if constraints:
        for friction in model.frictions:
            if not _within([friction.sliding], model):
                found.append(Unplaced(f"friction {friction.name!r}", _along(friction.sliding, names)))
        typed = [one for one in model.constraints if isinstance(one, (Holonomic, VelocityConstraint))]
        for row in typed:
            if row.name not in frictions and not _within([row.expression], model):
                found.append(Unplaced(f"constraint {row.name!r}", _along(row.expression, names)))
    return [one for one in found if one.along]


def movers(model: Model, frame: Frame) -> frozenset[str]:
    """Names of the variables that move a frame."""
    names = _names(model)
    found: set[str] = set()
    for motion in (motion for one in frame.path for motion in model.motions_of(one)):
        if isinstance(motion, Spin):
            found.add(motion.name)
        elif isinstance(motion, (Turn, Slide)):
            amount = sp.sympify(motion.angle if isinstance(motion, Turn) else motion.distance)
            found |= {names[symbol] for symbol in amount.free_symbols if symbol in names}
    return frozenset(found)


def can_be_balanced(model: Model) -> bool:
    """Whether what joints transmit follows from the motion: nothing that could be a weight is without a place."""
    return all(one.is_driven for one in unplaced(model))


def included_in_reactions(model: Model) -> dict[str, tuple[str, ...]]:
    """For each body and particle: what a balance of forces on it cannot tell from a reaction, in words."""
    typed = unplaced(model)
    moved = {one.name: movers(model, one.frame) for one in (*model.bodies, *model.particles)} if typed else {}
    return {
        one.name: tuple(each.words for each in typed if each.along & moved[one.name])
        for one in (*model.bodies, *model.particles)
    }


def _names(model: Model) -> dict[sp.Symbol, str]:
    return {symbol: one.name for one in model.variables for symbol in (*one.configuration, *one.velocities)}


def _along(expression: sp.Expr, names: dict[sp.Symbol, str]) -> frozenset[str]:
    return frozenset(names[symbol] for symbol in expression.free_symbols if symbol in names)


def _slopes(model: Model, energy: sp.Expr) -> list[sp.Expr]:
    """Derivatives of an energy by everything that moves."""
    return [energy.diff(x) for x in _names(model) if energy.has(x)]


def _is_spring(term: sp.Expr, model: Model) -> bool:
    """Whether a term of a potential is quadratic, as that of a spring on coordinates of joints is; no weight is."""
    slopes = _slopes(model, term)
    curved = any(slope.diff(x) != 0 for slope in slopes for x in _names(model) if slope.has(x))
    return not slopes or (curved and _within(slopes, model))


def _elementary(model: Model) -> frozenset[sp.Symbol]:
    """Coordinates, and their velocities, of which each is the angle or distance of one elementary joint.

    Those that bend a body count as such: what acts along them acts within the body.
    """
    seen: dict[sp.Symbol, list[sp.Expr]] = {}
    for amount in _amounts(model):
        for symbol in amount.free_symbols:
            seen.setdefault(symbol, []).append(amount)
    found: set[sp.Symbol] = {x for one in model.flexible for q in one.coordinates for x in (q, q.dot)}
    for one in model.variables:
        for q, v in zip(one.configuration, one.velocities, strict=False):
            if len(one.configuration) == 1 and len(seen.get(q, ())) == 1 and seen[q][0].diff(q).is_number:
                found |= {q, v}
    return frozenset(found)


def _amounts(model: Model) -> Iterator[sp.Expr]:
    frames = {frame for thing in (*model.bodies, *model.particles) for frame in thing.frame.path}
    for frame in frames:
        for motion in model.motions_of(frame):
            if isinstance(motion, (Turn, Slide)):
                yield sp.sympify(motion.angle if isinstance(motion, Turn) else motion.distance)


def _within(forms: Iterable[sp.Expr], model: Model) -> bool:
    """Whether every form is a sum of coordinates of joints, or of their rates, times constants."""
    moving, elementary = set(_names(model)), _elementary(model)
    changing = moving | {model.time}
    for form in forms:
        own = form.free_symbols & moving
        if own - elementary or any(form.diff(x).free_symbols & changing for x in own):
            return False
    return True


def _short(expression: sp.Expr) -> str:
    text = str(expression)
    return text if len(text) <= SHORT else text[: SHORT - 3] + "..."
