"""Constraints that cannot mean anything are refused when they are stated, by name, and leave no trace."""

from __future__ import annotations

import pytest
import sympy as sp

import cardan as cd
from cardan.errors import DuplicateName, FrameMismatch, ModelError


def plane() -> tuple[cd.System, object, object, object]:
    s = cd.System("plane")
    x, y, th = s.coordinates("x y th")
    body = s.body("body", mass=1, inertia=1, joint=cd.Planar(x, y, th))
    return s, body, x, y


@pytest.mark.parametrize("form", ["square", "product", "root"])
def test_a_velocity_constraint_that_is_not_linear_is_refused(form):
    s, _, x, y = plane()
    expression = {"square": x.dot**2 - 1, "product": x.dot * y.dot, "root": sp.sqrt(1 + x.dot**2)}[form]
    with pytest.raises(ModelError, match="'speed' is not linear in the velocities") as caught:
        s.constrain_velocity(expression, name="speed")
    assert caught.value.name == "speed"
    assert "force law" in str(caught.value), "a remedy"


def test_products_that_cancel_are_linear():
    s, _, x, y = plane()
    s.constrain_velocity((x.dot + 1) ** 2 - x.dot**2 + y.dot, name="speed")
    here = s.equations().at([0.0, 0.0, 0.0])
    assert here.A.tolist() == [[2.0, 1.0, 0.0]]
    assert here.b0.tolist() == [1.0]


def test_a_velocity_constraint_without_velocity_is_refused():
    s, _, x, _ = plane()
    with pytest.raises(ModelError, match=r"no velocity. Use constrain\(") as caught:
        s.constrain_velocity(x, name="wall")
    assert caught.value.name == "wall"


def test_a_holonomic_constraint_on_velocities_is_refused():
    s, _, x, _ = plane()
    with pytest.raises(ModelError, match=r"contains x_dot.*constrain_velocity") as caught:
        s.constrain(x.dot - 1, name="speed")
    assert caught.value.name == "speed"


@pytest.mark.parametrize("value", [0, 1, "time"])
def test_a_constraint_without_coordinates_is_refused(value):
    s, *_ = plane()
    with pytest.raises(ModelError, match="no coordinate"):
        s.constrain(s.time if value == "time" else value, name="empty")


def test_a_joint_that_forbids_nothing_connects_nothing():
    s, body, *_ = plane()
    with pytest.raises(ModelError, match=r"'pin': Free forbids nothing.*Ball") as caught:
        s.connect(s.world.origin, body, cd.Free(), name="pin")
    assert caught.value.name == "pin"
    with pytest.raises(ModelError, match="no joint"):
        s.connect(s.world.origin, body, "Ball", name="pin")


def test_bodies_of_another_system_are_refused():
    s, body, *_ = plane()
    other, stranger, *_ = plane()
    refused = [
        lambda: s.connect(stranger, body, cd.Ball()),
        lambda: s.distance(body, stranger, 1),
        lambda: s.no_slip(on=stranger, along=s.world.x),
        lambda: s.no_slip(on=body, along=stranger.x),
        lambda: s.no_spin(on=body, about=stranger.z),
        lambda: s.no_spin(on=body, about=body.z, relative_to=stranger),
        lambda: s.roll(stranger, on=s.world, shape=cd.Sphere(1)),
        lambda: s.roll(body, on=stranger, shape=cd.Sphere(1)),
    ]
    for state in refused:
        with pytest.raises(FrameMismatch, match="another system"):
            state()
    assert other.model.bodies, "the other system is untouched"
    assert not s.model.constraints


def test_a_body_is_not_constrained_to_itself():
    """Directly, through a fixed joint, or against the world it is fixed to."""
    s, body, *_ = plane()
    lid = s.body("lid", mass=1, inertia=1, at=(1, 0, 0), parent=body)
    post = s.body("post", mass=1, inertia=1, at=(5, 0, 0))
    refused = [
        lambda: s.distance(body.point(1, 0, 0), body.point(2, 0, 0), 1, name="rod"),
        lambda: s.connect(lid, body, cd.Ball(), name="rod"),
        lambda: s.no_spin(on=post, about=s.world.z, name="rod"),
        lambda: s.no_slip(on=lid, along=s.world.x, relative_to=body, name="rod"),
    ]
    for state in refused:
        with pytest.raises(ModelError, match=r"'rod' is between .* cannot move against each other"):
            state()


def test_what_is_no_vector_no_shape_or_no_point_is_refused():
    s, body, *_ = plane()
    with pytest.raises(ModelError, match="needs a vector"):
        s.no_slip(on=body, along=3.0)
    with pytest.raises(ModelError, match="no shape"):
        s.roll(body, on=s.world, shape=3.0)
    with pytest.raises(ModelError, match="no point"):
        s.distance(3.0, body, 1)


# --- names -------------------------------------------------------------------------------------------


def test_a_name_is_given_once():
    s, _, x, y = plane()
    s.constrain(x, name="wall")
    with pytest.raises(DuplicateName, match="'wall' is already used by constraint 'wall'"):
        s.constrain(y, name="wall")
    with pytest.raises(DuplicateName, match="'body'"):
        s.constrain(y, name="body")


def test_a_refused_constraint_gives_its_name_back():
    s, _, x, y = plane()
    with pytest.raises(ModelError):
        s.constrain_velocity(x.dot * y.dot, name="skate")
    s.constrain_velocity(x.dot + y.dot, name="skate")
    assert [one.name for one in s.model.constraints] == ["skate"]


def test_names_chosen_for_a_user_avoid_those_that_are_taken():
    s, _, x, y = plane()
    s.constrain(x, name="constraint2")
    s.constrain(y)
    s.constrain_velocity(x.dot)
    assert len({one.name for one in s.model.constraints}) == 3
