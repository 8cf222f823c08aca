"""Struts by any law of length and rate, and forces with their counterpart: motion, third law, both routes, files."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import simpson, solve_ivp

import cardan as cd
from cardan.errors import FileError, ModelError
from cardan.formats.say_model import say_model
from support.close import EPS, assert_close


def test_a_cubic_spring_with_square_damping_moves_as_typed_by_hand():
    """m xdd = -(k (x - l)^3 + c xd |xd|), x > 0 the distance from the wall."""
    s = cd.System("cubic")
    x = s.coordinates("x")
    m, k, c, rest = s.parameters(m=1.3, k=40.0, c=0.7, rest=0.9)
    P = s.particle("P", mass=m, position=x * s.world.x)
    s.strut(s.world.origin, P, law=lambda length, rate: k * (length - rest) ** 3 + c * rate * sp.Abs(rate))
    times = np.linspace(0, 3, 31)
    run = s.simulate(3.0, q=[1.5], v=[0.2], times=times, rtol=1e-10, atol=1e-13)

    def by_hand(t, y):
        return [y[1], -(40.0 * (y[0] - 0.9) ** 3 + 0.7 * y[1] * abs(y[1])) / 1.3]

    expected = solve_ivp(by_hand, (0, 3), [1.5, 0.2], method="DOP853", t_eval=times, rtol=1e-11, atol=1e-13).y
    assert_close(run["x"], expected[0], within=1e-8, because="100 times the tolerance of two integrators")
    drop = float(run.energy[-1] - run.energy[0])
    fine = np.linspace(0, 3, 4001)
    work = float(simpson(run.at(fine).power["strut 1"], x=fine))
    assert_close(work, drop, within=1e-7, because="Simpson's rule; the power has kinks in its third derivative only")


def two_rods() -> cd.System:
    s = cd.System("two rods")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("first", mass=2.0, inertia=0.3, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    second = s.body("second", mass=1.0, inertia=0.1, com=(0.4, 0, 0), at=(2, 0, 0), joint=cd.Revolute("z", b))
    s.strut(
        first.point(1, 0, 0), second.point(1, 0.2, 0), law=lambda length, rate: 5 * length**2 + 2 * rate, name="tie"
    )
    return s


def ends(a: float, b: float) -> tuple[np.ndarray, np.ndarray]:
    p = np.array([np.cos(a), np.sin(a)])
    q = np.array([2 + np.cos(b) - 0.2 * np.sin(b), np.sin(b) + 0.2 * np.cos(b)])
    return p, q


def test_a_strut_pulls_both_bodies_by_hand_and_in_symbols():
    s = two_rods()
    eq, kernel = s.equations(), s.compile()
    for a, b, w1, w2 in np.random.default_rng(3).uniform(-1, 1, (5, 4)):
        p, q = ends(a, b)
        vp, vq = w1 * np.array([-p[1], p[0]]), w2 * np.array([-q[1], q[0] - 2])
        span = q - p
        length = np.linalg.norm(span)
        pull = (5 * length**2 + 2 * span @ (vq - vp) / length) * span / length
        moments = [p[0] * pull[1] - p[1] * pull[0], -((q[0] - 2) * pull[1] - q[1] * pull[0])]
        expected = np.array(moments) / [0.3 + 2 * 0.25, 0.1 + 0.16]
        found = kernel.acceleration([a, b], [w1, w2])
        assert_close(found, expected, within=1e-12 * max(1.0, *np.abs(expected)), because="rounding")
        values = dict(zip([*s.model.q, *s.model.v], [a, b, w1, w2], strict=True))
        forces = [float(eq.generalized_forces[name].subs(values)) for name in ("a", "b")]
        assert_close(forces, moments, within=1e-12 * max(1.0, *np.abs(moments)), because="the symbolic route")
        reaction = eq.at([a, b], [w1, w2]).reactions["first"].force
        centre = np.array([np.cos(a), np.sin(a)]) / 2
        inertial = 2.0 * (found[0] * np.array([-centre[1], centre[0]]) - w1**2 * centre)
        assert_close(reaction[:2], inertial - pull, within=1e-11 * np.abs(inertial).max(), because="balance of forces")


def test_a_force_against_a_point_is_two_opposite_forces():
    both, apart = two_rods(), two_rods()
    first, second = (both[name] for name in ("first", "second"))
    both.force("F", on=first.point(1, 0, 0), along=both.world.y, against=second.point(0.5, 0, 0))
    first, second = (apart[name] for name in ("first", "second"))
    apart.force("F", on=first.point(1, 0, 0), along=apart.world.y)
    apart.force("G", on=second.point(0.5, 0, 0), along=-apart.world.y)
    for q in ([0.3, -0.8], [1.2, 0.4]):
        one = both.compile().acceleration(q, [0.1, 0.2], loads={"F": 3.0})
        two = apart.compile().acceleration(q, [0.1, 0.2], loads={"F": 3.0, "G": 3.0})
        assert_close(one, two, within=100 * EPS * np.abs(two).max(), because="the same sums in another order")
        left, right = (
            s.equations().at(q, [0.1, 0.2], loads=loads).reactions["second"].moment
            for s, loads in ((both, {"F": 3.0}), (apart, {"F": 3.0, "G": 3.0}))
        )
        assert_close(left, right, within=1e-13 * np.abs(right).max(), because="the same balance")


def test_laws_in_files_and_back(tmp_path):
    path = tmp_path / "tie.yaml"
    path.write_text(
        "cardan: 1\ncoordinates: {x: R}\nparameters: {k: 40, rest: 0.9}\n"
        "particles:\n  P: {mass: 1, position: [x, 0, 0]}\n"
        "struts:\n  - {between: [{of: world}, P], law: k*(length - rest)**3 + 0.7*rate}\n"
    )
    s = cd.load(path)
    assert_close(s.compile().acceleration([1.5], [0.2]), -(40 * 0.6**3 + 0.7 * 0.2), within=1e-13, because="rounding")
    (told,) = say_model(s.description)["struts"]
    assert set(sp.sympify(told["law"]).free_symbols) == set(sp.symbols("k rest length rate"))
    path.write_text(path.read_text().replace("0.7*rate", "0.7*speed"))
    with pytest.raises(FileError, match="speed"):
        cd.load(path)


def test_laws_that_mean_nothing_are_refused():
    s = two_rods()
    points = s["first"].point(1, 0, 0), s["second"].point(1, 0, 0)
    with pytest.raises(ModelError, match="nobody"):
        s.strut(*points, law=lambda length, rate: sp.Symbol("nobody") * length)
    with pytest.raises(ModelError, match="function of length and rate"):
        s.strut(*points, law=lambda length, rate: float(length))
    assert len(s.model.dampers) == 1
