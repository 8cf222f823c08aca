"""Generalized speeds: Kane's for a sleigh and a disc, body-fixed ones, in starts, forces, equations, files and runs."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

import cardan as cd
from cardan.errors import DerivationError, ModelError, StartError
from cardan.formats.say_model import say_model
from support.close import assert_close


def sleigh() -> cd.System:
    """A sleigh whose centre of mass is ahead of its blade by 0.3: u along, w about."""
    s = cd.System("sleigh")
    x, y, th = s.coordinates("x y theta")
    m, J = s.parameters(m=2.0, J=0.5)
    body = s.body("sleigh", mass=m, inertia=J, com=(0.3, 0, 0), joint=cd.Planar(x, y, th))
    s.no_slip(on=body, point=body.origin, along=body.y, name="blade")
    s.speeds(u=x.dot * sp.cos(th) + y.dot * sp.sin(th), w=th.dot)
    return s


def test_kanes_equations_of_a_sleigh_are_two_and_have_no_multiplier():
    """m (ud - a w^2) = 0 and (J + m a^2) wd + m a u w = 0, with v = W u typed by hand."""
    s = sleigh()
    written = s.equations().write("kane")
    rows = {line.name: line for line in written.equations}
    u, w, ud, wd = (sp.Symbol(name, real=True) for name in ("u", "w", "u_dot", "w_dot"))
    m, J = s.model.parameters
    a, th = sp.Rational(3, 10), s.model.q[2]
    expected = {"u": m * (ud - a * w**2), "w": (J + m * a**2) * wd + m * a * u * w}
    for name, row in expected.items():
        found = sp.nsimplify(rows[name].residual.subs(dict(written.definitions)), rational=True)
        assert sp.simplify(found - row) == 0, name
    for name, meaning in (("x_dot", u * sp.cos(th)), ("y_dot", u * sp.sin(th)), ("theta_dot", w)):
        assert sp.simplify(rows[name].right - meaning) == 0
    assert "blade" not in str(written)
    assert len(written.unknowns) == len(written.equations)


def test_a_sleigh_starts_moves_and_is_read_in_its_speeds():
    run = sleigh().simulate(4.0, q={"theta": 0.7}, v={"u": 1.5, "w": 2.0}, rtol=1e-10)
    expected = solve_ivp(
        lambda _, y: [0.3 * y[1] ** 2, -2.0 * 0.3 * y[0] * y[1] / (0.5 + 2.0 * 0.09)], (0, 4.0), [1.5, 2.0],
        rtol=1e-11, atol=1e-12, method="DOP853",
    ).y[:, -1]  # fmt: skip
    assert_close([run["u"][0], run["w"][0]], [1.5, 2.0], within=1e-14, because="a start is solved for")
    assert_close([run["u"][-1], run["w"][-1]], expected, within=1e-8, because="two integrators at 1e-10")
    assert_close(run.evaluate(sp.Symbol("u", real=True) ** 2), run["u"] ** 2, within=1e-14, because="round-off")


def test_body_fixed_speeds_turn_euler_angles_into_eulers_equations():
    """J wd + w x J w = -c w, whatever the angles are; and the angles' rates follow."""
    s = cd.System("top")
    angles = s.coordinates("psi theta phi", on="S1")
    top = s.body("top", mass=1.0, inertia=(1, 2, 3), joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    w = s.speeds(w=(top.omega, top))
    c = s.parameters(c=0.4)
    s.moment("oil", on=top, law=-c * (w[0] * top.x + w[1] * top.y + w[2] * top.z))
    written = s.equations().write("kane")
    wd = [sp.Symbol(f"w_{axis}_dot", real=True) for axis in "xyz"]
    J = (1, 2, 3)
    for k, line in enumerate(written.equations[:3]):
        i, j = (k + 1) % 3, (k + 2) % 3
        row = J[k] * wd[k] + (J[j] - J[i]) * w[i] * w[j] + c * w[k]
        assert sp.simplify(line.residual.subs(dict(written.definitions)) - row) == 0
    q = {"psi": 0.3, "theta": 1.1, "phi": -0.4}
    run = s.simulate(2.0, q=q, v={"w_x": 1.0, "w_y": -0.5, "w_z": 2.0}, rtol=1e-10)
    expected = solve_ivp(
        lambda _, x: (-0.4 * x - np.cross(x, np.array(J) * x)) / J, (0, 2.0), [1.0, -0.5, 2.0], rtol=1e-11,
        atol=1e-12, method="DOP853",
    ).y[:, -1]  # fmt: skip
    assert_close(run.omega("top")[-1], expected, within=1e-8, because="two integrators at 1e-10")
    assert_close([run[f"w_{axis}"][-1] for axis in "xyz"], expected, within=1e-8, because="two integrators at 1e-10")


def test_kernels_equations_and_diagnoses_take_speeds_by_name():
    s = sleigh()
    state = {"theta": 0.7}, {"u": 1.5, "w": 2.0}
    v = [1.5 * np.cos(0.7), 1.5 * np.sin(0.7), 2.0]
    by_name, in_order = s.compile().acceleration(*state), s.compile().acceleration([0, 0, 0.7], v)
    assert_close(by_name, in_order, within=1e-14, because="round-off")
    assert_close(s.equations().at(*state).acceleration, in_order, within=1e-12, because="round-off")
    whole = s.complete(*state)
    assert_close(list(whole["v"].values()), v, within=1e-14, because="round-off")


def test_speeds_of_a_rolling_disc_agree_with_its_accelerations_at_random_states():
    """Kane's rows, with accelerations from the kernel put in, vanish: no route but the definitions is shared."""
    s = cd.System("disc")
    x, y, psi, th, phi = s.coordinates("x y psi theta phi")
    disc = s.body(
        "disc", mass=1.0, inertia=(0.25, 0.25, 0.5),
        joint=cd.Free(x, y, sp.sin(th), cd.Euler("3-1-3", psi, th, phi)),
    )  # fmt: skip
    s.gravity(-9.81 * s.world.z)
    carrier = s.frame("lean", joint=cd.Ball(cd.Euler("3-1-3", psi, th, 0)))
    s.no_slip(on=disc, point=disc.origin + carrier.y * -1, along=s.world.x)
    s.no_slip(on=disc, point=disc.origin + carrier.y * -1, along=s.world.y)
    s.speeds(w1=disc.omega.dot(carrier.x), w2=disc.omega.dot(carrier.y), w3=disc.omega.dot(carrier.z))
    eq, kernel = s.equations(), s.compile()
    from cardan.equations.speeds import Speeds

    speeds = Speeds(eq)
    rng = np.random.default_rng(4)
    rows = [a - b for a, b in speeds.rows()]
    for _ in range(5):
        q = rng.uniform(0.4, 1.2, 5)
        given = dict(zip(("w1", "w2", "w3"), rng.normal(size=3), strict=True))
        v = kernel.y(q, given)[5:]
        vd = kernel.acceleration(q, given)
        values = dict(zip(s.model.q, q, strict=True)) | dict(zip(s.model.v, v, strict=True))
        rates = {one.dot: a for one, a in zip(s.model.v, vd, strict=True)}
        put = {u: given[str(u)] for u in speeds.names}
        for u, ud in zip(speeds.names, speeds.rates, strict=True):
            meaning = s.model.speeds[u]
            change = sum(meaning.diff(a) * b for a, b in zip(s.model.q, s.model.v, strict=True))
            change += sum(meaning.diff(a) * a.dot for a in s.model.v)
            put[ud] = float(change.subs(rates).subs(values))
        found = [float(row.subs(put).subs(values)) for row in rows]
        assert_close(found, np.zeros(3), within=1e-11, because="round-off beside terms of order ten")


def test_a_file_knows_speeds(tmp_path):
    s = sleigh()
    assert set(say_model(s.description)["speeds"]) == {"u", "w"}
    path = s.write(tmp_path / "sleigh.yaml")
    path.write_text(path.read_text() + "start: {q: {theta: 0.7}, v: {u: 1.5, w: 2.0}}\nsimulate: {duration: 0.1}\n")
    again = cd.load(path)
    run = again.simulate(**again.plan)
    assert_close(run["u"][0], 1.5, within=1e-14, because="a start is solved for")


def test_what_cannot_be_a_speed_and_starts_that_do_not_fit_are_refused():
    s = sleigh()
    x, _, th = s.model.q
    with pytest.raises(ModelError, match="no velocity"):
        s.speeds(a=sp.sin(th))
    with pytest.raises(ModelError, match="not linear"):
        s.speeds(a=x.dot**2)
    with pytest.raises(ModelError, match="along which axes"):
        s.speeds(a=s.bodies["sleigh"].omega)
    with pytest.raises(StartError, match="either speeds or velocities"):
        s.simulate(0.1, v={"u": 1.0, "x_dot": 1.0})
    few = cd.System("few")
    few.particle("P", mass=1.0, position=(*few.coordinates("a b"), 0))
    few.speeds(u=few.model.v[0])
    with pytest.raises(StartError, match="determine 1 of 2"):
        few.simulate(0.1, v={"u": 1.0})
    with pytest.raises(DerivationError, match="Name 2 speeds"):
        few.equations().write("kane")
    with pytest.raises(ModelError, match="no generalized speeds"):
        cd.System("none").equations().write("kane")
