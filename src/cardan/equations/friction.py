"""What friction needs of the equations, as graph nodes: sliding velocities, coefficients, and what presses."""

from __future__ import annotations

from cardan.equations.energies import number
from cardan.equations.reactions import bearers
from cardan.equations.reduced import Dynamics
from cardan.equations.unplaced import movers, unplaced
from cardan.errors import ModelError, UnknownName
from cardan.geometry import matrix as m3
from cardan.geometry.axis import unit_axis
from cardan.geometry.scalar import minus, negative, times
from cardan.graph import Node, jacobian, live
from cardan.kinematics.space import Number
from cardan.model.bodies import Body
from cardan.model.friction import Friction

ZERO3: tuple[Number, ...] = (0, 0, 0)


def sliding(d: Dynamics) -> list[Node]:
    """Per friction: the sliding velocity s, and the coefficients of sliding and of sticking (times the radius)."""
    refuse_misplaced(d)
    found = [
        d.space.lift(part)
        for one in d.model.rubbing
        for part in (one.sliding, one.coefficient, one.static)
    ]  # fmt: skip
    return d.impose(found)


def pushes(d: Dynamics) -> list[Node]:
    """Per friction: the generalized forces of a unit pressing force (n numbers each)."""
    table = jacobian(d.bias, [d.space.nodes[one.pressing] for one in d.model.rubbing])
    return d.space.all_nodes(negative(number(row[k])) for k in range(len(d.model.rubbing)) for row in table)


def bends(d: Dynamics) -> bool:
    """Whether some generalized force is not linear in what presses."""
    presses = {d.space.nodes[one.pressing] for one in d.model.rubbing}
    return bool(presses & set(live(pushes(d))))


def refuse_misplaced(d: Dynamics) -> None:
    """Pressing forces may stand in forces; nothing else may depend on what the motion has yet to give."""
    own = {d.space.nodes[one.pressing]: one.name for one in d.model.rubbing}
    nodes = d.space.all_nodes([row.rate for row in d.full.rows] + [d.full.kinetic, d.full.potential])
    found = sorted(own[node] for node in set(own) & set(live(nodes)))
    if found:
        raise ModelError(
            f"{found[0]!r} is a pressing force, which the motion gives; it stands in an energy or a constraint. Use it "
            "in forces, moments and generalized forces only.",
            name=found[0],
        )
    beside = [one.name for one in d.model.rubbing if one.body is not None]
    laws = [
        one for load in d.model.loads if load.follows_law for parts in load.along[0].terms.values() for one in parts
    ]
    held = {one.pressing for one in d.model.rubbing}
    if beside and any(held & set(getattr(one, "free_symbols", ())) for one in laws):
        raise ModelError(
            f"Friction {beside[0]!r} is pressed by what a joint transmits, and the law of a load depends on a pressing "
            "force too. Name the constraints that press, normal='...', or give the law as a generalized force.",
            name=beside[0],
        )


def pressing(d: Dynamics) -> list[Node]:
    """Per friction: three numbers, in terms of (q, v, vd, lam, t), whose length is the pressing force."""
    return d.impose([part for one in d.model.rubbing for part in _pressing(d, one)])


def stick_rows(d: Dynamics) -> list[int]:
    """Per friction: the index of the constraint row that holds it while it sticks, -1 where it never does."""
    names = [row.name for row in d.full.rows]
    return [names.index(one.name) if one.is_exact else -1 for one in d.model.rubbing]


def _pressing(d: Dynamics, friction: Friction) -> tuple[Number, ...]:
    if friction.normal is not None:
        return (d.space.lift(friction.normal), 0, 0)
    if friction.body is not None:
        return _across_the_joint(d, friction)
    chosen = [k for k, row in enumerate(d.full.rows) if {row.name, row.constraint.name} & set(friction.rows)]
    chosen = [k for k in chosen if not d.full.rows[k].actions or d.full.rows[k].actions[0].kind == "force"]
    if not 1 <= len(chosen) <= 3:
        known = ", ".join(row.name for row in d.full.rows) or "none"
        raise UnknownName(
            f"Friction {friction.name!r} is pressed by {', '.join(friction.rows)}, which names {len(chosen)} "
            f"constraint forces; expected one to three. Known: {known}.",
            name=friction.name,
        )
    parts: list[Number] = [d.lam[k] for k in chosen]
    return (*parts, *[0] * (3 - len(parts)))


def _across_the_joint(d: Dynamics, friction: Friction) -> tuple[Number, ...]:
    """The force that the joint of a body transmits, without its part along the axis; world components.

    All that the constraints do to the bodies and particles carried by it, less what other constraints do to them.
    """
    body = friction.body
    assert body is not None
    pin = body.joint.pin
    if pin is None:
        raise ModelError(
            f"Friction {friction.name!r}: the joint of {body.name!r} is {type(body.joint).__name__}; the transmitted "
            "force is taken across the axis of a Revolute, Prismatic or Cylindrical joint. Give normal= an expression "
            "instead."
        )
    _refuse_unplaced(d, friction, body)
    force: tuple[Number, ...] = ZERO3
    carried = {one.name for one in (*d.model.bodies, *d.model.particles) if body.frame in one.frame.path}
    for name, parts in d.reaction_parts():
        if name in carried:
            force = m3.add(force, tuple(parts[:3]))
    tree = d.full.lifted
    borne = bearers(d.model, tree)
    for pull in d.elements:  # on massless frames that move: a part of no body, but carried all the same
        if pull.frame not in borne and body.frame in pull.frame.path:
            force = m3.subtract(force, pull.force)
    for lam, row in zip(d.lam, d.full.rows, strict=True):
        for action in row.actions:
            if action.kind == "force" and body.frame in action.frame.path:
                force = m3.subtract(force, m3.scale(lam, action.direction))
    R, _ = tree.pose(body.frame)
    axis = m3.matvec(R, unit_axis(pin))
    along = m3.dot(force, axis)
    return tuple(minus(f, times(along, a)) for f, a in zip(force, axis, strict=True))


def _refuse_unplaced(d: Dynamics, friction: Friction, body: Body) -> None:
    """What was typed without a place may act on what the joint carries, and nobody can say where."""
    carried = [one.frame for one in (*d.model.bodies, *d.model.particles) if body.frame in one.frame.path]
    moving = frozenset(name for frame in carried for name in movers(d.model, frame))
    for one in unplaced(d.model, constraints=True):
        if one.along & moving:
            raise ModelError(
                f"Friction {friction.name!r} is pressed by what the joint of {body.name!r} transmits, and {one.words} "
                "was typed without a place: whether the joint carries it cannot be known. Say where it acts with "
                "s.gravity, s.force, s.moment(..., against=), s.spring, s.damper or s.connect, or give the friction "
                "normal= an expression.",
                name=friction.name,
                body=body.name,
            )
