"""The public System: describe it, read its equations, compile it, move it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cardan.api.asking import Asking
from cardan.api.run import Run
from cardan.errors import ModelError, SimulationError
from cardan.model.description import finite
from cardan.simulation.guarded import integrate_guarded
from cardan.simulation.methods.objects import MethodChoice, resolve
from cardan.simulation.protocol import Watch
from cardan.trajectory.assembly import Assembly, assemblies, consistent_start, refuse_frozen
from cardan.trajectory.charts.guard import chart_guard
from cardan.trajectory.charts.plain import folded, plain_for
from cardan.trajectory.charts.regular import SeenState, ViewedMotion, ViewedState
from cardan.trajectory.charts.stops import unwound
from cardan.trajectory.charts.switching import ChartSwitch
from cardan.trajectory.contradiction import up_to_contradiction
from cardan.trajectory.events import Event, checked_events
from cardan.trajectory.friction import FrictionGuard
from cardan.trajectory.guards import guards_for
from cardan.trajectory.inverse import InverseDynamics, inverse_dynamics
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.rank.choice import checked_rule
from cardan.trajectory.rank.edge import rank_edge
from cardan.trajectory.rank.guard import RankOptions, rank_guard
from cardan.trajectory.reach import told_reach
from cardan.trajectory.restoring import restored
from cardan.trajectory.settings import START_TOLERANCE, Settings
from cardan.trajectory.signals import bound, controller, sort_signals, watch
from cardan.trajectory.start import given_start

if TYPE_CHECKING:
    from cardan.diagnosis.findings import Finding


class System(Asking):
    """A mechanical system: coordinates, parameters, energies or bodies, loads; its equations and its motion."""

    def assemble(self, q: Any = None, *, t: float = 0.0, seeds: int = 40) -> list[Assembly]:
        """Distinct configurations that satisfy the constraints, nearest to the guess ``q`` first.

        Coordinates named in ``q`` (a mapping) are held; the others are found, from several starts.
        """
        kernel = self.compile()
        if not kernel.m:
            raise ModelError(f"{self.name!r} has no constraints, so every configuration is an assembly.")
        guess = given_start(kernel, q, None)
        if q is not None and not isinstance(q, Mapping):  # a whole guess: everything may move
            guess = replace(guess, held=np.ones(kernel.nv, dtype=bool))
        return assemblies(kernel, guess, kernel.p(), t, seeds)

    def inverse_dynamics(
        self,
        q: Any,
        v: Any,
        a: Any,
        *,
        t: float = 0.0,
        actuators: Sequence[Any] | None = None,
        loads: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
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
        q: Any = None,
        v: Any = None,
        rtol: float = 1e-9,
        atol: float = 1e-12,
        method: MethodChoice = "auto",
        step: float | None = None,
        t0: float = 0.0,
        times: Any = None,
        loads: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        events: Sequence[Event] | Event = (),
        max_steps: int = 10_000_000,
        start_tol: float = START_TOLERANCE,
        geometry_tol: float = 1e-9,
        branch: Any = None,
        project: str | None = None,
        chart: str = "auto",
        impact_law: str = "sequential",
        throw: bool = True,
    ) -> Run:
        """The motion from the start (q, v) over ``duration``.

        q and v are sequences in the order of the coordinates, or mappings by name (missing ones are zero). A run that
        cannot continue raises SimulationError with everything computed so far in ``error.trajectory``; with
        ``throw=False`` it is returned and says why in ``status`` and ``message``. Ball and free joints, and particles
        in polar coordinates, are integrated in coordinates without holes (``chart="auto"``), others change between the
        charts declared with ``s.chart``; ``chart="typed"`` keeps to the coordinates as described.

        Where constraints lose rank the motion keeps its velocity and goes on along the branch it is tangent to; where a
        start prefers none it is refused with the list, or follows ``branch`` (an index of ``s.branches(q)``, or a
        tangent). A velocity that no continuous motion has is changed by an impulse of velocity constraints, and refused
        where configurations branch; ``project="max_energy"`` takes the branch that keeps most energy there, too, and
        ``project="never"`` forbids all such impulses. Geometry that misses a bifurcation by less than ``geometry_tol``
        (relative to the system's size) is taken to bifurcate.
        """
        settings = Settings(**{name: value for name, value in locals().items() if name not in ("self", "throw")})
        chosen, step = resolve(method, step)
        kernel = self.compile()
        given = given_start(kernel, q, v)
        signals = sort_signals(kernel.model, loads, inputs)
        charts = self.chart_views(kernel) if chart == "auto" and self._charts else []
        view = self.regular_view() if chart == "auto" and not charts else None
        if view is not None and not view.suits(chosen.name, signals.expressions.values()):
            view = None
        first = given.y
        if view is not None:
            kernel, given = view.kernel, view.entered(given)
        kernel = bound(kernel, signals)
        start = consistent_start(kernel, given, kernel.p(), t0, start_tol) if kernel.m else None
        if start is not None:
            refuse_frozen(kernel, start.reference)
        y0 = given.y if start is None else start.y
        seen: SeenState | None = None if view is None else ViewedState(view, first, y0, duration >= 0)
        compiled = Prepared(
            kernel, signals.constants, controller(kernel, signals, seen), None if start is None else start.reference
        )
        switch = ChartSwitch(compiled, charts, signals, t0, y0, duration >= 0) if charts else None
        if switch is not None:
            y0, seen = switch.y0, switch.seen
        plain = plain_for(chosen.name, compiled, y0)
        watched = [
            Watch(
                watch(plain or compiled, self.compile(), seen, f"event{k}", event.expression),
                event.direction,
                event.terminal,
                name=event.name,
            )
            for k, event in enumerate(checked_events(events))
        ]
        end = t0 + finite(duration, "Duration")
        rubbing = FrictionGuard(compiled, t0, y0, chosen.name) if kernel.model.rubbing else None
        choice = RankOptions(rtol, atol, geometry_tol, branch, checked_rule(project))
        rank = None if start is None or rubbing else rank_guard(compiled, start, t0, end, chosen.name, choice)
        first_mode = rubbing.start if rubbing else compiled if rank is None else rank.modes.regular
        edge = switch or (None if plain else chart_guard(compiled, t0, y0, rtol))
        others = [one for one in (rank, rubbing, edge, rank_edge(compiled) if rubbing else None) if one is not None]
        moved = 0.0 if start is None else start.distance
        guards = [*guards_for(compiled, end - t0, impact_law, moved, switch), *others]
        solution, records = integrate_guarded(
            plain or (first_mode if switch is None else switch.mode.compiled),
            t0,
            end,
            y0 if plain is None else plain.entered(y0),
            guards,
            rtol=rtol,
            atol=atol,
            method=chosen.name,
            step=step,
            times=None if times is None else np.asarray(times, dtype=float),
            events=watched,
            max_steps=max_steps,
        )
        solution = solution if plain is None else folded(plain, solution)
        parameters = compiled.parameters if rank is None else rank.modes.anywhere.parameters
        if times is not None and (kernel.m or kernel.quaternions):
            solution = replace(
                solution, y=restored(kernel, parameters, solution.t, solution.y, records, solution.ahead)
            )
        if switch is not None:
            solution = switch.in_user_coordinates(solution)
            records = unwound((*switch.records, *records), switch, solution)
        if view is not None:
            records = (*view.records(t0, y0), *records)
        refresh = rubbing.refresh(compiled.refresh) if rubbing else compiled.refresh
        if start is not None:
            solution = up_to_contradiction(kernel, parameters, refresh, solution, start, records)
            solution = told_reach(kernel, parameters, refresh, solution, start)
        viewed = None if view is None else ViewedMotion(view, solution, first)
        defined = None if switch is None else switch.is_defined
        run = Run(
            system=self, settings=settings, user=self.compile(), kernel=kernel, parameters=parameters,
            solution=solution, refresh=refresh, records=records, viewed=viewed, defined=defined,
        )  # fmt: skip
        if throw and not solution.is_complete:
            raise SimulationError(
                f"The motion of {self.name!r} stopped at t = {solution.t_final:.6g}: {solution.message}",
                t=solution.t_final,
                trajectory=run,
                status=solution.status,
                finding=self._finding(run) if edge is not None and edge.stopped else None,
            ) from solution.error
        return run

    def view(self, **options: Any) -> Any:
        """Simulate as the system's plan says and show it: see ``Run.view``, which takes the options."""
        if "duration" not in self.plan:
            raise ModelError(f"{self.name!r} has no plan that says how long; use s.simulate(...).view().")
        return self.simulate(**self.plan).view(**options)

    def _finding(self, run: Run) -> Finding | None:
        """What makes the coordinates singular, or nearly so, where a run ended, measured by the sizes of its start."""
        from cardan.api.remedies import find_remedies
        from cardan.diagnosis.judges.cloud import Cloud
        from cardan.diagnosis.judges.coordinates import CoordinateJudge

        kernel, t = self.compile(), float(run.t[-1])
        first, last = (np.concatenate([run.q[k], run.v[k]]) for k in (0, -1))
        verdict = CoordinateJudge(Cloud(kernel, first, float(run.t[0]), kernel.p())).verdict(last)
        found = next(iter((*verdict.findings, *verdict.near)), None)
        return found and replace(found, t=t, search=lambda: find_remedies(self, found, last, t, {}))

    def __repr__(self) -> str:
        d = self.description
        names = ", ".join(one.name for one in d.variables)
        return f"System({self.name!r}: {names}; {len(d.bodies)} bodies, {len(d.particles)} particles)"
