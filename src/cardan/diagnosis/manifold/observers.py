"""What the masses on each link see of its motion: its pose, its orientation, the place of a point, a direction.

The representative particle of a system, Hemingway & O'Reilly (15), is made of what masses see; a massless gimbal
sees nothing, and its angle matters only through what it carries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.kinematics.lifted import LiftedTree
from cardan.model.model import Model
from cardan.model.variables import QuaternionVariable

Vector = NDArray[np.float64]

NOTHING = 1e-12  # of the largest moment of inertia of a link: rounding


@dataclass(frozen=True)
class LinkMass:
    """Mass, centre of mass and inertia about it of everything fixed to one link, along the link's axes."""

    m: float
    centre: Vector
    inertia: Vector

    @property
    def moments(self) -> Vector:
        return np.asarray(np.linalg.eigvalsh(self.inertia), dtype=float)

    def about(self, axis: Vector) -> float:
        """Moment of inertia about an axis through the link's origin; zero where rounding is all there is."""
        c, along = self.centre, float(axis @ self.inertia @ axis)
        total = along + self.m * (float(c @ c) - float(axis @ c) ** 2)
        return total if total > NOTHING * (float(self.moments[-1]) + self.m * float(c @ c)) else 0.0

    @property
    def turning_rank(self) -> int:
        """3: every rotation moves mass; 2: all but one axis (a rod); 0: a point."""
        moments = self.moments
        return int(np.sum(moments > NOTHING * moments[-1])) if moments[-1] > 0 else 0

    @property
    def axis(self) -> Vector:
        """The direction of a rod."""
        return np.asarray(np.linalg.eigh(self.inertia)[1][:, 0], dtype=float)

    @property
    def sees(self) -> str:
        """ "pose", "rotation", "position", "direction", "position and direction" or "nothing"."""
        turning = {3: "rotation", 2: "direction", 1: "direction", 0: ""}[self.turning_rank]
        if self.m > 0:
            return {"rotation": "pose", "direction": "position and direction", "": "position"}[turning]
        return turning or "nothing"


def link_masses(model: Model, tree: LiftedTree) -> list[LinkMass]:
    """The mass properties of every link, in numbers."""
    return [_numbers(model, link.inertia) for link in tree.links]


def _numbers(model: Model, inertia: object) -> LinkMass:
    def number(x: object) -> float:
        return float(sp.sympify(x, strict=True).xreplace(model.values))

    m = number(inertia.m)  # type: ignore[attr-defined]
    h = np.array([number(x) for x in inertia.h])  # type: ignore[attr-defined]
    J = np.array([[number(x) for x in row] for row in inertia.J])  # type: ignore[attr-defined]
    if m <= 0:
        return LinkMass(0.0, np.zeros(3), J)
    c = h / m
    about = J - m * (float(c @ c) * np.eye(3) - np.outer(c, c))
    about[np.abs(about) < 1e-13 * max(float(np.max(np.abs(J))), 1e-300)] = 0.0
    return LinkMass(m, c, about)


def every_joint_moves_its_own_mass(model: Model, tree: LiftedTree) -> bool:
    """Whether M is positive definite for this reason alone (docs/theory/singular-sets.md).

    Of the joints that move, take one whose ancestors rest: its link turns about its own axis or slides, and where that
    link has inertia of its own against this motion, T > 0. It is also needed that a motion moves some joint.
    """
    if model.is_typed:
        return False
    free = set(model.q)
    slopes = []
    for link, mass in zip(tree.tree.links, link_masses(model, tree), strict=True):
        if link.kind == "spin":
            if mass.turning_rank < 3:
                return False
            continue
        amount = sp.sympify(link.variable, strict=True).subs(model.prescribed)
        if not amount.free_symbols & free:
            continue
        row = [sp.diff(amount, q) for q in _lengths_and_angles(model)]
        if any(x.free_symbols & {*free, model.time} for x in row):
            return False
        axis = np.array([float(sp.sympify(x, strict=True).xreplace(model.values)) for x in link.axis])
        own = mass.m if link.kind == "slide" else mass.about(axis)
        if own <= 0:
            return False
        slopes.append([float(x.xreplace(model.values)) for x in row])
    count = len(_lengths_and_angles(model))
    return count == 0 or (bool(slopes) and int(np.linalg.matrix_rank(np.array(slopes))) == count)


def _lengths_and_angles(model: Model) -> list[object]:
    return [q for one in model.free if not isinstance(one, QuaternionVariable) for q in one.configuration]
