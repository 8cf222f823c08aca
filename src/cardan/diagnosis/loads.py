"""Gimbal lock: a load that is orthogonal to the configuration manifold here, and not everywhere (ibid. (18))."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.cloud import Cloud
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.words import listed, vector_text
from cardan.singular.indicators import NEAR, SINGULAR, reach

Vector = NDArray[np.float64]

NEARBY = 1e-4  # of the box: where a chart is singular, the tangent space is that of its neighbours
WORKS = 1e-3  # a load that reaches this much of the manifold nearby acts there


class LoadJudge:
    """Judges named loads at one configuration."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud

    def named(self, magnitudes: Mapping[str, Any] | None) -> list[tuple[str, Vector]]:
        """(name, weights of its magnitudes): the loads given, or every load of the model with unit magnitudes."""
        found, at = [], 0
        model = self.cloud.kernel.model
        total = sum(len(load.symbols) for load in model.loads)
        for load in model.loads:
            count = len(load.symbols)
            given = None if magnitudes is None else magnitudes.get(load.name)
            if magnitudes is None or given is not None:
                weights = np.zeros(total)
                weights[at : at + count] = 1.0 if given is None else np.atleast_1d(np.asarray(given, dtype=float))
                if np.any(weights):
                    if count > 1 and given is None:  # three components: each axis by itself
                        for k, axis in enumerate("xyz"):
                            found.append((f"{load.name}_{axis}", np.eye(total)[at + k]))
                    else:
                        found.append((load.name, weights))
            at += count
        return found

    def eta(self, y: Vector, weights: Vector) -> float:
        """The part of the load that acts along the configuration manifold, in [0, 1]."""
        cloud = self.cloud
        load = cloud.loads(y) @ weights
        return reach(cloud.jacobian(y), cloud.root_for(load), load, self._allowed(y))

    def _allowed(self, y: Vector) -> Vector | None:
        """Velocities that the constraints allow."""
        if not self.cloud.kernel.m:
            return None
        terms = self.cloud.system.terms(self.cloud.t, y)
        rows = terms.A @ terms.half
        _, s, vt = np.linalg.svd(rows, full_matrices=True)
        rank = int(np.sum(s > 1e-10 * s[0])) if len(s) and s[0] > 0 else 0
        found: Vector = terms.half @ vt[rank:].T
        return found

    def eta_around(self, y: Vector, weights: Vector) -> float:
        """The largest reach at close neighbours: what holds on the manifold where the chart is singular."""
        rng = np.random.default_rng(7)
        box = NEARBY * self.cloud.box
        return max(self.eta(self.cloud.moved(box * rng.uniform(-1, 1, self.cloud.n)), weights) for _ in range(8))

    def findings(
        self, y: Vector, magnitudes: Mapping[str, Any] | None, chart_is_singular: bool
    ) -> tuple[list[Finding], list[Finding], list[Finding], dict[str, float]]:
        """(findings, near cases, notes, indicators by load)."""
        locked: list[Finding] = []
        near: list[Finding] = []
        notes: list[Finding] = []
        indicators: dict[str, float] = {}
        if not self.cloud.rows:
            return locked, near, notes, indicators
        for name, weights in self.named(magnitudes):
            eta = self.eta(y, weights)
            if chart_is_singular and eta < NEAR and self.eta_around(y, weights) > WORKS:
                eta = self.eta_around(y, weights)
            indicators[name] = eta
            if eta >= NEAR:
                continue
            everywhere = max(self.eta(state, weights) for state in self.cloud.states)
            if everywhere < SINGULAR:
                notes.append(self._carried(name, eta))
            elif eta < SINGULAR:
                locked.append(self._locked(name, y, weights, eta, everywhere, False))
            else:
                near.append(self._locked(name, y, weights, eta, everywhere, True))
        return locked, near, notes, indicators

    def _body(self, name: str) -> str:
        load = next(one for one in self.cloud.kernel.model.loads if name == one.name or name.startswith(one.name + "_"))
        return load.on.name

    def _locked(self, name: str, y: Vector, weights: Vector, eta: float, elsewhere: float, is_near: bool) -> Finding:
        body = self._body(name)
        carriers = self._carriers(name, y, weights)
        what = (
            f"the load {name!r} on {body} {'hardly acts' if is_near else 'has no effect'} here: it is "
            f"{'nearly ' if is_near else ''}orthogonal to the configuration manifold and is carried by the constraints"
        )
        why = (
            f"its generalized forces vanish (cosine {eta:.2g} with the manifold, up to {elsewhere:.2g} elsewhere) "
            f"although the coordinates are regular; carried instead by {listed(list(carriers)) or 'the joints'}"
        )
        return Finding(
            "gimbal-lock",
            (name, body),
            eta,
            SINGULAR,
            what,
            why,
            directions={"load": self._direction(y, weights)},
            evidence={"elsewhere": elsewhere, "carried_by": carriers},
            is_near=is_near,
        )

    def _carried(self, name: str, eta: float) -> Finding:
        body = self._body(name)
        return Finding(
            "carried-by-constraints",
            (name, body),
            eta,
            SINGULAR,
            f"the load {name!r} on {body} is carried by the constraints in every configuration",
            "it is orthogonal to the configuration manifold everywhere, so it never acts; this is no gimbal lock",
        )

    def _direction(self, y: Vector, weights: Vector) -> dict[str, str]:
        """The load on each mass, along the axes of its link."""
        rows = self.cloud.loads(y) @ weights
        found = {}
        for mass in self.cloud.rows:
            part = rows[mass.start : mass.stop]
            if np.any(part):
                found[mass.name] = vector_text(part / np.linalg.norm(part))
        return found

    def _carriers(self, name: str, y: Vector, weights: Vector) -> dict[str, Vector]:
        """Change of the reactions of bodies per unit of the load: who carries it, and how much."""
        rows = self.cloud.loads(y) @ weights
        cloud = self.cloud
        root = cloud.root_for(rows)
        allowed = self._allowed(y)
        B = root @ (cloud.jacobian(y) if allowed is None else cloud.jacobian(y) @ allowed)
        f = np.linalg.lstsq(root.T, rows, rcond=None)[0]
        u, s, _ = np.linalg.svd(B, full_matrices=False)
        rank = int(np.sum(s > 1e-12 * s[0])) if len(s) and s[0] > 0 else 0
        carried = root.T @ (u[:, :rank] @ (u[:, :rank].T @ f) - f)
        found = {}
        for mass in cloud.rows:
            part = carried[mass.start : mass.stop]
            if np.linalg.norm(part) > 1e-9 * np.linalg.norm(carried):
                found[mass.name] = part
        return found
