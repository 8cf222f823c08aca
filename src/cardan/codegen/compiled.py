"""A model as native functions with values for its parameters: what the simulator and a user call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.constrained import ConstrainedFunctions
from cardan.codegen.friction import FrictionFunctions
from cardan.codegen.function import NativeBatch, NativeFunction
from cardan.codegen.model_functions import ModelFunctions
from cardan.equations.equations import signal_values
from cardan.equations.facing import Facing
from cardan.equations.flatness import Flatness
from cardan.equations.reduced import Dynamics
from cardan.errors import FrameMismatch, SingularMassMatrix, WrongShape, unknown
from cardan.geometry.scalar import Scalar
from cardan.graph import Node, jacobian
from cardan.model.description import carrier
from cardan.model.frames import Point
from cardan.model.given import Carrier
from cardan.native.once import once
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.inverse import unsupplied

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]
Magnitudes: TypeAlias = Mapping[str, ArrayLike]  # of loads and inputs by name; three numbers for a load by components


class Kernel:
    """Native functions of one model: ``acceleration``, ``mass_matrix``, ``inverse_dynamics``, energies, poses, ...

    All kernels take y = [q, v] and p = [parameters, signals]; a pivot that fails raises SingularMassMatrix.
    """

    def __init__(
        self, dynamics: Dynamics, values: Mapping[sp.Symbol, float], compiled: ModelFunctions | None = None
    ) -> None:
        self.dynamics = dynamics
        self.model = dynamics.model
        self.nq, self.nv, self.m = len(dynamics.q), len(dynamics.v), len(dynamics.full.rows)
        self.values = values
        self.parameters: Vector = np.array(
            [values[symbol] for symbol in self.model.parameters] + [0.0] * len(self.signals)
        )
        self.quaternions = self.model.quaternion_starts
        self.angles = self.model.angle_indices
        self.compiled = ModelFunctions(dynamics) if compiled is None else compiled

    def with_values(self, values: Mapping[sp.Symbol, float]) -> Kernel:
        """The same machine code with other parameter values."""
        return Kernel(self.dynamics, values, self.compiled)

    def with_signals(self, expressions: Mapping[sp.Symbol, sp.Expr]) -> Kernel:
        """The model with expressions in the places of some signals; the same expressions are compiled once."""
        compiled = self.compiled.with_signals(expressions)
        return Kernel(compiled.dynamics, self.values, compiled)

    # --- layout ------------------------------------------------------------------------------------

    @property
    def signals(self) -> tuple[sp.Symbol, ...]:
        """Symbols behind the parameters in p: loads, inputs, and what friction adds."""
        return self.model.signals

    def p(
        self,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> Vector:
        """The vector [parameters, signals] with the given values by name; the others keep theirs."""
        p = self.parameters.copy()
        if parameters:
            index = {str(symbol): k for k, symbol in enumerate(self.model.parameters)}
            for name, value in parameters.items():
                if str(name) not in index:
                    raise unknown(name, index, f"parameter of {self.model.name!r}")
                p[index[str(name)]] = value
        first = len(self.model.parameters)
        where = {symbol: first + k for k, symbol in enumerate(self.signals)}
        for symbol, value in signal_values(self.model, loads, inputs).items():
            p[where[symbol]] = value
        return p

    def y(self, q: ArrayLike, v: ArrayLike | None = None) -> Vector:
        """The vector [q, v], shapes checked."""
        configuration = np.asarray(q, dtype=float).ravel()
        velocity = np.zeros(self.nv) if v is None else np.asarray(v, dtype=float).ravel()
        for what, given, symbols in (("q", configuration, self.model.q), ("v", velocity, self.model.v)):
            if given.size != len(symbols):
                names = ", ".join(str(symbol) for symbol in symbols)
                raise WrongShape(
                    f"{what} has {given.size} numbers, expected {len(symbols)}: {names}.", found=given.size
                )
        return np.concatenate([configuration, velocity])

    # --- compiled functions ------------------------------------------------------------------------

    def function(self, name: str) -> NativeFunction:
        """The native function called ``name``, compiled now if it has not been."""
        return self.compiled.function(name)

    def batch(self, name: str) -> NativeBatch:
        """The native function called ``name`` for many states at once."""
        return self.compiled.batch(name)

    def keep(self, key: str, make: Callable[[], NativeFunction]) -> NativeFunction:
        """The function kept under a key, made now if there is none; kernels with other values share it."""
        return self.compiled.keep(key, make)

    def custom(self, name: str, outputs: Sequence[Node]) -> NativeFunction:
        """Any graph outputs of (t, q, v, p) as a native function; not kept."""
        return self.compiled.custom(name, outputs)

    def to_c(self, name: str = "acceleration") -> str:
        """C99 source of a kernel, ``int64_t name(double t, const double *y, const double *p, double *out)``."""
        return self.compiled.to_c(name)

    @property
    def places(self) -> list[int]:
        """The velocities in an order in which the mass matrix and the constraints are narrow."""
        return self.compiled.places

    @property
    def turning(self) -> set[sp.Symbol]:
        """Coordinates that are angles by the way the model uses them."""
        return self.compiled.turning

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
        q: ArrayLike,
        v: ArrayLike | None = None,
        t: float = 0.0,
        *,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> Vector:
        """vd at a state; with constraints, that of M vd + h = A^T lam, A vd = b."""
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
