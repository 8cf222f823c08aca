"""String, rod and shaft: one equation, S u'' = rho u_tt, under three names."""

from __future__ import annotations

from collections.abc import Sequence

from cardan.continua.continuum import Continuum
from cardan.continua.ends import GAS, TWIST, WAVE, Given, not_negative, positive
from cardan.continua.spans import WaveSpan
from cardan.continua.starts import Start
from cardan.continua.travelling import Travelling, travelling


class WaveContinuum(Continuum):
    """What moves by the wave equation, under any of its names."""

    def dalembert(self, u0: Start | None = None, v0: Start | None = None, *, kinks: Sequence[float] = ()) -> Travelling:
        """The motion from u(x, 0) = u0 and u_t(x, 0) = v0 as two waves that run, and are reflected at the ends."""
        return travelling(self.line, u0, v0, kinks)


class String(WaveContinuum):
    """A string of tension T and mass rho per length, moving across: T u'' - k u = rho u_tt.

    Ends are "fixed", "free" (a ring on a frictionless rod), or free with things on them: ``{"mass": m, "spring": k}``.
    ``foundation`` is k, a stiffness per length to the ground.
    """

    words = WAVE

    def __init__(
        self,
        *,
        length: float,
        tension: float,
        rho: float,
        left: Given = "fixed",
        right: Given = "fixed",
        foundation: float = 0.0,
    ) -> None:
        super().__init__(_span(length, tension, "tension", rho, "rho", foundation), left, right)


class Rod(WaveContinuum):
    """A rod of stiffness EA and mass rho_A per length, moving along: EA u'' = rho_A u_tt. Ends as of a String."""

    words = WAVE

    def __init__(
        self,
        *,
        length: float,
        EA: float,
        rho_A: float,
        left: Given = "fixed",
        right: Given = "free",
        foundation: float = 0.0,
    ) -> None:
        super().__init__(_span(length, EA, "EA", rho_A, "rho_A", foundation), left, right)

    @classmethod
    def shear_layer(
        cls, *, length: float, GA: float, rho_A: float, left: Given = "fixed", right: Given = "free"
    ) -> Rod:
        """Layers that slide over each other, a tall building or a stratum of soil: GA u'' = rho_A u_tt."""
        return cls(length=length, EA=positive(GA, "GA"), rho_A=rho_A, left=left, right=right)


class GasColumn(WaveContinuum):
    """Gas in a tube of a given cross-section: gamma p A u'' = rho A u_tt. Ends are "closed" or "open", or a piston."""

    words = GAS

    def __init__(
        self,
        *,
        length: float,
        pressure: float,
        density: float,
        gamma: float = 1.4,
        area: float = 1.0,
        left: Given = "closed",
        right: Given = "open",
    ) -> None:
        section = positive(area, "The area")
        stiffness = positive(gamma, "gamma") * positive(pressure, "The pressure") * section
        span = _span(length, stiffness, "gamma p A", positive(density, "The density") * section, "rho A", 0.0)
        super().__init__(span, left, right)


class Shaft(WaveContinuum):
    """A round shaft of stiffness GJ and polar moment rho_J per length, turning: GJ a'' = rho_J a_tt.

    Ends are "fixed", "free", or carry a disc on a torsion spring: ``{"inertia": I, "spring": k}``.
    """

    words = TWIST

    def __init__(self, *, length: float, GJ: float, rho_J: float, left: Given = "fixed", right: Given = "free") -> None:
        super().__init__(_span(length, GJ, "GJ", rho_J, "rho_J", 0.0), left, right)


def _span(
    length: float, stiffness: float, stiffness_word: str, density: float, density_word: str, foundation: float
) -> WaveSpan:
    return WaveSpan(
        length=positive(length, "The length"),
        tension=positive(stiffness, f"{stiffness_word}"),
        density=positive(density, f"{density_word}"),
        foundation=not_negative(foundation, "The foundation"),
    )
