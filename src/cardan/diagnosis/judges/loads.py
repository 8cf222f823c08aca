"""Gimbal lock: a load that is orthogonal to the configuration manifold here, and not everywhere (ibid. (18))."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Magnitudes
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.indicators import NEAR, SINGULAR, reaches
from cardan.diagnosis.judges.carriers import carriers
from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.judges.freed import freed_accelerations, loses_rank, moving_parts, where_freed
from cardan.diagnosis.judges.nearest import nearest_singular
from cardan.diagnosis.words import along_text, listed, number
from cardan.model.description import finite
from cardan.model.model import Model
from cardan.model.signals import signal_values

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]

NEARBY = 1e-4  # of the box: where a chart is singular, the tangent space is that of its neighbours
WORKS = 1e-3  # a load that reaches this much of the manifold nearby acts there
AWAY = 1e-2  # of the box: how far a coordinate is moved to see whether that lifts a lock


@dataclass
class LoadVerdict:
    """What was found about the loads of one configuration."""

    findings: list[Finding] = field(default_factory=list)
    near: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    indicators: dict[str, float] = field(default_factory=dict)


def given_magnitudes(model: Model, magnitudes: Magnitudes) -> dict[sp.Symbol, float]:
    """Magnitudes by signal; a name that is no load or input, and what is no finite number, is refused.

    One number for a load with three components is the magnitude of each.
    """
    counts = {load.name: len(load.symbols) for load in model.judged}
    whole = {
        name: [value] * counts[str(name)] if counts.get(str(name), 1) > 1 and np.ndim(value) == 0 else value
        for name, value in magnitudes.items()
    }
    given = signal_values(model, whole)
    return {symbol: finite(value, f"Magnitude of {symbol}") for symbol, value in given.items()}


class LoadJudge:
    """Judges named loads at one configuration."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud

    def named(self, magnitudes: Magnitudes | None) -> list[tuple[str, Vector]]:
        """(name, weights of its magnitudes): the loads given, or every load of the model with unit magnitudes."""
        model = self.cloud.kernel.model
        place = {symbol: k for k, symbol in enumerate(one for load in model.judged for one in load.symbols)}
        if magnitudes is None:  # a load with three components: each axis by itself
            return [
                (load.name if len(load.symbols) == 1 else f"{load.name}_{axis}", np.eye(len(place))[place[symbol]])
                for load in model.judged
                for symbol, axis in zip(load.symbols, "xyz", strict=False)
            ]
        given = given_magnitudes(model, magnitudes)
        found = []
        for load in model.judged:
            weights = np.zeros(len(place))
            for symbol in load.symbols:
                weights[place[symbol]] = given.get(symbol, 0.0)
            if np.any(weights):
                found.append((load.name, weights))
        return found

    def etas(self, states: Vector, weights: Vector) -> Vector:
        """The part of the load that acts along the configuration manifold, in [0, 1], for many states."""
        cloud = self.cloud
        loads = cloud.loads(states) @ weights
        return reaches(self.allowed_jacobians(states), cloud.inertias.root_for(loads), loads)

    def allowed_jacobians(self, states: Vector) -> Vector:
        """Velocities of all masses per dimensionless velocity, those that the constraints forbid left out."""
        cloud = self.cloud
        J = cloud.jacobians(states) / cloud.metric
        if not cloud.m:
            return J
        _, s, vt = np.linalg.svd(cloud.scaled_rows(states), full_matrices=False)
        held = (s > SINGULAR * np.max(s, axis=1, keepdims=True, initial=1e-300))[:, :, None] * vt
        return cloud.left_of(J - J @ np.swapaxes(held, 1, 2) @ held, J)

    def verdict(self, y: Vector, magnitudes: Magnitudes | None, chart_is_singular: bool) -> LoadVerdict:
        """Everything about the loads here; with a singular chart, judged by the tangent space of close neighbours."""
        found = LoadVerdict()
        if not self.cloud.rows:
            return found
        for name, weights in self.named(magnitudes):
            eta = float(self.etas(y[None], weights)[0])
            if chart_is_singular and eta < NEAR:
                eta = max(eta, float(np.max(self.etas(self.cloud.around(NEARBY, 8), weights), initial=0.0)))
                eta = eta if eta > WORKS else float(self.etas(y[None], weights)[0])
            found.indicators[name] = eta
            if eta >= NEAR:
                found.notes += self._freed(name, y, weights, eta)
                continue
            everywhere = float(np.max(self.etas(self.cloud.nearby, weights)))
            if everywhere < SINGULAR:
                found.notes.append(self._carried(name, y, weights, eta))
            elif eta < SINGULAR:
                found.findings.append(self._locked(name, y, weights, eta, everywhere))
            else:
                found.near.append(self._near(name, y, weights, eta, everywhere))
        return found

    # --- findings ----------------------------------------------------------------------------------

    def _locked(self, name: str, y: Vector, weights: Vector, eta: float, elsewhere: float) -> Finding:
        body, cloud = self._body(name), self.cloud
        joints, rows = carriers(cloud, y, weights)
        by = [f"the {one}" for one in joints] + [f"constraint {k} ({number(x)})" for k, x in rows.items()]
        lifted, driven = self._lifting(y, weights)
        what = (
            f"gimbal lock: the load {name!r} on {body} has no effect here, it is orthogonal to the configuration "
            f"manifold; it is carried by {listed(by)}"
        )
        why = (
            f"its generalized forces all vanish although the coordinates are regular (cosine {eta:.2g} with the "
            f"manifold here, up to {elsewhere:.2g} nearby{driven}). It acts again "
            + (f"when {' or '.join(lifted)} changes, " if lifted else "")
            + f"when it is turned towards a direction in which {body} can move, or when one more gimbal or joint gives "
            f"{body} the direction that is missing"
        )
        evidence = {
            "elsewhere": elsewhere,
            "carried_by": {one.joint: one for one in joints} | rows,
            "lifted_by": lifted,
        }
        return self._finding("gimbal-lock", name, y, weights, eta, what, why, evidence)

    def _near(self, name: str, y: Vector, weights: Vector, eta: float, elsewhere: float) -> Finding:
        approach = nearest_singular(self.cloud, lambda states: self.etas(states, weights), y)
        what = f"close to gimbal lock: the load {name!r} on {self._body(name)} hardly acts here"
        why = (
            f"it is nearly orthogonal to the configuration manifold (cosine {eta:.2g}, up to {elsewhere:.2g} "
            f"nearby); {approach.text}"
        )
        evidence = {"elsewhere": elsewhere, **approach.evidence(y[self.cloud.nq :])}
        return self._finding("gimbal-lock", name, y, weights, eta, what, why, evidence, is_near=True)

    def _carried(self, name: str, y: Vector, weights: Vector, eta: float) -> Finding:
        joints, rows = carriers(self.cloud, y, weights)
        by = [f"the {one}" for one in joints] + [f"constraint {k} ({number(x)})" for k, x in rows.items()]
        freed = where_freed(self.cloud, lambda states: self.etas(states, weights), y)
        where = "" if freed is None else f" but those where they lose rank, as where {freed.text}, and where it acts"
        what = (
            f"the load {name!r} on {self._body(name)} is carried by the constraints in every configuration{where}: "
            f"{listed(by)}"
        )
        why = "it is orthogonal to the configuration manifold everywhere, so it never moves anything; this is no lock"
        if freed is not None:
            why = (
                "it is orthogonal to the velocities that the constraints allow as long as these have rank "
                f"{freed.rank}, so it moves nothing there; this is no lock"
            )
        evidence = {
            "carried_by": {one.joint: one for one in joints} | rows,
            "acts_at": None if freed is None else freed.state[: self.cloud.nq],
        }
        return self._finding("carried-by-constraints", name, y, weights, eta, what, why, evidence)

    def _freed(self, name: str, y: Vector, weights: Vector, eta: float) -> list[Finding]:
        """A note where a load acts here only because constraints lose rank here, which carry it around here."""
        cloud = self.cloud
        if not cloud.m or not loses_rank(cloud, y) or float(np.max(self.etas(cloud.nearby, weights))) >= SINGULAR:
            return []
        rates = freed_accelerations(cloud, y, weights)
        what = (
            f"the load {name!r} on {self._body(name)} acts here, where the constraints lose rank, and nowhere around: "
            f"it accelerates {listed(moving_parts(cloud, rates))}"
        )
        why = "around here the constraints carry it wholly; here they leave a motion free along which it works"
        evidence = {"accelerations": dict(zip(cloud.names, rates.tolist(), strict=True))}
        return [self._finding("freed-load", name, y, weights, eta, what, why, evidence)]

    def _finding(
        self,
        kind: str,
        name: str,
        y: Vector,
        weights: Vector,
        eta: float,
        what: str,
        why: str,
        evidence: Mapping[str, object],
        is_near: bool = False,
    ) -> Finding:
        directions = {"load": self._direction(y, weights)}
        return Finding(kind, (name, self._body(name)), eta, SINGULAR, what, why, directions, evidence, is_near)

    # --- words -------------------------------------------------------------------------------------

    def _body(self, name: str) -> str:
        loads = self.cloud.kernel.model.judged
        exact = [one for one in loads if name == one.name]
        return (exact or [one for one in loads if name.startswith(one.name + "_")])[0].on.name

    def _lifting(self, y: Vector, weights: Vector) -> tuple[list[str], str]:
        """Coordinates whose change makes the load act, and what it drives elsewhere."""
        cloud = self.cloud
        steps = AWAY * np.diag(cloud.box)
        moved = cloud.moved(np.repeat(y[None], cloud.n, axis=0), steps)
        lifted = []
        for name, state in zip(cloud.names, moved, strict=True):
            states = cloud.feasible(state[None])
            if len(states) and self.etas(states, weights)[0] > NEAR / 10:
                lifted.append(name)
        forces = np.einsum("kij,ki->kj", cloud.jacobians(cloud.nearby), cloud.loads(cloud.nearby) @ weights)
        sizes = np.sqrt(np.mean(forces**2, axis=0)) / cloud.metric
        driven = [name for name, size in zip(cloud.names, sizes, strict=True) if size > 1e-6 * np.max(sizes)]
        return lifted, f", where it drives {listed(driven)}" if driven else ""

    def _direction(self, y: Vector, weights: Vector) -> dict[str, str]:
        """The load on each mass, along the axes of its link."""
        rows = self.cloud.loads(y[None])[0] @ weights
        found = {}
        for mass in self.cloud.rows:
            part = rows[mass.start : mass.stop]
            texts = [
                f"{what} along {along_text(v, mass.name)}"
                for what, v in (("force", part[:3]), ("moment", part[3:]))
                if np.any(v)
            ]
            if texts:
                found[mass.name] = ", ".join(texts)
        return found
