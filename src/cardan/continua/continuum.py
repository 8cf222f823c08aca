"""What strings, rods, shafts and beams have in common: frequencies, modes, and spans in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from cardan.continua import characteristic, roots
from cardan.continua import elements as elements_of
from cardan.continua.assumed import assumed
from cardan.continua.counting import Line
from cardan.continua.discrete import Discrete
from cardan.continua.dispersion import Dispersion, dispersion
from cardan.continua.ends import Given, Vocabulary, number, positive
from cardan.continua.forced import receptance
from cardan.continua.modes import Modes, modes
from cardan.continua.response import Response, response
from cardan.continua.spans import Array, Span
from cardan.continua.starts import Start
from cardan.errors import ModelError, WrongShape, unknown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Target = str | PathLike[str]
MOST = 1000  # modes of one question


class Continuum:
    """Uniform spans between places, each held, free, or free with springs and masses on it.

    Strings, rods, shafts and beams are made by their own classes; ``join`` puts spans in a row.
    """

    words: ClassVar[Vocabulary]

    def __init__(self, span: Span, left: Given, right: Given) -> None:
        self.line = Line((span,), (self.words.place(left, "left end"), self.words.place(right, "right end")))

    def join(self, other: Self, at: Given = "free") -> Self:
        """This one and, to its right, the other: a step in section, or a further span.

        ``at`` says what holds the place where they meet, as it is said of ends ("free" where nothing does). What was
        said of the two ends that meet is left aside.
        """
        if type(other) is not type(self):
            raise ModelError(f"A {type(self).__name__} is joined to its like, found {type(other).__name__}.")
        middle = self.words.place(at, "place where they meet")
        joined = type(self).__new__(type(self))
        places = (*self.line.places[:-1], middle, *other.line.places[1:])
        joined.line = Line((*self.line.spans, *other.line.spans), places)
        return joined

    @property
    def length(self) -> float:
        """From the left end to the right."""
        return self.line.positions[-1]

    @property
    def rigid(self) -> int:
        """How many modes of frequency zero there are: motions of the whole as a rigid body."""
        return self.line.rigid

    @property
    def characteristic(self) -> sp.Eq:
        """The characteristic equation, for one uniform span; its symbols are wave numbers times the length."""
        return characteristic.characteristic(self.line)

    @property
    def wave_numbers(self) -> dict[sp.Symbol, sp.Expr]:
        """The symbols of the characteristic equation as functions of the frequency omega."""
        return characteristic.wave_numbers(self.line)

    def frequencies(self, count: int) -> Array:
        """The lowest frequencies (rad per unit of time), zero for rigid motions, each as often as it has modes.

        They are roots of the exact characteristic equation, found between counts of the modes below
        [Wittrick1971], so that none is missed.
        """
        return np.array(roots.frequencies(self.line, checked_count(count)))

    def count_below(self, omega: float) -> int:
        """How many modes have a frequency below omega, without finding them."""
        from mpmath.ctx_mp import MPContext

        ctx = MPContext()
        return self.line.count(ctx.mpf(positive(omega, "The frequency")) ** 2, ctx).below

    def modes(self, count: int) -> Modes:
        """The lowest modes: frequencies, and shapes of generalised mass one as functions of x."""
        return modes(self.line, roots.frequencies(self.line, checked_count(count)))

    def response(
        self, u0: Start | None = None, v0: Start | None = None, *, modes: int = 40, kinks: Sequence[float] = ()
    ) -> Response:
        """The motion from u(x, 0) = u0 and u_t(x, 0) = v0 (expressions of one symbol, or functions), by a series.

        ``kinks`` are places where the start is not smooth; integrals are divided there. Those of expressions with
        Piecewise, Abs, Min, Max, Heaviside and sign are found.
        """
        return response(self.modes(modes), u0, v0, kinks)

    def receptance(self, at: float, force_at: float, omega: float) -> float:
        """The displacement u(at) per harmonic force at ``force_at``, in the steady motion of frequency omega: exact.

        Positive where it is in phase with the force. The impedance, force over velocity, is 1/(i omega receptance).
        """
        where, driven = number(at, "The place"), number(force_at, "The place of the force")
        return receptance(self.line, where, driven, positive(omega, "The frequency"))

    def dispersion(self, k: ArrayLike) -> list[Dispersion]:
        """Frequencies, phase and group speeds of waves of wave number k, branch by branch."""
        return dispersion(self.line, k)

    def plot(self, count: int = 4, *, path: Target | None = None) -> Figure:
        """A figure of the lowest modes; saved to ``path`` (.png, .svg, .pdf) if given."""
        from cardan.continua.pictures import plot_modes

        return plot_modes(self.modes(count), path)

    def plot_dispersion(self, longest: float | None = None, *, path: Target | None = None) -> Figure:
        """A figure of the dispersion relation, up to the wave number ``longest`` (twenty over the length)."""
        from cardan.continua.pictures import plot_dispersion

        most = 20.0 / self.length if longest is None else positive(longest, "The largest wave number")
        return plot_dispersion(self.dispersion(np.linspace(most / 400, most, 400)), path)

    def finite_elements(self, elements: int) -> Discrete:
        """Linear elements of a string, cubic ones of a beam: frequencies from above, their errors as h^2 and h^4."""
        return elements_of.finite_elements(self.line, elements)

    def lumped(self, parts: int) -> Discrete:
        """Masses at nodes joined by light links, bent against springs where it is a beam: errors as h^2."""
        return elements_of.lumped(self.line, parts)

    def assumed(self, *shapes: sp.Expr, x: sp.Symbol) -> Discrete:
        """Shapes of one's choice, as functions of the symbol x (Rayleigh and Ritz): frequencies from above."""
        return assumed(self.line, shapes, x)

    def rayleigh(self, shape: sp.Expr, *, x: sp.Symbol) -> float:
        """The frequency of one assumed shape: never below the first, and exact for the shape of a mode."""
        return float(self.assumed(shape, x=x).frequencies(1)[0])

    def convergence(
        self, model: str = "finite_elements", *, mode: int = 1, counts: Sequence[int] = (8, 16, 32)
    ) -> Convergence:
        """Errors of the mode-th frequency (1 is the lowest that is not zero) of a model of so many parts."""
        models = {"finite_elements": self.finite_elements, "lumped": self.lumped}
        if model not in models:
            raise unknown(model, models, "model with parts")
        which = checked_count(mode) + self.rigid
        exact = self.frequencies(which)[-1]
        found = [models[model](count).frequencies(which)[-1] for count in counts]
        return Convergence(np.array(counts), np.array(found) / exact - 1)


@dataclass(frozen=True)
class Convergence:
    """Relative errors of a frequency for growing numbers of parts."""

    counts: NDArray[np.int64]
    errors: Array

    @property
    def orders(self) -> Array:
        """The power of the size of a part by which the error falls, between neighbouring numbers of parts."""
        return np.asarray(-np.diff(np.log(np.abs(self.errors))) / np.diff(np.log(self.counts)))


def checked_count(count: int) -> int:
    """A number of modes that can be asked for."""
    if not 1 <= count <= MOST or int(count) != count:
        raise WrongShape(f"Ask for 1 to {MOST} modes, found {count!r}.", count=count)
    return int(count)
