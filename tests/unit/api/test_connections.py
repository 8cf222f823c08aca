"""Connections: axes at any angle, frames the right way round, and what cannot be connected."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError, StartError
from support.close import assert_close


def hinged_and_free():
    s = cd.System("pair")
    a = s.coordinate("a", on="S1")
    x, y, z = s.coordinates("x y z")
    hinged = s.body("hinged", mass=1.0, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    free = s.body("free", mass=1.0, inertia=(0.1, 0.2, 0.25), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.y)
    return s, hinged, free


def test_a_universal_connection_keeps_the_angle_of_its_axes_as_the_joint_does():
    axes = ("x", (0.6, 0.8, 0.0))
    tree = cd.System("tree")
    a, b, c = tree.coordinates("a b c")
    base = tree.body("base", mass=2.0, inertia=(0.3, 0.4, 0.5), joint=cd.Revolute("y", a))
    tree.body(
        "tip", mass=1.0, inertia=(0.1, 0.2, 0.25), com=(0.1, 0.2, 0.3), at=(1, 0, 0),
        joint=cd.Universal(axes[0], b, axes[1], c), parent=base,
    )  # fmt: skip
    tree.gravity(-9.81 * tree.world.z)
    expected = tree.simulate(0.5, q=[0.1, 0.0, 0.0], v=[0.2, 0.7, -0.4])

    loop = cd.System("loop")
    a = loop.coordinate("a")
    x, y, z = loop.coordinates("x y z")
    base = loop.body("base", mass=2.0, inertia=(0.3, 0.4, 0.5), joint=cd.Revolute("y", a))
    tip = loop.body(
        "tip", mass=1.0, inertia=(0.1, 0.2, 0.25), com=(0.1, 0.2, 0.3), joint=cd.Free(x, y, z, cd.Quaternion("e"))
    )
    loop.gravity(-9.81 * loop.world.z)
    loop.connect(base.point(1, 0, 0), tip.point(), cd.Universal(axes[0], None, axes[1], None))
    spin = expected.omega("tip")[0]
    turn = (np.cos(0.05), 0.0, np.sin(0.05), 0.0)
    found = loop.simulate(0.5, q={"a": 0.1, "e": turn}, v={"a": 0.2, "e": spin})
    assert_close(found.rotation("tip")[-1], expected.rotation("tip")[-1], within=1e-8, because="two runs at rtol 1e-9")


def test_a_weld_has_one_assembly():
    s, hinged, free = hinged_and_free()
    s.connect(hinged.point(1, 0, 0), free.point(), cd.Fixed(), name="weld")
    (only,) = s.assemble(q={"a": 0.3})
    assert_close(only.q[4:], [np.cos(0.15), 0, 0, np.sin(0.15)], within=1e-9, because="aligned frames")


def test_a_weld_that_starts_half_a_turn_away_is_refused():
    s, hinged, free = hinged_and_free()
    s.connect(hinged.point(1, 0, 0), free.point(), cd.Fixed(), name="weld")
    with pytest.raises(StartError, match="'weld' are turned"):
        s.simulate(0.1, q={"a": 0.0, "x": 1.0, "y": 0.0, "z": 0.0, "e": (0, 1, 0, 0)})


def test_the_normals_of_a_planar_connection_may_differ():
    s, hinged, free = hinged_and_free()
    s.connect(hinged.point(1, 0, 0), free.point(), cd.Planar(), second_axis="y", name="plane")
    quarter = (np.sqrt(0.5), np.sqrt(0.5), 0, 0)  # about x: y comes to z
    residual = s.equations().at([0.0, 1, 0, 0, *quarter], np.zeros(7)).phi
    assert_close(list(residual.values()), 0.0, within=1e-15, because="round-off")


@pytest.mark.parametrize("joint", [cd.Ball(), cd.Fixed(), cd.Prismatic("x")])
def test_a_second_axis_is_refused_where_it_means_nothing(joint):
    s, hinged, free = hinged_and_free()
    with pytest.raises(ModelError, match="second_axis= has no meaning"):
        s.connect(hinged, free, joint, second_axis="y")


def test_the_second_axis_of_a_universal_connection_is_found_in_a_turned_frame():
    s, hinged, free = hinged_and_free()
    s.connect(hinged.point(1, 0, 0), free.point(), cd.Universal("x", None, "y", None), second_axis="x", name="cross")
    quarter = (np.sqrt(0.5), 0, 0, np.sqrt(0.5))  # about z: x comes to y
    residual = s.equations().at([0.0, 1, 0, 0, *quarter], np.zeros(7)).phi
    assert_close(list(residual.values()), 0.0, within=1e-15, because="round-off")


def test_parallel_axes_make_no_universal_connection():
    s, hinged, free = hinged_and_free()
    with pytest.raises(ModelError, match="parallel"):
        s.connect(hinged, free, cd.Universal("x", None, "x", None))


def test_a_body_with_a_shape_rolls_as_that_shape():
    runs = []
    for own in (True, False):
        s = cd.System("ball")
        x, y, z = s.coordinates("x y z")
        ball = s.body(
            "ball", mass=1.0, inertia=0.4, joint=cd.Free(x, y, z, cd.Quaternion("e")),
            shape=cd.Sphere(1.0) if own else None,
        )  # fmt: skip
        s.roll(ball, on=s.world, **({} if own else {"shape": cd.Sphere(1.0)}))
        runs.append(s.simulate(1.0, q={"z": 1.0}, v={"e": (0.1, 0.2, 0.3)}).q)
    assert_close(runs[0], runs[1], within=0.0, because="the same model")


def test_what_cannot_roll_slip_or_spin_is_refused():
    s, hinged, free = hinged_and_free()
    x, y, z = (one for one in s.model.q if str(one) in "xyz")
    point = s.particle("point", mass=1.0, position=(x, y, z))
    refusals = [
        ("no shape", lambda: s.roll(free, on=s.world)),
        ("is no body", lambda: s.roll(point, on=s.world, shape=cd.Sphere(1))),
        ("positive", lambda: s.roll(free, on=s.world, shape=cd.Sphere(-1))),
        ("direction zero", lambda: s.no_slip(on=free, along=0 * hinged.x)),
        ("does not turn", lambda: s.no_spin(on=point, about=hinged.x)),
        ("positive length", lambda: s.distance(hinged, free, 0)),
    ]
    for message, call in refusals:
        with pytest.raises(ModelError, match=message):
            call()


def test_a_rod_without_length_at_the_start_is_named_and_assembled_elsewhere():
    s = cd.System("rod")
    x, y, z = s.coordinates("x y z")
    point = s.particle("point", mass=1.0, position=(x, y, z))
    s.distance(point, s.world.origin, 1.0, name="rod")
    with pytest.raises(StartError, match="'rod' has no direction"):
        s.simulate(1.0, q=[0, 0, 0])
    start = s.simulate(0.1, q={}).q[0]
    assert_close(np.linalg.norm(start), 1.0, within=1e-12, because="assembled")
