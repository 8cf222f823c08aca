"""A map of a study as plain data: colours over two of what was varied, and what a click on a pixel changes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.report.data.arrays import packed
from cardan.report.data.entries import MapAxis, MapEntry, Put
from cardan.studies.picturing import plane, span_of
from cardan.studies.rows import GOOD, STATUS
from cardan.studies.study import Study
from cardan.trajectory.events import checked_events
from cardan.trajectory.trajectory import Trajectory

GROUPS = {"parameters": "values", "q": "q", "v": "v", "loads": "loads", "inputs": "inputs"}
SHADES = 64
MISSING = "#999999"
MOST_REASONS = 500  # that a page carries along


@dataclass(frozen=True)
class Picture:
    """What of a study is shown: the number, over what, and the pixel whose run comes with the page."""

    study: Study
    name: str
    x: str | None = None
    y: str | None = None
    row: int | None = None
    label: str = ""
    logarithmic: bool = False
    colours: str = "viridis"

    @property
    def chosen(self) -> int:
        """The row whose run comes with the page: the one asked for, or the one in the middle that reached its end."""
        if self.row is not None:
            return self.row
        good = np.flatnonzero(np.isin(self.study.status.ravel(), GOOD))
        middle = len(self.study) // 2 + (self.study.shape[-1] // 2 if len(self.study.shape) > 1 else 0)
        return int(good[np.argmin(np.abs(good - middle))]) if len(good) else 0


def whole_run(picture: Picture) -> Trajectory:
    """The motion of the chosen row over the whole time, whatever outputs would have ended it."""
    bench = picture.study.bench()
    settings, parameters = bench.settings(picture.chosen)
    own = [one for one in checked_events(settings.events) if one not in bench.watched]
    return bench.mover(parameters).follow(replace(settings, events=own, times=None))


def map_entry(picture: Picture) -> MapEntry:
    """The map, the run of each pixel as a change of the one that comes with the page."""
    study = picture.study
    horizontal, vertical, table = plane(study, picture.name, picture.x, picture.y)
    low, high = span_of(table, logarithmic=picture.logarithmic)
    strides = [int(np.prod(study.shape[k + 1 :])) for k in range(len(study.shape))]
    where = np.unravel_index(picture.chosen, study.shape)
    codes = np.array([STATUS.index(one) for one in study.status.ravel()]).reshape(study.shape)
    ends = np.moveaxis(codes, (vertical, horizontal), (0, 1)).reshape(table.shape)
    failures = study.failures()
    return {
        "title": f"{picture.label or picture.name}, {len(study)} runs",
        "label": picture.label or picture.name,
        "x": _axis(study, horizontal, strides[horizontal]),
        "y": _axis(study, vertical, strides[vertical]),
        "rest": [_put(study, k) for k in range(len(study.columns)) if k not in (horizontal, vertical)],
        "first": 0,
        "chosen": [int(where[horizontal]), int(where[vertical])],
        "values": packed(table),
        "ends": packed(ends),
        "endings": list(STATUS),
        "reasons": {str(row): text for row, text in list(failures.reasons.items())[:MOST_REASONS]},
        "low": low,
        "high": high,
        "logarithmic": picture.logarithmic,
        "colours": shades(picture.colours),
        "missing": MISSING,
        "python": "In Python, study.run(ROW) is this run, and study.view() a page that computes it.",
    }  # fmt: skip


def _axis(study: Study, k: int, stride: int) -> MapAxis:
    group, name = _asked(study, k)
    values = [float(x) for x in study.axis(k)]
    return {"label": study.columns[k], "group": group, "name": name, "values": values, "stride": stride}


def _put(study: Study, k: int) -> Put:
    group, name = _asked(study, k)
    return {"group": group, "name": name, "value": float(study.axis(k)[0])}


def _asked(study: Study, k: int) -> tuple[str, str]:
    """(group, name) by which a request puts the k-th of what was varied; velocities by their own names."""
    place, name = study.setup.columns[k]
    model = study.bench().system.kernels.model
    rates = [str(x) for x in model.v]
    if place == "v" and name not in rates:
        name = rates[[str(x) for x in model.q].index(name)]
    return GROUPS[place], name


def shades(name: str) -> list[str]:
    """The colours of one of matplotlib's maps."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    found: NDArray[np.float64] = colormaps[name](np.linspace(0, 1, SHADES))
    return [to_hex(one) for one in found]
