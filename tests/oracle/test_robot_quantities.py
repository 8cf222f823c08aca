"""Jacobians, centre of mass, centroidal momentum and exact derivatives of a robot against Pinocchio's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardan as cd
from cardan.codegen.compiled import Kernel
from cardan.codegen.orders import Order
from support.close import assert_close

DATA = Path(__file__).parent / "data"
RECORDED = json.loads((DATA / "crane_quantities.json").read_text(encoding="utf-8"))
FRAME = RECORDED["frame"]


class Case:
    """The crane, fixed or floating, with Pinocchio's numbers and the map between both orders."""

    def __init__(self, kind: str) -> None:
        self.kernel: Kernel = (
            cd.load(DATA / "crane.urdf", floating=kind == "floating", restitution=None).compile().ideal
        )
        self.expected: dict[str, Any] = RECORDED[kind]
        self.order: Order = self.kernel.order("pinocchio")
        self.q = self.order.from_q(self.expected["q"])
        self.v = self.order.from_v(self.q, self.expected["v"])
        self.T = self.order.matrix(self.q)
        at_zero = self.order.a(self.q, self.v, np.zeros(self.kernel.nv))
        self.a = self.order.from_v(self.q, np.array(self.expected["a"]) - at_zero)
        self.is_floating = kind == "floating"

    def close(self, found: Any, expected: Any) -> None:
        size = max(1.0, float(np.max(np.abs(expected))))
        assert_close(found, expected, within=1e-11 * size, because="double precision through a few hundred operations")


@pytest.fixture(scope="module", params=["fixed", "floating"])
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def test_the_order_goes_there_and_back(case: Case) -> None:
    case.close(case.order.q(case.q), case.expected["q"])
    case.close(case.order.v(case.q, case.v), case.expected["v"])
    case.close(case.order.a(case.q, case.v, case.a), case.expected["a"])


def test_inverse_forward_and_mass_matrix_by_their_usual_names(case: Case) -> None:
    k, T, e = case.kernel, case.T, case.expected
    tau = T.T @ np.array(e["tau"])
    case.close(k.crba(case.q), T.T @ np.array(e["M"]) @ T)
    case.close(k.rnea(case.q, case.v, case.a), tau)
    case.close(k.aba(case.q, case.v, tau), case.a)


def test_motions_of_a_frame_in_three_representations(case: Case) -> None:
    k, T = case.kernel, case.T
    R, p = k.placement(FRAME, case.q)
    case.close(R, case.expected["R"])
    case.close(p, case.expected["p"])
    for name in ("world", "body", "mixed"):
        e = case.expected[name]
        J = k.jacobian(FRAME, case.q, frame=name)
        case.close(J, np.array(e["J"]) @ T)
        case.close(k.jacobian(FRAME, frame=name)(case.q), J)
        case.close(k.velocity(FRAME, case.q, case.v, frame=name), e["v"])
        case.close(k.frame_acceleration(FRAME, case.q, case.v, case.a, frame=name), e["a"])
        rate = k.jacobian_rate(FRAME, case.q, case.v, frame=name)
        case.close(J @ case.a + rate @ case.v, e["a"])
        if not case.is_floating:  # the base's velocity is measured along other axes there
            case.close(rate, np.array(e["Jd"]) @ T)


def test_centre_of_mass_and_centroidal_momentum(case: Case) -> None:
    k, T, e = case.kernel, case.T, case.expected
    case.close(k.centre_of_mass(case.q), e["centre"])
    case.close(k.centre_of_mass_jacobian(case.q), np.array(e["centre_jacobian"]) @ T)
    found = k.centroidal(case.q, case.v)
    case.close(found.matrix, np.array(e["Ag"]) @ T)
    case.close(found.momentum, e["hg"])
    case.close(found.mass, e["mass"])
    if not case.is_floating:
        case.close(found.rate, np.array(e["dAg"]) @ T)


def test_derivatives_of_inverse_and_forward_dynamics() -> None:
    case = Case("fixed")
    e, T = case.expected, case.T
    tau = T.T @ np.array(e["tau"])
    for found in (
        case.kernel.derivatives(case.q, case.v, case.a),
        case.kernel.derivatives(case.q, case.v, tau=tau),
    ):
        case.close(found.a, case.a)
        case.close(found.tau, tau)
        for name, own in (
            ("dtau_dq", found.tau_q),
            ("dtau_dv", found.tau_v),
            ("M", found.tau_a),
            ("Minv", found.a_tau),
        ):
            case.close(own, T.T @ np.array(e[name]) @ T)
        case.close(found.a_q, T.T @ np.array(e["da_dq"]) @ T)
        case.close(found.a_v, T.T @ np.array(e["da_dv"]) @ T)


def test_derivatives_of_a_floating_robot_follow_its_motion() -> None:
    """Along a motion tau(q(t), v(t), a): the chain rule, against central differences of rnea (error about h^2)."""
    case = Case("floating")
    k, h = case.kernel, 1e-5
    found = k.derivatives(case.q, case.v, case.a)
    rate: Callable[[np.ndarray], np.ndarray] = lambda q: k.function("rates")(0.0, k.y(q, case.v), k.p())  # noqa: E731

    def along(step: float) -> np.ndarray:
        middle = case.q + step / 2 * rate(case.q)
        q = case.q + step * rate(middle)
        for at in k.quaternions:
            q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
        return k.rnea(q, case.v + step * case.a, case.a)

    numeric = (along(h) - along(-h)) / (2 * h)
    exact = found.tau_q @ case.v + found.tau_v @ case.a
    size = float(np.max(np.abs(exact)))
    assert_close(exact, numeric, within=1e-8 * size, because="rounding over the step, 1e-16 / 1e-5, some hundred times")


def test_forces_are_linear_in_the_inertial_parameters(case: Case) -> None:
    """Y pi = rnea, and the parameters that no motion shows move nothing."""
    k = case.kernel
    found = k.regressor(case.q, case.v, case.a)
    case.close(found.matrix @ found.parameters, k.rnea(case.q, case.v, case.a))
    base = k.base_parameters()
    kept = found.matrix[:, [found.names.index(name) for name in base.names]]
    case.close(kept @ (base.matrix @ found.parameters), found.matrix @ found.parameters)


def test_a_pendulum_has_three_base_parameters() -> None:
    """About a horizontal axis a body shows its moment about it and its first moments across it, nothing else."""
    s = cd.System("pendulum")
    phi = s.coordinates("phi")
    s.body("rod", mass=2.0, inertia=(0.3, 0.2, 0.4), com=(0.5, 0.1, 0.2), joint=cd.Revolute("z", phi))
    s.gravity(-9.81 * s.world.y)
    base = s.compile().base_parameters()
    assert set(base.names) == {"rod.mx", "rod.my", "rod.Izz"}
    assert len(base.hidden) == 7
