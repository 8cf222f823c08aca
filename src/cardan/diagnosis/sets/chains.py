"""A tree as joints between bodies that masses see in full: where its coordinates are singular, joint by joint.

Several elementary motions with nothing heavy between them (three slides and three turns of a free body, the two turns
of a universal joint) are one joint. Each is a map from its coordinates to the twist of one body on the next. M loses
rank exactly where one of these maps does: if all have full rank and a velocity is not zero, take a joint that moves and
whose ancestors rest; the body it carries moves, and has energy. If one has not, its null direction moves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp

from cardan.diagnosis.manifold.observers import LinkMass, link_masses
from cardan.geometry import matrix as m3
from cardan.geometry.rotation import about
from cardan.kinematics.lifted import LiftedTree
from cardan.kinematics.tree import WORLD, Link
from cardan.model.model import Model
from cardan.model.motions import Triple
from cardan.model.variables import QuaternionVariable

UNITS: tuple[Triple, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True)
class Chain:
    """A joint made of elementary ones: places among the velocities, and d(twist)/d(velocities), 6 by as many."""

    velocities: tuple[int, ...]
    twists: sp.Matrix


def chains_of(model: Model, tree: LiftedTree) -> list[Chain] | None:
    """The joints between bodies that masses see in full; None where a tree is not made of these."""
    if model.is_typed:
        return None
    links, masses = tree.tree.links, link_masses(model, tree)
    grouped = _groups(links, masses, model)
    if grouped is None:
        return None
    found: list[Chain] = []
    used: set[int] = set()
    for group in grouped:
        made = _chain(model, [links[k] for k in group])
        if made is None or used & set(made.velocities):
            return None
        used |= set(made.velocities)
        found += [made] if made.velocities else []
    return found if used == set(range(len(model.v))) else None


def _groups(links: list[Link], masses: list[LinkMass], model: Model) -> list[list[int]] | None:
    """Links in the order of their parents, cut behind those whose motion masses see in full."""
    open_ends: dict[int, list[int]] = {}
    closed: list[list[int]] = []
    for k, (link, mass) in enumerate(zip(links, masses, strict=True)):
        group = [*open_ends.pop(link.parent), k] if link.parent in open_ends else [k]
        if link.parent != WORLD and len(group) == 1 and not any(one[-1] == link.parent for one in closed):
            return None  # a light body that carries two others
        if mass.sees == "pose" or (len(group) == 1 and _moves_mass(link, mass, model)):
            closed.append(group)
        elif mass.sees != "nothing":
            return None  # what moves within a joint would have energy of its own
        else:
            open_ends[k] = group
    return None if open_ends else closed


def _moves_mass(link: Link, mass: LinkMass, model: Model) -> bool:
    """Whether a link has inertia against its own single motion."""
    if link.kind == "spin":
        return mass.turning_rank == 3
    axis = np.array([float(sp.sympify(x, strict=True).xreplace(model.values)) for x in link.axis])
    return (mass.m if link.kind == "slide" else mass.about(axis)) > 0


def _chain(model: Model, links: list[Link]) -> Chain | None:
    """The twist Jacobian along the axes of where the joint begins, about the place of the body it carries."""
    R, p = m3.diagonal((1, 1, 1)), (sp.S.Zero,) * 3
    columns: list[tuple[sp.Expr, tuple[Triple, Triple]]] = []  # (amount, (angular, linear about the origin))
    spun: list[tuple[Triple, Triple]] = []
    for k, link in enumerate(links):
        p = m3.add(p, m3.matvec(R, link.position))
        R = m3.matmul(R, link.rotation)
        if link.kind == "spin":
            if k + 1 < len(links):
                return None
            spun = [(axis, m3.cross(p, axis)) for axis in UNITS]
            continue
        amount = sp.sympify(link.variable, strict=True).subs(model.prescribed)
        axis = m3.matvec(R, link.axis)
        columns.append((amount, (axis, m3.cross(p, axis)) if link.kind == "turn" else ((0, 0, 0), axis)))
        if link.kind == "turn":
            R = m3.matmul(R, about(link.axis, amount))
        else:
            p = m3.add(p, m3.scale(amount, axis))
    return _with_columns(model, links, columns, spun)


def _with_columns(
    model: Model,
    links: list[Link],
    columns: list[tuple[sp.Expr, tuple[Triple, Triple]]],
    spun: list[tuple[Triple, Triple]],
) -> Chain:
    places, entries = [], []
    at = 0
    for one in model.free:
        if isinstance(one, QuaternionVariable):
            if spun and one.name == links[-1].variable:
                places += [at, at + 1, at + 2]
                entries += [sp.Matrix(6, 1, [*w, *v]) for w, v in spun]
            at += 3
            continue
        for q in one.configuration:
            if any(q in amount.free_symbols for amount, _ in columns):
                places.append(at)
                total = sp.zeros(6, 1)
                for amount, (w, v) in columns:
                    total += sp.diff(amount, q) * sp.Matrix(6, 1, [*w, *v])
                entries.append(total)
            at += 1
    twists = sp.Matrix.hstack(*entries) if entries else sp.zeros(6, 0)
    return Chain(tuple(places), twists)
