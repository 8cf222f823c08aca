"""Diagnosis along a motion: indicators as time series, and the moments at which they vanish or nearly do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Magnitudes
from cardan.diagnosis.diagnose import diagnose
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.indicators import NEAR
from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.judges.constraints import ConstraintJudge
from cardan.diagnosis.judges.coordinates import CoordinateJudge
from cardan.diagnosis.judges.loads import LoadJudge, given_magnitudes
from cardan.diagnosis.minima import Series, minima
from cardan.errors import unknown
from cardan.linalg.screening import screen, screening_workspace
from cardan.native.deadline import BUDGET, OutOfTime, check, within
from cardan.native.once import once
from cardan.native.showing import Rows, Shown
from cardan.trajectory.start import refuse_unmeasurable
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

FREQUENCY = 100.0  # samples per second; a dip that is narrower than the 10 ms between them may be missed
SMALL = 1e-4  # screened values below this are computed again from the basis itself
MOST_SAMPLES = 100_000  # of a run that is judged at evenly spaced times
NO_MOMENT = 1e-12  # of the largest principal moment of inertia: a smaller one is round-off
SAME_MOMENT = 1e-6  # findings of one kind and place that are no farther apart in time are one


@dataclass(frozen=True)
class Indicators(Shown):
    """Dimensionless indicators along a motion; below 1e-8 singular, below 1e-3 near."""

    t: Vector
    series: Mapping[str, Vector]  # "basis", "load NAME", "constraints"

    def __getitem__(self, name: str) -> Vector:
        if name not in self.series:
            raise unknown(name, self.series, "indicator of this run")
        return self.series[name]

    def _row(self) -> dict[str, object]:
        return {f"least {name}": float(np.nanmin(one)) if len(one) else None for name, one in self.series.items()}


@dataclass(frozen=True, eq=False, repr=False)
class JudgedTrajectory(Trajectory):
    """A trajectory that can be asked what was singular along it."""

    def indicators(self, loads: Magnitudes | None = None, per_second: float | None = None) -> Indicators:
        """Dimensionless indicators of singularity: the basis, each load, the constraints.

        At the times of the run, or at ``per_second`` evenly spaced ones.
        """
        if loads is not None:
            given_magnitudes(self.user.model, loads)
        return Along(self, per_second).indicators(loads)

    @once
    def findings(self) -> Findings:
        """What was singular, or nearly so, at some moment of the run; each finding carries its time ``t``.

        One of kind "undecided" says that 10 s were not enough; ``run.findings(budget=60)`` looks longer.
        """
        return self._found(BUDGET)

    def _found(self, budget: float | None) -> Findings:
        found = []
        for one in Along(self, FREQUENCY).findings(None, budget):
            moment = float(self.t[0] if one.t is None else one.t)
            found.append(self.searching(one, user_states_at(self, np.array([moment]))[0], moment, None))
        return Findings(found, self._found)

    def end_of_coordinates(self) -> Finding | None:
        """What makes the coordinates singular, or nearly so, where the run ended, by the sizes of its start."""
        first, last = (np.concatenate([self.q[k], self.v[k]]) for k in (0, -1))
        t = float(self.t[-1])
        refuse_unmeasurable(self.user, first, float(self.t[0]))
        if not self.user.nv or not np.isfinite(last).all():
            return None
        verdict = CoordinateJudge(Cloud(self.user, first, float(self.t[0]), self.user.p())).verdict(last)
        found = next(iter((*verdict.findings, *verdict.near)), None)
        return None if found is None else self.searching(replace(found, t=t), last, t, {})

    def searching(self, one: Finding, state: Vector, t: float, loads: Magnitudes | None) -> Finding:
        """The finding at a state; who knows how to look for remedies gives it that search."""
        return one


def user_states_at(run: Trajectory, times: Vector) -> Vector:
    """States in the user's coordinates at any times, one row each."""
    return run.at(times).user_states[0]


class Findings(Rows[Finding]):
    """The findings of a run, in order; called with ``budget=``, the same after a search of so many seconds."""

    search: Callable[[float | None], Findings]

    def __new__(cls, found: Iterable[Finding], search: Callable[[float | None], Findings]) -> Findings:
        self = super().__new__(cls, found)
        self.search = search
        return self

    def __call__(self, *, budget: float | None = BUDGET) -> Findings:
        """What a search of so many seconds (None: no limit) finds, where this one was too short."""
        return self.search(budget) if any(one.kind == "undecided" for one in self) else self


class Along:
    """The judges of a motion, with reference sizes taken around its first state.

    They look at the states of the run, or at states ``per_second``, evenly spaced.
    """

    def __init__(self, run: Trajectory, per_second: float | None = None) -> None:
        self.run = run
        self.kernel = run.kernel if run.viewed is None else run.user
        self.p = run.parameters[: len(self.kernel.parameters)]
        if per_second is None:
            self.t, self.states = run.t, run.user_states[0]
        else:
            count = max(2, int(per_second * (run.t[-1] - run.t[0])) + 1)
            self.t = np.linspace(run.t[0], run.t[-1], min(count, MOST_SAMPLES))
            self.states = user_states_at(run, self.t)
        self.moments = np.column_stack([self.states, self.t])
        self.cloud = Cloud(self.kernel, self.states[0], float(self.t[0]), self.p)

    def moments_at(self, times: Vector) -> Vector:
        """States in the user's coordinates at any times, each with its time behind it."""
        return np.column_stack([user_states_at(self.run, times), times])

    def measures(self, loads: Magnitudes | None) -> Iterator[tuple[str, Series]]:
        """(name, function of states) of every indicator."""
        yield "basis", CoordinateJudge(self.cloud).kappas
        if self.cloud.rows:
            judge = LoadJudge(self.cloud)
            for name, weights in judge.named(loads):
                yield f"load {name}", partial(judge.etas, weights=weights)
        if self.kernel.m:
            yield "constraints", ConstraintJudge(self.cloud, self.states[0]).kappas

    def indicators(self, loads: Magnitudes | None) -> Indicators:
        """All series; quickly where a model allows it, and from the basis itself wherever a value is small."""
        if not self.kernel.nv:
            return Indicators(self.t, {})
        quick = self._screened() if loads is None else {}
        found = {}
        for name, measure in self.measures(loads):
            if name not in quick:
                found[name] = measure(self.moments)
                continue
            small = quick[name] < SMALL
            found[name] = quick[name].copy()
            if np.any(small):
                found[name][small] = measure(self.moments[small])
        return Indicators(self.t, found)

    def _screened(self) -> dict[str, Vector]:
        """Indicators by the native screening, for masses without constraints, each load with one magnitude."""
        kernel, model = self.kernel, self.kernel.model
        simple = all(len(load.symbols) == 1 for load in model.loads)
        if kernel.m or model.is_typed or not self.cloud.rows or not simple or not self._loaded_have_mass():
            return {}
        n, count = kernel.nv, len(model.loads)
        out = np.zeros((len(self.states), 1 + count))
        screen(
            kernel.function("screening").address,
            n,
            self.states.shape[1],
            count,
            len(self.states),
            np.ascontiguousarray(self.t),
            np.ascontiguousarray(self.states),
            np.ascontiguousarray(self.p),
            np.ascontiguousarray(np.where(self.cloud.scales > 0, self.cloud.scales, 1.0)),
            out,
            np.zeros(screening_workspace(n, count)),
        )
        names = ["basis", *(f"load {load.name}" for load in model.loads)]
        return {name: out[:, k] for k, name in enumerate(names)}

    def _loaded_have_mass(self) -> bool:
        """Whether every loaded body has mass and a regular inertia."""
        loaded = {load.on.name for load in self.kernel.model.loads}
        inertias = self.cloud.inertias
        for k, rows in enumerate(self.cloud.rows):
            if rows.name in loaded:
                moments = np.linalg.eigvalsh(inertias.moments[k]) if rows.is_body else np.ones(1)
                if inertias.masses[k] <= 0 or moments[0] <= NO_MOMENT * moments[-1]:
                    return False
        return True

    def findings(self, loads: Magnitudes | None, budget: float | None = BUDGET) -> list[Finding]:
        """What is singular, or nearly so, at some moment; each with its time, in order."""
        found: list[Finding] = []
        if not self.kernel.nv:
            return found
        try:
            with within(budget, "singular moments of the run"):
                for one in self._met(loads):
                    found.append(one)
        except OutOfTime as late:
            what = f"further singular moments of the run: {late}"
            why = "the motion has many moments at which an indicator is low; s.diagnose judges one of them"
            found.append(Finding("undecided", (self.kernel.model.name,), 1.0, NEAR, what, why, is_near=True))
        return sorted(_distinct(found), key=lambda one: one.t or 0.0)

    def _met(self, loads: Magnitudes | None) -> Iterator[Finding]:
        """The findings at the minima of every indicator, each with its time."""
        for _, measure in self.measures(loads):
            for moment, value in minima(self.t, self.moments, self.moments_at, measure):
                check()
                if value < NEAR:
                    here = diagnose(self.kernel, user_states_at(self.run, np.array([moment]))[0], moment, self.p, loads)
                    yield from (replace(one, t=moment) for one in (*here.findings, *here.near))


def _distinct(found: list[Finding]) -> list[Finding]:
    """One finding for each kind, place and moment."""
    kept: list[Finding] = []
    for one in found:
        same = any(
            one.kind == other.kind and one.where == other.where and abs((one.t or 0.0) - (other.t or 0.0)) < SAME_MOMENT
            for other in kept
        )
        if not same:
            kept.append(one)
    return kept
