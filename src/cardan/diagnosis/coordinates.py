"""Coordinate singularities: the basis a_J = dr/dq^J loses rank (Hemingway & O'Reilly, section 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.cloud import Cloud
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.words import combination, listed
from cardan.singular.indicators import NEAR, SINGULAR, BasisIndicator, basis_indicator

Vector = NDArray[np.float64]

TYPED_TOLERANCE = 1e-7  # energies typed by hand give M only, whose root knows half the digits


class CoordinateJudge:
    """Judges the basis of one configuration, with the constraints as further rows that may restrain it."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        typed = cloud.kernel.model.is_typed
        self.tolerance = TYPED_TOLERANCE if typed else SINGULAR

    def indicator(self, y: Vector) -> BasisIndicator:
        """kappa_a and the null directions at a configuration."""
        return basis_indicator(self._rows(y), self.scales, self.tolerance)

    @property
    def scales(self) -> Vector:
        scales = self.cloud.scales
        return np.where(scales > 0, scales, 1.0)

    def _rows(self, y: Vector) -> Vector:
        B = self.cloud.basis(y)
        if not self.cloud.kernel.m:
            return B
        A = self.cloud.system.terms(self.cloud.t, y).A / self.scales
        sizes = np.linalg.norm(A, axis=1)
        unit = A[sizes > 0] / sizes[sizes > 0][:, None]
        return np.vstack([B, unit * self.scales])

    def findings(self, y: Vector) -> tuple[BasisIndicator, list[Finding], list[Finding]]:
        """(indicator, findings, near cases)."""
        found = self.indicator(y)
        names = [str(symbol).removesuffix("_dot") for symbol in self.cloud.kernel.model.v]
        if found.kappa >= NEAR:
            return found, [], []
        is_near = found.kappa > self.tolerance
        null = found.null if not is_near else self._least(y, found)
        moving = sorted({names[j] for j in range(len(names)) if np.any(np.abs(null[j] * self.scales[j]) > 1e-6)})
        combos = [combination(null[:, k], names) for k in range(null.shape[1])]
        bodies = self._bodies(y)
        nearly = "nearly " if is_near else ""
        lost = (
            f"{moving[0]} is {nearly}without meaning" if len(moving) == 1 else f"{listed(moving)} are {nearly}dependent"
        )
        what = (
            f"the coordinate{'s' if len(moving) > 1 else ''} {lost}: the motion {listed(combos)} {nearly}moves nothing"
        )
        why = (
            f"the basis vectors a_J = dr/dq^J have rank {found.rank} of {len(names)}; velocities of {listed(bodies)} "
            "that these coordinates cannot express still exist, so this belongs to the coordinates, not the mechanism"
        )
        finding = Finding(
            "coordinate-singularity",
            tuple(moving),
            found.kappa,
            self.tolerance,
            what,
            why,
            directions={"null": null, "names": names},
            evidence={
                "singular_values": found.singular_values,
                "rank": found.rank,
                **self._scale_note,
            },
            is_near=is_near,
        )
        return found, ([] if is_near else [finding]), ([finding] if is_near else [])

    def _least(self, y: Vector, found: BasisIndicator) -> Vector:
        """The direction of the smallest singular value."""
        _, _, vt = np.linalg.svd(self._rows(y) / self.scales, full_matrices=True)
        last: Vector = (vt[-1] / self.scales)[:, None]
        return last / np.linalg.norm(last * self.scales[:, None])

    def _bodies(self, y: Vector) -> list[str]:
        """Massive bodies and particles that lose a velocity here: their own basis has a smaller rank than around."""
        cloud, found = self.cloud, []
        root, J = cloud.root_of_inertia, cloud.jacobian(y) if cloud.rows else np.zeros((0, cloud.n))
        around = cloud.jacobian(cloud.states[0]) if cloud.rows else J
        for rows in cloud.rows:
            part = slice(rows.start, rows.stop)
            if not np.any(root[part, part]):
                continue
            here = np.linalg.matrix_rank(root[part, part] @ J[part] / self.scales, tol=1e-7 * np.max(np.abs(root)))
            there = np.linalg.matrix_rank(
                root[part, part] @ around[part] / self.scales, tol=1e-7 * np.max(np.abs(root))
            )
            if here < there:
                found.append(rows.name)
        return found or [rows.name for rows in cloud.rows] or [cloud.kernel.model.name]

    @property
    def _scale_note(self) -> dict[str, str]:
        model = self.cloud.kernel.model
        if self.cloud.rows or all(getattr(one, "scale", None) or getattr(one, "domain", None) for one in model.free):
            return {}
        return {"scale": "no length scale is known for some coordinates; 1 was used. Give scale= to set it."}
