"""A person of 38 freedoms on legs with six joints each, arms with eight, and both feet fixed to the ground."""

from __future__ import annotations

from typing import Any

import numpy as np

import cardan as cd

HERE = (0.0, 0.0, 0.0)
LEG = (  # name, place in the link before, axis, mass, centre of mass
    ("hip_yaw", HERE, "z", 1.0, HERE), ("hip_roll", HERE, "x", 1.0, HERE), ("hip_pitch", HERE, "y", 6.0, (0, 0, -0.2)),
    ("knee", (0, 0, -0.4), "y", 4.0, (0, 0, -0.2)), ("ankle_pitch", (0, 0, -0.4), "y", 0.5, HERE),
    ("ankle_roll", HERE, "x", 1.0, (0, 0, -0.05)),
)  # fmt: skip
ARM = (
    ("clavicle", HERE, "z", 0.5, HERE), ("shoulder_pitch", HERE, "y", 1.0, HERE),
    ("shoulder_roll", HERE, "x", 1.0, HERE),
    ("shoulder_yaw", HERE, "z", 1.5, (0, 0, -0.15)), ("elbow", (0, 0, -0.3), "y", 1.0, (0, 0, -0.1)),
    ("wrist_yaw", (0, 0, -0.25), "z", 0.3, HERE), ("wrist_pitch", HERE, "y", 0.3, HERE),
    ("hand", (0, 0, -0.1), "x", 0.2, (0, 0, -0.03)),
)  # fmt: skip


def humanoid() -> tuple[cd.System, np.ndarray]:
    """The system, springs and dampers in its joints, and its posture: upright with arms down, which is a rest."""
    s = cd.System("humanoid")
    x, y, z = s.coordinates("x y z")
    yaw, pitch, roll = s.coordinates("yaw pitch roll")
    pelvis = s.body(
        "pelvis", mass=10.0, inertia=(0.1, 0.1, 0.08), joint=cd.Free(x, y, z, cd.Euler("3-2-1", yaw, pitch, roll))
    )
    trunk = _chain(
        s, pelvis, (0, 0, 0.1), "", (("waist_yaw", HERE, "z", 2.0, HERE), ("waist", HERE, "y", 15.0, (0, 0, 0.2)))
    )
    _chain(s, trunk, (0, 0, 0.5), "", (("neck_yaw", HERE, "z", 1.0, HERE), ("neck", HERE, "y", 3.0, (0, 0, 0.1))))
    for side, sign in (("_left", 1), ("_right", -1)):
        foot = _chain(s, pelvis, (0, 0.1 * sign, 0), side, LEG)
        s.connect(foot.point(0, 0, -0.1), s.world.point(0, 0.1 * sign, 0), cd.Fixed(), name=f"foot{side}")
        _chain(s, trunk, (0, 0.2 * sign, 0.4), side, ARM)
    s.gravity(-9.81 * s.world.z)
    q = np.zeros(len(s.model.q))
    q[2] = 0.9
    return s, q


def _chain(s: cd.System, parent: Any, start: Any, side: str, links: Any) -> Any:
    for k, (name, place, axis, mass, com) in enumerate(links):
        angle = s.coordinates(name + side)
        parent = s.body(
            f"{name}{side}_link", mass=mass, inertia=(0.01 * mass, 0.01 * mass, 0.005 * mass), com=com, parent=parent,
            at=start if k == 0 else place, joint=cd.Revolute(axis, angle),
        )  # fmt: skip
        s.potential(750 * angle**2)
        s.generalized_force(angle, -5 * angle.dot)
    return parent
