"""Steady motions: found from drawn starts, and followed as one quantity of them changes.

Conditions that leave one direction open are followed along it: a step along the tangent, then Newton's method with
shortest steps back to the conditions (pseudo-arclength continuation with the Moore-Penrose inverse), which
passes folds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from cardan.analysis.continuation import SpecialPoint
from cardan.analysis.linear import Linearization
from cardan.analysis.linearizing import linearized
from cardan.analysis.place import Place
from cardan.analysis.stability import Stability
from cardan.analysis.steady import Conditions, Root
from cardan.errors import CardanError, ModelError
from cardan.native.once import once
from cardan.native.showing import Shown
from cardan.singular.reference import reference

Vector = NDArray[np.float64]
Held = Mapping[str, float]

HALVINGS = 50  # of the way between two members, to where stability changes
STEP, LEAST = 0.04, 1e-5  # of typical sizes: the first step along a family, and the last before it ends
TURN = 0.97  # cosine between tangents of neighbours: less, and the step is halved


@dataclass(frozen=True)
class SteadyMotion(Shown):
    """A motion in which everything but what symmetry carries is constant.

    ``rates`` are the amounts of the symmetries (see ``s.symmetries()``); ``dimension`` counts the neighbours of its
    kind: 0 is isolated, 1 a family.
    """

    place: Place
    rates: Vector
    multipliers: dict[str, float]
    dimension: int
    root: Root

    @property
    def q(self) -> Vector:
        return self.place.q

    @property
    def v(self) -> Vector:
        return self.place.v

    def __getitem__(self, name: str) -> float:
        """A coordinate or velocity by name."""
        kernel = self.place.kernel
        names = [symbol.name for symbol in (*kernel.model.q, *kernel.model.v)]
        if name not in names:
            raise ModelError(f"{name!r} is no coordinate or velocity of {kernel.model.name!r}: {', '.join(names)}.")
        return float(self.place.y[names.index(name)])

    @once
    def linear(self) -> Linearization:
        """Linear equations of the motions next to it, seen by somebody who moves along."""
        return linearized(self.place, "steady" if np.any(self.v != 0) else "equilibrium", self.root.carried)

    @property
    def stability(self) -> Stability:
        try:
            return self.linear.stability
        except CardanError as problem:
            return Stability("undecided", "singular", str(problem))

    def __repr__(self) -> str:
        kernel = self.place.kernel
        names = [symbol.name for symbol in (*kernel.model.q, *kernel.model.v)]
        said = ", ".join(f"{n} = {x:.6g}" for n, x in zip(names, self.place.y, strict=True) if x)
        return f"SteadyMotion({said}: {self.stability.verdict})"

    def _row(self) -> dict[str, object]:
        model = self.place.kernel.model
        row: dict[str, object] = dict(zip(map(str, model.q), self.q.tolist(), strict=True))
        row |= dict(zip(map(str, model.v), self.v.tolist(), strict=True))
        return row | {"dimension": self.dimension, "stability": self.stability}


@dataclass(frozen=True)
class Family(Shown):
    """Steady motions along a curve, in order; ``ends`` says why it ends on either side, or that it is closed."""

    members: tuple[SteadyMotion, ...]
    ends: tuple[str, str]
    conditions: Conditions

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, name: str) -> Vector:
        """A coordinate or velocity along the family."""
        return np.array([one[name] for one in self.members])

    @property
    def is_stable(self) -> NDArray[np.bool_]:
        """Member by member: no eigenvalue grows."""
        return np.array([one.stability.verdict != "unstable" for one in self.members])

    @once
    def points(self) -> tuple[SpecialPoint[SteadyMotion], ...]:
        """Where stability changes along it; values are places, in members from the first."""
        return tuple(self._special(_stability_change))

    def folds(self, name: str) -> tuple[SpecialPoint[SteadyMotion], ...]:
        """Where a coordinate or velocity turns back along it."""
        return tuple(self._special(lambda step: _turning(step, name)))

    def _special(self, look: Callable[[_Between], tuple[str, float] | None]) -> Iterator[SpecialPoint[SteadyMotion]]:
        for k, (one, other) in enumerate(pairwise(self.members)):
            step = _Between(self.conditions, one, other)
            found = look(step)
            if found is not None:
                kind, share = found
                yield SpecialPoint(kind, k + share, step.at(share))

    def at_point(self, point: SpecialPoint[SteadyMotion], name: str) -> float:
        """A coordinate or velocity at a special point."""
        return point.member[name]

    def __repr__(self) -> str:
        kernel = self.members[0].place.kernel
        names = [symbol.name for symbol in (*kernel.model.q, *kernel.model.v)]
        spans = {name: self[name] for name in names}
        said = [f"{n} from {x.min():.4g} to {x.max():.4g}" for n, x in spans.items() if np.ptp(x) > 1e-9]
        return f"Family({len(self)} members: {', '.join(said)})"


@dataclass(frozen=True)
class _Between:
    """The piece of a family between two neighbours."""

    conditions: Conditions
    one: SteadyMotion
    other: SteadyMotion

    @property
    def way(self) -> Vector:
        nq = self.conditions.kernel.nq
        a, b = self.one.root, self.other.root
        return np.concatenate([b.y[:nq] - a.y[:nq], b.eta - a.eta])

    def at(self, share: float) -> SteadyMotion:
        """The member at a share of the way."""
        if share <= 0.0 or share >= 1.0:
            return self.one if share <= 0.0 else self.other
        near = self.conditions.near(self.one.root, share * self.way)
        return self.one if near is None else told(self.conditions, near)

    def slope(self, share: float, name: str) -> float:
        """How a coordinate or velocity changes along the family: dv = B dq + sum deta_k X_k."""
        root, n = self.at(share).root, self.conditions.kernel.nv
        tangent = root.tangents[0]
        tangent = tangent * np.sign(self.conditions.inner(tangent, self.way))
        dv = root.carried @ tangent[:n]
        for field, deta in zip(self.conditions.fields, tangent[n:], strict=True):
            dv = dv + deta * field(root.y[:n])
        names = [symbol.name for symbol in (*self.conditions.kernel.model.q, *self.conditions.kernel.model.v)]
        return float(np.concatenate([tangent[:n], dv])[names.index(name)])


def _stability_change(step: _Between) -> tuple[str, float] | None:
    """The kind of instability that begins or ends on the way, and where, halved to rounding."""
    first, last = (one.stability.verdict == "unstable" for one in (step.one, step.other))
    if first == last:
        return None
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if (step.at(middle).stability.verdict == "unstable") == first:
            low = middle
        else:
            high = middle
    unstable = step.one if first else step.other
    return "Hopf" if unstable.stability.kind == "flutter" else unstable.stability.kind, high


def _turning(step: _Between, name: str) -> tuple[str, float] | None:
    if len(step.one.root.tangents) != 1 or len(step.other.root.tangents) != 1:
        return None
    if step.slope(0.0, name) * step.slope(1.0, name) >= 0:
        return None
    return "fold", float(brentq(lambda share: step.slope(share, name), 0.0, 1.0, xtol=1e-14))


def told(conditions: Conditions, root: Root) -> SteadyMotion:
    """A root as a steady motion."""
    kernel, p, t, sizes = conditions.kernel, conditions.p, conditions.t, conditions.sizes
    near = reference(kernel.numbers(p), t, root.y, sizes) if kernel.m else None
    forces = dict(zip(kernel.dynamics.constraints.names, root.lam.tolist(), strict=True))
    return SteadyMotion(Place(kernel, t, root.y, p, sizes, near), root.eta, forces, len(root.tangents), root)


def followed(conditions: Conditions, start: Root, most: int, bounds: float) -> Family:
    """The family through a root, to both sides."""
    there, end = _one_way(conditions, start, start.tangents[0], most, bounds)
    if end == "closed":
        return Family(tuple(told(conditions, one) for one in [start, *there]), (end, end), conditions)
    back, begin = _one_way(conditions, start, -start.tangents[0], most, bounds)
    members = [*reversed(back), start, *there]
    return Family(tuple(told(conditions, one) for one in members), (begin, end), conditions)


def _one_way(conditions: Conditions, start: Root, tangent: Vector, most: int, bounds: float) -> tuple[list[Root], str]:
    found: list[Root] = []
    here, h = start, STEP
    direction = tangent / conditions.measure(tangent)
    while len(found) < most:
        there = conditions.near(here, h * direction)
        onward = None if there is None else _onward(conditions, there, direction)
        if there is None or onward is None:
            h /= 2
            if h < LEAST:
                return found, "no more members beyond: a boundary, a branch point, or singular coordinates"
            continue
        found.append(there)
        here, direction, h = there, onward, min(1.5 * h, 4 * STEP)
        if conditions.beyond(here, bounds):
            return found, "it leaves the box"
        if len(found) > 3 and conditions.distance(here, start) < 0.9 * h:
            return found, "closed"
    return found, f"{most} members"


def _onward(conditions: Conditions, there: Root, direction: Vector) -> Vector | None:
    """The tangent there that goes on most nearly as before; None where it turns too much or is not one direction."""
    if len(there.tangents) != 1:
        return None
    unit = there.tangents[0] / conditions.measure(there.tangents[0])
    cosine = conditions.inner(unit, direction)
    return None if abs(cosine) < TURN else unit * np.sign(cosine)
