"""Whether neighbours stay near: what eigenvalues and energies prove, and what they leave open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from cardan.native.showing import Shown

if TYPE_CHECKING:
    from cardan.analysis.linear import Linearization

Vector = NDArray[np.float64]
Verdict = Literal["asymptotically stable", "stable", "unstable", "undecided"]

TOGETHER = 1e-6  # of the largest eigenvalue: what is chained is spread by the root of rounding, or less
MARGIN = 1e-9  # of the largest eigenvalue: real parts below it are rounding


@dataclass(frozen=True)
class Stability(Shown):
    """A verdict and its reason; ``kind`` names the way in which it is lost, or what holds it."""

    verdict: Verdict
    kind: str
    reason: str

    def __bool__(self) -> bool:
        return self.verdict in ("asymptotically stable", "stable")

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}"


def stability_of(lin: Linearization) -> Stability:
    """The verdict of linear theory, and of the theorems that go beyond it."""
    values = lin.eigenvalues
    if lin.about == "trajectory":
        return Stability("undecided", "unsteady", "eigenvalues at one moment of an unsteady motion decide nothing.")
    scale = max(float(np.max(np.abs(values), initial=0.0)), 1e-300)
    growing = values[_real_parts(values, scale) > MARGIN * scale]
    if len(growing):
        return _growing(growing)
    if len(values) and bool(np.all(values.real < -MARGIN * scale)):
        slowest = float(np.max(values.real))
        return Stability(
            "asymptotically stable", "damped", f"all eigenvalues decay, the slowest as exp({slowest:.4g} t)."
        )
    if lin.is_holonomic:
        return _by_energy(lin, scale)
    return _marginal(lin)


def _real_parts(values: NDArray[np.complex128], scale: float) -> Vector:
    """Real parts; of eigenvalues that rounding has spread from one chained value, that of their middle."""
    near = np.abs(np.subtract.outer(values, values)) <= TOGETHER * scale
    return np.asarray(near @ values.real / near.sum(axis=1))


def _growing(growing: NDArray[np.complex128]) -> Stability:
    worst = growing[np.argmax(growing.real)]
    rate = f"growing as exp({worst.real:.4g} t)"
    if worst.imag == 0:
        return Stability("unstable", "divergence", f"a real eigenvalue is positive: it leaves monotonically, {rate}.")
    return Stability(
        "unstable",
        "flutter",
        f"a pair of eigenvalues has a positive real part: oscillations at {abs(worst.imag):.4g} {rate}.",
    )


def _by_energy(lin: Linearization, scale: float) -> Stability:
    """What the energy proves: with the momenta of ignorable coordinates held, in the others."""
    size = float(np.max(np.abs(lin.M), initial=0.0)) * scale**2 or 1.0
    rate = float(np.max(np.abs(lin.M), initial=0.0)) * scale or 1.0
    damped = np.linalg.eigvalsh(lin.D) if len(lin.D) else np.zeros(0)
    has_gyro = bool(np.max(np.abs(lin.G), initial=0.0) > 1e-9 * rate)
    has_damping = bool(np.max(np.abs(damped), initial=0.0) > 1e-9 * rate)
    if np.max(np.abs(lin.N), initial=0.0) > 1e-9 * size or np.min(damped, initial=0.0) < -1e-9 * rate:
        return _marginal(lin)
    K, others = amended_stiffness(lin)
    stiffness = np.linalg.eigvalsh(K) if len(K) else np.zeros(0)
    least = float(np.min(stiffness, initial=np.inf))
    if others and not has_damping and least > 1e-9 * size:
        names = ", ".join(lin.states[k] for k in others)
        where = "the amended potential has a strict minimum here (Routh)"
        return Stability("stable", "Routh", f"{where}, with the momenta of {names} held; these may drift.")
    if others:
        return _marginal(lin)
    if least > 1e-9 * size:
        if not has_damping and not has_gyro:
            return Stability(
                "stable", "Dirichlet", "the potential energy has a strict minimum here (Lagrange-Dirichlet)."
            )
        why = "gyroscopic and damping forces do not take that away (Kelvin-Tait-Chetaev)"
        return Stability("stable", "Dirichlet", f"the stiffness is positive definite, and {why}.")
    if has_gyro and least < -1e-9 * size and not lin.spectrum.zeros:
        return Stability(
            "undecided", "gyroscopic stabilisation",
            "the stiffness is not positive, and gyroscopic forces alone hold it: oscillations in linear theory, which "
            "any complete damping makes unstable (Kelvin-Tait-Chetaev).",
        )  # fmt: skip
    return _marginal(lin)


def amended_stiffness(lin: Linearization) -> tuple[Vector, list[int]]:
    """K of the coordinates that matter, with the momenta of ignorable ones held, and the places of these.

    Their momenta p_i = M_ii i' + M_ie e' + C_ie e are constant, so i' follows, and K_ee - C_ei M_ii^-1 C_ie is left.
    """
    rest = lin.ignorable
    e = [k for k in range(len(lin.M)) if k not in set(rest)]
    rates, places = lin.D + lin.G, lin.K + lin.N
    K = places[np.ix_(e, e)]
    if rest:
        K = K - rates[np.ix_(e, rest)] @ np.linalg.solve(lin.M[np.ix_(rest, rest)], rates[np.ix_(rest, e)])
    return 0.5 * (K + K.T), rest


def _marginal(lin: Linearization) -> Stability:
    zeros, kinematic = lin.spectrum.zeros, len(lin.displacements.independent) - len(lin.velocities.independent)
    said = "no eigenvalue grows, but some do not decay"
    if zeros:
        said += f"; {zeros} of them are zero"
    if kinematic:
        said += f" ({kinematic} since velocity constraints leave displacements without forces)"
    elif lin.spectrum.is_chained:
        said += ", chained so that neighbours drift (a coordinate on which nothing depends, or a threshold)"
    return Stability("undecided", "marginal", f"{said}: linear theory does not decide.")
