"""Coordinate singularities: the basis a_J = dr/dq^J loses rank (Hemingway & O'Reilly, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.findings import Finding
from cardan.diagnosis.indicators import NEAR, SINGULAR, BasisIndicator, basis_indicator
from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.judges.nearest import nearest_singular
from cardan.diagnosis.words import combination, listed, number, simplest, vector_text
from cardan.model.variables import CoordinateVariable
from cardan.trajectory.extent import known_extent

Vector = NDArray[np.float64]

TYPED_TOLERANCE = 1e-7  # energies typed by hand give M only, whose root knows half the digits
MOVES = 1e-6  # a body that moves by less than this part of what is typical does not move


@dataclass(frozen=True)
class CoordinateVerdict:
    """What was found about the coordinates of one configuration."""

    indicator: BasisIndicator
    findings: list[Finding]
    near: list[Finding]


class CoordinateJudge:
    """Judges the basis of one configuration, with the constraints as further rows that may restrain it."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.tolerance = TYPED_TOLERANCE if cloud.kernel.model.is_typed else SINGULAR

    def indicator(self, y: Vector) -> BasisIndicator:
        """kappa_a and the null directions at a configuration."""
        return basis_indicator(self._rows(y[None])[0], self.cloud.metric, self.tolerance)

    def kappas(self, states: Vector) -> Vector:
        """kappa_a of many states."""
        rows = self._rows(states) / self.cloud.metric
        if rows.shape[1] < rows.shape[2]:
            return np.zeros(len(states))
        s = np.linalg.svd(rows, compute_uv=False)
        return np.asarray(s[:, -1] / np.where(s[:, 0] > 0, s[:, 0], 1.0))

    def _rows(self, states: Vector) -> Vector:
        B = self.cloud.bases(states)
        if not self.cloud.m:
            return B
        return np.concatenate([B, self.cloud.scaled_rows(states) * self.cloud.metric], axis=1)

    def verdict(self, y: Vector) -> CoordinateVerdict:
        """Everything about the coordinates here."""
        found = self.indicator(y)
        if found.kappa >= NEAR or not self.cloud.n:
            return CoordinateVerdict(found, [], [])
        if found.kappa > self.tolerance:
            return CoordinateVerdict(found, [], [self._near(y, found)])
        return CoordinateVerdict(found, [self._singular(y, found)], [])

    # --- findings ----------------------------------------------------------------------------------

    def _singular(self, y: Vector, found: BasisIndicator) -> Finding:
        cloud = self.cloud
        null = simplest(found.null, cloud.metric)
        moving, combos = self._named(null)
        bodies = self._bodies(y)
        everywhere = float(np.max(self.kappas(cloud.states), initial=0.0)) <= self.tolerance
        lost = f"{moving[0]} has no meaning" if len(moving) == 1 else f"{listed(moving)} depend on each other"
        what = f"{lost} here: the motion {listed(combos)} moves no mass"
        rank = f"the basis vectors a_J = dr/dq^J have rank {found.rank} of {cloud.n}"
        if everywhere:
            why = (
                f"{rank} in every configuration: nothing that has inertia moves with this freedom. Give what it moves "
                "mass or inertia, or hold it by a constraint"
            )
        else:
            why = (
                f"{rank} here and {cloud.n} nearby. {self._missed(y, bodies)} "
                "It belongs to the coordinates, not to the mechanism: other coordinates (another chart, quaternions), "
                "a constraint on one of them, or inertia of what they turn removes it. Loads act here as they do nearby"
            )
        return self._finding(found, moving, null, what, why, {"bodies": bodies, "is_everywhere": everywhere})

    def _near(self, y: Vector, found: BasisIndicator) -> Finding:
        cloud = self.cloud
        _, _, vt = np.linalg.svd(self._rows(y[None])[0] / cloud.metric, full_matrices=True)
        null: Vector = (vt[-1] / cloud.metric)[:, None]
        moving, combos = self._named(null)
        approach = nearest_singular(cloud, self.kappas, y)
        what = (
            f"{listed(moving)} {'hardly has a meaning' if len(moving) == 1 else 'nearly depend on each other'} here: "
            f"the motion {listed(combos)} moves little mass"
        )
        why = f"the smallest singular value of the basis a_J is {found.kappa:.2g} of the largest; {approach.text}" + (
            "" if approach.is_reached else ": inertias differ so much that the chart is nearly singular"
        )
        evidence = approach.evidence(y[cloud.nq :])
        return self._finding(found, moving, null, what, why, evidence, is_near=True)

    def _finding(
        self,
        found: BasisIndicator,
        moving: list[str],
        null: Vector,
        what: str,
        why: str,
        evidence: dict[str, object],
        is_near: bool = False,
    ) -> Finding:
        return Finding(
            "coordinate-singularity",
            tuple(moving),
            found.kappa,
            self.tolerance,
            what,
            why + self._scale_note,
            directions={"null": null, "names": self.cloud.names},
            evidence={"singular_values": found.singular_values, "rank": found.rank, **evidence},
            is_near=is_near,
        )

    # --- words -------------------------------------------------------------------------------------

    def _named(self, null: Vector) -> tuple[list[str], list[str]]:
        """Coordinates that take part, and each direction as a combination of them."""
        sizes = np.abs(null * self.cloud.metric[:, None])
        part = np.max(sizes, axis=1) > 1e-6 * np.max(sizes)
        moving = [name for name, used in zip(self.cloud.names, part, strict=True) if used]
        return moving, [combination(null[:, k], self.cloud.names) for k in range(null.shape[1])]

    def _bodies(self, y: Vector) -> list[str]:
        """Bodies and particles with mass that lose a velocity here: their own basis has a smaller rank than around."""
        cloud = self.cloud
        if not cloud.rows:
            return [cloud.kernel.model.name]
        B = (
            cloud.inertias.root
            @ cloud.jacobians(np.concatenate([cloud.timed(y)[None], cloud.states[:8]]))
            / cloud.metric
        )
        found = []
        for rows in cloud.rows:
            s = np.linalg.svd(B[:, rows.start : rows.stop], compute_uv=False)
            ranks = np.sum(s > MOVES * max(float(np.max(s, initial=0.0)), 1e-300), axis=1)
            if ranks[0] < np.max(ranks):
                found.append(rows.name)
        return found or [rows.name for rows in cloud.rows]

    def _missed(self, y: Vector, bodies: list[str]) -> str:
        """Which velocities the coordinates cannot express here although they exist nearby."""
        cloud = self.cloud
        if not cloud.rows:
            return "Velocities exist that these coordinates cannot express."
        states = np.concatenate([cloud.timed(y)[None], cloud.around(1e-4, 1)])
        u, s, _ = np.linalg.svd(cloud.inertias.root @ cloud.jacobians(states) / cloud.metric, full_matrices=False)
        rank = int(np.sum(s[0] > MOVES * s[0, 0])) if s[0, 0] > 0 else 0
        beyond = u[1][:, rank : rank + 1] if rank < u.shape[2] else u[1][:, :0]
        parts = []
        for rows in cloud.rows:
            part = beyond[rows.start : rows.stop].ravel()
            for kind, own in (("velocity", part[:3]), ("angular velocity", part[3:])):
                if len(own) and np.linalg.norm(own) > 1e-3:
                    clean = np.round(own / np.linalg.norm(own), 3)
                    parts.append(f"{kind} of {rows.name} along {vector_text(clean)} (axes of its link)")
        if not parts:
            return f"Velocities of {listed(bodies)} exist that these coordinates cannot express."
        return f"They cannot express the {listed(parts[:3])}, which {'exists' if len(parts) == 1 else 'exist'} nearby."

    @property
    def _scale_note(self) -> str:
        """Where no length can be known, the finding says so."""
        cloud = self.cloud
        lengths = [
            one.name
            for one, size in zip(cloud.kernel.model.free, cloud.box, strict=False)
            if isinstance(one, CoordinateVariable) and not one.scale and size != np.pi and one.domain.kind != "interval"
        ]
        if not lengths or known_extent(cloud.kernel, cloud.y, cloud.t) > 0:
            return ""
        return (
            f". The typical size of {listed(lengths)} is not known here, so {number(float(np.max(cloud.box)))} was "
            "used; scale= of a coordinate sets it"
        )
