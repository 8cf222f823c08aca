"""Shapes of modes: they satisfy the equation and the ends, are orthogonal, and have generalised mass one."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError
from support.close import EPS, assert_close

UNIT = {"length": 1.0, "EI": 1.0, "rho_A": 1.0}
MANY = [
    cd.Beam(**UNIT),
    cd.Beam(**UNIT, left="free"),
    cd.Beam(**UNIT, left="pinned", right="pinned", tension=50.0),
    cd.Beam(**UNIT, left="free", right="free", foundation=1e3),
    cd.Beam(**UNIT, left="free", right="free", foundation=1e6),
    cd.Beam(**UNIT, left="clamped", right={"mass": 1.0, "inertia": 0.2, "spring": 30.0, "rotational_spring": 2.0}),
    cd.Beam(**UNIT, left="clamped", right="free", rho_I=1e-2, kappa_GA=10.0),
    cd.Beam(**UNIT, left="free", right="free", rho_I=1e-2, kappa_GA=10.0, tension=3.0),
    cd.Beam(**UNIT).join(cd.Beam(length=0.5, EI=3.0, rho_A=2.0, right="sliding"), at={"mass": 0.4, "inertia": 0.1}),
    cd.String(length=1.5, tension=80, rho=0.02, right={"mass": 0.01}),
    cd.String(length=1.5, tension=80, rho=0.02, left="free", right={"spring": 30}, foundation=100.0),
    cd.String(length=0.5, tension=1, rho=1).join(cd.String(length=0.5, tension=1, rho=1), at="fixed"),
]
every = pytest.mark.parametrize("one", MANY, ids=range(len(MANY)))


@every
def test_modes_are_orthonormal(one: cd.Beam | cd.String):
    count = 10
    assert_close(one.modes(count).orthogonality, np.eye(count), within=1e-12, because="round-off of null vectors")


@every
def test_shapes_satisfy_the_equation_of_motion(one: cd.Beam | cd.String):
    """y' = N y by differences of the state, in the middle of every span."""
    for mode in one.modes(6):
        for start, span in zip(one.line.positions, one.line.spans, strict=False):
            h = 1e-3 * span.length / max(1.0, np.sqrt(mode.omega / np.sqrt(span.scale)))
            x = start + 0.4 * span.length + h * np.arange(-2, 3)
            y = mode.state(x)
            slope = (y[0] - 8 * y[1] + 8 * y[3] - y[4]) / (12 * h)
            expected = span.generator(mode.omega**2) @ y[2]
            size = np.max(np.abs(mode.state(start + span.length * np.linspace(0, 0.999, 50))), axis=0)
            rate = np.abs(span.generator(mode.omega**2)) @ size + size / span.length
            assert np.all(np.abs(slope - expected) <= 1e-8 * rate), "differences of fourth order, round-off of EPS / h"


@every
def test_shapes_satisfy_the_ends(one: cd.Beam | cd.String):
    for mode in one.modes(6):
        size = np.max(np.abs(mode.state(np.linspace(0, one.length, 400))), axis=0)
        d = one.line.freedoms
        for x, sign, place in ((0.0, -1, one.line.places[0]), (one.length, 1, one.line.places[-1])):
            y = mode.state(x)
            for i, freedom in enumerate(place):
                load = freedom.spring - mode.omega**2 * freedom.mass
                error = y[i] / size[i] if freedom.held else (sign * y[d + i] + load * y[i]) / (size[d + i] or 1.0)
                assert abs(error) < 1e-10, "round-off, where loads are large compared with the forces"


def test_the_first_shape_of_a_cantilever():
    """Tip of the first shape of mass one: 2, for rho A L = 1 [closed form: int w^2 = L w(L)^2 / 4]."""
    for mode in cd.Beam(**UNIT).modes(20):
        assert_close(abs(mode(1.0)), 2.0, within=1e-11, because="round-off")
        assert mode(np.array([0.0, 1.0])).shape == (2,)


def test_rigid_modes_are_recognised():
    free = cd.Beam(**UNIT, left="free").modes(4)
    assert free.rigid == 2
    assert [mode.is_rigid for mode in free] == [True, True, False, False]
    x = np.linspace(0, 1, 7)
    for mode in free[:2]:
        assert_close(np.diff(mode(x), 2), np.zeros(5), within=100 * EPS, because="straight")
    assert cd.Shaft(length=1, GJ=1, rho_J=1, left="free").modes(2).rigid == 1


def test_a_string_has_no_moment():
    with pytest.raises(ModelError, match="no bending moment"):
        cd.String(length=1, tension=1, rho=1).modes(1)[0].moment(0.5)
