"""Surfaces in space on which coordinates live: torus, cylinder, plane, sphere; hidden parts told from what is seen.

Drawn without perspective, so that one direction says for every point what lies in front of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.report.figures.style import INK, PAPER, Dashes

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.axes3d import Axes3D

Vector = NDArray[np.float64]

RING, TUBE = 1.0, 0.44
RADIUS, HALF_HEIGHT = 0.8, 1.05
ELEVATION, AZIMUTH = 34.0, -52.0
LIFT = 0.012  # of curves over the surface
MESH = 72
BODY = np.array([0.90, 0.925, 0.945])
LAMP = np.array([0.25, -0.60, 0.76])


@dataclass(frozen=True)
class Surface:
    """A surface over ranges of x and y; ``kind`` is "torus", "cylinder" (one of the two goes round), "plane" or
    "sphere" (y is the angle from the pole)."""

    kind: str
    x: tuple[float, float]
    y: tuple[float, float]
    is_x_round: bool = True  # of a cylinder

    def place(self, x: ArrayLike, y: ArrayLike, lift: float = 0.0) -> Vector:
        """Points (..., 3) at a small height over the surface."""
        points, normals = self._points(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        return np.asarray(points + lift * normals)

    def normals(self, x: ArrayLike, y: ArrayLike) -> Vector:
        return self._points(np.asarray(x, dtype=float), np.asarray(y, dtype=float))[1]

    def _points(self, x: Vector, y: Vector) -> tuple[Vector, Vector]:
        if self.kind == "torus":
            a, b = _angle(x, self.x), _angle(y, self.y)
            normal = np.stack([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)], axis=-1)
            centre = RING * np.stack([np.cos(a), np.sin(a), 0 * a], axis=-1)
            return centre + TUBE * normal, normal
        if self.kind == "sphere":
            normal = np.stack([np.sin(y) * np.cos(x), np.sin(y) * np.sin(x), np.cos(y) + 0 * x], axis=-1)
            return normal, normal
        if self.kind == "cylinder":
            round_, along = (x, y) if self.is_x_round else (y, x)
            spans = (self.x, self.y) if self.is_x_round else (self.y, self.x)
            a = _angle(round_, spans[0])
            normal = np.stack([np.cos(a), np.sin(a), 0 * a + 0 * along], axis=-1)
            height = HALF_HEIGHT * _share(along, spans[1])
            return np.stack([RADIUS * normal[..., 0], RADIUS * normal[..., 1], height + 0 * a], axis=-1), normal
        flat = np.stack(np.broadcast_arrays(_share(x, self.x), _share(y, self.y), 0.0), axis=-1)
        return flat, np.broadcast_to([0.0, 0.0, 1.0], flat.shape)

    def is_hidden(self, x: Vector, y: Vector) -> NDArray[np.bool_]:
        """Which points of the surface are turned away from the eye, or behind another part of it."""
        eye = eye_direction()
        hidden = self.normals(x, y) @ eye < 0
        if self.kind == "torus":
            steps = np.linspace(0.05, 2.6, 52)
            on_the_way = self.place(x, y)[:, None, :] + steps[None, :, None] * eye
            ring = np.hypot(on_the_way[..., 0], on_the_way[..., 1]) - RING
            hidden |= np.any(ring**2 + on_the_way[..., 2] ** 2 < 0.98 * TUBE**2, axis=1)
        return np.asarray(hidden)


def _angle(value: Vector, span: tuple[float, float]) -> Vector:
    """The value as an angle, a whole turn over its span."""
    return np.asarray(value * 2 * np.pi / (span[1] - span[0]))


def _share(value: Vector, span: tuple[float, float]) -> Vector:
    """From -1 to 1 over the span."""
    return np.asarray(2 * (value - span[0]) / (span[1] - span[0]) - 1)


def eye_direction() -> Vector:
    e, a = np.radians(ELEVATION), np.radians(AZIMUTH)
    return np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])


def surface_axes(figure: Figure) -> Axes3D:
    """Axes for one surface, without frame."""
    axes = cast("Axes3D", figure.add_subplot(111, projection="3d", proj_type="ortho", computed_zorder=False))
    axes.view_init(elev=ELEVATION, azim=AZIMUTH)
    axes.set_axis_off()
    return axes


def draw_surface(axes: Axes3D, surface: Surface, lines: Sequence[Sequence[float]]) -> None:
    """The shaded surface with coordinate lines at the given values of x and of y."""
    xs, ys = np.meshgrid(np.linspace(*surface.x, MESH + 1), np.linspace(*surface.y, MESH + 1), indexing="ij")
    P = surface.place(xs, ys)
    axes.plot_surface(
        *np.moveaxis(P, -1, 0),
        facecolors=_shaded(surface.normals(xs, ys)),
        rstride=1,
        cstride=1,
        linewidth=0,
        antialiased=False,
        shade=False,
        zorder=2,
    )
    for value in lines[0]:
        y = np.linspace(*surface.y, 121)
        draw_curve(axes, surface, np.full_like(y, value), y, PAPER, 0.8)
    for value in lines[1]:
        x = np.linspace(*surface.x, 121)
        draw_curve(axes, surface, x, np.full_like(x, value), PAPER, 0.8)
    low, high = P.reshape(-1, 3).min(axis=0), P.reshape(-1, 3).max(axis=0)
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, 0.2)
    axes.set_box_aspect(half, zoom=1.1 if surface.kind == "cylinder" else 1.5)
    for setter, centre, reach in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), middle, half, strict=True):
        setter(centre - reach, centre + reach)


def _shaded(normals: Vector) -> Vector:
    """Colours of faces in the light of a lamp beside the eye; inner sides are lit as outer ones are."""
    light = np.abs(normals[:-1, :-1] @ LAMP)
    share = (0.62 + 0.38 * light)[..., None]
    return np.concatenate([np.clip(share * BODY, 0, 1), np.ones_like(share)], axis=-1)


def draw_curve(
    axes: Axes3D,
    surface: Surface,
    x: Vector,
    y: Vector,
    colour: str,
    width: float,
    label: str | None = None,
    dashes: Dashes = "-",
) -> None:
    """A curve: full where it is seen, faint where the surface hides it."""
    P = surface.place(x, y, LIFT)
    hidden = surface.is_hidden(x, y) | ~np.isfinite(P).all(axis=1)
    for mask, alpha, order in ((~hidden, 1.0, 4), (hidden, 0.35, 3)):
        shown = np.where(_with_ends(mask)[:, None], P, np.nan)
        style = {"color": colour, "linewidth": width * (1 if alpha == 1 else 0.7), "alpha": alpha, "zorder": order}
        if alpha == 1:
            axes.plot(*shown.T, linestyle=dashes, label=label, **style)
        elif colour != PAPER:
            axes.plot(*shown.T, linestyle=":", **style)


def _with_ends(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask and one point beyond each of its stretches, so that stretches meet."""
    return np.asarray(mask | np.r_[False, mask[:-1]])


def draw_point(axes: Axes3D, surface: Surface, x: float, y: float, colour: str, label: str | None = None) -> None:
    """A place on the surface."""
    P = surface.place(x, y, 2 * LIFT)
    alpha = 0.45 if surface.is_hidden(np.array([x]), np.array([y]))[0] else 1.0
    look = {"color": colour, "markeredgecolor": PAPER, "markersize": 8, "alpha": alpha, "label": label, "zorder": 6}
    axes.plot(*P[:, None], "o", **look)


def write_on(axes: Axes3D, surface: Surface, x: float, y: float, text: str, lift: float = 0.24) -> None:
    """Text beside a place of the surface, where that is seen; with a white edge, so that curves do not run into it."""
    from matplotlib.patheffects import withStroke

    if not surface.is_hidden(np.array([x]), np.array([y]))[0]:
        P = surface.place(x, y, lift)
        edge = [withStroke(linewidth=3, foreground=PAPER)]
        axes.text(*P, text, color=INK, ha="center", va="center", fontsize=9, zorder=8, path_effects=edge)
