"""Constraint degeneracy: the constraint matrix loses rank here; and redundancy: it lacks rank everywhere."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.findings import Combination, DiagnosedReaction, Finding, Redundancy
from cardan.diagnosis.indicators import NEAR, SINGULAR, ConstraintIndicator, constraint_indicator
from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.judges.nearest import nearest_singular
from cardan.diagnosis.judges.screws import Reason, geometric_reason, told
from cardan.diagnosis.words import combination, listed, plural, simplest
from cardan.native.once import once

Vector = NDArray[np.float64]

GONE = 1e-6  # entries of a unit null vector below this count as zero
CLOSE = 1e-6  # of the box: neighbours that show which dependencies are permanent
STILL = 1e-6  # dimensionless rates below this count as zero


NONE = Redundancy((), (), 0, 0)


@dataclass(frozen=True)
class ConstraintVerdict:
    """What was found about the constraints of one configuration."""

    indicator: ConstraintIndicator | None = None
    kappa: float = 1.0
    findings: list[Finding] = field(default_factory=list)
    near: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    redundant: Redundancy = NONE
    reactions: dict[str, DiagnosedReaction] = field(default_factory=dict)
    combinations: tuple[Combination, ...] = ()


NOTHING = ConstraintVerdict()


class ConstraintJudge:
    """Judges the constraint rows of one configuration."""

    def __init__(self, cloud: Cloud, y: Vector) -> None:
        self.cloud, self.y = cloud, y
        self.names: list[str] = cloud.kernel.dynamics.constraints.names
        self.rows = cloud.scaled_rows(y[None])[0]
        self.generic, self.typical, self.ranks = cloud.generic_rank(self.rows)
        self.here = constraint_indicator(self.rows, cloud.metric, self.generic)
        self.kappa = self.here.kappa / self.typical if self.typical > 0 else self.here.kappa

    def kappas(self, states: Vector) -> Vector:
        """kappa_c of many states, in units of its median over the cloud."""
        s = np.linalg.svd(self.cloud.scaled_rows(states), compute_uv=False)
        largest = np.where(s[:, 0] > 0, s[:, 0], 1.0)
        return np.asarray(s[:, self.generic - 1] / largest / (self.typical or 1.0))

    def verdict(self) -> ConstraintVerdict:
        """Everything about the rows here."""
        is_singular = self.here.rank < self.generic
        is_near = not is_singular and self.generic > 0 and self.kappa < NEAR
        return ConstraintVerdict(
            self.here,
            self.kappa,
            [self._singular()] if is_singular else [],
            [self._near()] if is_near else [],
            self._notes(),
            self.redundant,
            self._reactions(),
            self._combinations(),
        )

    # --- dependencies ------------------------------------------------------------------------------

    @once
    def permanent(self) -> Vector:
        """Columns: dependencies (scaled multipliers) that do not go away, as they are in the limit towards here."""
        m = len(self.names)
        if self.generic == m:
            return np.zeros((m, 0))
        states = self.cloud.around(CLOSE, 8) if self.here.rank < self.generic else np.zeros((0, 0))
        if not len(states):
            return self.here.left_null[:, self.generic - self.here.rank :]
        stack = self.cloud.scaled_rows(states)
        u, s, _ = np.linalg.svd(stack)
        best = int(np.argmax(s[:, self.generic - 1] / s[:, 0]))
        return np.asarray(u[best][:, self.generic :])

    @once
    def local(self) -> Vector:
        """Columns: dependencies that exist here only."""
        null, gained = self.here.left_null, self.generic - self.here.rank
        if gained <= 0:
            return np.zeros((len(self.names), 0))
        rest = null - self.permanent @ (self.permanent.T @ null)
        u, _, _ = np.linalg.svd(rest, full_matrices=False)
        return simplest(u[:, :gained], np.ones(len(null)))

    @once
    def redundant(self) -> Redundancy:
        return Redundancy(
            tuple(self._touched(self.permanent)),
            tuple(self._touched(self.local, 1e-4)),
            len(self.names) - self.generic,
            max(self.generic - self.here.rank, 0),
        )

    def _touched(self, null: Vector, cut: float = GONE) -> list[str]:
        """Rows that take part in some dependency."""
        sizes = np.linalg.norm(null, axis=1)
        return [name for name, size in zip(self.names, sizes, strict=True) if size > cut * np.max(sizes, initial=0.0)]

    # --- state of motion ---------------------------------------------------------------------------

    def state(self) -> str:
        """Resident, crossing or impulsive, from A v = 0 and N^T Adot v = 0 with N the local dependencies."""
        cloud = self.cloud
        v = self.y[cloud.nq :]
        speed = float(np.max(np.abs(v) / cloud.box, initial=0.0))
        if speed == 0.0:
            return "at rest"
        h = 1e-6
        steps = np.array([h * v / speed, -h * v / speed])
        ahead = np.repeat(cloud.still[None], 2, axis=0)
        ahead[:, -1] += np.array([h, -h]) / speed
        A = cloud.scaled_rows(cloud.moved(ahead, steps))
        drift = self.local.T @ (A[0] - A[1]) / (2 * h)
        unit = v * cloud.metric / float(np.linalg.norm(v * cloud.metric))
        if np.max(np.abs(drift), initial=0.0) < STILL:
            return "resident"
        return "impulsive" if np.max(np.abs(drift @ unit), initial=0.0) > STILL else "crossing"

    # --- reactions ---------------------------------------------------------------------------------

    def _reactions(self) -> dict[str, DiagnosedReaction]:
        """Multipliers here; one is unique exactly where its row of the left null space vanishes (Wojtyra 2005)."""
        lam = self._multipliers
        free = np.linalg.norm(self.here.left_null, axis=1)
        return {
            name: DiagnosedReaction(name, float(value), bool(loose <= GONE))
            for name, value, loose in zip(self.names, lam, free, strict=True)
        }

    @once
    def _multipliers(self) -> Vector:
        return self.cloud.system.terms(self.cloud.t, self.y).accelerations()[1]

    def _combinations(self) -> tuple[Combination, ...]:
        """Independent combinations of multipliers that are determined, among those that are not by themselves."""
        loose = np.flatnonzero(np.linalg.norm(self.here.left_null, axis=1) > GONE)
        scale = self.cloud.row_scales[loose]
        if not len(loose) or not np.any(scale > 0):
            return ()
        N = self.here.left_null[loose]
        u, s, _ = np.linalg.svd(N, full_matrices=True)
        rank = int(np.sum(s > GONE))
        fixed = u[:, rank:] * scale[:, None]  # c^T lam with c in terms of unscaled multipliers
        fixed = simplest(fixed, 1.0 / np.where(scale > 0, scale, 1.0))
        found = []
        for c in (fixed / np.maximum(np.max(np.abs(fixed), axis=0), 1e-300)).T:
            weights = {self.names[k]: float(x) for k, x in zip(loose, c, strict=True) if abs(x) > 1e-9}
            found.append(Combination(weights, float(c @ self._multipliers[loose])))
        return tuple(found)

    # --- findings ----------------------------------------------------------------------------------

    def _singular(self) -> Finding:
        here, cloud = self.here, self.cloud
        gained, state = self.generic - here.rank, self.state()
        reasons = [geometric_reason(cloud, self.y, self.local[:, k]) for k in range(self.local.shape[1])]
        motions = self._motions()
        rows = self.redundant.local
        is_one = len(rows) == 1
        what = (
            f"the {'constraint' if is_one else 'constraints'} {listed(rows)} "
            f"{'loses its effect' if is_one else 'depend on each other'} here: rank {here.rank}, usually {self.generic}"
        )
        why = (
            f"{told(reasons)}. To first order "
            f"{plural(gained, 'freedom')} {'is' if gained == 1 else 'are'} gained; motions allowed here: "
            f"{listed(motions)}. {self._about_reactions()} {STATES[state]} Another constraint that holds the gained "
            "motion, or a start away from here, removes it"
        )
        return self._finding(rows, what, why, reasons, {"state": state, "gained": gained, "motions": motions})

    def _near(self) -> Finding:
        approach = nearest_singular(self.cloud, self.kappas, self.y)
        u, _, _ = np.linalg.svd(self.rows)
        weakest = u[:, self.generic - 1]
        rows = [name for name, x in zip(self.names, weakest, strict=True) if abs(x) > 0.05]
        what = f"the constraints {listed(rows)} nearly depend on each other here"
        why = (
            f"the smallest singular value of the constraint matrix is {self.kappa:.2g} of what is usual; "
            f"{approach.text}. Reactions of these constraints grow like the inverse of that distance"
        )
        return self._finding(tuple(rows), what, why, [], approach.evidence(self.y[self.cloud.nq :]), is_near=True)

    def _finding(
        self,
        rows: tuple[str, ...],
        what: str,
        why: str,
        reasons: list[Reason],
        evidence: dict[str, object],
        is_near: bool = False,
    ) -> Finding:
        return Finding(
            "constraint-degeneracy",
            rows,
            self.kappa,
            SINGULAR,
            what,
            why,
            directions={
                "allowed": self.here.kernel,
                "names": self.cloud.names,
                "dependency": self.local,
                "rows": self.names,
            },
            evidence={
                "rank": self.here.rank,
                "generic_rank": self.generic,
                "reasons": reasons,
                "screws": {one.body: one.screws for one in reasons if one.body},
                "singular_values": self.here.singular_values,
                **evidence,
            },
            is_near=is_near,
        )

    def _notes(self) -> list[Finding]:
        """Permanent redundancy, and mechanisms without freedom."""
        found = []
        count = self.redundant.permanent_count
        if count:
            rows = self.redundant.permanent
            null = simplest(self.permanent, np.ones(len(self.names)))
            reasons = [geometric_reason(self.cloud, self.y, null[:, k]) for k in range(null.shape[1])]
            which = listed(rows) if count == len(rows) else f"{count} of the constraint rows {listed(rows)}"
            what = f"{which} {'is' if count == 1 else 'are'} redundant in every configuration"
            why = (
                f"{told(reasons)}. The motion is unique, the reactions of "
                f"these constraints are not; leaving {'one' if count == 1 else str(count)} of them out changes no "
                "motion"
            )
            evidence = {"count": count, "reasons": reasons}
            found.append(Finding("redundant-constraints", rows, 0.0, SINGULAR, what, why, evidence=evidence))
        found += self._no_velocity()
        if self.here.rank == self.cloud.n:
            what = f"no motion is possible: {plural(self.here.rank, 'independent constraint')} hold all coordinates"
            why = (
                f"0 degrees of freedom, {plural(count, 'redundancy', 'redundancies')}; count the constraints, or look "
                "for an axis that is not parallel to the others"
            )
            found.append(Finding("no-freedom", tuple(self.cloud.names), 1.0, SINGULAR, what, why))
        return found

    def _no_velocity(self) -> list[Finding]:
        """What is driven asks for a motion that the constraints do not allow where they lose rank."""
        if not self.cloud.clock or self.here.rank >= self.generic:
            return []
        scales = np.where(self.cloud.row_scales > 0, self.cloud.row_scales, np.inf)
        drift = self.cloud.batch("residual", self.cloud.still[None])[0][self.cloud.m :] / scales
        missed, size = float(np.linalg.norm(self.here.left_null.T @ drift)), float(np.linalg.norm(drift))
        if missed <= STILL * size:
            return []
        what = "no velocity satisfies the constraints here: what is driven asks for a motion that they do not allow"
        why = f"{missed / size:.2g} of what the drives ask for lies outside the range of the constraint matrix"
        return [Finding("no-velocity", self.redundant.local, missed / size, STILL, what, why)]

    def _motions(self) -> list[str]:
        kernel = simplest(self.here.kernel, self.cloud.metric)
        return [combination(kernel[:, k], self.cloud.names) for k in range(kernel.shape[1])]

    def _about_reactions(self) -> str:
        loose = [name for name, one in self._reactions().items() if not one.unique]
        fixed = [str(one).replace(" = ", " (= ") + ")" for one in self._combinations()]
        text = f"The multipliers of {listed(loose)} are not determined here"
        return text + (f", only {listed(fixed)} {'is' if len(fixed) == 1 else 'are'}." if fixed else ".")


STATES = {
    "at rest": "At rest here, the motion that follows is not determined by the constraints alone.",
    "resident": "The given velocity stays in the singular set (resident): the gained freedom is real while it does.",
    "crossing": "The given velocity crosses the singular set: the motion goes on smoothly.",
    "impulsive": "The given velocity lies in no branch of motion (impulsive): leaving from here takes an impulse.",
}
