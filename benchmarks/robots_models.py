"""Robots and trees, the same in every tool.

Four robots are files of the package example-robot-data (the panda with its fingers held, the others as they are;
solo12 and talos float). Trees have hinges whose axes turn by 90 degrees from body to body: chains, where each body
carries one, and bushes, where each carries two.
"""

from __future__ import annotations

import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROBOTS = {
    "panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "solo12": "solo_description/robots/solo12.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
}
FLOATING = ("solo12", "talos")
BARE = ("visual", "collision", "transmission", "gazebo")  # looks and notes, which say nothing about dynamics


def plain_file(name: str, folder: Path, *, for_mujoco: bool = False) -> Path:
    """The robot without looks, written into a folder; every tool reads this file."""
    import pinocchio

    data = Path(pinocchio.__file__).parents[4] / "share" / "example-robot-data" / "robots"
    robot = ET.parse(data / ROBOTS[name]).getroot()
    for parent in [robot, *robot.iter("link")]:
        for child in [one for one in parent if one.tag in BARE]:
            parent.remove(child)
    for joint in robot.iter("joint"):
        for child in [one for one in joint if one.tag in ("dynamics", "safety_controller", "mimic")]:
            joint.remove(child)
        if name == "panda" and joint.get("type") == "prismatic":
            joint.set("type", "fixed")
    if for_mujoco:
        options = ET.SubElement(ET.SubElement(robot, "mujoco"), "compiler")
        options.attrib.update({"fusestatic": "false", "balanceinertia": "false"})
    made = folder / f"{name}{'_mujoco' if for_mujoco else ''}.urdf"
    ET.ElementTree(robot).write(made)
    return made


def robot_in_cardan(name: str, folder: Path) -> Any:
    import cardan as cd

    return cd.load(plain_file(name, folder), restitution=None, floating=name in FLOATING, inertia="as-is")


def robot_in_pinocchio(name: str, folder: Path) -> Any:
    import pinocchio as pin

    file = str(plain_file(name, folder))
    return pin.buildModelFromUrdf(file, pin.JointModelFreeFlyer()) if name in FLOATING else pin.buildModelFromUrdf(file)


# --- trees ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tree:
    """Bodies on hinges: for each body its parent (-1: the world), all with the same mass properties."""

    parents: tuple[int, ...]
    mass: float = 1.0
    inertia: tuple[float, float, float] = (0.011, 0.02, 0.03)
    com: tuple[float, float, float] = (0.03, 0.02, 0.1)
    at: tuple[float, float, float] = (0.0, 0.05, 0.2)

    def axis(self, k: int) -> str:
        return "xyz"[k % 3]

    def place(self, k: int) -> tuple[float, float, float]:
        return self.at if self.parents[k] >= 0 else (0.0, 0.0, 0.0)


def chain(n: int) -> Tree:
    return Tree(tuple(k - 1 for k in range(n)))


def bush(n: int) -> Tree:
    return Tree(tuple((k - 1) // 2 if k else -1 for k in range(n)))


TREES = {"chain": chain, "bush": bush}


def tree_in_cardan(tree: Tree) -> Any:
    import cardan as cd

    s = cd.System("tree")
    coordinates = [s.coordinate(f"q{k}", on="S1") for k in range(len(tree.parents))]
    bodies: list[Any] = []
    for k, parent in enumerate(tree.parents):
        bodies.append(
            s.body(
                f"b{k}",
                mass=tree.mass,
                inertia=tree.inertia,
                com=tree.com,
                at=tree.place(k),
                joint=cd.Revolute(tree.axis(k), coordinates[k]),
                parent=bodies[parent] if parent >= 0 else s.world,
            )
        )
    s.gravity(-9.81 * s.world.z)
    return s


def tree_in_pinocchio(tree: Tree) -> Any:
    import numpy as np
    import pinocchio as pin

    model = pin.Model()
    own = pin.Inertia(tree.mass, np.array(tree.com), np.diag(tree.inertia))
    axes = {"x": pin.JointModelRX, "y": pin.JointModelRY, "z": pin.JointModelRZ}
    children: dict[int, list[int]] = {}
    for k, parent in enumerate(tree.parents):
        children.setdefault(parent, []).append(k)
    joints, waiting = {-1: 0}, list(reversed(children.get(-1, [])))
    while waiting:  # depth first, as its algorithms assume
        k = waiting.pop()
        place = pin.SE3(np.eye(3), np.array(tree.place(k)))
        joints[k] = model.addJoint(joints[tree.parents[k]], axes[tree.axis(k)](), place, f"j{k}")
        model.appendBodyToJoint(joints[k], own, pin.SE3.Identity())
        waiting += reversed(children.get(k, []))
    return model


def tree_in_mujoco(tree: Tree, step: float = 1e-3) -> str:
    """MJCF text; RK4, with contacts and constraints switched off."""
    axes = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}
    root = ET.Element("mujoco")
    ET.SubElement(root, "size", memory="500M")
    option = ET.SubElement(root, "option", timestep=repr(step), gravity="0 0 -9.81", integrator="RK4")
    ET.SubElement(option, "flag", contact="disable", constraint="disable", sensor="disable")
    bodies: list[ET.Element] = []
    world = ET.SubElement(root, "worldbody")
    for k, parent in enumerate(tree.parents):
        body = ET.SubElement(bodies[parent] if parent >= 0 else world, "body", pos=_text(tree.place(k)), name=f"b{k}")
        ET.SubElement(body, "joint", type="hinge", axis=axes[tree.axis(k)], name=f"q{k}")
        inertia = {"pos": _text(tree.com), "mass": repr(tree.mass), "diaginertia": _text(tree.inertia)}
        ET.SubElement(body, "inertial", inertia)
        bodies.append(body)
    return ET.tostring(root, encoding="unicode")


def _text(values: tuple[float, ...]) -> str:
    return " ".join(map(repr, values))


def in_folder() -> Any:
    """A folder for files of one job."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
