"""The instants of a run: when its forces, signals, drives and constraints switch by the clock, and when a user asks.

They are the zeros of functions of time alone, found before the run. Linear ones are solved, others are sampled ever
more finely until no further zero appears.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.equations.reduced import Dynamics
from cardan.graph import Node, evaluate, live
from cardan.simulation.instants import Instants, gap_of
from cardan.trajectory.coordinates import Entry
from cardan.trajectory.request import Request

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]
OfTime = Callable[[Vector], Vector]

FIRST, MOST = 1 << 12, 1 << 18  # samples of a function of time
ROUNDS = 60  # of bisection, and of the search for a minimum: more than a number has bits
GOLDEN = (np.sqrt(5.0) - 1) / 2
JUMP = 1e-6  # of the range over the run: less is what a smooth function does between two sides of an instant
SEEN = 65  # places at which this range is looked at


def instants_of(entry: Entry, request: Request) -> Instants | None:
    """The instants of a run; None where nothing happens by the clock, or steps are of fixed length."""
    if not request.method.is_adaptive:
        return None
    d, known = entry.kernel.dynamics, constants_of(entry, request)
    switching = [*d.smoothness.switches, *_of_events(d, request)]
    functions = [_function(d, node, known) for node in switching if depends_on_time_alone(d, node, known)]
    t0, t1 = request.t0, request.end
    times = np.unique(np.concatenate([np.zeros(0), *(zeros(one, t0, t1) for one in functions)]))
    if not len(times):
        return None
    return Instants(times if t1 >= t0 else times[::-1], gap_of(t0, t1), _refusal(entry, request, known))


def constants_of(entry: Entry, request: Request) -> dict[Node, float]:
    """Parameters and constant signals by node: not those that a Python function gives, or friction switches."""
    model, values = entry.kernel.model, entry.compiled.parameters
    kept = {*model.parameters, *model.driving} - set(request.signals.functions)
    symbols = (*model.parameters, *model.signals)
    nodes = zip(entry.kernel.dynamics.p, symbols, values[: len(symbols)], strict=True)
    return {node: float(value) for node, symbol, value in nodes if symbol in kept}


def _of_events(d: Dynamics, request: Request) -> list[Node]:
    """Event functions of the user that are functions of time and parameters: steps end where they happen."""
    fixed = {d.model.time, *d.model.parameters}
    timely = [one.expression for one in request.events if _symbols(one.expression) <= fixed]
    return d.impose([d.space.lift(one) for one in timely])


def _symbols(expression: sp.Expr) -> set[sp.Basic]:
    return set(getattr(expression, "free_symbols", ()))


def depends_on_time_alone(d: Dynamics, node: Node, known: Mapping[Node, float]) -> bool:
    """Whether time is the only thing in a function that changes during a run."""
    inputs = {one for one in live([node]) if one.op == "input"}
    return d.t in inputs and inputs <= {d.t, *known}


def _function(d: Dynamics, node: Node, known: Mapping[Node, float]) -> OfTime:
    def value(times: Vector) -> Vector:
        (found,) = evaluate([node], {**known, d.t: times})
        return np.asarray(found, dtype=float)

    return value


# --- zeros ------------------------------------------------------------------------------------------


def zeros(f: OfTime, t0: float, t1: float) -> Vector:
    """Times between t0 and t1 at which a function changes its sign."""
    a, b = min(t0, t1), max(t0, t1)
    ends = f(np.array([a, b, a + (b - a) / np.pi]))
    straight = ends[0] + (ends[1] - ends[0]) / np.pi
    if np.isfinite(ends).all() and abs(ends[2] - straight) <= 1e-12 * np.abs(ends).max():
        return np.array([a - ends[0] * (b - a) / (ends[1] - ends[0])]) if ends[0] * ends[1] < 0 else np.zeros(0)
    count, found = FIRST, _sampled(f, a, b, FIRST)
    while count < MOST:
        count *= 4
        finer = _sampled(f, a, b, count)
        if len(finer) == len(found):
            break
        found = finer
    return found


def _sampled(f: OfTime, a: float, b: float, count: int) -> Vector:
    """Changes of sign between samples, and between a sample and a minimum of the magnitude beside it."""
    t = np.linspace(a, b, count + 1)
    t[1:-1] += (np.random.default_rng(count).random(count - 1) - 0.5) * (b - a) / count  # in step with nothing
    values = f(t)
    left, right = _brackets(t, values)
    size = np.abs(values)
    low = np.flatnonzero((size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:]) & (size[1:-1] > 0)) + 1
    low = low[(np.sign(values[low - 1]) == np.sign(values[low])) & (np.sign(values[low + 1]) == np.sign(values[low]))]
    if len(low):
        middle = _lowest(lambda at: f(at) * np.sign(values[low]), t[low - 1], t[low + 1])
        dips = f(middle) * np.sign(values[low]) < 0
        left = np.concatenate([left, t[low - 1][dips], middle[dips]])
        right = np.concatenate([right, middle[dips], t[low + 1][dips]])
    return np.sort(_bisected(f, left, right)) if len(left) else np.zeros(0)


def _brackets(t: Vector, values: Vector) -> tuple[Vector, Vector]:
    """Neighbours of opposite sign; samples that are zero themselves lie between theirs."""
    clear = np.flatnonzero(np.isfinite(values) & (values != 0))
    t, signs = t[clear], np.sign(values[clear])
    change = np.flatnonzero(signs[1:] * signs[:-1] < 0)
    return t[change], t[change + 1]


def _bisected(f: OfTime, left: Vector, right: Vector) -> Vector:
    begin = np.sign(f(left))
    for _ in range(ROUNDS):
        middle = left + (right - left) / 2
        same = np.sign(f(middle)) == begin
        left, right = np.where(same, middle, left), np.where(same, right, middle)
    return right


def _lowest(f: OfTime, left: Vector, right: Vector) -> Vector:
    for _ in range(ROUNDS):
        a, b = right - GOLDEN * (right - left), left + GOLDEN * (right - left)
        below = f(a) <= f(b)
        left, right = np.where(below, left, a), np.where(below, b, right)
    return left + (right - left) / 2


# --- what cannot be carried over --------------------------------------------------------------------


def _refusal(entry: Entry, request: Request, known: Mapping[Node, float]) -> Callable[[float, float, Vector], str]:
    """Drives and constraints must be continuous, with continuous velocities: a jump would need an infinite force."""
    d, kernel = entry.kernel.dynamics, entry.kernel
    drives = [part for _, _, f, fd, _ in d.prescribed for part in (f, fd)]
    labels = [f"the {what} prescribed for {one}" for one in d.model.prescribed for what in ("position", "velocity")]
    labels += [f"the constraint {name}" for name in d.constraints.names] * 2 if kernel.m else []
    p = entry.compiled.parameters[: len(kernel.parameters)]
    all_along = np.linspace(request.t0, request.end, SEEN)

    def values(times: Vector, y: Vector) -> Vector:
        moving = evaluate(drives, {**known, d.t: times})
        columns = [np.broadcast_to(np.asarray(one, dtype=float), times.shape) for one in moving]
        rows = np.array(columns).reshape(len(drives), len(times))
        if not kernel.m:
            return rows
        residual = kernel.function("residual")
        return np.concatenate([rows, np.array([residual(t, y, p) for t in times]).T])

    def refusal(before: float, after: float, y: Vector) -> str:
        if not labels:
            return ""
        first, then = values(np.array([before, after]), y).T
        range_of = np.ptp(values(np.append(all_along, [before, after]), y), axis=1)
        for k in np.flatnonzero(np.abs(then - first) > JUMP * range_of):
            return _told(labels[k], float(then[k] - first[k]), before)
        return ""

    return refusal


def _told(what: str, jump: float, t: float) -> str:
    return (
        f"At t = {t:.10g} {what} jumps by {jump:.4g}, which no finite force brings about. Let it pass smoothly from "
        "one value to the other, over a short time if need be."
    )
