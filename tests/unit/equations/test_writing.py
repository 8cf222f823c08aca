"""How equations are printed: names, numbers, multipliers, named quantities."""

from __future__ import annotations

import xml.dom.minidom

import pytest
import sympy as sp
from sympy import sin

import cardan as cd
from cardan.equations.writing.naming import LONGEST, named
from cardan.errors import UnknownName


def sleigh() -> cd.System:
    s = cd.System("sleigh")
    x, y, theta = s.coordinates("x y theta")
    s.body("b", mass=1.5, inertia=2.0, joint=cd.Planar(x, y, theta))
    s.constrain_velocity(-x.dot * sin(theta) + y.dot * sp.cos(theta), name="knife")
    return s


def test_multipliers_are_lambdas_with_the_name_of_their_constraint() -> None:
    latex = sleigh().equations().write("rows").latex()
    assert r"\lambda_{knife}" in latex
    assert "lam" not in latex.replace(r"\lambda", "")


def test_a_thrown_body_in_euler_angles_moves_along_x_without_a_force() -> None:
    """The row printed 1 988 characters, and is m x'' = 0."""
    s = cd.System("thrown")
    x, y, z, psi, theta, phi = s.coordinates("x y z psi theta phi")
    m, g = s.parameters(m=2.0, g=9.81)
    s.body("b", mass=m, inertia=(1, 2, 3), joint=cd.Free(x, y, z, cd.Euler("3-1-3", psi, theta, phi)))
    s.gravity(-g * s.world.z)
    rows = s.equations().write("rows").equations
    assert [line.text for line in rows[:3]] == ["m*x_ddot = 0", "m*y_ddot = 0", "m*(g + z_ddot) = 0"]
    assert max(len(line.text) for line in rows) < 400


def test_whole_numbers_and_fractions_are_not_decimals() -> None:
    s = cd.System("numbers")
    b = s.coordinates("b")
    s.kinetic_energy(0.5 * b.dot**2)
    s.potential(b**2 / 6)
    assert s.equations().write("rows").equations[0].text in ("b_ddot + b/3 = 0", "b/3 + b_ddot = 0")


def test_a_coordinate_named_by_a_word_has_one_dot() -> None:
    s = cd.System("words")
    crank = s.coordinates("crank")
    s.kinetic_energy(crank.dot**2 * (2 + sin(crank)))
    assert r"\dot{crank}" in s.equations().write("rows").latex()


def test_mathml_is_well_formed_and_notebooks_are_given_latex() -> None:
    written = sleigh().equations().write("explicit")
    xml.dom.minidom.parseString(written.mathml().replace("&InvisibleTimes;", "").replace("&#xa0;", ""))
    assert not hasattr(written, "_repr_html_"), "JupyterLab would prefer it, and takes MathML out of HTML"
    assert written._repr_latex_().startswith("$")


def test_contacts_have_their_conditions_and_forces() -> None:
    s = cd.System("puck")
    y = s.coordinates("y")
    s.kinetic_energy(y.dot**2 / 2)
    s.stop(y, restitution=0.5, name="floor")
    written = s.equations().write("rows")
    assert written.equations[0].text == "y_ddot = N_floor"
    assert [line.text for line in written.conditions[0].lines][:3] == ["y >= 0", "N_floor >= 0", "N_floor*y = 0"]
    assert len(written) == len(written.unknowns) == 2


def test_long_lines_are_cut_by_names_that_mean_what_they_replace() -> None:
    x = sp.symbols("x1:40")
    long = sp.Add(*(x[k] * sp.sin(x[k + 1] + x[0] * x[k + 2]) ** 3 * (x[k] + 2 * x[k + 3]) for k in range(30)))
    (short,), definitions = named([long], {"w1"})
    assert all(len(str(value)) <= LONGEST for value in (short, *(value for _, value in definitions)))
    for symbol, value in reversed(definitions):
        assert symbol.name != "w1"
        short = short.xreplace({symbol: value})
    assert sp.expand(short - long) == 0


def test_long_sums_go_on_in_the_next_line_of_a_notebook() -> None:
    """No line of a cell holds more than 100 characters of text, where sums can be broken; every term is kept."""
    s = cd.System("chain")
    q = s.coordinates("a b c d e f g h")
    s.kinetic_energy(sum(x.dot**2 for x in q) / 2)
    s.potential(sum(sin(x) * sp.cos(y) for x in q for y in q if x != y))
    written = s.equations().write("rows")
    whole, wrapped = written.latex(), written.latex(100)
    assert max(line.count(r"\sin") + line.count(r"\cos") for line in wrapped.split(r"\\")) < 12
    assert whole.count(r"\sin") == wrapped.count(r"\sin")
    assert whole.count("-") == wrapped.count("-")
    assert wrapped in written._repr_latex_()


def test_short_lines_stay_as_they_are() -> None:
    written = sleigh().equations().write("rows")
    assert written.latex() == written.latex(100)


def test_an_unknown_form_names_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="hamiltonian"):
        sleigh().equations().write("hamiltonean")
