"""What joints sweep, one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from cardan.diagnosis.manifold.shapes import Shape, point, slide, spin, turn

Vector = NDArray[np.float64]
x, y, z = np.eye(3)
ORIGIN = np.zeros(3)


def line(place: Vector, direction: Vector) -> Shape:
    return Shape("line", place, direction)


def circle(place: Vector, normal: Vector, radius: float = 1.0) -> Shape:
    return Shape("circle", place, normal, radius)


TURNS = [
    (point(2 * z), "same", "point"),
    (point(x + 3 * z), "grows", "circle"),
    (line(ORIGIN, x), "covers", "plane"),
    (line(y, x), "undecided", "line"),
    (line(x, z), "grows", "cylinder"),
    (line(ORIGIN, z), "same", "line"),
    (line(ORIGIN, (x + z) / np.sqrt(2)), "undecided", "line"),  # a cone
    (line(y, (x + z) / np.sqrt(2)), "grows", "cylinder"),  # a hyperboloid
    (Shape("plane", ORIGIN, y), "covers", "space"),
    (Shape("plane", y, y), "undecided", "plane"),
    (Shape("plane", z, z), "same", "plane"),
    (circle(ORIGIN, y), "covers", "sphere"),
    (circle(z, y), "covers", "sphere"),
    (circle(ORIGIN, z), "same", "circle"),
    (circle(3 * x, y), "grows", "torus"),
    (circle(0.5 * x, y), "undecided", "circle"),  # crosses the axis
    (circle(3 * x, z), "undecided", "circle"),  # a ring
    (Shape("sphere", 2 * z, ORIGIN, 1.0), "same", "sphere"),
    (Shape("sphere", x, ORIGIN, 1.0), "undecided", "sphere"),
    (Shape("space", ORIGIN, ORIGIN), "same", "space"),
]


@pytest.mark.parametrize(("shape", "how", "name"), TURNS)
def test_turns_about_z(shape: Shape, how: str, name: str) -> None:
    swept = turn(shape, z, 1.0)
    assert (swept.how, swept.shape.name) == (how, name)
    assert bool(swept.why) == (how == "undecided")


SLIDES = [
    (point(x), "grows", "line"),
    (line(ORIGIN, x), "grows", "plane"),
    (line(ORIGIN, z), "same", "line"),
    (Shape("plane", ORIGIN, z), "grows", "space"),
    (Shape("plane", ORIGIN, x), "same", "plane"),
    (circle(ORIGIN, z), "grows", "cylinder"),
    (circle(ORIGIN, x), "undecided", "circle"),
    (Shape("sphere", ORIGIN, ORIGIN, 1.0), "undecided", "sphere"),
]


@pytest.mark.parametrize(("shape", "how", "name"), SLIDES)
def test_slides_along_z(shape: Shape, how: str, name: str) -> None:
    swept = slide(shape, z, 1.0)
    assert (swept.how, swept.shape.name) == (how, name)


def test_all_rotations_about_the_origin() -> None:
    assert spin(point(x), 1.0).shape.name == "sphere"
    assert spin(point(ORIGIN), 1.0).how == "same"
    assert spin(line(ORIGIN, x), 1.0).shape.name == "space"
    assert spin(circle(x, y), 1.0).how == "undecided"


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_small_is_measured_by_the_chain(scale: float) -> None:
    assert turn(point(1e-3 * scale * x), z, scale).how == "grows"
    assert turn(point(1e-12 * scale * x), z, scale).how == "same"
