"""Derivatives of dynamics: by recursion over bodies, by differentiating the graph, second ones, and by parameters."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos

import cardan as cd
from cardan.errors import CompileError, UnknownName
from support.close import assert_close


def floating() -> cd.System:
    """A floating base with two limbs, one of them branching, sliding too; spring, damper and a load that turns."""
    s = cd.System("floating")
    x, y, z = s.coordinates("x y z")
    joints = s.coordinates("a b c d", on="S1")
    slide = s.coordinates("e")
    m = s.parameters(m=2.0)
    base = s.body(
        "base", mass=m, inertia=((0.3, 0.01, 0), (0.01, 0.4, 0.02), (0, 0.02, 0.5)), com=(0.02, 0.01, -0.03),
        joint=cd.Free(x, y, z, cd.Quaternion("r")),
    )  # fmt: skip
    parents = [base, None, None, base]
    bodies: list[cd.Body] = []
    for k, axis in enumerate(("x", "y", (0.6, 0.0, 0.8), "z")):
        parent = parents[k] or bodies[k - 1]
        bodies.append(
            s.body(
                f"link{k}", mass=1.0 + 0.1 * k, inertia=(0.02, 0.03, 0.04), com=(0.05, 0.02, 0.2),
                at=(0.1, 0.05 * k, 0.3), joint=cd.Revolute(axis, joints[k]), parent=parent,
            )
        )  # fmt: skip
    s.body("tool", mass=0.3, com=(0, 0, 0.1), joint=cd.Prismatic("y", slide), parent=bodies[1])
    s.gravity(-9.81 * s.world.z)
    s.spring(slide, stiffness=20.0)
    s.damper(joints[0], coefficient=0.4)
    s.force("push", on=bodies[2], along=bodies[2].x)
    return s


def state(k: cd.Kernel) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    q = rng.uniform(-1, 1, k.nq)
    for one in k.quaternions:
        q[one : one + 4] /= np.linalg.norm(q[one : one + 4])
    return q, rng.normal(size=k.nv), rng.normal(size=k.nv)


def moved(k: cd.Kernel, q: np.ndarray, j: int, step: float) -> np.ndarray:
    """q after a step along velocity j, by many small steps of qd = N v."""
    v = np.eye(k.nv)[j]
    for _ in range(20):
        half = q + step / 40 * k.function("rates")(0.0, np.concatenate([q, v]), k.p())
        q = q + step / 20 * k.function("rates")(0.0, np.concatenate([half, v]), k.p())
    return q


@pytest.fixture(scope="module")
def kernel() -> cd.Kernel:
    return floating().compile()


def test_slopes_of_a_floating_tree_are_those_of_differences(kernel):
    q, v, a = state(kernel)
    h, p = 1e-4, kernel.p(None, {"push": 1.5})
    slopes = kernel.function("inverse_dynamics_derivatives")(0.0, np.concatenate([q, v, a]), p).reshape(
        2, kernel.nv, -1
    )

    def tau(q, v):
        return kernel.function("inverse_dynamics")(0.0, np.concatenate([q, v, a]), p)

    size = float(np.max(np.abs(slopes)))
    for j in range(kernel.nv):
        by_q = (tau(moved(kernel, q, j, h), v) - tau(moved(kernel, q, j, -h), v)) / (2 * h)
        dv = h * np.eye(kernel.nv)[j]
        by_v = (tau(q, v + dv) - tau(q, v - dv)) / (2 * h)
        assert_close(
            slopes[0][:, j], by_q, within=3e-7 * size, because="h^2 / 6 of third derivatives, tens of times larger"
        )
        assert_close(slopes[1][:, j], by_v, within=1e-9 * size, because="quadratic in v: rounding / h alone")


def test_slopes_of_forward_dynamics_are_those_of_the_differentiated_graph() -> None:
    """Without quaternions the kernel 'jacobian', made by automatic differentiation, is another way to the same."""
    s = cd.System("arm")
    q = s.coordinates("a b c d", on="S1")
    last = s.world
    for k in range(4):
        joint = cd.Revolute("xyz"[k % 3], q[k])
        last = s.body(
            f"b{k}", mass=1.0, inertia=(0.1, 0.2, 0.3), com=(0.1, 0, 0.2), at=(0, 0.1, 0.3), joint=joint, parent=last
        )
    s.gravity(-9.81 * s.world.z)
    k = s.compile()
    at = np.array([0.3, -0.4, 0.9, 0.2, 0.5, -0.6, 0.7, 0.1])
    by_graph = k.function("jacobian")(0.0, at, k.p()).reshape(8, 8)[4:]
    by_bodies = k.function("forward_dynamics_derivatives")(0.0, np.concatenate([at, np.zeros(4)]), k.p()).reshape(
        3, 4, 4
    )
    size = float(np.max(np.abs(by_graph)))
    assert_close(
        by_bodies[0], by_graph[:, :4], within=1e-12 * size, because="thousands of operations, M of condition 1e2"
    )
    assert_close(by_bodies[1], by_graph[:, 4:], within=1e-12 * size, because="the same")
    assert_close(by_bodies[2] @ k.mass_matrix(at[:4]), np.eye(4), within=1e-12, because="M of condition 1e2")
    assert_close(by_bodies[2], by_bodies[2].T, within=0.0, because="one triangle is computed")


def test_joints_that_follow_others_are_differentiated_through_the_graph() -> None:
    s = cd.System("gear")
    a = s.coordinates("a", on="S1")
    s.body("first", mass=1.0, inertia=0.2, com=(0.3, 0, 0), joint=cd.Revolute("z", a))
    s.body("second", mass=0.5, inertia=0.1, com=(0.2, 0, 0), joint=cd.Revolute("z", -2 * a), at=(1, 0, 0))
    s.gravity(-9.81 * s.world.y)
    k = s.compile()
    tau_q, _ = k.function("inverse_dynamics_derivatives")(0.0, [0.4, 0.3, 0.0], k.p())
    exact = 9.81 * (-0.3 * np.sin(0.4) + 0.4 * np.sin(0.8))  # V = 9.81 (0.3 sin a - 0.1 sin 2a)
    assert_close(tau_q, exact, within=1e-14 * 10, because="a handful of operations")


def test_second_derivatives_are_slopes_of_the_first(kernel):
    q, v, tau = state(kernel)
    found, h, n = kernel.second_derivatives(q, v, tau), 1e-4, kernel.nv

    def first(q, v, tau):
        return kernel.function("forward_dynamics_derivatives")(0.0, np.concatenate([q, v, tau]), kernel.p()).reshape(
            3, n, n
        )

    for j in (0, 4, n - 1):
        step = h * np.eye(n)[j]
        by_q = (first(moved(kernel, q, j, h), v, tau) - first(moved(kernel, q, j, -h), v, tau)) / (2 * h)
        by_v = (first(q, v + step, tau) - first(q, v - step, tau)) / (2 * h)
        by_tau = (first(q, v, tau + step) - first(q, v, tau - step)) / (2 * h)
        pairs = ((found.a_qq[:, :, j], by_q[0]), (found.a_qv[:, :, j], by_v[0]), (found.a_vv[:, :, j], by_v[1]))
        for ours, theirs in (*pairs, (found.a_qtau[:, :, j], by_tau[0])):
            size = max(1.0, float(np.max(np.abs(theirs))))
            assert_close(ours, theirs, within=1e-5 * size, because="h^2 / 6 of derivatives that grow tenfold each time")


def test_derivatives_by_parameters_are_those_of_closed_forms() -> None:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    m, length, g = s.parameters(m=1.5, l=0.8, g=9.81)
    s.lagrangian(m * length**2 * a.dot**2 / 2 + m * g * length * cos(a))
    found = s.compile().parameter_derivatives([0.5], [0.3], tau=[0.2])
    exact = {
        "m": -0.2 / (1.5**2 * 0.64),
        "l": 9.81 / 0.64 * np.sin(0.5) - 2 * 0.2 / (1.5 * 0.8**3),
        "g": -np.sin(0.5) / 0.8,
    }
    for name, value in exact.items():
        assert_close(found[name], [value], within=1e-13, because="a handful of operations")
    with pytest.raises(UnknownName, match="'mass'"):
        found["mass"]


def test_derivatives_by_parameters_go_through_constraints() -> None:
    """A particle on a rod: the acceleration's part along the rod keeps the circle whatever g and m are."""
    s = cd.System("on a rod")
    x, y = s.coordinates("x y")
    m, g = s.parameters(m=2.0, g=9.81)
    mass = s.particle("mass", mass=m, position=(x, y, 0))
    s.gravity(-g * s.world.y)
    s.distance(mass, s.world.origin, 1.0, name="rod")
    found = s.compile().parameter_derivatives([0.6, -0.8], [0.4, 0.3], tau=[0.0, 0.0])
    assert_close(found["g"], [-0.48, -0.36], within=1e-14, because="-e_y along the circle: t = (0.8, 0.6)")
    assert_close(found["m"], [0.0, 0.0], within=1e-14, because="every mass falls alike")
    with pytest.raises(CompileError, match="multipliers"):
        s.compile().second_derivatives([0.6, -0.8], [0.4, 0.3], [0.0, 0.0])


def test_the_hand_of_a_massless_arm_feels_what_it_carries() -> None:
    s = cd.System("arm")
    a, b = s.coordinates("a b", on="S1")
    upper = s.body("upper", joint=cd.Revolute("z", a))
    lower = s.body("lower", joint=cd.Revolute("z", b), parent=upper, at=(1, 0, 0))
    s.particle("load", mass=3.0, position=(0.7, 0, 0), frame=lower)
    k = s.compile()
    hand = k.operational_space(lower.point(0.7, 0, 0), [0.2, 0.9], rows=(0, 1))
    assert hand.rank == 2
    assert_close(hand.inertia, 3.0 * np.eye(2), within=1e-13, because="two solves of condition ten")
    whole = k.operational_space(lower.point(0.7, 0, 0), [0.2, 0.9])
    assert whole.rank == 2  # in the plane, and its turning follows from that
    J = k.jacobian(lower.point(0.7, 0, 0), [0.2, 0.9])[:2]
    assert_close(J @ hand.inverse, np.eye(2), within=1e-13, because="the inverse that moves with least energy")


def test_constraints_leave_the_hand_its_free_directions() -> None:
    s = cd.System("on a rod")
    x, y = s.coordinates("x y")
    mass = s.particle("mass", mass=2.0, position=(x, y, 0))
    s.distance(mass, s.world.origin, 1.0, name="rod")
    hand = s.compile().operational_space("mass", [0.6, -0.8], rows=(0, 1))
    along = np.array([0.8, 0.6])
    assert hand.rank == 1
    assert_close(hand.mobility, np.outer(along, along) / 2, within=1e-15, because="what the rod leaves of 1 / m")
    assert_close(hand.inertia, 2 * np.outer(along, along), within=1e-14, because="its inverse along the circle")


def test_slopes_hold_what_a_controller_adds() -> None:
    s = cd.System("controlled")
    a = s.coordinates("a", on="S1")
    s.body("rod", mass=1.0, inertia=0.5, com=(0.2, 0, 0), joint=cd.Revolute("z", a))
    u = s.input("u")
    s.generalized_force(a, u)
    k = s.compile().with_signals({u: -3 * a - 2 * a.dot})
    tau_q, tau_v = k.function("inverse_dynamics_derivatives")(0.0, [0.4, 0.3, 0.0], k.p())
    assert (tau_q, tau_v) == (3.0, 2.0)
