"""Names and three numbers wherever a body, a point or a vector is meant, and questions where a name is not known."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import FileError, ModelError, SimulationError, UnknownName
from cardan.formats.model_reader import parse_model
from cardan.formats.write import write_starter


def by_name() -> cd.System:
    """Two rods on a wall, a spring, a damper, a rope and loads, said with names and triples."""
    s = cd.System("arm")
    a, b = s.coordinates("a b", on="S1")
    s.body("upper", mass=1, inertia=0.1, com=(0, 0, -0.5), joint=cd.Revolute("y", a))
    s.body("lower", mass=2, inertia=0.2, com=(0, 0, -0.5), joint=cd.Revolute("y", b), at=(0, 0, -1), parent="upper")
    s.gravity((0, 0, -9.81))
    s.force("F", on="lower", along=(1, 0, 0), against="upper")
    s.moment("M", on="lower", along=(0, 1, 0), against="upper")
    s.spring((1, 0, -1), "lower", stiffness=3.0, length=0.5)
    s.damper("a", coefficient=0.1)
    s.damper("upper", "world", coefficient=0.2)
    return s


def by_things() -> cd.System:
    """The same with the things themselves."""
    s = cd.System("arm")
    a, b = s.coordinates("a b", on="S1")
    upper = s.body("upper", mass=1, inertia=0.1, com=(0, 0, -0.5), joint=cd.Revolute("y", a))
    lower = s.body(
        "lower", mass=2, inertia=0.2, com=(0, 0, -0.5), joint=cd.Revolute("y", b), at=(0, 0, -1), parent=upper
    )
    s.gravity(-9.81 * s.world.z)
    s.force("F", on=lower, along=s.world.x, against=upper)
    s.moment("M", on=lower, along=s.world.y, against=upper)
    s.spring(s.world.point(1, 0, -1), lower, stiffness=3.0, length=0.5)
    s.damper(a, coefficient=0.1)
    s.damper(upper, s.world, coefficient=0.2)
    return s


def test_names_and_triples_mean_the_things() -> None:
    q, v, loads = [0.3, -0.8], [0.5, 1.1], {"F": 0.7, "M": -0.4}
    found, expected = (s.compile().acceleration(q, v, loads=loads) for s in (by_name(), by_things()))
    assert np.array_equal(found, expected)


def test_constraints_and_contacts_take_names() -> None:
    s = cd.System("named")
    x, y, h = s.coordinates("x y h")
    s.body("blade", mass=1.0, inertia=0.1, joint=cd.Planar(x, y, h))
    s.no_slip(on="blade", along=s["blade"].y, name="knife")
    z = s.coordinates("z")
    s.particle("bob", mass=1.0, position=(0, 0, z))
    s.contact("bob", on="world", restitution=0.5)
    s.frame("table", at=(0, 0, -1))
    s.contact("bob", on=cd.Plane("table"), restitution=0.0)
    s.draw("rod", "world", "bob")
    assert [row.name for row in s.constraints] == ["knife"]
    assert len(s.model.stops) == 2
    t = cd.System("rope")
    u, w = t.coordinates("u w")
    t.particle("bob", mass=1.0, position=(u, 0, w))
    t.distance((0, 0, 0), "bob", 1.0, name="rope")
    assert t.compile().acceleration([0.6, -0.8], [0.0, 0.0]) @ np.array([0.6, -0.8]) == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(
    ("say", "near"),
    [
        (lambda s: s.body("third", mass=1, parent="uper"), "upper"),
        (lambda s: s.moment("N", on="lowr", along=(1, 0, 0)), "lower"),
        (lambda s: s.generalized_force("bb", 1.0), "b"),
        (lambda s: s["uppr"], "upper"),
    ],
)
def test_an_unknown_name_asks_for_the_near_one(say, near: str) -> None:
    with pytest.raises(UnknownName, match=f"Did you mean '{near}'"):
        say(by_name())


def test_what_is_no_vector_says_what_is() -> None:
    for wrong in ("down", 9.81, (1, 2)):
        with pytest.raises(ModelError, match="three numbers along the world's axes"):
            cd.System("s").gravity(wrong)


def test_attributes_ask_for_the_near_one() -> None:
    s = by_name()
    run = s.simulate(0.01)
    for thing, wrong, near in [(cd, "Revolut", "Revolute"), (s, "simulat", "simulate"), (run, "enrgy", "energy")]:
        with pytest.raises(AttributeError, match=f"Did you mean '{near}'"):
            getattr(thing, wrong)
        assert not hasattr(thing, wrong)


def test_methods_and_starters_ask_for_the_near_one(tmp_path) -> None:
    with pytest.raises(SimulationError, match="Did you mean 'Radau'"):
        by_name().simulate(0.1, method="radua")
    with pytest.raises(UnknownName, match="Did you mean 'double_pendulum'"):
        write_starter(tmp_path / "x.yaml", "doublependulum")


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("gravty: [0, 0, -1]", "gravity"),
        ("bodies: {rod: {mas: 1}}", "mass"),
        ("bodies: {rod: {mass: 1, joint: {kind: revolute, axis: y, angel: phi}}}", "angle"),
        ("constraints: [{kind: distance, first: {of: world}, second: {of: world}, lenght: 1}]", "length"),
    ],
)
def test_keys_of_a_file_ask_for_the_one_that_stands_there(wrong: str, near: str) -> None:
    with pytest.raises(FileError, match=f"did you mean '{near}'"):
        parse_model(f"cardan: 1\nname: s\ncoordinates: {{phi: S1}}\n{wrong}\n", "s.yaml")
