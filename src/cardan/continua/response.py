"""The motion after a start, as a sum of modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from cardan.continua.counting import Line
from cardan.continua.modes import Modes, panels
from cardan.continua.spans import Array
from cardan.continua.starts import Start, function, kinks_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEP = 1e-6  # of the length, for the slope of a start that is given as a function


@dataclass(frozen=True)
class Response:
    """u(x, t) = sum of q_k(t) times mode k, with q_k and their rates at the start."""

    modes: Modes
    amplitudes: Array  # q_k(0)
    rates: Array  # dq_k/dt(0)
    left_out: float  # of the start, the share that the modes do not hold: of sqrt(mass * u^2), or of the speeds

    def __call__(self, x: ArrayLike, t: ArrayLike) -> Array:
        """Displacements at places x and times t; of both many, a row for every time."""
        shapes = np.stack([mode(x) for mode in self.modes])
        return np.asarray(np.tensordot(self.coordinates(t)[0], shapes, axes=1))

    def velocity(self, x: ArrayLike, t: ArrayLike) -> Array:
        """u_t at places x and times t."""
        shapes = np.stack([mode(x) for mode in self.modes])
        return np.asarray(np.tensordot(self.coordinates(t)[1], shapes, axes=1))

    def coordinates(self, t: ArrayLike) -> tuple[Array, Array]:
        """q_k(t) and their rates, in the last axis; rigid motions keep their velocity."""
        times, omega = np.asarray(t, dtype=float)[..., None], self.modes.frequencies
        turned = omega * times
        grown = times * np.sinc(turned / np.pi)  # sin(omega t) / omega, t where omega is zero
        q = self.amplitudes * np.cos(turned) + self.rates * grown
        return q, self.rates * np.cos(turned) - self.amplitudes * omega * np.sin(turned)

    def energies(self, t: ArrayLike = 0.0) -> Array:
        """The energy of every mode; no mode gives any to another."""
        q, rate = self.coordinates(t)
        return np.asarray(rate**2 / 2 + (self.modes.frequencies * q) ** 2 / 2)

    def energy(self, t: ArrayLike = 0.0) -> Array:
        """Kinetic and potential energy of all modes together."""
        return np.asarray(np.sum(self.energies(t), axis=-1))

    def plot(self, duration: float, *, path: str | PathLike[str] | None = None) -> Figure:
        """A figure of the motion over place and time."""
        from cardan.continua.pictures import plot_motion

        return plot_motion(self, self.modes.line.positions[-1], duration, path)

    def animate(self, path: str | PathLike[str], duration: float, *, pictures: int = 120, fps: float = 25.0) -> Path:
        """A film (.gif or .mp4) of the first ``duration`` of the motion; returns its path."""
        from cardan.continua.pictures import animate

        return animate({"u": self}, self.modes.line.positions[-1], duration, path, pictures, fps)


def response(modes: Modes, u0: Start | None, v0: Start | None, kinks: Sequence[float]) -> Response:
    """Shares of the modes in a start, by the orthogonality of modes."""
    u, v = function(u0, "u(x, 0)"), function(v0, "u_t(x, 0)")
    q, left_u = projected(modes, u, [*kinks, *kinks_of(u0)])
    qd, left_v = projected(modes, v, [*kinks, *kinks_of(v0)])
    return Response(modes, q, qd, max(left_u, left_v))


def projected(modes: Modes, f: Callable[[Array], Array], kinks: Sequence[float]) -> tuple[Array, float]:
    """The share of every mode in f, and what they leave out of it."""
    line = modes.line
    total, square = np.zeros(len(modes)), 0.0
    for x, weight, densities in panels(line, float(modes.frequencies[-1] ** 2), kinks):
        states = np.stack([mode.state(x) for mode in modes])
        for i, density in enumerate(densities):
            if density:
                own = displacement(line, f, x, i)
                total += density * states[..., i] @ (weight * own)
                square += density * float(weight @ own**2)
    at = np.array(line.positions)
    ends = np.stack([mode.state(at) for mode in modes])
    for k, place in enumerate(line.places):
        for i, freedom in enumerate(place):
            if freedom.mass:
                own = displacement(line, f, at[k : k + 1], i)
                total += freedom.mass * ends[:, k, i] * own
                square += freedom.mass * float(own[0] ** 2)
    missing = max(square - float(total @ total), 0.0)
    return total, float(np.sqrt(missing / square)) if square else 0.0


def displacement(line: Line, f: Callable[[Array], Array], x: Array, which: int) -> Array:
    """f, or its slope where the rotation of sections is asked for."""
    if which == 0:
        return f(x)
    h, L = STEP * line.positions[-1], line.positions[-1]
    low, high = np.maximum(x - h, 0.0), np.minimum(x + h, L)
    return np.asarray((f(high) - f(low)) / (high - low))
