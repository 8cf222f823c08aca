"""Floquet multipliers: how neighbours of a periodic motion have grown after a period.

Ones that are known beforehand are taken out exactly: the motion's own direction and those of symmetries are carried
into themselves, and gradients of what is conserved are left as they are. What remains decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.stability import Stability
from cardan.native.showing import Shown

Vector = NDArray[np.float64]
Complex = NDArray[np.complex128]

ALIKE = 1e-6  # of its size: a direction that is carried into itself, or a gradient that stays
MARGIN = 1e-6  # |multiplier| - 1 below this is neither growth nor decay


@dataclass(frozen=True)
class Multipliers(Shown):
    """All multipliers, the largest first; ``trivial`` names those that are 1 for a known reason."""

    _showing: ClassVar[tuple[str, ...]] = ("all", "trivial")

    others: Complex
    trivial: tuple[str, ...]

    @property
    def all(self) -> Complex:
        found = np.concatenate([self.others, np.ones(len(self.trivial), dtype=complex)])
        return np.asarray(found[np.argsort(-np.abs(found), kind="stable")])


def multipliers(P: Vector, carried: dict[str, Vector], conserved: dict[str, Vector], scale: Vector) -> Multipliers:
    """The eigenvalues of P, the derivative of a state after a period by the state; vectors are measured by ``scale``.

    ``carried`` are directions that may be carried into themselves, ``conserved`` gradients that may stay: those that do
    are taken out, from the space that the others leave.
    """
    P = P * scale / scale[:, None]
    right = {name: x / scale for name, x in carried.items()}
    left = {name: g * scale for name, g in conserved.items()}
    right = {name: x for name, x in right.items() if _is_kept(P @ x, x)}
    left = {name: g for name, g in left.items() if _is_kept(P.T @ g, g)}
    rows, named = _independent(left)
    inside = _null(rows, len(P))  # where nothing conserved changes
    P, trivial = inside.T @ P @ inside, list(named)
    columns, names = _independent({name: inside.T @ x for name, x in right.items() if _is_inside(inside, x)})
    rest = _null(columns, len(P))  # all of them but along what is carried
    found = np.linalg.eigvals(rest.T @ P @ rest) if rest.shape[1] else np.zeros(0)
    order = np.argsort(-np.abs(found), kind="stable")
    return Multipliers(np.asarray(found[order], dtype=complex), (*names, *trivial))


def verdict(found: Multipliers, is_orbit: bool) -> Stability:
    """What the multipliers say of the motion (of its orbit, where the phase may drift)."""
    what = "orbit" if is_orbit else "motion"
    others = found.others
    worst = others[0] if len(others) else 0.0
    if abs(worst) > 1 + MARGIN:
        return _growing(complex(worst), what)
    drifting = [name for name in found.trivial if name != "the motion's own direction"]
    if abs(worst) < 1 - MARGIN and not drifting:
        return Stability(
            "asymptotically stable", "multipliers", f"all multipliers of the {what} lie within the unit circle, the "
            f"largest at {abs(worst):.6g}."
        )  # fmt: skip
    if abs(worst) < 1 - MARGIN:
        return Stability(
            "stable", "multipliers",
            f"the other multipliers of the {what} lie within the unit circle, the largest at {abs(worst):.6g}; there "
            f"are neighbours of its kind ({', '.join(drifting)}), to which it may drift.",
        )  # fmt: skip
    return Stability(
        "undecided", "marginal", "no multiplier grows, but some lie on the unit circle: linear theory does not decide."
    )


def _growing(worst: complex, what: str) -> Stability:
    if abs(worst.imag) > MARGIN * abs(worst):
        kind, said = "torus", f"a pair of multipliers lies outside the unit circle, at {abs(worst):.6g}"
    elif worst.real < 0:
        kind, said = "period doubling", f"a multiplier is {worst.real:.6g}: neighbours alternate from side to side"
    else:
        kind, said = "divergence", f"a multiplier is {worst.real:.6g}"
    return Stability("unstable", kind, f"{said}; neighbours leave the {what}.")


def _is_kept(after: Vector, before: Vector) -> bool:
    size = float(np.linalg.norm(before))
    return size > 0 and float(np.linalg.norm(after - before)) <= ALIKE * size


def _is_inside(inside: Vector, x: Vector) -> bool:
    return float(np.linalg.norm(x - inside @ (inside.T @ x))) <= ALIKE * float(np.linalg.norm(x))


def _independent(vectors: dict[str, Vector]) -> tuple[Vector, list[str]]:
    """Those of the vectors that say something new, orthonormal, and their names."""
    rows: list[Vector] = []
    names = []
    for name, x in vectors.items():
        left = x / max(float(np.linalg.norm(x)), 1e-300)
        for row in rows:
            left = left - (row @ left) * row
        if np.linalg.norm(left) > 1e-6:
            rows.append(left / np.linalg.norm(left))
            names.append(name)
    return np.array(rows), names


def _null(rows: Vector, size: int) -> Vector:
    """An orthonormal basis of what the rows do not see, as columns."""
    if not len(rows):
        return np.eye(size)
    return np.asarray(np.linalg.svd(rows)[2][len(rows) :].T)
