"""Time stepping for many contacts, by Moreau and Jean: contacts are decided once per step, not at their instants.

With the configuration in the middle of the step, q_m = q + h/2 N v, and the forces there,

    v+ = v + h vd_free + M^-1 (G^T Lam + A^T lam),     0 <= Lam_n  complementary to  u_n+ + e u_n- >= 0

for the contacts whose gap is closed at q_m, and q+ = q_m + h/2 N v+ [Moreau1988, section 11; Jean1999, section 5]. The
method is of first order and lets stops be penetrated by about h times the speed; it passes through any number of
impacts, Zeno sequences included, at the same cost per step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.errors import SimulationError
from cardan.simulation.contact.collision import Collision, collision, shortest
from cardan.simulation.contact.impact_laws import unilateral
from cardan.simulation.contact.resting import Stops
from cardan.simulation.methods.others import TIME_STEPPING
from cardan.simulation.solution import Segment, Solution, Statistics
from cardan.singular.constrained import Terms
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

NAME = TIME_STEPPING.name
WORK, UNSOLVED = -2, -1  # columns behind the state in the rows of a run: work of contacts so far, and what follows it


@dataclass(frozen=True)
class Step:
    """A state after a step, the impulses of all rows of the stops in it, and their work.

    ``unsolved`` is how much of the approach velocities the impulses have left, by which their equations were not met.
    """

    y: Vector
    impulses: Vector
    work: float = 0.0
    unsolved: float = 0.0


def time_stepping(
    stops: Stops, t0: float, t1: float, y0: Vector, step: float | None
) -> tuple[Solution, tuple[EventRecord, ...]]:
    """The motion in steps of equal length, at most ``step``, and records of contacts that close and open."""
    if step is None or not step > 0:
        raise SimulationError(f"Method {NAME!r} has a fixed step. Give step=...", method=NAME)
    count = max(1, int(np.ceil((t1 - t0) / step - 1e-9)))
    times = np.linspace(t0, t1, count + 1)
    rows = np.empty((count + 1, 3 + len(y0)))
    rows[0] = (t0, *y0, 0.0, 0.0)
    records: list[EventRecord] = []
    y, before = y0, np.zeros(stops.count)
    for k in range(count):
        t, h = float(times[k]), float(times[k + 1] - times[k])
        made = one_step(stops, t, y, h)
        now = made.impulses[:: stops.stride]
        records += _changes(stops, t + h, y, before, now)
        y, before = made.y, now
        rows[k + 1] = (times[k + 1], *y, rows[k, WORK] + made.work, made.unsolved)
        if not np.isfinite(y).all():
            raise SimulationError(f"At t = {t:g} the state became infinite. Use a shorter step.", t=t)
    return _solution(rows, count, (t1 - t0) / count), tuple(records)


def one_step(stops: Stops, t: float, y: Vector, h: float) -> Step:
    """One step of length h."""
    nq, m = stops.nq, stops.m
    numbers = stops.numbers(t, y)
    middle = numbers.moved(t, y, y[nq:] * (h / 2))
    now = t + h / 2
    terms = numbers.terms(now, middle)
    meeting = collision(terms, m)
    gaps, rates = (part[m:] for part in numbers.residual(now, middle))
    free = _free_velocity(terms, meeting, m, y[nq:], h)
    u = rates + terms.A[m:] @ (free - y[nq:])
    closed = [i for i in range(stops.count) if gaps[i * stops.stride] <= 0.0]
    impulses, work, unsolved = np.zeros(len(u)), 0.0, 0.0
    if closed:
        blocks = [list(range(i * stops.stride, i * stops.stride + 1 + stops.slips[i])) for i in closed]
        rebound = stops.restitution[closed] * np.minimum(rates[[block[0] for block in blocks]], 0.0)
        impulses = unilateral(meeting.D, u, blocks, rebound, stops.friction[closed])
        after = u + meeting.D @ impulses
        heads = [block[0] for block in blocks]
        missing = np.maximum(-(after[heads] + rebound), 0.0)
        unsolved = float(np.max(missing)) / max(float(np.max(np.abs(u[heads]))), 1e-300)
    v = free + meeting.jump(impulses)
    if closed:
        work = float(impulses @ (terms.A[m:] @ (y[nq:] + v) / 2))  # the rest of T+ - T- is what V loses on this way
    middle[nq:] = v
    moved = numbers.moved(now, middle, v * (h / 2))
    return Step(_hold(stops, t + h, moved), impulses, work, unsolved)


def _free_velocity(terms: Terms, meeting: Collision, m: int, v: Vector, h: float) -> Vector:
    """Velocity at the end of a step without contacts, with the constraints in force."""
    if not m:
        return np.asarray(v - h * (meeting.W @ (meeting.W.T @ terms.h)), dtype=np.float64)
    own = Terms(terms.qd, terms.M, terms.h, terms.A[:m], terms.b[:m])
    return np.asarray(v + h * own.accelerations()[0], dtype=np.float64)


def _hold(stops: Stops, t: float, y: Vector) -> Vector:
    """y brought back to the constraints by one Newton step for positions and one for velocities."""
    m, nq = stops.m, stops.nq
    if not m:
        return y
    numbers = stops.numbers(t, y)
    meeting = collision(numbers.terms(t, y), m)
    phi = numbers.residual(t, y)[0][:m]
    held: Vector = numbers.moved(t, y, meeting.W @ shortest(meeting.B, -phi, 1e-10))
    rate = numbers.residual(t, held)[1][:m]
    held[nq:] += meeting.W @ shortest(meeting.B, -rate, 1e-10)
    return held


def _changes(stops: Stops, t: float, y: Vector, before: Vector, now: Vector) -> list[EventRecord]:
    found = []
    for i, name in enumerate(stops.names):
        if now[i] > 0 and before[i] == 0:
            facts = {"impulse": {name: float(now[i])}}
            found.append(EventRecord("impact", name, t, y, f"{name} was hit, to within a step.", facts))
        elif now[i] == 0 and before[i] > 0:
            found.append(EventRecord("release", name, t, y, f"{name} opened, to within a step."))
    return found


def _solution(rows: Vector, count: int, h: float) -> Solution:
    def at(rows: Vector, times: Vector) -> Vector:
        return np.column_stack([np.interp(times, rows[:, 0], column) for column in rows[:, 1:WORK].T])

    return Solution(
        t=rows[:, 0].copy(),
        y=rows[:, 1:WORK].copy(),
        status="finished",
        message=f"Reached t = {rows[-1, 0]:g}.",
        statistics=Statistics(NAME, count, 0, count, 0, 0, h, h),
        events=(),
        t_final=float(rows[-1, 0]),
        y_final=rows[-1, 1:WORK].copy(),
        segments=(Segment(rows, at),),
    )
