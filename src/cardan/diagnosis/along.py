"""Diagnosis along a motion: indicators as time series, and the moments at which they vanish or nearly do.

An indicator is a singular value: it touches zero like |t - t0| and changes no sign. Its minima are bracketed on the
sampled series and narrowed by sampling the motion ever more finely around them, down to round-off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel, Magnitudes
from cardan.diagnosis.diagnose import diagnose
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.judges.constraints import ConstraintJudge
from cardan.diagnosis.judges.coordinates import CoordinateJudge
from cardan.diagnosis.judges.loads import LoadJudge
from cardan.linalg.screening import screen, screening_workspace
from cardan.singular.indicators import NEAR
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]
Motion = Callable[[Vector], Vector]  # times -> states, one row each
Series = Callable[[Vector], Vector]  # states -> indicator, one number each

FINE = 24  # points of one refinement
ROUNDS = 12  # each narrows the bracket by FINE / 2
SMALL = 1e-4  # screened values below this are computed again from the basis itself
MOST_SAMPLES = 100_000  # of a run that is judged at evenly spaced times
DIP = 0.5  # a minimum is looked at more closely where it is below this part of the largest value


@dataclass(frozen=True)
class Indicators:
    """Dimensionless indicators along a motion; below 1e-8 singular, below 1e-3 near."""

    t: Vector
    series: Mapping[str, Vector]  # "basis", "load NAME", "constraints"

    def __getitem__(self, name: str) -> Vector:
        return self.series[name]


@dataclass(frozen=True, eq=False, repr=False)
class JudgedTrajectory(Trajectory):
    """A trajectory that can be asked what was singular along it."""

    def indicators(self, loads: Magnitudes | None = None, per_second: float | None = None) -> Indicators:
        """Dimensionless indicators of singularity: the basis, each load, the constraints.

        At the times of the run, or at ``per_second`` evenly spaced ones.
        """
        return self._judges(per_second).indicators(loads)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What was singular, or nearly so, at some moment of the run; each finding carries its time ``t``."""
        found = []
        for one in self._judges(100.0).findings(self._user_motion, None):
            moment = float(self.t[0] if one.t is None else one.t)
            found.append(self.searching(one, self._user_motion(np.array([moment]))[0], moment, None))
        return tuple(found)

    def searching(self, one: Finding, state: Vector, t: float, loads: Magnitudes | None) -> Finding:
        """The finding at a state; who knows how to look for remedies gives it that search."""
        return one

    def _user_motion(self, at: Vector) -> Vector:
        return self.at(at).user_states[0]

    def _judges(self, per_second: float | None) -> Along:
        kernel = self.kernel if self.viewed is None else self.user
        p = self.parameters[: len(kernel.parameters)]
        if per_second is None:
            return Along(kernel, p, self.t, self.user_states[0])
        count = max(2, int(per_second * (self.t[-1] - self.t[0])) + 1)
        times = np.linspace(self.t[0], self.t[-1], min(count, MOST_SAMPLES))
        return Along(kernel, p, times, self._user_motion(times))


class Along:
    """The judges of a motion, with reference sizes taken around its first state."""

    def __init__(self, kernel: Kernel, p: Vector, t: Vector, states: Vector) -> None:
        self.kernel, self.p, self.t, self.states = kernel, p, t, states
        self.cloud = Cloud(kernel, states[0], float(t[0]), p)

    def measures(self, loads: Magnitudes | None) -> Iterator[tuple[str, Series]]:
        """(name, function of states) of every indicator."""
        yield "basis", CoordinateJudge(self.cloud).kappas
        if self.cloud.rows:
            judge = LoadJudge(self.cloud)
            for name, weights in judge.named(loads):
                yield f"load {name}", _bound(judge.etas, weights)
        if self.kernel.m:
            yield "constraints", ConstraintJudge(self.cloud, self.states[0]).kappas

    def indicators(self, loads: Magnitudes | None) -> Indicators:
        """All series; quickly where a model allows it, and from the basis itself wherever a value is small."""
        quick = self._screened() if loads is None else {}
        found = {}
        for name, measure in self.measures(loads):
            if name not in quick:
                found[name] = measure(self.states)
                continue
            small = quick[name] < SMALL
            found[name] = quick[name].copy()
            if np.any(small):
                found[name][small] = measure(self.states[small])
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
                if inertias.masses[k] <= 0 or moments[0] <= 1e-12 * moments[-1]:
                    return False
        return True

    def findings(self, motion: Motion, loads: Magnitudes | None) -> list[Finding]:
        """What is singular, or nearly so, at some moment; each with its time, in order."""
        found: list[Finding] = []
        for _, measure in self.measures(loads):
            for moment, value in _minima(self.t, self.states, motion, measure):
                if value < NEAR:
                    state = motion(np.array([moment]))[0]
                    here = diagnose(self.kernel, state, moment, self.p, loads)
                    found += [replace(one, t=moment) for one in (*here.findings, *here.near)]
        return sorted(_distinct(found), key=lambda one: one.t or 0.0)


def _bound(etas: Callable[[Vector, Vector], Vector], weights: Vector) -> Series:
    return lambda states: etas(states, weights)


def _minima(t: Vector, states: Vector, motion: Motion, measure: Series) -> Iterator[tuple[float, float]]:
    """(time, value) of the minima of an indicator along the motion."""
    series = measure(states)
    if len(series) < 2:
        yield float(t[0]), float(series[0])
        return
    largest = float(np.max(series, initial=0.0))
    before, after = np.r_[np.inf, series[:-1]], np.r_[series[1:], np.inf]
    for found in np.flatnonzero((series <= before) & (series <= after) & (series < DIP * largest)):
        k = int(found)
        yield _refined(float(t[max(k - 1, 0)]), float(t[min(k + 1, len(t) - 1)]), motion, measure)


def _refined(low: float, high: float, motion: Motion, measure: Series) -> tuple[float, float]:
    """The lowest point of an indicator between two times."""
    best = (low, np.inf)
    for _ in range(ROUNDS):
        times = np.linspace(low, high, FINE + 1)
        values = measure(motion(times))
        k = int(np.argmin(values))
        best = min(best, (float(times[k]), float(values[k])), key=lambda pair: pair[1])
        low, high = float(times[max(k - 1, 0)]), float(times[min(k + 1, FINE)])
        if high - low <= 4 * np.finfo(float).eps * max(abs(high), 1e-300):
            break
    return best


def _distinct(found: list[Finding]) -> list[Finding]:
    """One finding for each kind, place and moment."""
    kept: list[Finding] = []
    for one in found:
        same = any(
            one.kind == other.kind and one.where == other.where and abs((one.t or 0.0) - (other.t or 0.0)) < 1e-6
            for other in kept
        )
        if not same:
            kept.append(one)
    return kept
