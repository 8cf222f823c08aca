"""A sketch of the mechanism at a few moments: the scene of the report, drawn by matplotlib in three dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.api.run import Run
from cardan.gallery.pictures import panels
from cardan.report.data.entries import BodyEntry, Shape
from cardan.report.data.measured import Shown
from cardan.report.figures.style import COLOURS, MUTED
from cardan.report.scene.cast import Pose, cast
from cardan.report.scene.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Vector = NDArray[np.float64]
MOMENTS, FRAMES = 3, 301  # drawn, and those that the trails are made of
TURN = np.linspace(0.0, 2 * np.pi, 49)


@dataclass(frozen=True)
class Stage:
    """What of a run can be drawn: bodies and fixtures with their shapes, and poses along the run."""

    bodies: Sequence[BodyEntry]
    fixtures: Sequence[Shape]
    poses: Sequence[Pose]
    up: Vector

    @classmethod
    def of(cls, run: Run, times: Vector) -> Stage | None:
        """None where there is neither a body nor a particle."""
        actors = cast(run)
        if not actors:
            return None
        shown = Shown(run, run.at(times), actors)
        scene = Scene(run, actors, shown.poses)
        return cls(scene.bodies(), scene.fixtures(), shown.poses, scene.up)

    def portray(self, axes: Axes, k: int) -> Vector:
        """Draw the moment ``k`` with the paths up to it; returns the points drawn, (3, ...)."""
        drawn = [draw(axes, shape, np.zeros(3), np.eye(3), MUTED) for shape in self.fixtures]
        for body, pose in zip(self.bodies, self.poses, strict=True):
            colour = COLOURS[body["colour"] % len(COLOURS)]
            axes.plot(*pose.position[: k + 1].T, color=colour, lw=0.9, alpha=0.6)
            R = rotation(pose.quaternion[k])
            drawn += [draw(axes, shape, pose.position[k], R, colour) for shape in body["shapes"]]
        return np.concatenate(drawn, axis=1)


def sketch(run: Run) -> Figure | None:
    """A figure with the mechanism at equally spaced times, or None where there is neither a body nor a particle."""
    times = np.linspace(run.t[0], run.t[-1], FRAMES)
    stage = Stage.of(run, times)
    if stage is None:
        return None
    places = [int(x) for x in np.linspace(0, FRAMES - 1, MOMENTS)]
    titles = [f"t = {times[k]:.3g} s" for k in places]
    with panels(*titles, size=(8.6, 3.0), spatial=range(MOMENTS)) as (figure, axes):
        drawn = np.concatenate([stage.portray(one, k) for one, k in zip(axes, places, strict=True)], axis=1)
        for one in axes:
            frame(one, drawn, stage.up)
    return figure


def mechanisms(parts: Mapping[str, Run]) -> Figure:
    """Several mechanisms side by side, each where its run begins."""
    with panels(*parts, size=(4.3 * len(parts), 3.6), spatial=range(len(parts))) as (figure, axes):
        for one, run in zip(axes, parts.values(), strict=True):
            stage = Stage.of(run, run.t[:1])
            if stage is not None:
                frame(one, stage.portray(one, 0), stage.up)
    return figure


def frame(axes: Axes, drawn: Vector, up: Vector) -> None:
    """Equal scales about what is drawn, with the directions of the world in place of axes."""
    centre = (drawn.min(axis=1) + drawn.max(axis=1)) / 2
    size = float(np.max(np.linalg.norm(drawn - centre[:, None], axis=0))) or 1.0  # seen from anywhere it fits
    for k, name in enumerate("xyz"):
        getattr(axes, f"set_{name}lim")(centre[k] - size, centre[k] + size)
        end = 0.4 * size * np.eye(3)[k]
        axes.plot([0, end[0]], [0, end[1]], [0, end[2]], color=MUTED, lw=0.8)
        axes.text(*(1.2 * end), f"$E_{k + 1}$", color=MUTED, fontsize=8, ha="center", va="center")
    axes.view_init(24, -58, vertical_axis="xyz"[int(np.argmax(np.abs(up)))])
    axes.set_box_aspect((1, 1, 1), zoom=1.5)
    axes.set_axis_off()


def rotation(quaternion: Vector) -> Vector:
    """R of a unit quaternion (w, x, y, z)."""
    w, x, y, z = quaternion
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def draw(axes: Axes, shape: Shape, position: Vector, R: Vector, colour: str) -> Vector:
    """One shape of a body at a place, rings as lines and all else as surfaces; returns the points drawn, (3, ...)."""
    if "quaternion" in shape:
        R_own = rotation(np.array(shape["quaternion"]))
    else:
        R_own = np.eye(3)
    origin = np.array(shape.get("position", (0.0, 0.0, 0.0)), dtype=float)

    def there(points: Vector) -> Vector:
        """Points of the shape, (3, ...), in the world."""
        flat = np.asarray(points, dtype=float).reshape(3, -1)
        moved = R @ (R_own @ flat + origin[:, None]) + position[:, None]
        return np.asarray(moved.reshape(np.shape(points)))

    kind = shape["kind"]
    opacity = float(shape.get("opacity", 0.4 if kind == "box" else 0.9))
    if kind == "ring":
        points = there(shape["radius"] * np.array([np.cos(TURN), np.sin(TURN), 0 * TURN]))
        axes.plot(*points, color=colour, lw=2.2)
    elif kind in SURFACES:
        points = there(SURFACES[kind](shape))
        axes.plot_surface(*points, color=colour, alpha=opacity, linewidth=0, shade=True)
    else:
        return np.zeros((3, 0))
    return points.reshape(3, -1)


def ball(shape: Shape) -> Vector:
    radii = shape.get("radii") or [shape["radius"]] * 3
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 25), np.linspace(0, np.pi, 13))
    return np.array([radii[0] * np.cos(u) * np.sin(v), radii[1] * np.sin(u) * np.sin(v), radii[2] * np.cos(v)])


def tube(shape: Shape) -> Vector:
    """A cylinder along z with its lids."""
    half = shape["length"] / 2
    profile = np.array([[0.0, -half], [shape["radius"], -half], [shape["radius"], half], [0.0, half]])
    u, k = np.meshgrid(np.linspace(0, 2 * np.pi, 33), np.arange(4))
    return np.array([profile[k, 0] * np.cos(u), profile[k, 0] * np.sin(u), profile[k, 1]])


def rod(shape: Shape) -> Vector:
    """A bar between two points, with its lids."""
    start, end = np.array(shape["from"]), np.array(shape["to"])
    length = float(np.linalg.norm(end - start)) or 1.0
    along = (end - start) / length
    across = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    across /= np.linalg.norm(across)
    upright = tube({"radius": shape["radius"], "length": length})
    axes = np.stack([across, np.cross(along, across), along], axis=1)
    turned: Vector = np.einsum("ij,j...->i...", axes, upright)
    return np.asarray(turned + ((start + end) / 2)[:, None, None])


def block(shape: Shape) -> Vector:
    """A box as a prism with four sides and its lids."""
    x, y, z = np.array(shape["size"]) / 2
    corners = np.array([[-x, -y], [x, -y], [x, y], [-x, y], [-x, -y]])
    rings = [0 * corners, corners, corners, 0 * corners]
    heights = [-z, -z, z, z]
    return np.array([
        [one[:, 0] for one in rings],
        [one[:, 1] for one in rings],
        [np.full(5, height) for height in heights],
    ])  # fmt: skip


SURFACES = {"bar": rod, "ellipsoid": ball, "sphere": ball, "cylinder": tube, "box": block}
