"""The joints that move a hand: their Jacobian in consistent units, their screws, and what is usual for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction
from cardan.equations import robot
from cardan.errors import ModelError
from cardan.graph import Node, jacobian
from cardan.model.frames import Point
from cardan.model.joint_limits import Limits
from cardan.model.joints import Free
from cardan.native.once import once

Vector = NDArray[np.float64]

USUAL = 8  # drawn configurations that show what rank is usual
RANK = 1e-7  # of the largest singular value: what is smaller is rounding or the singularity itself


@dataclass(frozen=True)
class Chain:
    """A hand (six rows, or three where only a point matters), its joints, and the configuration asked about."""

    kernel: Kernel
    point: Point
    turns: bool
    q0: Vector
    limits: Mapping[str, Limits]
    t: float = 0.0

    # --- joints ------------------------------------------------------------------------------------

    @once
    def joints(self) -> list[int]:
        """Velocities that move the hand, those of free bases left out: a base that floats hides every singularity."""
        k = self.kernel
        based = {
            str(part) for one in k.model.bodies if isinstance(one.joint, Free) for part in vars(one.joint).values()
        }
        moved = np.any(self._raw(self.q0) != 0, axis=0)
        for q in self.drawn:
            moved |= np.any(self._raw(q) != 0, axis=0)
        own = [int(j) for j in np.flatnonzero(moved) if j < self._coordinates and str(k.model.q[j]) not in based]
        if not own:
            raise ModelError(f"No joint moves {self.name}. Take a body behind a joint.", name=self.name)
        return own

    @once
    def _coordinates(self) -> int:
        """How many coordinates stand before the quaternions, in q and in v alike."""
        return self.kernel.quaternions[0] if self.kernel.quaternions else self.kernel.nv

    @property
    def names(self) -> list[str]:
        return [str(self.kernel.model.q[j]) for j in self.joints]

    @property
    def name(self) -> str:
        return self.point.frame.name

    @once
    def bounds(self) -> tuple[Vector, Vector]:
        """Lower and upper limits of the joints."""
        own = [self.limits.get(name, Limits()) for name in self.names]
        return np.array([one.lower for one in own]), np.array([one.upper for one in own])

    def is_allowed(self, q: Vector) -> bool:
        lower, upper = self.bounds
        own = q[self.joints]
        return bool(np.all((own >= lower - 1e-9) & (own <= upper + 1e-9)))

    @once
    def drawn(self) -> list[Vector]:
        """Configurations around, within the limits where there are some; the same every time."""
        rng, k, found = np.random.default_rng(7), self.kernel, []
        for _ in range(USUAL):
            q = self.q0.copy()
            for j in range(self._coordinates):
                one = self.limits.get(str(k.model.q[j]), Limits())
                low, high = max(one.lower, -2.5), min(one.upper, 2.5)
                q[j] = rng.uniform(low, high) if low < high else one.rest
            found.append(q)
        return found

    # --- motions -----------------------------------------------------------------------------------

    def _raw(self, q: Vector) -> Vector:
        J = self.kernel.jacobian(self.point, q, frame="mixed", t=self.t)
        assert isinstance(J, np.ndarray)  # q is given
        return J if self.turns else J[:3]

    def jacobian(self, q: Vector) -> Vector:
        """J of the hand by its joints: metres and radians, world axes."""
        return self._raw(q)[:, self.joints]

    @once
    def length(self) -> float:
        """The size of the arm, by which metres and radians are compared: mean lever of the joints over usual places."""
        if not self.turns:
            return 1.0
        levers = [np.linalg.norm(self.jacobian(q)[:3], axis=0) for q in self.drawn]
        return float(np.sqrt(np.mean(np.square(levers)))) or 1.0

    @property
    def weights(self) -> Vector:
        """What the rows are divided by: lengths, then radians."""
        return np.array([self.length] * 3 + [1.0] * 3) if self.turns else np.ones(3)

    def scaled(self, q: Vector) -> Vector:
        """J with lengths measured in sizes of the arm."""
        return self.jacobian(q) / self.weights[:, None]

    @once
    def usual_rank(self) -> int:
        return max(rank_of(self.scaled(q)) for q in self.drawn)

    def screws(self, q: Vector) -> Vector:
        """The joint axes as screws (v at the world's origin over the arm's size, w), six rows."""
        J = self.kernel.jacobian(self.point, q, frame="world", t=self.t)
        assert isinstance(J, np.ndarray)
        found: Vector = J[:, self.joints] / np.array([self.length] * 3 + [1.0] * 3)[:, None]
        return found

    # --- where the rank falls ----------------------------------------------------------------------

    def vanishing(self, q: Vector, z: Vector, by_rows: bool) -> tuple[Vector, Vector]:
        """J^T z (``by_rows``) or J z in consistent units, and its exact derivative by the joints."""
        count = len(self.joints) if by_rows else len(self.weights)
        size = len(self.weights) if by_rows else len(self.joints)
        key = f"vanishing {id(self.point.frame)} {self.point.position} {self.turns} {by_rows} {self.joints}"
        function = self.kernel.keep(key, lambda: self._vanishing(by_rows))
        out = function(self.t, np.concatenate([self.kernel.y(q), z, 1.0 / self.weights]), self.kernel.p())
        assert len(z) == size
        return out[:count], out[count:].reshape(count, len(self.joints))

    def _vanishing(self, by_rows: bool) -> NativeFunction:
        d, rows = self.kernel.dynamics, len(self.weights)
        J = jacobian(robot.velocity(d, self.point, "mixed")[:rows], [d.v[j] for j in self.joints])
        z = [d.further_input(f"hand z{i}") for i in range(rows if by_rows else len(self.joints))]
        w = [d.further_input(f"hand w{i}") for i in range(rows)]
        zero = d.space.graph.zero
        entry = [[J[i][j] * w[i] for j in range(len(self.joints))] for i in range(rows)]
        if by_rows:
            found = [_sum((entry[i][j] * z[i] for i in range(rows)), zero) for j in range(len(self.joints))]
        else:
            found = [_sum((entry[i][j] * z[j] for j in range(len(self.joints))), zero) for i in range(rows)]
        slopes = jacobian(found, [d.q[j] for j in self.joints])
        return self.kernel.compiled.custom("hand", [*found, *(x for row in slopes for x in row)], [*z, *w])


def _sum(parts: Iterable[Node], zero: Node) -> Node:
    total = zero
    for part in parts:
        total = total + part
    return total


def rank_of(J: Vector) -> int:
    s = np.linalg.svd(J, compute_uv=False)
    return int(np.sum(s > RANK * s[0])) if s.size and s[0] > 0 else 0
