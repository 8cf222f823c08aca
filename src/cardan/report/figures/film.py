"""The pictures of a film: the bodies of a run in space, or for a system without bodies its point on a portrait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol
from typing import cast as cast_to

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.along import JudgedTrajectory
from cardan.model.variables import CoordinateVariable
from cardan.report.data.entries import Shape
from cardan.report.data.measured import Shown
from cardan.report.figures.portrait import Portrait
from cardan.report.figures.portraits import draw_unrolled
from cardan.report.figures.style import COLOURS, INK, MUTED, QUIET, figure_style
from cardan.report.scene.cast import cast
from cardan.report.scene.looking import looking
from cardan.report.scene.orientation import matrix
from cardan.report.scene.scene import Scene
from cardan.report.scene.solids import Polygons, normals, polygons

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.art3d import Line3D
    from mpl_toolkits.mplot3d.axes3d import Axes3D

Vector = NDArray[np.float64]
Picture = NDArray[np.uint8]  # (height, width, 3)

WIDTH, HEIGHT, DPI = 6.4, 4.8, 100
LOOKED = 48  # moments at which the picture is fitted
FILLED = 0.94  # part of the picture that is used
TITLE = 0.08  # of it, for name and clock
LAMP = np.array([0.35, -0.55, 0.76])


class Stage(Protocol):
    """What can be drawn at each of its times."""

    def show(self, k: int) -> None:
        """Bring the picture to time k."""


def pictures(run: JudgedTrajectory, times: Vector) -> Iterator[Picture]:
    """The run at the given times as pictures of equal size, even in both directions as films demand."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with figure_style() as easel:
        figure = easel.figure(figsize=(WIDTH, HEIGHT), dpi=DPI)
        here = run.at(times)
        stage: Stage = BodyStage(figure, run, here) if cast(run) else PortraitStage(figure, run, here)
        clock = figure.text(0.02, 0.02, "", color=MUTED, fontsize=10)
        canvas = FigureCanvasAgg(figure)
        for k, t in enumerate(times):
            stage.show(k)
            clock.set_text(f"t = {t:.2f} s")
            canvas.draw()
            yield np.asarray(canvas.buffer_rgba())[..., :3].copy()


class BodyStage:
    """Bodies as shaded polygons, sorted by depth, over the planes that they stand on, and paths of particles."""

    def __init__(self, figure: Figure, run: JudgedTrajectory, here: JudgedTrajectory) -> None:
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        shown = Shown(run, here, cast(run))
        scene = Scene(run, shown.actors, shown.poses)
        self.poses = shown.poses
        self.parts: list[tuple[int | None, Polygons, Vector]] = []
        for k, body in enumerate(scene.bodies()):
            for shape in body["shapes"]:
                self._add(k, shape, COLOURS[body["colour"] % len(COLOURS)])
        standing = scene.fixtures()
        for shape in standing:
            if shape["kind"] != "plane":
                self._add(None, shape, MUTED)
        self.view = looking(scene)
        axes = cast_to("Axes3D", figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d", proj_type="ortho"))
        axes.view_init(elev=self.view.elevation, azim=self.view.azimuth)
        axes.set_axis_off()
        axes.computed_zorder = False
        self._fit(axes, len(here))
        floors = [self._floor(shape) for shape in standing if shape["kind"] == "plane"]
        if floors:
            floor = Poly3DCollection(floors, facecolors=QUIET, alpha=0.25, linewidths=0, zorder=0, clip_on=False)
            axes.add_collection3d(floor)
        self.trails = self._paths(axes, scene)
        self.solids = axes.add_collection3d(
            Poly3DCollection([np.zeros((4, 3))], linewidths=0, antialiaseds=False, zorder=2, clip_on=False)
        )
        figure.text(0.02, 0.95, run.model.name, color=INK, fontsize=12, va="top")

    def _add(self, k: int | None, shape: Shape, colour: str) -> None:
        from matplotlib.colors import to_rgb

        self.parts.append((k, polygons(shape), np.array([*to_rgb(colour), float(shape.get("opacity", 1.0))])))

    def _fit(self, axes: Axes3D, count: int) -> None:
        """Limits and zoom with which everything that moves fills the picture; planes may leave it."""
        from mpl_toolkits.mplot3d import proj3d

        moments = np.unique(np.linspace(0, count - 1, min(count, LOOKED)).astype(int))
        points = np.concatenate([faces.reshape(-1, 3) for k in moments for faces in self._placed(int(k))])
        self.low, self.high = points.min(axis=0), points.max(axis=0)
        reach = float(np.max(self.high - self.low)) / 2 or 1.0
        for setter, middle in zip(
            (axes.set_xlim, axes.set_ylim, axes.set_zlim), (self.low + self.high) / 2, strict=True
        ):
            setter(middle - reach, middle + reach)
        axes.set_box_aspect((1, 1, 1), zoom=1.0)
        axes.apply_aspect()
        x, y, _ = proj3d.proj_transform(*points.T, axes.get_proj())
        figure = axes.get_figure()
        assert figure is not None
        at = figure.transFigure.inverted().transform(axes.transData.transform(np.column_stack([x, y])))
        spread, middle = np.ptp(at, axis=0), (at.min(axis=0) + at.max(axis=0)) / 2
        share = float(np.min(np.array([FILLED, FILLED - TITLE]) / np.maximum(spread, 1e-9)))
        axes.set_box_aspect((1, 1, 1), zoom=share)
        left, bottom = share * (0.5 - middle) - np.array([0.0, TITLE / 4])
        axes.set_position((float(left), float(bottom), 1.0, 1.0))

    def _floor(self, shape: Shape) -> Vector:
        """A plane as one face, just wider than what moves over it."""
        (face,) = polygons(shape)
        middle = face.mean(axis=0)
        centre = self.view.turned((self.low + self.high) / 2, back=True)
        normal = np.array(shape["normal"], dtype=float)
        foot = centre - ((centre - middle) @ normal) * normal
        reach = 0.75 * float(np.linalg.norm(self.high - self.low)) or 1.0
        scale = reach / float(np.max(np.linalg.norm(face - middle, axis=1)))
        return self.view.turned(foot + scale * (face - middle))

    def _paths(self, axes: Axes3D, scene: Scene) -> list[tuple[Line3D, Vector]]:
        """Lines behind what is a point: particles, and points that are drawn."""
        found = []
        for k, body in enumerate(scene.bodies()):
            if body["kind"] in ("particle", "drawn"):
                colour = COLOURS[body["colour"] % len(COLOURS)]
                (line,) = axes.plot([], [], [], color=colour, linewidth=1.1, alpha=0.6, zorder=1, clip_on=False)
                found.append((cast_to("Line3D", line), self.view.turned(self.poses[k].position)))
        return found

    def _placed(self, k: int) -> list[Polygons]:
        """All parts where they are at time k."""
        return [self.view.turned(own if body is None else self._carried(body, own, k)) for body, own, _ in self.parts]

    def _carried(self, body: int, own: Polygons, k: int) -> Polygons:
        pose = self.poses[body]
        stretched = own if pose.stretch is None else own * np.array([1.0, 1.0, pose.stretch[k]])
        return np.asarray(stretched @ matrix(pose.quaternion[k]).T + pose.position[k])

    def show(self, k: int) -> None:
        placed = self._placed(k)
        colours = []
        for faces, (_, _, colour) in zip(placed, self.parts, strict=True):
            light = 0.45 + 0.55 * np.abs(normals(faces) @ LAMP)
            colours.append(np.column_stack([light[:, None] * colour[:3], np.full(len(faces), colour[3])]))
        self.solids.set_verts(np.concatenate(placed))
        self.solids.set_facecolor(np.clip(np.concatenate(colours), 0, 1))
        for line, path in self.trails:
            line.set_data_3d(*path[: k + 1].T)


class PortraitStage:
    """The configuration as a point that moves on its portrait."""

    def __init__(self, figure: Figure, run: JudgedTrajectory, here: JudgedTrajectory) -> None:
        own = [one.symbol for one in run.model.free if isinstance(one, CoordinateVariable)]
        self.portrait = Portrait.of([run], own[0], own[1] if len(own) > 1 else None)
        axes = figure.add_axes((0.13, 0.25, 0.83, 0.65))
        draw_unrolled(axes, self.portrait)
        self.histories = [here[one] for one in self.portrait.symbols]
        (self.point,) = axes.plot([], [], "o", color=COLOURS[1], markersize=9, zorder=5)

    def show(self, k: int) -> None:
        x, y = (strip.inside(float(own[k])) for strip, own in zip(self.portrait.strips, self.histories, strict=True))
        self.point.set_data([x], [y])
