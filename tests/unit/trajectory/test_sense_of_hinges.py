"""A hinge has a sense: its two axes are parallel, not antiparallel, in starts, assemblies and clouds.

Rows of right angles hold both ways; a half turn across the hinge, the quaternion (0, 1, 0, 0), reverses it.
"""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.diagnosis.judges.cloud import Cloud
from cardan.equations.feasible import feasible
from cardan.errors import StartError

UPRIGHT, REVERSED = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)
JOINTS = {
    "Revolute": cd.Revolute("z"),
    "Cylindrical": cd.Cylindrical("z"),
    "Planar": cd.Planar(),
    "Screw": cd.Screw("z", pitch=0.3),
}


def free(s: cd.System, name: str) -> cd.Free:
    return cd.Free(*s.coordinates(f"x{name} y{name} z{name}"), cd.Quaternion(f"e{name}"))


def door(joint: cd.Joint, second_axis: tuple[float, float, float] | None = None) -> cd.System:
    s = cd.System("door")
    body = s.body("leaf", mass=1.0, inertia=(0.1, 0.2, 0.25), joint=free(s, ""))
    s.connect(s.world.origin, body.point(-0.5, 0, 0), joint, second_axis=second_axis, name="hinge")
    return s


@pytest.mark.parametrize("joint", JOINTS.values(), ids=JOINTS)
def test_a_start_with_the_axis_reversed_is_refused(joint: cd.Joint):
    s = door(joint)
    assert s.simulate(0.01, q={"x": 0.5, "e": UPRIGHT}).status
    for call in (lambda q: s.simulate(0.01, q=q), s.diagnose, s.branches):
        with pytest.raises(StartError, match=r"'hinge' are turned against each other.*second_axis"):
            call([0.5, 0.0, 0.0, *REVERSED])


def test_a_start_that_names_the_reversed_orientation_only_is_refused_for_that_reason():
    with pytest.raises(StartError, match=r"'hinge' are turned against each other"):
        door(cd.Revolute("z")).simulate(0.01, q={"e": REVERSED})


def test_an_axis_that_is_meant_to_be_reversed_can_be_said():
    s = door(cd.Revolute("z"), second_axis=(0, 0, -1))
    assert s.simulate(0.01, q=[0.5, 0, 0, *REVERSED]).status
    with pytest.raises(StartError, match=r"'hinge' are turned"):
        s.simulate(0.01, q=[0.5, 0, 0, *UPRIGHT])


def quadrilateral() -> cd.System:
    """Bars of lengths 1, 2, 2 and the ground of 2.5 in the plane z = 0: free bodies on hinges about z."""
    s = cd.System("four bars")
    place = s.world.origin
    for name, length in (("a", 1.0), ("b", 2.0), ("c", 2.0)):
        bar = s.body(name, mass=1.0, inertia=(0.1, 0.2, 0.25), joint=free(s, name))
        s.connect(place, bar.point(-length / 2, 0, 0), cd.Revolute("z"), name=f"hinge {name}")
        place = bar.point(length / 2, 0, 0)
    s.connect(place, s.world.point(2.5, 0, 0), cd.Revolute("z"), name="last")
    return s


def up(e: np.ndarray) -> float:
    """z . R z of a unit quaternion: 1 - 2 (x^2 + y^2)."""
    return float(1 - 2 * (e[1] ** 2 + e[2] ** 2))


def test_assemblies_and_clouds_have_all_hinges_upright():
    s = quadrilateral()
    found = s.assemble(seeds=24)
    starts = s.compile().quaternions
    assert found
    assert all(up(one.q[k : k + 4]) > 0.999 for one in found for k in starts)
    kernel = s.compile()
    y = np.concatenate([found[0].q, np.zeros(kernel.nv)])
    states = Cloud(kernel, y, 0.0, kernel.p()).states
    assert len(states) > 4
    assert all(up(state[k : k + 4]) > 0.999 for state in states for k in starts)
    drawn = feasible(kernel.dynamics).q
    assert len(drawn)
    assert all(up(q[k : k + 4]) > 0.999 for q in drawn for k in starts)
    assert (s.constraints.freedoms, s.manifold(budget=1.0).dimension) == (1, 1)  # a four-bar linkage
