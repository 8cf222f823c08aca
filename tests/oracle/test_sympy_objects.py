"""Systems taken from SymPy's mechanics move as SymPy says: its own right-hand sides are the reference.

The numbers compared are accelerations d(qd)/dt, made of SymPy's ``rhs()`` by the chain rule where its speeds are not
the rates of coordinates.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dot,
    dynamicsymbols,
    inertia,
)

import cardan as cd
from cardan.errors import DerivationError, ModelError
from support.close import EPS, assert_close

t = dynamicsymbols._t
m, g, r, k = sp.symbols("m g r k")
VALUES = {m: 2.0, g: 9.81, r: 0.5}
WITHIN = 1e4 * EPS  # SymPy eliminates with symbols, Cardan with numbers: some hundred roundings of numbers up to 100


def kane_says(method: KanesMethod, q: list[float], u: list[float], values: dict) -> tuple[np.ndarray, np.ndarray]:
    """Rates of the coordinates and their rates in turn, from SymPy's kinematics and right-hand side."""
    method.kanes_equations()
    told = method.kindiffdict()
    rates = sp.Matrix([told[sp.Derivative(one, t)] for one in method.q])
    here = dict(zip([*method.q, *method.u], [*q, *u], strict=True)) | values
    qd = np.array(rates.subs(here), dtype=float).ravel()
    ud = method.rhs()[len(method.q) :, 0]
    change = rates.jacobian(list(method.q)) * sp.Matrix(qd) + rates.jacobian(list(method.u)) * ud
    return qd, np.array(change.subs(here), dtype=float).ravel()


def rolling_disc() -> KanesMethod:
    """SymPy's own example: rolling is worked into the velocity of the centre, so no place has it as its rate."""
    q1, q2, q3, u1, u2, u3 = dynamicsymbols("q1 q2 q3 u1 u2 u3")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    by_rates = R.ang_vel_in(N)
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    touching = Point("C")
    touching.set_vel(N, 0)
    centre = touching.locatenew("centre", r * L.z)
    centre.v2pt_theory(touching, N, R)
    body = RigidBody("disc", centre, R, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), centre))
    kinematics = [dot(R.ang_vel_in(N) - by_rates, axis) for axis in L]
    return KanesMethod(N, [q1, q2, q3], [u1, u2, u3], kinematics, bodies=[body], forcelist=[(centre, -m * g * Y.z)])


def test_a_disc_whose_rolling_was_worked_into_its_velocities():
    method = rolling_disc()
    qd, expected = kane_says(method, [0.3, 0.5, 0.7], [0.4, -1.2, 0.6], VALUES)
    s = cd.from_sympy(method, values=VALUES)
    assert_close(s.compile().acceleration([0.3, 0.5, 0.7], qd), expected, within=WITHIN, because="roundings")
    run = s.simulate(2.0, q=[0.3, 0.5, 0.7], v=qd)
    height = 0.5 * np.cos(run["q2"])
    total = run.kinetic_energy + 2.0 * 9.81 * height
    assert_close(total, total[0], within=1e-7, because="ideal rolling: T + m g h is kept to the tolerance of the run")


def test_a_sleigh_with_fewer_speeds_than_coordinates():
    """x' = u1 cos, y' = u1 sin, yaw' = u2: rates beyond the speeds become constraints."""
    x, y, yaw, u1, u2 = dynamicsymbols("x y yaw u1 u2")
    a, I_zz = sp.symbols("a I_zz")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [yaw, N.z])
    B.set_ang_vel(N, u2 * N.z)
    skate = Point("skate")
    skate.set_vel(N, u1 * B.x)
    centre = skate.locatenew("centre", a * B.x)
    centre.v2pt_theory(skate, N, B)
    body = RigidBody("sleigh", centre, B, m, (inertia(B, 0, 0, I_zz), centre))
    kinematics = [x.diff(t) - u1 * sp.cos(yaw), y.diff(t) - u1 * sp.sin(yaw), yaw.diff(t) - u2]
    method = KanesMethod(N, [x, y, yaw], [u1, u2], kinematics, bodies=[body], forcelist=[(centre, sp.S(0) * N.x)])
    values = {m: 2.0, a: 0.3, I_zz: 0.1}
    qd, expected = kane_says(method, [0.1, 0.2, 0.4], [1.5, 0.7], values)
    s = cd.from_sympy(method, values=values)
    assert len(s.constraints) == 1
    assert_close(s.compile().acceleration([0.1, 0.2, 0.4], qd), expected, within=WITHIN, because="roundings")


def test_dependent_coordinates_keep_their_constraint_once():
    """A pendulum in x and y: SymPy wants the constraint and its rate, Cardan keeps one of them."""
    x, y, u, w = dynamicsymbols("x y u w")
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u * N.x + w * N.y)
    method = KanesMethod(
        N,
        q_ind=[x],
        u_ind=[u],
        kd_eqs=[x.diff(t) - u, y.diff(t) - w],
        q_dependent=[y],
        configuration_constraints=[x**2 + y**2 - r**2],
        u_dependent=[w],
        velocity_constraints=[x * u + y * w],
        bodies=[Particle("bob", P, m)],
        forcelist=[(P, -m * g * N.y)],
    )
    place, speed = [0.3, -0.4], [0.8, 0.6]
    qd, expected = kane_says(method, place, speed, VALUES)
    s = cd.from_sympy(method, values=VALUES)
    assert [one.kind for one in s.constraints] == ["holonomic"]
    assert_close(s.compile().acceleration(place, qd), expected, within=WITHIN, because="roundings")


def test_a_lagrangian_with_forces_inputs_time_and_a_skate():
    """Everything a LagrangesMethod can hold, beside its own right-hand side."""
    x, y, yaw, push = dynamicsymbols("x y yaw push")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [yaw, N.z])
    origin, P = Point("origin"), Point("P")
    origin.set_vel(N, 0)
    P.set_pos(origin, x * N.x + y * N.y)
    P.set_vel(N, x.diff(t) * N.x + y.diff(t) * N.y)
    body = RigidBody("sleigh", P, B, m, (inertia(B, 0, 0, m * r**2), P))
    body.potential_energy = k * x**2 / 2 * (1 + sp.sin(t) / 3)
    skate = -x.diff(t) * sp.sin(yaw) + y.diff(t) * sp.cos(yaw)
    method = LagrangesMethod(
        Lagrangian(N, body),
        [x, y, yaw],
        nonhol_coneqs=[skate],
        forcelist=[(P, push * B.x), (B, -g * yaw.diff(t) * N.z)],
        frame=N,
        bodies=[body],
    )
    method.form_lagranges_equations()
    values = {m: 2.0, r: 0.5, k: 3.0, g: 0.4}
    q, yawed = [0.3, -0.2, 0.5], 0.5
    v = [1.2 * np.cos(yawed), 1.2 * np.sin(yawed), 0.7]
    here = {one.diff(t): value for one, value in zip([x, y, yaw], v, strict=True)}
    numbers = dict(zip([x, y, yaw], q, strict=True)) | values | {push: 1.7, t: 0.9}
    full = method.mass_matrix_full.subs(here).subs(numbers)
    expected = np.array(full.LUsolve(method.forcing_full.subs(here).subs(numbers)), dtype=float).ravel()[3:6]
    s = cd.from_sympy(method, values=values)
    found = s.compile().acceleration(q, v, t=0.9, inputs={"push": 1.7})
    assert_close(found, expected, within=WITHIN, because="roundings")


def test_a_holonomic_constraint_of_a_lagrangian():
    x, y = dynamicsymbols("x y")
    L = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m * g * y
    method = LagrangesMethod(L, [x, y], hol_coneqs=[x**2 + y**2 - r**2])
    s = cd.from_sympy(method, values=VALUES)
    assert_close(s.compile().acceleration([0.5, 0.0]), [0.0, -9.81], within=8 * EPS, because="free fall along the wire")


def test_what_cannot_be_taken_over_is_said():
    x = dynamicsymbols("x")
    method = LagrangesMethod(m * x.diff(t) ** 2 / 2 - k * x**2 / 2, [x])
    with pytest.raises(ModelError, match=r"No value for k, m: give them"):
        cd.from_sympy(method)
    with pytest.raises(ModelError, match=r"'q' is no parameter of the SymPy object. Its parameters: k, m"):
        cd.from_sympy(method, values={"m": 1.0, "k": 1.0, "q": 2.0})
    with pytest.raises(DerivationError, match=r"takes a LagrangesMethod or a KanesMethod, found str"):
        cd.from_sympy("x")  # type: ignore[arg-type]
    accelerated = LagrangesMethod(m * x.diff(t) ** 2 / 2 + dynamicsymbols("f").diff(t) * x, [x])
    with pytest.raises(DerivationError, match=r"neither a coordinate's rate nor a speed"):
        cd.from_sympy(accelerated, values={"m": 1.0})


def test_names_that_are_no_names_are_changed_and_noted():
    angle = dynamicsymbols(r"\theta")
    s = cd.from_sympy(LagrangesMethod(angle.diff(t) ** 2 / 2, [angle]))
    assert s.renamed == {r"\theta": "theta"}
    assert "theta" in [str(one) for one in s.model.q]
