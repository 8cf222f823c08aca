"""Who carries a load that moves nothing: the joints on its way to the ground and the constraints, with values.

Where a load has no generalized force, no acceleration changes with it, so what every joint adds to its reaction is the
load itself, handed from body to body; constraints that close loops take their share by A^T lam + Q = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.words import number, vector_text
from cardan.geometry.scalar import Scalar
from cardan.kinematics.rows import Row
from cardan.model.frames import Frame
from cardan.model.motions import Slide, Spin, Turn

Vector = NDArray[np.float64]

SMALL = 1e-9  # of the largest part


@dataclass(frozen=True)
class Carried:
    """What one joint adds to its reaction: force and moment about the joint, world axes, on the body behind it."""

    joint: str
    force: Vector
    moment: Vector

    def __str__(self) -> str:
        parts = [
            f"{what} {number(float(np.linalg.norm(v)))} along {vector_text(v / np.linalg.norm(v))}"
            for what, v in (("force", self.force), ("moment", self.moment))
            if np.any(v)
        ]
        return f"{self.joint} ({', '.join(parts)})"


@dataclass(frozen=True)
class Wrench:
    """A force at a place, or a moment, on a frame, in world components; ``moment`` is about the origin."""

    frame: Frame
    force: Vector
    moment: Vector


def numbers_of(cloud: Cloud, y: Vector, parts: Sequence[Scalar]) -> Vector:
    """Generic numbers of a model's kinematics as floats at a configuration."""
    return np.array(cloud.kernel.dynamics.at(parts, y, cloud.t, cloud.base))


def wrench(frame: Frame, kind: str, direction: Vector, place: Vector) -> Wrench:
    if kind == "force":
        return Wrench(frame, direction, np.cross(place, direction))
    return Wrench(frame, np.zeros(3), direction)


def load_wrenches(cloud: Cloud, y: Vector, weights: Vector) -> list[Wrench]:
    """The named loads with these magnitudes, as wrenches on frames."""
    motion, found, at = cloud.kernel.dynamics.full.motion, [], 0
    for load in cloud.kernel.model.loads:
        own = weights[at : at + len(load.symbols)]
        at += len(load.symbols)
        for weight, along in zip(own, load.along if len(own) else (), strict=True):
            if weight == 0.0:
                continue
            for end, sign in load.ends:
                found_at = numbers_of(cloud, y, [*motion.components(along), *motion.position(end)])
                found.append(wrench(end.frame, load.kind, sign * weight * found_at[:3], found_at[3:]))
    return found


def row_wrenches(cloud: Cloud, y: Vector, row: Row) -> list[Wrench]:
    """What a unit multiplier of a constraint row does to each of its bodies."""
    found = []
    for action in row.actions:
        parts = numbers_of(cloud, y, [*action.direction, *(action.place or (0, 0, 0))])
        found.append(wrench(action.frame, action.kind, parts[:3], parts[3:]))
    return found


def carriers(cloud: Cloud, y: Vector, weights: Vector) -> tuple[list[Carried], dict[str, float]]:
    """(joints with what they carry, multipliers of constraint rows) of a load that moves nothing."""
    acting = load_wrenches(cloud, y, weights)
    held: dict[str, float] = {}
    if cloud.m:
        Q = cloud.jacobians(y[None])[0].T @ (cloud.loads(y[None])[0] @ weights)
        used = np.where(cloud.row_scales > 0, cloud.row_scales, np.inf)
        rows = cloud.scaled_rows(y[None])[0]
        lam = np.linalg.lstsq(rows.T, -Q / cloud.metric, rcond=1e-9)[0] / used
        load = cloud.loads(y[None])[0] @ weights
        size = float(np.linalg.norm(np.linalg.lstsq(cloud.inertias.root_for(load).T, load, rcond=None)[0]))
        for row, value, scale in zip(cloud.kernel.dynamics.full.rows, lam, cloud.row_scales, strict=True):
            if abs(value * scale) > SMALL * size:
                held[row.name] = float(value)
                acting += [Wrench(w.frame, value * w.force, value * w.moment) for w in row_wrenches(cloud, y, row)]
    frames = list(dict.fromkeys(frame for one in acting for frame in one.frame.path[1:]))
    found = [_joint(cloud, y, frame, acting) for frame in reversed(frames)]
    largest = max((float(np.linalg.norm(one.force)) for one in found), default=0.0)
    turning = max((float(np.linalg.norm(one.moment)) for one in found), default=0.0)
    return [_tidied(one, largest, turning) for one in found if _matters(one, largest, turning)], held


def _joint(cloud: Cloud, y: Vector, frame: Frame, acting: Sequence[Wrench]) -> Carried:
    behind = [one for one in acting if frame in one.frame.path]
    force, moment = sum((one.force for one in behind), np.zeros(3)), sum((one.moment for one in behind), np.zeros(3))
    origin = numbers_of(cloud, y, cloud.kernel.dynamics.full.lifted.point(frame, (0, 0, 0)))
    return Carried(joint_name(cloud, frame), -force, -(moment - np.cross(origin, force)))


def joint_name(cloud: Cloud, frame: Frame) -> str:
    """hinge of inner on outer"""
    model = cloud.kernel.model
    owners = {thing.frame: thing.name for thing in (*model.bodies, *model.particles)}
    kinds = {type(motion) for motion in model.motions_of(frame)} & {Turn, Slide, Spin}
    noun = {(Turn,): "hinge", (Slide,): "slide", (Spin,): "ball joint", (): "mounting"}.get(tuple(kinds), "joint")
    parent = frame.parent
    below = "the ground" if parent is None or parent.parent is None else owners.get(parent, parent.name)
    return f"{noun} of {owners.get(frame, frame.name)} on {below}"


def _matters(one: Carried, force: float, moment: float) -> bool:
    pushes = force > 0 and float(np.linalg.norm(one.force)) > SMALL * force
    return pushes or (moment > 0 and float(np.linalg.norm(one.moment)) > SMALL * moment)


def _tidied(one: Carried, force: float, moment: float) -> Carried:
    f = np.where(np.abs(one.force) > SMALL * force, one.force, 0.0)
    m = np.where(np.abs(one.moment) > SMALL * moment, one.moment, 0.0)
    return Carried(one.joint, f, m)
