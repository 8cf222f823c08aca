"""Points and balls that leave, meet and rub on round surfaces."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close


def point(surface, restitution: float = 0.0, friction: float = 0.0, shape=None) -> cd.System:
    s = cd.System("round")
    x, z = s.coordinates("x z")
    P = s.particle("P", mass=0.3, position=(x, 0, z))
    s.gravity(-9.81 * s.world.z)
    s.contact(P, on=surface(s.world), restitution=restitution, friction=friction, shape=shape, name="touch")
    return s


def test_a_particle_leaves_a_sphere_where_the_cosine_is_two_thirds():
    """With v0^2 / (g R) = a at the top: cos = (2 + a) / 3."""
    R, v0 = 2.0, 0.5
    s = point(lambda world: cd.SphereSurface(world, R))
    run = s.simulate(1.8, q=[0.0, R], v=[v0, 0.0])
    (off,) = [one for one in run.events if one.kind == "release"]
    cosine = off.q[1] / R
    assert_close(cosine, (2 + v0**2 / (9.81 * R)) / 3, within=1e-7, because="the tolerance of the integrator")


@pytest.mark.parametrize("shape", [None, 0.25])
def test_a_bounce_inside_a_cylinder_turns_the_normal_velocity_back(shape):
    """Dropped at x = 0.6 in a cylinder along y: v' = v - (1 + e) (v.n) n at the place of impact, typed."""
    e, R, r = 0.7, 1.5, shape or 0.0
    s = point(lambda world: cd.CylinderSurface(world, R, axis="y", inside=True), e, 0.0, shape and cd.Sphere(shape))
    run = s.simulate(0.75, q=[0.6, 0.0])
    hit = next(one for one in run.events if one.kind == "impact")
    depth = -np.sqrt((R - r) ** 2 - 0.36)
    t = np.sqrt(-2 * depth / 9.81)
    assert_close(hit.t, t, within=1e-9, because="a parabola, located to round-off")
    n = -np.array([0.6, depth]) / (R - r)
    v = np.array([0.0, -9.81 * t])
    expected = v - (1 + e) * (v @ n) * n
    assert_close(run.at([t + 1e-9]).v[0], expected, within=1e-7, because="1e-9 s of fall later")
    assert run.contacts.penetration < 1e-9


def test_round_contacts_survive_a_file_and_take_balls_only(tmp_path):
    s = point(lambda world: cd.CylinderSurface(world, 1.5, axis="y", inside=True), 0.7)
    again = cd.load(s.write(tmp_path / "round.yaml"))
    found, expected = (one.simulate(0.7, q=[0.6, 0.0]).q[-1] for one in (again, s))
    assert np.array_equal(found, expected)
    with pytest.raises(ModelError, match="only points and balls"):
        s.contact(s.particles["P"], on=cd.SphereSurface(s.world, 1.0), restitution=0, shape=cd.Disc(0.1))
