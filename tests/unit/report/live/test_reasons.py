"""Which motions a page can compute again, and what it says of the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import cardan as cd
from cardan.report.live.reasons import obstacle
from support import report_systems


def slider(events: str = "", terminal: bool = False, **options: object) -> cd.Run:
    s = cd.System("slider")
    x = s.coordinates("x")
    if events:
        expression = {"x": x, "t": s.time}[events[0]] - float(events[-3:])
        options["events"] = [cd.Event(expression, terminal=terminal)]
    body = s.body("body", mass=1.0, joint=cd.Prismatic("x", x))
    s.force("push", on=body, along=s.world.x)
    return s.simulate(0.5, v=[1.0], **options)


def bouncing(height: float = 1.0) -> cd.Run:
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("ball", mass=1.0, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0.5)
    return s.simulate(0.5, q=[height])


REASONS: dict[str, tuple[Callable[[], cd.Run], str]] = {
    "free": (slider, ""),
    "typed": (report_systems.typed, ""),
    "loop": (report_systems.four_bar, ""),
    "stop": (bouncing, ""),
    "resting": (lambda: bouncing(0.0), "stops"),
    "function": (lambda: slider(loads={"push": lambda t, q, v: 1.0}), "Python functions"),
    "event": (lambda: slider(events="x - 0.1", terminal=True), "events"),
    "watched": (lambda: slider(events="x - 0.1"), ""),
    "instant": (lambda: slider(events="t - 0.2"), "events"),
    "symplectic": (lambda: slider(method=cd.Symplectic(step=0.01)), "the method"),
}


@pytest.mark.parametrize("case", REASONS)
def test_a_motion_is_computed_in_the_page_unless_something_is_decided_in_python(case: str) -> None:
    make, words = REASONS[case]
    found = obstacle(make())
    assert words in found
    assert bool(found) == bool(words)
