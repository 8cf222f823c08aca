"""The guard over the rank of the constraints: carries a motion across, and records what happened there.

Its modes are told in ``rank_modes.py``; while stops are closed the motion is in a mode of theirs, and passages carry it
across with these contacts in force.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.native.once import once
from cardan.simulation.guarded import Continuation, Guard
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.singular.records import EventRecord
from cardan.trajectory.assembly import ConsistentStart
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.rank.choice import chosen_state, held_there, no_preferred_branch, refused_impulse
from cardan.trajectory.rank.closure import limit_accelerations
from cardan.trajectory.rank.locating import singular_times
from cardan.trajectory.rank.modes import RankModes
from cardan.trajectory.rank.numbers import RankNumbers
from cardan.trajectory.rank.records import crossing_records, impulse_record, near_record, resident_record, snap_record
from cardan.trajectory.rank.slow import travel_with_slack
from cardan.trajectory.rank.states import RankState, decide, decide_driven, pull_beside
from cardan.trajectory.rank.thresholds import (
    ALREADY,
    CREEPING,
    DECIDED,
    EXACT,
    LEAVING,
    PLAIN,
    SAME_PLACE,
    SHORT,
    SLOWEST,
    WINDOW,
)
from cardan.trajectory.rank.unfolding import Unfolding, extreme
from cardan.trajectory.rank.window import Travel, as_segment, nearest_ahead
from cardan.trajectory.request import Request
from cardan.trajectory.settings import Settings
from cardan.trajectory.stops import ContactMode

Vector = NDArray[np.float64]

PROJECTIONS = 4  # of a few Newton steps each, to shifted constraints


class RankGuard(Guard):
    """Watches the last pivot, makes passages, and decides at singular states."""

    def __init__(
        self, compiled: Prepared, start: float, end: float, sizes: Vector, options: Settings, *, held: bool = True
    ) -> None:
        assert compiled.reference is not None
        self.compiled, self.reference = compiled, compiled.reference
        self.start, self.end, self.sizes, self.options = start, end, sizes, options
        self.level = WINDOW * self.reference.pivots
        self.modes = RankModes(compiled, self.level, sizes, options.rtol, options.absolute, held=held)
        self._exact: list[Unfolding] = []
        self._slowest = 0.0

    # --- the protocol of guards --------------------------------------------------------------------

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        if mode is self.modes.resident:
            return [Watch(self._leaving, 1, terminal=True, start_sign=-1, name="leaving")]
        return self.modes.events(mode)

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        return Continuation(y, mode=self.modes.behind(mode))

    def resume(self, mode: CompiledModel, t: float, y: Vector) -> Continuation | None:
        """Passages through the window, where the state is inside it; decisions, where it is singular."""
        if mode is self.compiled:  # another guard has given the motion back
            return Continuation(y, mode=self.modes.regular)
        near = self.modes.window.nearness
        if not self.modes.is_held(mode) or t == self.end or not near(t, y) < ALREADY * self.level:
            return None
        if self._is_singular(t, y):
            return self._decided(t, y, mode)
        return self._across(t, y, self._rates(t, y, mode), mode)

    def _is_singular(self, t: float, y: Vector) -> bool:
        if self.modes.window.nearness(t, y) > PLAIN * self.level:
            return False
        return self.numbers(t, y).local(t, y, DECIDED).is_singular

    def _rates(self, t: float, y: Vector, mode: CompiledModel) -> Vector:
        """ydot, with accelerations of zero where they cannot be evaluated."""
        rates = self.modes.window_of(mode).rates(t, y)
        if rates is not None:
            return rates
        return np.concatenate([self.numbers(t, y).system.terms(t, y).qd, np.zeros(self.compiled.nv)])

    # --- across ------------------------------------------------------------------------------------

    def _across(self, t: float, y: Vector, rates: Vector, mode: CompiledModel) -> Continuation:
        """Passages until the window is left, constraints snapped before; ordinary steps where geometry does not
        bifurcate, or passages fail."""
        records: tuple[EventRecord, ...] = ()
        unfolding = self._unfolding(t, y, rates) if self.is_holonomic.any() else None
        if unfolding is not None and unfolding.e > EXACT:
            if unfolding.e > self.options.geometry_tol:
                return self._resolved(t, y, unfolding, records, mode)
            self.modes.shift_by(unfolding.shift, mode)
            self._exact.clear()
            before, y = y, self._brought(t, y, mode)
            rates = rates if self._is_singular(t, y) else self._rates(t, y, mode)
            records = (snap_record(self.numbers(t, y), t, before, y, unfolding, self.options.geometry_tol),)
        found = travel_with_slack(self.modes.window_of(mode), t, self.end, y, rates)
        if not found.passages:
            return self._resolved(t, y, unfolding, records, mode)
        path = tuple(as_segment(one, mode) for one in found.passages)
        crossed = self._crossed(found, mode)
        return Continuation(
            found.y,
            mode=self.modes.behind(mode),
            t=found.t,
            records=(*records, *crossed),
            path=path,
            evaluations=found.evaluations,
        )

    def _brought(self, t: float, y: Vector, mode: CompiledModel) -> Vector:
        """The state on shifted constraints, which are farther away than a step leaves them: projected repeatedly."""
        window = self.modes.window_of(mode)
        for _ in range(PROJECTIONS):
            before, y = y, window.project(t, y)
            if np.array_equal(before, y):
                break
        return y

    def _crossed(self, found: Travel, mode: CompiledModel) -> tuple[EventRecord, ...]:
        """Records of the singular configurations on the way."""
        records: list[EventRecord] = []
        for passage in found.passages:
            for t in singular_times(passage, self.modes.window.pivots):
                y = passage.at(np.array([t]))[0]
                numbers = self.numbers(t, y)
                rests = isinstance(mode, ContactMode)
                records += crossing_records(numbers, t, y, self.is_holonomic, passage, rests=rests)
        return tuple(records)

    def _resolved(
        self, t: float, y: Vector, unfolding: Unfolding | None, records: tuple[EventRecord, ...], mode: CompiledModel
    ) -> Continuation:
        """Ordinary steps through the window."""
        note = near_record(t, y, unfolding, self.options.geometry_tol)
        return Continuation(y, mode=self.modes.unheld(mode), records=(*records, note))

    def _unfolding(self, t: float, y: Vector, rates: Vector) -> Unfolding | None:
        """The singular configuration ahead, if constraints have one."""
        ahead, near = nearest_ahead(self.modes.window, t, self.end, y, rates)
        for known in self._exact:  # met before, and found to bifurcate exactly
            if self._distance(known.y, near) < SAME_PLACE:
                return known
        numbers = self.numbers(ahead, near)
        values = numbers.local(ahead, near).singular_values[: self.reference.rank]
        steps = values[:-1] / np.maximum(values[1:], 1e-300)
        corank = self.reference.rank - 1 - int(np.argmax(steps)) if len(steps) else self.reference.rank
        is_driven = numbers.is_driven(ahead, near)
        found = (
            extreme(lambda at: self.numbers(at, near).unfolding(at, near, corank), ahead, SHORT * (ahead - t))
            if is_driven and ahead != t
            else numbers.unfolding(ahead, near, corank)
        )
        if found is None or found.distance > WINDOW:
            return None
        if found.e <= EXACT and not is_driven:
            self._exact.append(found)
        return found

    def _distance(self, a: Vector, b: Vector) -> float:
        """Largest difference of two configurations, whole turns left out, in units of the largest typical size."""
        apart = (b - a)[: self.compiled.nq]
        angles = list(self.compiled.angles)
        apart[angles] = np.remainder(apart[angles] + np.pi, 2 * np.pi) - np.pi
        return float(np.max(np.abs(apart), initial=0.0)) / float(np.max(self.sizes))

    # --- at singular states ------------------------------------------------------------------------

    def _decided(self, t: float, y: Vector, mode: CompiledModel) -> Continuation:
        """How the motion goes on from a state where rank is lost."""
        numbers, nq = self.numbers(t, y), self.compiled.nq
        state = self._state(numbers, t, y)
        if isinstance(mode, ContactMode) and state.kind != "crossing":
            return Continuation(y, mode=mode, ends=held_there(numbers, t, mode.closed_names))
        begins, rule = t == self.start, self.options.project
        if state.kind == "open" and not begins and self._is_creeping(numbers, t, y):
            state = chosen_state(numbers, t, y, state, None, "max_energy")
            y = np.concatenate([y[:nq], state.velocity])
        if state.kind == "open" or (begins and self.options.branch is not None):
            if not begins and rule != "max_energy":
                return Continuation(y, mode=mode, ends=str(no_preferred_branch(numbers, t, y, on_the_way=True)))
            state = chosen_state(numbers, t, y, state, self.options.branch if begins else None, rule)
        after = np.concatenate([y[:nq], state.velocity])
        if not np.allclose(state.velocity, y[nq:], rtol=1e-9, atol=1e-12 * float(np.max(np.abs(y[nq:]), initial=0.0))):
            jump = impulse_record(numbers, t, y, after)
            if rule == "never":
                return Continuation(y, mode=mode, ends=refused_impulse(numbers, t, jump, begins=begins))
            return Continuation(after, records=(jump,))  # and decided again from there
        if state.kind in ("resident", "rest"):
            local = numbers.local(t, after, DECIDED)
            ranks = local.rank, local.rank_of(numbers.system.holonomic)
            note = resident_record(numbers, t, y, local)
            self._slowest = max(1e-12, SLOWEST * float(np.sqrt(pull_beside(numbers.system, t, y, self.sizes))))
            return Continuation(after, mode=self.modes.staying(ranks), records=(note,))
        qd = numbers.system.terms(t, after).qd
        return self._across(t, after, np.concatenate([qd, state.acceleration]), mode)

    def _state(self, numbers: RankNumbers, t: float, y: Vector) -> RankState:
        nq = self.compiled.nq
        local = numbers.local(t, y, DECIDED)

        def limit(v: Vector) -> Vector:
            moving = np.concatenate([y[:nq], v])
            return limit_accelerations(numbers.local(t, moving, DECIDED), numbers.extension(t, moving))[0]

        if numbers.is_driven(t, y):
            return decide_driven(local, y[nq:], numbers.extension(t, y), limit)
        return decide(
            local, y[nq:], self.sizes, self.is_holonomic, lambda v: numbers.matrix_rate(t, y, v), limit,
            lambda: pull_beside(numbers.system, t, y, self.sizes),
        )  # fmt: skip

    def _is_creeping(self, numbers: RankNumbers, t: float, y: Vector) -> bool:
        """Whether it moves so slowly that rounding has turned its velocity off its branch: impacts make others."""
        speed = float(np.max(np.abs(y[self.compiled.nq :]) / self.sizes, initial=0.0))
        return 0.0 < speed < CREEPING * float(np.sqrt(pull_beside(numbers.system, t, y, self.sizes)))

    def _leaving(self, t: float, y: Vector, p: Vector) -> float:
        """Positive once a resident motion moves where the rank is full again."""
        numbers, nq = self.numbers(t, y), self.compiled.nq
        local = numbers.local(t, y, DECIDED)
        if not local.is_singular:
            return local.kappa - LEAVING
        speed = max(float(np.max(np.abs(y[nq:]) / self.sizes)), self._slowest)
        rate = float(np.linalg.norm(local.left_null.T @ numbers.matrix_rate(t, y, y[nq:]) @ local.terms.half))
        return max(local.kappa, rate / speed) - LEAVING

    # --- numbers -----------------------------------------------------------------------------------

    def numbers(self, t: float, y: Vector) -> RankNumbers:
        """Ranks at a state, inputs refreshed."""
        p = self.compiled.parameters.copy()
        if self.compiled.refresh is not None:
            self.compiled.refresh(t, y, p)
        return RankNumbers(self.compiled.kernel, p, self.reference, self.modes.shift)

    @once
    def is_holonomic(self) -> NDArray[np.bool_]:
        return np.array([row.is_holonomic for row in self.compiled.kernel.dynamics.constraints.rows], dtype=bool)


def rank_guard(compiled: Prepared, start: ConsistentStart, request: Request) -> RankGuard | None:
    """The guard over a run with constraints; None for methods that nothing carries across a loss of rank."""
    method = request.method
    if not method.is_carried_across_rank_loss or start.reference.rank == 0:
        return None
    held = method.is_held_at_rank_loss
    return RankGuard(compiled, request.t0, request.end, start.sizes, request.settings, held=held)
