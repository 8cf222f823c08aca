"""The schema: what is unknown, missing or of the wrong form is refused with its place."""

from __future__ import annotations

import inspect

import pytest

import cardan as cd
from cardan.errors import FileError
from cardan.formats import schema, schema_constraints
from cardan.formats.model_reader import parse_model
from cardan.formats.write import starters


@pytest.mark.parametrize(
    ("text", "line", "place", "words"),
    [
        ("name: x", 1, "", "cardan: 1"),
        ("cardan: 2", 1, "cardan", "cardan: 1"),
        ("- 1", 1, "", "mapping"),
        ("cardan: 1\ncolour: red", 2, "colour", "'colour' is unknown here"),
        ("cardan: 1\nbodies:\n  b:\n    mas: 1", 4, "bodies.b.mas", "unknown here"),
        ("cardan: 1\nbodies:\n  b: {joint: {axis: z}}", 3, "bodies.b.joint", "'kind' is missing"),
        ("cardan: 1\nbodies:\n  b: {joint: {kind: hinge}}", 3, "bodies.b.joint", "hinge"),
        ("cardan: 1\nbodies:\n  b: {joint: {kind: revolute, axis: w}}", 3, "bodies.b.joint.axis", "no axis"),
        ("cardan: 1\nsprings:\n  - {on: x}", 3, "springs[1]", "'stiffness' is missing"),
        ("cardan: 1\nparameters: {m: true}", 2, "parameters.m", "expected a number"),
        ("cardan: 1\nparameters: {pi: 1}", 2, "parameters.pi", "that of a constant"),
        ("cardan: 1\nparameters: {t: 1}", 2, "parameters.t", "meaning of its own"),
        ("cardan: 1\nparameters: {lambda: 1}", 2, "parameters.lambda", "meaning of its own"),
        ("cardan: 1\ncoordinates: {a__b: S1}", 2, "coordinates.a__b", "is no name"),
        ("cardan: 1\nsimulate: {duration: 1, points: 1}", 2, "simulate.points", "greater than or equal to 2"),
        ("cardan: 1\nstops:\n  - {kind: gap, gap: x}", 3, "stops[1]", "'restitution' is missing"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(text: str, line: int, place: str, words: str) -> None:
    with pytest.raises(FileError, match=words) as caught:
        parse_model(text, "f.yaml")
    assert (caught.value.file, caught.value.line, caught.value.field) == ("f.yaml", line, place)


def test_the_first_of_several_problems_is_told_and_the_others_counted() -> None:
    with pytest.raises(FileError, match=r"f.yaml:2: parameters.*1 more") as caught:
        parse_model("cardan: 1\nparameters: {m: []}\ncolour: red", "f.yaml")
    assert caught.value.problems == 2


def fields(model: type) -> set[str]:
    return set(model.model_fields) - {"kind"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("method", "model", "renamed"),
    [
        ("body", schema.Body, {"name"}),
        ("frame", schema.Frame, {"name"}),
        ("particle", schema.Particle, {"name"}),
        ("force", schema.Force, {"name"}),
        ("moment", schema.Moment, {"name"}),
        ("spring", schema.Spring, {"first", "second", "between", "on"}),
        ("damper", schema.Damper, {"first", "second", "between", "on"}),
        ("strut", schema.Strut, {"first", "second", "between", "on"}),
        ("draw", schema.Drawing, {"kind", "places", "at"}),
        ("constrain", schema_constraints.Holonomic, set()),
        ("constrain_velocity", schema_constraints.Velocity, set()),
        ("connect", schema_constraints.Connect, set()),
        ("distance", schema_constraints.Distance, set()),
        ("no_slip", schema_constraints.NoSlip, set()),
        ("no_spin", schema_constraints.NoSpin, set()),
        ("roll", schema_constraints.Roll, set()),
        ("friction", schema.Friction, set()),
        ("stop", schema_constraints.Gap, set()),
        ("contact", schema_constraints.Contact, {"thing", "of"}),
        ("simulate", schema.Simulate, {"q", "v", "times", "points", "throw"}),
    ],
)
def test_every_argument_of_the_interface_can_be_written(method: str, model: type, renamed: set[str]) -> None:
    """A new argument of a method cannot be forgotten in files."""
    arguments = set(inspect.signature(getattr(cd.System, method)).parameters) - {"self"}
    assert arguments ^ fields(model) <= renamed


def test_starters_are_commented_and_accepted() -> None:
    for name, text in starters().items():
        assert "#" in text
        model, _ = parse_model(text, name)
        assert model.simulate is not None
