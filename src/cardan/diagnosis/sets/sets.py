"""The record of a singular set."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.native.showing import Shown

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class SingularSet(Shown):
    """A set of configurations, by ``condition`` (SymPy; None where it was traced) and in words (``text``).

    ``kind``: "coordinate-singularity", "gimbal-lock", "constraint-degeneracy", "kinematic-singularity",
    "carried-by-constraints" for a load that never acts, or "undecided" where time was up before all sets were found.
    ``points`` are configurations of the set, one per row; ``verified``: singular values at all of them agree.
    ``dimension`` is that of the set. Where time occurs explicitly the set is one of (q, t): its dimension counts the
    time, and ``times`` has one for each of the points.
    """

    kind: str
    condition: sp.Basic | None
    text: str
    verified: bool
    how: str  # "symbolic" or "numeric"
    points: Vector = field(compare=False, repr=False)
    dimension: int | None = None
    load: str | None = None
    times: Vector | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        about = f" of {self.load}" if self.load else ""
        return f"{self.kind}{about}: {self.text}"

    def _row(self) -> dict[str, object]:
        row: dict[str, object] = {"kind": self.kind}
        row |= {"load": self.load} if self.load else {}
        return row | {"where": self.text, "dimension": self.dimension, "found": self.how, "verified": self.verified}


def everywhere(kind: str, load: str | None = None) -> SingularSet:
    """What holds in every configuration."""
    return SingularSet(kind, sp.true, "everywhere", True, "symbolic", np.zeros((0, 0)), None, load)


def undecided(text: str) -> SingularSet:
    """What is left open: whether there are more sets than those that were found."""
    return SingularSet("undecided", None, f"further sets: {text}", False, "numeric", np.zeros((0, 0)))
