"""Every written form of the equations says what the graph route computes: same accelerations, same multipliers."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.errors import DerivationError, NotQuadratic
from cardan.gallery.index import modules
from support.build_models import build
from support.forms import FORMS, assert_forms_hold, gallery_equations
from support.random_models import draw as drawn
from support.random_models import draw_kinds

SHORT = ("H2", "H6", "C2", "C3", "R7", "R8", "B3")  # entries with stops, inputs, constraints and prescribed motions
WITHOUT_MOMENTA = tuple(form for form in FORMS if form != "hamiltonian")


@pytest.mark.parametrize("name", SHORT)
def test_forms_of_the_gallery(name: str) -> None:
    assert_forms_hold(gallery_equations(name), np.random.default_rng(3))


def test_forms_of_a_rolling_disc() -> None:
    assert_forms_hold(gallery_equations("R9"), np.random.default_rng(3), ("rows", "explicit"), states=1)


@pytest.mark.parametrize("seed", range(2))
def test_forms_of_random_energies(seed: int) -> None:
    """T = v . M(q) v / 2 + c(q) . v with M = m + J^T J of a random row J; a potential, a force, a constraint."""
    draw = np.random.default_rng(seed)
    s = cd.System("random energies")
    q = list(s.coordinates("a b c"))
    m, k = s.parameters(m=1.5, k=2.0)
    pick = [sin(q[0]), cos(q[1]), q[2], sin(q[0] - q[1]), k, cos(2 * q[2])]
    slide = sum(int(draw.integers(1, 3)) * pick[draw.integers(6)] * x.dot for x in q[:2])
    s.kinetic_energy(sum(x.dot**2 for x in q) * m + slide**2 / 2 + pick[3] * q[2].dot)
    s.potential(k * cos(q[0]) + q[2] ** 2 / 3)
    s.generalized_force(q[1], -k * q[1].dot)
    if seed:
        s.constrain_velocity(q[0].dot + sin(q[2]) * q[1].dot - q[2].dot / 2, name="row")
    forms = ("rows", "matrix", "projected") if seed else FORMS
    assert_forms_hold(s.equations(), np.random.default_rng(seed), forms, states=1)


def test_forms_of_a_ball_on_a_quaternion() -> None:
    s = cd.System("ball")
    s.body("b", mass=2, inertia=(1, 2, 3), com=(0, 0, 1), joint=cd.Ball(cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.z)
    assert_forms_hold(s.equations(), np.random.default_rng(5), WITHOUT_MOMENTA)
    with pytest.raises(DerivationError, match="quaternion"):
        s.equations().write("hamiltonian")


def test_rows_of_an_energy_that_is_not_quadratic() -> None:
    """Rows exist without a mass matrix; the other forms say why they do not."""
    s = cd.System("quartic")
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**4 / 4)
    s.potential(x**2)
    row = s.equations().write("rows").equations[0]
    assert (row.left - 3 * x.dot**2 * x.ddot - 2 * x).expand() == 0
    with pytest.raises(NotQuadratic):
        s.equations().write("explicit")


def possible(name: str, form: str) -> bool:
    try:
        gallery_equations(name).write(form, budget=120.0)
    except DerivationError:
        return False
    return True


@pytest.mark.long
@pytest.mark.parametrize("name", list(modules()))
def test_all_forms_of_every_entry_at_twenty_states(name: str) -> None:
    forms = tuple(form for form in FORMS if possible(name, form))
    assert "rows" in forms
    assert_forms_hold(gallery_equations(name), np.random.default_rng(7), forms, states=20)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100))
def test_rows_of_a_hundred_random_trees(seed: int) -> None:
    plan = drawn(seed, draw_kinds(seed, 1 + seed % 2), rheonomic=seed % 4 == 0)
    assert_forms_hold(build(plan).equations(), np.random.default_rng(seed), ("rows",), states=2)


def test_the_double_pendulum_keeps_the_differences_that_were_typed() -> None:
    """As a person would write it: m l^2 (2 a'' + b'' cos(a - b) + b'^2 sin(a - b)) + 2 m g l sin(a) = 0."""
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    m, l, g = s.parameters(m=1.0, l=1.0, g=9.81)  # noqa: E741
    T = m * l**2 * (a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b))
    s.lagrangian(T + m * g * l * (2 * cos(a) + cos(b)))
    first, second = s.equations().write("rows").equations
    by_hand = m * l * (2 * l * a.ddot + l * b.ddot * cos(a - b) + l * b.dot**2 * sin(a - b) + 2 * g * sin(a))
    assert (first.left - by_hand).expand(trig=True) == 0
    assert max(len(first.text), len(second.text)) < 90
