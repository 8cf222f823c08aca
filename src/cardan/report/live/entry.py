"""What a page needs to compute a motion again: code, sizes, settings, and what its outputs mean; all plain data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.geometry.scalar import Scalar
from cardan.model.drawings import Drawing
from cardan.model.frames import Point
from cardan.report.data.entries import Slider
from cardan.report.data.live_entries import ActorEntry, LiveEntry, LoadEntry
from cardan.report.data.measured import Shown, wanted_of
from cardan.report.data.sampling import DRAGGED, Table
from cardan.report.data.symbols import configuration, typeset, velocities
from cardan.report.live.module import Watched, code_of, first_mode, level_of, watched_in
from cardan.report.scene.cast import Actor
from cardan.report.scene.drawn import ends_of
from cardan.simulation import layout
from cardan.simulation.crossings import scan_size
from cardan.simulation.methods.method import Loop, Method
from cardan.simulation.methods.objects import resolve
from cardan.simulation.methods.table import method_named
from cardan.trajectory.follow import LOOKS
from cardan.trajectory.restoring import TOO_NEAR
from cardan.trajectory.settings import ATOL
from cardan.trajectory.tolerances import LARGE, LEAST, NOTHING, SMALL, kinds_of
from cardan.trajectory.trajectory import Trajectory

INTERIOR = 3  # points inside a step where the edge of the coordinates is looked for, as in ``integrate``
CAPACITY = 64  # events that are kept


def live_entry(shown: Shown) -> LiveEntry:
    """The motion as something that a page can compute."""
    run, actors = shown.run, shown.actors
    kernel, settings = run.kernel, run.settings
    asked, step = resolve(settings.method, settings.step)
    method = method_named(asked.stands_for or asked.name)
    assert method.loop is not None
    loop, n = method.loop, kernel.nq + kernel.nv
    table = wanted_of(run, actors)
    for one in actors:
        if one.drawing is not None:
            table.want((one, "drawn"), _drawn(run, one.drawing, one.piece))
    watched = watched_in(run)
    size = _size(run, asked, loop, watched)
    rows = first_mode(run).holonomic
    smoothness = kernel.dynamics.smoothness
    hides = method.is_adaptive and (smoothness.is_timed or not smoothness.is_even)
    return {
        "code": code_of(run, loop, table, watched),
        "layout": {name: value for name, value in vars(layout).items() if isinstance(value, int)},
        "n": n,
        "nq": kernel.nq,
        "size": size.tolist(),
        "watched": [one.entry for one in watched],
        "constrained": kernel.m > 0,
        "too_near": TOO_NEAR - sum(level_of(run) for one in watched if one.kind == "rank"),
        "flags": [*_marks(watched), *kernel.quaternions, *rows],
        "signs": scan_size(int(size[layout.N_EVENTS]), int(size[layout.INTERIOR])),
        "work": loop.work_size(n) + loop.own_work(kernel.nv, len(rows)),
        "width": loop.width(n),
        "rows_p": len(kernel.parameters),
        "p": [float(x) for x in first_mode(run).parameters],
        "y": [float(x) for x in run.solution.segments[0].rows[0, 1 : n + 1]],
        "places": _places(run),
        "t0": float(settings.t0),
        "duration": float(settings.duration),
        "rtol": float(settings.rtol),
        "atol": None if settings.atol is None else [float(x) for x in run.atol],
        "usual_atol": {"atol": ATOL, "small": SMALL, "large": LARGE, "least": LEAST, "nothing": NOTHING},
        "kinds": [[places.tolist(), speeds.tolist()] for places, speeds in kinds_of(kernel)],
        "step": 0.0 if step is None else float(step),
        "looks": 1.0 / LOOKS if hides and settings.max_step is None else None,
        "max_step": None if settings.max_step is None else float(settings.max_step),
        "outputs": len(table.numbers),
        "actors": [_actor(table, one, pose.length) for one, pose in zip(actors, shown.poses, strict=True)],
        "loads": _loads(table, run),
        "energies": table.place("energies").start,
        "series": _series(run),
        "frames": DRAGGED,
    }


def _marks(watched: Sequence[Watched]) -> list[int]:
    """Directions of what is watched, then how the motion ends there."""
    return [-1 for one in watched for _ in range(one.outputs)] + [
        one.mark for one in watched for _ in range(one.outputs)
    ]


def _size(run: Trajectory, asked: Method, loop: Loop, watched: Sequence[Watched]) -> NDArray[np.int64]:
    """The counts that do not change, as ``simulation.drive`` fills them."""
    kernel = run.kernel
    n = kernel.nq + kernel.nv
    size = np.zeros(layout.SIZES, dtype=np.int64)
    size[layout.N], size[layout.NQ], size[layout.WIDTH] = n, kernel.nq, loop.width(n)
    size[layout.N_EVENTS] = sum(one.outputs for one in watched)
    size[layout.N_QUATERNIONS] = len(kernel.quaternions)
    size[layout.EVENT_CAPACITY], size[layout.INTERIOR] = CAPACITY, INTERIOR if watched else 0
    size[layout.MAX_STEPS], size[layout.KEEP] = run.settings.max_steps, 1
    size[layout.WATCH_STIFFNESS] = asked.when_stiff != ""
    size[layout.ROWS], size[layout.TAIL] = len(first_mode(run).holonomic), len(kernel.parameters)
    return size


def _places(run: Trajectory) -> dict[str, dict[str, int]]:
    model, nq = run.kernel.model, run.kernel.nq
    first = len(model.parameters)
    return {
        "values": {str(symbol): k for k, symbol in enumerate(model.parameters)},
        "signals": {str(symbol): first + k for k, symbol in enumerate(model.signals)},
        "q": {str(symbol): k for k, symbol in enumerate(model.q)},
        "v": {str(symbol): nq + k for k, symbol in enumerate(model.v)},
    }


def _drawn(run: Trajectory, drawing: Drawing, piece: int) -> list[Scalar]:
    """The places of a drawing, and behind that of a disc its axis and its angle."""
    space, tree = run.kernel.dynamics.space, run.kernel.dynamics.full.lifted
    found: list[Scalar] = []
    for one in ends_of(drawing, piece):
        found += tree.point(one.frame, one.position) if isinstance(one, Point) else [space.lift(x) for x in one]
    if drawing.kind == "disc":
        angle = 0 if drawing.angle is None else drawing.angle
        found += [space.lift(x) for x in (*drawing.axis, angle)]
    return found


def _actor(table: Table, one: Actor, length: float | None) -> ActorEntry:
    kind = "frame" if one.frame is not None else "gimbal" if one.gimbal is not None else "rod"
    kind = "bead" if kind == "rod" and one.share is not None else kind
    if one.drawing is not None:
        kind = {"point": "bead", "disc": "disc"}.get(one.drawing.kind, "rod")
    at = table.place(one if one.drawing is None else (one, "drawn")).start
    return {"kind": kind, "at": at, "share": one.share or 0.0, "length": length}


def _loads(table: Table, run: Trajectory) -> list[LoadEntry]:
    found: list[LoadEntry] = []
    for load in run.kernel.model.loads:
        other = table.place((load, "opposite"))
        unit = "N" if load.kind == "force" else "N m"
        opposite = other.start if other.stop > other.start else None
        found.append({"name": load.name, "unit": unit, "at": table.place(load).start, "opposite": opposite})
    return found


def _series(run: Trajectory) -> list[list[str]]:
    named = [("coordinates", *one) for one in configuration(run.model)]
    named += [("velocities", *one) for one in velocities(run.model)]
    return [[group, str(symbol), typeset(symbol), unit] for group, symbol, unit in named]


def known_sliders(sliders: Sequence[Slider], entry: LiveEntry, shaping: frozenset[str]) -> list[Slider]:
    """The sliders that the page can answer; lengths that shapes are made of are left to the viewer."""
    places = entry["places"]
    groups = {"parameters": "values", "loads": "signals", "inputs": "signals"}
    found = []
    for one in sliders:
        group = one["of"] if one["group"] == "start" else groups[one["group"]]
        if one["name"] in places[group] and not (group == "values" and one["name"] in shaping):
            found.append(one)
    return found
