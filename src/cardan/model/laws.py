"""Forces and moments that follow a law of the state: drag, viscous moments, and bushings of six components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from cardan.errors import ModelError, WrongShape
from cardan.geometry import matrix as m3
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point, Vector, rotation_from_to
from cardan.model.given import Amount
from cardan.model.loads import Load
from cardan.model.motions import Triple

if TYPE_CHECKING:
    from cardan.model.description import Description


@dataclass(frozen=True, eq=False)
class Bushing:
    """A bushing as it was stated; what it does are the ``loads`` of these names."""

    name: str
    first: Point
    second: Point
    stiffness: Triple
    damping: Triple
    loads: tuple[str, str]


def add_law(
    description: Description,
    name: str,
    kind: str,
    on: Body | Particle,
    at: Point,
    law: Vector,
    along: Vector | None = None,
    against: Point | None = None,
) -> None:
    """A force or moment whose vector the state gives, refused unless it is made of what the system knows."""
    what = f"{kind} {name!r}"
    if along is not None:
        raise ModelError(f"{what}: give along= (and a magnitude when it is used) or law=, not both.", name=name)
    if not isinstance(law, Vector):
        raise ModelError(f"{what}: law= needs a vector such as -c*body.omega, found {law!r}.", name=name)
    for frame in (at.frame, *law.terms, *([against.frame] if against else ())):
        description.own_frame(frame, what)
    parts = {
        frame: tuple(description.expression(part, f"Law of {what}") for part in components)
        for frame, components in law.terms.items()
    }
    description.claim(name, what)
    other = None if against is None else against.frame
    description.add_load(Load(name, kind, on, at, (), (Vector(parts),), other, against))


def add_bushing(
    description: Description,
    first: Point,
    second: Point,
    stiffness: Sequence[Amount],
    damping: Sequence[Amount],
    name: str,
) -> None:
    """Springs and dampers against three displacements and three turns of ``second``, along the axes of ``first``.

    With d and w the displacement and angular velocity seen from the first frame, and p = 2 sin(angle / 2) axis, the
    stored energy is (d.K d + p.Kt p) / 2, so that

        F = -K d - C d'        tau = -(e_w Kt p + p x Kt p / 2) - Ct w

    act on the second, and the opposite of both on the first, at the same place.
    """
    label = name or f"bushing{len(description.bushings) + 1}"
    what = f"bushing {label!r}"
    K, C = (_six(description, given, what) for given in (stiffness, damping))
    holder, body = first.frame, _body_at(description, second.frame, what)
    description.own_frame(holder, what)
    d, R = second - first, rotation_from_to(second.frame, holder)
    offset, rate = d.express(holder), d.rate(holder).express(holder)
    force = tuple(-k * x - c * v for k, c, x, v in zip(K[:3], C[:3], offset, rate, strict=True))
    place = Point(holder, m3.add(first.position, offset))  # of the first frame, where the second point is now
    add_law(description, label, "force", body, second, holder.vector(*force), None, place)
    spin = second.frame.omega(relative_to=holder).express(holder)
    moment = tuple(-a - c * w for a, c, w in zip(_twisting(K[3:], R), C[3:], spin, strict=True))
    add_law(
        description, f"{label}_turning", "moment", body, second.frame.origin, holder.vector(*moment), None,
        holder.origin,
    )  # fmt: skip
    description.bushings.append(Bushing(label, first, second, K, C, (label, f"{label}_turning")))


def _twisting(K: Triple, R: m3.Matrix) -> Triple:
    """e_w K p + p x K p / 2 of the rotation R, with a = sin(angle) axis:  K a + 2 a x K a / (1 + trace R)."""
    a = tuple(sp.sympify(R[i][j] - R[j][i]) / 2 for i, j in ((2, 1), (0, 2), (1, 0)))
    Ka = tuple(k * x for k, x in zip(K, a, strict=True))
    aside = tuple(sp.simplify(x) if K[0] == K[1] == K[2] else x for x in m3.cross(a, Ka))
    if all(x == 0 for x in aside):
        return Ka
    return tuple(x + 2 * y / (1 + m3.trace(R)) for x, y in zip(Ka, aside, strict=True))


def _six(description: Description, given: Sequence[Amount], what: str) -> Triple:
    if len(given) != 6:
        raise WrongShape(f"{what} needs six numbers, three along and three about the axes; found {len(given)}.")
    return tuple(description.expression(one, what, velocities=False) for one in given)


def _body_at(description: Description, frame: Frame, what: str) -> Body | Particle:
    """What is carried by a frame, or the body that carries it."""
    things: list[Body | Particle] = [*description.bodies, *description.particles]
    for one in reversed(frame.path):
        for thing in things:
            if thing.frame is one:
                return thing
    raise ModelError(f"{what}: no body carries {frame.name!r}; name the one that moves second.", name=frame.name)
