"""The diagnosis of one configuration: coordinates, loads, constraints and stops, judged one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.diagnosis.cloud import Cloud
from cardan.diagnosis.constraints import NOTHING, ConstraintJudge
from cardan.diagnosis.coordinates import CoordinateJudge
from cardan.diagnosis.findings import Diagnosis
from cardan.diagnosis.loads import LoadJudge
from cardan.graph import evaluate, jacobian
from cardan.model.frames import Frame, Point

Vector = NDArray[np.float64]


def diagnose(kernel: Kernel, y: Vector, t: float, p: Vector, loads: Mapping[str, Any] | None) -> Diagnosis:
    """What is singular at the state y, why, and what it means."""
    cloud = Cloud(kernel, y, t, p)
    coordinates = CoordinateJudge(cloud)
    basis, singular, nearly = coordinates.findings(y)
    constraints = ConstraintJudge(cloud).verdict(y) if kernel.m else NOTHING
    locked, near_lock, notes, reaches = LoadJudge(cloud).findings(y, loads, bool(singular))
    rank = constraints.indicator.rank if constraints.indicator else 0
    generic = constraints.indicator.generic_rank if constraints.indicator else 0
    indicators = {"basis": basis.kappa, **{f"load {name}": eta for name, eta in reaches.items()}}
    if constraints.indicator:
        indicators["constraints"] = constraints.indicator.kappa
    return Diagnosis(
        findings=(*singular, *locked, *constraints.findings),
        near=(*nearly, *near_lock, *constraints.near),
        notes=tuple(notes),
        basis_rank=basis.rank,
        constraint_rank=rank,
        generic_rank=generic,
        configuration_dof=kernel.nv - _holonomic_rank(cloud, y),
        velocity_dof=kernel.nv - rank,
        redundant=constraints.redundant,
        reactions=constraints.reactions,
        indicators=indicators,
        velocities_of=_velocities_of(cloud, y),
    )


def _holonomic_rank(cloud: Cloud, y: Vector) -> int:
    """Rank of the holonomic rows at a generic configuration."""
    if not cloud.kernel.m:
        return 0
    rows = cloud.kernel.dynamics.constraints.holonomic
    found = 0
    for state in cloud.states[:8]:
        terms = cloud.system.terms(cloud.t, state)
        A = (terms.A @ terms.half)[rows]
        s = np.linalg.svd(A, compute_uv=False) if A.size else np.zeros(0)
        found = max(found, int(np.sum(s > 1e-8 * s[0])) if len(s) and s[0] > 0 else 0)
    return found


def _velocities_of(cloud: Cloud, y: Vector) -> Callable[[Any, Any], Vector]:
    """A function (body, point) -> basis of its allowable velocities (v over w), world components."""

    def found(body: Any, point: Any = None) -> Vector:
        d = cloud.kernel.dynamics
        frame: Frame = body if isinstance(body, Frame) else body.frame
        place = point if isinstance(point, Point) else Point(frame, tuple(point) if point is not None else (0, 0, 0))
        motion = d.full.motion
        rows = d.impose([*motion.velocity(frame, motion.position(place)), *motion.omega(frame)])
        values = dict(zip(d.q, y[: cloud.kernel.nq], strict=True)) | dict(zip(d.p, cloud.p, strict=False))
        values |= dict(zip(d.v, np.zeros(cloud.n), strict=True)) | {d.t: cloud.t}
        entries = [x for row in jacobian(rows, d.v) for x in row]
        J = np.array([float(x) for x in evaluate(entries, values)]).reshape(6, cloud.n)
        if cloud.kernel.m:
            terms = cloud.system.terms(cloud.t, y)
            _, s, vt = np.linalg.svd(terms.A @ terms.half, full_matrices=True)
            rank = int(np.sum(s > 1e-8 * s[0])) if len(s) and s[0] > 0 else 0
            J = J @ terms.half @ vt[rank:].T
        u, s, _ = np.linalg.svd(J, full_matrices=False)
        return u[:, : int(np.sum(s > 1e-8 * s[0]))] if len(s) and s[0] > 0 else np.zeros((6, 0))

    return found
