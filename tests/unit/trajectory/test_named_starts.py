"""Values that a start names stay, in the coordinates in which they were named; what had to move is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.support.close import assert_close

import cardan as cd
from cardan.errors import StartError, UnknownName

EPS = np.finfo(float).eps


def disc() -> cd.System:
    s = cd.System("disc")
    x, y, z, *angles = s.coordinates("x y z phi theta psi")
    body = s.body("disc", mass=1.0, inertia=(0.25, 0.25, 0.5), joint=cd.Free(x, y, z, cd.Euler("3-1-3", *angles)))
    s.roll(body, on=s.world, shape=cd.Disc(1.0))
    s.gravity(-9.81 * s.world.z)
    return s


def held(convention: str) -> cd.System:
    s = cd.System("held corner")
    x, y, z, *angles = s.coordinates("x y z a b c")
    body = s.body("B", mass=1.0, inertia=(0.25, 0.3, 0.5), joint=cd.Free(x, y, z, cd.Euler(convention, *angles)))
    s.connect(s.world.origin, body.point(0.1, 0.2, 0.5), cd.Ball())
    return s


def rod(coordinates: Any, names: str) -> cd.System:
    s = cd.System("rod")
    P = s.particle("P", mass=1.0, coordinates=coordinates(*s.coordinates(names)))
    s.distance(s.world.point(1, 0, 0), P, 2.0)
    return s


STARTS: dict[str, Any] = {
    "one angle and two rates": (disc, {"theta": 0.3}, {"phi": 1.4, "psi": 6.0}),
    "one angle": (disc, {"theta": 1.1}, {}),
    "two angles and one rate": (disc, {"theta": 0.9, "psi": 2.0}, {"theta": -0.4}),
    "one rate": (lambda: held("3-2-1"), {}, {"a": 1.0}),
    "the middle angle and another rate": (lambda: held("3-2-1"), {"b": 0.4}, {"c": 1.0}),
    "a place and a rate": (lambda: held("1-2-3"), {"x": 0.1}, {"a": 1.0}),
    "a colatitude": (lambda: rod(cd.PolarSpherical, "R phi theta"), {"phi": 0.7}, {"theta": 0.5}),
    "a radius": (lambda: rod(cd.PolarSpherical, "R phi theta"), {"R": 1.4, "theta": 0.2}, {"theta": 0.5}),
    "an azimuth": (lambda: rod(cd.PolarCylindrical, "r theta z"), {"theta": 0.7}, {"theta": 0.5}),
}


@pytest.mark.parametrize("case", STARTS)
def test_named_values_stay_and_the_rest_is_completed(case: str) -> None:
    make, q, v = STARTS[case]
    run = make().simulate(0.01, q=q, v=v)
    for name, value in q.items():
        assert_close(run[name][0], value, within=64 * EPS, because=f"{name} was named; read back from regular ones")
    for name, value in v.items():
        assert_close(run[f"{name}_dot"][0], value, within=1e-12, because=f"the rate of {name} was named")
    assert np.max(run.constraint_error[0]) < 1e-9  # and it is a start: residuals of order one before completion
    assert run.audit()["start"].verdict == "ok"


def test_the_centre_of_a_leaning_disc_is_where_trigonometry_puts_it() -> None:
    run = disc().simulate(0.01, q={"theta": 0.3}, v={"phi": 1.4, "psi": 6.0})
    assert_close(run["z"][0], np.sin(0.3), within=1e-12, because="radius one, leaning by theta")


def test_a_named_value_that_had_to_move_is_told_by_name() -> None:
    run = disc().simulate(0.01, q={"theta": 0.3, "z": np.sin(0.3) + 1e-4}, v={"psi": 6.0})
    line = run.audit()["start"]
    assert line.verdict == "look"
    assert "z_dot most" in line.words
    with pytest.raises(StartError, match="nearest consistent"):
        disc().simulate(0.01, q={"theta": 0.3, "z": 0.5})


def test_parts_of_an_angular_velocity_may_be_named_alone() -> None:
    s = cd.System("free")
    s.body("B", mass=1.0, inertia=1.0, joint=cd.Ball(cd.Quaternion("e")))
    run = s.simulate(0.01, v={"omega_e_y": 2.0})
    assert list(run.v[0]) == [0.0, 2.0, 0.0]
    with pytest.raises(UnknownName, match="omega_e_w"):
        s.simulate(0.01, v={"omega_e_w": 2.0})
