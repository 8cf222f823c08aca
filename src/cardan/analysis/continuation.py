"""Following solutions as a parameter changes, whatever they are: rests, periodic motions.

A step along the tangent, then shortest steps back (pseudo-arclength continuation, [Keller1977]; [AllgowerGeorg1990,
ch. 3]), so that folds are passed. Between neighbours a special point is noticed by what changes sign or count, and then
located along the step that connects them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Vector = NDArray[np.float64]
Solution = TypeVar("Solution")

STEP, LEAST, MOST = 0.02, 1e-6, 0.06  # in units of typical sizes and of the range: first, shortest and longest step
TURN = 0.95  # cosine between tangents of neighbours: less, and the step is halved
LOCATED = 1e-14  # of a step: how exactly a special point is located


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues, or logarithms of multipliers, told as growth and kind: what may cross the border of stability.

    ``growth`` is sorted, largest first; ``kinds`` says of each whether it crosses as "real", "pair" or "flip".
    """

    growth: Vector
    kinds: tuple[str, ...]
    margin: float

    def count(self, kind: str) -> int:
        return sum(1 for g, k in zip(self.growth, self.kinds, strict=True) if k == kind and g > self.margin)

    def nth(self, kind: str, n: int) -> float:
        """The n-th largest growth of a kind; very negative where there are fewer."""
        own = [g for g, k in zip(self.growth, self.kinds, strict=True) if k == kind]
        return float(own[n]) if n < len(own) else -1e300


class Problem(Protocol[Solution]):
    """What is followed: solutions that form curves, with the value of the parameter as the last unknown."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...

    def moved(self, one: Solution, step: Vector) -> Solution | None:
        """The solution next to another, moved by a step in units of sizes; None where there is none."""
        ...

    def tangent(self, one: Solution) -> Vector | None:
        """The unit tangent in units of sizes, its last number along the parameter; None where it is not one."""
        ...

    def other_tangent(self, one: Solution, along: Vector) -> Vector:
        """At a branch point, the direction across the curve in which others leave."""
        ...

    def value(self, one: Solution) -> float: ...

    def spectrum(self, one: Solution) -> Spectrum: ...

    def distance(self, one: Solution, other: Solution) -> float: ...

    def ended(self, one: Solution, other: Solution) -> str:
        """Why a curve ends between two neighbours; empty where it goes on."""
        ...


@dataclass(frozen=True)
class SpecialPoint(Generic[Solution]):
    """A point of a curve at which something changes: its kind, the parameter's value, the solution there.

    Kinds: "fold" (the parameter turns back), "branch" (curves meet), "Hopf" (a periodic motion leaves a rest), "period
    doubling", "torus", and "flutter" (eigenvalues that do not decay meet and part).
    """

    kind: str
    value: float
    member: Solution

    def __repr__(self) -> str:
        return f"SpecialPoint({self.kind} at {self.value:.10g})"


@dataclass(frozen=True)
class Curve(Generic[Solution]):
    """Solutions in order, special points among them and told again, and why it ends on either side."""

    members: tuple[Solution, ...]
    points: tuple[SpecialPoint[Solution], ...]
    ends: tuple[str, str]


NAMES = {"real": "branch", "pair": "Hopf", "flip": "period doubling", "torus": "torus"}


def followed(problem: Problem[Solution], start: Solution, most: int) -> Curve[Solution]:
    """The curve through a solution, to both sides."""
    tangent = problem.tangent(start)
    if tangent is None:
        return Curve((start,), (), ("it is isolated, or curves meet there",) * 2)
    there, points, end = _one_way(problem, start, tangent, most)
    if end == "closed":
        return Curve((start, *there), tuple(points), (end, end))
    back, more, begin = _one_way(problem, start, -tangent, most)
    return Curve((*reversed(back), start, *there), (*reversed(more), *points), (begin, end))


def branches_at(problem: Problem[Solution], point: SpecialPoint[Solution], along: Vector) -> list[Solution]:
    """Solutions on the other curve through a branch point, one to each side."""
    across = problem.other_tangent(point.member, along)
    found = []
    for sign in (1.0, -1.0):
        for h in (STEP, STEP / 4, 4 * STEP):
            one = problem.moved(point.member, sign * h * across)
            if one is not None and problem.distance(one, point.member) > 0.2 * h:
                found.append(one)
                break
    return found


def _one_way(
    problem: Problem[Solution], start: Solution, tangent: Vector, most: int
) -> tuple[list[Solution], list[SpecialPoint[Solution]], str]:
    members, points = list[Solution](), list[SpecialPoint[Solution]]()
    here, direction, h = start, tangent, STEP
    while len(members) < most:
        there = problem.moved(here, h * direction)
        onward = None if there is None else _onward(problem.tangent(there), direction)
        if there is None or onward is None:
            h /= 2
            if h < LEAST:
                return members, points, "no more members beyond: a boundary, or singular coordinates"
            continue
        reason = problem.ended(here, there)
        if reason:
            return members, points, reason
        step = _Step(problem, here, direction, h)
        bound = _passed(problem, there)
        if bound is not None:
            last = step.at_value(bound)
            if last is not None:
                met = step.special(last[1], _onward(problem.tangent(last[0]), direction), last[0])
                points += met
                members += [*(one.member for one in met), last[0]]
            return members, points, "the range of the parameter ends"
        met = step.special(h, onward, there)
        points += met
        members += [*(one.member for one in met), there]
        here, direction, h = there, onward, min(1.4 * h, MOST)
        if len(members) > 3 and problem.distance(here, start) < 0.7 * h:
            return members, points, "closed"
    return members, points, f"{most} members"


def _onward(tangent: Vector | None, direction: Vector) -> Vector | None:
    if tangent is None:
        return None
    cosine = float(tangent @ direction)
    return None if abs(cosine) < TURN else tangent * np.sign(cosine)


def _passed(problem: Problem[Solution], one: Solution) -> float | None:
    value = problem.value(one)
    if value > problem.high:
        return problem.high
    return problem.low if value < problem.low else None


@dataclass(frozen=True)
class _Step(Generic[Solution]):
    """The piece of a curve from a member along a direction."""

    problem: Problem[Solution]
    here: Solution
    direction: Vector
    h: float

    def at(self, s: float) -> Solution:
        """The solution at a part of the step."""
        if s == 0.0:
            return self.here
        found = self.problem.moved(self.here, s * self.direction)
        if found is None:
            raise ValueError("no solution between two members")
        return found

    def at_value(self, value: float) -> tuple[Solution, float] | None:
        """Where the parameter has a value, and how far that is; None where the step begins there."""
        s = self.root(lambda one: self.problem.value(one) - value, self.h)
        return None if s is None or s <= 0 else (self.at(s), s)

    def root(self, function: Callable[[Solution], float], end: float) -> float | None:
        try:
            a, b = function(self.here), function(self.at(end))
            if a * b > 0:
                return None
            return float(brentq(lambda s: function(self.at(s)), 0.0, end, xtol=LOCATED * self.h, rtol=1e-15))
        except ValueError:
            return None

    def special(self, end: float, onward: Vector | None, there: Solution) -> list[SpecialPoint[Solution]]:
        """What changes between the beginning and the end of the step."""
        found = list[SpecialPoint[Solution]]()
        folds = onward is not None and self.direction[-1] * onward[-1] < 0
        if folds:
            found += self._located("fold", self._turning, end)
        before, after = self.problem.spectrum(self.here), self.problem.spectrum(there)
        for kind, name in NAMES.items():
            a, b = before.count(kind), after.count(kind)
            if a == b or (folds and kind == "real" and abs(a - b) == 1):
                continue
            found += self._crossing(kind, name, min(a, b), end)
        return sorted(found, key=lambda one: abs(one.value - self.problem.value(self.here)))

    def _turning(self, one: Solution) -> float:
        tangent = self.problem.tangent(one)
        if tangent is None:
            raise ValueError("no tangent")
        return float(tangent[-1] * np.sign(tangent @ self.direction))

    def _crossing(self, kind: str, name: str, n: int, end: float) -> list[SpecialPoint[Solution]]:
        """Where the n-th growth of a kind changes its sign: solved for, or halved where it stays at zero beside it."""
        found = self._located(name, lambda one: self.problem.spectrum(one).nth(kind, n), end, decays=True)
        return found or self._halved("flutter" if name == "Hopf" else name, kind, end)

    def _located(
        self, name: str, function: Callable[[Solution], float], end: float, decays: bool = False
    ) -> list[SpecialPoint[Solution]]:
        if decays:
            ends = [function(self.here), function(self.at(end))]
            margin = self.problem.spectrum(self.here).margin
            if min(ends) < -1e299 or min(np.abs(ends)) <= margin:
                return []
        s = self.root(function, end)
        if s is None:
            return []
        one = self.at(s)
        return [SpecialPoint(name, self.problem.value(one), one)]

    def _halved(self, name: str, kind: str, end: float) -> list[SpecialPoint[Solution]]:
        low, high = 0.0, end
        below = self.problem.spectrum(self.here).count(kind)
        try:
            while high - low > LOCATED * self.h:
                middle = 0.5 * (low + high)
                if middle in (low, high):
                    break
                if self.problem.spectrum(self.at(middle)).count(kind) == below:
                    low = middle
                else:
                    high = middle
        except ValueError:
            return []
        one = self.at(high)
        return [SpecialPoint(name, self.problem.value(one), one)]
