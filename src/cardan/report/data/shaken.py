"""Modes as a page shakes them: where everything is at deflections between the two ends of a swing."""

from __future__ import annotations

import numpy as np

from cardan.analysis.modes import Modes
from cardan.analysis.shaking import shaken
from cardan.report.data.arrays import packed
from cardan.report.data.entries import PoseEntry, Row
from cardan.report.data.sampling import Table
from cardan.report.data.special_entries import ModeEntry, SpecialEntry
from cardan.report.scene.cast import cast, poses, want_poses

REACH = 0.3  # of the typical size of what moves most: the largest deflection
DEFLECTIONS = 33  # from one end to the other
PERIOD = 1.0  # of the cycle that is computed; a page has its own clock
MOST_MODES, MOST_POSES = 12, 600  # modes of one section; modes times bodies of it, which bounds its size
PARTS = 6  # coordinates of a shape that are named


def mode_entries(modes: Modes, most: int) -> SpecialEntry:
    """The slowest modes in words, with poses to shake them by; ``most`` things move on the page."""
    count = max(1, min(len(modes), MOST_MODES, MOST_POSES // max(most, 1))) if len(modes) else 0
    s = np.linspace(-1.0, 1.0, DEFLECTIONS)
    rows: list[Row] = [_row(k, float(square)) for k, square in enumerate(modes.squares[:count])]
    if len(modes) > count:
        rows.append({"label": "more", "value": f"{len(modes) - count} faster modes"})
    return {
        "kind": "modes",
        "title": "How it rings",
        "rows": rows,
        "charts": [],
        "modes": [_mode(modes, k, s, most) for k in range(count)],
        "deflections": packed(s),
        "reach": f"what moves most does so by {REACH:g} of its typical size",
    }


def pace(square: float) -> str:
    """A frequency in words; what is unstable grows instead."""
    size = abs(square) ** 0.5
    return "rigid motion" if square == 0 else f"grows as exp({size:.4g} t)" if square < 0 else f"{size:.6g} rad/s"


def _row(k: int, square: float) -> Row:
    return {"label": f"mode {k + 1}", "value": pace(square), "tone": "bad" if square < 0 else "plain"}


def _mode(modes: Modes, k: int, s: np.ndarray, most: int) -> ModeEntry:
    shape = modes.shapes[:, k]
    unit = shape / (np.max(np.abs(shape)) or 1.0)
    largest = np.argsort(-np.abs(unit), kind="stable")[:PARTS]
    parts: list[Row] = [{"label": modes.names[j], "value": f"{unit[j]:+.3f}"} for j in largest if abs(unit[j]) > 5e-4]
    found = _poses(modes, k, s)
    return {
        "label": f"{k + 1}: {pace(float(modes.squares[k]))}",
        "shape": parts,
        "poses": found if len(found) == most else [],
    }


def _poses(modes: Modes, k: int, s: np.ndarray) -> list[PoseEntry]:
    """Where everything is at the deflections s; the cycle passes them on its way back, from its quarter on."""
    cycle = shaken(modes, k, REACH, PERIOD)
    times = (0.5 - np.arcsin(s) / (2 * np.pi)) * PERIOD
    here, actors, table = cycle.at(times[::-1]), cast(cycle), Table()
    want_poses(table, cycle, actors)
    found: list[PoseEntry] = []
    for one in poses(table.along(here), actors, here):
        entry: PoseEntry = {
            "position": packed(one.position[::-1]),
            "quaternion": packed(one.quaternion[::-1]),
        }
        found.append(entry if one.stretch is None else {**entry, "stretch": packed(one.stretch[::-1])})
    return found
