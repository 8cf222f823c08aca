"""Constraint degeneracy: the constraint matrix loses rank here; and redundancy: it lacks rank everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.cloud import Cloud
from cardan.diagnosis.findings import DiagnosedReaction, Finding, Redundancy
from cardan.diagnosis.words import combination, listed
from cardan.singular.indicators import NEAR, SINGULAR, ConstraintIndicator, constraint_indicator
from cardan.singular.reference import Reference, reference

Vector = NDArray[np.float64]

GONE = 1e-7  # entries of a unit null vector below this count as zero


@dataclass(frozen=True)
class ConstraintVerdict:
    """What was found about the constraints of one configuration."""

    indicator: ConstraintIndicator | None
    findings: list[Finding]
    near: list[Finding]
    redundant: Redundancy
    reactions: dict[str, DiagnosedReaction]
    state: str


NOTHING = ConstraintVerdict(None, [], [], Redundancy((), (), 0, 0), {}, "none")


class ConstraintJudge:
    """Judges the constraint rows of one configuration."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.names = cloud.kernel.dynamics.constraints.names

    def verdict(self, y: Vector) -> ConstraintVerdict:
        """Everything about the rows here."""
        cloud = self.cloud
        terms = cloud.system.terms(cloud.t, y)
        known = reference(cloud.system, cloud.t, y, cloud.box)
        here = constraint_indicator(terms.A, terms.half, known.scale, known.rank)
        typical = self._typical_kappa(known)
        kappa = here.kappa / typical if typical > 0 else here.kappa
        permanent = self._permanent(known)
        redundant = self._redundancy(here, permanent)
        state = self._state(y, here)
        findings = [self._finding(here, kappa, redundant, state, False)] if here.rank < here.generic_rank else []
        is_near = not findings and kappa < NEAR and here.generic_rank > 0
        near = [self._finding(here, kappa, redundant, state, True)] if is_near else []
        return ConstraintVerdict(here, findings, near, redundant, self._reactions(y, here), state)

    def _typical_kappa(self, known: Reference) -> float:
        """Median over the cloud of the smallest generic singular value over the largest."""
        found = []
        for state in self.cloud.states:
            terms = self.cloud.system.terms(self.cloud.t, state)
            found.append(constraint_indicator(terms.A, terms.half, known.scale, known.rank).kappa)
        return float(np.median(found)) if found else 0.0

    def _permanent(self, known: Reference) -> Vector:
        """Left null vectors at a generic configuration: redundancies that never go away."""
        best = None
        for state in self.cloud.states:
            terms = self.cloud.system.terms(self.cloud.t, state)
            found = constraint_indicator(terms.A, terms.half, known.scale, known.rank)
            if best is None or found.kappa > best.kappa:
                best = found
        assert best is not None
        return best.left_null

    def _redundancy(self, here: ConstraintIndicator, permanent: Vector) -> Redundancy:
        lasting = self._touched(permanent)
        local = [name for name in self._touched(here.left_null) if name not in lasting]
        gained = here.generic_rank - here.rank
        if gained > 0 and not local:  # the new dependency runs through rows that were dependent already
            local = self._touched(here.left_null)
        return Redundancy(tuple(lasting), tuple(local if gained > 0 else ()), permanent.shape[1], max(gained, 0))

    def _touched(self, null: Vector) -> list[str]:
        """Rows that take part in some dependency."""
        if null.size == 0:
            return []
        sizes = np.linalg.norm(null, axis=1) / (np.max(np.linalg.norm(null, axis=1)) or 1.0)
        return [name for name, size in zip(self.names, sizes, strict=True) if size > GONE]

    def _state(self, y: Vector, here: ConstraintIndicator) -> str:
        """Resident, crossing or impulsive, from A v = 0 and N^T Adot v = 0."""
        if here.rank >= here.generic_rank:
            return "regular"
        v = y[self.cloud.kernel.nq :]
        if not np.any(v):
            return "at rest"
        terms = self.cloud.system.terms(self.cloud.t, y)
        drift = -terms.b  # Adot v
        push = here.left_null.T @ drift
        return "crossing" if np.linalg.norm(push) <= 1e-9 * max(1.0, float(np.linalg.norm(drift))) else "impulsive"

    def _reactions(self, y: Vector, here: ConstraintIndicator) -> dict[str, DiagnosedReaction]:
        """Multipliers here; one is unique exactly where its row of the left null space vanishes (Wojtyra 2005)."""
        _, lam = self.cloud.system.terms(self.cloud.t, y).accelerations()
        null = here.left_null
        size = float(np.max(np.abs(null), initial=0.0)) or 1.0
        free = np.max(np.abs(null), axis=1, initial=0.0) / size
        return {
            name: DiagnosedReaction(name, float(value), bool(loose <= GONE))
            for name, value, loose in zip(self.names, lam, free, strict=True)
        }

    def _finding(
        self, here: ConstraintIndicator, kappa: float, redundant: Redundancy, state: str, is_near: bool
    ) -> Finding:
        gained = here.generic_rank - here.rank
        names = [str(symbol).removesuffix("_dot") for symbol in self.cloud.kernel.model.v]
        motions = [combination(here.kernel[:, k], names) for k in range(min(here.kernel.shape[1], 4))]
        rows = redundant.local or tuple(self._weakest(here))
        what = (
            f"the constraints {listed(list(rows))} {'nearly ' if is_near else ''}depend on each other here: "
            f"rank {here.rank} of {here.generic_rank} that is usual"
        )
        why = (
            f"{self._reason(rows)}; {max(gained, 0)} first-order freedom(s) gained, motions allowed to first order: "
            f"{listed(motions)}; multipliers of these constraints are not unique, the motion state is {state}"
        )
        return Finding(
            "constraint-degeneracy",
            tuple(rows),
            kappa,
            SINGULAR,
            what,
            why,
            directions={"allowed": here.kernel, "names": names, "dependency": here.left_null},
            evidence={"rank": here.rank, "generic_rank": here.generic_rank, "state": state, "gained": max(gained, 0)},
            is_near=is_near,
        )

    def _weakest(self, here: ConstraintIndicator) -> list[str]:
        return self._touched(here.left_null) or list(self.names)

    def _reason(self, rows: tuple[str, ...]) -> str:
        """The geometric reason in words, where the rows are primary constraints on bodies."""
        from cardan.diagnosis.screws import geometric_reason

        text: Any = geometric_reason(self.cloud, rows)
        return str(text)
