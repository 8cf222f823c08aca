"""A compiled model at its singular configurations: ranks, branches, unfolding, from its kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.projection import project_position
from cardan.singular.reference import Reference
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.rank.branches import LIFT, Branch, Branches, cone, quadrics, readable
from cardan.trajectory.rank.closure import Extension, LocalRank
from cardan.trajectory.rank.extension import extension
from cardan.trajectory.rank.unfolding import Unfolding, unfold

Vector = NDArray[np.float64]


class RankNumbers:
    """Numbers about the rank of the constraints of one model with one set of parameters."""

    def __init__(self, kernel: Kernel, p: Vector, reference: Reference, shift: Vector | None = None) -> None:
        self.kernel, self.p, self.reference = kernel, p[: len(kernel.parameters)], reference
        self.system: ConstrainedNumbers = kernel.numbers(self.p)
        if shift is not None:
            self.system = self.system.shifted(shift)

    def local(self, t: float, y: Vector, tolerance: float | None = None) -> LocalRank:
        """Singular values, rank and null spaces at a state."""
        terms = self.system.terms(t, y)
        return LocalRank(terms, self.reference) if tolerance is None else LocalRank(terms, self.reference, tolerance)

    def is_driven(self, t: float, y: Vector) -> bool:
        """Whether constraints ask for a motion here by themselves, as time goes on: b0 other than 0."""
        still = np.concatenate([y[: self.kernel.nq], np.zeros(self.kernel.nv)])
        return bool(np.any(self.system.residual(t, still)[1]))

    def extension(self, t: float, y: Vector) -> Extension:
        """The constraints differentiated once more at a state."""
        return extension(self.kernel, t, y, self.p)

    def matrix_rate(self, t: float, y: Vector, v: Vector) -> Vector:
        """A'[v]: how A changes along v, time held."""
        return self._rate_along(t, y, v) - self._rate_along(t, y, np.zeros(self.kernel.nv))

    def _rate_along(self, t: float, y: Vector, v: Vector) -> Vector:
        """Adot while the system moves with v."""
        return self.extension(t, np.concatenate([y[: self.kernel.nq], v])).matrix_rate

    def quadrics(self, t: float, y: Vector, local: LocalRank) -> Vector:
        """The second-order conditions on velocities of the kernel at a singular configuration."""
        still = self._rate_along(t, y, np.zeros(self.kernel.nv))
        return quadrics(local.kernel, local.left_null, lambda v: self._rate_along(t, y, v) - still)

    def branches(self, t: float, y: Vector, tolerance: float | None = None) -> Branches:
        """All motion branches through the configuration of y."""
        y = np.concatenate([y[: self.kernel.nq], np.zeros(self.kernel.nv)])
        local = self.local(t, y, tolerance)
        p = local.kernel.shape[1]
        if not local.is_singular:
            only = self._verified(t, y, local.kernel) if p else ()
            return Branches(tuple(only), p, 0, True, "The constraints have their full rank here: one branch.")
        pieces, decided = cone(self.quadrics(t, y, local))
        found = [one for piece in pieces for one in self._verified(t, y, local.kernel @ piece)]
        found.sort(key=lambda one: tuple(np.round(-np.abs(one.tangent), 6)))
        return Branches(tuple(found), p, local.corank, decided, _sentence(found, p, local.corank, decided))

    def unfolding(self, t: float, y: Vector, corank: int = 1) -> Unfolding | None:
        """The singular configuration near y, and how far the geometry is from bifurcating there."""
        sizes = typical_sizes(self.kernel, y, t)
        return unfold(self.system, t, y, corank, sizes, self.local, self.quadrics)

    def _verified(self, t: float, y: Vector, tangents: Vector) -> list[Branch]:
        """The branch with its rank and whether it can be followed."""
        T = readable(tangents)
        sizes = typical_sizes(self.kernel, y, t)
        direction = T @ np.linspace(1.0, 0.6, T.shape[1])
        step = LIFT * direction / np.max(np.abs(direction) / sizes)
        rank, verified = 0, False
        for sign in (1.0, -1.0):
            lifted = project_position(self.system, t, self.system.moved(t, y, sign * step), sizes)
            if lifted is None:
                continue
            away = self.local(t, lifted)
            rank = max(rank, away.rank)
            kernel = np.linalg.qr(np.linalg.solve(away.terms.half, away.kernel))[0]
            wanted = np.linalg.solve(away.terms.half, direction)
            along = float(np.linalg.norm(kernel @ (kernel.T @ wanted)) / np.linalg.norm(wanted))
            verified = verified or along > 1 - 20 * LIFT
        return [Branch(T, rank, verified)]


def _sentence(found: list[Branch], freedoms: int, corank: int, decided: bool) -> str:
    if not decided:
        return (
            f"The constraints lose {corank} of their rank here; the second-order conditions on the {freedoms} "
            "first-order freedoms do not separate the branches (coincident tangents, or a cone that is not flat): "
            "undecided, higher order is needed."
        )
    if not found:
        return "The constraints lose rank here and no velocity satisfies them to second order: the mechanism is locked."
    return f"The constraints lose {corank} of their rank here; {len(found)} branches of motion meet."
