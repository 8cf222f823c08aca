"""Which stops carry force: the state of every closed contact, from accelerations.

For the contacts that are closed with no rate of the gap, the accelerations a of the gaps and the contact forces obey

    0 <= lam_n  complementary to  a_n >= 0,

sliding contacts carry -mu lam_n along their slip, sticking ones whatever keeps the slip at zero, as long as it is not
more than mu lam_n. Each contact is tried in the state that its slip suggests and changed until all are consistent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.complementarity import complementary
from cardan.linalg.contact import CLOSED, NOISE, SLIDING, STATE, STICKING, STRAIGHT
from cardan.linalg.projection import HEAD, HOLONOMIC_RANK, RANK
from cardan.simulation.contact.collision import Collision, collision, shortest
from cardan.simulation.protocol import CompiledModel
from cardan.singular.constrained import ConstrainedNumbers, Terms

Vector = NDArray[np.float64]

NO_SLIP = 1e-10  # slip below this times the largest possible one is none
ROUNDING = 1e-11  # of the forces and accelerations at hand
SLOWING = 1e-6  # of the slip at which sliding was last looked at: below this its direction is kept
INDEPENDENT = 1e-8  # a row whose new part is smaller than this share of it adds nothing to the rank


class RestingModel(CompiledModel, Protocol):
    """A model while some of its stops are closed."""

    def solution(self, t: float, y: Vector) -> tuple[Vector, Vector]:
        """(vd, lam) at a state, lam for the constraints and all rows of the stops."""
        ...


class Stops(Protocol):
    """What is asked of the stops of a model (in ``trajectory/stops.py``)."""

    names: tuple[str, ...]
    row_names: tuple[str, ...]
    slips: tuple[int, ...]
    restitution: Vector
    friction: Vector
    scale: Vector
    shift: Vector
    count: int
    stride: int
    rows: int
    m: int
    n: int
    nq: int
    rank: int
    holonomic_rank: int
    drivers: tuple[str, ...]

    @property
    def gaps_address(self) -> int: ...
    @property
    def watch_address(self) -> int: ...
    def gaps(self, t: float, y: Vector) -> Vector: ...
    def reach(self, t: float, y: Vector, span: float) -> Vector: ...
    def sizes(self, G: Vector, y: Vector) -> Vector: ...
    def numbers(self, t: float, y: Vector) -> ConstrainedNumbers: ...
    def momentum(self, t: float, y: Vector) -> Vector: ...
    def drive_impulses(self, t: float, y: Vector, dv: Vector, lam: Vector) -> dict[str, float]: ...
    def bounce(self, t: float, y: Vector, i: int) -> tuple[Vector, Vector, float, float, Vector, Vector] | None: ...
    def mode(self, tail: Vector) -> RestingModel: ...


@dataclass(frozen=True)
class Touch:
    """How a stop is closed: CLOSED (without friction), STICKING, or SLIDING (STRAIGHT) along a unit direction.

    A sliding contact with two slips is ``slow`` below that speed; from there on its direction is kept.
    """

    kind: int
    along: tuple[float, ...] = (0.0, 0.0)
    slow: float = 0.0
    part: float | None = None  # at rest: the part of its normal force that friction against ``along`` is taken to be

    @property
    def slides(self) -> bool:
        return self.kind in (SLIDING, STRAIGHT)

    @property
    def is_shared(self) -> bool:
        """Whether it is at rest, its friction a matter of choice."""
        return self.part is not None


@dataclass(frozen=True)
class Instant:
    """A state in which contacts are to be judged: its terms, impulse response, rates and accelerations of all rows."""

    terms: Terms
    meeting: Collision
    rates: Vector  # G v + g0 of the rows of the stops
    accelerations: Vector  # of those rows, without contact forces
    speed: float  # sqrt(2 T), or the largest that occurred before: what small rates are compared with
    push: float  # |W^T h|: applied and inertial forces in the metric of M


def instant(stops: Stops, t: float, y: Vector, speed: float = 0.0) -> Instant:
    """Everything needed at one state; ``speed`` is the largest that occurred before."""
    numbers, m = stops.numbers(t, y), stops.m
    terms = numbers.terms(t, y)
    meeting = collision(terms, m)
    v = y[stops.nq :]
    if m:
        own = Terms(terms.qd, terms.M, terms.h, terms.A[:m], terms.b[:m])
        vd = own.accelerations()[0]
    else:
        vd = -meeting.W @ (meeting.W.T @ terms.h)
    return Instant(
        terms,
        meeting,
        numbers.residual(t, y)[1][m:],
        terms.A[m:] @ vd - terms.b[m:],
        max(float(np.sqrt(max(float(v @ terms.M @ v), 0.0))), speed),
        float(np.linalg.norm(meeting.W.T @ terms.h)),
    )


def touching(stops: Stops, now: Instant, candidates: Collection[int]) -> dict[int, Touch] | None:
    """The candidates that stay closed, and how; None where friction leaves no consistent accelerations (Painleve)."""
    states = {i: first_guess(stops, now, i) for i in candidates}
    for _ in range(10 + 4 * len(states)):
        found = _forces(stops, now, states)
        if found is None:
            return None
        force, held = found
        changed = False
        for i, touch in states.items():
            if touch.kind == STICKING and float(np.linalg.norm(held[i])) > stops.friction[i] * force[i]:
                states[i] = sliding(-held[i], 0.0, rounding_of_slip(stops, now, i))
                changed = True
        if not changed:
            return {i: touch for i, touch in states.items() if _is_kept(stops, now, i, force, states)}
    return None


def first_guess(stops: Stops, now: Instant, i: int) -> Touch:
    """How a contact would be closed by its slip alone."""
    if not stops.slips[i] or stops.friction[i] == 0.0:
        return Touch(CLOSED)
    rows = slip_rows(stops, i)
    slip = now.rates[rows]
    size = float(np.linalg.norm(slip))
    largest = now.speed * float(np.sqrt(np.max(np.diag(now.meeting.D)[rows])))
    if size <= NO_SLIP * largest:
        return Touch(STICKING)
    return sliding(slip, size)


def sliding(slip: Vector, size: float, rounding: float = 0.0) -> Touch:
    """Sliding with the given slip, of the given size (0 where it only begins along that direction).

    ``rounding``: how far back rounding may take a slip that only begins, or that other contacts prevent.
    """
    slow = SLOWING * size if len(slip) == 2 else 0.0
    slow = slow if size > 0.0 else -rounding
    return Touch(SLIDING, tuple(slip / float(np.linalg.norm(slip))), slow)


def rounding_of_slip(stops: Stops, now: Instant, i: int) -> float:
    """What rounding may do to the slips of a contact."""
    return ROUNDING * now.speed * float(np.sqrt(np.max(np.diag(now.meeting.D)[slip_rows(stops, i)])))


def slip_rows(stops: Stops, i: int) -> list[int]:
    """Rows of the slips of a stop, among all rows of stops."""
    first = i * stops.stride
    return list(range(first + 1, first + 1 + stops.slips[i]))


def _forces(
    stops: Stops, now: Instant, states: Mapping[int, Touch]
) -> tuple[dict[int, float], dict[int, Vector]] | None:
    """Normal forces of all, and what sticking ones hold; None where the problem has no solution."""
    if not states:
        return {}, {}
    D, a = now.meeting.D, now.accelerations
    heads = [i * stops.stride for i in states]
    fixed = [row for i, touch in states.items() if touch.kind == STICKING for row in slip_rows(stops, i)]
    F = np.zeros((len(D), len(heads)))  # forces of all rows for unit normal forces
    for k, (i, touch) in enumerate(states.items()):
        F[i * stops.stride, k] = 1.0
        if touch.slides:
            F[slip_rows(stops, i), k] = -stops.friction[i] * np.array(touch.along[: stops.slips[i]])
    W, q = D[heads] @ F, a[heads]
    if fixed:
        back = shortest(D[np.ix_(fixed, fixed)], np.column_stack([D[fixed] @ F, a[fixed]]))
        W = W - D[np.ix_(heads, fixed)] @ back[:, :-1]
        q = q - D[np.ix_(heads, fixed)] @ back[:, -1]
    lam = complementary(W, q)
    if lam is None:
        return None
    held = -(back[:, :-1] @ lam + back[:, -1]) if fixed else np.zeros(0)
    by_row = dict(zip(fixed, held, strict=True))
    return (
        dict(zip(states, lam.tolist(), strict=True)),
        {i: np.array([by_row[r] for r in slip_rows(stops, i)]) for i, s in states.items() if s.kind == STICKING},
    )


def _is_kept(stops: Stops, now: Instant, i: int, force: Mapping[int, float], states: Mapping[int, Touch]) -> bool:
    """Whether a candidate stays closed: it carries force, or nothing parts it from the stop."""
    if force[i] > 0:
        return True
    D, row = now.meeting.D, i * stops.stride
    pulled = now.accelerations[row] + sum(D[row, j * stops.stride] * force[j] for j in states)
    scale = float(np.sqrt(D[row, row])) * now.push + abs(float(now.terms.b[stops.m + row]))
    return float(pulled) <= ROUNDING * scale


def tail_of(stops: Stops, now: Instant, closed: Mapping[int, Touch], clearance: Mapping[int, float]) -> Vector:
    """What stands behind the parameters of a model that rests on the closed stops.

    ``clearance``: gap of other stops, released from rest, that rounding may make negative.
    """
    m, rows = stops.m, stops.rows
    scale, states = np.zeros(rows), np.zeros((stops.count, STATE))
    scale[:m] = stops.scale
    active = [*(i * stops.stride for i in closed), *independent_slips(stops, now, closed)]
    for i, touch in closed.items():
        first = i * stops.stride
        noise = ROUNDING * now.push / float(np.sqrt(max(now.meeting.D[first, first], 1e-300)))
        along = (*touch.along, 0.0)[:2]
        mu = stops.friction[i] if touch.part is None else touch.part
        states[i] = (touch.kind, mu, *along, noise, touch.slow)
    for i, gap in clearance.items():
        states[i, NOISE] = gap
    size = np.linalg.norm(now.meeting.R[active], axis=1)
    scale[[m + row for row in active]] = size
    measured = now.meeting.S[active] / np.maximum(size, 1e-300)[:, None]
    gaps = [k for k, row in enumerate(active) if row % stops.stride == 0]
    shift = np.concatenate([stops.shift, np.zeros(rows - m)])
    head = np.zeros(HEAD)
    head[RANK], head[HOLONOMIC_RANK] = stops.rank + _rank(measured), stops.holonomic_rank + _rank(measured[gaps])
    return np.concatenate([scale, head, shift, states.ravel()])


def independent_slips(stops: Stops, now: Instant, closed: Mapping[int, Touch]) -> list[int]:
    """Slip rows of sticking contacts that forbid something that the gaps, and slips before them, do not."""
    heads = [i * stops.stride for i in closed]
    active = heads
    for i, touch in closed.items():
        if touch.kind == STICKING:
            active = _with_independent(now, active, slip_rows(stops, i))
    return active[len(heads) :]


def _with_independent(now: Instant, active: list[int], rows: list[int]) -> list[int]:
    """The active rows and those of the others that forbid something new.

    Where friction is shared by contacts in a way that rigid bodies do not determine, the first ones take it.
    """
    for row in rows:
        more = [*active, row]
        size = np.maximum(np.linalg.norm(now.meeting.R[more], axis=1), 1e-300)[:, None]
        if _rank(now.meeting.S[more] / size) > _rank(now.meeting.S[active] / size[:-1]):
            active = more
    return active


def _rank(matrix: Vector) -> int:
    s = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(s > INDEPENDENT))
