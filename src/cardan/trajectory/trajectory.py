"""The trajectory: a motion with everything that can be computed along it.

It is what every later room reads: the audit, the diagnosis along a motion, reports and the viewer. The public ``Run``
adds words and pictures to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.compiled import Kernel
from cardan.equations.numbers import Reaction
from cardan.equations.unplaced import included_in_reactions
from cardan.errors import UnknownName
from cardan.graph import Node, evaluate, live
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point
from cardan.model.model import Model
from cardan.model.variables import QuaternionVariable
from cardan.native.once import once
from cardan.simulation.solution import Solution
from cardan.singular.records import EventRecord
from cardan.trajectory.along import kernel_along
from cardan.trajectory.charts.view import View, ViewedMotion
from cardan.trajectory.contact_outputs import ContactOutputs
from cardan.trajectory.coordinates import Motion, Refresh
from cardan.trajectory.power import powers
from cardan.trajectory.rank.limits import Limits
from cardan.trajectory.restoring import restored
from cardan.trajectory.settings import Name, Settings

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]
Thing: TypeAlias = "Body | Particle | Frame | str"  # what has a frame, or its name


@dataclass(frozen=True)
class RunEvent:
    """Something that happened: its kind and name, when, the state there, one sentence, and facts by name."""

    kind: str
    name: str
    t: float
    q: Vector
    v: Vector
    what: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """A motion: times, states, energy, events, and any expression, position or rotation along it.

    It is followed in the coordinates of ``kernel``, which may be others than its user's (``user``): then ``viewed``
    reads one off the other. ``refresh`` writes what depends on time into ``parameters``, ``records`` tell what
    happened on the way, ``defined`` whether the user's coordinates have a meaning at a time. ``atol`` is what each
    number was allowed to be off by where it passes through zero; ``again`` makes the same motion with other settings.
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

    @classmethod
    def of(cls, motion: Motion, again: Callable[[Settings], Trajectory] | None = None) -> Self:
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
        )

    @property
    def model(self) -> Model:
        """The model as its user described it."""
        return self.kernel.model if self.viewed is None else self.viewed.view.user

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

    @property
    def is_defined(self) -> NDArray[np.bool_]:
        """Whether the user's angles have a meaning at each time: not at a singularity of the chart."""
        return self.user_states[1]

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
        return tuple(sorted(found, key=lambda one: one.t))

    def _parts(self, y: Vector, t: float) -> tuple[Vector, Vector]:
        """(q, v) in the user's coordinates of one state."""
        state = y if self.viewed is None else self.viewed.at(np.array([t]), y[None])[0][0]
        return state[: len(self.model.q)], state[len(self.model.q) :]

    def _facts(self, one: EventRecord) -> Mapping[str, Any]:
        """The facts of a record, a jump of velocities in the user's."""
        if self.viewed is None or "velocity_jump" not in one.facts:
            return one.facts
        after = one.y.copy()
        after[self.kernel.nq :] += one.vector("velocity_jump")
        jump = self._parts(after, one.t)[1] - self._parts(one.y, one.t)[1]
        return {**one.facts, "velocity_jump": jump}

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
        table = self._parameters_along()
        return {node: table[:, k] for k, node in enumerate(self.kernel.dynamics.p)}

    def _parameters_along(self) -> Vector:
        """[parameters, signals] at every time."""
        if self.refresh is None:
            return np.broadcast_to(self.parameters, (len(self), len(self.parameters)))
        p = self.parameters.copy()
        rows = []
        for t, y in zip(self.t, self.solution.y, strict=True):
            self.refresh(t, y, p)
            rows.append(p.copy())
        return np.array(rows)

    def evaluate(self, expression: sp.Expr) -> Vector:
        """Any SymPy expression of (t, q, v, parameters, signals) along the run."""
        if self.regular_view is not None and set(getattr(expression, "free_symbols", ())) & self.regular_view.replaced:
            return self._in_user_coordinates().evaluate(expression)
        return self.outputs([self.kernel.dynamics.space.lift(expression)])[:, 0]

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
        from cardan.equations.recursive import velocities
        from cardan.geometry import matrix as m3

        full, frame = self.kernel.dynamics.full, self._frame(of)
        k = full.lifted.link_of(frame)
        w = (0, 0, 0) if k < 0 else velocities(full.lifted, full.joints.rates)[k][0]
        R_F, _ = full.lifted.offset(frame)
        own = self.outputs(list(m3.matvec(m3.transpose(R_F), w)))
        return own if expressed_in == "body" else np.einsum("tij,tj->ti", self.rotation(of), own)

    def _frame(self, of: Thing) -> Frame:
        if isinstance(of, Frame):
            return of
        if isinstance(of, (Body, Particle)):
            return of.frame
        for thing in (*self.kernel.model.bodies, *self.kernel.model.particles):
            if thing.name == of:
                return thing.frame
        known = ", ".join(thing.name for thing in (*self.kernel.model.bodies, *self.kernel.model.particles))
        raise UnknownName(f"{of!r} is no body or particle of this run. Known: {known or 'none'}.", name=str(of))

    # --- accelerations, multipliers, reactions -----------------------------------------------------

    @once
    def _forces(self) -> tuple[Vector, Vector]:
        """(vd, lam) at every time."""
        kernel, modes = self.kernel, self.contacts.modes
        system = kernel.numbers(self.parameters) if kernel.m else None
        p = self.parameters if self.refresh is None else self._parameters_along()
        outputs = kernel_along(kernel.function("terms" if kernel.m else "acceleration"), self.t, self.solution.y, p)
        rows_vd, rows_lam = [], []
        for t, y, out, mode in zip(self.t, self.solution.y, outputs, modes, strict=True):
            if mode is not None:
                vd, lam = mode.solution(t, y)
                lam = lam[: kernel.m]
            elif system is not None:
                vd, lam = self._limits.at(t) or system.terms_of(out).accelerations()
            else:
                vd, lam = out, np.zeros(0)
            rows_vd.append(vd)
            rows_lam.append(lam)
        return np.array(rows_vd).reshape(len(self), kernel.nv), np.array(rows_lam).reshape(len(self), kernel.m)

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
        parts_of = self.kernel.dynamics.reaction_parts()
        tables = {name: self.outputs(parts, accelerations=True) for name, parts in parts_of}
        included = included_in_reactions(self.model)
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
        return self.outputs(list(self.kernel.dynamics.energies))

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
