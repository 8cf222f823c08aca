"""From what a user asks to periodic motions: a guess, or none; the period given, or sought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.asking import symmetries_of
from cardan.analysis.closing import Jump, JumpFunctions, between
from cardan.analysis.equilibria import IDLE, Limits
from cardan.analysis.families import Held
from cardan.analysis.periodic import PeriodicMotion
from cardan.analysis.place import refuse_what_has_no_derivative
from cardan.analysis.sampling import Box, guesses, is_inside, whole_turns
from cardan.analysis.shooting import Joined, Shots, first_guess, solved
from cardan.analysis.varied import varied
from cardan.equations.stops import stop_nodes
from cardan.errors import CardanError, ModelError, SimulationError, unknown
from cardan.graph import live
from cardan.singular.projection import project_velocity
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.request import read_request
from cardan.trajectory.settings import Loads, Settings, Values

Vector = NDArray[np.float64]

LOOKS = 4000  # at a motion, in the search for its first return
NEAR = 0.1  # of its largest distance from the start: the first time that it is so near, it has returned
LEFT = 0.5  # of its largest distance from the start: having been that far, it may return


@dataclass(frozen=True)
class Asked:
    """The arguments of ``s.periodic_motion``."""

    q: Values
    v: Values
    period: float | None
    within: float | None
    free: bool | None
    segments: int
    relative: bool
    jump: Jump | None
    hold: Held | None
    settle: float
    t0: float
    loads: Loads
    inputs: Loads


def periodic_motion(kernels: Kernels, asked: Asked) -> PeriodicMotion:
    """The periodic motion near a guess."""
    shots = _shots(kernels, asked)
    y = _start(kernels, asked)
    if asked.settle:
        y = shots.arc(y, asked.t0, asked.settle).end
    period = asked.period if asked.period is not None else _first_return(shots, y, asked.within)
    if not (period > 0 and np.isfinite(period)):
        raise ModelError(f"A period is positive, found {period!r}.", period=period)
    guess = first_guess(shots, y, float(period), asked.segments)
    found = solved(guess)
    if found is None:
        raise SimulationError(
            f"No periodic motion of {kernels.model.name!r} was reached from this start with the period {period:.6g}: "
            f"it misses itself by {guess.open:.3g} typical sizes there. Start nearer, let it settle= first, or take "
            "more segments=.",
            t=asked.t0,
        )
    return PeriodicMotion(found)


def _shots(kernels: Kernels, asked: Asked) -> Shots:
    kernel = kernels.user
    refuse_what_has_no_derivative(kernel)
    if asked.segments < 1:
        raise ModelError(f"There is at least one segment, found {asked.segments}.", segments=asked.segments)
    timed = _is_timed(kernels, asked)
    free = not timed if asked.free is None else asked.free
    if free and timed:
        raise ModelError(f"{kernel.model.name!r} depends on time, so that its period is given: period=, free=False.")
    if timed and asked.period is None:
        raise ModelError(f"{kernel.model.name!r} depends on time: say the period= of a motion, one of the forcing's.")
    jump = None if asked.jump is None else JumpFunctions(kernel, asked.jump)
    fields = symmetries_of(kernel) if asked.relative else ()
    return Shots(kernels, asked.t0, asked.loads, asked.inputs, free, jump, fields, timed, _held(kernels, asked.hold))


def _is_timed(kernels: Kernels, asked: Asked) -> bool:
    """Whether the equations, with the signals that are asked for, depend on time."""
    settings = Settings(1.0, t0=asked.t0, loads=asked.loads, inputs=asked.inputs)
    expressions = read_request(kernels.user, settings).signals.expressions
    kernel = kernels.user.with_signals(expressions) if expressions else kernels.user
    d = kernel.dynamics
    return bool(d.smoothness.is_timed) or d.t in live(stop_nodes(d).gaps)


def _held(kernels: Kernels, hold: Held | None) -> tuple[tuple[int, float], ...]:
    model = kernels.user.model
    names = [symbol.name for symbol in (*model.q, *model.v)]
    for name in hold or {}:
        if str(name) not in names:
            raise unknown(name, names, f"coordinate or velocity of {model.name!r} to hold")
    return tuple((names.index(str(name)), float(value)) for name, value in (hold or {}).items())


def _start(kernels: Kernels, asked: Asked) -> Vector:
    request = read_request(kernels.user, Settings(1.0, asked.q, asked.v, t0=asked.t0))
    return request.given.y


def _first_return(shots: Shots, y: Vector, within: float | None) -> float:
    """When a motion is next to its start again, first: the least distance since it was far."""
    kernel = shots.kernel
    sizes = typical_sizes(kernel, y, shots.t0)
    span = within if within is not None else _usual_span(shots, y, sizes)
    one = shots.arc(y, shots.t0, span)
    t = np.linspace(one.t[0], one.t[1], LOOKS)
    states = one.trajectory.solution.at(t)
    speed = max(float(np.max(np.abs(states[:, kernel.nq :]) / sizes)), 1e-300)
    scale = np.concatenate([sizes, sizes * speed])
    N = varied(kernel, shots.t0, y, one.p).N
    around = whole_turns(kernel)
    steps = np.array([between(kernel, N, y, state, around) / scale for state in states])
    for field in shots.fields:  # along symmetries it may go on
        steps[:, : kernel.nv][:, np.abs(field.c) + np.abs(field.B).sum(axis=1) > 0] = 0.0
    far = np.linalg.norm(steps, axis=1)
    left = np.flatnonzero(far > LEFT * far.max())
    if not far.max() > 0:
        raise ModelError(f"{kernel.model.name!r} rests at this start, which is a periodic motion of any period.")
    inner = np.flatnonzero((far[1:-1] <= far[:-2]) & (far[1:-1] < far[2:])) + 1
    inner = inner[(inner > left[0]) & (far[inner] < LEFT * far.max())] if len(left) else inner[:0]
    if not len(inner):
        raise ModelError(
            f"The motion of {kernel.model.name!r} does not come near its start within {span:g}. Say the period=, or "
            "look for longer: within=."
        )
    best = inner[np.flatnonzero(far[inner] <= max(NEAR * far.max(), 1.5 * far[inner].min()))[0]]
    return float(t[best] - t[0])


def _usual_span(shots: Shots, y: Vector, sizes: Vector) -> float:
    """Several of the slowest typical times at the start."""
    d = varied(shots.kernel, shots.t0, y, shots.kernel.p())
    rate = float(np.max((np.abs(d.accelerations.pi) @ sizes + np.abs(d.vd)) / sizes, initial=0.0)) ** 0.5
    rate = max(rate, float(np.max(np.abs(y[shots.kernel.nq :]) / sizes, initial=0.0)), 1e-300)
    return float(12 * 2 * np.pi / rate)


# --- without a guess -----------------------------------------------------------------------------------


def periodic_motions(kernels: Kernels, asked: Asked, box: Limits | None, seeds: int) -> list[PeriodicMotion]:
    """Distinct motions of a given period, reached from drawn starts, stable ones first."""
    shots, found, idle = _shots(kernels, asked), list[Joined](), 0
    assert asked.period is not None  # what has no period of its own is refused above
    for y in _drawn(kernels, asked.period, asked.t0, box, seeds):
        one = _reached(shots, y, asked.period, asked.segments)
        if one is None or not is_inside(shots.kernel, _box(kernels, box), one.nodes[0].copy()):
            idle += 1
        elif any(_are_one(one, other) for other in found):
            idle += 1
        else:
            found, idle = [*found, one], 0
        if idle >= IDLE:
            break
    told = [PeriodicMotion(one) for one in found]
    return sorted(told, key=lambda one: one.stability.verdict == "unstable")


def _reached(shots: Shots, y: Vector, period: float, segments: int) -> Joined | None:
    try:
        return solved(first_guess(shots, y, period, segments))
    except (CardanError, np.linalg.LinAlgError):
        return None  # no motion leads on from there


def _box(kernels: Kernels, limits: Limits | None) -> Box:
    kernel = kernels.user
    return Box.of(kernel, typical_sizes(kernel, _origin(kernels), 0.0), limits)


def _origin(kernels: Kernels) -> Vector:
    return read_request(kernels.user, Settings(1.0)).given.y


def _drawn(kernels: Kernels, period: float, t0: float, limits: Limits | None, count: int) -> Iterator[Vector]:
    """States: configurations over the box, with velocities that cover a typical size in a period's share."""
    kernel, rng = kernels.user, np.random.default_rng(1)
    p, sizes = kernel.p(), typical_sizes(kernel, _origin(kernels), t0)
    for k, q in enumerate(guesses(kernel, _box(kernels, limits), t0, p, sizes, count)):
        v = np.zeros(kernel.nv) if k == 0 else sizes * 2 * np.pi / period * rng.uniform(-1, 1, kernel.nv)
        y = np.concatenate([q, v])
        yield project_velocity(kernel.numbers(p), t0, y, sizes) if kernel.m else y


def _are_one(a: Joined, b: Joined) -> bool:
    kernel = a.arcs[0].kernel
    N = varied(kernel, a.shots.t0, a.nodes[0], a.arcs[0].p).N
    apart = np.abs(between(kernel, N, a.nodes[0], b.nodes[0]) / a.scale)
    return bool(np.max(apart) < 1e-6)
