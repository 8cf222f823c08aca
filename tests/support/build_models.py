"""A random plan said with the public API."""

from __future__ import annotations

from typing import Any

import numpy as np

import cardan as cd
from support.random_models import BodyPlan, Line, Plan


def build(plan: Plan) -> cd.System:
    """The System of a plan; masses and gravity are parameters, everything else is numbers."""
    s = cd.System("random tree")
    coordinates = {name: s.coordinates(name) for name in plan.coordinates if not plan.has_quaternions}
    value: dict[str, Any] = {"t": s.time, **coordinates}
    bodies: list[Any] = []
    for body in plan.bodies:
        _declare(s, body, plan, value)
        mass = s.parameters(**{f"m_{body.name}": body.mass})
        bodies.append(
            s.body(
                body.name,
                mass=mass,
                inertia=body.inertia,
                com=body.com,
                at=_placement(body),
                parent=None if body.parent < 0 else bodies[body.parent],
                joint=_joint(body, value),
            )
        )
    g = s.parameters(g_scale=1.0)
    s.gravity(g * s.world.vector(*plan.gravity))
    carriers = [*bodies, s.world]  # index -1 is the world
    for spring in plan.springs:
        s.spring(*_ends(spring, carriers), stiffness=spring.coefficient, length=spring.length)
    for damper in plan.dampers:
        s.damper(*_ends(damper, carriers), coefficient=damper.coefficient)
    for load in plan.loads:
        along = carriers[load.carrier].vector(*load.direction)
        if load.kind == "force":
            s.force(load.name, on=bodies[load.body].point(*load.point), along=along)
        else:
            against = None if load.against is None else carriers[load.against]
            s.moment(load.name, on=bodies[load.body], along=along, against=against)
    assert [one.name for one in s.model.variables] == plan.variables
    return s


def _declare(s: cd.System, body: BodyPlan, plan: Plan, value: dict[str, Any]) -> None:
    """Coordinates of one body, in the order of the plan; quaternions are declared by the joint itself."""
    names = [one.name for one in body.options.get("amounts", [])] + list(body.options.get("angles", []))
    for name in sorted((name for name in names if name not in value), key=plan.variables.index):
        value[name] = s.coordinates(name)


def _placement(body: BodyPlan) -> Any:
    if not body.steps or body.steps[0].kind != "place":
        return None
    place = body.steps[0]
    return place.position if place.rotation is None else (place.position, np.asarray(place.rotation))


def _joint(body: BodyPlan, value: dict[str, Any]) -> Any:
    o = body.options
    s = [one.of(value) for one in o.get("amounts", [])]
    match body.joint:
        case "Fixed":
            return cd.Fixed()
        case "Revolute":
            return cd.Revolute(o["axis"], *s)
        case "Prismatic":
            return cd.Prismatic(o["axis"], *s)
        case "Cylindrical":
            return cd.Cylindrical(o["axis"], *s)
        case "Universal":
            return cd.Universal(o["axes"][0], s[0], o["axes"][1], s[1])
        case "Planar":
            return cd.Planar(*s, normal=o["normal"])
    if "quaternion" in o:
        orientation: Any = cd.Quaternion(o["quaternion"])
    else:
        orientation = cd.Euler(o["convention"], *(value[name] for name in o["angles"]), space=o["space"])
    return cd.Free(*s, orientation) if s else cd.Ball(orientation)


def _ends(line: Line, carriers: list[Any]) -> tuple[Any, Any]:
    return carriers[line.first].point(*line.here), carriers[line.second].point(*line.there)


def magnitudes(plan: Plan) -> dict[str, float]:
    """Values of the named loads."""
    return {load.name: load.magnitude for load in plan.loads}
