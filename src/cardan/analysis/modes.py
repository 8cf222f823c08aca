"""How a system rings about a rest: M x" + K x = 0, frequencies and shapes; damping and forced response beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import eigh

from cardan.analysis.damped import DampedModes, damped_modes
from cardan.analysis.linear import Linearization
from cardan.errors import ModelError, unknown
from cardan.native.once import once
from cardan.native.showing import Shown, heading, table

Vector = NDArray[np.float64]
Complex = NDArray[np.complex128]

RIGID = 1e-10  # of the largest: squares of frequencies below it are those of rigid motions
SKEW = 1e-9  # of the stiffness: circulatory terms below it are rounding


@dataclass(frozen=True)
class Modes(Shown):
    """Undamped modes about a rest, the slowest first; shapes have unit modal mass, shape^T M shape = 1.

    ``squares`` are the squares of the frequencies: negative where the rest is unstable, zero for rigid motions.
    """

    linear: Linearization
    squares: Vector
    shapes: Vector  # displacements of all coordinates, one column each

    @property
    def frequencies(self) -> Vector:
        """In radians per unit of time; zero for rigid motions, nan for motions that grow instead."""
        with np.errstate(invalid="ignore"):
            return np.sqrt(self.squares)

    @property
    def rigid(self) -> int:
        """How many of them need no force: whole-body motions."""
        return int(np.sum(self.squares == 0))

    @property
    def names(self) -> list[str]:
        """Of the rows of the shapes."""
        return self.linear.place.names

    @property
    def reduced_shapes(self) -> Vector:
        """The shapes in the independent coordinates of ``linear``."""
        return self.shapes[self.linear.displacements.independent]

    @once
    def modal_damping(self) -> Vector:
        """shapes^T D shapes: diagonal where damping is proportional."""
        X = self.reduced_shapes
        return np.asarray(X.T @ self.linear.D @ X)

    @property
    def is_proportional(self) -> bool:
        """Whether damping leaves the modes as they are."""
        C = self.modal_damping
        off = C - np.diag(np.diag(C))
        return bool(np.max(np.abs(off), initial=0.0) <= SKEW * max(float(np.max(np.abs(C), initial=0.0)), 1e-300))

    @property
    def ratios(self) -> Vector:
        """Damping ratios of the modes, from the diagonal of modal damping; nan for rigid motions."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.diag(self.modal_damping) / (2 * np.where(self.squares > 0, self.frequencies, np.nan)))

    @once
    def damped(self) -> DampedModes:
        """The modes with their damping, proportional or not, and with gyroscopic terms: complex shapes."""
        return damped_modes(self.linear)

    def response(self, signal: str, omegas: ArrayLike) -> Complex:
        """Displacements of all coordinates per unit of a load or input that oscillates, one row for each frequency."""
        lin = self.linear
        if signal not in lin.inputs:
            raise unknown(signal, lin.inputs, f"load or input of {lin.place.kernel.model.name!r}")
        b, n = lin.B[:, lin.inputs.index(signal)], len(lin.A)
        top = lin.T[: len(self.names)]
        rows = [top @ np.linalg.solve(1j * w * np.eye(n) - lin.A, b) for w in np.atleast_1d(np.asarray(omegas, float))]
        return np.array(rows)

    def __len__(self) -> int:
        return len(self.squares)

    def __repr__(self) -> str:
        said = ", ".join(f"{x:.6g}" for x in self.frequencies[:6])
        more = ", ..." if len(self) > 6 else ""
        return f"Modes({self.linear.place.kernel.model.name!r}: {said}{more} rad per unit of time)"

    def _pieces(self) -> Iterator[str]:
        yield heading(f"{len(self.squares)} mode{'s' * (len(self.squares) != 1)}")
        names = self.linear.place.names
        rows = [
            (k, *((frequency, frequency / (2 * np.pi)) if frequency == frequency else ("grows", "")), *shape)
            for k, (frequency, shape) in enumerate(zip(self.frequencies.tolist(), self.shapes.T.tolist(), strict=True))
        ]
        yield table(rows, ("mode", "rad/s", "Hz", *names))


def modes_of(lin: Linearization) -> Modes:
    """The modes of linear equations about a rest."""
    if lin.about != "equilibrium":
        raise ModelError(
            f"{lin.place.kernel.model.name!r} moves at this state; modes are those of a rest. See lin.eigenvalues."
        )
    M, K = lin.M, lin.K
    if np.max(np.abs(lin.N), initial=0.0) > SKEW * max(float(np.max(np.abs(K), initial=0.0)), 1e-300):
        raise ModelError(
            f"Forces that follow the motion of {lin.place.kernel.model.name!r} make its stiffness unsymmetric, so that "
            "it has no real modes. See lin.eigenvalues and lin.stability."
        )
    squares, X = eigh(K, M) if len(M) else (np.zeros(0), np.zeros((0, 0)))
    largest = float(np.max(np.abs(squares), initial=0.0))
    squares = np.where(np.abs(squares) <= RIGID * largest, 0.0, squares)
    shapes = lin.displacements.Z @ X
    signs = np.sign(shapes[np.argmax(np.abs(shapes), axis=0), np.arange(len(squares))]) if len(squares) else 1.0
    return Modes(lin, squares, shapes * signs)
