"""Inverse kinematics: joints that bring a frame to a target, within their limits, and why none do.

Levenberg and Marquardt's method on the error (p* - p)/l and the rotation vector of R* R^T, which vanishes at the target
and nowhere else within half a turn. Joints at a limit that would go beyond are held there. From the given start first,
then from drawn ones; of what is found the nearest to the start is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError, UnreachableTarget
from cardan.model.frames import Point
from cardan.model.joint_limits import Limits
from cardan.model.joints import Free
from cardan.native.showing import Shown
from cardan.singular.reference import SEED

Vector = NDArray[np.float64]
Target: TypeAlias = ArrayLike | tuple[ArrayLike, ArrayLike]  # a point, (R, p), or four by four

STEPS = 100
REACHED = 1e-10  # of the error, lengths in sizes of the arm


@dataclass(frozen=True)
class Reached(Shown):
    """The configuration, what is left of the error (metres and radians), and why the target was missed if it was."""

    q: Vector
    distance: float
    angle: float
    starts: int
    why: str = ""

    @property
    def is_reached(self) -> bool:
        return not self.why


@dataclass(frozen=True)
class Reaching:
    """One question: a point with the axes of its frame, where it should be, and who may move."""

    kernel: Kernel
    point: Point
    place: Vector
    rotation: Vector | None  # None: any
    joints: list[int]
    lower: Vector
    upper: Vector
    t: float

    @property
    def length(self) -> float:
        """Typical lever of the joints, by which metres and radians are compared."""
        J = self._jacobian(np.zeros(self.kernel.nq) + self._unit())
        return float(np.max(np.linalg.norm(J[:3], axis=0), initial=0.0)) or 1.0

    def _unit(self) -> Vector:
        q = np.full(self.kernel.nq, 0.3)
        for k in self.kernel.quaternions:
            q[k : k + 4] = 1.0, 0.0, 0.0, 0.0
        return q

    def _jacobian(self, q: Vector) -> Vector:
        J = self.kernel.jacobian(self.point, q, t=self.t)
        assert isinstance(J, np.ndarray)  # q is given
        return J[:, self.joints]

    def error(self, q: Vector) -> tuple[Vector, Vector]:
        """What is missing: a displacement, and a rotation vector along the world's axes."""
        R, p = self.kernel.placement(self.point, q, self.t)
        turn = np.zeros(3) if self.rotation is None else rotation_vector(self.rotation @ R.T)
        return self.place - p, turn

    def from_start(self, q0: Vector, length: float) -> Vector:
        """Where Levenberg and Marquardt's method ends."""
        q, damping = self._within(q0), 1e-3
        r = self._residual(q, length)
        for _ in range(STEPS):
            if np.linalg.norm(r) < REACHED * 1e-3:
                break
            J = self._jacobian(q) / np.repeat([length, 1.0], 3)[:, None]
            J = J if self.rotation is not None else J[:3]
            free = self._free(q, J.T @ r)
            better = self._better(q, r, J[:, free], np.array(self.joints)[free], damping, length)
            if better is None:
                break
            q, r, damping = better
        return q

    def _better(
        self, q: Vector, r: Vector, A: Vector, own: NDArray[np.int64], damping: float, length: float
    ) -> tuple[Vector, Vector, float] | None:
        """A step that makes the error smaller, damped as much as that takes; None where no step does."""
        H = A.T @ A
        size = float(np.trace(H)) / max(len(H), 1)
        for _ in range(12):
            step = np.linalg.solve(H + (damping * size + 1e-300) * np.eye(len(H)), A.T @ r)
            step *= min(1.0, 1.0 / max(float(np.max(np.abs(step), initial=0.0)), 1e-300))
            other = q.copy()
            other[own] += step
            other = self._within(other)
            there = self._residual(other, length)
            if np.linalg.norm(there) < np.linalg.norm(r):
                return other, there, max(damping / 10, 1e-15)
            damping = min(damping * 10, 1e6)
        return None

    def _residual(self, q: Vector, length: float) -> Vector:
        moved, turn = self.error(q)
        return np.concatenate([moved / length, turn]) if self.rotation is not None else moved / length

    def _within(self, q: Vector) -> Vector:
        q = q.copy()
        q[self.joints] = np.clip(q[self.joints], self.lower, self.upper)
        return q

    def _free(self, q: Vector, wanted: Vector) -> NDArray[np.bool_]:
        """Joints that are not held by a limit they would pass."""
        own = q[self.joints]
        return ~(((own <= self.lower) & (wanted < 0)) | ((own >= self.upper) & (wanted > 0)))

    def best(self, q0: Vector, starts: int) -> Reached:
        """The nearest configuration that reaches the target, or the one that comes closest."""
        length, rng, found = self.length, np.random.default_rng(SEED), []
        for k in range(starts):
            q = q0.copy()
            if k:
                low, high = np.maximum(self.lower, -np.pi), np.minimum(self.upper, np.pi)
                q[self.joints] = rng.uniform(np.minimum(low, high), np.maximum(low, high))
            q = self.from_start(q, length)
            off = float(np.linalg.norm(self._residual(q, length)))
            is_there = off < REACHED
            found.append((not is_there, float(np.linalg.norm(q - q0)) if is_there else off, q))
            if is_there and k == 0:
                break
        missed, _, q = min(found, key=lambda one: one[:2])
        moved, turn = self.error(q)
        why = "missed" if missed else ""
        return Reached(q, float(np.linalg.norm(moved)), float(np.linalg.norm(turn)), len(found), why)


def reach(
    kernel: Kernel, point: Point, target: Target, q0: Vector, limits: Mapping[str, Limits], t: float, starts: int
) -> Reached:
    """The joints that bring a point, with the axes of its frame, to a target; a miss says why."""
    if kernel.m and not kernel.model.rubbing:
        raise ModelError(f"{kernel.model.name!r} has constraints: use s.connect(...) and s.assemble(...) for loops.")
    place, rotation = as_target(target)
    free = [one.joint for one in kernel.model.bodies if isinstance(one.joint, Free)]
    based = {str(part) for one in free for part in vars(one).values()}
    count = kernel.quaternions[0] if kernel.quaternions else kernel.nv
    joints = [j for j in range(count) if str(kernel.model.q[j]) not in based]
    own = [limits.get(str(kernel.model.q[j]), Limits()) for j in joints]
    bounds = np.array([one.lower for one in own]), np.array([one.upper for one in own])
    asked = Reaching(kernel, point, place, rotation, joints, *bounds, t)
    found = asked.best(q0, starts)
    return found if found.is_reached else replace(found, why=_why(asked, found, q0, starts))


def require_reached(found: Reached, name: str) -> Reached:
    """The same, or the error that says why."""
    if not found.is_reached:
        raise UnreachableTarget(
            f"{name} cannot be brought there: {found.why}. The nearest configuration found is in error.q.",
            q=found.q, distance=found.distance, angle=found.angle,
        )  # fmt: skip
    return found


def _why(asked: Reaching, found: Reached, q0: Vector, starts: int) -> str:
    """What stands in the way: limits, orientation, or reach."""
    off = f"{found.distance:.4g} m" + (f" and {found.angle:.4g} rad" if asked.rotation is not None else "")
    endless = np.full(len(asked.joints), np.inf)
    names = [str(asked.kernel.model.q[j]) for j in asked.joints]
    if np.any(np.isfinite(asked.lower) | np.isfinite(asked.upper)):
        free = replace(asked, lower=-endless, upper=endless).best(q0, starts)
        if free.is_reached:
            bounds = zip(names, free.q[asked.joints], asked.lower, asked.upper, strict=True)
            beyond = [name for name, x, lower, upper in bounds if not lower <= x <= upper]
            return f"limits of joints stand in the way ({', '.join(beyond)}); within them {off} are missing"
    if asked.rotation is not None and replace(asked, rotation=None).best(q0, starts).is_reached:
        return f"the place can be reached, but not with this orientation; {off} are missing"
    return f"it is out of reach; {off} are missing from {starts} starts"


# --- targets -----------------------------------------------------------------------------------------


def as_target(target: Target) -> tuple[Vector, Vector | None]:
    """(place, rotation or None) of a point, a pair (R, p) or a matrix of four rows."""
    if isinstance(target, tuple) and len(target) == 2:
        R, p = (np.asarray(one, dtype=float) for one in target)
    else:
        given = np.asarray(target, dtype=float)
        if given.shape == (3,):
            return given, None
        if given.shape != (4, 4):
            raise ModelError(f"A target is a point, (R, p) or a 4 by 4 matrix; found shape {given.shape}.")
        R, p = given[:3, :3], given[:3, 3]
    if R.shape != (3, 3) or p.shape != (3,) or not np.allclose(R @ R.T, np.eye(3), atol=1e-6) or np.linalg.det(R) < 0:
        raise ModelError("The rotation of a target must be a rotation matrix, its place three numbers.")
    return p, R


def rotation_vector(R: Vector) -> Vector:
    """The rotation vector of R, of length at most pi."""
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    sine, cosine = float(np.linalg.norm(w)), float((np.trace(R) - 1) / 2)
    angle = float(np.arctan2(sine, cosine))
    if sine > 1e-6:
        return w * (angle / sine)
    if cosine > 0:
        return w  # sin x = x to rounding
    values, axes = np.linalg.eigh((R + R.T) / 2)  # half a turn: the axis is what stays
    axis: Vector = axes[:, int(np.argmax(values))]
    return angle * axis * (1.0 if axis @ w >= 0 else -1.0)
