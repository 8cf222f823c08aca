"""Constraints, friction and stops of a description as data of a model file."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from cardan.formats import say_pieces as say
from cardan.formats.document import Data, Entry
from cardan.formats.expression_text import said
from cardan.model import constraints as kinds
from cardan.model.frames import Frame
from cardan.model.friction import GIVEN
from cardan.model.shapes import Sphere
from cardan.model.stops import AnyStop, Cone, Contact, ContactOver, Stop
from cardan.model.surfaces import ConeSurface, CylinderSurface, RoundSurface, SphereSurface

if TYPE_CHECKING:
    from cardan.model.description import Description
    from cardan.model.friction import Friction


def constraints_of(d: Description) -> list[Data]:
    """All constraints but those that hold friction that sticks, which come with it."""
    owned = {one.name for one in d.frictions}
    return [
        {**_constraint(one), "name": say.label(one.name, f"constraint {one.name!r}")}
        for one in d.constraints
        if one.name not in owned
    ]


@singledispatch
def _constraint(one: kinds.Constraint) -> Entry:
    raise TypeError(f"nothing writes a {type(one).__name__}")


@_constraint.register(kinds.Holonomic)
def _holonomic(one: kinds.Holonomic) -> Entry:
    return {"kind": "holonomic", "expression": said(one.expression)}


@_constraint.register(kinds.VelocityConstraint)
def _velocity(one: kinds.VelocityConstraint) -> Entry:
    return {"kind": "velocity", "expression": said(one.expression)}


@_constraint.register(kinds.Connection)
def _connection(one: kinds.Connection) -> Entry:
    what = f"connection {one.name!r}"
    found: Entry = {"kind": "connect", "first": say.point(one.first), "second": say.point(one.second)}
    found["joint"] = say.joint(one.joint, what)
    return found | ({} if one.second_axis is None else {"second_axis": say.axis(one.second_axis, what)})


@_constraint.register(kinds.Distance)
def _distance(one: kinds.Distance) -> Entry:
    ends: Entry = {"first": say.point(one.first), "second": say.point(one.second)}
    return {"kind": "distance", **ends, "length": said(one.length)}


@_constraint.register(kinds.NoSlip)
def _no_slip(one: kinds.NoSlip) -> Entry:
    found: Entry = {"kind": "no_slip", "on": say.frame_name(one.on), "along": say.vector(one.along)}
    found["point"] = say.point(one.point)
    return found | ({} if one.relative_to is None else {"relative_to": say.frame_name(one.relative_to)})


@_constraint.register(kinds.NoSpin)
def _no_spin(one: kinds.NoSpin) -> Entry:
    found: Entry = {"kind": "no_spin", "on": say.frame_name(one.on), "about": say.vector(one.about)}
    return found | ({} if one.relative_to is None else {"relative_to": say.frame_name(one.relative_to)})


@_constraint.register(kinds.Rolling)
def _rolling(one: kinds.Rolling) -> Entry:
    what = f"rolling {one.name!r}"
    found: Entry = {"kind": "roll", "body": say.frame_name(one.body.frame)}
    found["on"] = say.plane(one.surface, one.normal, one.height, what)
    found |= {"shape": say.shape(one.shape, what), "at": say.triple(one.body.centre.position), "spins": one.spins}
    return found


@_constraint.register(kinds.RollingOver)
def _rolling_over(one: kinds.RollingOver) -> Entry:
    what, surface = f"rolling {one.name!r}", _round(one.over, one.surface, f"rolling {one.name!r}")
    found: Entry = {"kind": "roll", "body": say.frame_name(one.body.frame), "on": surface, "spins": one.spins}
    return found | {"shape": say.shape(one.shape, what), "at": say.triple(one.body.centre.position)}


def _round(over: RoundSurface, frame: Frame, what: str) -> Entry:
    surface: Entry = {"of": say.frame_name(frame), "inside": over.inside}
    match over:
        case CylinderSurface():
            surface |= {"kind": "cylinder", "radius": said(over.radius), "axis": say.axis(over.axis, what)}
        case ConeSurface():
            surface |= {"kind": "cone", "angle": said(over.angle), "axis": say.axis(over.axis, what)}
        case SphereSurface():
            surface |= {"kind": "sphere", "radius": said(over.radius), "pole": say.axis(over.pole, what)}
    return surface


# --- friction --------------------------------------------------------------------------------------


def frictions_of(d: Description) -> list[Data]:
    """Friction as it was given."""
    return [_friction(one) for one in d.frictions if one.law != GIVEN]


def pressing_of(d: Description) -> Entry:
    """Pressing forces with the constraints that press."""
    given = [one for one in d.frictions if one.law == GIVEN]
    return {one.name: [say.label(row, "a constraint") for row in one.rows] for one in given}


def _friction(one: Friction) -> Entry:
    found: Entry = {"on": said(one.sliding), "law": one.law, "name": say.label(one.name, f"friction {one.name!r}")}
    found |= {key: said(value) for key, value in one.given}
    if one.body is not None:
        found["normal"] = {"body": say.thing(one.body)}
    elif one.rows:
        found["normal"] = {"constraints": [say.label(row, "a constraint") for row in one.rows]}
    else:
        found["normal"] = said(one.normal)
    return found


# --- stops -----------------------------------------------------------------------------------------


def stops_of(d: Description) -> list[Data]:
    """All stops but the limits of joints, which come with these."""
    return [
        {**_stop(one), "name": say.label(one.name, f"stop {one.name!r}")}
        for one in d.stops
        if not isinstance(one, Cone)
    ]


@singledispatch
def _stop(one: AnyStop) -> Entry:
    raise TypeError(f"nothing writes a {type(one).__name__}")


@_stop.register(Stop)
def _gap(one: Stop) -> Entry:
    found: Entry = {"kind": "gap", "gap": said(one.gap), "restitution": said(one.restitution)}
    found["friction"] = said(one.friction)
    return found | ({"slip": [said(slip) for slip in one.slips]} if one.slips else {})


@_stop.register(ContactOver)
def _contact_over(one: ContactOver) -> Entry:
    what = f"contact {one.name!r}"
    found: Entry = {"kind": "contact", "of": say.point(one.body.centre), "on": _round(one.over, one.surface, what)}
    found |= {"restitution": said(one.restitution), "friction": said(one.friction)}
    return found if one.shape == Sphere(0) else found | {"shape": say.shape(one.shape, what)}


@_stop.register(Contact)
def _contact(one: Contact) -> Entry:
    what = f"contact {one.name!r}"
    found: Entry = {"kind": "contact", "of": say.point(one.body.centre)}
    found["on"] = say.plane(one.surface, one.normal, one.height, what)
    found |= {"restitution": said(one.restitution), "friction": said(one.friction)}
    touches = one.shape == Sphere(0)
    return found if touches else found | {"shape": say.shape(one.shape, what)}
