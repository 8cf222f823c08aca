"""Where a system can rest: all rests that are found from many starts, isolated or filling curves and surfaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.linear import Linearization
from cardan.analysis.linearizing import linearized
from cardan.analysis.place import Place
from cardan.analysis.sampling import Box, guesses, is_inside
from cardan.analysis.stability import Stability
from cardan.analysis.steady import Conditions, Root
from cardan.codegen.compiled import Kernel
from cardan.errors import CardanError
from cardan.native.once import once
from cardan.native.showing import Shown
from cardan.singular.reference import reference
from cardan.trajectory.assembly import steps_between

Vector = NDArray[np.float64]
Limits: TypeAlias = Mapping[str, tuple[float, float]]

SAME = 1e-6  # of typical sizes: two rests that near are one
STRIDE = 0.05  # of typical sizes: how far along a direction another rest is sought
IDLE = 40  # starts in a row that lead to nothing new: the search ends
WALK = 80  # steps from one rest to another along the set they may share
LOST = 6  # of them in a row that lead no nearer


@dataclass(frozen=True)
class Equilibrium(Shown):
    """A rest, or one of a set of them.

    ``dimension`` is 0 where it is isolated, 1 on a curve of rests; ``directions`` lead along it (displacements, one row
    each). ``multipliers`` are the constraint forces by name.
    """

    place: Place
    multipliers: dict[str, float]
    directions: Vector
    contacts: tuple[str, ...] = ()  # stops on which it rests

    @property
    def q(self) -> Vector:
        return self.place.q

    @property
    def dimension(self) -> int:
        return len(self.directions)

    @property
    def pushes(self) -> dict[str, float]:
        """Forces of the stops on which it rests, by name: at least zero."""
        behind = list(self.multipliers.values())[len(self.multipliers) - len(self.contacts) :]
        return dict(zip(self.contacts, behind, strict=True))

    @once
    def linear(self) -> Linearization:
        """Linear equations of the motions next to it; stops on which it rests stay closed."""
        return linearized(self.place, "equilibrium")

    @property
    def stability(self) -> Stability:
        try:
            return self.linear.stability
        except CardanError as problem:
            return Stability("undecided", "singular", str(problem))

    def __getitem__(self, name: str) -> float:
        """A coordinate by name."""
        return float(self.q[[symbol.name for symbol in self.place.kernel.model.q].index(name)])

    def __repr__(self) -> str:
        names = [symbol.name for symbol in self.place.kernel.model.q]
        where = ", ".join(f"{name} = {value:.6g}" for name, value in zip(names, self.q, strict=True))
        kind = ("", ", on a curve of them", ", on a surface of them")[min(self.dimension, 2)]
        touching = f", resting on {', '.join(self.contacts)}" if self.contacts else ""
        return f"Equilibrium({where}{kind}{touching}: {self.stability.verdict})"

    def _row(self) -> dict[str, object]:
        row: dict[str, object] = dict(zip(map(str, self.place.kernel.model.q), self.q.tolist(), strict=True))
        row |= {"dimension": self.dimension} if self.dimension else {}
        row |= {"forces": self.multipliers} if self.multipliers else {}
        row |= {"rests on": self.contacts} if self.contacts else {}
        return row | {"stability": self.stability}


def equilibria(
    kernel: Kernel,
    p: Vector,
    t: float,
    sizes: Vector,
    limits: Limits | None,
    seeds: int,
    contacts: tuple[str, ...] = (),
) -> list[Equilibrium]:
    """Distinct rests, isolated ones first, then by how far they are from the origin."""
    conditions = Conditions(kernel, t, p, sizes)
    box, found, idle = Box.of(kernel, sizes, limits), list[Root](), 0
    for q in guesses(kernel, box, t, p, sizes, seeds):
        root = conditions.solve(q, np.zeros(0))
        if root is None or not is_inside(kernel, box, root.y) or _lasts_not(conditions, root):
            idle += 1
        elif (root := confirmed(conditions, root)) and any(is_one(conditions, root, one) for one in found):
            idle += 1
        else:
            found.append(root)
            idle = 0
        if idle >= IDLE:
            break
    order = sorted(found, key=lambda one: (len(one.tangents), float(np.linalg.norm(one.y))))
    return [replace(_told(kernel, p, t, sizes, one), contacts=contacts) for one in order]


def _told(kernel: Kernel, p: Vector, t: float, sizes: Vector, root: Root) -> Equilibrium:
    near = reference(kernel.numbers(p), t, root.y, sizes) if kernel.m else None
    names = kernel.dynamics.constraints.names
    place = Place(kernel, t, root.y, p, sizes, near)
    forces = {name: float(value) for name, value in zip(names, root.lam, strict=True)}
    return Equilibrium(place, forces, root.tangents[:, : kernel.nv])


def _lasts_not(conditions: Conditions, root: Root) -> bool:
    """Whether it is a rest at this time only."""
    if not conditions.kernel.dynamics.smoothness.is_timed:
        return False
    later = [Conditions(conditions.kernel, conditions.t + dt, conditions.p, conditions.sizes) for dt in (0.7312, 1.913)]
    return not all(one.is_right(root.y, root.eta, root.lam) for one in later)


# --- sets of rests -----------------------------------------------------------------------------------


def confirmed(conditions: Conditions, root: Root) -> Root:
    """The root with those directions only along which there are more roots."""
    kept = [one for one in root.tangents if _leads_on(conditions, root, one)]
    return replace(root, tangents=np.array(kept).reshape(len(kept), root.tangents.shape[1]))


def _leads_on(conditions: Conditions, root: Root, direction: Vector) -> bool:
    n, nq = conditions.kernel.nv, conditions.kernel.nq
    unit = STRIDE * direction / np.max(np.abs(direction[:n] / conditions.sizes))
    y = conditions.kernel.numbers(conditions.p).moved(conditions.t, root.y, unit[:n])
    other = conditions.solve(y[:nq], root.eta + unit[n:])
    return other is not None and 0.5 * STRIDE < _apart(conditions, root.y, other.y) < 2 * STRIDE


def _apart(conditions: Conditions, a: Vector, b: Vector) -> float:
    return float(np.max(np.abs(_way(conditions, a, b)), initial=0.0))


def _way(conditions: Conditions, a: Vector, b: Vector) -> Vector:
    """From one configuration to another, by the shorter way round, in units of typical sizes."""
    kernel = conditions.kernel
    steps = steps_between(kernel, a, b)
    if kernel.nq == kernel.nv:
        around = conditions.around
        steps[around] = (steps[around] + np.pi) % (2 * np.pi) - np.pi
    return np.asarray(steps / conditions.sizes)


def is_one(conditions: Conditions, root: Root, other: Root) -> bool:
    """Whether two roots are the same, or lie on one set: it can be walked from one to the other."""
    if _apart(conditions, root.y, other.y) < SAME:
        return True
    if not len(root.tangents) or len(root.tangents) != len(other.tangents):
        return False
    here, n, nq = root, conditions.kernel.nv, conditions.kernel.nq
    nearest, idle = np.inf, 0
    for _ in range(WALK):
        way = _way(conditions, here.y, other.y)
        far = float(np.max(np.abs(way), initial=0.0))
        if far < 1e-3:
            return True
        idle = 0 if far < 0.95 * nearest else idle + 1
        nearest = min(nearest, far)
        if idle >= LOST:
            return False
        tangents = here.tangents[:, :n] / conditions.sizes
        along = np.linalg.lstsq(tangents.T, way, rcond=None)[0] @ tangents
        longest = float(np.max(np.abs(along), initial=0.0))
        if longest < 1e-3 * far:
            return False
        step = conditions.sizes * along * min(1.0, 0.2 / longest)
        moved = conditions.kernel.numbers(conditions.p).moved(conditions.t, here.y, step)
        there = conditions.solve(moved[:nq], here.eta)
        if there is None or not len(there.tangents):
            return False
        here = there
    return False
