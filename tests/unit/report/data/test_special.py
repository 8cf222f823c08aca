"""The section of a page on special motions: charts and modes as data, beside closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError
from cardan.report.data.arrays import unpacked
from cardan.report.data.special import special_entries
from support.close import assert_close

FLOAT32 = 4 * float(np.finfo(np.float32).eps)


@pytest.fixture(scope="module")
def pendulum() -> cd.System:
    """Two equal masses on equal light rods."""
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("first", mass=1.0, inertia=0.0, com=(0, 0, -1), joint=cd.Revolute("y", a))
    s.body("second", mass=1.0, inertia=0.0, com=(0, 0, -1), at=(0, 0, -1), joint=cd.Revolute("y", b), parent=first)
    s.gravity(-9.81 * s.world.z)
    return s


def test_a_shaken_double_pendulum_bends_as_its_modes_say(pendulum: cd.System):
    """Absolute angles of the modes are 1 and -+ sqrt(2); at the ends of the slider the poses are those."""
    (entry,) = special_entries([pendulum.modes([0.0, 0.0])], most=2)
    assert entry["kind"] == "modes"
    s = unpacked(entry["deflections"])
    assert (s[0], s[-1], len(s) % 2) == (-1.0, 1.0, 1)
    for mode, ratio in zip(entry["modes"], (np.sqrt(2), -np.sqrt(2)), strict=True):
        quaternions = [unpacked(one["quaternion"]) for one in mode["poses"]]
        angles = np.array([2 * np.arctan2(q[:, 2], q[:, 0]) for q in quaternions])
        assert_close(
            angles[1], ratio * angles[0], within=FLOAT32, because="angles below one of quaternions sent as float32"
        )
        assert_close(angles[:, ::-1], -angles, within=FLOAT32, because="a swing to both sides alike")
        assert_close(angles[0], angles[0, -1] * s, within=FLOAT32, because="deflections are linear in the coordinates")
        assert abs(angles).max() > 0.1


def test_modes_of_another_system_are_told_but_not_shaken(pendulum: cd.System):
    (entry,) = special_entries([pendulum.modes([0.0, 0.0])], most=5)
    assert all(mode["poses"] == [] for mode in entry["modes"])
    assert entry["rows"][0]["value"] == f"{np.sqrt(9.81 * (2 - np.sqrt(2))):.6g} rad/s"


def test_charts_hold_eigenvalues_families_and_maps():
    """A bead on a turning hoop: +-i w at the bottom, and cos(theta) = g / Omega^2 on the arms of the pitchfork."""
    s = cd.System("bead")
    theta, omega = s.coordinates("theta"), s.parameters(Omega=1.0)
    s.lagrangian((theta.dot**2 + omega**2 * sin(theta) ** 2) / 2 + 9.81 * cos(theta))
    locus = s.root_locus("Omega", np.linspace(0.5, 6.0, 12))
    families = s.equilibrium_families("Omega", 1.0, 6.0, seeds=8)
    spectrum, loci, drawn = special_entries([s.linearize([0.0]), locus, families], most=0)
    y = unpacked(spectrum["charts"][0]["marks"][0]["y"])
    assert_close(np.sort(y), np.sqrt(8.81) * np.array([-1, 1]), within=1e-6, because="float32 of 3")
    assert [chart["title"] for chart in loci["charts"]] == ["Root locus over Omega", "Frequencies over Omega"]
    assert loci["rows"][0]["value"] == f"{int(np.sum(locus.values < np.sqrt(9.81)))} of 12 values"
    (chart,) = drawn["charts"]
    assert (chart["x"], chart["y"]) == ("Omega", "theta")
    bent = [line for line in chart["lines"] if 0.5 < np.abs(unpacked(line["y"])).max() < 3]
    assert bent, "one family goes up one arm and down the other"
    for line in bent:
        x, up = unpacked(line["x"]), unpacked(line["y"])
        assert_close(np.cos(up) * x**2, np.full(len(x), 9.81), within=1e-4, because="float32 where the cosine is flat")
        assert not line["dashed"]
    assert any(mark["label"].startswith("branch at 3.13209") for mark in chart["marks"])


def test_what_cannot_be_shown_is_said():
    with pytest.raises(ModelError, match="str is none of them"):
        special_entries(["modes"], most=0)  # type: ignore[list-item]  # that is the mistake
