"""Systems from files: ``cardan.load``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cardan.api.system import System
from cardan.errors import FileError
from cardan.formats.build import build
from cardan.formats.document import Document
from cardan.formats.model_reader import check_model
from cardan.formats.plan import Plan
from cardan.formats.yaml_reader import read_yaml
from cardan.trajectory.events import Event

YAML = (".yaml", ".yml")
URDF = (".urdf",)
XML = (".xml", ".mjcf")  # URDF or MJCF: the root element says which
ROBOTS = (*URDF, *XML)


def load(path: str | Path, *, floating: bool = False, restitution: float | None = 0.0) -> System:
    """The system that a model file (YAML) or a robot file (URDF, MJCF) describes, like any other.

    Its ``plan`` holds the file's arguments of ``simulate``. Of a robot, ``floating`` frees the root link, and joint
    limits become stops with this ``restitution`` (None: they are left out). A file that cannot be accepted raises
    FileError, which says where: file, line and field.
    """
    model, document = check_model(model_data(path, floating=floating, restitution=restitution))
    system = System(model.name)
    plan = build(model, document, system)
    system.plan = arguments(plan)
    return system


def model_data(path: str | Path, *, floating: bool = False, restitution: float | None = 0.0) -> Document:
    """What a file says, as the data of a model file."""
    suffix = Path(path).suffix.lower()
    if suffix in YAML:
        return read_yaml(path)
    if suffix in URDF:
        from cardan.formats.urdf import read_urdf

        return read_urdf(path, floating=floating, restitution=restitution)
    if suffix in XML:
        return _xml_data(path, floating=floating, restitution=restitution)
    raise FileError(
        f"{path} is no model file that can be loaded; its name should end with {', '.join((*YAML, *ROBOTS))}.",
        file=str(path),
        line=0,
        field="",
    )


def _xml_data(path: str | Path, *, floating: bool, restitution: float | None) -> Document:
    """A robot in URDF or MJCF, as its root element says."""
    from cardan.formats.mjcf import read_mjcf
    from cardan.formats.mjcf_source import MOST_NESTING
    from cardan.formats.urdf import read_urdf
    from cardan.formats.xml_reader import read_xml

    root = read_xml(path, MOST_NESTING)
    if root.tag == "robot":
        return read_urdf(path, floating=floating, restitution=restitution)
    if root.tag != "mujoco":
        raise root.error(f"a robot is a <robot> (URDF) or a <mujoco> (MJCF), found <{root.tag[:60]}>.")
    if floating:
        raise root.error("an MJCF file says itself what floats: put <freejoint/> into the root body, without floating.")
    return read_mjcf(path, restitution=restitution, root=root)


def arguments(plan: Plan) -> dict[str, Any]:
    """Keyword arguments of ``simulate`` for what a file says about a run."""
    found: dict[str, Any] = dict(plan.options)
    found |= {key: value for key in ("q", "v", "duration", "t0") if (value := getattr(plan, key)) is not None}
    found |= {key: dict(value) for key in ("loads", "inputs") if (value := getattr(plan, key))}
    if plan.points is not None and plan.duration is not None:
        t0 = plan.t0 or 0.0
        found["times"] = np.linspace(t0, t0 + plan.duration, plan.points)
    if plan.events:
        found["events"] = [Event(one.expression, one.direction, one.terminal, one.name) for one in plan.events]
    return found
