"""Closed mechanisms in Pinocchio: a tree of joints, loops closed by rigid 3-D constraints, stepped from Python.

Pinocchio gives accelerations, not motions; the loop is the user's. Defaults: constrained dynamics with its own proximal
settings (one iteration, mu = 0) and semi-implicit Euler steps, as in its examples. Best: proximal iterations to 1e-12
with mu = 1e-8, which are meant for dependent and singular constraints [Carpentier, Budhiraja, Mansard 2021], Baumgarte
correctors, and classical Runge-Kutta steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.mechanism import GROUND, Case, Mechanism, points, states_of_tree

SETTINGS = {"defaults": "Pinocchio, semi-implicit Euler (defaults)", "best": "Pinocchio, proximal, Baumgarte, RK4"}
CORRECTOR = 1e4  # 1/s^2, and 2 sqrt(1e4) 1/s: a time constant of 0.01 s, the best of those tried


def model_of(mechanism: Mechanism, setting: str) -> tuple[Any, Any]:
    """The model and its constraints."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity = pin.Motion(np.array(mechanism.gravity), np.zeros(3))
    joints: dict[int, int] = {}
    eye = np.eye(3)
    for k in _depth_first(mechanism, GROUND):
        link = mechanism.links[k]
        parent = 0 if link.parent == GROUND else joints[link.parent]
        axis = np.array(link.axis)
        kind = pin.JointModelPrismaticUnaligned(axis) if link.slides else pin.JointModelRevoluteUnaligned(axis)
        joint = model.addJoint(parent, kind, pin.SE3(eye, np.array(link.at, dtype=float)), f"j{k}")
        inertia = pin.Inertia(link.mass, np.array(link.com, dtype=float), np.diag(link.inertia))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        joints[k] = joint
    constraints = pin.StdVec_RigidConstraintModel()
    for one in points(mechanism):
        ends = [(0 if link == GROUND else joints[link], pin.SE3(eye, np.array(at, dtype=float)))
                for link, at in (one[:2], one[2:])]  # fmt: skip
        made = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *ends[0], *ends[1], pin.ReferenceFrame.LOCAL)
        if setting == "best":
            made.m_baumgarte_parameters.Kp = CORRECTOR
            made.m_baumgarte_parameters.Kd = 2 * np.sqrt(CORRECTOR)
        constraints.append(made)
    return model, constraints


def _depth_first(mechanism: Mechanism, parent: int) -> list[int]:
    """Links in the order that Pinocchio's algorithms assume: each followed by everything that it carries."""
    found = []
    for k, link in enumerate(mechanism.links):
        if link.parent == parent:
            found += [k, *_depth_first(mechanism, k)]
    return found


def case(mechanism: Mechanism, setting: str, step: float, outputs: int) -> Case:
    """The motion at a time step; coordinates come in the order of Pinocchio's joints."""
    import pinocchio as pin

    model, constraints = model_of(mechanism, setting)
    data = model.createData()
    datas = pin.StdVec_RigidConstraintData()
    for one in constraints:
        datas.append(one.createData())
    settings = pin.ProximalSettings(1e-12, 1e-12, 1e-8, 50) if setting == "best" else pin.ProximalSettings()
    order = [model.joints[model.getJointId(f"j{k}")].idx_v for k in range(len(mechanism.links))]
    each = round(mechanism.span / step / outputs)
    none = np.zeros(model.nv)

    def acceleration(q: Any, v: Any) -> Any:
        return pin.constraintDynamics(model, data, q, v, none, constraints, datas, settings).copy()

    def euler(q: Any, v: Any) -> Any:
        v = v + step * acceleration(q, v)
        return q + step * v, v

    def rk4(q: Any, v: Any) -> Any:
        a1 = acceleration(q, v)
        v2 = v + step / 2 * a1
        a2 = acceleration(q + step / 2 * v, v2)
        v3 = v + step / 2 * a2
        a3 = acceleration(q + step / 2 * v2, v3)
        v4 = v + step * a3
        a4 = acceleration(q + step * v3, v4)
        return q + step / 6 * (v + 2 * v2 + 2 * v3 + v4), v + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

    def work() -> Any:
        q, v = np.zeros(model.nq), np.zeros(model.nv)
        q[order], v[order] = mechanism.q, mechanism.v
        pin.initConstraintDynamics(model, data, constraints, datas)
        advance = rk4 if setting == "best" else euler
        rows = [(q[order], v[order])]
        for _ in range(outputs):
            for _ in range(each):
                q, v = advance(q, v)
            rows.append((q[order], v[order]))
        return rows

    return Case(lambda: None, work, lambda rows: states_of_tree(mechanism, *map(np.array, zip(*rows, strict=True))))
