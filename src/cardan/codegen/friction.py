"""Friction of one model as native functions: right-hand side, events, and pressing forces at a state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.linking import tie
from cardan.equations.friction import bends, stick_rows
from cardan.linalg.friction import SETTLED, friction_event, frictional_rhs, workspace
from cardan.native import Library
from cardan.native.once import once
from cardan.singular.constrained import Terms
from cardan.singular.friction import Pressed, pressed

if TYPE_CHECKING:
    from cardan.codegen.compiled import Kernel

Vector = NDArray[np.float64]
TURNS = 40


class FrictionFunctions:
    """Compiled when asked for; K frictions that the simulator solves for."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        model = kernel.model
        self.frictions = model.rubbing
        self.K = len(self.frictions)
        index = {symbol: k for k, symbol in enumerate((*model.parameters, *model.signals))}
        self.first = len(index) - self.K  # of the pressing forces in p
        self.directions = [index[one.direction] if one.is_exact else -1 for one in self.frictions]
        self.sticking = [index[one.sticks] if one.is_exact else -1 for one in self.frictions]
        self._events: dict[int, Library] = {}

    @once
    def rows(self) -> list[int]:
        """Constraint row of each friction, -1 where it is smooth."""
        return stick_rows(self.kernel.dynamics)

    @property
    def _sizes(self) -> str:
        k = self.kernel
        return f"i64 {k.nq}, i64 {k.nv}, i64 {k.m}, i64 {len(k.parameters)}, i64 {self.K}, i64 {self.turns}"

    @once
    def turns(self) -> int:
        """Of Newton's method at most: one where all forces are linear in what presses."""
        return TURNS if bends(self.kernel.dynamics) else 1

    @property
    def _workspace(self) -> int:
        return workspace(self.kernel.nq, self.kernel.nv, self.kernel.m, self.K)

    @once
    def _rhs(self) -> Library:
        kernels = [self.kernel.function(name) for name in ("terms", "pushes", "pressing")]
        return tie("rhs", frictional_rhs, kernels, self._sizes, self._workspace)

    @property
    def rhs(self) -> int:
        return self._rhs.address("rhs")

    def event(self, which: int) -> int:
        """Address of the event of a friction; which = K: pressing forces are unique where it is positive."""
        if which not in self._events:
            kernels = [self.kernel.function(name) for name in ("terms", "pushes", "pressing", "sliding")]
            row, direction = (self.rows[which], self.directions[which]) if which < self.K else (0, 0)
            sizes = f"{self._sizes}, i64 {which}, i64 {row}, i64 {direction}"
            self._events[which] = tie("event", friction_event, kernels, sizes, self._workspace)
        return self._events[which].address("event")

    # --- at one state ------------------------------------------------------------------------------

    def speeds(self, t: float, y: Vector, p: Vector) -> Vector:
        """[s, mu, mu of sticking] of each friction."""
        function = self.kernel.function("sliding")
        return function(t, y, np.ascontiguousarray(p[: function.np])).reshape(self.K, 3)

    def solve(self, t: float, y: Vector, p: Vector) -> Pressed:
        """Accelerations, multipliers and pressing forces in the mode that p says."""
        kernel = self.kernel
        base = np.ascontiguousarray(p[: len(kernel.parameters)]).copy()
        base[self.first : self.first + self.K] = 0.0
        function = kernel.function("pressing")
        for _ in range(self.turns):
            before = base[self.first : self.first + self.K].copy()
            terms = self.terms(t, y, base)
            G = kernel.function("pushes")(t, y, base).reshape(self.K, kernel.nv)
            found = pressed(
                replace(terms, h=terms.h + before @ G), G,
                lambda vd, lam: function(t, np.concatenate([y, vd, lam]), base).reshape(self.K, 3),
            )  # fmt: skip
            base[self.first : self.first + self.K] = found.N
            if self.turns == 1 or np.max(np.abs(found.N - before)) <= SETTLED * np.max(np.abs(found.N)):
                return found
        return replace(found, margin=-1.0)

    def moving(self, t: float, y: Vector, p: Vector) -> Vector:
        """p in the modes of a state: what slides does so as it does; what is at rest sticks up to its limit."""
        p = p.copy()
        speeds = self.speeds(t, y, p)
        exact = [k for k in range(self.K) if self.sticking[k] >= 0]
        for k in exact:
            p[self.directions[k]] = float(np.sign(speeds[k, 0]))
            p[self.sticking[k]] = float(speeds[k, 0] == 0.0)
        for _ in exact:
            solved = self.solve(t, y, p)
            excess = [
                abs(solved.lam[self.rows[k]]) - speeds[k, 2] * solved.N[k] if p[self.sticking[k]] else -np.inf
                for k in exact
            ]  # fmt: skip
            worst = exact[int(np.argmax(excess))]
            if not max(excess) > 0:
                break
            p[self.directions[worst]] = -float(np.sign(solved.lam[self.rows[worst]]))
            p[self.sticking[worst]] = 0.0
        return p

    def terms(self, t: float, y: Vector, p: Vector) -> Terms:
        """M, h, A, b in the mode that p says."""
        k = self.kernel
        nq, n, m = k.nq, k.nv, k.m
        out = k.function("terms")(t, y, np.ascontiguousarray(p[: len(k.parameters)]))
        qd, M, h, A, b = np.split(out, np.cumsum([nq, n * n, n, m * n]))
        return Terms(qd, M.reshape(n, n), h, A.reshape(m, n), b)
