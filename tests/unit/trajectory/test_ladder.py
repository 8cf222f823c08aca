"""A ladder on a rough floor against a rough wall: four forces, three equations.

It stands if one member of the family of forces lies within both cones of friction; SciPy's linear programming says
whether there is one. Where there is none it slides at both ends, by equations written here.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from sympy import cos, sin

import cardan as cd
from support.close import assert_close

G, MASS, HALF = 9.81, 10.0, 2.0
INERTIA = MASS * (2 * HALF) ** 2 / 12


def ladder(floor: float, wall: float, *, load: float = 0.0) -> cd.System:
    """On contacts; x along the floor, z up, th the angle with the floor; a load hangs at three quarters of it."""
    s = cd.System("ladder")
    x, z, th = s.coordinates("x z th")
    rod = s.body("ladder", mass=MASS, inertia=INERTIA, joint=cd.Planar(z, x, th, normal="y"))
    s.gravity(-G * s.world.z)
    s.contact(rod.point(HALF, 0, 0), on=s.world, restitution=0, friction=floor, name="floor")
    s.contact(rod.point(-HALF, 0, 0), on=cd.Plane(s.world, normal="x"), restitution=0, friction=wall, name="wall")
    s.force("man", on=rod.point(-HALF / 2, 0, 0), along=-s.world.z)
    return s


def at(angle: float) -> list[float]:
    return [HALF * np.cos(angle), HALF * np.sin(angle), angle]


def stands(floor: float, wall: float, angle: float, load: float = 0.0) -> bool:
    """Unknowns: floor, friction of the floor towards the wall, wall, friction of the wall upwards."""
    weight = MASS * G
    about_foot = (weight * HALF + load * 1.5 * HALF) * np.cos(angle)
    found = linprog(
        np.zeros(4),
        A_ub=[[-floor, 1, 0, 0], [-floor, -1, 0, 0], [0, 0, -wall, 1], [0, 0, -wall, -1]],
        b_ub=np.zeros(4),
        A_eq=[[0, 1, -1, 0], [1, 0, 0, 1], [0, 0, 2 * HALF * np.sin(angle), 2 * HALF * np.cos(angle)]],
        b_eq=[0, weight + load, about_foot],
        bounds=[(0, None), (None, None), (0, None), (None, None)],
    )
    return bool(found.status == 0)


CASES = [(0.5, 0.0, 60), (0.5, 0.5, 60), (0.6, 0.6, 45), (0.4, 0.9, 45), (1.2, 1.2, 30), (0.9, 0.2, 40)]
SLIDING = [(0.25, 0.5, 60), (0.2, 0.2, 60), (0.3, 0.3, 50)]


@pytest.mark.parametrize(("floor", "wall", "degrees"), CASES)
def test_it_stands_where_some_forces_hold_it(floor: float, wall: float, degrees: float) -> None:
    angle = np.radians(degrees)
    assert stands(floor, wall, angle)
    run = ladder(floor, wall).simulate(0.5, q=at(angle))
    assert run.status == "finished"
    assert_close(run.q[-1], at(angle), within=1e-12, because="nothing moves; lengths of 2 m")
    N, t = run.multipliers["floor"][-1], run.multipliers["floor_slip2"][-1]
    M, u = run.multipliers["wall"][-1], run.multipliers.get("wall_slip1", [0.0])[-1]
    assert abs(t) <= floor * N * (1 + 1e-9)
    assert abs(u) <= wall * M * (1 + 1e-9)
    assert_close(N + u, MASS * G, within=1e-9, because="balance of 98 N")
    if wall:
        line = run.audit()["contact forces"]
        assert line.verdict == "look"
        assert "determined are floor + wall_slip1" in line.words


@pytest.mark.parametrize(("floor", "wall", "degrees"), SLIDING)
def test_it_slides_at_both_ends_where_none_do(floor: float, wall: float, degrees: float) -> None:
    angle = np.radians(degrees)
    assert not stands(floor, wall, angle)
    run = ladder(floor, wall).simulate(0.05, q=at(angle), rtol=1e-10)
    c, s = np.cos(angle), np.sin(angle)
    # unknowns: alpha, N, M at rest, sliding outwards and down: F = floor N inwards, u = wall M upwards
    #   m xdd = M - floor N,  m zdd = N + wall M - m g,  x = l cos, z = l sin of an angle that falls
    A = np.array([
        [-MASS * HALF * s, floor, -1.0],
        [MASS * HALF * c, -1.0, -wall],
        [INERTIA, HALF * c - floor * HALF * s, -HALF * s - wall * HALF * c],
    ])  # fmt: skip
    alpha, N, M = np.linalg.solve(A, [0.0, -MASS * G, 0.0])
    assert N > 0
    assert M > 0
    assert alpha < 0
    assert_close(run.acceleration[0, 2], alpha, within=1e-9, because="one solve of three equations")


def test_a_load_that_grows_makes_it_slide_when_the_last_share_is_used_up() -> None:
    floor, wall, angle = 0.5, 0.4, np.radians(50)
    low, high = 0.0, 1e4
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if stands(floor, wall, angle, middle) else (low, middle)
    s = ladder(floor, wall)
    run = s.simulate(1.2, q=at(angle), loads={"man": high * s.time})
    begin = next(one.t for one in run.events if "slide" in one.what)
    assert_close(begin, 1.0, within=1e-6, because="the share keeps 1e-9 of the forces to spare, load grows by 1 in 1 s")
    assert abs(run["th"][-1] - angle) > 1e-4


def rubbing(floor: float, wall: float) -> cd.System:
    """The same on constraints with exact friction."""
    s = cd.System("ladder on rails")
    x, z, th = s.coordinates("x z th")
    s.body("ladder", mass=MASS, inertia=INERTIA, joint=cd.Planar(z, x, th, normal="y"))
    s.gravity(-G * s.world.z)
    s.constrain(z - HALF * sin(th), name="floor")
    s.constrain(x - HALF * cos(th), name="wall")
    s.friction(x.dot - HALF * sin(th) * th.dot, coefficient=floor, normal="floor", name="foot")
    s.friction(z.dot + HALF * cos(th) * th.dot, coefficient=wall, normal="wall", name="top")
    return s


@pytest.mark.parametrize(("floor", "wall", "degrees"), [CASES[1], CASES[2], CASES[3], SLIDING[1]])
def test_the_same_on_constraints_that_rub(floor: float, wall: float, degrees: float) -> None:
    angle = np.radians(degrees)
    run = rubbing(floor, wall).simulate(0.3, q=at(angle))
    assert run.status == "finished"
    moved = abs(float(run["th"][-1]) - angle)
    assert (moved < 1e-12) == stands(floor, wall, angle)
    if moved > 1e-12:
        other = ladder(floor, wall).simulate(0.3, q=at(angle), rtol=1e-9)
        assert_close(moved, angle - other["th"][-1], within=1e-6, because="two ways of stating it, rtol 1e-6 and 1e-9")
