"""Beams of Euler and Bernoulli, and of Timoshenko."""

from __future__ import annotations

from cardan.continua.continuum import Continuum
from cardan.continua.ends import BEAM, Given, not_negative, number, positive
from cardan.continua.spans import BeamSpan
from cardan.errors import ModelError


class Beam(Continuum):
    """A beam of bending stiffness EI and mass rho_A per length: EI w'''' - P w'' + k w = -rho_A w_tt.

    Ends are "clamped", "pinned", "sliding" or "free", and what is not held may carry things:
    ``{"mass": m, "inertia": J}``, ``{"support": "pinned", "rotational_spring": k}``. ``tension`` is P, negative where
    the beam is compressed, ``foundation`` is k, a stiffness per length. With ``kappa_GA``, the stiffness to shear, and
    ``rho_I``, the moment of inertia of sections per length, the beam is Timoshenko's.
    """

    words = BEAM

    def __init__(
        self,
        *,
        length: float,
        EI: float,
        rho_A: float,
        left: Given = "clamped",
        right: Given = "free",
        tension: float = 0.0,
        foundation: float = 0.0,
        kappa_GA: float | None = None,
        rho_I: float = 0.0,
    ) -> None:
        shear = None if kappa_GA is None else positive(kappa_GA, "kappa_GA")
        pull = number(tension, "The tension")
        if shear is not None and pull <= -shear:
            raise ModelError(
                f"A compression of {-pull:g} exceeds the stiffness to shear, {shear:g}: no straight beam carries it.",
                tension=pull,
                kappa_GA=shear,
            )
        span = BeamSpan(
            length=positive(length, "The length"),
            bending=positive(EI, "EI"),
            density=positive(rho_A, "rho_A"),
            tension=pull,
            foundation=not_negative(foundation, "The foundation"),
            rotary=not_negative(rho_I, "rho_I"),
            compliance=0.0 if shear is None else 1.0 / shear,
        )
        super().__init__(span, left, right)
