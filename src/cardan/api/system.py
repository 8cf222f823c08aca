"""The public System: describe it, read its equations, compile it, move it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from cardan.api.batching import Asked, each_row
from cardan.api.run import Run
from cardan.api.studying import Studying
from cardan.codegen.abroad.fmu.pack import write_unit
from cardan.codegen.abroad.fmu.unit import Unit
from cardan.codegen.compiled import Magnitudes
from cardan.errors import Interrupted, ModelError, SimulationError
from cardan.model.given import Amount
from cardan.native.showing import Listing
from cardan.pipeline import simulate
from cardan.simulation.interrupting import keeping_what_there_is
from cardan.simulation.methods.objects import MethodChoice, resolve
from cardan.trajectory.assembly import Assembly, assemblies, consistent_start
from cardan.trajectory.batch import Batch, PerRow, fixed_steps, starts, values
from cardan.trajectory.charts.guard import SINGULAR_COORDINATES
from cardan.trajectory.events import Event
from cardan.trajectory.inverse import Actuator, InverseDynamics, inverse_dynamics
from cardan.trajectory.settings import START_TOLERANCE, Loads, Settings, Values
from cardan.trajectory.start import given_start

if TYPE_CHECKING:
    from cardan.report.data.special import Special
    from cardan.viewer.notebook import Embedded
    from cardan.viewer.server import Viewer


class System(Studying):
    """A mechanical system: coordinates, parameters, energies or bodies, loads; its equations and its motion."""

    def assemble(self, q: Values = None, *, t: float = 0.0, seeds: int = 40) -> list[Assembly]:
        """Distinct configurations that satisfy the constraints, nearest to the guess ``q`` first.

        Coordinates named in ``q`` (a mapping) are held; the others are found, from several starts.
        """
        kernel = self.compile()
        if not kernel.m:
            raise ModelError(f"{self.name!r} has no constraints, so every configuration is an assembly.")
        guess = given_start(kernel, q, None)
        if q is not None and not isinstance(q, Mapping):  # a whole guess: everything may move
            guess = replace(guess, held=np.ones(kernel.nv, dtype=bool))
        return Listing(assemblies(kernel, guess, kernel.p(), t, seeds))

    def complete(self, q: Values = None, v: Values = None, *, t: float = 0.0) -> dict[str, dict[str, float]]:
        """A whole start on the constraints from the part of it that is given, as ``simulate`` would find it.

        ``s.simulate(10.0, **s.complete({"crank": 0.3}, {"crank": 2.0}))``; StartError where none is near.
        """
        kernel = self.compile()
        given = given_start(kernel, q, v)
        y = given.y if not kernel.m else consistent_start(kernel, given, kernel.p(), t, START_TOLERANCE).y
        names = [[symbol.name for symbol in one] for one in (kernel.model.q, kernel.model.v)]
        parts = np.split(y, [kernel.nq])
        return {key: dict(zip(own, map(float, x), strict=True)) for key, own, x in zip("qv", names, parts, strict=True)}

    def to_fmu(
        self,
        path: str | Path,
        *,
        q: Values = None,
        v: Values = None,
        kind: str = "me",
        version: int = 2,
        outputs: Mapping[str, Amount] | None = None,
        duration: float = 10.0,
    ) -> Path:
        """Write the system as a functional mock-up unit (FMI 2.0 or 3.0) and return its path.

        ``kind`` is "me" (model exchange: the importer integrates), "cs" (co-simulation: the unit does) or "both". The
        start is that of ``simulate`` (or of the ``plan``); ``outputs`` are expressions by name beside the states,
        parameters stay tunable, loads and inputs are inputs. The unit holds C sources and, where a compiler is found,
        the library for this machine. It knows constraints and stops with restitution.
        """
        start = dict(self.plan) if q is None and v is None else {}
        q, v = start.get("q", q), start.get("v", v)
        run = self.simulate(1e-6 * duration, q=q, v=v, chart="typed")
        d = self.compile().dynamics
        told = {
            name: d.impose([d.space.lift(self.description.expression(one, name))])[0]
            for name, one in (outputs or {}).items()
        }
        unit = Unit(self.compile(), np.concatenate([run.q[0], run.v[0]]), told)
        return write_unit(unit, path, kind=kind, version=version, duration=duration)

    def inverse_dynamics(
        self,
        q: Values,
        v: Values,
        a: ArrayLike,
        *,
        t: float = 0.0,
        actuators: Sequence[Actuator] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> InverseDynamics:
        """Inputs and multipliers that make the motion (q, v, a), which must satisfy the constraints.

        ``actuators`` are named loads and inputs (all of them by default) or coordinates on which a generalized force
        acts; ``loads`` and ``inputs`` give the values of the others. Redundant actuators share the work with the
        smallest sum of squares; a motion that they cannot make raises UnreachableMotion.
        """
        kernel = self.compile()
        given = given_start(kernel, q, v)
        p = kernel.p(None, loads, inputs)
        return inverse_dynamics(kernel, t, given.y[: kernel.nq], given.y[kernel.nq :], a, actuators, p)

    # --- motion ------------------------------------------------------------------------------------

    def simulate(
        self,
        duration: float,
        *,
        q: Values = None,
        v: Values = None,
        rtol: float = 1e-9,
        atol: ArrayLike | None = None,
        method: MethodChoice = "auto",
        step: float | None = None,
        t0: float = 0.0,
        times: ArrayLike | None = None,
        loads: Loads = None,
        inputs: Loads = None,
        events: Sequence[Event] | Event = (),
        max_steps: int = 10_000_000,
        start_tol: float = START_TOLERANCE,
        geometry_tol: float = 1e-9,
        branch: int | ArrayLike | None = None,
        project: str | None = None,
        chart: str = "auto",
        impact_law: str = "sequential",
        max_step: float | None = None,
        throw: bool = True,
    ) -> Run:
        """The motion from the start (q, v) over ``duration``.

        q and v are sequences in the order of the coordinates, or mappings by name (missing ones are zero). A run that
        cannot continue raises SimulationError with everything computed so far in ``error.trajectory``; with
        ``throw=False`` it is returned and says why in ``status`` and ``message``. Ctrl-C ends it early in the same way,
        with an error that is a KeyboardInterrupt, too. Ball and free joints, and particles
        in polar coordinates, are integrated in coordinates without holes (``chart="auto"``), others change between the
        charts declared with ``s.chart``; ``chart="typed"`` keeps to the coordinates as described.

        Where constraints lose rank the motion keeps its velocity and goes on along the branch it is tangent to; where a
        start prefers none it is refused with the list, or follows ``branch`` (an index of ``s.branches(q)``, or a
        tangent). A velocity that no continuous motion has is changed by an impulse of velocity constraints, and refused
        where configurations branch; ``project="max_energy"`` takes the branch that keeps most energy there, too, and
        ``project="never"`` forbids all such impulses. Geometry that misses a bifurcation by less than ``geometry_tol``
        (relative to the system's size) is taken to bifurcate.

        Errors of a step are kept below rtol of each number; ``atol`` is what numbers may be off by where they pass
        through zero (1e-12, and in proportion where what moves is smaller than 1e-3 or larger than 1e3).
        Steps end where Piecewise, Heaviside, sign, Abs, Min and Max switch, and at events that are functions of time
        alone. ``max_step`` bounds the steps; without it they are at most 1/200 of the duration where time, a Python
        function, or a force with exponentials or quotients could hide something narrow between them.
        """
        settings = Settings(
            duration, q, v, rtol, atol, method, step, t0, times, loads, inputs, events, max_steps, start_tol,
            geometry_tol, branch, project, chart, impact_law, max_step,
        )  # fmt: skip
        with keeping_what_there_is():
            run = self.follow(settings)
        if throw and not run.solution.is_complete:
            raise self._stopped(run)
        return run

    def simulate_batch(
        self,
        duration: float,
        *,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        parameters: PerRow | None = None,
        loads: PerRow | None = None,
        inputs: PerRow | None = None,
        method: str = "RK4",
        step: float | None = None,
        t0: float = 0.0,
        times: ArrayLike | None = None,
        threads: int | None = None,
        rtol: float = 1e-9,
        events: Sequence[Event] | Event = (),
    ) -> Batch:
        """The motions from many starts, rows of q (count, nq) and v (count, nv), at the same times (101 by default).

        ``parameters``, ``loads`` and ``inputs`` are numbers, or one number for each row. With ``method="RK4"`` rows run
        side by side in vector kernels with steps of at most ``step`` (1/1000 of the duration by default); stops,
        constraints, sticking friction and events are refused. Any other method ("auto") runs each row as ``simulate``
        does. Results do not depend on ``threads``.
        """
        kernel = self.compile()
        rows = starts(kernel, q, v)
        instants = np.linspace(t0, t0 + duration, 101) if times is None else np.asarray(times, dtype=float)
        if not resolve(method)[0].runs_side_by_side:
            asked = Asked(duration, instants, method, step, t0, {"rtol": rtol, "events": events})
            return each_row(self, rows, asked, (parameters, loads, inputs), threads)
        p = values(kernel, len(rows), parameters, loads, inputs)
        return fixed_steps(kernel, rows, p, instants, step or duration / 1000, threads, bool(events))

    def follow(self, settings: Settings) -> Run:
        """The motion with these settings; one that could not go on says why in ``status`` and ``message``."""
        return Run.shown(self, simulate(self.kernels, settings))

    def view(
        self,
        *,
        open_browser: bool = True,
        block: bool | None = None,
        port: int = 0,
        special: Sequence[Special] = (),
    ) -> Viewer | Embedded:
        """Simulate as the system's plan says and show it: see ``Run.view``."""
        if "duration" not in self.plan:
            raise ModelError(f"{self.name!r} has no plan that says how long; use s.simulate(...).view().")
        return self.simulate(**self.plan).view(open_browser=open_browser, block=block, port=port, special=special)

    def _stopped(self, run: Run) -> SimulationError:
        """The error of a run that could not go on, with all that was computed; with a finding where coordinates end."""
        solution = run.solution
        kind = Interrupted if solution.status == "interrupted" else SimulationError
        error = kind(
            f"The motion of {self.name!r} stopped at t = {solution.t_final:.6g}: {solution.message}",
            t=solution.t_final,
            trajectory=run,
            status=solution.status,
            finding=run.end_of_coordinates() if any(one.name == SINGULAR_COORDINATES for one in run.records) else None,
        )
        error.__cause__ = solution.error
        return error

    def __repr__(self) -> str:
        d = self.description
        names = ", ".join(one.name for one in d.variables)
        return f"System({self.name!r}: {names}; {len(d.bodies)} bodies, {len(d.particles)} particles)"
