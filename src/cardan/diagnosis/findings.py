"""Findings: what is singular, as data that prints as text.

``kind`` is one of "coordinate-singularity", "gimbal-lock", "constraint-degeneracy", "boundary" and "undefined-contact"
(these count in ``Diagnosis.kinds``). Said too, but no singularity of the mechanism: "carried-by-constraints",
"freed-load", "lost-load-directions", "redundant-constraints", "no-freedom", "no-velocity", "task-singularity" and
"actuation-singularity".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.words import counted
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point
from cardan.native.once import once
from cardan.native.showing import Shown

if TYPE_CHECKING:
    from cardan.diagnosis.hand.report import HandDiagnosis
    from cardan.diagnosis.judges.screws import Screw

Vector = NDArray[np.float64]
Carrier: TypeAlias = Body | Particle | Frame  # what has a frame of its own
Place: TypeAlias = Carrier | Point  # what has a velocity
VelocitiesOf: TypeAlias = Callable[[Carrier, Point | Sequence[float] | None], Vector]

KINDS = ("coordinate-singularity", "gimbal-lock", "constraint-degeneracy", "boundary")


@dataclass(frozen=True)
class Remedy(Shown):
    """Something that lifts a finding, tried before it is offered: in words, and as a function that builds it."""

    text: str
    kind: str
    apply: Callable[[], object] | None = None
    indicator_after: float | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Finding(Shown):
    """One finding: its kind, where it is, how sure it is, why, and the numbers behind it."""

    kind: str
    where: tuple[str, ...]
    indicator: float
    tolerance: float
    what: str
    why: str
    directions: Mapping[str, object] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)  # what a name holds depends on the kind: see its judge
    is_near: bool = False
    t: float | None = None
    search: Callable[[], list[Remedy]] | None = field(default=None, repr=False, compare=False)

    def remedies(self) -> list[Remedy]:
        """What would lift it; each was tried and confirmed before it is listed."""
        return [] if self.search is None else self.search()

    def __str__(self) -> str:
        head = f"{'near ' if self.is_near else ''}{self.kind} ({', '.join(self.where)})"
        return (
            f"{head}\n  what: {self.what}.\n  why: {self.why}.\n"
            f"  indicator: {self.indicator:.3g} (singular below {self.tolerance:g})"
        )

    def _row(self) -> dict[str, object]:
        kind = f"{'near ' if self.is_near else ''}{self.kind}"
        row: dict[str, object] = {} if self.t is None else {"t [s]": self.t}
        return row | {"finding": kind, "where": ", ".join(self.where), "what": self.what, "why": self.why}


@dataclass(frozen=True)
class Redundancy:
    """Constraint rows that depend on others: everywhere, and only here; by name."""

    permanent: tuple[str, ...]
    local: tuple[str, ...]
    permanent_count: int
    local_count: int


@dataclass(frozen=True)
class DiagnosedReaction:
    """A multiplier here: its value, and whether the constraints determine it."""

    name: str
    value: float
    unique: bool


@dataclass(frozen=True)
class Task:
    """What a point or body can do here: the Jacobian of its velocity (and angular velocity), and its quality.

    ``manipulability`` is sqrt(det(J J^T)) over the directions it can usually move in: the product of as many singular
    values as the generic rank. ``lost`` holds unit velocities (rows) that are impossible here though usual.
    """

    name: str
    jacobian: Vector
    rank: int
    generic_rank: int
    manipulability: float
    indicator: float
    lost: Vector

    @property
    def is_singular(self) -> bool:
        return self.rank < self.generic_rank


@dataclass(frozen=True)
class Actuation:
    """The matrix T(q) from the magnitudes of loads and inputs to generalized forces, and its rank here and usually."""

    names: tuple[str, ...]
    matrix: Vector
    rank: int
    generic_rank: int
    indicator: float
    idle: Vector  # rows: unit combinations of loads and inputs that do nothing here though they usually do

    @property
    def is_singular(self) -> bool:
        return self.rank < self.generic_rank


@dataclass(frozen=True)
class Combination:
    """A combination of multipliers that the constraints determine although its members are not determined."""

    weights: Mapping[str, float]
    value: float

    def __str__(self) -> str:
        words = ""
        for name, x in self.weights.items():
            sign = "-" if x < 0 else "+" if words else ""
            factor = "" if abs(abs(x) - 1) < 1e-9 else f"{abs(x):.3g} "
            words += f"{' ' if words else ''}{sign}{' ' if words else ''}{factor}{name}"
        return f"{words} = {self.value:.4g}"


@dataclass(frozen=True)
class Diagnosis:
    """Everything found at one configuration; a count that could not be made is None, and a finding says why."""

    findings: tuple[Finding, ...]
    near: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    basis_rank: int | None
    constraint_rank: int | None
    generic_rank: int | None
    configuration_dof: int | None
    velocity_dof: int | None
    redundant: Redundancy
    reactions: Mapping[str, DiagnosedReaction]
    determined: tuple[Combination, ...]  # combinations of reactions that are unique though their members are not
    indicators: Mapping[str, float]
    task: Task | None
    actuation: Actuation | None
    velocities_of: VelocitiesOf = field(repr=False)
    screws_of: Callable[[Carrier], list[Screw]] = field(repr=False)
    examine_hand: Callable[[], HandDiagnosis] | None = field(default=None, repr=False, compare=False)

    @once
    def hand(self) -> HandDiagnosis | None:
        """What the doctor says of the task: lost directions as screws, the joints to blame, how far trouble is, the
        way out; None where no task was given."""
        return None if self.examine_hand is None else self.examine_hand()

    @property
    def kinds(self) -> set[str]:
        """Kinds of singularity present; empty where the configuration is regular."""
        return {finding.kind for finding in self.findings}

    @property
    def is_regular(self) -> bool:
        return not self.findings

    def determines(self, weights: Mapping[str, float]) -> bool:
        """Whether this combination of multipliers, such as {"front": 1, "rear": -1}, is determined here."""
        left = {name: x for name, x in weights.items() if x and not self.reactions[name].unique}
        if not left:
            return True
        rows = sorted({name for one in self.determined for name in one.weights} | set(left))
        basis = np.array([[one.weights.get(name, 0.0) for name in rows] for one in self.determined])
        target = np.array([left.get(name, 0.0) for name in rows])
        if not len(basis):
            return False
        x = np.linalg.lstsq(basis.T, target, rcond=None)[0]
        return bool(np.max(np.abs(basis.T @ x - target)) < 1e-6 * np.max(np.abs(target)))

    def allowable_velocities(self, body: Carrier, point: Point | Sequence[float] | None = None) -> Vector:
        """Basis (columns) of the velocities that a point of a body can have here: v over w, world components."""
        return self.velocities_of(body, point)

    def screws(self, body: Carrier) -> list[Screw]:
        """The same motions as screws, each with ``axis``, ``point`` and ``pitch``; reciprocal to all reactions."""
        return self.screws_of(body)

    @property
    def _headline(self) -> str:
        """Of a mechanism that is regular: "regular" is not said above a direction that the hand has lost."""
        task = self.task
        if task is None or not task.is_singular:
            return "regular here"
        return f"{task.name} has lost {task.generic_rank - task.rank} of its {task.generic_rank} directions here"

    def _repr_html_(self) -> str:
        """For notebooks: a table of findings."""
        from cardan.diagnosis.display import diagnosis_html

        return diagnosis_html(self)

    def __str__(self) -> str:
        if self.is_regular and not (self.near or self.notes):
            lines = ["regular: the coordinates, the loads and the constraints are all regular here"]
        else:
            lines = [] if self.findings else [self._headline]
            lines += [str(finding) for finding in (*self.findings, *self.near, *self.notes)]
        places = counted(self.configuration_dof, "configuration freedom")
        lines.append(f"{places}, {counted(self.velocity_dof, 'velocity freedom')}")
        return "\n".join(lines)
