"""What an audit costs beside the run it judges: `python -m tools.audit_cost`.

CPU times of one process, best of several, with everything compiled; audits are made with all their lines, each of a run
that has not been looked at yet. The table goes into docs/audit.md.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

from sympy import cos, sin

import cardan as cd

ROUNDS = 7


@dataclass(frozen=True)
class Case:
    """A system and how it is simulated."""

    name: str
    system: cd.System
    duration: float
    options: dict[str, Any] = field(default_factory=dict)

    def simulate(self) -> cd.Run:
        return self.system.simulate(self.duration, **self.options)


def chain(links: int) -> cd.System:
    """Uniform rods on hinges, one on the other."""
    s = cd.System(f"{links} rods")
    rod: Any = None
    for k in range(links):
        angle = s.coordinates(f"a{k + 1}", on="S1")
        at = (1, 0, 0) if rod is not None else (0, 0, 0)
        rod = s.body(
            f"rod{k}", mass=1, inertia=1 / 12, com=(0.5, 0, 0), at=at, parent=rod, joint=cd.Revolute("z", angle)
        )
    s.gravity(-9.81 * s.world.y)
    return s


def damped() -> cd.System:
    """A pendulum with a motor whose moment changes with time, and a damper."""
    s = cd.System("driven")
    a = s.coordinates("a", on="S1")
    s.body("rod", mass=1, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-9.81 * s.world.y)
    s.generalized_force(a, cos(3 * s.time) - a.dot / 10)
    return s


def four_bar() -> cd.System:
    """Three rods that close a loop with the ground."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    for rod, angle in (("crank", a), ("coupler", b), ("rocker", c)):
        x, y = {"crank": (0, 0), "coupler": (cos(a), sin(a)), "rocker": (3, 0)}[rod]
        length = {"crank": 1, "coupler": 3, "rocker": 2}[rod]
        middle = (x + length * cos(angle) / 2) * s.world.x + (y + length * sin(angle) / 2) * s.world.y
        s.particle(rod, mass=1, position=middle)
    s.constrain(cos(a) + 3 * cos(b) - 2 * cos(c) - 3, name="along")
    s.constrain(sin(a) + 3 * sin(b) - 2 * sin(c), name="across")
    s.gravity(-9.81 * s.world.y)
    return s


def on_a_circle(swell: float = 0.0) -> cd.System:
    """A particle held at a distance from the origin that may change with time."""
    s = cd.System("particle on a circle")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1, position=x * s.world.x + y * s.world.y)
    s.gravity(-9.81 * s.world.y)
    s.constrain(x**2 + y**2 - (1 + swell * sin(3 * s.time)) ** 2, name="rod")
    return s


def sleigh() -> cd.System:
    """A blade that does not move sideways."""
    s = cd.System("sleigh")
    x, y, yaw = s.coordinates("x y yaw")
    s.kinetic_energy((x.dot**2 + y.dot**2 + yaw.dot**2) / 2 + yaw.dot * (y.dot * cos(yaw) - x.dot * sin(yaw)) / 4)
    s.constrain_velocity(x.dot * sin(yaw) - y.dot * cos(yaw), name="blade")
    return s


def top() -> cd.System:
    """A heavy top on a ball joint in Euler angles, followed with a quaternion."""
    s = cd.System("top")
    angles = cd.Euler("3-1-3", *s.coordinates("f th psi", on="S1"))
    s.body("top", mass=1, inertia=(1.0, 1.0, 0.4), com=(0, 0, 1), joint=cd.Ball(angles))
    s.gravity(-9.81 * s.world.z)
    return s


def ball() -> cd.System:
    """A ball that jumps on a floor."""
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("P", mass=1, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0.8, name="floor")
    return s


def cases() -> list[Case]:
    """Systems of every kind whose runs last milliseconds."""
    return [
        Case("pendulum, 10 s", chain(1), 10.0, {"q": [1.0]}),
        Case("driven and damped pendulum, 10 s", damped(), 10.0, {"q": [1.0]}),
        Case("double pendulum, 3 s", chain(2), 3.0, {"q": [1.0, 0.5]}),
        Case("double pendulum, RK4, 3 s", chain(2), 3.0, {"q": [1.0, 0.5], "method": "RK4", "step": 1e-3}),
        Case("double pendulum, Radau, 3 s", chain(2), 3.0, {"q": [1.0, 0.5], "method": "Radau"}),
        Case("10 rods, 3 s", chain(10), 3.0, {"q": [0.3] * 10}),
        Case("particle on a circle, 10 s", on_a_circle(), 10.0, {"q": [1.0, 0.0]}),
        Case("the same, radius changes with time", on_a_circle(0.2), 10.0, {"q": [1.0, 0.0], "v": [0.6, 0.0]}),
        Case("four-bar, 3 s", four_bar(), 3.0, {"q": [1.217113, 0.359682, 1.493528]}),
        Case("sleigh (no sideways velocity), 10 s", sleigh(), 10.0, {"v": [1.0, 0.0, 0.5]}),
        Case("top in Euler angles, 3 s", top(), 3.0, {"q": [0.0, 0.4, 0.0], "v": [0.0, 0.0, 20.0]}),
        Case("ball that jumps, 3 s", ball(), 3.0, {"q": [1.0]}),
    ]


def audited(run: cd.Run, quick: bool = False) -> float:
    """CPU seconds of an audit with all its lines."""
    begun = time.process_time()
    assert run.audit(quick=quick, budget=100).lines
    return time.process_time() - begun


def simulated(case: Case) -> float:
    """CPU seconds of the run."""
    begun = time.process_time()
    case.simulate()
    return time.process_time() - begun


def measured(case: Case, rounds: int = ROUNDS) -> tuple[float, float, float]:
    """CPU seconds of the run, of its full audit, and of a quick one: the least of several."""
    audited(case.simulate())
    runs = [simulated(case) for _ in range(rounds)]
    full, quick = ([audited(case.simulate(), one) for _ in range(rounds)] for one in (False, True))
    return min(runs), min(full), min(quick)


def main() -> None:
    """Print the table, all of it or the cases whose names contain a word."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("word", nargs="?", default="")
    word = parser.parse_args().word
    print("| run | ms | audit | quick |\n|---|---|---|---|")
    for case in cases():
        if word in case.name:
            run, full, quick = measured(case)
            print(f"| {case.name} | {1e3 * run:.2f} | {full / run:.0%} | {quick / run:.0%} |", flush=True)


if __name__ == "__main__":
    main()
