"""Critical values found by halving on the right eigenvalue, beside their closed forms."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close

G = 9.81
CLOSE, HALVED = 1e-9, "halved to rounding; eigenvalues that meet are known to its root, the value to it"


def test_the_bottom_of_a_turning_hoop():
    """Omega^2 = g / R: a pitchfork."""
    s = cd.System("hoop")
    theta, omega = s.coordinates("theta"), s.parameters(Omega=1.0)
    s.lagrangian((theta.dot**2 + omega**2 * sin(theta) ** 2) / 2 + G * cos(theta))
    found = cd.critical_value(lambda w: s.with_values(Omega=w).linearize([0.0]), 1.0, 9.0)
    assert_close(found / sqrt(G), 1.0, within=CLOSE, because=HALVED)


@pytest.mark.parametrize(("shape", "count"), [("hoop", 4), pytest.param("disc", 3, marks=pytest.mark.long)])
def test_a_wheel_rolls_upright(shape: str, count: int):
    """spin^2 = g / (3 r) for a disc and g / (4 r) for a hoop; six coordinates, three constraints."""
    r, axial = 0.5, 1.0 if shape == "hoop" else 0.5
    s = cd.System(f"rolling {shape}")
    x, y, z, phi, theta, psi = s.coordinates("x y z phi theta psi")
    joint = cd.Free(x, y, z, cd.Euler("3-2-1", phi, theta, psi))
    inertia = np.array([1.0, 0.5, 0.5]) * axial * 1.3 * r**2
    body = s.body("wheel", mass=1.3, inertia=tuple(inertia), joint=joint)
    s.gravity(-G * s.world.z)
    s.roll(body, on=s.world, shape=cd.Disc(r, axis="x"))
    found = cd.critical_value(lambda w: s.linearize({"z": r}, {"psi": w}), 1.0, 9.0)
    assert_close(found / sqrt(G / (count * r)), 1.0, within=CLOSE, because=HALVED)


def test_the_sleeping_top():
    """C^2 w^2 = 4 A m g l, upright, where its Euler angles are singular."""
    A, C, mgl = 0.05, 0.01, 1.962
    s = cd.System("sleeping top")
    joint = cd.Ball(cd.Euler("3-1-3", *s.coordinates("a b c")))
    inertia = (A - (mgl / G) ** 2, A - (mgl / G) ** 2, C)
    s.body("top", mass=1.0, com=(0, 0, mgl / G), inertia=inertia, joint=joint)
    s.gravity(-G * s.world.z)
    found = cd.critical_value(lambda w: s.linearize([0, 0, 0], [0, 0, w]), 10.0, 200.0)
    assert_close(found / (2 * sqrt(A * mgl) / C), 1.0, within=CLOSE, because=HALVED)


def test_a_standing_chain_buckles_under_its_weight():
    """Two links with springs k at their joints, standing: det(K - W) = 0 for the moments of their weights.

    V = k a^2 / 2 + k (b - a)^2 / 2 + (3/2 cos(a) + 1/2 cos(b)) m g l, so (2 k - 3/2 w)(k - w / 2) = k^2 for w = m g l.
    """
    s = cd.System("standing chain")
    a, b = s.coordinates("a b")
    k, w = s.parameters(k=1.0, w=0.1)
    s.lagrangian((a.dot**2 * 4 / 3 + a.dot * b.dot * cos(a - b) + b.dot**2 / 3) / 2
                 - k * a**2 / 2 - k * (b - a) ** 2 / 2 - w * (3 * cos(a) / 2 + cos(b) / 2))  # fmt: skip
    found = cd.critical_value(lambda load: s.with_values(w=load).linearize([0, 0]), 0.01, 1.2)
    expected = min(np.roots([3 / 4, -5 / 2, 1.0]).real)
    assert_close(found / expected, 1.0, within=CLOSE, because=HALVED)


@pytest.mark.parametrize("damping", [0.1, 0.4])
def test_a_rotor_with_inner_damping_whirls(damping: float):
    """Laval rotor with damping c_o outside and c_i inside: unstable above w = sqrt(k / m) (1 + c_o / c_i)."""
    s = cd.System("Laval rotor")
    x, y = s.coordinates("x y")
    k, outer, speed = 4.0, 0.2, s.parameters(speed=1.0)
    s.lagrangian((x.dot**2 + y.dot**2 - k * (x**2 + y**2)) / 2)
    s.generalized_force(x, -outer * x.dot - damping * (x.dot + speed * y))
    s.generalized_force(y, -outer * y.dot - damping * (y.dot - speed * x))
    found = cd.critical_value(lambda w: s.with_values(speed=w).linearize([0, 0]), 0.1, 50.0)
    assert_close(found / (sqrt(k) * (1 + outer / damping)), 1.0, within=CLOSE, because=HALVED)


def test_flutter_of_a_wing_section():
    """Two freedoms and a lift q that follows the twist: h" + k h + q th = 0, (th" + x h") ... where roots meet.

    m = 1, inertia r2, static moment x: det [[kh - w2, q - x w2], [-x w2, kt - r2 w2]] = 0 is a quadratic in w2 with a
    double root at flutter.
    """
    x, r2, kh, kt = 0.2, 0.25, 1.0, 1.0
    s = cd.System("wing section")
    h, th = s.coordinates("h theta")
    lift = s.parameters(lift=0.1)
    s.lagrangian((h.dot**2 + 2 * x * h.dot * th.dot + r2 * th.dot**2 - kh * h**2 - kt * th**2) / 2)
    s.generalized_force(h, -lift * th)
    found = cd.critical_value(lambda q: s.with_values(lift=q).linearize([0, 0]), 0.0, 5.0)
    # (r2 - x^2) w2^2 - (kt + r2 kh - x q) w2 + kh kt = 0: double where (kt + r2 kh - x q)^2 = 4 (r2 - x^2) kh kt
    expected = (kt + r2 * kh - 2 * sqrt((r2 - x**2) * kh * kt)) / x
    assert_close(found / expected, 1.0, within=CLOSE, because=HALVED)


def test_no_change_between_the_ends_is_said():
    s = cd.System("oscillator")
    a = s.coordinates("a")
    k = s.parameters(k=1.0)
    s.lagrangian((a.dot**2 - k * a**2) / 2)
    with pytest.raises(ModelError, match="not unstable at both ends"):
        cd.critical_value(lambda x: s.with_values(k=x).linearize([0.0]), 1.0, 2.0)
