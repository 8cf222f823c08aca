"""d'Alembert's solution: u(x, t) = f(x - c t) + g(x + c t), with reflections at both ends.

At a fixed end a wave comes back upside down, at a free end as it is. So f and g are functions on the whole line, made
of the start between the ends and of its mirror images, and nothing is summed: kinks stay sharp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from cardan.continua.counting import Line
from cardan.continua.spans import Array, WaveSpan
from cardan.continua.starts import Antiderivative, Start, function, kinks_of
from cardan.errors import ModelError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Travelling:
    """Two waves that run along a string, a rod, a shaft or a column of gas, and back."""

    length: float
    speed: float
    signs: tuple[int, int]  # of reflections at the left and the right end: -1 fixed, 1 free
    start: Callable[[Array], Array]
    velocity: Antiderivative

    def __call__(self, x: ArrayLike, t: ArrayLike) -> Array:
        """Displacements at places x and times t; of both many, a row for every time."""
        return self.right(x, t) + self.left(x, t)

    def right(self, x: ArrayLike, t: ArrayLike) -> Array:
        """f(x - c t), the wave that runs to the right."""
        s = np.asarray(x, dtype=float) - self.speed * np.asarray(t, dtype=float)[..., None]
        return self._shaped((self._mirrored(s) - self._integral(s) / self.speed) / 2, x, t)

    def left(self, x: ArrayLike, t: ArrayLike) -> Array:
        """g(x + c t), the wave that runs to the left."""
        s = np.asarray(x, dtype=float) + self.speed * np.asarray(t, dtype=float)[..., None]
        return self._shaped((self._mirrored(s) + self._integral(s) / self.speed) / 2, x, t)

    @property
    def period(self) -> float:
        """After which the motion repeats (but for a steady drift of a string with free ends)."""
        return 2 * self.length / self.speed * (1 if self.signs[0] == self.signs[1] else 2)

    def plot(self, duration: float | None = None, *, path: str | PathLike[str] | None = None) -> Figure:
        """A figure of the motion over place and time, of one period unless said."""
        from cardan.continua.pictures import plot_motion

        return plot_motion(self, self.length, self.period if duration is None else duration, path)

    def animate(
        self, path: str | PathLike[str], duration: float | None = None, *, pictures: int = 120, fps: float = 25.0
    ) -> Path:
        """A film (.gif or .mp4) of the motion with the two waves that it is the sum of; returns its path."""
        from cardan.continua.pictures import Motion, animate

        parts: dict[str, Motion] = {"u": self, "to the right": self.right, "to the left": self.left}
        return animate(parts, self.length, self.period if duration is None else duration, path, pictures, fps)

    def _mirrored(self, s: Array) -> Array:
        """The start continued by its images: with period 2 L, times the signs of both ends each time."""
        turns, rest = np.divmod(s, 2 * self.length)
        is_image = rest > self.length
        own = self.start(np.where(is_image, 2 * self.length - rest, rest))
        both = self.signs[0] * self.signs[1]
        return np.asarray(np.where(turns % 2 == 0, 1, both) * np.where(is_image, self.signs[1], 1) * own)

    def _integral(self, s: Array) -> Array:
        """The integral from 0 to s of the velocities at the start, continued likewise."""
        turns, rest = np.divmod(s, 2 * self.length)
        is_image = rest > self.length
        whole = self.velocity(np.array(self.length))
        own = self.velocity(np.where(is_image, 2 * self.length - rest, rest))
        part = np.where(is_image, whole + self.signs[1] * (whole - own), own)
        full = whole * (1 + self.signs[1])
        both = self.signs[0] * self.signs[1]
        if both == 1:
            return np.asarray(turns * full + part)
        return np.asarray(np.where(turns % 2 == 0, part, full - part))

    def _shaped(self, values: Array, x: ArrayLike, t: ArrayLike) -> Array:
        return np.asarray(values.reshape(np.shape(t) + np.shape(x)))


def travelling(line: Line, u0: Start | None, v0: Start | None, kinks: Sequence[float]) -> Travelling:
    """The two waves of a start, where the equation is the plain wave equation and ends are fixed or free."""
    (span, *others) = line.spans
    if others or not isinstance(span, WaveSpan) or span.foundation:
        raise ModelError(
            "Waves keep their shape on one uniform string, rod, shaft or gas column without foundation only."
        )
    for name, place in zip(("left", "right"), line.places, strict=True):
        if place[0].spring or place[0].mass:
            raise ModelError(f"A spring or mass at the {name} end changes the shape of a wave; use response(u0, v0).")
    left, right = (-1 if place[0].held else 1 for place in line.places)
    u, v = function(u0, "u(x, 0)"), function(v0, "u_t(x, 0)")
    c = float(np.sqrt(span.tension / span.density))
    return Travelling(span.length, c, (left, right), u, Antiderivative(v, span.length, [*kinks, *kinks_of(v0)]))
