"""Methods of fixed step move driven systems, whose momenta depend on time, as accurately as others."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from sympy import cos, sin

import cardan as cd

G = 9.81


def hoop() -> tuple[cd.System, object]:
    """A bead on a hoop of radius 1 whose rate varies: phi = 3 t + sin(2 t)."""
    s = cd.System("hoop")
    phi, a = s.coordinates("phi a")
    s.prescribe(phi, 3 * s.time + sin(2 * s.time))
    s.kinetic_energy((a.dot**2 + sin(a) ** 2 * phi.dot**2) / 2)
    s.potential(-G * cos(a))

    def rates(t: float, y: NDArray[np.float64]) -> list[float]:
        rate = 3 + 2 * np.cos(2 * t)
        return [y[1], rate**2 * np.sin(y[0]) * np.cos(y[0]) - G * np.sin(y[0])]

    return s, rates


def shaken() -> tuple[cd.System, object]:
    """A pendulum of length 1 whose pivot moves by x = sin(5 t) / 3: momenta depend on time."""
    s = cd.System("shaken")
    x, a = s.coordinates("x a")
    s.prescribe(x, sin(5 * s.time) / 3)
    s.kinetic_energy(((x.dot + a.dot * cos(a)) ** 2 + (a.dot * sin(a)) ** 2) / 2)
    s.potential(-G * cos(a))

    def rates(t: float, y: NDArray[np.float64]) -> list[float]:
        pull = -25 / 3 * np.sin(5 * t)
        return [y[1], -G * np.sin(y[0]) - pull * np.cos(y[0])]

    return s, rates


@pytest.mark.parametrize("method", ["energy-momentum", "RATTLE", "symplectic"])
@pytest.mark.parametrize("made", [hoop, shaken])
def test_errors_fall_with_the_square_of_the_step(made: object, method: str):
    s, rates = made()  # type: ignore[operator]
    exact = solve_ivp(rates, (0, 3.0), [1.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-12).y[0, -1]
    off = [abs(s.simulate(3.0, q={"a": 1.0}, method=method, step=h)["a"][-1] - exact) for h in (0.02, 0.01, 0.005)]
    assert off[0] < 5e-3  # a step of 0.02 s is about 1/100 of the swing
    ratios = np.array(off[:-1]) / off[1:]
    assert np.all(abs(ratios - 4) < 0.2), f"order two divides by four: {ratios}"
