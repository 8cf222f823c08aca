"""Lines of an audit about contact and friction: stops that were passed, impacts left open, friction that creeps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, Line, verdict
from cardan.audit.between import looked_at, lowest
from cardan.equations.stops import stop_nodes
from cardan.graph import Node
from cardan.linalg.contact import ALONG, FRICTION, KIND, OPEN, SLIDING, STATE, STICKING
from cardan.simulation.contact.impact_laws import MOST_ROUNDS
from cardan.simulation.contact.moreau import UNSOLVED
from cardan.singular.constrained import Terms
from cardan.trajectory.along import kernel_along
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

DEEP, THROUGH = 1e-6, 1e-2  # of the widest gap along the run
LOOKS = 8  # in each step
SHARED = 1e-6  # of the approach: what a solved impact may leave of it
MODES = 20  # combinations of closed contacts that are looked at
DEPENDENT = 1e-8  # a row that adds less than this, of its size, to what the others forbid
SUMS = 4  # sums of forces that are told
CREEPING, LINGERING = 0.05, 0.05  # of the width of a smooth law, of the duration


def _gaps(run: Trajectory, times: Vector, nodes: Sequence[Node] = ()) -> Vector:
    """Gaps of all stops at times of the run, by its interpolant: (times, stops)."""
    kernel, states = run.kernel, run.solution.at(times)
    if run.refresh is not None:
        return run.with_states(times, states).outputs(nodes or stop_nodes(kernel.dynamics).gaps)
    d = kernel.dynamics
    function = kernel.keep("gaps", lambda: kernel.custom("gaps", d.impose(stop_nodes(d).gaps)))
    return kernel_along(function, times, states, run.parameters)


def _widest(run: Trajectory, gaps: Vector) -> float:
    """The widest gap of a run; where all are closed throughout, what they would typically be by the model's size."""
    stops, t, y = run.contacts.stops, float(run.t[0]), run.solution.y[0]
    span = float(run.t[-1]) - t
    typical = 0.0 if stops is None else float(np.max(stops.reach(t, y, span), initial=0.0))
    return max(float(np.max(np.abs(gaps), initial=0.0)), typical) or 1.0


def penetration_line(run: Trajectory) -> Line | None:
    """How deep stops were penetrated at the times of the run."""
    if not run.kernel.model.stops:
        return None
    widest = _widest(run, _gaps(run, run.t))
    value = run.contacts.penetration / widest
    found = verdict(value, DEEP, THROUGH)
    words = f"{run.contacts.penetration:.2e} beyond stops, {value:.1e} of the widest gap"
    if found != OK:
        words += ": use a shorter step=, or method='auto', which finds the instant of contact"
    return Line("penetration", found, value, words)


def missed_line(run: Trajectory) -> Line | None:
    """Whether a stop was passed and left again between two steps, where nobody looked."""
    stops = run.kernel.model.stops
    if not stops or run.solution.method.is_time_stepping:
        return None
    times = looked_at(run, LOOKS)
    nodes = stop_nodes(run.kernel.dynamics).gaps
    table = _gaps(run, times, nodes)
    widest = _widest(run, table)
    worst, when, name = 0.0, 0.0, ""
    for k, column in enumerate(table.T):
        t, least = lowest(lambda at, k=k: _gaps(run, at, nodes)[:, k], times, column)  # type: ignore[misc]
        if -least > worst:
            worst, when, name = -least, t, stops[k].name
    value = worst / widest
    found = verdict(value, DEEP, THROUGH)
    if found == OK:
        return Line("missed stops", OK, value, f"none between steps ({value:.1e} of the widest gap)")
    words = f"{name} was passed by {worst:.2e} at t = {when:.6g}, between two steps: use a smaller rtol=, or "
    words += "a fixed method with a shorter step="
    return Line("missed stops", found, value, words)


def impact_line(run: Trajectory) -> Line | None:
    """Whether the laws of impact determined what happened."""
    if not run.kernel.model.stops:
        return None
    impacts = [one for one in run.records if one.kind == "impact"]
    open_ones = [one for one in impacts if one.facts.get("determined") is False]
    endless = [one for one in impacts if one.number("collisions", 0) >= MOST_ROUNDS]
    left = 0.0
    if run.solution.method.is_time_stepping:
        left = float(np.max(run.solution.segments[0].rows[:, UNSOLVED]))
    words = f"{len(impacts)} impacts"
    if not (open_ones or endless or left > SHARED):
        return Line("impacts", OK, 0.0, words + ", each determined by its law")
    if open_ones:
        words += (
            f", of which {len(open_ones)} of several contacts at once are not determined by the rigid model, the first "
            f"at t = {open_ones[0].t:.6g}: compare impact_law='sequential' and 'simultaneous'"
        )
    if endless:
        words += f", an endless sequence of collisions at t = {endless[0].t:.6g} was cut off: try the other impact_law"
    if left > SHARED:
        words += f", whose equations were solved only to {left:.1e} of the approach: use a shorter step="
    return Line("impacts", LOOK, float(len(open_ones) + len(endless)) + left, words)


def share_line(run: Trajectory) -> Line | None:
    """Whether the forces of closed contacts are the ones that act, or shared at will: a table on four legs."""
    if not run.kernel.model.stops:
        return None
    modes = {
        one.behind[-STATE * one.stops.count :: STATE].tobytes(): k for k, one in enumerate(run.contacts.modes) if one
    }
    if not modes or run.solution.method.is_time_stepping:
        return None
    looked = [_at_will(run, k) for k in list(modes.values())[:MODES]]
    names = list(dict.fromkeys(name for one, _ in looked for name in one))
    if not names:
        return Line("contact forces", OK, 0.0, "each is determined by the motion")
    listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    words = f"rigid bodies do not say how {listed} share their load: the motion is unique, each of these forces is not"
    sums = next((sums for one, sums in looked if one), [])
    if sums:
        more = f" and {len(sums) - SUMS} more" if len(sums) > SUMS else ""
        words += f"; determined are {', '.join(sums[:SUMS])}{more}"
    return Line("contact forces", LOOK, float(len(names)), words)


def _at_will(run: Trajectory, k: int) -> tuple[list[str], list[str]]:
    """Names of contact forces at a time of the run that others could take over, constraints included, and the sums of
    them that are determined all the same."""
    mode, t, y = run.contacts.modes[k], float(run.t[k]), run.solution.y[k]
    assert mode is not None
    stops = mode.stops
    m, stride, states = stops.m, stops.stride, mode.behind[-STATE * stops.count :].reshape(-1, STATE)
    terms = stops.numbers(t, y).terms(t, y)
    W = Terms(terms.qd, terms.M, terms.h, terms.A[:m], terms.b[:m]).half
    rows, names = [*terms.A[:m]], [""] * m
    for i, state in enumerate(states):
        first, slips = m + i * stride, range(1, 1 + stops.slips[i])
        if state[KIND] == OPEN:
            continue
        shared = state[FRICTION] != stops.friction[i]  # at rest, its friction taken as a part of its normal force
        slides = state[KIND] >= SLIDING and not shared
        friction = sum((state[FRICTION] * state[ALONG + j - 1] * terms.A[first + j] for j in slips), np.zeros(stops.n))
        rows.append(terms.A[first] - friction if slides else terms.A[first])
        names.append(stops.names[i])
        for j in slips if state[KIND] == STICKING or shared else ():
            rows.append(terms.A[first + j])
            names.append(stops.row_names[first + j])
    B = np.array(rows).reshape(-1, stops.n) @ W
    sizes = np.maximum(np.linalg.norm(B, axis=1, keepdims=True), 1e-300)
    U, s, _ = np.linalg.svd(B / sizes)
    loose = U[:, int(np.sum(s > DEPENDENT)) :]
    involved = [k for k, row in enumerate(loose) if np.max(np.abs(row), initial=0.0) > DEPENDENT]
    found = [names[k] for k in involved if names[k]]
    return found, _determined([names[k] for k in involved], loose[involved] / sizes[involved]) if found else []


def _determined(names: list[str], free: Vector) -> list[str]:
    """Sums of forces that stay the same along ``free`` (forces by directions), each with as few of them as may be."""
    if not all(names):
        return []
    size = np.max(np.abs(free), axis=0, initial=0.0)
    left = np.eye(len(names)) - _projection(free / np.where(size > 0, size, 1.0))
    sums, at = [], 0
    for k in range(len(names)):  # row reduction, with the largest pivot of each column
        if at == len(left):
            break
        pivot = at + int(np.argmax(np.abs(left[at:, k])))
        if abs(left[pivot, k]) <= DEPENDENT:
            continue
        left[[at, pivot]] = left[[pivot, at]]
        left[at] /= left[at, k]
        others = np.arange(len(left)) != at
        left[others] -= np.outer(left[others, k], left[at])
        at += 1
    for row in left[:at]:
        parts = [(x, name) for x, name in zip(row, names, strict=True) if abs(x) > DEPENDENT]
        if len(parts) > 1:
            sums.append(" ".join(f"{'+' if x > 0 else '-'} {_times(abs(x))}{name}" for x, name in parts)[2:])
    return sums


def _projection(columns: Vector) -> Vector:
    return np.asarray(columns @ np.linalg.pinv(columns))


def _times(factor: float) -> str:
    return "" if abs(factor - 1.0) < DEPENDENT else f"{factor:.4g} "


def friction_line(run: Trajectory) -> Line | None:
    """Whether smooth laws of friction let things creep that dry friction would hold."""
    smooth = [one for one in run.kernel.model.frictions if one.width is not None]
    if not smooth:
        return None
    worst, words = 0.0, "smooth laws stay outside their widths, or carry little there"
    for one in smooth:
        speed = np.abs(run.evaluate(one.sliding))
        width = np.abs(run.evaluate(one.width)) * np.ones_like(speed)
        inside = (speed[1:] < width[1:]) & (speed[:-1] < width[:-1])
        h = np.abs(np.diff(run.t))
        spent = float(np.sum(h[inside]))
        crept = float(np.sum((h * (speed[1:] + speed[:-1]) / 2)[inside]))
        creep = crept / (spent * float(np.mean(width))) if spent > 0 else 0.0
        share = spent / (float(np.sum(h)) or 1.0)
        if share > LINGERING and creep > max(CREEPING, worst):
            worst = creep
            words = (
                f"{one.name} spends {share:.0%} of the run inside the width of its smooth law and creeps {crept:.3g} "
                "there, where dry friction may hold: use law='exact', or a smaller width="
            )
    return Line("friction", LOOK if worst else OK, worst, words)
