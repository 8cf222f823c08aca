"""Inertias of robot files that no body has: refused, repaired, or taken as they stand.

Of the second moments S = sum m r r^T about the centre of mass, I = tr(S) 1 - S. A body has I where S has no negative
eigenvalue, which is what the triangle inequality says. Repairing takes the nearest such S (sum of squared entries):
negative eigenvalues become zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cardan.errors import FileError, ImpossibleInertia
from cardan.formats.document import Entry
from cardan.formats.xml_reader import Element
from cardan.geometry.inertia import check_inertia

POLICIES = ("refuse", "repair", "as-is")
ROUNDING = 1e-14  # of mass times length squared: below this an inertia is what rounding left of zero
REMEDY = 'Load it with inertia="repair" (--repair) to take the nearest possible one, or "as-is" to keep it'

Rows = list[list[float]]


def require_policy(policy: str) -> str:
    """The policy, if it is one of the three."""
    if policy not in POLICIES:
        known = ", ".join(repr(one) for one in POLICIES)
        raise FileError(f"inertia={policy!r} is unknown; use one of {known}.", field="inertia", known=POLICIES)
    return policy


def repaired(inertia: Sequence[Sequence[float]]) -> Rows:
    """The nearest inertia that a body can have: second moments that are negative become zero."""
    own = np.array(inertia, dtype=float)
    moments, axes = np.linalg.eigh(np.trace(own) / 2 * np.eye(3) - own)
    kept = (axes * np.maximum(moments, 0.0)) @ axes.T
    found = np.trace(kept) * np.eye(3) - kept
    rows: Rows = ((found + found.T) / 2).tolist()
    return rows


@dataclass
class Inertias:
    """Judges the inertias of one file; ``length`` is its size, against which rounding is judged."""

    policy: str
    length: float
    notes: list[str] = field(default_factory=list)

    def add(self, body: Entry, inertia: Rows, mass: float, name: str, source: Element) -> None:
        """Give a body its inertia, as the policy says where no body has it."""
        size = max(abs(x) for row in inertia for x in row)
        if size <= ROUNDING * abs(mass) * self.length**2:
            inertia = [[0.0] * 3 for _ in range(3)]
        try:
            check_inertia(inertia, name)
        except ImpossibleInertia as problem:
            if self.policy == "refuse":
                raise source.error(f"{problem} {REMEDY}.", remedy=REMEDY) from None
            inertia = self._changed(body, inertia, name)
        body["inertia"] = inertia

    def _changed(self, body: Entry, inertia: Rows, name: str) -> Rows:
        before = _moments(inertia)
        if self.policy == "as-is":
            body["as_is"] = True
            self.notes.append(f"the inertia of {name!r} is kept although no body has it: principal moments {before}")
            return inertia
        found = repaired(inertia)
        self.notes.append(f"the inertia of {name!r} is repaired: principal moments {before} became {_moments(found)}")
        return found


def _moments(inertia: Rows) -> str:
    return ", ".join(f"{x:.4g}" for x in np.linalg.eigvalsh(inertia))
