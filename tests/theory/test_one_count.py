"""One count of freedoms: s.constraints, s.manifold() and s.diagnose() agree, also where constraints repeat each other.

Types of manifolds are those of the literature on joints (a hinge is a circle, a universal joint a torus), or follow
from quaternions: R_3(a) R_1(b) R_3(a) has the unit quaternion (cos(b/2) cos a, sin(b/2), 0, cos(b/2) sin a), which runs
over a sphere whose opposite points are one rotation: RP^2.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import pytest
from sympy import cos, sin

import cardan as cd

MOMENTS = (0.1, 0.2, 0.25)


def free(s: cd.System, name: object, angles: bool = False) -> cd.Free:
    turn = cd.Euler("3-1-3", *s.coordinates(f"a{name} b{name} c{name}", on="S1")) if angles else None
    return cd.Free(*s.coordinates(f"x{name} y{name} z{name}"), turn or cd.Quaternion(f"e{name}"))


def hanging(joint: cd.Joint, count: int = 1, angles: bool = False, frames: bool = False) -> cd.System:
    """Free bodies, each connected to the one before it."""
    s = cd.System("hanging")
    place: Any = s.world.origin
    for k in range(count):
        body = s.body(f"B{k}", mass=1.0, inertia=MOMENTS, joint=free(s, k, angles))
        end = s.frame(f"end {k}", parent=body, at=(-0.5, 0, 0)) if frames else body.point(-0.5, 0, 0)
        s.connect(place, end, joint)
        place = body.point(0.5, 0, 0)
    return s


def on_a_helix() -> cd.System:
    s = cd.System("cylinder")
    u, z = s.coordinates("u", on="S1"), s.coordinates("z")
    s.body("B", mass=1.0, inertia=MOMENTS, joint=cd.Free(2 * cos(u), 2 * sin(u), z, cd.Quaternion("e")))
    return s


def on_a_parabola() -> cd.System:
    s = cd.System("parabola")
    u = s.coordinates("u")
    s.body("B", mass=1.0, inertia=MOMENTS, joint=cd.Free(u, u**2, 0, cd.Quaternion("e")))
    return s


def typed_pendulum(massless: bool = True) -> cd.System:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    s.kinetic_energy(a.dot**2 + b.dot**2 / 2 + cos(a - b) * a.dot * b.dot)
    if massless:
        s.particle("tip", mass=0, position=s.world.vector(sin(a) + sin(b), -cos(a) - cos(b), 0))
    return s


def turned(convention: str, angles: Callable[[Any, Any], tuple[Any, Any, Any]]) -> cd.System:
    s = cd.System(convention)
    a, b = s.coordinates("a b", on="S1")
    s.body("B", inertia=MOMENTS, joint=cd.Ball(cd.Euler(convention, *angles(a, b))))
    return s


TYPES: dict[str, tuple[Callable[[], cd.System], str]] = {
    "hinge": (lambda: hanging(cd.Revolute("z")), "S^1"),
    "hinge, Euler angles": (lambda: hanging(cd.Revolute("z"), angles=True), "S^1"),
    "hinge on a frame of the body": (lambda: hanging(cd.Revolute("z"), frames=True), "S^1"),
    "two hinges": (lambda: hanging(cd.Revolute("y"), 2), "T^2"),
    "universal": (lambda: hanging(cd.Universal("x", None, "y")), "T^2"),
    "ball": (lambda: hanging(cd.Ball()), "RP^3"),
    "slide": (lambda: hanging(cd.Prismatic("x")), "E^1"),
    "cylindrical": (lambda: hanging(cd.Cylindrical("z")), "E^1 x S^1"),
    "planar": (lambda: hanging(cd.Planar()), "E^2 x S^1"),
    "fixed": (lambda: hanging(cd.Fixed()), "a point"),
    "free on a cylinder": (on_a_helix, "E^1 x RP^3 x S^1"),
    "free on a parabola": (on_a_parabola, "E^1 x RP^3"),
    "typed": (lambda: typed_pendulum(False), "T^2"),
    "typed, with a massless particle": (typed_pendulum, "T^2"),
    "3-1-3 by (a, b, a)": (lambda: turned("3-1-3", lambda a, b: (a, b, a)), "RP^2"),
    "3-2-3 by (a, b, a)": (lambda: turned("3-2-3", lambda a, b: (a, b, a)), "RP^2"),
    "3-1-3 by (a, b, -a)": (lambda: turned("3-1-3", lambda a, b: (a, b, -a)), "RP^2"),
}


@pytest.mark.parametrize("case", TYPES.values(), ids=TYPES)
def test_types(case: tuple[Callable[[], cd.System], str]):
    build, expected = case
    s = build()
    found = s.manifold()
    assert (str(found), found.undecided) == (expected, ())


@pytest.mark.parametrize(
    "angles",
    [
        pytest.param(lambda a, b: (a, b, 2 * a), id="where b = 0, a third of a turn of a changes nothing"),
        pytest.param(lambda a, b: (a, a, b), id="where a = +-pi/2, two circles are one"),
    ],
)
def test_a_set_that_meets_itself_is_no_torus(angles: Callable[[Any, Any], tuple[Any, Any, Any]]):
    found = turned("3-1-3", angles).manifold()
    assert found.undecided
    assert found.dimension == 2


# --- constraints that repeat each other --------------------------------------------------------------


def repeated(second: Callable[..., Any]) -> cd.System:
    s = cd.System("repeated")
    p, q, r = s.coordinates("p q r")
    s.kinetic_energy((p.dot**2 + q.dot**2 + r.dot**2) / 2)
    s.constrain(p - q, name="first")
    s.constrain(second(p, q, r), name="second")
    return s


@pytest.mark.parametrize(
    ("second", "freedoms"),
    [
        (lambda p, q, r: (p - q) * (2 + r), 2),
        (lambda p, q, r: 3 * (p - q), 2),
        (lambda p, q, r: (p - q) * (1 + r**2) + (p - q) ** 2, 2),
        (lambda p, q, r: sin(p - q), 2),
        (lambda p, q, r: p**3 - q**3, 2),
        (lambda p, q, r: (p - q) * (2 + r) + r, 1),
        (lambda p, q, r: p + q - 2 * r, 1),
    ],
)
def test_rows_that_say_the_same_on_the_constraint_set_count_once(second: Callable[..., Any], freedoms: int):
    s = repeated(second)
    d = s.diagnose([0.0, 0.0, 0.0] if freedoms == 1 else [0.3, 0.3, 0.2])
    assert s.constraints.freedoms == s.constraints.velocity_freedoms == freedoms
    assert s.manifold().dimension == freedoms
    assert (d.configuration_dof, d.velocity_dof) == (freedoms, freedoms)


def test_a_row_said_twice_in_other_units_counts_once():
    """A pendulum of 1e-9 m by a rod, and again by x^2 + y^2 = l^2."""
    s = cd.System("small")
    x, y = s.coordinates("x y")
    length = 1e-9
    bob = s.particle("bob", mass=1.0, position=s.world.vector(x, y, 0))
    s.distance(bob, s.world.origin, length, name="rod")
    s.constrain(x**2 + y**2 - length**2, name="circle")
    assert (s.constraints.freedoms, s.manifold().dimension) == (1, 1)
    assert s.diagnose([0.6e-9, 0.8e-9]).configuration_dof == 1


def test_velocity_rows_that_follow_from_holonomic_ones_count_once():
    """p = q, and its rate again: 2 of configuration and of velocity, where the rate beside the set is another row."""
    s = repeated(lambda p, q, r: (p - q) * r)
    p, q, r = s.model.q
    s.constrain_velocity((2 + r) * (p.dot - q.dot) + (p - q) * r.dot, name="rate")
    found, d = s.constraints, s.diagnose([0.3, 0.3, 0.2])
    assert (found.freedoms, found.velocity_freedoms) == (2, 2)
    assert (d.configuration_dof, d.velocity_dof, s.manifold().dimension) == (2, 2, 2)


def test_a_rolling_disc_keeps_its_places_beside_a_repeated_contact():
    """x, y, heading, lean and spin: 5 of configuration, 3 of velocity (Neimark & Fufaev), whatever is said twice."""
    s = cd.System("disc")
    x, y, z = s.coordinates("x y z")
    angles = s.coordinates("heading lean spin", on="S1")
    disc = s.body("disc", mass=1.0, inertia=(0.25, 0.25, 0.5), joint=cd.Free(x, y, z, cd.Euler("3-1-3", *angles)))
    s.roll(disc, on=s.world, shape=cd.Disc(1.0))
    s.constrain(z - sin(angles[1]), name="height")
    found = s.constraints
    assert (found.freedoms, found.velocity_freedoms) == (5, 3)
    assert s.manifold().dimension == 5
    d = s.diagnose({"lean": 1.0})
    assert (d.configuration_dof, d.velocity_dof) == (5, 3)


@pytest.mark.long
def test_bricard_s_mechanism_of_free_bodies_moves_on_one_closed_curve() -> None:
    """Five bodies and 30 rows; cos a cos b + cos a + cos b = 0 of the alternating angles is one closed curve."""
    s = cd.System("Bricard's mechanism of free bodies")
    place = s.world.origin
    for k in range(5):
        body = s.body(f"rod{k}", mass=1.0, inertia=(0.01, 0.08, 0.08), com=(0.5, 0, 0), joint=free(s, k))
        s.connect(place, body.point(0, 0, 0), cd.Revolute("z"))
        twist = cd.Revolute("x", (-1) ** k * pi / 2)
        place = s.frame(f"twist{k}", parent=body, at=(1, 0, 0), joint=twist).origin
    s.connect(place, s.frame("ground", joint=cd.Revolute("x", pi / 2)).point(-1, 0, 0), cd.Revolute("z"))
    found = s.manifold(budget=60)
    assert (str(found), found.dimension, found.undecided) == ("S^1", 1, ())
    assert (s.constraints.freedoms, s.constraints.velocity_freedoms) == (1, 1)
