"""The double pendulum of the simulation benchmark in every tool: two uniform rods of 1 kg and 1 m on hinges along y.

State y = [a, b, da/dt, db/dt]; b is relative to the first rod. Both hang down at zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

MASS, LENGTH, G = 1.0, 1.0, 9.81
INERTIA = MASS * LENGTH**2 / 12
ALONG = 1e-3  # inertia about the rod, which does not matter here; MuJoCo wants it positive
START = (0.6, 0.4, 0.0, 0.0)  # a swing that is large but not chaotic, so that end states can be compared


def in_cardan() -> Any:
    """Two bodies on revolute joints."""
    import cardan as cd

    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    m, length, g, J = s.parameters(m=MASS, l=LENGTH, g=G, J=INERTIA)
    s.gravity(-g * s.world.z)
    rod = {"mass": m, "inertia": (J, J, ALONG), "com": (0, 0, -length / 2)}
    upper = s.body("upper", **rod, joint=cd.Revolute("y", a))
    s.body("lower", **rod, joint=cd.Revolute("y", b), parent=upper, at=(0, 0, -length))
    return s


def in_mujoco(step: float) -> tuple[Any, Any]:
    """Model and data; RK4, with contacts and constraints switched off."""
    import mujoco

    rod = (
        '<joint type="hinge" axis="0 1 0"/>'
        f'<inertial pos="0 0 {-LENGTH / 2}" mass="{MASS}" diaginertia="{INERTIA!r} {INERTIA!r} {ALONG}"/>'
    )
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <option timestep="{step!r}" gravity="0 0 {-G}" integrator="RK4">
            <flag contact="disable" constraint="disable" sensor="disable"/>
          </option>
          <worldbody><body>{rod}<body pos="0 0 {-LENGTH}">{rod}</body></body></worldbody>
        </mujoco>""")
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = START[:2], START[2:]
    return model, data


def symbolic() -> tuple[Any, Any, Any]:
    """SymPy's M, its right-hand side, and the symbols [a, b, da/dt, db/dt] in them."""
    import sympy as sp
    import sympy.physics.mechanics as me

    q = me.dynamicsymbols("a b")
    t = me.dynamicsymbols._t
    v = [one.diff(t) for one in q]
    m, length, g, J = MASS, LENGTH, G, INERTIA
    angles, rates = (q[0], q[0] + q[1]), (v[0], v[0] + v[1])
    x = [length / 2 * sp.sin(angles[0]), length * sp.sin(angles[0]) + length / 2 * sp.sin(angles[1])]
    z = [-length / 2 * sp.cos(angles[0]), -length * sp.cos(angles[0]) - length / 2 * sp.cos(angles[1])]
    T = sum(m * (x[i].diff(t) ** 2 + z[i].diff(t) ** 2) / 2 + J * rates[i] ** 2 / 2 for i in range(2))
    V = m * g * (z[0] + z[1])
    method = me.LagrangesMethod(T - V, q)
    method.form_lagranges_equations()
    plain = sp.symbols("y:4")
    v_first, q_then = dict(zip(v, plain[2:], strict=True)), dict(zip(q, plain[:2], strict=True))
    M, right = (part.xreplace(v_first).xreplace(q_then) for part in (method.mass_matrix, method.forcing))
    return M, right, plain


def lambdified() -> Callable[[float, Any], Any]:
    """lambdify as it comes: M and the right-hand side with NumPy functions, then a NumPy solve."""
    import sympy as sp

    M, right, y = symbolic()
    both = sp.lambdify(y, (M, right), cse=True)

    def rhs(t: float, y: Any) -> Any:
        M, right = both(*y)
        return np.concatenate([y[2:], np.linalg.solve(M, right)[:, 0]])

    return rhs


def lambdified_for_speed() -> Callable[[float, Any], Any]:
    """The quickest we could make lambdify: accelerations solved for by SymPy, functions of Python's math module."""
    accelerations = _solved()

    def rhs(t: float, y: Any) -> Any:
        a, b, da, db = y.tolist()
        return (da, db, *accelerations(a, b, da, db))

    return rhs


def with_numba() -> Callable[[float, Any], Any]:
    """The same function compiled by numba."""
    import numba

    accelerations = numba.njit(_solved())

    @numba.njit
    def rhs(t: float, y: Any) -> Any:
        dda, ddb = accelerations(y[0], y[1], y[2], y[3])
        return np.array([y[2], y[3], dda, ddb])

    rhs(0.0, np.array(START))
    return rhs


def _solved() -> Callable[..., Any]:
    import sympy as sp

    M, right, y = symbolic()
    return sp.lambdify(y, tuple(M.LUsolve(right)), modules="math", cse=True)
