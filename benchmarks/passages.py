"""Mechanisms that pass through configurations where their constraints lose rank, and their exact motion.

Chains of N parallelograms: N + 1 cranks of unit length side by side, N couplers, masses all different (with equal ones
the loops carry no forces across the folds, and almost everything passes). As long as it is a parallelogram, such a
chain is a pendulum, I add = -P cos(a), whatever its masses; at a = 0 and a = pi it is folded flat, and at each of these
places N + 1 other motions begin. What comes out there tells which one a tool took.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.mechanism import GROUND, Link, Mechanism, Pin, States, Table, Triple

Z: Triple = (0.0, 0.0, 1.0)
GRAVITY = 9.81
SPAN = 10.0
STARTS = {"upright": (np.pi / 2, -1.0), "folded": (0.0, 2.0)}  # angle and rate of the cranks
THIN = 1e-4  # rotary inertia of a bar about itself, kg m^2; MuJoCo and Drake want it positive
ON_BRANCH = 0.1  # radians between cranks, up to which the chain is still a parallelogram


def masses(N: int) -> tuple[Table, Table]:
    """Masses of cranks and couplers in kg, no two neighbours alike."""
    return 1.0 + 0.37 * (7 * np.arange(N + 1) % 5), 0.5 + 0.29 * (3 * np.arange(N) % 4)


def _bar(mass: float, parent: int, at: Triple) -> Link:
    J = mass / 12
    return Link(parent, at, Z, mass, (0.5, 0.0, 0.0), (THIN, J, J))


def chain(N: int, start: str, *, hinged: bool = False) -> Mechanism:
    """The chain; ``hinged``: its bodies and joints are those of space, every joint a hinge about z."""
    cranks, couplers = masses(N)
    angle, rate = STARTS[start]
    links = [_bar(float(m), GROUND, (float(i), 0.0, 0.0)) for i, m in enumerate(cranks)]
    links += [_bar(float(m), i, (1.0, 0.0, 0.0)) for i, m in enumerate(couplers)]
    tip: Triple = (1.0, 0.0, 0.0)
    pins = [Pin(N + 1 + i, tip, i + 1, tip) for i in range(N)]
    q = (angle,) * (N + 1) + (-angle,) * N  # couplers are turned relative to their cranks
    v = (rate,) * (N + 1) + (-rate,) * N
    name = f"{N} four-bar{'s' if N > 1 else ''}{' on hinges in space' if hinged else ''}, {start}"
    return Mechanism(name, links, pins, q, v, SPAN, (0.0, -GRAVITY, 0.0), planar=not hinged, hinged=hinged, size=1.0)


class Exact(NamedTuple):
    """The crank angle at the output times, and the largest kinetic energy."""

    a: Table
    K: float


def exact(N: int, start: str, outputs: int) -> Exact:
    """The pendulum, by SciPy."""
    cranks, couplers = masses(N)
    J, P = float(cranks.sum() / 3 + couplers.sum()), float(cranks.sum() / 2 + couplers.sum()) * GRAVITY
    times = np.linspace(0.0, SPAN, outputs + 1)
    made = solve_ivp(
        lambda t, y: (y[1], -P / J * np.cos(y[0])), (0.0, SPAN), STARTS[start], "DOP853", rtol=1e-13, atol=1e-13,
        t_eval=times,
    )  # fmt: skip
    return Exact(made.y[0], float(np.max(J * made.y[1] ** 2 / 2)))


class Judgement(NamedTuple):
    """How far a run followed the right branch, and its errors until it left it.

    ``left``: time at which the cranks were no longer parallel, or the end. Position error: largest distance of the tip
    of the first crank from that of the pendulum. Constraint error: largest opening of a pin.
    """

    left: float
    on_branch: bool
    position: float
    gap: float


def judge(mechanism: Mechanism, states: States, a: Table) -> Judgement:
    """The states of a run at equal times beside the exact crank angle."""
    N = len(mechanism.pins)
    along = states.R[:, : N + 1, :, 0]
    cosines = np.clip(np.sum(along * along[:, :1], axis=2), -1.0, 1.0)
    flat = np.abs(np.cross(along, along[:, :1])[..., 2])
    apart = np.max(np.where(cosines < 0, np.pi, np.arcsin(np.minimum(flat, 1.0))), axis=1)
    off = np.flatnonzero(~(apart < ON_BRANCH))
    last = len(apart) - 1 if not len(off) else int(off[0]) - 1
    times = np.linspace(0.0, mechanism.span, len(apart))
    tip = np.stack([np.cos(a), np.sin(a), np.zeros_like(a)], axis=1)
    position = float(np.max(np.linalg.norm(along[:, 0] - tip, axis=1)[: max(last, 0) + 1]))
    return Judgement(float(times[max(last, 0)]), not len(off), position, float(np.max(opening(mechanism, states))))


def opening(mechanism: Mechanism, s: States) -> Table:
    """The largest distance of two points that should coincide, joints of the tree included, at every time."""
    found = []
    for k, link in enumerate(mechanism.links):
        own = s.x[:, k] - s.R[:, k] @ np.array(link.com)
        if link.parent == GROUND:
            found.append(own - np.array(link.at))
        else:
            found.append(own - _place(mechanism, s, link.parent, link.at))
    for pin in mechanism.pins:
        found.append(_place(mechanism, s, pin.first, pin.at_first) - _place(mechanism, s, pin.second, pin.at_second))
    return np.asarray(np.max(np.linalg.norm(np.array(found), axis=2), axis=0))


def _place(mechanism: Mechanism, s: States, link: int, at: Triple) -> Table:
    return np.asarray(s.x[:, link] + s.R[:, link] @ (np.array(at) - np.array(mechanism.links[link].com)))
