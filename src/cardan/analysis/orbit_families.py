"""Periodic motions followed as a parameter changes: folds, branch points, period doublings and tori on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.continuation import Curve, SpecialPoint, Spectrum
from cardan.analysis.floquet import MARGIN
from cardan.analysis.periodic import PeriodicMotion
from cardan.analysis.shooting import Joined, Shots
from cardan.errors import CardanError
from cardan.native.once import once
from cardan.native.showing import Shown

Vector = NDArray[np.float64]

NEWTON = 12
JOINED = 1e-10  # of typical sizes and rates: a smaller defect closes a motion
CUT = 1e-7  # of the largest singular value
NUDGE = 1e-6  # of the range: how far the parameter is moved for a difference, of which only Newton's pace depends


@dataclass(frozen=True, eq=False)
class Orbit:
    """A periodic motion at a value of the parameter."""

    problem: Orbits
    joined: Joined
    value: float

    @once
    def motion(self) -> PeriodicMotion:
        return PeriodicMotion(self.joined)

    @once
    def slopes(self) -> Vector:
        """The derivative of the defect by (x of every beginning, period, shifts, parameter), in units of sizes."""
        joined, problem = self.joined, self.problem
        h = NUDGE * problem.width
        ahead, back = (replace(joined, shots=problem.shots_at(self.value + d)).defect for d in (h, -h))
        by_value = (ahead - back) / (2 * h) * problem.width
        return np.hstack([joined.slopes * joined.columns, by_value[:, None]])

    @once
    def spectrum(self) -> Spectrum:
        others = self.motion.found_multipliers.others
        upper = [one for one in others if one.imag >= 0]
        growth = np.log(np.maximum(np.abs(np.array(upper, dtype=complex)), 1e-300))
        order = np.argsort(-growth, kind="stable")
        kinds = tuple(_kind(upper[k]) for k in order)
        return Spectrum(growth[order], kinds, MARGIN)

    @once
    def signature(self) -> Vector:
        """What tells orbits apart, whatever their phase: the parameter, the period, the largest coordinates."""
        names = [symbol.name for symbol in self.motion.kernel.model.q]
        widest = [self.motion.amplitude(name) for name in names]
        sizes = self.joined.sizes if len(names) == len(self.joined.sizes) else np.ones(len(names))
        return np.array([self.value / self.problem.width, np.log(self.joined.period), *np.array(widest) / sizes])


def _middle(joined: Joined) -> Vector:
    """The state that a motion has on average."""
    states = [one.trajectory.solution.at(np.linspace(*one.t, 100)) for one in joined.arcs]
    return np.asarray(np.concatenate(states).mean(axis=0))


def _kind(multiplier: complex) -> str:
    if multiplier.imag > 0:
        return "torus"
    return "real" if multiplier.real > 0 else "flip"


@dataclass(frozen=True, eq=False)
class Orbits:
    """The problem of periodic motions that depend on a parameter."""

    shots: Shots
    name: str
    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    def shots_at(self, value: float) -> Shots:
        return self.shots.with_values({self.name: value})

    def value(self, one: Orbit) -> float:
        return one.value

    def spectrum(self, one: Orbit) -> Spectrum:
        return one.spectrum

    def distance(self, one: Orbit, other: Orbit) -> float:
        return float(np.linalg.norm(one.signature - other.signature))

    def ended(self, one: Orbit, other: Orbit) -> str:
        """A motion shrinks to a rest where its displacement from its middle turns round."""
        nq = self.shots.kernel.nq
        a, b = (joined.nodes[0][:nq] - _middle(joined)[:nq] for joined in (one.joined, other.joined))
        speeds = (joined.nodes[0][nq:] for joined in (one.joined, other.joined))
        turned = float(a @ b) < 0 and float(np.dot(*speeds)) <= 0
        return "it shrinks to a rest" if turned and one.joined.shots.free else ""

    # --- between steps in the space of states and steps of the unknowns ----------------------------

    def moved(self, one: Orbit, step: Vector) -> Orbit | None:
        """Newton's method with shortest steps from a motion that is moved by a step."""
        try:
            return self.corrected(self._stepped(one, self._unknowns(one, step)))
        except (CardanError, np.linalg.LinAlgError):
            return None  # no motion from there: a shorter step

    def _unknowns(self, one: Orbit, step: Vector) -> Vector:
        found, at = [], 0
        for rows, T in one.joined.bases:
            found.append(step[at : at + len(T)][rows])
            at += len(T)
        return np.concatenate([*found, step[at:]])

    def _states(self, one: Orbit, x: Vector) -> Vector:
        """The inverse: a step of the unknowns as one of all states."""
        found, at, scale = [], 0, one.joined.scale
        for rows, T in one.joined.bases:
            found.append((T @ (x[at : at + len(rows)] * scale[rows])) / scale)
            at += len(rows)
        return np.concatenate([*found, x[at:]])

    def _stepped(self, one: Orbit, x: Vector) -> Orbit:
        value = one.value + float(x[-1]) * self.width
        moved = one.joined.moved(x[:-1] * one.joined.columns)
        return Orbit(self, replace(moved, shots=self.shots_at(value)), value)

    def corrected(self, here: Orbit) -> Orbit | None:
        """The motion that Newton's method reaches, the parameter among the unknowns."""
        best = np.inf
        for _ in range(NEWTON):
            if here.joined.open <= JOINED:
                return here
            if here.joined.open > 2 * best:
                return None
            best = min(best, here.joined.open)
            x = np.asarray(np.linalg.lstsq(here.slopes, -here.joined.defect, rcond=CUT)[0], dtype=float)
            here = self._stepped(here, x)
        return here if here.joined.open <= 10 * JOINED else None

    def _with_phase(self, one: Orbit) -> Vector:
        """The derivative of the defect, and a row that keeps the phase where it is free."""
        if not one.joined.shots.free:
            return one.slopes
        rates = np.concatenate(
            [
                (arc.rates(0) / one.joined.scale) @ (T * one.joined.scale[rows] / one.joined.scale[:, None])
                for arc, (rows, T) in zip(one.joined.arcs, one.joined.bases, strict=True)
            ]
        )
        row = np.zeros(one.slopes.shape[1])
        row[: len(rates)] = rates / np.linalg.norm(rates)
        return np.vstack([one.slopes, row])

    def _singular(self, one: Orbit) -> tuple[Vector, Vector]:
        J = self._with_phase(one)
        used = np.flatnonzero(np.concatenate([one.joined.columns, [1.0]]) > 0)
        _, s, Vt = np.linalg.svd(J[:, used])
        whole = np.zeros((len(Vt), J.shape[1]))
        whole[:, used] = Vt
        return s, whole

    def tangent(self, one: Orbit) -> Vector | None:
        try:
            s, Vt = self._singular(one)
        except (CardanError, np.linalg.LinAlgError):
            return None
        rank = int(np.sum(s > CUT * s[0]))
        if len(Vt) - rank != 1:
            return None
        found = self._states(one, Vt[-1])
        return np.asarray(found / np.linalg.norm(found))

    def other_tangent(self, one: Orbit, along: Vector) -> Vector:
        _, Vt = self._singular(one)
        both = np.array([self._states(one, x) for x in Vt[-2:]])
        across = both - np.outer(both @ along, along)
        found = across[int(np.argmax(np.linalg.norm(across, axis=1)))]
        return np.asarray(found / np.linalg.norm(found))


@dataclass(frozen=True)
class PeriodicFamily(Shown):
    """Periodic motions along a parameter: ``family["x"]`` is the largest x of each, ``family["period"]`` its period."""

    problem: Orbits
    curve: Curve[Orbit]

    @property
    def parameter(self) -> str:
        return self.problem.name

    @property
    def members(self) -> tuple[PeriodicMotion, ...]:
        return tuple(one.motion for one in self.curve.members)

    @property
    def points(self) -> tuple[SpecialPoint[Orbit], ...]:
        """Folds, branch points, period doublings and tori, in the order of the members."""
        return self.curve.points

    @property
    def ends(self) -> tuple[str, str]:
        return self.curve.ends

    @property
    def is_stable(self) -> NDArray[np.bool_]:
        """Member by member: no multiplier lies outside the unit circle."""
        return np.array([one.stability.verdict != "unstable" for one in self.members])

    def __len__(self) -> int:
        return len(self.curve.members)

    def __getitem__(self, name: str) -> Vector:
        """The largest value of a coordinate or velocity, the period, or the parameter, along the family."""
        if name == self.parameter:
            return np.array([one.value for one in self.curve.members])
        if name == "period":
            return np.array([one.joined.period for one in self.curve.members])
        return np.array([one.amplitude(name) for one in self.members])

    def at_point(self, point: SpecialPoint[Orbit], name: str) -> float:
        """The same at a special point."""
        if name == self.parameter:
            return point.value
        return point.member.joined.period if name == "period" else point.member.motion.amplitude(name)

    def __repr__(self) -> str:
        x = self[self.parameter]
        said = ", ".join(f"{one.kind} at {one.value:.6g}" for one in self.points) or "no special points"
        return f"PeriodicFamily({len(self)} motions, {self.parameter} from {x.min():.4g} to {x.max():.4g}: {said})"
