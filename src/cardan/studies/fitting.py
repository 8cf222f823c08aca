"""Parameters from measured motions: least squares, with what the data can tell and what they cannot.

    minimise sum ((model(t_i; x) - data_i) / sigma)^2

Derivatives of the motion by the parameters are exact (``slopes.py``), along constraints too. Where something interrupts
the motion, or what was measured is no coordinate or velocity of the model, they are central differences of runs, made
at a tolerance far below them. The covariance follows from the Jacobian at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import CardanError, ModelError, SimulationError, StartError, unknown
from cardan.native.showing import Shown
from cardan.studies.setup import Mover
from cardan.studies.slopes import slopes
from cardan.trajectory.settings import Settings

Vector = NDArray[np.float64]
BLIND = 1e-5  # least singular value of the scaled Jacobian, of the largest: below it a direction cannot be seen
RTOL = 1e-11  # of the runs: with central differences over STEP a derivative is good to about 1e-7
FAR = 1e6  # residual of a motion that does not reach the last measurement
STEP = 1e-4  # of a parameter, for central differences


@dataclass(frozen=True)
class Fit(Shown):
    """Fitted values with standard errors and a confidence interval each; ``unseen`` names what cannot be told apart."""

    names: tuple[str, ...]
    values: dict[str, float]
    errors: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    confidence: float
    covariance: Vector
    residuals: Vector
    unseen: tuple[str, ...]
    message: str
    gradients: str  # "exact", or "differences" where the motion is interrupted

    def __str__(self) -> str:
        told = [
            f"{name} = {self.values[name]:.6g}  ({100 * self.confidence:g} %: {low:.6g} to {high:.6g})"
            for name, (low, high) in self.intervals.items()
        ]
        blind = [f"cannot be told from these data: {one}" for one in self.unseen]
        return "\n".join([*told, *blind, self.message])


def fit(
    system: Mover, times: ArrayLike, data: Mapping[str, ArrayLike], start: Mapping[str, float],
    settings: dict[str, Any], bounds: Mapping[str, tuple[float, float]], sigma: float | None, confidence: float,
) -> Fit:  # fmt: skip
    """Parameters that bring the motion nearest to the data."""
    from scipy.optimize import least_squares

    names = tuple(start)
    settings = {"rtol": RTOL, **settings}
    t, measured = _measured(system, times, data, names)
    scale = np.array([abs(start[name]) or 1.0 for name in names])
    low, high = (np.array([bounds.get(name, (-np.inf, np.inf))[k] for name in names]) for k in (0, 1))

    problem = Problem(system, names, t, tuple(map(str, data)), measured, settings)
    exact = problem.has_slopes(np.array([start[name] for name in names], dtype=float))
    found = least_squares(
        problem.residuals, np.array([start[name] for name in names], dtype=float), bounds=(low, high), x_scale=scale,
        jac=problem.jacobian if exact else "3-point", diff_step=None if exact else np.full(len(names), STEP),
        xtol=1e-12, ftol=1e-12, gtol=1e-12,
    )  # fmt: skip
    sizes = np.maximum(np.abs(found.x), 1e-3 * scale)
    return _judged(found, names, sizes, sigma, confidence, "exact" if exact else "differences")


@dataclass(frozen=True)
class Problem:
    """What is minimised: runs with values of parameters beside what was measured."""

    system: Mover
    names: tuple[str, ...]
    t: Vector
    series: tuple[str, ...]
    measured: Vector
    settings: dict[str, Any]

    def asked(self) -> Settings:
        return Settings(float(self.t[-1] - self.settings.get("t0", 0.0)), **self.settings)

    def moved(self, x: Vector) -> Mover:
        return self.system.with_values(**dict(zip(self.names, x.tolist(), strict=True)))

    def residuals(self, x: Vector) -> Vector:
        run = self.moved(x).follow(replace(self.asked(), times=self.t))
        if len(run.t) < len(self.t):
            return np.full(self.measured.size, FAR)
        return np.concatenate([run[key] for key in self.series]) - self.measured

    def jacobian(self, x: Vector) -> Vector:
        """Exact slopes of the residuals; none where the motion does not reach its end."""
        model = self.system.kernels.model
        columns = [str(symbol) for symbol in (*model.q, *model.v)]
        try:
            table = slopes(self.moved(x).kernels, self.asked(), self.t, self.names)
        except (SimulationError, StartError):
            return np.zeros((self.measured.size, len(self.names)))
        return np.concatenate([table[:, columns.index(key), :] for key in self.series])

    def has_slopes(self, x: Vector) -> bool:
        """Whether slopes can be told: coordinates and velocities of a motion that nothing interrupts."""
        model = self.system.kernels.model
        if not {str(symbol) for symbol in (*model.q, *model.v)}.issuperset(self.series):
            return False
        try:
            slopes(self.moved(x).kernels, self.asked(), self.t, self.names)
        except CardanError:
            return False
        return True


def _measured(
    system: Mover, times: ArrayLike, data: Mapping[str, ArrayLike], names: Sequence[str]
) -> tuple[Vector, Vector]:
    t = np.atleast_1d(np.asarray(times, dtype=float))
    known = [str(symbol) for symbol in system.description.values]
    for name in names:
        if name not in known:
            raise unknown(name, known, f"parameter of {system.description.name!r}")
    columns = [np.asarray(one, dtype=float).ravel() for one in data.values()]
    if not columns or any(len(one) != len(t) for one in columns):
        raise ModelError(f"Every measured series needs {len(t)} numbers, found {[len(one) for one in columns]}.")
    return t, np.concatenate(columns)


def _judged(
    found: Any, names: tuple[str, ...], scale: Vector, sigma: float | None, confidence: float, gradients: str
) -> Fit:
    from scipy.stats import t as student

    J, r = found.jac, found.fun
    freedoms = max(len(r) - len(names), 1)
    variance = float(r @ r) / freedoms if sigma is None else sigma**2
    _, s, V = np.linalg.svd(J * scale, full_matrices=False)
    seen = s > BLIND * max(float(s[0]), 1e-300)
    inverse = (V[seen].T / s[seen] ** 2) @ V[seen]
    covariance = variance * inverse * np.outer(scale, scale)
    unseen = tuple(_direction(row, names) for row in V[~seen])
    errors = np.sqrt(np.diagonal(covariance))
    blind = [bool(np.any(np.abs(V[~seen][:, k]) > 1e-3)) for k in range(len(names))]
    errors = np.where(blind, np.inf, errors)
    factor = float(student.ppf(0.5 + confidence / 2, freedoms))
    values = dict(zip(names, found.x.tolist(), strict=True))
    deviations = dict(zip(names, errors.tolist(), strict=True))
    spans = {
        name: (values[name] - factor * deviations[name], values[name] + factor * deviations[name]) for name in names
    }
    return Fit(names, values, deviations, spans, confidence, covariance, r, unseen, str(found.message), gradients)


def _direction(row: Vector, names: Sequence[str]) -> str:
    """A direction of parameters that leaves the motion as it is, in words."""
    parts = [(name, x) for name, x in zip(names, row, strict=True) if abs(x) > 1e-3]
    return " together with ".join(name for name, _ in parts)
