"""Descriptions that contradict themselves: every refusal names the thing, the number and the remedy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import (
    CardanError,
    DuplicateName,
    FrameMismatch,
    ImpossibleInertia,
    ModelError,
    UnknownName,
    WrongShape,
)

STRANGER = sp.Symbol("stranger")


@pytest.fixture
def s() -> cd.System:
    made = cd.System("rig")
    made.coordinates("a b")
    return made


# --- masses and inertias ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "say",
    [lambda s: s.body("wheel", mass=-2.5), lambda s: s.particle("wheel", mass=-2.5, position=(0, 0, 0))],
)
def test_a_negative_mass_is_refused_with_its_value(s, say):
    with pytest.raises(ImpossibleInertia, match=r"at least 0; found -2.5") as caught:
        say(s)
    assert caught.value.name == "wheel"
    assert caught.value.mass == -2.5


def test_a_mass_expression_is_judged_by_the_values_of_its_parameters(s):
    m = s.parameters(m=2.0)
    with pytest.raises(ImpossibleInertia, match=r"found -1"):
        s.body("wheel", mass=1 - m)


@pytest.mark.parametrize("mass", [math.nan, math.inf])
def test_a_mass_that_is_not_finite_is_refused(s, mass):
    with pytest.raises(ModelError, match=r"Body 'wheel' mass.*finite numbers"):
        s.body("wheel", mass=mass)


def test_a_mass_that_is_text_is_refused(s):
    with pytest.raises(ModelError, match=r"'heavy' is not an expression"):
        s.body("wheel", mass="heavy")


@pytest.mark.parametrize(
    ("amount", "given"),
    [
        ("asin(p)", "p = 2"),
        ("log(r - 1)", "r = 0"),
        ("1/r", "r = 0"),
        ("sqrt(r - p)", "p = 2, r = 0"),
        ("Max(1, asin(p))", "p = 2"),
        ("Piecewise((1, asin(p) < 1), (2, True))", "p = 2"),
        ("exp(exp(exp(3*p)))", "p = 2"),
    ],
)
def test_an_amount_that_is_no_real_number_is_refused_with_the_values_that_make_it_so(s, amount, given):
    """Complex, or infinite at a pole: never a TypeError of SymPy."""
    p, r = s.parameters(p=2.0, r=0.0)
    value, wall = sp.sympify(amount, locals={"p": p, "r": r}), s.coordinate("z") - 1
    with pytest.raises(ModelError, match=f"no finite real number for {given}"):
        s.particle("P", mass=value, position=s.world.x)
    with pytest.raises(ModelError, match=f"no finite real number for {given}"):
        s.body("B", inertia=(0, 0, value))
    with pytest.raises(ModelError, match=f"no finite real number for {given}"):
        s.stop(wall, restitution=value, name="wall")


def test_zero_mass_and_zero_inertia_are_legal(s):
    body = s.body("ghost", mass=0, inertia=0)
    assert (body.mass, body.inertia[0][0]) == (0, 0)


def test_a_negative_moment_of_inertia_is_refused(s):
    with pytest.raises(ImpossibleInertia, match=r"negative moment.*-1, 1, 1.*Check the signs") as caught:
        s.body("wheel", inertia=(1, 1, -1))
    assert caught.value.name == "wheel"
    assert min(caught.value.moments) == -1.0


def test_moments_that_break_the_triangle_inequality_are_refused(s):
    with pytest.raises(ImpossibleInertia, match=r"triangle inequality.*exceeds the sum of the others by 1") as caught:
        s.body("wheel", inertia=(1, 1, 3))
    assert caught.value.moments == (1.0, 1.0, 3.0)


def test_the_triangle_inequality_has_a_tolerance_of_a_billionth(s):
    s.body("plate", inertia=(1.0, 1.0, 2.0 * (1 + 2e-10)))  # a flat plate whose moments were rounded
    with pytest.raises(ImpossibleInertia, match=r"triangle"):
        s.body("wheel", inertia=(1.0, 1.0, 2.0 * (1 + 2e-8)))


def test_principal_moments_are_looked_at_not_the_diagonal(s):
    """All diagonal entries are 1, but the moment about (1, 1, 0) is 1 - 0.9 and about (1, -1, 0) is 1.9."""
    with pytest.raises(ImpossibleInertia, match=r"triangle"):
        s.body("wheel", inertia=[[1, 0.9, 0], [0.9, 1, 0], [0, 0, 0.5]])


def test_an_unsymmetric_inertia_is_refused(s):
    with pytest.raises(ImpossibleInertia, match=r"not symmetric.*0.1.*0.2"):
        s.body("wheel", inertia=[[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize("inertia", [(1, 2), [[1, 2], [3, 4]], [1, [2], 3], np.ones((3, 2)), "abc"])
def test_an_inertia_of_the_wrong_shape_is_refused(s, inertia):
    with pytest.raises(WrongShape, match=r"Body 'wheel' inertia.*three numbers or a 3x3 matrix"):
        s.body("wheel", inertia=inertia)


@pytest.mark.parametrize(
    "inertia",
    [
        2,
        2.0,
        np.float64(2),
        np.int64(2),
        (2, 2, 2),
        np.full(3, 2.0),
        tuple(np.full(3, 2.0)),
        2 * np.eye(3),
        2 * sp.eye(3),
    ],
)
def test_every_way_to_write_an_inertia_is_understood(s, inertia):
    matrix = s.body("wheel", inertia=inertia).inertia
    assert [[float(x) for x in row] for row in matrix] == [[2, 0, 0], [0, 2, 0], [0, 0, 2]]


def test_new_values_of_parameters_are_judged_as_well():
    s = cd.System("rig")
    m = s.parameters(m=1.0)
    s.body("wheel", mass=m, inertia=1, joint=cd.Revolute("z", s.coordinates("a")))
    with pytest.raises(ImpossibleInertia, match=r"mass of 'wheel'.*found -1"):
        s.with_values(m=-1.0)


def test_a_refused_body_can_be_corrected_and_said_again(s):
    with pytest.raises(ModelError, match=r"length 0"):
        s.body("B", mass=1, joint=cd.Revolute((0, 0, 0), 1))
    s.body("B", mass=1, joint=cd.Ball(cd.Quaternion("e")))


# --- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", ["coordinates", "parameters", "body", "input"])
def test_a_name_is_given_once(s, again):
    with pytest.raises(DuplicateName, match=r"'a' is already used by coordinate 'a'; give .* another") as caught:
        s.parameters(a=1.0) if again == "parameters" else getattr(s, again)("a")
    assert caught.value.name == "a"


def test_the_name_of_time_is_taken(s):
    with pytest.raises(DuplicateName, match=r"already used by the time"):
        s.coordinates("t")


def test_coordinates_and_parameters_need_names(s):
    with pytest.raises(ModelError, match=r"at least one name"):
        s.coordinates(" ")
    with pytest.raises(ModelError, match=r"at least one name=value"):
        s.parameters()


@pytest.mark.parametrize(
    ("value", "words"), [(math.nan, "finite number"), ("x", "not a number"), (None, "not a number")]
)
def test_a_parameter_needs_a_finite_number(s, value, words):
    with pytest.raises(ModelError, match=f"Parameter 'm'.*{words}"):
        s.parameters(m=value)


@pytest.mark.parametrize("on", ["S7", (1, 2, 3), ("x", 1), 5])
def test_an_unknown_domain_is_refused(s, on):
    with pytest.raises(ModelError, match=r"Coordinate 'c'.*no domain. Use on=") as caught:
        s.coordinates("c", on=on)
    assert caught.value.name == "c"


def test_an_empty_interval_is_refused(s):
    with pytest.raises(ModelError, match=r"range \(2, 1\) is empty.*lower < upper") as caught:
        s.coordinates("c", on=(2, 1))
    assert caught.value.range == (2.0, 1.0)


# --- expressions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "say",
    [
        lambda s, a: s.lagrangian(STRANGER),
        lambda s, a: s.kinetic_energy(STRANGER * a.dot**2),
        lambda s, a: s.potential(STRANGER),
        lambda s, a: s.generalized_force(a, STRANGER),
        lambda s, a: s.spring(a, stiffness=STRANGER),
        lambda s, a: s.damper(a, coefficient=STRANGER),
        lambda s, a: s.body("B", mass=STRANGER),
        lambda s, a: s.body("B", com=(STRANGER, 0, 0)),
        lambda s, a: s.body("B", at=(STRANGER, 0, 0)),
        lambda s, a: s.body("B", joint=cd.Revolute("z", STRANGER)),
        lambda s, a: s.particle("P", mass=1, position=(STRANGER, 0, 0)),
        lambda s, a: s.gravity(STRANGER * s.world.z),
        lambda s, a: s.prescribe(a, STRANGER),
    ],
)
def test_foreign_symbols_are_refused_everywhere(s, say):
    a = s.model.q[0]
    with pytest.raises(UnknownName, match=r"stranger unknown here. Known: .*Declare") as caught:
        say(s, a)
    assert caught.value.names == ["stranger"]


@pytest.mark.parametrize(
    "say",
    [
        lambda s, a: s.potential(a.dot),
        lambda s, a: s.spring(a.dot, stiffness=1),
        lambda s, a: s.spring(a, stiffness=a.dot),
        lambda s, a: s.body("B", joint=cd.Revolute("z", a.dot)),
    ],
)
def test_velocities_are_refused_where_only_positions_make_sense(s, say):
    with pytest.raises(UnknownName, match=r"a_dot unknown here"):
        say(s, s.model.q[0])


@pytest.mark.parametrize("say", [lambda s, a: s.body("B", mass=a), lambda s, a: s.body("B", com=(a, 0, 0))])
def test_masses_and_centres_do_not_move(s, say):
    with pytest.raises(UnknownName, match=r"a unknown here"):
        say(s, s.model.q[0])


def test_only_own_coordinates_carry_generalized_forces_and_prescribed_motions(s):
    for say in (s.generalized_force, s.prescribe):
        with pytest.raises(UnknownName, match=r"stranger is no coordinate of 'rig'. Known: a, b") as caught:
            say(STRANGER, 0)
        assert caught.value.name == "stranger"


def test_a_prescribed_motion_depends_on_time_alone_and_is_given_once(s):
    a, b = s.model.q
    with pytest.raises(ModelError, match=r"depends on b; only time and parameters.*constrain"):
        s.prescribe(a, b)
    s.prescribe(a, s.time)
    with pytest.raises(DuplicateName, match=r"Coordinate a is prescribed already: t"):
        s.prescribe(a, 2 * s.time)


# --- joints, axes, placements ----------------------------------------------------------------------


def test_an_axis_of_length_zero_says_no_direction(s):
    with pytest.raises(ModelError, match=r"length 0, so it says no direction") as caught:
        s.body("B", joint=cd.Revolute((0, 0, 0), s.model.q[0]))
    assert caught.value.length == 0


def test_an_axis_typed_with_ten_digits_passes(s):
    s.body("B", mass=1, joint=cd.Prismatic((0.7071067812, 0.7071067812, 0), s.model.q[0]))


@pytest.mark.parametrize(
    ("axis", "error"), [("w", ModelError), ((1, 0), WrongShape), (1.0, WrongShape), ((math.nan, 0, 0), ModelError)]
)
def test_an_axis_is_a_letter_or_three_numbers(s, axis, error):
    with pytest.raises(error, match=r"axis"):
        s.body("B", joint=cd.Revolute(axis, s.model.q[0]))


@pytest.mark.parametrize(
    ("joint", "words"),
    [
        (cd.Revolute("z"), "needs an angle"),
        (cd.Prismatic("x"), "needs a distance"),
        (cd.Cylindrical("x", 0.1), "needs a distance"),
        (cd.Universal("x", 0.1, "y"), "needs a second angle"),
        (cd.Planar(0.1, 0.2), "needs an angle"),
        (cd.Planar(0, 0, 0, normal="w"), 'normal .w. is unknown. Use "x", "y" or "z"'),
        (cd.Ball(), "needs an orientation, found None. Use cd.Quaternion"),
        (cd.Free(0, 0, 0), "needs an orientation"),
        (cd.Free(0, 0), "needs the distance z"),
        ("hinge", "'hinge' is no joint. Use cd.Revolute"),
    ],
)
def test_a_joint_without_its_coordinates_is_refused(s, joint, words):
    with pytest.raises(ModelError, match=words):
        s.body("B", joint=joint)


def test_euler_angles_come_in_threes_and_in_a_known_convention(s):
    with pytest.raises(ModelError, match=r"needs three angles, found 2") as caught:
        cd.Euler("3-1-3", 0, 0)
    assert caught.value.count == 2
    with pytest.raises(ModelError, match=r"Unknown Euler convention '3-3-1'. Use one of 1-2-1"):
        s.body("B", joint=cd.Ball(cd.Euler("3-3-1", 0, 0, 0)))


@pytest.mark.parametrize("give", [{"com": (1, 2)}, {"com": 1}, {"at": (1, 2)}, {"at": (1, 2, 3, 4)}, {"at": 7}])
def test_positions_have_three_components(s, give):
    with pytest.raises(WrongShape, match=r"expected three components"):
        s.body("B", **give)


@pytest.mark.parametrize(
    ("rotation", "words"), [(2 * np.eye(3), "off by 3 from orthonormal"), (np.diag([1, 1, -1]), "a reflection")]
)
def test_a_placement_turns_by_a_rotation(s, rotation, words):
    with pytest.raises(ModelError, match=f"{words}, expected a rotation.*right-handed"):
        s.body("B", at=((0, 0, 0), rotation))


def test_a_placement_belongs_to_the_parent(s):
    arm = s.body("arm", mass=1, joint=cd.Revolute("z", s.model.q[0]))
    with pytest.raises(FrameMismatch, match=r"fixed in 'arm', expected the parent 'world'"):
        s.body("B", at=arm.point(1, 0, 0))
    hand = s.body("hand", mass=1, parent=arm, at=arm.point(1, 2, 3))
    assert [float(x) for x in hand.frame.position_in_parent] == [1, 2, 3]


def test_things_of_another_system_are_refused(s):
    other = cd.System("other")
    foreign = other.body("foreign", mass=1)
    own = s.body("own", mass=1)
    for say in (
        lambda: s.body("B", parent=foreign),
        lambda: s.particle("P", mass=1, position=(0, 0, 0), frame=foreign),
        lambda: s.force("F", on=foreign),
        lambda: s.force("F", on=own, along=foreign.x),
        lambda: s.moment("M", on=own, along=own.x, against=foreign),
    ):
        with pytest.raises(
            FrameMismatch, match=r"'foreign' belongs to another system. Build both in one System"
        ) as caught:
            say()
        assert caught.value.name == "foreign"
    with pytest.raises(FrameMismatch, match=r"different systems"):
        own.x.dot(foreign.x)


# --- loads and particles ---------------------------------------------------------------------------


def test_loads_act_on_bodies_along_vectors(s):
    own = s.body("own", mass=1)
    with pytest.raises(ModelError, match=r"needs a vector such as -g"):
        s.gravity(9.81)
    with pytest.raises(UnknownName, match=r"particle, a body or a point of a body, found Frame\('world'\)"):
        s.force("F", on="world")
    with pytest.raises(ModelError, match=r"A moment acts on a body"):
        s.moment("M", on=own.origin)
    with pytest.raises(ModelError, match=r"along= of force 'F' needs a vector such as"):
        s.force("F", on=own, along="down")
    with pytest.raises(UnknownName, match=r"'there' is no body, particle or frame"):
        s.spring("there", own, stiffness=1)
    with pytest.raises(ModelError, match=r"neither a frame nor a body"):
        s.body("B", parent=3.0)


def test_a_particle_has_one_kind_of_position(s):
    with pytest.raises(ModelError, match=r"needs either position= .* or coordinates="):
        s.particle("P", mass=1)
    with pytest.raises(WrongShape, match=r"expected three components, found 2"):
        s.particle("P", mass=1, position=(1, 2))
    with pytest.raises(ModelError, match=r"Curve needs three components x, y, z, found 2"):
        cd.Curve((1, 2))


def test_a_particle_names_the_basis_vectors_it_has(s):
    P = s.particle("P", mass=1, coordinates=cd.PolarCylindrical(1, s.model.q[0]))
    with pytest.raises(UnknownName, match=r"no basis vector 'e_phi'; it has: e_r, e_theta, e_z"):
        _ = P.e_phi


def test_a_refused_name_is_free_again():
    s = cd.System()
    with pytest.raises(ModelError, match="no domain"):
        s.coordinates("x y", on="S2")
    with pytest.raises(ModelError, match="not a number"):
        s.parameters(k="a")
    x, _ = s.coordinates("x y")
    s.parameters(k=1.0)
    with pytest.raises(ModelError):
        s.spring(x, stiffness="soft", name="k1")
    s.spring(x, stiffness=1, name="k1")
    with pytest.raises(ModelError, match="positive typical size"):
        s.coordinate("z", scale=-1)
    with pytest.raises(ModelError, match="at least one name"):
        s.coordinates(3)


def test_vectors_say_what_they_cannot_do():
    w = cd.System().world
    for wrong in (lambda: w.x + 1, lambda: w.x - 1, lambda: w.x * w.y, lambda: w.x.dot(3), lambda: w.x.cross(3)):
        with pytest.raises(ModelError, match="vector"):
            wrong()


def test_negative_friction_is_refused():
    s = cd.System()
    x = s.coordinate("x")
    with pytest.raises(ModelError, match="0 or more"):
        s.friction(x, coefficient=-0.1, normal=1)


IMAGINARY = sp.I


@pytest.mark.parametrize(
    "described",
    [
        lambda s, x: s.particle("Q", mass=1, position=(x, IMAGINARY, 0)),
        lambda s, x: s.particle("Q", mass=1, coordinates=cd.Curve((x, IMAGINARY, 0), x)),
        lambda s, x: s.body("B", mass=1, inertia=1, at=(IMAGINARY, 0, 0), joint=cd.Revolute("z", x)),
        lambda s, x: s.body("B", mass=1, inertia=1, com=(IMAGINARY, 0, 0), joint=cd.Revolute("z", x)),
        lambda s, x: s.body("B", mass=1, inertia=1, joint=cd.Revolute((IMAGINARY, 0, 0), x)),
        lambda s, x: s.gravity(IMAGINARY * s.world.z),
        lambda s, x: s.spring(s.world.point(0, 0, 0), s.world.point(1, 0, 0), stiffness=IMAGINARY),
    ],
)
def test_amounts_that_are_not_real_are_refused_wherever_they_stand(described):
    def moved() -> None:
        s = cd.System("imaginary")
        x = s.coordinates("x")
        described(s, x)
        s.particle("P", mass=1, position=(x, 0, 0))
        s.simulate(0.1)

    with pytest.raises(CardanError, match="real"):
        moved()


@pytest.mark.parametrize("settings", [{"duration": "one"}, {"rtol": "fine"}, {"times": ["noon"]}])
def test_settings_that_are_no_numbers_are_refused_by_name(settings):
    s = cd.System("settings")
    x = s.coordinates("x")
    s.particle("P", mass=1, position=(x, 0, 0))
    with pytest.raises(CardanError, match="number"):
        s.simulate(**({"duration": 1.0} | settings))
