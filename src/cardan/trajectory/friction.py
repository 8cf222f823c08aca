"""Stick and slip: which frictions hold, which slide and in which direction, and when that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cardan.errors import ModelError, SimulationError, SingularityError
from cardan.simulation.guarded import Continuation, Guard
from cardan.simulation.methods.table import method_named
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.singular.friction import Pressed
from cardan.singular.projection import project_velocity
from cardan.singular.records import EventRecord
from cardan.singular.reference import reference
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.friction_shares import shares
from cardan.trajectory.prepared import Prepared

Vector = NDArray[np.float64]
Modes = tuple[int, ...]  # per friction: 0 sticks, +1 or -1 slides that way

AT_REST = 1e-12  # of the largest speed: a sliding velocity below this is none
HELD = 1e-9  # of the limit: a force above it by less still sticks
MOST_AT_ONCE = 40  # changes at one instant


class FrictionGuard(Guard):
    """Interrupts a motion where a sliding velocity vanishes, a sticking force reaches its limit, or paradox begins."""

    def __init__(self, compiled: Prepared, t: float, y: Vector, method: str = "auto", ahead: int = 1) -> None:
        self.compiled, self.functions = compiled, compiled.kernel.friction
        self._tails: dict[frozenset[int], tuple[Vector, float]] = {}
        self.shares: dict[int, float] = {}  # frictions that stick by the choice of a share, with their directions
        self._ahead = ahead  # -1: time runs backwards, and what begins to slide does so against its acceleration
        self._refuse_stops()
        self._refuse_method(method)
        self.history: list[tuple[float, Vector]] = []
        self._last, self._count = t, 0
        speeds = self.functions.speeds(t, y, compiled.parameters)[:, 0]
        rest = AT_REST * float(np.max(np.abs(y[compiled.nq :]), initial=0.0))
        modes = [int(np.sign(s)) if abs(s) > rest else 0 for s in speeds]
        undecided = [k for k in self._exact if modes[k] == 0]
        self.modes = self._settled(t, y, modes, undecided)
        self.start = self._mode(t, y, self.modes)

    @property
    def _exact(self) -> list[int]:
        return [k for k, one in enumerate(self.functions.frictions) if one.is_exact]

    @property
    def _watched(self) -> list[int]:
        """Frictions whose modes may end by themselves; those that stick by a share end with the others."""
        return [k for k in self._exact if k not in self.shares]

    # --- the protocol of guards --------------------------------------------------------------------

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        f = self.functions
        found = [
            Watch(f.event(k), direction=-1, terminal=True, start_sign=1, name=f"{f.frictions[k].name} mode")
            for k in self._watched
        ]
        if any(one.is_coupled for one in f.frictions):
            found.append(Watch(f.event(f.K), direction=-1, terminal=True, start_sign=1, name="paradox"))
        return found

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        if which >= len(self._watched):
            return Continuation(y, ends=self._paradox(t, y, self._parameters(t, y, self.modes)))
        k = self._watched[which]
        name = self.functions.frictions[k].name
        self._count = self._count + 1 if t == self._last else 0
        self._last = t
        if self._count > MOST_AT_ONCE:
            return Continuation(y, ends=f"Friction {name!r} sticks and slips without end at t = {t:.9g}.")
        before = self.modes
        solved = self._solve(t, y, before)
        try:
            after = self._release(t, y, k, solved) if before[k] == 0 else self._arrive(t, y, k)
        except SingularityError as problem:
            return Continuation(y, ends=str(problem))
        self.modes = after
        y = self._on_tangent(t, y, after)
        changed = [] if after == before and self.shares else [k]
        changed += [j for j in self._exact if j != k and before[j] != after[j]]
        records = tuple(self._record(j, before[j], t, y, solved) for j in changed)
        return Continuation(y, self._mode(t, y, after), records)

    def refresh(self, own: Callable[[float, Vector, Vector], None] | None) -> Callable[[float, Vector, Vector], None]:
        """What writes signals, modes and pressing forces at a time of the run into p, for its outputs."""
        f = self.functions
        times = np.array([t for t, _ in self.history])
        first = len(self.compiled.kernel.model.parameters) + len(self.compiled.kernel.model.driving)

        def write(t: float, y: Vector, p: Vector) -> None:
            if own is not None:
                own(t, y, p)
            now = self.history[max(0, int(np.searchsorted(times, t, side="right")) - 1)][1]
            p[first : f.first] = now[first : f.first]
            p[f.first : f.first + f.K] = f.solve(t, y, p).N

        return write

    # --- changes of mode ---------------------------------------------------------------------------

    def _arrive(self, t: float, y: Vector, k: int) -> Modes:
        """A sliding velocity has vanished: it sticks where it can, otherwise it slides on, or back."""
        stuck = [j for j in self._exact if self.modes[j] == 0]
        return self._settled(t, y, self.modes, sorted({k, *stuck}))

    def _release(self, t: float, y: Vector, k: int, solved: Pressed) -> Modes:
        """A sticking force has reached its limit: another share may hold, else sliding begins against it."""
        again = self._shares(t, y, self.modes)
        if again:
            self.shares = again
            return self.modes
        modes = list(self.modes)
        for j, direction in self.shares.items():
            modes[j] = int(np.sign(direction))
        self.shares = {}
        modes[k] = -self._ahead * int(np.sign(solved.lam[self.functions.rows[k]])) or 1
        return self._settled(t, y, modes, [j for j in self._exact if modes[j] == 0])

    def _settled(self, t: float, y: Vector, modes: Iterable[int], undecided: Sequence[int]) -> Modes:
        """Modes of the undecided frictions, at rest, that agree with their forces; sticking is preferred."""
        given = list(modes)
        self.shares = self._shares(t, y, tuple(0 if k in undecided else given[k] for k in range(len(given))))
        if self.shares:
            return tuple(0 if k in undecided else mode for k, mode in enumerate(given))
        options = sorted(product((0, 1, -1), repeat=len(undecided)), key=lambda one: sum(map(abs, one)))
        for option in options:
            trial = list(given)
            for k, value in zip(undecided, option, strict=True):
                trial[k] = value
            if self._agrees(t, y, tuple(trial), undecided):
                return tuple(trial)
        names = ", ".join(self.functions.frictions[k].name for k in undecided)
        raise SingularityError(
            f"At t = {t:.9g} neither sticking nor sliding of {names} agrees with its force: the pressing force depends "
            "on friction so strongly that no motion continues this one. Lower the coefficient, or allow the bodies to "
            "give way (springs instead of constraints).",
            names=names,
            t=t,
        )

    def _shares(self, t: float, y: Vector, modes: Modes) -> dict[int, float]:
        """A share of sticking forces that these modes leave undetermined, within all limits."""
        kept, self.shares = self.shares, {}
        p = self._parameters(t, y, modes)
        self.shares = kept
        return shares(self.functions, t, y, p, [k for k in self._exact if modes[k] == 0])

    def _agrees(self, t: float, y: Vector, modes: Modes, undecided: Sequence[int]) -> bool:
        f = self.functions
        y = self._on_tangent(t, y, modes)
        solved = self._solve(t, y, modes)
        if not solved.margin > 0:
            raise SingularityError(self._paradox(t, y, self._parameters(t, y, modes)), t=t)
        speeds = f.speeds(t, y, self._parameters(t, y, modes))
        for k in undecided:
            if modes[k] == 0:
                if abs(solved.lam[f.rows[k]]) > (1 + HELD) * speeds[k, 2] * solved.N[k]:
                    return False
            elif self._ahead * modes[k] * self._sliding_acceleration(t, y, modes, k, solved) <= 0:
                return False
        return True

    def _sliding_acceleration(self, t: float, y: Vector, modes: Modes, k: int, solved: Pressed) -> float:
        f = self.functions
        p = self._parameters(t, y, modes)
        p[f.sticking[k]] = 1.0  # so that the row is there to be read
        terms = f.terms(t, y, p)
        row = f.rows[k]
        return float(terms.A[row] @ solved.vd - terms.b[row])

    # --- numbers -----------------------------------------------------------------------------------

    def _solve(self, t: float, y: Vector, modes: Modes) -> Pressed:
        return self.functions.solve(t, y, self._parameters(t, y, modes))

    def _parameters(self, t: float, y: Vector, modes: Modes) -> Vector:
        """p in these modes, with row scales and rank of the constraints that hold then."""
        f, kernel = self.functions, self.compiled.kernel
        p = self.compiled.parameters.copy()
        for k in self._exact:
            shared = modes[k] == 0 and k in self.shares
            p[f.directions[k]] = self.shares[k] if shared else float(modes[k])
            p[f.sticking[k]] = float(modes[k] == 0 and not shared)
        if self.compiled.refresh is not None:
            self.compiled.refresh(t, y, p)
        if kernel.m:
            scale, rank = self._tail(t, y, modes, p)
            at = len(kernel.parameters)
            p[at : at + kernel.m], p[at + kernel.m] = scale, rank
        return p

    def _tail(self, t: float, y: Vector, modes: Modes, p: Vector) -> tuple[Vector, float]:
        stuck = frozenset(k for k in self._exact if modes[k] == 0 and k not in self.shares)
        if stuck not in self._tails:
            kernel = self.compiled.kernel
            found = reference(kernel.numbers(p), t, y, typical_sizes(kernel, y, t))
            self._tails[stuck] = (found.scale, float(found.rank))
        return self._tails[stuck]

    def _mode(self, t: float, y: Vector, modes: Modes) -> Prepared:
        p = self._parameters(t, y, modes)
        self.history.append((t, p))
        return self.compiled.with_parameters(p)

    def _on_tangent(self, t: float, y: Vector, modes: Modes) -> Vector:
        """y with the velocities of sticking frictions exactly zero."""
        kernel = self.compiled.kernel
        if not kernel.m:
            return y
        sizes = typical_sizes(kernel, y, t)
        return project_velocity(kernel.numbers(self._parameters(t, y, modes)), t, y, sizes)

    # --- words -------------------------------------------------------------------------------------

    def _record(self, k: int, before: int, t: float, y: Vector, solved: Pressed) -> EventRecord:
        f, now = self.functions, self.modes[k]
        name = f.frictions[k].name
        speeds = f.speeds(t, y, self._parameters(t, y, self.modes))
        facts = {"pressing": float(solved.N[k]), "limit": float(speeds[k, 2] * solved.N[k]), "from": before, "to": now}
        kind = "stick" if now == 0 else "slip"
        what = (
            f"{name} sticks."
            if now == 0
            else f"{name} slides in the {'positive' if now > 0 else 'negative'} direction."
        )
        return EventRecord(kind, name, t, y, what, facts)

    def _paradox(self, t: float, y: Vector, p: Vector) -> str:
        f = self.functions
        solved = f.solve(t, y, p)
        names = ", ".join(one.name for one in f.frictions if one.is_coupled)
        found = ""
        if f.K == 1:
            listed = ", ".join(f"{x:.6g}" for x in solved.solutions) or "none"
            found = f" Pressing forces that satisfy the equations: {listed}."
        return (
            f"At t = {t:.9g} friction ({names}) changes its own pressing force by more than that force itself, so the "
            f"motion is no longer unique (Painleve's paradox).{found} Rigid bodies with Coulomb friction do not say "
            "what happens next: lower the coefficient, or let the contact give way."
        )

    def _refuse_stops(self) -> None:
        if self.compiled.kernel.model.stops:
            names = ", ".join(one.name for one in self.functions.frictions)
            raise ModelError(
                f"Friction {names} has to be solved for together with the motion, which is not possible in a system "
                "with stops. Give the friction of contacts with s.stop(..., friction=), and use a smooth law with a "
                "given load elsewhere."
            )

    def _refuse_method(self, method: str) -> None:
        if not method_named(method).solves_friction:
            names = ", ".join(one.name for one in self.functions.frictions)
            raise SimulationError(
                f"Friction {names} has to be solved for together with the motion, which method {method!r} cannot do: "
                "it builds on forces that the state alone gives. Use method='auto', 'DOP853', 'Radau' or 'RK4', or "
                "give the friction a smooth law and a load that is an expression: law='tanh', normal=expression.",
                method=method,
                names=names,
            )
