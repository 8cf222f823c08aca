"""The places a point can reach at the end of a chain of joints: points, lines, planes, circles, spheres and so on.

A shape is swept by one joint at a time, from the point back to the base of the chain. A sweep either *grows* the shape
by a factor of its own (every new place is reached by one value of the joint), *covers* a larger shape whose places are
not all reached by one value only (polar coordinates cover a plane: the angle has no value at its centre), leaves it the
*same*, or is not decided. Proofs are in docs/theory/manifolds.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

SMALL = 1e-9  # lengths relative to the chain's, and sines of angles, below this are zero


@dataclass(frozen=True, eq=False)
class Shape:
    """A set of places: ``name`` with a place, a direction (axis, normal or line) and a radius where it has them."""

    name: str  # point, line, plane, space, circle, sphere, cylinder, torus
    place: Vector
    direction: Vector
    radius: float = 0.0

    def moved(self, R: Vector, p: Vector) -> Shape:
        """The shape seen from the frame before a constant placement."""
        return replace(self, place=R @ self.place + p, direction=R @ self.direction)


NONE = np.zeros(3)
FACTORS = {
    "point": (),
    "line": ("E",),
    "plane": ("E", "E"),
    "space": ("E", "E", "E"),
    "circle": ("S1",),
    "sphere": ("S2",),
    "cylinder": ("E", "S1"),
    "torus": ("S1", "S1"),
}


def point(place: Vector) -> Shape:
    return Shape("point", place, NONE)


@dataclass(frozen=True, eq=False)
class Sweep:
    """The shape after a joint, and how it became that: "grows", "covers", "same", or "undecided" with a reason."""

    shape: Shape
    how: str
    why: str = ""


def _parallel(a: Vector, b: Vector) -> bool:
    return float(np.linalg.norm(np.cross(a, b))) < SMALL


def _across(a: Vector, b: Vector) -> bool:
    return abs(float(a @ b)) < SMALL


def _undecided(shape: Shape, why: str) -> Sweep:
    return Sweep(shape, "undecided", why)


# --- slides ------------------------------------------------------------------------------------------


def slide(shape: Shape, a: Vector, length: float) -> Sweep:
    """The shape moved along a unit vector by any distance."""
    if shape.name == "point":
        return Sweep(Shape("line", shape.place, a), "grows")
    if shape.name == "space":
        return Sweep(shape, "same")
    if shape.name == "line":
        if _parallel(a, shape.direction):
            return Sweep(shape, "same")
        normal = np.cross(a, shape.direction)
        return Sweep(Shape("plane", shape.place, normal / np.linalg.norm(normal)), "grows")
    if shape.name == "plane":
        return Sweep(shape, "same") if _across(a, shape.direction) else Sweep(Shape("space", NONE, NONE), "grows")
    if shape.name == "circle" and _parallel(a, shape.direction):
        return Sweep(Shape("cylinder", shape.place, shape.direction, shape.radius), "grows")
    if shape.name == "cylinder" and _parallel(a, shape.direction):
        return Sweep(shape, "same")
    return _undecided(shape, f"a {shape.name} that slides across itself sweeps places with an edge")


# --- turns about an axis through the origin ----------------------------------------------------------


def turn(shape: Shape, u: Vector, length: float) -> Sweep:
    """The shape turned by any angle about the axis u through the origin; ``length`` is a typical length."""
    return _TURNS[shape.name](shape, u, SMALL * length)


def _off_axis(p: Vector, u: Vector) -> Vector:
    found: Vector = p - float(p @ u) * u
    return found


def _turn_point(s: Shape, u: Vector, small: float) -> Sweep:
    arm = float(np.linalg.norm(_off_axis(s.place, u)))
    if arm <= small:
        return Sweep(s, "same")
    return Sweep(Shape("circle", float(s.place @ u) * u, u, arm), "grows")


def _turn_line(s: Shape, u: Vector, small: float) -> Sweep:
    d = s.direction
    if _parallel(d, u):
        arm = float(np.linalg.norm(_off_axis(s.place, u)))
        return Sweep(s, "same") if arm <= small else Sweep(Shape("cylinder", NONE, u, arm), "grows")
    gap = abs(float(s.place @ np.cross(u, d))) / float(np.linalg.norm(np.cross(u, d)))
    if _across(d, u):
        if gap <= small:
            return Sweep(Shape("plane", float(s.place @ u) * u, u), "covers")
        return _undecided(s, f"a line that passes the axis at distance {gap:.3g} never reaches the places closer to it")
    if gap <= small:
        return _undecided(s, "a line that meets the axis obliquely sweeps a cone, which is no manifold at its apex")
    return Sweep(Shape("cylinder", NONE, u, gap), "grows")  # a hyperboloid: a cylinder as far as its type goes


def _turn_plane(s: Shape, u: Vector, small: float) -> Sweep:
    n = s.direction
    if _parallel(n, u):
        return Sweep(s, "same")
    if _across(n, u) and abs(float(s.place @ n)) <= small:
        return Sweep(Shape("space", NONE, NONE), "covers")
    return _undecided(s, "a plane that does not contain the axis never reaches some places around it")


def _turn_circle(s: Shape, u: Vector, small: float) -> Sweep:
    off = float(np.linalg.norm(_off_axis(s.place, u)))
    if _parallel(s.direction, u):
        if off <= small:
            return Sweep(s, "same")
        return _undecided(s, "a circle that turns in its own plane sweeps a ring, reached twice between its edges")
    if off <= small and _across(s.direction, u):
        return Sweep(Shape("sphere", s.place, NONE, s.radius), "covers")
    in_plane = _across(s.direction, u) and abs(float(s.place @ s.direction)) <= small
    if in_plane and off > s.radius + small:
        return Sweep(Shape("torus", NONE, u), "grows")
    return _undecided(s, "a circle turned about this axis sweeps places that are reached more than once")


def _turn_sphere(s: Shape, u: Vector, small: float) -> Sweep:
    if float(np.linalg.norm(_off_axis(s.place, u))) <= small:
        return Sweep(s, "same")
    return _undecided(s, "a sphere whose centre is off the axis sweeps a solid with a surface")


def _turn_cylinder(s: Shape, u: Vector, small: float) -> Sweep:
    if _parallel(s.direction, u) and float(np.linalg.norm(_off_axis(s.place, u))) <= small:
        return Sweep(s, "same")
    return _undecided(s, "a cylinder turned about another axis sweeps a solid with a surface")


def _turn_space(s: Shape, u: Vector, small: float) -> Sweep:
    return Sweep(s, "same")


def _turn_torus(s: Shape, u: Vector, small: float) -> Sweep:
    return Sweep(s, "same") if _parallel(s.direction, u) else _undecided(s, "a torus turned about another axis")


_TURNS: dict[str, Callable[[Shape, Vector, float], Sweep]] = {
    "point": _turn_point,
    "line": _turn_line,
    "plane": _turn_plane,
    "circle": _turn_circle,
    "sphere": _turn_sphere,
    "cylinder": _turn_cylinder,
    "space": _turn_space,
    "torus": _turn_torus,
}


def spin(shape: Shape, length: float) -> Sweep:
    """The shape turned by any rotation about the origin."""
    small = SMALL * length
    centred = float(np.linalg.norm(shape.place)) <= small
    if shape.name == "point" and not centred:
        return Sweep(Shape("sphere", NONE, NONE, float(np.linalg.norm(shape.place))), "covers")
    if shape.name == "line" and float(np.linalg.norm(_off_axis(shape.place, shape.direction))) <= small:
        return Sweep(Shape("space", NONE, NONE), "covers")
    if shape.name == "plane" and abs(float(shape.place @ shape.direction)) <= small:
        return Sweep(Shape("space", NONE, NONE), "covers")
    if shape.name == "space" or (shape.name in ("point", "sphere") and centred):
        return Sweep(shape, "same")
    return _undecided(shape, f"a {shape.name} turned every way about a point beside its centre")
