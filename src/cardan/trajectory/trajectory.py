"""The trajectory: a motion with everything that can be computed along it.

Every later room reads it: audit, diagnosis along a motion, reports, the viewer. ``Run`` adds words and pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.compiled import Kernel
from cardan.equations.numbers import Reaction
from cardan.equations.unplaced import included_in_reactions
from cardan.errors import UnknownName
from cardan.graph import Node, evaluate, live
from cardan.model.frames import Frame, Point
from cardan.model.frames import Vector as ModelVector
from cardan.model.lookup import Thing, frame_of
from cardan.model.model import Model
from cardan.model.symbols import Acceleration
from cardan.model.variables import QuaternionVariable
from cardan.native.once import once
from cardan.native.showing import Rows, Shown
from cardan.native.suggesting import Suggesting
from cardan.simulation.solution import Solution
from cardan.singular.records import EventRecord
from cardan.trajectory.along import kernel_along
from cardan.trajectory.charts.view import View, ViewedMotion
from cardan.trajectory.contact_outputs import ContactOutputs
from cardan.trajectory.coordinates import Motion, Refresh
from cardan.trajectory.expressions import angular_velocity, with_accelerations
from cardan.trajectory.facts import Facts
from cardan.trajectory.forces import forces_along
from cardan.trajectory.impulses import Impulses, has_jump, impulses_of
from cardan.trajectory.power import powers
from cardan.trajectory.rank.limits import Limits
from cardan.trajectory.restoring import restored
from cardan.trajectory.run_event import RunEvent
from cardan.trajectory.settings import Name, Settings

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Suggesting, Shown):
    """A motion: times, states, energy, events, and any expression, position or rotation along it.

    It is followed in the coordinates of ``kernel``, which may be others than its user's (``user``): then ``viewed``
    reads one off the other. ``refresh`` writes what depends on time into ``parameters``, ``records`` tell what
    happened on the way, ``defined`` whether the user's coordinates have a meaning at a time. ``atol`` is what each
    number was allowed to be off by where it passes through zero. ``again`` makes the same motion with other settings,
    ``beside`` also from another first state of ``solution``, where that is possible.
    """

    settings: Settings
    user: Kernel
    kernel: Kernel
    parameters: Vector
    solution: Solution
    atol: Vector
    refresh: Refresh | None = None
    records: tuple[EventRecord, ...] = ()
    viewed: ViewedMotion | None = None
    defined: Callable[[Vector], NDArray[np.bool_]] | None = None
    again: Callable[[Settings], Trajectory] | None = None
    beside: Callable[[Settings, Vector], Trajectory] | None = None

    @classmethod
    def of(
        cls,
        motion: Motion,
        again: Callable[[Settings], Trajectory] | None = None,
        beside: Callable[[Settings, Vector], Trajectory] | None = None,
    ) -> Self:
        """The trajectory of a motion that was followed."""
        return cls(
            motion.request.settings,
            motion.request.user,
            motion.entry.kernel,
            motion.parameters,
            motion.solution,
            motion.atol,
            motion.refresh,
            motion.records,
            motion.viewed,
            motion.defined,
            again,
            beside,
        )

    @property
    def model(self) -> Model:
        """The model as its user described it, at the values of the run."""
        return self.user.model

    @property
    def regular_view(self) -> View | None:
        """Between the user's coordinates and those of the motion, where these are others."""
        return None if self.viewed is None else self.viewed.view

    # --- states ------------------------------------------------------------------------------------

    @property
    def t(self) -> Vector:
        return self.solution.t

    @property
    def q(self) -> Vector:
        """Configurations in the user's coordinates, one row per time."""
        return self.user_states[0][:, : len(self.model.q)]

    @property
    def v(self) -> Vector:
        """Velocities in the user's coordinates, one row per time."""
        return self.user_states[0][:, len(self.model.q) :]

    @once
    def user_states(self) -> tuple[Vector, NDArray[np.bool_]]:
        """(states in the user's coordinates, whether each has a meaning)."""
        if self.viewed is None:
            return self.solution.y, np.ones(len(self.t), dtype=bool) if self.defined is None else self.defined(self.t)
        return self.viewed.at(self.t, self.solution.y)

    @once
    def is_defined(self) -> NDArray[np.bool_]:
        """Whether the user's angles have a meaning at each time: not at a singularity of the chart."""
        return self.user_states[1] if self.viewed is None else self.viewed.is_defined(self.solution.y)

    @property
    def status(self) -> str:
        return self.solution.status

    @property
    def message(self) -> str:
        return self.solution.message

    # --- what happened -----------------------------------------------------------------------------

    @once
    def events(self) -> tuple[RunEvent, ...]:
        """What happened, in order of time: user events, and what the simulator met and did."""
        found = [RunEvent("user", one.name, one.t, *self._parts(one.y, one.t)) for one in self.solution.events]
        found += [
            RunEvent(one.kind, one.name, one.t, *self._parts(one.y, one.t), one.what, self._facts(one))
            for one in self.records
        ]
        return Rows(sorted(found, key=lambda one: one.t))

    def _parts(self, y: Vector, t: float) -> tuple[Vector, Vector]:
        """(q, v) in the user's coordinates of one state."""
        state = y if self.viewed is None else self.viewed.at(np.array([t]), y[None])[0][0]
        return state[: len(self.model.q)], state[len(self.model.q) :]

    def _facts(self, one: EventRecord) -> Mapping[str, Any]:
        """The facts of a record, a jump of velocities in the user's, and its impulses as vectors."""
        if not has_jump(one):
            return one.facts
        told: Mapping[str, Any] = one.facts
        if self.viewed is not None and "velocity_jump" in told:
            after = one.y.copy()
            after[self.kernel.nq :] += one.vector("velocity_jump")
            told = {**told, "velocity_jump": self._parts(after, one.t)[1] - self._parts(one.y, one.t)[1]}
        return Facts(**told, impulses=lambda: self._impulses_at[id(one)])

    @once
    def _impulses_at(self) -> dict[int, Impulses]:
        """The impulses of each record that has some, by its identity."""
        return dict(zip([id(one) for one in self.records if has_jump(one)], self.impulses, strict=True))

    @once
    def impulses(self) -> tuple[Impulses, ...]:
        """Force and moment impulses on each body and each bearing, one entry for each event with a jump of velocities.

        Of each body the balance of its momentum, of each bearing that of all it carries; world components. Where
        constraints lost rank and their rows do not make the jump, bearings are left out and ``note`` says so. The
        method "Moreau-Jean" knows impulses per step only, and has none here.
        """
        return Rows(impulses_of(self))

    def __getitem__(self, name: Name) -> Vector:
        """History of a coordinate, velocity or quaternion, by name or symbol."""
        key, at = str(name), 0
        for variable in self.model.free:
            if isinstance(variable, QuaternionVariable) and key == variable.name:
                return self.q[:, at : at + 4]
            at += len(variable.configuration)
        names = [str(symbol) for symbol in (*self.model.q, *self.model.v)]
        if key in names:
            return self.user_states[0][:, names.index(key)]
        if key in map(str, self.model.speeds):
            return self.evaluate(next(u for u in self.model.speeds if str(u) == key))
        for prescribed in self.kernel.model.prescribed:
            if key in (prescribed.name, prescribed.dot.name):
                return self.evaluate(prescribed if key == prescribed.name else prescribed.dot)
        raise UnknownName(f"{key!r} is not in this run. It has: {', '.join(names)}.", name=key)

    def wrapped(self, name: Name) -> Vector:
        """History of an angle, brought to the interval from -pi to pi."""
        angle: Vector = np.remainder(self[name] + np.pi, 2 * np.pi) - np.pi
        return angle

    def at(self, times: ArrayLike) -> Self:
        """The run at other times, by the dense output of the method."""
        wanted = np.atleast_1d(np.asarray(times, dtype=float))
        states = restored(
            self.kernel, self.parameters, wanted, self.solution.at(wanted), self.records, self.solution.ahead
        )
        return self.with_states(wanted, states)

    def with_states(self, times: Vector, states: Vector) -> Self:
        """The same motion with other times and states, as they are given."""
        return replace(self, solution=replace(self.solution, t=times, y=states))

    # --- outputs along the run ---------------------------------------------------------------------

    def outputs(self, numbers: Sequence[Node | float], accelerations: bool = False) -> Vector:
        """Graph outputs at every time, one row per time."""
        d = self.kernel.dynamics
        inputs: dict[Node, Vector | float] = {d.t: self.t}
        inputs |= {node: self.solution.y[:, k] for k, node in enumerate([*d.q, *d.v])}
        inputs |= {node: float(self.parameters[k]) for k, node in enumerate(d.p)}
        inputs |= self._signals_along()
        imposed = d.impose(numbers)
        if accelerations and {*d.vd, *d.lam} & set(live(imposed)):
            inputs |= {node: self._forces[0][:, k] for k, node in enumerate(d.vd)}
            inputs |= {node: self._forces[1][:, k] for k, node in enumerate(d.lam)}
        columns = evaluate(imposed, inputs)
        return np.stack([np.broadcast_to(np.asarray(column, dtype=float), self.t.shape) for column in columns], axis=-1)

    def _signals_along(self) -> dict[Node, Vector | float]:
        """Signals given as Python functions, called again at every output time."""
        if self.refresh is None:
            return {}
        table = self.parameters_along()
        return {node: table[:, k] for k, node in enumerate(self.kernel.dynamics.p)}

    def parameters_along(self) -> Vector:
        """[parameters, signals] at every time."""
        if self.refresh is None:
            return np.broadcast_to(self.parameters, (len(self), len(self.parameters)))
        p = self.parameters.copy()
        rows = []
        for t, y in zip(self.t, self.solution.y, strict=True):
            self.refresh(t, y, p)
            rows.append(p.copy())
        return np.array(rows)

    def evaluate(self, expression: sp.Expr | ModelVector) -> Vector:
        """Any SymPy expression of (t, q, v, vd, parameters, signals) along the run; a vector in world components."""
        if isinstance(expression, ModelVector):
            return np.stack([self.evaluate(part) for part in expression.express(self.model.world)], axis=-1)
        expression = expression.xreplace(self.model.speeds) if self.model.speeds else expression
        if self.regular_view is not None and set(getattr(expression, "free_symbols", ())) & self.regular_view.replaced:
            return self._in_user_coordinates().evaluate(expression)
        if any(isinstance(one, Acceleration) for one in getattr(expression, "free_symbols", ())):
            return self.outputs([with_accelerations(self.kernel.dynamics, expression)], accelerations=True)[:, 0]
        return self.outputs([self.kernel.dynamics.space.lift(expression)])[:, 0]

    def velocity(self, of: Thing | Point) -> Vector:
        """World components of the velocity of a point, of a body's or frame's origin, or of a particle."""
        point = of if isinstance(of, Point) else self._frame(of).origin
        return self.evaluate(point.velocity)

    def _in_user_coordinates(self) -> Self:
        """The same run described by the user's own model."""
        told = replace(self, kernel=self.user, refresh=None, records=(), viewed=None, defined=None)
        return told.with_states(self.t, self.user_states[0])

    def position(self, of: Thing | Point) -> Vector:
        """World position of a body's origin, a particle, a frame's origin or a point; one row per time."""
        point = of if isinstance(of, Point) else self._frame(of).origin
        return self.outputs(list(self.kernel.dynamics.full.lifted.point(point.frame, point.position)))

    def rotation(self, of: Thing) -> Vector:
        """Rotation matrices R (world from body), shape (times, 3, 3)."""
        R, _ = self.kernel.dynamics.full.lifted.pose(self._frame(of))
        return self.outputs([x for row in R for x in row]).reshape(-1, 3, 3)

    def omega(self, of: Thing, expressed_in: str = "body") -> Vector:
        """Angular velocity of a body along its own axes, or along the world's."""
        own = self.outputs(angular_velocity(self.kernel.dynamics, self._frame(of)))
        return own if expressed_in == "body" else np.einsum("tij,tj->ti", self.rotation(of), own)

    def _frame(self, of: Thing) -> Frame:
        return frame_of(self.kernel.model, of)

    # --- accelerations, multipliers, reactions -----------------------------------------------------

    @once
    def _forces(self) -> tuple[Vector, Vector]:
        """(vd, lam) at every time."""
        return forces_along(self, self._limits)

    @once
    def _limits(self) -> Limits:
        """(vd, lam) around losses of rank."""
        return Limits(self.records, lambda t: self._regular_forces(t))

    def _regular_forces(self, t: float) -> tuple[Vector, Vector]:
        y, p = self.solution.at(t), self.parameters.copy()
        if self.refresh is not None:
            self.refresh(t, y, p)
        return self.kernel.numbers(p).terms(t, y).accelerations()

    @once
    def acceleration(self) -> Vector:
        """The time derivative of ``v``, in the user's coordinates, one row per time."""
        if self.viewed is None:
            return self._forces[0]
        return self.viewed.view.accelerations(self.user_states[0], self.solution.y, self._forces[0])

    @once
    def multipliers(self) -> dict[str, Vector]:
        """mu of prescribed coordinates, lam of constraints, forces of stops, by name: M vd + f + g = Q + A^T lam."""
        d = self.kernel.dynamics
        everything = [symbol for one in d.model.variables for symbol in one.configuration]
        names = [str(symbol) for symbol in everything if symbol in d.model.prescribed]
        found: dict[str, Vector] = {}
        if names:
            columns = self.outputs(d.multipliers(d.vd), accelerations=True)
            found = {name: columns[:, k] + self.contacts.drivers.get(name, 0.0) for k, name in enumerate(names)}
        if d.model.constraints:
            found |= {name: self._forces[1][:, k] for k, name in enumerate(d.constraints.names)}
        return found | self.contacts.multipliers

    @once
    def contacts(self) -> ContactOutputs:
        """What the stops did along the run: forces, power, penetration."""
        return ContactOutputs(self)

    @once
    def reactions(self) -> dict[str, Reaction]:
        """Reaction force and moment on each body and particle along the run, by balance; world components."""
        parts_of, included = self.kernel.dynamics.reaction_parts(), included_in_reactions(self.model)
        tables = {name: self.outputs(parts, accelerations=True) for name, parts in parts_of}
        return {
            name: Reaction(name, table[:, :3], table[:, 3:6], table[:, 6:], included[name])
            for name, table in tables.items()
        }

    @once
    def residuals(self) -> Vector:
        """phi (zero for velocity constraints) and A v + b0 of every row of the constraints: (times, 2, rows)."""
        if not self.kernel.m:
            return np.zeros((len(self), 2, 0))
        found = kernel_along(self.kernel.function("residual"), self.t, self.solution.y, self.parameters)
        return found.reshape(len(self), 2, self.kernel.m)

    @property
    def constraint_error(self) -> Vector:
        """Largest residual of the holonomic constraints, and of the velocity constraints, at every time: (times, 2)."""
        return np.asarray(np.max(np.abs(self.residuals), axis=2, initial=0.0))

    # --- energy ------------------------------------------------------------------------------------

    @once
    def _energies(self) -> Vector:
        if self.refresh is not None:
            return self.outputs(list(self.kernel.dynamics.energies))
        return kernel_along(self.kernel.function("energy"), self.t, self.solution.y, self.parameters)

    @property
    def kinetic_energy(self) -> Vector:
        return self._energies[:, 0]

    @property
    def potential_energy(self) -> Vector:
        return self._energies[:, 1]

    @property
    def energy(self) -> Vector:
        """T + V (with only a Lagrangian typed, T0 is not split from V and counts negative)."""
        return self._energies[:, 0] + self._energies[:, 1]

    @property
    def jacobi(self) -> Vector:
        """v . dL/dv - L: conserved whenever time does not appear explicitly."""
        return self._energies[:, 2]

    @once
    def power(self) -> dict[str, Vector]:
        """Power of each load, input, damper, motor (mu fd) and moving constraint (-lam b0) along the run, by name.

        Their sum is d(T + V)/dt; gravity, springs and typed potentials are in V and not listed.
        """
        return powers(self)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:g} to {self.t[-1]:g}, {len(self)} times"
        return f"{type(self).__name__}({self.model.name!r}: {span}, {self.status})"
