"""A shape rolls about where it is placed, not about the centre of mass: wheels and balls that are heavy on one side."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from tests.support.close import assert_close

import cardan as cd

M, I_G, R, E, G = 2.0, 0.3, 0.5, 0.2, 9.81


def wheel(heavy: Any, *, at: Any = (0, 0, 0), place: float = 0.0) -> tuple[cd.System, Any]:
    """A disc upright on the floor y = 0 that rolls along x; its frame is ``place`` along its own x from its centre."""
    s = cd.System("unbalanced wheel")
    x, y, theta = s.coordinates("x y theta")
    body = s.body("wheel", mass=M, inertia=(1.0, 1.0, I_G), com=heavy, joint=cd.Planar(x, y, theta))
    s.roll(body, on=cd.Plane(s.world, "y"), shape=cd.Disc(R), at=at, name="floor")
    s.gravity(-G * s.world.y)
    return s, body


def swinging(theta: Any) -> Any:
    """omega^2 by energy from rest at theta0 = 0.9, theta from hanging straight down.

    2 T = (I + m (R^2 + e^2 - 2 R e cos theta)) omega^2 and V = -m g e cos theta.
    """
    fall = 2 * M * G * E * (np.cos(theta) - np.cos(0.9))
    return fall / (I_G + M * (R**2 + E**2 - 2 * R * E * np.cos(theta)))


def test_an_unbalanced_wheel_swings_as_its_energy_says() -> None:
    s, body = wheel((0, -E, 0))  # hangs at theta = 0
    run = s.simulate(1.5, q={"y": R, "theta": 0.9}, rtol=1e-10, atol=1e-12)
    theta, omega = run.q[:, 2], run.v[:, 2]
    assert theta.min() < -0.85  # it came to the other side
    assert_close(omega**2, swinging(theta), within=1e-7, because="tolerance 1e-10 of rates near 6 over half a period")
    assert_close(run.position(body)[:, 1], R, within=1e-9, because="the centre of the disc stays at its radius")


def test_the_place_of_the_shape_may_be_told_from_any_frame_of_the_body() -> None:
    """The frame at the centre of the wheel and the centre of mass beside it, or the frame at the centre of mass."""
    shifted, _ = wheel((0, 0, 0), at=(0, E, 0))
    named, hub = wheel((0, -E, 0))
    start = {"theta": 0.9}
    one = shifted.simulate(1.0, q=start | {"y": R - E * np.cos(0.9), "x": E * np.sin(0.9)}, rtol=1e-10, atol=1e-12)
    other = named.simulate(1.0, q=start | {"y": R}, rtol=1e-10, atol=1e-12)
    at = np.linspace(0, 1, 7)
    assert_close(one.at(at).q[:, 2], other.at(at).q[:, 2], within=1e-8, because="two runs at tolerance 1e-10")
    by_point, body = wheel((0, 0, 0))
    by_point.description.constraints.clear()
    by_point.roll(body, on=cd.Plane(by_point.world, "y"), shape=cd.Disc(R), at=body.point(0, E, 0), name="floor2")
    assert by_point.model.constraints[0].body.centre.position == (0, sp.Float(E), 0)  # type: ignore[union-attr]
    assert hub.com == (0, -E, 0)


def test_a_ball_with_a_heavy_side_keeps_its_centre_at_its_radius() -> None:
    s = cd.System("heavy ball")
    x, y, z = s.coordinates("x y z")
    joint = cd.Free(x, y, z, cd.Quaternion("e"))
    ball = s.body("ball", mass=M, inertia=I_G, com=(0.1, 0, 0.05), joint=joint)
    s.roll(ball, on=s.world, shape=cd.Sphere(R))
    s.gravity(-G * s.world.z)
    run = s.simulate(1.0, q={"z": R, "e": (1, 0, 0, 0)}, v={"e": (1.0, 0, 0)})
    assert_close(run.position(ball)[:, 2], R, within=1e-9, because="contact is a position row, held by projection")
    p, w = run.position(ball.point(0, 0, 0)), run.omega(ball, expressed_in="world")
    rate = np.stack([R * w[:, 1], -R * w[:, 0]], axis=1)  # v = w x (R up)
    assert_close(run.v[:, :2], rate, within=1e-8, because="the touching point rests; velocity rows to tolerance")
    assert p.shape == (len(run.t), 3)


def test_a_contact_has_its_shape_where_rolling_has_it() -> None:
    """Lands when the origin of the frame is one radius up: after sqrt(2 h / g)."""
    s = cd.System("thrown")
    x, y, z = s.coordinates("x y z")
    ball = s.body("ball", mass=M, inertia=I_G, com=(0, 0, 0.3), joint=cd.Planar(z, x, y, normal="y"))
    s.contact(ball, on=s.world, shape=cd.Sphere(R), restitution=0.5, name="floor")
    s.gravity(-G * s.world.z)
    run = s.simulate(1.0, q={"z": R + 1.0})
    first = next(event.t for event in run.events if event.kind == "impact")
    assert_close(first, np.sqrt(2 / G), within=1e-9, because="free fall is a polynomial; roots to about 1e-12")
