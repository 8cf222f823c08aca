"""Beams of Euler and Bernoulli, and of Timoshenko."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from cardan.continua.continuum import Continuum
from cardan.continua.discrete import Discrete
from cardan.continua.elements import finite_elements
from cardan.continua.ends import BEAM, Given, not_negative, number, positive
from cardan.continua.spans import Array, BeamSpan
from cardan.errors import ModelError, unknown


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

    def rotating(self, speed: float, *, hub: float = 0.0, plane: str = "flap", elements: int = 200) -> Discrete:
        """The beam on a hub of radius ``hub`` that turns: stiffened by the tension of what is farther out.

        In the plane "flap" it vibrates along the axis of rotation, in "lag" in the plane in which it turns, where the
        centrifugal force also pushes away from the radius (K - speed^2 M). Its left end is at the hub, its right end
        is free to move along the beam.
        """
        if plane not in ("flap", "lag"):
            raise unknown(plane, ("flap", "lag"), "plane of vibration")
        turning, radius = number(speed, "The speed"), not_negative(hub, "The radius of the hub")
        line, L = self.line, self.length
        starts, spans = np.array(line.positions), line.spans

        def tension(x: Array) -> Array:
            total = np.full_like(x, line.places[-1][0].mass * (radius + L))
            for start, span in zip(starts, spans, strict=False):
                low, high = np.clip(x, start, start + span.length), start + span.length
                total += span.mass[0] * ((radius + high) ** 2 - (radius + low) ** 2) / 2
            for position, place in zip(starts[1:-1], line.places[1:-1], strict=True):
                total += np.where(x < position, place[0].mass * (radius + position), 0.0)
            return total * turning**2

        made = finite_elements(line, elements, tension)
        if plane == "flap":
            return made
        rows = sparse.csr_array(sparse.vstack([made.strains, made.velocities]))
        return replace(made, strains=rows, stiffness=np.concatenate([made.stiffness, -(turning**2) * made.masses]))
