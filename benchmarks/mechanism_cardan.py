"""Closed mechanisms in Cardan: bodies on joints, loops closed by ball joints, everything else at its default."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.mechanism import GROUND, Case, Mechanism, states_of_tree

SETTINGS = {"defaults": "Cardan"}


def system_of(mechanism: Mechanism) -> Any:
    """The mechanism as a System; the drive is a load named ``drive``."""
    import cardan as cd

    s = cd.System(mechanism.name)
    bodies: list[Any] = []
    for k, link in enumerate(mechanism.links):
        q = s.coordinates(f"q{k}", on="R" if link.slides else "S1")
        joint = cd.Prismatic(link.axis, q) if link.slides else cd.Revolute(link.axis, q)
        parent = None if link.parent == GROUND else bodies[link.parent]
        own = {"mass": link.mass, "com": link.com, "inertia": link.inertia}
        bodies.append(s.body(f"K{k}", joint=joint, parent=parent, at=link.at, **own))

    def point(link: int, at: Any) -> Any:
        return (s.world if link == GROUND else bodies[link]).point(*at)

    for pin in mechanism.pins:
        joint = cd.Revolute("z") if mechanism.hinged else cd.Ball()
        s.connect(point(pin.first, pin.at_first), point(pin.second, pin.at_second), joint)
    for spring in mechanism.springs:
        ends = point(spring.link, spring.at), point(GROUND, spring.ground)
        s.spring(*ends, stiffness=spring.stiffness, length=spring.length)
    x, y, z = mechanism.gravity
    s.gravity(x * s.world.x + y * s.world.y + z * s.world.z)
    if mechanism.drive:
        s.moment("drive", on=bodies[0], along=s.world.z)
    return s


def case(mechanism: Mechanism, setting: str, rtol: float, outputs: int) -> Case:
    """The motion at a tolerance (atol is in its usual proportion to rtol): the whole call of ``simulate``."""
    system = system_of(mechanism)
    times = np.linspace(0.0, mechanism.span, outputs + 1)
    given = {"q": mechanism.q, "v": mechanism.v, "loads": {"drive": mechanism.drive} if mechanism.drive else {}}

    def work() -> Any:
        return system.simulate(mechanism.span, **given, times=times, rtol=rtol, atol=1e-3 * rtol)

    work()
    return Case(lambda: None, work, lambda run: states_of_tree(mechanism, run.q, run.v))
