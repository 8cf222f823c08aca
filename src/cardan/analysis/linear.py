"""Linear equations of the motions next to a state, on the true manifold of states.

A displacement dpi keeps the holonomic constraints, phi' dpi = 0, and a change of velocities all of them,
A dv + (A v)' dpi = 0. Some coordinates are chosen as independent; the others follow. So there are exactly as many
eigenvalues as freedoms of configuration and velocity, and none belongs to a constraint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.analysis.control import Reach, controllability, lqr, observability
from cardan.analysis.deflation import Spectrum, spectrum
from cardan.analysis.ignorable import ignorable_displacements
from cardan.analysis.place import Place
from cardan.analysis.stability import Stability, stability_of
from cardan.analysis.varied import Varied
from cardan.errors import ModelError
from cardan.native.once import once
from cardan.native.showing import Shown

if TYPE_CHECKING:
    from scipy.signal import StateSpace

Vector = NDArray[np.float64]
Complex = NDArray[np.complex128]
About = Literal["equilibrium", "steady", "trajectory"]


@dataclass(frozen=True)
class Basis:
    """Displacements (or velocities) that constraints allow: the independent ones, and all of them in terms of these."""

    independent: list[int]
    Z: Vector  # n by k, the identity in the independent rows


@dataclass(frozen=True)
class Linearization(Shown):
    """x' = A x + B u, y = C x + D u of motions next to a state; x are displacements and velocities of ``states``."""

    _showing: ClassVar[tuple[str, ...]] = ("states", "inputs", "eigenvalues", "A", "B", "stability")

    place: Place
    about: About
    derivatives: Varied
    displacements: Basis
    velocities: Basis
    T: Vector  # [dpi; dv] = T x
    A: Vector
    B: Vector
    inputs: list[str]
    carried: Vector  # B of the symmetry that carries the motion; zero where none is needed

    # --- what it says of motions -------------------------------------------------------------------

    @property
    def states(self) -> list[str]:
        """What x consists of, by name."""
        names = self.place.names
        return [names[j] for j in self.displacements.independent] + [
            f"{names[j]}_dot" for j in self.velocities.independent
        ]

    @once
    def spectrum(self) -> Spectrum:
        """Eigenvalues with the zeros taken out exactly, and how these are chained."""
        return spectrum(self.A)

    @property
    def eigenvalues(self) -> Complex:
        """As many as there are states, the least damped first."""
        return self.spectrum.eigenvalues

    @property
    def frequencies(self) -> Vector:
        """|Im| of each eigenvalue, in radians per unit of time."""
        return np.asarray(np.abs(self.eigenvalues.imag))

    @property
    def damping(self) -> Vector:
        """-Re / |eigenvalue| of each eigenvalue: 1 and more creeps, 0 rings for ever; nan for zeros."""
        size = np.abs(self.eigenvalues)
        found = np.full(len(size), np.nan)
        np.divide(-self.eigenvalues.real, size, out=found, where=size > 0)
        return found

    @once
    def stability(self) -> Stability:
        """What linear theory says of neighbouring motions, and why."""
        return stability_of(self)

    # --- its parts: M x" + (D + G) x' + (K + N) x = forces -----------------------------------------

    @property
    def M(self) -> Vector:
        """Inertia of the independent displacements."""
        Z = self.velocities.Z
        return np.asarray(Z.T @ self.derivatives.terms.M @ Z)

    @property
    def D(self) -> Vector:
        """Damping: what opposes velocities, symmetric."""
        return 0.5 * (self._rate_terms + self._rate_terms.T)

    @property
    def G(self) -> Vector:
        """Gyroscopic terms, skew-symmetric."""
        return 0.5 * (self._rate_terms - self._rate_terms.T)

    @property
    def K(self) -> Vector:
        """Stiffness, symmetric: of potentials, of loads, and of constraint forces that turn."""
        return 0.5 * (self._place_terms + self._place_terms.T)

    @property
    def N(self) -> Vector:
        """Circulatory terms, skew-symmetric: of forces that follow the motion."""
        return 0.5 * (self._place_terms - self._place_terms.T)

    @once
    def _rate_terms(self) -> Vector:
        Z, d = self._one_basis, self.derivatives
        return np.asarray(Z.T @ (d.balance.v + d.terms.M @ (self.carried - d.C)) @ Z)

    @once
    def _place_terms(self) -> Vector:
        Z, d = self._one_basis, self.derivatives
        return np.asarray(Z.T @ (d.balance.pi - (d.balance.v + d.terms.M @ self.carried) @ d.C) @ Z)

    @property
    def is_holonomic(self) -> bool:
        """Whether every velocity that is free leads to a displacement of its own."""
        return len(self.displacements.independent) == len(self.velocities.independent)

    @once
    def ignorable(self) -> list[int]:
        """Which of the independent displacements nothing depends on, here and elsewhere, as places in ``states``."""
        free = ignorable_displacements(self.place, self.derivatives)
        return [k for k, j in enumerate(self.displacements.independent) if j in free]

    @property
    def _one_basis(self) -> Vector:
        if not self.is_holonomic or self.about == "trajectory":
            why = "its velocity constraints leave fewer velocities free than displacements"
            why = "the motion is not steady" if self.is_holonomic else why
            raise ModelError(
                f"The linear equations of {self.place.kernel.model.name!r} have no parts M, D, G, K, N: {why}. Their "
                "state matrix lin.A says the same."
            )
        return self.displacements.Z

    # --- for control -------------------------------------------------------------------------------

    @property
    def outputs(self) -> list[str]:
        """What C picks: every coordinate and velocity."""
        names = self.place.names
        return [*names, *(f"{name}_dot" for name in names)]

    @property
    def state_space(self) -> StateSpace:
        """(A, B, C, D) for SciPy; outputs are all displacements and velocities. ``control.ss(*lin.matrices)`` reads it
        in python-control."""
        from scipy.signal import StateSpace

        return StateSpace(*self.matrices)

    @property
    def matrices(self) -> tuple[Vector, Vector, Vector, Vector]:
        """A, B, C, D."""
        return self.A, self.B, self.T, np.zeros((len(self.T), self.B.shape[1]))

    @once
    def controllability(self) -> Reach:
        """Whether inputs reach every motion, and which they do not, in words."""
        return controllability(self)

    def observability(self, C: ArrayLike) -> Reach:
        """Whether outputs C x show every motion, and which they do not, in words."""
        return observability(self, C)

    def lqr(self, Q: ArrayLike, R: ArrayLike) -> Vector:
        """K of the feedback u = -K x with the least integral of x^T Q x + u^T R u."""
        return lqr(self, Q, R)

    def __repr__(self) -> str:
        count = len(self.states)
        name = self.place.kernel.model.name
        return f"Linearization({name!r} about {self.about}: {count} states, {self.stability.verdict})"
