"""Limits of joints as stops of the system."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import sympy as sp

from cardan.errors import ModelError
from cardan.geometry import matrix as m3
from cardan.model.frames import Frame, Vector
from cardan.model.joint import Joint
from cardan.model.motions import Matrix3
from cardan.model.stops import Cone

if TYPE_CHECKING:
    from cardan.model.description import Description


def add_limits(
    description: Description, joint: Joint, name: str, base: Frame, body: Frame, rotation: Matrix3 | None = None
) -> None:
    """Make the limits of a joint between two frames stops called ``name_limit``.

    ``rotation`` is how the joint is placed in ``base``: the axis at rest is turned by it.
    """
    for limit in joint.limits(name):
        label = f"{name}_limit"
        angle = description.expression(limit.angle, f"Limit of {name!r}", moving=False)
        number = description.number(angle)
        if not 0 < number < math.pi:
            raise ModelError(
                f"Limit of {name!r} is {number:g}; give an angle between 0 and pi (radians). A joint that cannot swing "
                "at all is cd.Revolute.",
                name=name,
            )
        restitution = description.expression(limit.restitution, f"Restitution of {label!r}", moving=False)
        description.check_coefficients(label, restitution, sp.Integer(0))
        description.claim(label, f"stop {label!r}")
        rest = limit.axis if rotation is None else m3.matvec(rotation, limit.axis)
        cone = Cone(label, Vector({base: rest}), Vector({body: limit.axis}), angle, restitution, sp.Integer(0))
        description.stops.append(cone)
