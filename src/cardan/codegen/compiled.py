"""A model as native functions with values for its parameters: what the simulator and a user call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from cardan.codegen.bound import Bound
from cardan.codegen.constrained import ConstrainedFunctions
from cardan.codegen.derivatives import (
    Derivatives,
    ParameterDerivatives,
    SecondDerivatives,
    derivatives,
    parameter_derivatives,
    second_derivatives,
)
from cardan.codegen.friction import FrictionFunctions
from cardan.codegen.function import NativeFunction
from cardan.codegen.layout import Magnitudes, Vector
from cardan.codegen.orders import Order, order_of
from cardan.codegen.robot import RobotCalls
from cardan.equations.facing import Facing
from cardan.equations.flatness import Flatness
from cardan.equations.reduced import Dynamics, derive
from cardan.errors import FrameMismatch, ModelError, SingularMassMatrix, WrongShape
from cardan.geometry.scalar import Scalar
from cardan.graph import jacobian
from cardan.model.by_name import Named
from cardan.model.description import carrier
from cardan.model.frames import Point
from cardan.model.given import Carrier
from cardan.native.once import once
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.inverse import unsupplied

__all__ = ["Kernel", "Magnitudes", "Vector", "compile_native"]


class Kernel(RobotCalls):
    """Native functions of one model: ``acceleration``, ``mass_matrix``, ``inverse_dynamics``, energies, poses, ...

    All kernels take y = [q, v] and p = [parameters, signals]; a pivot that fails raises SingularMassMatrix.
    """

    # --- compiled functions ------------------------------------------------------------------------

    @property
    def constrained(self) -> ConstrainedFunctions:
        """Right-hand side and projection of a model with constraints."""
        return self.compiled.constrained

    @once
    def friction(self) -> FrictionFunctions:
        """Right-hand side, events and pressing forces of frictions that have to be solved for."""
        return FrictionFunctions(self)

    def numbers(self, p: Vector) -> ConstrainedNumbers:
        """The constrained system as numbers, for parameters p."""
        terms, residual, rates = (self.function(name) for name in ("terms", "residual", "rates"))
        base = np.ascontiguousarray(p[: terms.np])
        return ConstrainedNumbers(
            self.nq,
            self.nv,
            self.m,
            lambda t, y: terms(t, y, base),
            lambda t, y: residual(t, y, base),
            lambda t, y: rates(t, y, base),
            self.quaternions,
            self.dynamics.constraints.holonomic,
            [row.unit for row in self.dynamics.constraints.rows],
            lambda t, y, steps, sizes: self.compiled.cloud(t, y, base, steps, sizes),
            (lambda t, states: self.facing.any_turned(states[:, : self.nq], t, base)) if self.facing.names else None,
        )

    @once
    def flatness(self) -> Flatness:
        """Which rolling discs lie flat at a configuration."""
        return Flatness(self.dynamics)

    @once
    def facing(self) -> Facing:
        """Which connections are turned against each other at a configuration."""
        return Facing(self.dynamics)

    # --- calls -------------------------------------------------------------------------------------

    def acceleration(
        self,
        q: ArrayLike | Named,
        v: ArrayLike | Named | None = None,
        t: float = 0.0,
        *,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> Vector:
        """vd at a state, given in order or by name; with constraints, that of M vd + h = A^T lam, A vd = b."""
        if self.model.rubbing:
            y, p = self.y(q, v), self.p(parameters, loads, inputs)
            return self.friction.solve(t, y, self.friction.moving(t, y, p)).vd
        if self.m:
            return self.numbers(self.p(parameters, loads, inputs)).terms(t, self.y(q, v)).accelerations()[0]
        function = self.function("acceleration")
        out = function(t, self.y(q, v), self.p(parameters, loads, inputs))
        self.check(function.status)
        return out

    def mass_matrix(self, q: ArrayLike, t: float = 0.0, parameters: Mapping[str, float] | None = None) -> Vector:
        """M(q), n by n."""
        self.dynamics.require_quadratic()
        return self.function("mass_matrix")(t, self.y(q), self.p(parameters)).reshape(self.nv, self.nv)

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        t: float = 0.0,
        *,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
    ) -> Vector:
        """Generalized forces, beyond the applied ones, for the acceleration a: M a + f + g - Q.

        With constraints, what is left of it when ideal constraints have supplied all they can (shortest in the metric
        of M); ``s.inverse_dynamics`` shares it out among actuators and multipliers.
        """
        wanted = np.asarray(a, dtype=float).ravel()
        if self.m:
            y = self.y(q, v)
            if wanted.size != self.nv:
                raise WrongShape(f"a has {wanted.size} numbers, expected {self.nv}.", found=wanted.size)
            return unsupplied(self.numbers(self.p(parameters, loads)).terms(t, y), wanted)
        return self.function("inverse_dynamics")(t, np.concatenate([self.y(q, v), wanted]), self.p(parameters, loads))

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        t: float = 0.0,
        *,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
    ) -> Vector:
        """vd where the generalized forces ``tau`` act beside the applied ones; the inverse of ``inverse_dynamics``."""
        self._require_smooth()
        pushed, y, p = self._wide(tau, "tau"), self.y(q, v), self.p(parameters, loads)
        if self.m:
            terms = self.numbers(p).terms(t, y)
            return replace(terms, h=terms.h - pushed).accelerations()[0]
        function = self.function("forward_dynamics")
        out = function(t, np.concatenate([y, pushed]), p)
        self.check(function.status)
        return out

    aba, rnea, crba = forward_dynamics, inverse_dynamics, mass_matrix  # the names of the algorithms

    def derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike | None = None,
        t: float = 0.0,
        *,
        tau: ArrayLike | None = None,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> Derivatives:
        """Exact derivatives of inverse and forward dynamics by q, v, a and tau, through constraints as well.

        At the acceleration ``a``, or at the one that ``tau`` makes (zero by default) beside the applied forces.
        """
        t, y, given, lam, p = self._at(q, v, a, t, tau, parameters, loads, inputs)
        return derivatives(self, t, y[: self.nq], y[self.nq :], given, lam, p)

    def parameter_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike | None = None,
        t: float = 0.0,
        *,
        tau: ArrayLike | None = None,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> ParameterDerivatives:
        """Exact derivatives of inverse and forward dynamics by the system's parameters, through constraints as well.

        Inertial parameters that are numbers in a robot file have those of ``k.regressor``: a_pi = -M^-1 Y.
        """
        t, y, given, lam, p = self._at(q, v, a, t, tau, parameters, loads, inputs)
        return parameter_derivatives(self, t, y[: self.nq], y[self.nq :], given, lam, p)

    def second_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        t: float = 0.0,
        *,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> SecondDerivatives:
        """Exact second derivatives of forward dynamics, of a model without constraints."""
        self._require_smooth()
        y, p, pushed = self.y(q, v), self.p(parameters, loads, inputs), self._wide(tau, "tau")
        return second_derivatives(self, t, y[: self.nq], y[self.nq :], pushed, p)

    def _at(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike | None,
        t: float,
        tau: ArrayLike | None,
        parameters: Mapping[str, float] | None,
        loads: Magnitudes | None,
        inputs: Magnitudes | None,
    ) -> tuple[float, Vector, Vector, Vector, Vector]:
        """Time, state, the acceleration that is given or that tau makes, multipliers, and p."""
        self._require_smooth()
        y, p, lam = self.y(q, v), self.p(parameters, loads, inputs), np.zeros(self.m)
        if a is not None:
            return t, y, self._wide(a, "a"), lam, p
        pushed = np.zeros(self.nv) if tau is None else self._wide(tau, "tau")
        if self.m:
            terms = self.numbers(p).terms(t, y)
            given, lam = replace(terms, h=terms.h - pushed).accelerations()
        else:
            given = self.function("forward_dynamics")(t, np.concatenate([y, pushed]), p)
        return t, y, given, lam, p

    def _require_smooth(self) -> None:
        """Raise where friction may stick: then accelerations are no smooth function of forces."""
        if self.model.rubbing:
            names = ", ".join(one.name for one in self.model.rubbing)
            raise ModelError(
                f"{self.model.name!r} has friction that may stick ({names}): accelerations are solved for with it. "
                "Take k.ideal, the model without friction, or k.acceleration(q, v, inputs=...).",
                names=names,
            )

    def _wide(self, values: ArrayLike, what: str) -> Vector:
        """One number for each velocity."""
        found: Vector = np.asarray(values, dtype=float).ravel()
        if found.size != self.nv:
            raise WrongShape(f"{what} has {found.size} numbers, expected {self.nv}.", found=found.size)
        return found

    def bind(
        self,
        name: str = "acceleration",
        *,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> Bound:
        """A kernel with its arrays prepared: ``f(q, v)`` costs about a microsecond more than the machine code.

        ``name`` is one of docs/kernels.md; the array that it returns is written again by the next call.
        """
        function, p = self.function(name), self.p(parameters, loads, inputs)
        further = function.ny - self.nq - self.nv
        parts = (self.nq, self.nv, *((further,) if further else ()))
        shape = (self.nv, self.nv) if name == "mass_matrix" else None
        return Bound(function, parts, p, shape, self.check)

    @once
    def ideal(self) -> Kernel:
        """The same model without dampers and friction, as other tools have it (``k.ideal.rnea(q, v, a)``)."""
        rubbing = {one.name for one in self.model.frictions}
        model = replace(
            self.model,
            dampers=(),
            frictions=(),
            generalized_forces=tuple(one for one in self.model.generalized_forces if one.name not in rubbing),
            constraints=tuple(one for one in self.model.constraints if one.name not in rubbing),
        )
        return Kernel(derive(model), self.values)

    def order(self, tool: str) -> Order:
        """Maps between q, v, a here and those of "pinocchio" or "mujoco"."""
        return order_of(self.model, tool)

    def energy(self, q: ArrayLike, v: ArrayLike | None = None, t: float = 0.0) -> Vector:
        """[T, V, Jacobi integral]."""
        return self.function("energy")(t, self.y(q, v), self.p())

    def poses(self, q: ArrayLike, t: float = 0.0) -> dict[str, tuple[Vector, Vector]]:
        """(R, position) in the world of every body and particle, by name."""
        rows = self.function("poses")(t, self.y(q), self.p()).reshape(-1, 12)
        names = [thing.name for thing in (*self.model.bodies, *self.model.particles)]
        return {name: (row[:9].reshape(3, 3), row[9:]) for name, row in zip(names, rows, strict=True)}

    def point_jacobian(self, of: Carrier | Point, position: tuple[Scalar, ...] = (0, 0, 0)) -> NativeFunction:
        """Native function of (t, y, p): Jacobian (3 by nq, row-major) of the position of a point fixed in a frame.

        ``of`` is a frame, a body or a particle, with the ``position`` from its origin, or a point.
        """
        d = self.dynamics
        frame, place = (of.frame, of.position) if isinstance(of, Point) else (carrier(of), position)
        if frame not in d.full.tree.attachments:
            raise FrameMismatch(
                f"{of!r} is no part of {self.model.name!r} as compiled. Take a body, frame or point of this system.",
                name=frame.name,
            )
        point = d.impose(d.full.lifted.point(frame, place))
        return self.custom("point_jacobian", [x for row in jacobian(point, d.q) for x in row])

    def acceleration_batch(self, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0) -> Vector:
        """vd for many states: arrays (count, nq) and (count, nv)."""
        positions, velocities = (np.atleast_2d(np.asarray(part, dtype=float)) for part in (q, v))
        if self.m or self.model.rubbing:
            moments = np.atleast_1d(np.asarray(t, dtype=float))
            count = len(positions)
            if len(velocities) != count or moments.shape not in ((1,), (count,)):
                raise WrongShape(
                    f"Batch of {count} configurations needs as many velocities and one time or one for each; found "
                    f"{len(velocities)} and {moments.size}.",
                    found=(len(velocities), moments.size),
                )
            each = zip(positions, velocities, np.broadcast_to(moments, (count,)), strict=True)
            return np.array([self.acceleration(*state) for state in each]).reshape(count, self.nv)
        batch = self.batch("acceleration")
        rows = np.hstack([positions, velocities])
        found = batch(t, rows, self.parameters)
        for row in np.flatnonzero(batch.status):
            self.check(int(batch.status[row]), f" in row {row}")
        return found

    def check(self, status: int, where: str = "") -> None:
        """Raise for a pivot that failed."""
        if status:
            raise SingularMassMatrix(
                f"The mass matrix has no inverse here{where}: the pivot of {self.model.v[status - 1]} vanished. "
                "The coordinates are singular or a freedom carries no inertia: give it inertia, or use other "
                "coordinates.",
                pivot=status,
                name=str(self.model.v[status - 1]),
            )

    def __repr__(self) -> str:
        return f"Kernel({self.model.name!r}, nq={self.nq}, nv={self.nv}, compiled={list(self.compiled)})"


def compile_native(dynamics: Dynamics) -> Kernel:
    """Native functions of derived equations."""
    return Kernel(dynamics, dynamics.model.values)
