"""The motion inside the window around a loss of rank, as one or more passages.

The window is where the least pivot of the constraints is below a level. A passage is made long enough to leave it,
where accuracy allows; a motion that lingers inside is carried by several.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cardan.native.once import once
from cardan.simulation.common import observe, observe_all
from cardan.simulation.layout import COUNTS
from cardan.simulation.ledger import Field
from cardan.simulation.protocol import CompiledModel
from cardan.simulation.solution import Segment
from cardan.trajectory.rank.passage import Passage, Rule, pass_through, rule
from cardan.trajectory.rank.thresholds import (
    AT_START,
    BEFORE,
    BEHIND,
    CREPT,
    FINEST,
    LONGEST,
    LOUD,
    MARGIN,
    SHORTEST,
    SMALLEST,
    TOLD_APART,
    TOO_NEAR,
)

Vector = NDArray[np.float64]

LOOKS = 1.5 ** np.arange(-11.0, 1.0)  # of the longest: where the way ahead is looked at
ATTEMPTS = 7
ORDER = 11.0  # by which errors fall with the length of a passage
MOST_PASSAGES = 100_000


@dataclass(frozen=True)
class Window:
    """Where passages replace ordinary steps; the model evaluates everywhere, whatever its pivots."""

    model: CompiledModel
    level: float
    sizes: Vector  # a typical size for each velocity's coordinate
    rtol: float
    atol: float
    creeps: bool = False  # whether passages may end before a loss of rank, ever nearer to it
    measured: CompiledModel | None = None  # whose rank says how near it is, where it is not the model's own
    seen: dict[float, tuple[Vector, Way]] = field(default_factory=dict, compare=False)  # ahead of the last state

    def weight(self, y: Vector, rates: Vector) -> Vector:
        """Errors allowed in each number: relative to how far, and how fast, the whole system is moved.

        Where it happens to be near the origin it counts for how far its velocity carries it until that has changed.
        """
        nq, rtol = self.model.nq, max(self.rtol, FINEST)
        sizes = self.sizes if nq == self.model.nv else np.full(nq, float(np.max(self.sizes)))
        speed = float(np.max(np.abs(y[nq:]) / self.sizes))
        pull = float(np.max(np.abs(rates[nq:]) / self.sizes))
        carried = min(speed * speed / pull, 1.0) if pull > 0.0 else 1.0
        place = max(float(np.max(np.abs(y[:nq]) / sizes)), carried, SMALLEST)
        return np.concatenate(
            [self.atol + rtol * place * sizes, self.atol + rtol * max(speed, SMALLEST * np.sqrt(pull)) * self.sizes]
        )

    def pivots(self, times: Vector, states: Vector) -> Vector:
        """Least pivots of the constraints at several states; nan where they cannot be evaluated."""
        kernel, callback, p = self._measuring
        out, times, states = np.empty(len(times)), np.ascontiguousarray(times), np.ascontiguousarray(states)
        observe_all(kernel, callback, len(times), states.shape[1], 1, times, states, p, out)
        return out

    @once
    def _measuring(self) -> tuple[int, int, Vector]:
        """The kernel of nearness, what refreshes its inputs, and these."""
        model = self.model if self.measured is None else self.measured
        return model.nearness, model.callback, np.array(model.parameters)

    def nearness(self, t: float, y: Vector) -> float:
        """Least pivot of the constraints at a state; nan where it cannot be evaluated."""
        return float(self.pivots(np.array([t]), y[None])[0])

    def rates(self, t: float, y: Vector) -> Vector | None:
        """ydot at a state; None where it cannot be evaluated."""
        out = np.zeros(len(y))
        status = observe(self.model.rhs, self._field(), t, np.array(y), out)
        return out if status == 0 and np.isfinite(out).all() else None

    def project(self, t: float, y: Vector) -> Vector:
        """The state brought back to the constraints, where that can be done."""
        out = np.zeros(len(y))
        status = observe(self.model.project_state, self._field(), t, np.array(y), out)
        return out if status == 0 and np.isfinite(out).all() else y

    def _field(self) -> Field:
        """The model for native code, with numbers of its own in p."""
        p, count = np.array(self.model.parameters), np.zeros(COUNTS, dtype=np.int64)
        return Field(self.model.rhs, self.model.callback, p, count)


@dataclass(frozen=True)
class Travel:
    """What was travelled: passages one after another, and where they ended; not ``complete`` where one failed."""

    passages: tuple[Passage, ...]
    t: float
    y: Vector
    complete: bool

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side in the passages made; attempts that failed before are not counted."""
        return sum(one.evaluations for one in self.passages)


def travel(window: Window, t: float, end: float, y: Vector, rates: Vector) -> Travel:
    """The motion from (t, y), with the rates there, until it leaves the window or time ends."""
    passages: list[Passage] = []
    longest, forward = np.inf, 1.0 if end >= t else -1.0
    for _ in range(MOST_PASSAGES):
        way = look_ahead(window, t, y, rates, forward)
        made = _make_passage(window, t, forward * min(way.out, 2.0 * longest, abs(end - t)), y, rates, way)
        if made is None or abs(made.h) < SHORTEST * abs(t):
            return Travel(tuple(passages), t, y, False)
        passages.append(made)
        longest = abs(made.h)
        t = end if (made.end - end) * forward >= 0 else made.end
        y = made.at(np.array([made.end]))[0]
        near = window.nearness(t, y)
        if near > 0.05 * window.level:
            y = window.project(t, y)
        if t == end or near > window.level:
            return Travel(tuple(passages), t, y, True)
        rates = made.rates(np.array([made.end]))[0]
    return Travel(tuple(passages), t, y, False)


@dataclass(frozen=True)
class Way:
    """What is ahead, by the parabola that a state and its rates give: times from now, both positive.

    ``nearest``: when rank is nearest to be lost. ``out``: when the window is left, or the longest that is allowed.
    """

    nearest: float
    out: float


def look_ahead(window: Window, t: float, y: Vector, rates: Vector, forward: float) -> Way:
    """The nearest place and the end of the window, from the pivots at a few times; between these they are straight."""
    if t in window.seen:  # a guard and a passage ask one after the other
        known, way = window.seen[t]
        if np.array_equal(known, y):
            return way
    window.seen.clear()
    window.seen[t] = y, _look(window, t, y, rates, forward)
    return window.seen[t][1]


def _look(window: Window, t: float, y: Vector, rates: Vector, forward: float) -> Way:
    nq = window.model.nq
    speed = float(np.max(np.abs(y[nq:]) / window.sizes, initial=0.0))
    pull = float(np.max(np.sqrt(np.abs(rates[nq:]) / window.sizes), initial=0.0))
    times = np.concatenate([[0.0], LOOKS * (LONGEST / max(speed, pull, 1e-300))])
    nears = window.pivots(t + forward * times, _on_parabola(window, forward * times, y, rates))
    left = np.flatnonzero(np.logical_or.accumulate(nears[1:] < window.level) & (nears[1:] > MARGIN * window.level))
    if not len(left):
        return Way(_lowest(times, nears), float(times[-1]))
    k = int(left[0]) + 1
    share = (MARGIN * window.level - nears[k - 1]) / (nears[k] - nears[k - 1])
    out = times[k - 1] + min(max(float(share), 0.0), 1.0) * (times[k] - times[k - 1])
    return Way(_lowest(times[: k + 1], nears[: k + 1]), float(out))


def _lowest(times: Vector, nears: Vector) -> float:
    """The bottom of the V that the least pivot makes over time: straight lines of one slope from both sides."""
    k = int(np.argmin(nears))
    if k in (0, len(nears) - 1):
        return float(times[k])
    left, right = nears[k - 1], nears[k + 1]
    if not left + right > 0:
        return float(times[k])
    return float(times[k - 1] + (times[k + 1] - times[k - 1]) * left / (left + right))


def nearest_ahead(window: Window, t: float, end: float, y: Vector, rates: Vector) -> tuple[float, Vector]:
    """The time and state ahead, on the parabola that the state and its rates give, where rank is nearest to be lost."""
    forward = 1.0 if end >= t else -1.0
    h = forward * look_ahead(window, t, y, rates, forward).nearest
    return t + h, _on_parabola(window, np.array([h]), y, rates)[0]


def _on_parabola(window: Window, times: Vector, y: Vector, rates: Vector) -> Vector:
    """States at times from now, one row each."""
    nq, x = window.model.nq, times[:, None]
    states = y + x * rates
    if nq == window.model.nv:
        states[:, :nq] += 0.5 * x * x * rates[nq:]
    return np.asarray(states)


def _make_passage(window: Window, t: float, h: float, y: Vector, rates: Vector, way: Way) -> Passage | None:
    """A passage that is accurate enough, or as accurate as rounding allows.

    At a start where rank is lost its known rates are used; where that fails, a start that moves does without.
    """
    departing = window.nearness(t, y) < AT_START * window.level
    made = _try_nodes(rule(departing=departing), window, t, h, y, rates, way)
    if made is None and departing and np.any(y[window.model.nq :]):
        made = _try_nodes(rule(departing=False), window, t, h, y, rates, way)
    return made


def _try_nodes(nodes: Rule, window: Window, t: float, h: float, y: Vector, rates: Vector, way: Way) -> Passage | None:
    """A passage with these nodes, shortened as long as it is not accurate enough."""
    weight = window.weight(y, rates)
    for _ in range(ATTEMPTS):
        made = pass_through(window.model, t, h, y, rates, weight, nodes)
        error = np.inf
        if made is not None:
            noise = _noise(window, made, weight)
            error = made.error if np.isfinite(made.error) and noise < LOUD else np.inf
            if error <= max(1.0, noise):
                if not window.creeps and _creeps(window, made, way):
                    return None
                if made.unrest is None or not _touches(window, made, nodes.known):
                    return made
                h *= 0.93
                continue
        h = _place_end(h * max(0.4, 0.9 * error ** (-1.0 / ORDER)), way.nearest)
    return None


def _noise(window: Window, made: Passage, weight: Vector) -> float:
    """What rounding at the nodes does to the end of a passage, in units of the tolerance.

    Most of it is along what the constraints forbid, and is taken off there.
    """
    if made.unrest is None:
        return 0.0
    end = made.at(np.array([made.end]))[0]
    apart = window.project(made.end, end) - window.project(made.end, end - made.unrest)
    return float(np.max(np.abs(apart) / weight))


def _creeps(window: Window, made: Passage, way: Way) -> bool:
    """Whether a passage ends before the loss of rank, and so near to it that rounding shows in the direction of its
    velocity."""
    if abs(made.h) > way.nearest:
        return False
    ends = made.at(np.array([made.t, made.end]))
    begin, end = window.pivots(np.array([made.t, made.end]), ends)
    return bool(end < CREPT * begin and end < TOLD_APART * window.level)


def _place_end(h: float, nearest: float) -> float:
    """A length so that the singular configuration is not near the end, where the next passage would begin at it."""
    return float(np.copysign(BEFORE * nearest, h)) if BEFORE * nearest < abs(h) < BEHIND * nearest else h


def _touches(window: Window, made: Passage, known: int) -> bool:
    """Whether a node is all but singular; then sweeps find no rest, unless they all find the same wrong rates there,
    which the error shows."""
    nears = window.pivots(made.node_times[known:], made.nodes[known:])
    return not np.min(nears) > TOO_NEAR * np.max(nears)


def as_segment(passage: Passage, model: CompiledModel) -> Segment:
    """A passage of a model as a piece of a solution: rows at its ends and nodes, interpolated by its polynomial."""
    times = np.concatenate([[passage.t], passage.node_times, [passage.end]])
    ends = passage.at(times[[0, -1]])
    rows = np.column_stack([times, np.vstack([ends[:1], passage.nodes, ends[1:]])])
    return Segment(rows, lambda _, wanted: passage.at(wanted), model)
