"""What robotics asks of a compiled model: placements, Jacobians, centre of mass, centroidal momentum, regressor.

A frame is named by a body, a frame, a point, or the name of a body; what is asked of it is compiled when first asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.function import NativeFunction
from cardan.codegen.layout import Layout, Vector
from cardan.codegen.regressor import BaseParameters, Regressor, base_parameters
from cardan.equations import robot
from cardan.equations.reduced import Dynamics
from cardan.errors import FrameMismatch, ModelError, unknown
from cardan.graph import Node, jacobian
from cardan.model.description import carrier
from cardan.model.frames import Point
from cardan.model.given import Carrier

RANK = 1e-12  # of the largest eigenvalue: what rounding leaves of a direction that is lost

Place: TypeAlias = "Carrier | Point | str"
Function: TypeAlias = Callable[..., Vector]


@dataclass(frozen=True)
class Centroidal:
    """Momentum h = matrix v about the centre of mass along the world's axes, linear rows first.

    Its rate is matrix vd + rate v.
    """

    matrix: NDArray[np.float64]  # 6 by nv
    rate: NDArray[np.float64]  # d(matrix)/dt
    momentum: Vector
    centre: Vector
    mass: float


@dataclass(frozen=True)
class OperationalSpace:
    """What a hand feels of the whole mechanism [Khatib1987].

    ``mobility`` is J M^-1 J^T (with constraints, of the motions that they leave), ``inertia`` its inverse where the
    hand can move (``rank`` directions), ``inverse`` the inverse of J that moves joints with least kinetic energy.
    """

    mobility: NDArray[np.float64]  # 6 by 6, linear rows first
    inertia: NDArray[np.float64]
    inverse: NDArray[np.float64]  # nv by 6
    rank: int


class RobotCalls(Layout):
    """Verbs of robotics for Kernel."""

    def point_of(self, of: Place) -> Point:
        """The point (with the axes of its frame) that is meant."""
        if isinstance(of, str):
            known = {"world": self.model.world}
            known |= {one.name: one.frame for one in (*self.model.bodies, *self.model.particles)}
            if of not in known:
                raise unknown(of, known, f"body of {self.model.name!r}")
            of = known[of]
        point = of if isinstance(of, Point) else Point(carrier(of), (0, 0, 0))
        if point.frame not in self.dynamics.full.tree.attachments:
            raise FrameMismatch(
                f"{of!r} is no part of {self.model.name!r} as compiled. Take a body, frame or point of this system.",
                name=point.frame.name,
            )
        return point

    # --- frames ------------------------------------------------------------------------------------

    def placement(self, of: Place, q: ArrayLike, t: float = 0.0) -> tuple[Vector, Vector]:
        """(R, p) of a frame in the world: its axes as the columns of R, and its origin (or the point that is given)."""
        point = self.point_of(of)
        out = self._made("placement", point, "", lambda d: robot.placement(d, point))(t, self.y(q), self.p())
        return out[:9].reshape(3, 3), out[9:]

    def velocity(self, of: Place, q: ArrayLike, v: ArrayLike, *, frame: str = "mixed", t: float = 0.0) -> Vector:
        """(linear, angular) velocity of a frame, six numbers; ``frame`` as for ``jacobian``."""
        point = self.point_of(of)
        made = self._made("velocity", point, frame, lambda d: robot.velocity(d, point, frame))
        return made(t, self.y(q, v), self.p())

    def frame_acceleration(
        self, of: Place, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, frame: str = "mixed", t: float = 0.0
    ) -> Vector:
        """d/dt of ``velocity``: of the point for "mixed", spatial for "body" and "world"; J a + Jd v."""
        point = self.point_of(of)
        made = self._made(
            "acceleration", point, frame, lambda d: robot.acceleration(d, point, frame), with_accelerations=True
        )
        return made(t, np.concatenate([self.y(q, v), np.asarray(a, dtype=float).ravel()]), self.p())

    def jacobian(
        self, of: Place, q: ArrayLike | None = None, *, frame: str = "mixed", t: float = 0.0
    ) -> Vector | Function:
        """J (6 by nv) of a frame's velocity, linear rows first; without ``q``, the function of q that returns it.

        ``frame`` says of which velocity: "mixed" of the point, along the world's axes; "body" the same along its own;
        "world" of the point that is at the world's origin now. (LOCAL_WORLD_ALIGNED, LOCAL and WORLD of Pinocchio.)
        """
        point = self.point_of(of)
        made = self._made("jacobian", point, frame, lambda d: robot.jacobian_of(d, point, frame))
        if q is None:
            return lambda q, t=0.0: made(t, self.y(q), self.p()).reshape(6, self.nv)
        return made(t, self.y(q), self.p()).reshape(6, self.nv)

    def jacobian_rate(self, of: Place, q: ArrayLike, v: ArrayLike, *, frame: str = "mixed", t: float = 0.0) -> Vector:
        """dJ/dt along the motion, 6 by nv."""
        point = self.point_of(of)
        made = self._made("jacobian rate", point, frame, lambda d: robot.rate(d, robot.jacobian_of(d, point, frame)))
        return made(t, self.y(q, v), self.p()).reshape(6, self.nv)

    def operational_space(
        self, of: Place, q: ArrayLike, *, frame: str = "mixed", rows: Sequence[int] = range(6), t: float = 0.0
    ) -> OperationalSpace:
        """Operational-space inertia of a frame, through constraints too; ``rows`` of the motion (0 to 2: linear)."""
        jacobian = self.jacobian(of, q, frame=frame, t=t)
        assert isinstance(jacobian, np.ndarray)  # q is given
        J = jacobian[list(rows)]
        mobile = self.free_mobility(q, t)
        mobility = J @ mobile @ J.T
        inertia, rank = pseudo_inverse(mobility, _sizes(mobility, rows))
        return OperationalSpace(mobility, inertia, mobile @ J.T @ inertia, rank)

    def free_mobility(self, q: ArrayLike, t: float = 0.0) -> Vector:
        """M^-1, with constraints its part that they leave: d vd / d tau, nv by nv."""
        rows = self.function("structure")(t, self.y(q), self.p()).reshape(-1, self.nv)
        M, A = rows[: self.nv], rows[self.nv :]
        found: Vector = np.asarray(np.linalg.inv(M))
        if len(A):
            S = A @ found @ A.T
            found -= found @ A.T @ pseudo_inverse(S, np.sqrt(np.abs(np.diag(S))))[0] @ A @ found
        return found

    def _made(
        self,
        what: str,
        point: Point,
        frame: str,
        nodes: Callable[..., list[Node]],
        with_accelerations: bool = False,
    ) -> NativeFunction:
        if frame not in ("", *robot.REPRESENTATIONS):
            raise ModelError(f'frame={frame!r} is unknown. Use "world", "body" or "mixed".', name=frame)
        key = f"{what} {frame} {id(point.frame)} {point.position}"
        return self._kept(key, nodes, with_accelerations)

    def _kept(self, key: str, nodes: Callable[..., list[Node]], with_accelerations: bool = False) -> NativeFunction:
        d = self.dynamics
        more = d.vd if with_accelerations else ()
        return self.keep(key, lambda: self.compiled.custom("robot", d.space.all_nodes(nodes(d)), more))

    # --- the whole ---------------------------------------------------------------------------------

    def centre_of_mass(self, q: ArrayLike, t: float = 0.0) -> Vector:
        """The centre of mass of what moves, in the world; bodies welded to the world do not count."""
        return self._kept("centre", lambda d: d.impose(robot.centre(d)))(t, self.y(q), self.p())

    def centre_of_mass_jacobian(self, q: ArrayLike, t: float = 0.0) -> Vector:
        """J (3 by nv) of the velocity of the centre of mass."""

        def nodes(d: Dynamics) -> list[Node]:
            total = robot.mass(d)
            return [x / total for x in robot.flat(jacobian(robot.momentum(d)[:3], d.v))]

        return self._kept("centre jacobian", nodes)(t, self.y(q), self.p()).reshape(3, self.nv)

    def centroidal(self, q: ArrayLike, v: ArrayLike, t: float = 0.0) -> Centroidal:
        """Momentum about the centre of mass, its matrix and the rate of that matrix."""

        def nodes(d: Dynamics) -> list[Node]:
            h = robot.momentum(d)
            matrix = robot.flat(jacobian(h, d.v))
            whole = d.impose([*robot.centre(d), robot.mass(d)])
            return [*matrix, *robot.rate(d, matrix), *h, *whole]

        out = self._kept("centroidal", nodes)(t, self.y(q, v), self.p())
        matrix, rate, h, c, m = np.split(out, np.cumsum([6 * self.nv, 6 * self.nv, 6, 3]))
        return Centroidal(matrix.reshape(6, -1), rate.reshape(6, -1), h, c, float(m[0]))

    # --- inertial parameters -----------------------------------------------------------------------

    def regressor(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: float = 0.0) -> Regressor:
        """Y of tau = Y pi: generalized forces of motion and gravity are linear in the inertial parameters pi.

        Ten for each body, at its frame's origin: m, m c (three), Ixx, Ixy, Iyy, Ixz, Iyz, Izz (the order of Pinocchio).
        """
        made = self._kept("regressor", robot.body_rows, True)
        out = made(t, np.concatenate([self.y(q, v), np.asarray(a, dtype=float).ravel()]), self.p())
        masses = self.dynamics.full.tree.masses
        own = [self._inertial(one.mass, one.com, one.inertia) for one in masses]
        return Regressor.of(out.reshape(len(masses), -1), self.nv, [one.name for one in masses], own)

    def base_parameters(self, samples: int = 200, seed: int = 0) -> BaseParameters:
        """The combinations of inertial parameters that motions show, found from drawn states by rank."""
        rng = np.random.default_rng(seed)
        rows = []
        for _ in range(max(2, samples // max(self.nv, 1))):
            q = rng.uniform(-np.pi, np.pi, self.nq)
            for k in self.quaternions:
                q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
            v, a = rng.normal(size=(2, self.nv))
            found = self.regressor(q, v, a)
            rows.append(found.matrix)
        return base_parameters(np.vstack(rows), found)

    def _inertial(self, mass: object, com: Sequence[object], inertia: Sequence[Sequence[object]] | None) -> Vector:
        """The ten parameters of a mass as numbers."""
        values = self.values

        def number(x: object) -> float:
            return float(x.subs(values)) if hasattr(x, "subs") else float(x)  # type: ignore[arg-type]  # a number

        m, c = number(mass), np.array([number(x) for x in com])
        J = np.zeros((3, 3)) if inertia is None else np.array([[number(x) for x in row] for row in inertia])
        J = J + m * (c @ c * np.eye(3) - np.outer(c, c))
        return np.array([m, *(m * c), J[0, 0], J[0, 1], J[1, 1], J[0, 2], J[1, 2], J[2, 2]])


def pseudo_inverse(S: Vector, size: Vector) -> tuple[Vector, int]:
    """The inverse of a symmetric matrix on the directions in which it is not zero, and their number.

    Judged with each row divided by its ``size``, so that metres and radians do not matter.
    """
    divisor = np.where(size > 0, size, 1.0)
    values, vectors = np.linalg.eigh(S / np.outer(divisor, divisor))
    kept = values > RANK * max(1.0, float(np.max(values, initial=0.0)))
    parts = vectors[:, kept]
    return (parts / values[kept]) @ parts.T / np.outer(divisor, divisor), int(kept.sum())


def _sizes(mobility: Vector, rows: Sequence[int]) -> Vector:
    """One size for linear rows and one for angular ones, so that no direction in space is preferred."""
    linear, size = np.array([row < 3 for row in rows]), np.sqrt(np.abs(np.diag(mobility)))
    largest = [float(np.max(size[kind], initial=0.0)) for kind in (linear, ~linear)]
    return np.where(linear, *largest)
