"""Steady motions under harmonic forces, against closed forms and sums of modes."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close

ROD = cd.Rod(length=2.0, EA=3.0, rho_A=0.5)
CANTILEVER = cd.Beam(length=1.0, EI=1.0, rho_A=1.0)


@pytest.mark.parametrize("omega", [0.1, 1.7, 9.0, 40.0])
def test_a_rod_driven_at_its_end(omega: float):
    """u(x) = F sin(k x) / (EA k cos(k L))."""
    k = omega * np.sqrt(0.5 / 3.0)
    for x in (0.6, 2.0):
        expected = np.sin(k * x) / (3.0 * k * np.cos(2.0 * k))
        assert_close(
            ROD.receptance(x, 2.0, omega) / expected, 1.0, within=1e-12, because="round-off of the closed form"
        )


def test_a_slow_force_bends_as_a_steady_one():
    """L^3 / 3 EI at the tip of a cantilever, L^3 / 48 EI in the middle of a pinned beam."""
    assert_close(CANTILEVER.receptance(1.0, 1.0, 1e-6), 1 / 3, within=1e-12, because="omega^2")
    pinned = cd.Beam(length=2.0, EI=5.0, rho_A=1.0, left="pinned", right="pinned")
    assert_close(pinned.receptance(1.0, 1.0, 1e-6), 8 / (48 * 5), within=1e-12, because="omega^2")


@pytest.mark.parametrize(
    "one",
    [
        CANTILEVER,
        cd.Beam(length=1.0, EI=1.0, rho_A=1.0, right={"mass": 0.3}, tension=4.0),
        cd.Beam(length=0.5, EI=1.0, rho_A=1.0).join(cd.Beam(length=0.5, EI=2.0, rho_A=3.0), at={"spring": 30.0}),
    ],
)
def test_receptances_are_sums_of_modes_and_reciprocal(one: cd.Beam):
    a, b, omega = 0.35, 0.9, 30.0
    modes = one.modes(40)
    summed = sum(mode(a) * mode(b) / (mode.omega**2 - omega**2) for mode in modes)
    found = one.receptance(a, b, omega)
    assert_close(found, summed, within=2e-7, because="modes above the fortieth: the sum of 4 / (n pi)^4 is 5e-9")
    assert_close(one.receptance(b, a, omega), found, within=1e-16, because="Maxwell and Betti")


def test_what_cannot_be_driven_is_said():
    assert CANTILEVER.receptance(0.0, 0.5, 1.0) == 0.0
    with pytest.raises(ModelError, match="held"):
        CANTILEVER.receptance(0.5, 0.0, 1.0)
    with pytest.raises(ModelError, match="between 0 and the length"):
        CANTILEVER.receptance(1.5, 0.5, 1.0)
    with pytest.raises(ModelError, match="positive"):
        CANTILEVER.receptance(0.5, 0.5, 0.0)
