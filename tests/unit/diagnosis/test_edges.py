"""Places where something is undefined: said by name, never by an exception of NumPy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.integrate import quad
from sympy import sin, sqrt

import cardan as cd
from cardan.errors import StartError
from support.close import assert_close

G, RADIUS, LEAN, RATE = 9.81, 1.0, 0.3, -0.1


@cache
def disc(quaternion: bool = False) -> cd.System:
    s = cd.System("disc")
    x, y, z = s.coordinates("x y z")
    turn = cd.Quaternion("e") if quaternion else cd.Euler("3-1-3", *s.coordinates("psi theta phi", on="S1"))
    body = s.body("coin", mass=1.0, inertia=(0.25, 0.25, 0.5), joint=cd.Free(x, y, z, turn))
    s.roll(body, on=s.world, shape=cd.Disc(RADIUS))
    s.gravity(-G * s.world.z)
    return s


def time_of_fall() -> float:
    """A disc that only tips turns about the tangent at its contact: J = 1/4 + 1, and J thetad^2 / 2 + g sin theta."""

    def slowness(theta: float) -> float:
        return 1.0 / np.sqrt(RATE**2 + 2 * G * RADIUS * (np.sin(LEAN) - np.sin(theta)) / 1.25)

    return float(quad(slowness, 0.0, LEAN)[0])


def test_a_disc_that_falls_flat_ends_there_and_says_why():
    run = disc().simulate(3.0, q={"theta": LEAN, "z": np.sin(LEAN)}, v={"theta": RATE}, throw=False)
    assert run.status == "flat"
    assert "'coin' lies flat" in run.message
    assert_close(run.t[-1], time_of_fall(), within=1e-4, because="the last step before lying flat, a lean below 1e-3")
    assert_close(run.energy, run.energy[0], within=1e-7, because="no impact is hidden: rtol times steps")


@pytest.mark.parametrize("q", [[0.3, 0.2, 0.0, 0.5, 0.0, 0.1], [0.0, 0.0, 0.0, 0.0, np.pi, 0.0]])
def test_a_disc_that_lies_flat_is_undefined_and_starts_nowhere(q: list[float]):
    found = disc().diagnose(q)
    assert found.kinds == {"undefined-contact"}
    assert not found.is_regular
    with pytest.raises(StartError, match=r"'coin' lies flat at the start"):
        disc().simulate(1.0, q=q)


def test_a_disc_described_by_a_quaternion_is_told_the_same():
    assert disc(True).diagnose([0, 0, 0, 1, 0, 0, 0]).kinds == {"undefined-contact"}
    upright = [0, 0, 1.0, np.cos(np.pi / 4), np.sin(np.pi / 4), 0, 0]
    assert "undefined-contact" not in disc(True).diagnose(upright).kinds


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of infinities on the way to the refusal
@pytest.mark.parametrize("where", [lambda x: 1 / x, lambda x: sqrt(x - 1)])
def test_a_place_that_is_undefined_is_named(where):
    s = cd.System("undefined")
    x = s.coordinates("x")
    s.particle("P", mass=1.0, position=s.world.vector(where(x), x, 0))
    with pytest.raises(StartError, match=r"'P' has no place at the start"):
        s.diagnose([0.0])
    with pytest.raises(cd.CardanError):
        s.simulate(0.1, q=[0.0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of squares that overflow on the way to the refusal
def test_sizes_that_overflow_are_refused():
    s = cd.System("large")
    s.body("B", mass=1.0, inertia=0.1, com=(1e300, 0, 0), joint=cd.Revolute("z", s.coordinates("a", on="S1")))
    with pytest.raises(StartError, match=r"'B' is .* away, whose square no number holds.*Choose other units"):
        s.diagnose([0.1])


def test_what_cannot_move_is_diagnosed_all_the_same():
    s = cd.System("prescribed")
    x = s.coordinates("x")
    P = s.particle("P", mass=1.0, position=s.world.vector(x, 0, 0))
    s.force("F", on=P, along=s.world.x)
    s.prescribe(x, sin(s.time))
    assert s.diagnose().is_regular
    run = s.simulate(1.0)
    assert run.findings == ()
    assert run.indicators().series == {}
    assert (s.manifold().dimension, s.constraints.freedoms) == (0, 0)


def test_an_empty_system_is_a_point():
    s = cd.System("empty")
    assert (str(s.manifold()), s.constraints.freedoms, s.singular_set()) == ("a point", 0, [])


def test_energies_typed_by_hand_have_no_places_to_ask_for():
    s = cd.System("typed")
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**2 / 2)
    assert s.diagnose([0.3]).is_regular
