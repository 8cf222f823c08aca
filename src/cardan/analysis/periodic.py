"""Periodic motions: their states, period, Floquet multipliers and stability, and a long run to check them by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.closing import along
from cardan.analysis.conserved import gradients
from cardan.analysis.floquet import Complex, Multipliers, multipliers, verdict
from cardan.analysis.long_run import LongRun, long_run
from cardan.analysis.shooting import Joined
from cardan.analysis.stability import Stability
from cardan.analysis.transition import POINTS
from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError
from cardan.native.once import once
from cardan.native.showing import Shown

Vector = NDArray[np.float64]

OWN = "the motion's own direction"


@dataclass(frozen=True, eq=False)
class PeriodicMotion(Shown):
    """A motion that repeats itself: at t0 it is at (q, v), and after ``period`` again.

    With symmetries it repeats itself up to ``shifts`` along them; with a jump, after the jump.
    """

    joined: Joined

    @property
    def kernel(self) -> Kernel:
        return self.joined.arcs[0].kernel

    @property
    def y(self) -> Vector:
        return self.joined.nodes[0]

    @property
    def q(self) -> Vector:
        return self.y[: self.kernel.nq]

    @property
    def v(self) -> Vector:
        return self.y[self.kernel.nq :]

    @property
    def period(self) -> float:
        return self.joined.period

    @property
    def shifts(self) -> Vector:
        """How far each symmetry carries it in a period."""
        return self.joined.shifts

    @property
    def defect(self) -> float:
        """How far it misses its start after a period, in units of typical sizes and rates."""
        return self.joined.open

    def __getitem__(self, name: str) -> float:
        """A coordinate or velocity at the start, the "period", or a parameter, by name."""
        if name == "period":
            return self.period
        names = [symbol.name for symbol in (*self.kernel.model.q, *self.kernel.model.v)]
        if name in names:
            return float(self.y[names.index(name)])
        values = {str(symbol): float(value) for symbol, value in self.kernel.values.items()}
        if name in values:
            return values[name]
        raise ModelError(
            f"{name!r} is no coordinate, velocity or parameter of {self.kernel.model.name!r}: "
            f"{', '.join([*names, *values, 'period'])}."
        )

    def amplitude(self, name: str) -> float:
        """The largest value of a coordinate or velocity along the motion."""
        names = [symbol.name for symbol in (*self.kernel.model.q, *self.kernel.model.v)]
        k = names.index(name)
        found = []
        for one in self.joined.arcs:
            t = np.linspace(*one.t, 400)
            found.append(np.max(one.trajectory.solution.at(t)[:, k]))
        return float(max(found))

    # --- neighbours --------------------------------------------------------------------------------

    @once
    def monodromy(self) -> Vector:
        """P: neighbours after a period by neighbours at the start, in the independent coordinates of the start."""
        return self._monodromy(POINTS)

    def _monodromy(self, points: int) -> Vector:
        arcs, (rows, T) = self.joined.arcs, self.joined.bases[0]
        found = T
        for one in arcs:
            found = (one.derivative if points == POINTS else one.derivative_by(points)) @ found
        found = self._across_jump() @ found
        if self.joined.shots.fields:
            found = np.asarray(np.linalg.solve(self.joined.target[1], found), dtype=float)
        return np.asarray(found[rows])

    def _across_jump(self) -> Vector:
        last, jump = self.joined.arcs[-1], self.joined.shots.jump
        if jump is None:
            return np.eye(2 * self.kernel.nv)
        landing = jump(last.t[1], last.end, last.p)
        if not jump.has_place:
            return landing.slope
        before, after = last.rates(-1), self.joined.arcs[0].rates(0)
        tau = -landing.normal / float(landing.normal @ before)
        return np.asarray(landing.slope + np.outer(landing.slope @ before - after, tau))

    @once
    def accuracy(self) -> float:
        """How far the derivative of the flow is off, measured by a less exact way to it, relative to its size."""
        rough = self._monodromy(POINTS - 1)
        return float(np.max(np.abs(rough - self.monodromy)) / max(float(np.max(np.abs(self.monodromy))), 1.0))

    @once
    def found_multipliers(self) -> Multipliers:
        """Floquet multipliers, those apart that are 1 for a known reason."""
        rows, T = self.joined.bases[0]
        carried = {}
        if self.is_autonomous:
            carried[OWN] = self.joined.arcs[0].rates(0)[rows]
        for one in self.joined.shots.fields:
            carried[str(one)] = along(one, self.y)[rows]
        conserved = (
            {
                name: g @ T
                for name, g in gradients(
                    self.kernel, self.joined.shots.t0, self.y, self.joined.arcs[0].p, self.joined.shots.fields
                ).items()
            }
            if self.is_autonomous
            else {}
        )
        return multipliers(self.monodromy, carried, conserved, self.joined.scale[rows])

    @property
    def multipliers(self) -> Complex:
        """All Floquet multipliers, the largest first."""
        return self.found_multipliers.all

    @property
    def trivial(self) -> tuple[str, ...]:
        """Why some multipliers are 1: the motion's own direction, symmetries, what is conserved."""
        return self.found_multipliers.trivial

    @once
    def stability(self) -> Stability:
        """What the multipliers say of neighbouring motions, and why."""
        return verdict(self.found_multipliers, self.is_autonomous)

    @property
    def is_autonomous(self) -> bool:
        """Whether time itself does not matter."""
        return not self.joined.shots.timed

    # --- a long run --------------------------------------------------------------------------------

    def long_run(self, periods: int = 20) -> LongRun:
        """The motion followed for many periods, and a neighbour beside it as long as it stays one."""
        return long_run(self, periods)

    def __repr__(self) -> str:
        names = [symbol.name for symbol in (*self.kernel.model.q, *self.kernel.model.v)]
        said = ", ".join(f"{n} = {x:.6g}" for n, x in zip(names, self.y, strict=True))
        return f"PeriodicMotion({said}; period {self.period:.8g}: {self.stability.verdict})"
