"""A model as native functions: each is compiled when it is first used and kept in the cache of compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.c_export import to_c
from cardan.codegen.constrained import ConstrainedFunctions, cloud_of, tie_together
from cardan.codegen.friction import FrictionFunctions
from cardan.codegen.function import NativeBatch, NativeFunction, native_batch, native_function
from cardan.codegen.ordering import narrow_order
from cardan.equations.equations import signal_values
from cardan.equations.friction import pressing, pushes, sliding
from cardan.equations.reduced import Dynamics
from cardan.equations.representative import (
    inertias_of_masses,
    jacobian_of_masses,
    loads_on_masses,
    screening_terms,
    signals_to_forces,
)
from cardan.errors import CompileError, SingularMassMatrix, UnknownName, WrongShape
from cardan.geometry.scalar import plus, times
from cardan.graph import Node, jacobian, with_one_constant
from cardan.kinematics.angles import angles_of
from cardan.model.frames import Frame
from cardan.singular.constrained import Cloud, ConstrainedNumbers
from cardan.singular.inverse import unsupplied

Vector = NDArray[np.float64]


class Kernel:
    """Native functions of one model: ``acceleration``, ``mass_matrix``, ``inverse_dynamics``, energies, poses, ...

    All kernels take y = [q, v] and p = [parameters, signals]; a pivot that fails raises SingularMassMatrix.
    """

    def __init__(self, dynamics: Dynamics, values: Mapping[Any, float]) -> None:
        self.dynamics = dynamics
        self.model = dynamics.model
        self.nq, self.nv = len(dynamics.q), len(dynamics.v)
        self.values = values
        self.parameters: Vector = np.array(
            [values[symbol] for symbol in self.model.parameters] + [0.0] * len(self.signals)
        )
        self.m = len(dynamics.full.rows)
        self.quaternions = self.model.quaternion_starts
        self.angles = self.model.angle_indices
        self._functions: dict[str, NativeFunction] = {}
        self._batches: dict[str, NativeBatch] = {}

    def with_values(self, values: Mapping[Any, float]) -> Kernel:
        """The same machine code with other parameter values."""
        other = Kernel(self.dynamics, values)
        other._functions, other._batches = self._functions, self._batches
        for name in ("turning", "constrained"):  # made already, and the same for all values
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    # --- layout ------------------------------------------------------------------------------------

    @property
    def signals(self) -> tuple[Any, ...]:
        return self.model.signals

    def p(
        self,
        parameters: Mapping[str, float] | None = None,
        loads: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
    ) -> Vector:
        """The vector [parameters, signals] with the given values by name; the others keep theirs."""
        p = self.parameters.copy()
        if parameters:
            index = {str(symbol): k for k, symbol in enumerate(self.model.parameters)}
            for name, value in parameters.items():
                if str(name) not in index:
                    raise UnknownName(f"{name!r} is no parameter. Known: {', '.join(index) or 'none'}.", name=str(name))
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
        if name not in self._functions:
            outputs, pivots, extra = self._content(name)
            d = self.dynamics
            self._functions[name] = native_function(
                name, t=d.t, y=[*d.q, *d.v, *extra], p=d.p, outputs=outputs, pivots=pivots
            )
        return self._functions[name]

    def batch(self, name: str) -> NativeBatch:
        """The native function called ``name`` for many states at once."""
        if name not in self._batches:
            outputs, pivots, extra = self._content(name)
            d = self.dynamics
            self._batches[name] = native_batch(
                f"{name}_batch", t=d.t, y=[*d.q, *d.v, *extra], p=d.p, outputs=outputs, pivots=pivots
            )
        return self._batches[name]

    @cached_property
    def constrained(self) -> ConstrainedFunctions:
        """Right-hand side and projection of a model with constraints."""
        terms, residual, rates = (self.function(name) for name in ("terms", "residual", "rates"))
        has_phi = [row.is_holonomic for row in self.dynamics.constraints.rows]
        return tie_together(terms, residual, rates, self.nq, self.places, has_phi, self.quaternions)

    @cached_property
    def places(self) -> list[int]:
        """The velocities in an order in which the mass matrix and the constraints are narrow."""
        return narrow_order(self.dynamics.mass_matrix, self.dynamics.constraints.matrix if self.m else (), self.nv)

    def _cloud(self, t: float, y: Vector, p: Vector, steps: Vector, sizes: Vector) -> Cloud:
        """Configurations with phi = 0 near y moved by each step, in native code."""
        count, nq, n, m = len(steps), self.nq, self.nv, self.m
        name = f"cloud {count}"
        if name not in self._functions:
            terms, residual, rates = (self.function(one) for one in ("terms", "residual", "rates"))
            constraints, spins = self.dynamics.constraints.rows, self.quaternions
            has_phi, units = zip(*((row.is_holonomic, row.unit) for row in constraints), strict=True)
            self._functions[name] = cloud_of(terms, residual, rates, nq, self.places, has_phi, spins, units, count)
        out = self._functions[name](t, np.concatenate([y, steps.ravel()]), np.concatenate([p, sizes]))
        flags, places, A, rows = np.split(out.reshape(count, -1), np.cumsum([1, nq + n, m * n]), axis=1)
        return Cloud(flags[:, 0], places, A.reshape(count, m, n), rows.reshape(count, m, n))

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
            lambda t, y, steps, sizes: self._cloud(t, y, base, steps, sizes),
        )

    @cached_property
    def friction(self) -> FrictionFunctions:
        """Right-hand side, events and pressing forces of frictions that have to be solved for."""
        return FrictionFunctions(self)

    @cached_property
    def turning(self) -> set[Any]:
        """Coordinates that are angles by the way the model uses them."""
        return angles_of(self.model, self.dynamics.full.tree)

    def custom(self, name: str, outputs: Sequence[Node]) -> NativeFunction:
        """Any graph outputs of (t, q, v, p) as a native function; not kept."""
        d = self.dynamics
        return native_function(name, t=d.t, y=[*d.q, *d.v], p=d.p, outputs=outputs)

    def _content(self, name: str) -> tuple[list[Node], list[tuple[Node, Node]], list[Node]]:
        """Outputs, pivots and further inputs of each kernel."""
        d = self.dynamics
        if name == "terms":
            c = d.constraints
            M = [x for row in d.mass_matrix for x in row]
            A = [x for row in c.matrix for x in row]
            return [*d.configuration_rates, *M, *d.bias, *A, *c.targets], [], []
        if name == "structure":
            both = [*d.mass_matrix, *d.constraints.matrix] if self.m else d.mass_matrix
            return d.space.all_nodes(x for row in both for x in row), [], []
        if name == "residual":
            phi = (with_one_constant(one) for one in d.constraints.phi)
            rows = [next(phi) if row.is_holonomic else d.space.graph.zero for row in d.constraints.rows]
            return [*rows, *d.constraints.rates], [], []
        if name in ("rhs", "acceleration"):
            vd, pivots = d.acceleration
            return ([*d.configuration_rates, *vd] if name == "rhs" else list(vd)), pivots, []
        if name == "pressing":
            return pressing(d), [], [*d.vd, *d.lam]
        if name == "inverse_dynamics":
            return self._inverse_dynamics()
        outputs: dict[str, Any] = {
            "mass_matrix": lambda: [x for row in d.mass_matrix for x in row],
            "velocity_terms": lambda: d.velocity_terms,
            "potential_terms": lambda: d.potential_terms,
            "forces": lambda: d.forces,
            "energy": lambda: d.energies,
            "momentum": lambda: d.momenta,
            "momentum_rate": lambda: d.momentum_rates,
            "poses": self._poses,
            "jacobian": self._rhs_jacobian,
            "rates": lambda: d.configuration_rates,
            "pushes": lambda: pushes(d),
            "sliding": lambda: sliding(d),
            "mass_velocities": lambda: jacobian_of_masses(d),
            "mass_loads": lambda: loads_on_masses(d),
            "screening": lambda: screening_terms(d),
            "inertias": lambda: inertias_of_masses(d),
            "actuation": lambda: signals_to_forces(d),
            "places": self._places,
        }
        if name not in outputs:
            known = ", ".join(sorted([*outputs, "rhs", "acceleration", "inverse_dynamics"]))
            raise UnknownName(f"There is no kernel {name!r}. Known: {known}.", name=name)
        return d.space.all_nodes(outputs[name]()), [], []

    def _inverse_dynamics(self) -> tuple[list[Node], list[tuple[Node, Node]], list[Node]]:
        """Forces on top of the applied ones that make the system move with accelerations a: M a + f + g - Q."""
        d = self.dynamics
        a = d.vd
        found: list[Any] = []
        for row, bias in zip(d.mass_matrix, d.bias, strict=True):
            total: Any = bias
            for entry, acceleration in zip(row, a, strict=True):
                total = plus(total, times(entry, acceleration))
            found.append(total)
        return d.space.all_nodes(found), [], a

    def _poses(self) -> list[Any]:
        """Per body, then per particle: nine entries of R (row by row) and three of the position of its frame."""
        d, found = self.dynamics, []
        for thing in (*self.model.bodies, *self.model.particles):
            R, p = d.full.lifted.pose(thing.frame)
            found += [*(x for row in R for x in row), *p]
        return d.impose(found)

    def _places(self) -> list[Node]:
        """World positions of the origins and centres of mass of bodies, and of particles."""
        d, found = self.dynamics, []
        for mass in d.full.tree.masses:
            found += [*d.full.lifted.point(mass.frame, (0, 0, 0)), *d.full.lifted.point(mass.frame, mass.com)]
        return d.impose(found)

    def _rhs_jacobian(self) -> list[Node]:
        d = self.dynamics
        vd, _ = d.acceleration
        rows = jacobian([*d.configuration_rates, *vd], [*d.q, *d.v])
        return [x for row in rows for x in row]

    # --- calls -------------------------------------------------------------------------------------

    def acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        t: float = 0.0,
        *,
        parameters: Mapping[str, float] | None = None,
        loads: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
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
        loads: Mapping[str, Any] | None = None,
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

    def point_jacobian(self, frame: Frame, position: Any = (0, 0, 0)) -> NativeFunction:
        """Native function of (t, y, p): Jacobian (3 by nq, row-major) of the position of a point fixed in a frame."""
        d = self.dynamics
        point = d.impose(d.full.lifted.point(frame, position))
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

    def to_c(self, name: str = "acceleration") -> str:
        """C99 source of a kernel, ``int64_t name(double t, const double *y, const double *p, double *out)``."""
        if self.m and name in ("acceleration", "rhs", "jacobian"):
            raise CompileError(
                f"{name!r} of {self.model.name!r} needs the multipliers of its constraints, which are no straight-line "
                "code. Export 'terms' (rates, M, h, A, b) and solve M vd + h = A^T lam, A vd = b there.",
                name=name,
            )
        outputs, pivots, extra = self._content(name)
        d = self.dynamics
        return to_c(name, t=d.t, y=[*d.q, *d.v, *extra], p=d.p, outputs=outputs, pivots=pivots)

    def __repr__(self) -> str:
        return f"Kernel({self.model.name!r}, nq={self.nq}, nv={self.nv}, compiled={sorted(self._functions)})"


def compile_native(dynamics: Dynamics) -> Kernel:
    """Native functions of derived equations."""
    return Kernel(dynamics, dynamics.model.values)
