"""Boundaries: stops that are closed here, and the impulses that an approach would bring.

A stop with gap g and rate G v + g0 < 0 needs the impulse  L = -(1 + e)(G v + g0) / (G W W^T G^T)  along its gap, where
W spans the velocities that the constraints allow, M-orthonormal (Hemingway & O'Reilly (26), (74), (91)).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.function import NativeFunction
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.words import combination, number
from cardan.equations.stops import stop_nodes
from cardan.model.stops import AnyStop

Vector = NDArray[np.float64]

CLOSED = 1e-9  # of the change that the gap makes over a typical move
NEAR = 1e-3


class BoundaryJudge:
    """Judges the stops of one configuration."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.stops = cloud.kernel.dynamics.model.stops

    def findings(self, y: Vector) -> tuple[list[Finding], list[Finding]]:
        """(closed stops, stops about to close)."""
        if not self.stops:
            return [], []
        cloud, count = self.cloud, len(self.stops)
        out = self._function()(cloud.t, y, cloud.base)
        gaps, rates, G = out[:count], out[count : 2 * count], out[2 * count :].reshape(count, cloud.n)
        mobility = self._mobility(y)
        closed: list[Finding] = []
        near: list[Finding] = []
        for k, stop in enumerate(self.stops):
            size = float(np.linalg.norm(G[k] * cloud.box)) or 1.0
            indicator = float(gaps[k]) / size
            if indicator >= NEAR:
                continue
            finding = self._finding(stop, float(gaps[k]), indicator, float(rates[k]), G[k], mobility)
            (closed if indicator <= CLOSED else near).append(finding)
        return closed, near

    def _function(self) -> NativeFunction:
        return self.cloud.kernel.keep("stop gaps, rates and gradients", self._compiled)

    def _compiled(self) -> NativeFunction:
        kernel = self.cloud.kernel
        nodes = stop_nodes(kernel.dynamics)
        rows = [k * nodes.stride for k in range(len(nodes.stops))]
        gradients = [x for k in rows for x in nodes.nodes.matrix[k]]
        rates = [nodes.nodes.rates[k] for k in rows]
        return kernel.custom("stop_gradients", [*nodes.gaps, *rates, *gradients])

    def _mobility(self, y: Vector) -> Vector:
        """W W^T: velocity per impulse along the velocities that the constraints allow."""
        cloud = self.cloud
        M = cloud.kernel.function("mass_matrix")(cloud.t, y, cloud.base).reshape(cloud.n, cloud.n)
        Z = cloud.allowed(y)
        return np.asarray(Z @ np.linalg.pinv(Z.T @ M @ Z, hermitian=True, rcond=1e-14) @ Z.T)

    def _finding(
        self, stop: AnyStop, gap: float, indicator: float, rate: float, G: Vector, mobility: Vector
    ) -> Finding:
        cloud = self.cloud
        name = stop.name
        values = dict(cloud.kernel.values)
        e = float(stop.restitution.xreplace(values))
        inverse = float(G @ mobility @ G)
        approaching = rate < 0.0
        impulse = -(1 + e) * rate / inverse if approaching and inverse > 0 else 0.0
        is_near = indicator > CLOSED
        move = combination(G * cloud.box**2, cloud.names)
        if is_near:
            what = f"the stop {name!r} is about to close: its gap is {number(gap)}"
        elif indicator < -CLOSED:
            what = f"the stop {name!r} is violated: its gap is {number(gap)}"
        else:
            what = f"the stop {name!r} is closed: this configuration lies on a boundary of the configuration manifold"
        if approaching:
            why = (
                f"the gap closes at the rate {number(-rate)}; with restitution {number(e)} the impact "
                f"{'would bring' if is_near else 'brings'} the impulse {number(impulse)} along the gap (motion "
                f"{move}), after which it opens at {number(-e * rate)}"
            )
        else:
            why = (
                f"motion {move} opens the gap"
                + (f", which it does at the rate {number(rate)}" if rate > 0 else ", which does not change now")
                + "; no impulse is needed"
            )
        return Finding(
            "boundary",
            (name,),
            indicator,
            CLOSED,
            what,
            why + ". Only a stop makes a boundary: the end of a coordinate's range does not",
            directions={"gradient": G, "names": cloud.names},
            evidence={"gap": gap, "rate": rate, "impulse": impulse, "restitution": e, "is_approaching": approaching},
            is_near=is_near,
        )
