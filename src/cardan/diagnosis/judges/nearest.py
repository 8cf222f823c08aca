"""How far a nearly singular configuration is from a singular one, and in which direction: Newton steps on an indicator.

An indicator is a smallest singular value: near its zeros it grows like the distance, so one step is nearly exact.
Distances are measured in units of the box: pi for angles, the extent of the model for lengths.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.words import listed, number

Vector = NDArray[np.float64]
Measure = Callable[[Vector], Vector]  # states, one row each -> indicator of each

STEPS = 14
DIFFERENCE = 1e-7  # step of the central differences, in units of the box
LONGEST = 0.1  # a Newton step is cut to this much of the box
FALLS = 1e-3  # an indicator that falls to this part of its value is taken to fall to zero


@dataclass(frozen=True)
class Approach:
    """The way to the nearest singular configuration found: velocity-like step, its length in units of the box."""

    names: tuple[str, ...]
    step: Vector
    distance: float
    is_reached: bool
    least: float  # value of the indicator there
    state: Vector

    @property
    def text(self) -> str:
        """In the user's coordinates."""
        if not self.is_reached:
            return f"no singular configuration lies close by; the smallest value found nearby is {self.least:.2g}"
        size = float(np.max(np.abs(self.step), initial=0.0))
        parts = [
            f"{name} {'increases' if x > 0 else 'decreases'} by {number(abs(x))}"
            for name, x in zip(self.names, self.step, strict=True)
            if abs(x) > 1e-3 * size
        ]
        return f"it becomes singular when {listed(parts)} (distance {self.distance:.2g} of the typical size)"

    def evidence(self, v: Vector) -> dict[str, object]:
        """As data: distance, step by coordinate, and the speed of approach in this state (per unit of time)."""
        speed = float(self.step @ v) / float(self.step @ self.step) if np.any(self.step) else 0.0
        return {
            "distance": self.distance if self.is_reached else None,
            "step": dict(zip(self.names, self.step.tolist(), strict=True)),
            "approach_rate": speed,
            "least": self.least,
            "is_reached": self.is_reached,
        }


def nearest_singular(cloud: Cloud, measure: Measure, y: Vector) -> Approach:
    """The nearest zero of an indicator found by damped Newton steps along the constraints."""
    here = y.copy()
    here[cloud.nq : cloud.nq + cloud.n] = 0.0
    value = first = float(measure(here[None])[0])
    total = np.zeros(cloud.n)
    for _ in range(STEPS):
        if value <= FALLS * first:
            break
        D = _directions(cloud, here)
        k = D.shape[1]
        both = np.concatenate([DIFFERENCE * D.T, -DIFFERENCE * D.T])
        values = measure(cloud.moved(np.repeat(here[None], 2 * k, axis=0), both))
        slope = (values[:k] - values[k:]) / (2 * DIFFERENCE)
        steep = float(slope @ slope)
        if steep == 0.0:
            break
        x = -value / steep * slope
        x *= min(1.0, LONGEST / float(np.linalg.norm(x)))
        moved, new, step = _try(cloud, measure, here, D, x, value)
        if not new < value:
            break
        here, value, total = moved, new, total + step
    distance = float(np.linalg.norm(total / cloud.box))
    return Approach(tuple(cloud.names), total, distance, value <= FALLS * first, value, here)


def _directions(cloud: Cloud, y: Vector) -> Vector:
    """Columns: steps of unit length in the box that the constraints allow."""
    if not cloud.m:
        return np.diag(cloud.box)
    Z, _ = np.linalg.qr(cloud.allowed(y) / cloud.box[:, None])
    return np.asarray(cloud.box[:, None] * Z)


def _try(cloud: Cloud, measure: Measure, y: Vector, D: Vector, x: Vector, value: float) -> tuple[Vector, float, Vector]:
    """The longest of a few shortened steps that reduces the indicator."""
    step = D @ x
    for factor in 0.5 ** np.arange(6):
        states = cloud.feasible(cloud.moved(y[None], factor * step[None]))
        if len(states):
            new = float(measure(states)[0])
            if new < value:
                return states[0], new, factor * step
    return y, value, np.zeros(cloud.n)
