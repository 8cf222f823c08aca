"""Findings: what is singular, as data that prints as text.

``kind`` is one of "coordinate-singularity", "gimbal-lock", "constraint-degeneracy", "boundary" (these count in
``Diagnosis.kinds``), or "carried-by-constraints" and "lost-load-directions" (said, but not singular).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

KINDS = ("coordinate-singularity", "gimbal-lock", "constraint-degeneracy", "boundary")


@dataclass(frozen=True)
class Remedy:
    """Something that lifts a finding, tried before it is offered: in words, and as a function that builds it."""

    text: str
    kind: str
    apply: Callable[[], Any] | None = None
    indicator_after: float | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Finding:
    """One finding: its kind, where it is, how sure it is, why, and the numbers behind it."""

    kind: str
    where: tuple[str, ...]
    indicator: float
    tolerance: float
    what: str
    why: str
    directions: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)
    is_near: bool = False
    t: float | None = None
    search: Callable[[], list[Remedy]] | None = field(default=None, repr=False, compare=False)

    def remedies(self) -> list[Remedy]:
        """What would lift it; each was tried and confirmed before it is listed."""
        return [] if self.search is None else self.search()

    def __str__(self) -> str:
        head = f"{'near ' if self.is_near else ''}{self.kind} at {', '.join(self.where)}"
        return (
            f"{head}: {self.what}\n  why: {self.why}\n  indicator {self.indicator:.3g} (tolerance {self.tolerance:g})"
        )


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
class Diagnosis:
    """Everything found at one configuration."""

    findings: tuple[Finding, ...]
    near: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    basis_rank: int
    constraint_rank: int
    generic_rank: int
    configuration_dof: int
    velocity_dof: int
    redundant: Redundancy
    reactions: Mapping[str, DiagnosedReaction]
    indicators: Mapping[str, float]
    velocities_of: Callable[[Any, Any], Vector] = field(repr=False)

    @property
    def kinds(self) -> set[str]:
        """Kinds of singularity present; empty where the configuration is regular."""
        return {finding.kind for finding in self.findings}

    @property
    def is_regular(self) -> bool:
        return not self.findings

    def allowable_velocities(self, body: Any, point: Any = None) -> Vector:
        """Basis (columns) of the velocities that a point of a body can have here: v over w, world components."""
        return self.velocities_of(body, point)

    def __str__(self) -> str:
        if self.is_regular and not (self.near or self.notes):
            lines = ["regular: the coordinates, the loads and the constraints are all regular here"]
        else:
            lines = [] if self.findings else ["regular here"]
            lines += [str(finding) for finding in (*self.findings, *self.near, *self.notes)]
        lines.append(f"{self.configuration_dof} configuration freedoms, {self.velocity_dof} velocity freedoms")
        return "\n".join(lines)
