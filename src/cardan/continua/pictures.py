"""Pictures of strings and beams: shapes of modes, dispersion relations, motions over place and time, films."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.continua.dispersion import Dispersion
from cardan.continua.modes import Modes
from cardan.continua.spans import Array
from cardan.errors import ModelError
from cardan.formats.storing import written_beside
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import COLOURS, INK, MUTED, QUIET, figure_style
from cardan.report.figures.video import FILMS, encoder, write_gif, write_mp4

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Target = str | os.PathLike[str]
Picture = NDArray[np.uint8]
SMOOTH = 601  # places along a curve
MOST_PICTURES = 2000


class Motion(Protocol):
    """Displacements at places and times."""

    def __call__(self, x: ArrayLike, t: ArrayLike) -> Array: ...


def plot_modes(modes: Modes, path: Target | None = None) -> Figure:
    """Every shape over its own base line, the highest mode on top, with its frequency."""
    if path is not None:
        checked(path, FIGURES)
    x = np.linspace(0, modes.line.positions[-1], SMOOTH)
    with figure_style() as easel:
        figure, axes = easel.subplots(figsize=(7.5, 0.8 + 0.85 * len(modes)), layout="constrained")
        for k, mode in enumerate(modes):
            shape = mode(x)
            shape = 0.42 * shape / np.max(np.abs(shape))
            axes.axhline(k, color=QUIET, linewidth=0.8, zorder=0)
            axes.plot(x, k + shape, color=COLOURS[k % len(COLOURS)], linewidth=2)
            said = "rigid" if mode.is_rigid else f"ω = {mode.omega:.5g}"
            axes.annotate(said, (1.01, k), xycoords=("axes fraction", "data"), va="center", color=INK)
        for place, position in zip(modes.line.places, modes.line.positions, strict=True):
            draw_place(axes, position, [freedom.held for freedom in place], any(freedom.mass for freedom in place))
        axes.set(xlabel="x", ylabel="mode", yticks=range(len(modes)), yticklabels=range(1, len(modes) + 1))
        axes.grid(False)
        save(figure, path)
    return figure


def draw_place(axes: Axes, x: float, held: list[bool], is_heavy: bool) -> None:
    """What holds a place, along all base lines: a full line where everything is held, a dashed one for a part of it."""
    if any(held):
        axes.axvline(
            x, color=MUTED, linewidth=2.2 if all(held) else 1.2, linestyle="-" if all(held) else "--", zorder=0
        )
    if is_heavy:
        axes.plot([x], [0], "s", color=MUTED, markersize=7, transform=axes.get_xaxis_transform(), clip_on=False)


def plot_dispersion(branches: list[Dispersion], path: Target | None = None) -> Figure:
    """Frequency over wave number, and beside it how fast crests and energy go."""
    if path is not None:
        checked(path, FIGURES)
    with figure_style() as easel:
        figure, (left, right) = easel.subplots(1, 2, figsize=(8.6, 3.8), layout="constrained")
        for k, one in enumerate(branches):
            name = f", branch {k + 1}" if len(branches) > 1 else ""
            colour = COLOURS[k]
            left.plot(one.wave_numbers, one.frequencies, color=colour, label=f"ω(k){name}")
            right.plot(one.wave_numbers, one.phase_speeds, color=colour, linestyle="--", label=f"phase, ω/k{name}")
            right.plot(one.wave_numbers, one.group_speeds, color=colour, label=f"group, dω/dk{name}")
        highest = 1.6 * max(float(np.nanmax(one.group_speeds)) for one in branches)
        right.set(xlabel="wave number k", ylabel="speed", title="speeds", ylim=(0, highest), xlim=(0, None))
        left.set(
            xlabel="wave number k", ylabel="frequency ω", title="dispersion relation", ylim=(0, None), xlim=(0, None)
        )
        right.legend()
        if len(branches) > 1:
            left.legend()
        save(figure, path)
    return figure


def plot_motion(motion: Motion, length: float, duration: float, path: Target | None = None) -> Figure:
    """Displacement over place and time, and the shape at a few moments."""
    if path is not None:
        checked(path, FIGURES)
    x, t = np.linspace(0, length, 301), np.linspace(0, duration, 301)
    u = motion(x, t)
    largest = float(np.max(np.abs(u))) or 1.0
    with figure_style() as easel:
        figure, (left, right) = easel.subplots(1, 2, figsize=(9.4, 4.0), layout="constrained", width_ratios=(1.25, 1))
        image = left.pcolormesh(x, t, u, cmap="RdBu_r", vmin=-largest, vmax=largest, shading="gouraud", rasterized=True)
        figure.colorbar(image, ax=left, label="u")
        left.set(xlabel="x", ylabel="time", title="place and time")
        left.grid(False)
        moments = np.linspace(0, duration, 9)
        for k, (moment, shape) in enumerate(zip(moments, motion(x, moments), strict=True)):
            right.axhline(moment, color=QUIET, linewidth=0.8, zorder=0)
            right.plot(x, moment + 0.8 * (moments[1] or 1.0) * shape / largest, color=COLOURS[0] if k else COLOURS[1])
        right.set(xlabel="x", ylabel="time", title="shapes")
        right.grid(False)
        save(figure, path)
    return figure


def animate(parts: dict[str, Motion], length: float, duration: float, path: Target, pictures: int, fps: float) -> Path:
    """A film of curves over x: the first one strong, the others thin."""
    target = checked(path, FILMS, "A film")
    if not 2 <= pictures <= MOST_PICTURES or not 0 < fps <= 60:
        raise ModelError(
            f"A film has 2 to {MOST_PICTURES} pictures, at most 60 a second; found {pictures} and {fps:g}."
        )
    frames = _frames(parts, length, np.linspace(0, duration, pictures))
    with written_beside(target) as part:
        if target.suffix.lower() == ".gif":
            write_gif(frames, part, fps)
        else:
            write_mp4(frames, part, fps, encoder())
    return target


def _frames(parts: dict[str, Motion], length: float, times: Array) -> Iterator[Picture]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    x = np.linspace(0, length, 401)
    curves = {name: motion(x, times) for name, motion in parts.items()}
    largest = max(float(np.max(np.abs(u))) for u in curves.values()) or 1.0
    with figure_style() as easel:
        figure, axes = easel.subplots(figsize=(6.4, 3.2), dpi=100, layout="constrained")
        lines = []
        for k, name in enumerate(curves):
            strong = {"linewidth": 2.6, "zorder": 3} if k == 0 else {"linewidth": 1.2, "linestyle": "--", "zorder": 4}
            lines += axes.plot(x, 0 * x, label=name, color=COLOURS[k], **strong)
        axes.set(xlabel="x", ylabel="u", ylim=(-1.15 * largest, 1.15 * largest), xlim=(0, length))
        axes.legend(loc="upper right", ncols=len(curves))
        clock = axes.text(0.01, 0.03, "", color=MUTED, transform=axes.transAxes)
        canvas = FigureCanvasAgg(figure)
        for k, t in enumerate(times):
            for line, u in zip(lines, curves.values(), strict=True):
                line.set_ydata(u[k])
            clock.set_text(f"t = {t:.4g}")
            canvas.draw()
            yield np.asarray(canvas.buffer_rgba())[..., :3].copy()
