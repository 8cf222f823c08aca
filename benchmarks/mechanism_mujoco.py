"""Closed mechanisms in MuJoCo: a tree of bodies, loops closed by ``connect`` equality constraints.

Settings, from MuJoCo's documentation ("Solver parameters", "Numerical integration"): a harder constraint has a smaller
time constant in ``solref``, not below two time steps, and an impedance ``solimp`` close to its limit 0.9999; RK4 is the
integrator for smooth, energy-conserving motion. Defaults: semi-implicit Euler, solref 0.02 1, solimp 0.9 0.95 0.001.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.mechanism import GROUND, Case, Mechanism, points, states_of_tree

SETTINGS = {"defaults": "MuJoCo, defaults", "best": "MuJoCo, RK4, stiffest constraints"}


def model_of(mechanism: Mechanism, setting: str, step: float) -> Any:
    """The compiled model; contacts are off, there is nothing to touch."""
    import mujoco

    stiff = f'solref="{2 * step!r} 1" solimp="0.9999 0.9999 0.001"' if setting == "best" else ""
    integrator = 'integrator="RK4" tolerance="1e-12"' if setting == "best" else ""
    gravity = " ".join(map(repr, mechanism.gravity))
    return mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <compiler boundmass="0" boundinertia="0"/>
          <option timestep="{step!r}" gravity="{gravity}" {integrator}><flag contact="disable"/></option>
          <worldbody>{_sites(mechanism, GROUND)}{_bodies(mechanism, GROUND)}</worldbody>
          <equality>{"".join(_connect(k, stiff) for k in range(len(points(mechanism))))}</equality>
          <tendon>{"".join(_tendon(mechanism, k) for k in range(len(mechanism.springs)))}</tendon>
        </mujoco>""")


def _triple(x: Any) -> str:
    return " ".join(repr(float(one)) for one in x)


def _sites(mechanism: Mechanism, link: int) -> str:
    """The points of a link (or of the ground) where pins and springs end."""
    found = []
    for k, pin in enumerate(points(mechanism)):
        for end, (other, at) in enumerate((pin[:2], pin[2:])):
            if other == link:
                found.append(f'<site name="p{k}{end}" pos="{_triple(at)}"/>')
    for k, spring in enumerate(mechanism.springs):
        if link == spring.link:
            found.append(f'<site name="s{k}0" pos="{_triple(spring.at)}"/>')
        if link == GROUND:
            found.append(f'<site name="s{k}1" pos="{_triple(spring.ground)}"/>')
    return "".join(found)


def _bodies(mechanism: Mechanism, parent: int) -> str:
    text = ""
    for k, link in enumerate(mechanism.links):
        if link.parent == parent:
            kind = "slide" if link.slides else "hinge"
            text += (
                f'<body name="b{k}" pos="{_triple(link.at)}"><joint name="j{k}" type="{kind}" '
                f'axis="{_triple(link.axis)}"/><inertial pos="{_triple(link.com)}" mass="{link.mass!r}" '
                f'diaginertia="{_triple(link.inertia)}"/>{_sites(mechanism, k)}{_bodies(mechanism, k)}</body>'
            )
    return text


def _connect(k: int, stiff: str) -> str:
    return f'<connect site1="p{k}0" site2="p{k}1" {stiff}/>'


def _tendon(mechanism: Mechanism, k: int) -> str:
    spring = mechanism.springs[k]
    return (
        f'<spatial stiffness="{spring.stiffness!r}" springlength="{spring.length!r}">'
        f'<site site="s{k}0"/><site site="s{k}1"/></spatial>'
    )


def case(mechanism: Mechanism, setting: str, step: float, outputs: int) -> Case:
    """The motion at a time step; the inner loop is MuJoCo's own in C."""
    import mujoco

    model = model_of(mechanism, setting, step)
    data = mujoco.MjData(model)
    order = [int(model.joint(f"j{k}").qposadr[0]) for k in range(len(mechanism.links))]
    each = round(mechanism.span / step / outputs)

    def before() -> None:
        mujoco.mj_resetData(model, data)
        data.qpos[order], data.qvel[order] = mechanism.q, mechanism.v
        data.qfrc_applied[order[0]] = mechanism.drive

    def work() -> Any:
        rows = [(data.qpos[order], data.qvel[order])]
        for _ in range(outputs):
            mujoco.mj_step(model, data, nstep=each)
            rows.append((data.qpos[order], data.qvel[order]))
        return rows

    return Case(before, work, lambda rows: states_of_tree(mechanism, *map(np.array, zip(*rows, strict=True))))
