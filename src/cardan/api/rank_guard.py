"""The guard over the rank of the constraints: carries a motion across, and records what happened there.

A run is in one of four modes: ``regular`` (held back from the window around a loss of rank, where passages take over),
``anywhere`` (inside passages), ``resolved`` (ordinary steps through nearly bifurcating geometry) and ``resident`` (the
motion stays where rank is lost, with the rank that is left).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.api.assembly import ConsistentStart
from cardan.api.rank_audit import GUARDED
from cardan.api.rank_choice import chosen_state, no_preferred_branch, refused_impulse
from cardan.api.rank_records import crossing_records, impulse_record, near_record, resident_record, snap_record
from cardan.codegen.rank import RankNumbers
from cardan.pipeline import Prepared
from cardan.simulation.guarded import Continuation
from cardan.simulation.locating import singular_times
from cardan.simulation.protocol import CompiledModel, Event
from cardan.simulation.window import Travel, Window, as_segment, nearest_ahead, travel
from cardan.singular.closure import limit_accelerations
from cardan.singular.records import EventRecord
from cardan.singular.states import RankState, decide
from cardan.singular.unfolding import Unfolding

Vector = NDArray[np.float64]

LEVEL = 0.2  # last pivot, in units of its typical value, below which passages carry the motion
REFUSED = 0.3  # of the level: an ordinary step that comes as near as this is made shorter
ALREADY = 1.001  # of the level: as near as this counts as inside
OUTSIDE = 1.05  # of the level: a resolved motion is watched again from here on
EXACT = 1e-13  # unfolding parameter, relative to the size of the system, that rounding leaves in exact geometry
PROJECTIONS = 4  # of a few Newton steps each, to shifted constraints
SAME_PLACE = 1e-2  # of the largest typical size: configurations as near as this are one
LEAVING = 1e-7  # kappa, or its rate in units of the motion's, at which a motion has left where rank is lost


@dataclass(frozen=True)
class RankOptions:
    """What a run asks for: local errors, the geometric error that may be ignored, and what to do where all is open."""

    rtol: float
    atol: float
    geometry_tol: float = 1e-9
    branch: Any = None
    project: str | None = None


class RankGuard:
    """Watches the last pivot, makes passages, and decides at singular states."""

    def __init__(self, compiled: Prepared, start: float, end: float, sizes: Vector, options: RankOptions) -> None:
        assert compiled.reference is not None
        self.compiled, self.reference = compiled, compiled.reference
        self.start, self.end, self.sizes, self.options = start, end, sizes, options
        self.level = LEVEL * self.reference.pivots
        self._set_modes(None)

    def _set_modes(self, shift: Vector | None) -> None:
        """The modes, with constraints shifted by residuals that nearly bifurcating geometry leaves."""
        self.shift = shift
        self._exact: list[Unfolding] = []
        made = self.compiled.watched
        self.regular = made(refused=REFUSED * self.level, watched=self.level, shift=shift)
        self.anywhere = made(shift=shift)
        self.resolved = made(watched=OUTSIDE * self.level, shift=shift)
        self.resident: Prepared | None = None
        self.window = Window(self.anywhere, self.level, self.sizes, self.options.rtol, self.options.atol)

    # --- the protocol of guards --------------------------------------------------------------------

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Event]:
        if mode is self.regular:
            return [Event(self.regular.nearness, -1, terminal=True, start_sign=1, name="rank")]
        if mode is self.resolved:
            return [Event(self.resolved.nearness, 1, terminal=True, start_sign=-1, name="rank")]
        if mode is self.resident:
            return [Event(self._leaving, 1, terminal=True, start_sign=-1, name="leaving")]
        return []

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        return Continuation(y, mode=self.regular)

    def resume(self, mode: CompiledModel, t: float, y: Vector) -> Continuation | None:
        """Passages through the window, where the state is inside it; decisions, where it is singular."""
        if mode is self.compiled:  # another guard has given the motion back
            return Continuation(y, mode=self.regular)
        if mode is not self.regular or t == self.end or not self.window.nearness(t, y) < ALREADY * self.level:
            return None
        if self._is_singular(t, y):
            return self._decided(t, y)
        return self._across(t, y, self._rates(t, y))

    def _is_singular(self, t: float, y: Vector) -> bool:
        return self.numbers(t, y).local(t, y, 10 * LEAVING).is_singular

    def _rates(self, t: float, y: Vector) -> Vector:
        """ydot, with accelerations of zero where they cannot be evaluated."""
        rates = self.window.rates(t, y)
        if rates is not None:
            return rates
        return np.concatenate([self.numbers(t, y).system.terms(t, y).qd, np.zeros(self.regular.nv)])

    # --- across ------------------------------------------------------------------------------------

    def _across(self, t: float, y: Vector, rates: Vector) -> Continuation:
        """Passages until the window is left, constraints snapped before; ordinary steps where geometry does not
        bifurcate, or passages fail."""
        records: tuple[EventRecord, ...] = ()
        unfolding = self._unfolding(t, y, rates) if self.is_holonomic.any() else None
        if unfolding is not None and unfolding.e > EXACT:
            if unfolding.e > self.options.geometry_tol:
                return self._resolved(t, y, unfolding, records)
            self._set_modes(unfolding.shift if self.shift is None else self.shift + unfolding.shift)
            before, y = y, self._brought(t, y)
            rates = rates if self._is_singular(t, y) else self._rates(t, y)
            records = (snap_record(self.numbers(t, y), t, before, y, unfolding, self.options.geometry_tol),)
        found = travel(self.window, t, self.end, y, rates)
        if not found.passages:
            return self._resolved(t, y, unfolding, records)
        path = tuple(as_segment(one) for one in found.passages)
        crossed = self._crossed(found)
        return Continuation(
            found.y,
            mode=self.regular,
            t=found.t,
            records=(*records, *crossed),
            path=path,
            evaluations=found.evaluations,
        )

    def _brought(self, t: float, y: Vector) -> Vector:
        """The state on shifted constraints, which are farther away than a step leaves them: projected repeatedly."""
        for _ in range(PROJECTIONS):
            before, y = y, self.window.projected(t, y)
            if np.array_equal(before, y):
                break
        return y

    def _crossed(self, found: Travel) -> tuple[EventRecord, ...]:
        """Records of the singular configurations on the way."""
        records: list[EventRecord] = []
        for passage in found.passages:
            for t in singular_times(passage, self.window.nearness):
                y = passage.at(np.array([t]))[0]
                numbers = self.numbers(t, y)
                records += crossing_records(numbers, t, y, self.is_holonomic, passage)
        return tuple(records)

    def _resolved(
        self, t: float, y: Vector, unfolding: Unfolding | None, records: tuple[EventRecord, ...]
    ) -> Continuation:
        """Ordinary steps through the window."""
        note = near_record(t, y, unfolding, self.options.geometry_tol)
        return Continuation(y, mode=self.resolved, records=(*records, note))

    def _unfolding(self, t: float, y: Vector, rates: Vector) -> Unfolding | None:
        """The singular configuration ahead, if constraints have one."""
        ahead, near = nearest_ahead(self.window, t, self.end, y, rates)
        for known in self._exact:  # met before, and found to bifurcate exactly
            if self._distance(known.y, near) < SAME_PLACE:
                return known
        numbers = self.numbers(ahead, near)
        values = numbers.local(ahead, near).singular_values[: self.reference.rank]
        steps = values[:-1] / np.maximum(values[1:], 1e-300)
        corank = self.reference.rank - 1 - int(np.argmax(steps)) if len(steps) else self.reference.rank
        found = numbers.unfolding(ahead, near, corank)
        if found is None or found.distance > LEVEL:
            return None
        if found.e <= EXACT:
            self._exact.append(found)
        return found

    def _distance(self, a: Vector, b: Vector) -> float:
        """Largest difference of two configurations, whole turns left out, in units of the largest typical size."""
        apart = (b - a)[: self.regular.nq]
        angles = list(self.regular.angles)
        apart[angles] = np.remainder(apart[angles] + np.pi, 2 * np.pi) - np.pi
        return float(np.max(np.abs(apart), initial=0.0)) / float(np.max(self.sizes))

    # --- at singular states ------------------------------------------------------------------------

    def _decided(self, t: float, y: Vector) -> Continuation:
        """How the motion goes on from a state where rank is lost."""
        numbers, nq = self.numbers(t, y), self.regular.nq
        state = self._state(numbers, t, y)
        begins, rule = t == self.start, self.options.project
        if state.kind == "open" or (begins and self.options.branch is not None):
            if not begins and rule != "max_energy":
                return Continuation(y, mode=self.regular, ends=str(no_preferred_branch(numbers, t, y, on_the_way=True)))
            state = chosen_state(numbers, t, y, state, self.options.branch if begins else None, rule)
        after = np.concatenate([y[:nq], state.velocity])
        if not np.allclose(state.velocity, y[nq:], rtol=1e-9, atol=1e-12 * float(np.max(np.abs(y[nq:]), initial=0.0))):
            jump = impulse_record(numbers, t, y, after)
            if rule == "never":
                return Continuation(y, mode=self.regular, ends=refused_impulse(numbers, t, jump, begins=begins))
            return Continuation(after, records=(jump,))  # and decided again from there
        if state.kind in ("resident", "rest"):
            local = numbers.local(t, after, 10 * LEAVING)
            ranks = local.rank, local.rank_of(numbers.system.holonomic)
            self.resident = self.compiled.watched(ranks=ranks, shift=self.shift)
            note = resident_record(numbers, t, y, local)
            return Continuation(after, mode=self.resident, records=(note,))
        qd = numbers.system.terms(t, after).qd
        return self._across(t, after, np.concatenate([qd, state.acceleration]))

    def _state(self, numbers: RankNumbers, t: float, y: Vector) -> RankState:
        nq = self.regular.nq
        local = numbers.local(t, y, 10 * LEAVING)

        def limit(v: Vector) -> Vector:
            moving = np.concatenate([y[:nq], v])
            return limit_accelerations(numbers.local(t, moving, 10 * LEAVING), numbers.extension(t, moving))[0]

        return decide(
            local, y[nq:], self.sizes, self.is_holonomic, lambda v: numbers.matrix_rate(t, y, v), limit
        )  # fmt: skip

    def _leaving(self, t: float, y: Vector, p: Vector) -> float:
        """Positive once a resident motion moves where the rank is full again."""
        numbers, nq = self.numbers(t, y), self.regular.nq
        local = numbers.local(t, y, 10 * LEAVING)
        if not local.is_singular:
            return local.kappa - LEAVING
        speed = max(float(np.max(np.abs(y[nq:]) / self.sizes)), 1e-12)
        rate = float(np.linalg.norm(local.left_null.T @ numbers.matrix_rate(t, y, y[nq:]) @ local.terms.half))
        return max(local.kappa, rate / speed) - LEAVING

    # --- numbers -----------------------------------------------------------------------------------

    def numbers(self, t: float, y: Vector) -> RankNumbers:
        """Ranks at a state, inputs refreshed."""
        p = self.regular.parameters.copy()
        if self.regular.refresh is not None:
            self.regular.refresh(t, y, p)
        return RankNumbers(self.regular.kernel, p, self.reference, self.shift)

    @cached_property
    def is_holonomic(self) -> NDArray[np.bool_]:
        return np.array([row.is_holonomic for row in self.regular.kernel.dynamics.constraints.rows], dtype=bool)


def rank_guard(
    compiled: Prepared, start: ConsistentStart, t0: float, t1: float, method: str, options: RankOptions
) -> RankGuard | None:
    """The guard over a run with constraints; None for methods of fixed step, which cannot be held back."""
    if method not in GUARDED or start.reference.rank == 0:
        return None
    return RankGuard(compiled, t0, t1, start.sizes, options)
