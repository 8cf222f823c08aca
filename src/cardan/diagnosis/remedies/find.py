"""The search for remedies: which changes are tried for which kind of finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Magnitudes
from cardan.diagnosis.findings import Diagnosis, Finding, Remedy
from cardan.diagnosis.remedies.case import Case, Changeable, by_name
from cardan.diagnosis.remedies.coordinates import inertia, other_chart, prescription
from cardan.diagnosis.remedies.starts import other_start
from cardan.diagnosis.remedies.surroundings import other_direction, without_a_constraint, without_a_stop

Vector = NDArray[np.float64]
Search = Callable[[Case, Finding], Iterator[Remedy]]

SEARCHES: Mapping[str, Sequence[Search]] = MappingProxyType(  # by kind of finding, simplest first
    {
        "coordinate-singularity": (other_chart, prescription, inertia, other_start),
        "gimbal-lock": (other_direction, other_start),
        "constraint-degeneracy": (without_a_constraint, prescription, other_start),
        "boundary": (without_a_stop, other_start),
    }
)


def find_remedies(system: Changeable, finding: Finding, y: Vector, t: float, loads: Magnitudes | None) -> list[Remedy]:
    """Everything that was tried and lifted the finding, simplest first."""
    case = Case(system, by_name(system.kernels.user.model, y), t, loads)
    return [remedy for search in SEARCHES.get(finding.kind, ()) for remedy in search(case, finding)]


def with_search(system: Changeable, finding: Finding, y: Vector, t: float, loads: Magnitudes | None) -> Finding:
    """The finding with a search for its remedies, which are tried on copies of the system when they are asked for."""
    return replace(finding, search=partial(find_remedies, system, finding, y, t, loads))


def with_remedies(system: Changeable, found: Diagnosis, y: Vector, t: float, loads: Magnitudes | None) -> Diagnosis:
    """The diagnosis with findings that know how to look for their remedies."""
    findings, near = (
        tuple(with_search(system, one, y, t, loads) for one in some) for some in (found.findings, found.near)
    )
    return replace(found, findings=findings, near=near)
