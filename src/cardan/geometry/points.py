"""What a rigid body did, from points before and after: Euler's and Chasles' theorems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.errors import ModelError, WrongShape
from cardan.geometry.matrix import Matrix, Vector, VectorLike
from cardan.geometry.rotation import axis_angle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.float64]

ON_A_LINE = 1e-9  # second singular value of the spread of points, relative to the first


@dataclass(frozen=True)
class Displacement:
    """r -> rotation r + translation; ``residual`` is the largest distance from a point to where this takes it."""

    rotation: Matrix
    translation: Vector
    residual: float

    @property
    def axis(self) -> Vector:
        """Unit vector of the axis of the turn."""
        return axis_angle(self.rotation)[0]

    @property
    def angle(self) -> float:
        """The angle, in [0, pi]."""
        return axis_angle(self.rotation)[1]

    @property
    def advance(self) -> float:
        """How far every point moves along the axis: translation . axis."""
        return float(sum(a * b for a, b in zip(self.translation, self.axis, strict=True)))

    @property
    def point_on_axis(self) -> Vector:
        """The point of the screw axis nearest the origin, by Chasles: it moves along the axis only."""
        import numpy as np

        n, angle = axis_angle(self.rotation)
        if angle < ON_A_LINE:
            raise ModelError("A displacement without a turn has no screw axis: every point moves alike.", angle=angle)
        across = np.subtract(self.translation, np.multiply(self.advance, n))
        # p solves (1 - R) p = across with p . n = 0: p = (across + cot(angle/2) n x across) / 2
        p = 0.5 * (across + np.cross(n, across) / np.tan(0.5 * angle))
        return tuple(float(x) for x in p)


def displacement(before: Sequence[VectorLike], after: Sequence[VectorLike]) -> Displacement:
    """The rigid motion that takes points ``before`` to ``after``, least squares in the distances.

    The rotation is U diag(1, 1, det(U V^T)) V^T of the singular value decomposition U S V^T of
    sum (after - mean)(before - mean)^T [Kabsch1976]; mirror images are never taken for motions.
    """
    import numpy as np

    p, q = _points(before, "before"), _points(after, "after")
    if len(p) != len(q):
        raise WrongShape(f"{len(p)} points before and {len(q)} after; give the same points twice.", found=len(q))
    centre_p, centre_q = p.mean(axis=0), q.mean(axis=0)
    spread = np.linalg.svd(p - centre_p, compute_uv=False)
    if len(p) < 3 or spread[1] <= ON_A_LINE * spread[0]:
        raise ModelError(
            "The points are on a line, which may turn about itself unseen. Give three points that are not on a line.",
            count=len(p),
        )
    U, _, Vt = np.linalg.svd((q - centre_q).T @ (p - centre_p))
    R = U @ np.diag([1.0, 1.0, np.sign(np.linalg.det(U @ Vt))]) @ Vt
    shift = centre_q - R @ centre_p
    residual = float(np.max(np.linalg.norm(p @ R.T + shift - q, axis=1)))
    return Displacement(tuple(tuple(float(x) for x in row) for row in R), tuple(float(x) for x in shift), residual)


def _points(values: Sequence[VectorLike], name: str) -> Points:
    import numpy as np

    found = np.array(values, dtype=float)
    if found.ndim != 2 or found.shape[1] != 3 or not np.isfinite(found).all():
        raise WrongShape(f"Points {name} must be rows of three finite numbers; found shape {found.shape}.", name=name)
    return found
