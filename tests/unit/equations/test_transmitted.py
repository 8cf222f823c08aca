"""What drives a prescribed coordinate, and what joints transmit, beside constraints and springs."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from support.close import assert_close

ROUNDING = "a few products, rounded"


def carousel() -> cd.System:
    """A turning arm pulls a mass at the end of a rod; the rod's length stands as a constraint."""
    s = cd.System("carousel")
    turn, x, y = s.coordinates("turn x y")
    arm = s.body("arm", inertia=1, joint=cd.Revolute("z", turn))
    mass = s.particle("mass", mass=2, position=s.world.vector(x, y, 0))
    s.distance(arm.point(1, 0, 0), mass, 5, name="rod")
    s.prescribe(turn, sp.Rational(1, 2) * s.time**2)
    return s


def test_a_driven_arm_carries_the_moment_of_the_rod_it_pulls():
    """mu = J angular acceleration - moment of the rod's force on the arm about the axis."""
    s = carousel()
    q, v = np.array([1 + 3.0, 4.0]), np.array([1.0, -0.75])
    here = s.equations().at(q, v, t=0.0)  # turn = 0, at rest, accelerating with 1
    lam = here.multipliers["rod"]
    along = np.array([3.0, 4.0]) / 5  # from the arm's end to the mass; on the arm the rod acts with -lam along it
    on_arm = -lam * along
    assert_close(here.multipliers["turn"], 1.0 - (1.0 * on_arm[1]), within=1e-13, because=ROUNDING)


def test_the_formula_of_a_driven_coordinate_names_what_the_constraint_pushes():
    """x = 2 turn gears a mass to a driven shaft: A = 1 along x, -2 along turn; lam = m xdd, mu = J turndd + 2 lam."""
    s = cd.System("geared")
    turn, x = s.coordinates("turn x")
    s.body("shaft", inertia=3, joint=cd.Revolute("z", turn))
    s.particle("mass", mass=2, position=s.world.vector(x, 0, 0))
    s.constrain(x - 2 * turn, name="gear")
    s.prescribe(turn, sp.Rational(1, 2) * s.time**2)
    eq = s.equations()
    mu, lam = sp.symbols("mu_turn lam_gear", real=True)
    assert sp.expand(eq.multipliers["turn"] - (3 + 2 * lam)) == 0
    assert eq.multipliers["gear"] == 4
    assert sp.expand(eq.generalized_forces["turn"] - (mu - 2 * lam)) == 0
    assert eq.at([0.0], [0.0]).multipliers == pytest.approx({"turn": 3 + 2 * 4, "gear": 4}, abs=1e-14)


@pytest.mark.parametrize("where", ["spring", "constraint"])
def test_a_hinge_does_not_transmit_what_a_spring_or_constraint_holds(where):
    """A hanging arm, pulled sideways at its end; the hinge carries the rest of the balance."""
    s = cd.System("arm")
    a = s.coordinates("a")
    arm = s.body("arm", mass=1, inertia=1, com=(sp.Rational(1, 2), 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-10 * s.world.y)
    if where == "spring":
        s.spring(arm.point(1, 0, 0), s.world.point(3, 0, 0), stiffness=3)
    else:
        s.connect(s.world.point(1, 0, 0), arm.point(1, 0, 0), cd.Ball(), name="pin")
    eq = s.equations()
    at_rest = {a: 0, a.dot: 0, a.dot.dot: 0}
    x, y = (eq._joint_directions[k] for k in (2, 3))
    assert (x.name, y.name) == ("arm_force_x", "arm_force_y")
    lam_x, lam_y = sp.symbols("lam_pin_x lam_pin_y", real=True)
    pull = -6 if where == "spring" else -lam_x  # the spring pulls with 3 * 2 along x
    lift = 10 if where == "spring" else 10 - lam_y
    assert sp.simplify((x.transmitted - x.pushed).subs(at_rest) - pull) == 0
    assert sp.simplify((y.transmitted - y.pushed).subs(at_rest) - lift) == 0
