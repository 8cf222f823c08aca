"""Integrable one-forms and their potentials: textbook forms, forms that have none, and bounded time."""

from __future__ import annotations

import time

import pytest
import sympy as sp

import cardan as cd
from cardan.equations.potentials import SECONDS, potential
from support.close import assert_close

x, y, z, t = sp.symbols("x y z t", real=True)
a, b = sp.symbols("a b", positive=True)

FORMS = [  # entries of dx, dy, dz, dt
    (y, -x, 0, 0),  # 1/x^2, 1/y^2, 1/(x y) and 1/(x^2 + y^2) are all factors
    (2 * y, 3 * x, 0, 0),
    (a * y, b * x, 0, 0),
    (x**2 + y**2 + x, x * y, 0, 0),  # a factor of x alone
    (x * y + y, x, 0, 0),
    (x - y, x + y, 0, 0),  # homogeneous: a spiral
    (sp.sin(y), -x * sp.cos(y), 0, 0),
    (sp.tan(y), x + sp.exp(y), 0, 0),
    (y * z, x * z, -x * y, 0),
    (2 * x * z, 2 * y * z, -(x**2 + y**2), 0),
    (y**2 + y * z, x * z + z**2, y**2 - x * y, 0),  # a form of the textbooks, y (x + z) / (y + z)
    (y, -x, 0, x * y),  # a drive
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_the_differential_of_what_is_found_is_parallel_to_the_form(form):
    variables = (x, y, z, t)
    phi = potential(form, variables)
    assert phi is not None
    slopes = [sp.diff(phi, one) for one in variables]
    for i in range(4):
        for j in range(i):
            assert sp.simplify(form[i] * slopes[j] - form[j] * slopes[i]) == 0
    assert any(slope != 0 for slope in slopes)


@pytest.mark.parametrize(
    "form",
    [(1, 0, -y, 0), (sp.cos(z), sp.sin(z), 0, 0), (y, -x, 1, 0), (-y, x, sp.sin(t), 1)],
    ids=["blade", "skate", "contact form", "driven"],
)
def test_forms_that_are_not_integrable_have_no_potential(form):
    assert potential(form, (x, y, z, t)) is None


def test_the_search_gives_up_in_time():
    hard = (sp.sin(x * y) + sp.exp(sp.cos(x + y**2)), sp.log(1 + x**2 + sp.sin(y)) * sp.sqrt(1 + x * y), 0, 0)
    begun = time.process_time()
    assert potential(hard, (x, y, z, t)) is None
    assert time.process_time() - begun < 5 * SECONDS, "the deadline is looked at between steps of seconds at most"


def particle():
    s = cd.System("particle")
    q = s.coordinates("x y z")
    s.particle("P", mass=1.0, position=tuple(q))
    return s, *q


def test_a_line_through_the_origin_in_disguise_becomes_one():
    s, x, y, _ = particle()
    s.gravity(-9.81 * s.world.y)
    s.constrain_velocity(y * x.dot - x * y.dot, name="radial")
    report = s.constraints["radial"]
    assert report.is_integrable
    assert report.holonomic in (y / x, x / y)
    s.make_holonomic("radial", 2)
    assert s.constraints["radial"].kind == "holonomic"
    run = s.simulate(1.0, q=[1.0, 2.0, 0.0] if report.holonomic == y / x else [2.0, 1.0, 0.0])
    assert_close(run["y"] * run["x"][0], run["x"] * run["y"][0], within=1e-14 * 10, because="round-off of a few metres")
    assert run["y"].min() < 0 < run["y"].max(), "it falls through the origin, where the quotient has no value"


def test_three_variables_and_a_cone():
    s, x, y, z = particle()
    s.constrain_velocity(2 * z * (x * x.dot + y * y.dot) - 2 * (x**2 + y**2) * z.dot, name="cone")
    report = s.constraints["cone"]
    assert report.is_integrable
    slopes = sp.Matrix([sp.diff(report.holonomic, one) for one in (x, y, z)])
    form = sp.Matrix([2 * z * x, 2 * z * y, -2 * (x**2 + y**2)])
    assert sp.simplify(slopes.cross(form)) == sp.zeros(3, 1)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_a_blade_is_not_integrable_in_any_units(size):
    s = cd.System("blade")
    x, y, a = s.coordinates("x y a")
    s.body("blade", mass=1, inertia=0.1, joint=cd.Planar(x, y, a))
    s.constrain_velocity(size * (x.dot * sp.sin(a) - y.dot * sp.cos(a)), name="edge")
    assert not s.constraints["edge"].is_integrable
