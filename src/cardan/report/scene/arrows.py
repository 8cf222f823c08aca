"""Forces and moments as arrows: applied loads, reactions, and directions in which a load is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.findings import Finding
from cardan.equations.numbers import Reaction
from cardan.kinematics.tree import WORLD
from cardan.report.data.arrays import packed
from cardan.report.data.entries import Arrow
from cardan.report.data.sampling import Columns, Table
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

ROUND_OFF = 1e-12  # of the kinetic energy: reactions as small as that are none
LOST_BELOW = 0.2  # of the largest indicator: around a lock the lost direction is shown while it is below this
SHOWN_FOR = 0.04  # of the duration, at least: how long it stays


def want_loads(table: Table, run: Trajectory) -> None:
    """Ask for the place, the vector and the unit directions of every load."""
    tree = run.kernel.dynamics.full.lifted
    for load in run.kernel.model.loads:
        place = tree.point(load.at.frame, load.at.position)
        directions = [x for along in load.along for x in tree.components(along, WORLD)]
        opposite = [x for end, _ in load.ends[1:] for x in tree.point(end.frame, end.position)]
        table.want(load, [*place, *tree.components(load.vector, WORLD), *directions])
        table.want((load, "opposite"), opposite)


def load_arrows(columns: Columns, run: Trajectory) -> list[Arrow]:
    """Every applied load, and what it does to the body it pushes against."""
    found = []
    for load in run.kernel.model.loads:
        unit = "N" if load.kind == "force" else "N m"
        table, other = columns[load], columns[(load, "opposite")]
        found.append(arrow(load.name, "load", table[:, :3], table[:, 3:6], unit))
        if other.shape[1]:
            found.append(arrow(f"{load.name} (opposite)", "load", other, -table[:, 3:6], unit))
    return found


def arrow(name: str, kind: str, at: Vector, vector: Vector, unit: str, visible: Vector | None = None) -> Arrow:
    return {
        "name": name,
        "kind": kind,
        "at": packed(at),
        "vector": packed(vector),
        "unit": unit,
        "visible": None if visible is None else packed(visible),
    }


def reaction_arrows(reactions: Mapping[str, Reaction], kinetic_energy: Vector) -> list[Arrow]:
    """Force and moment of all joints and constraints on each body and particle, at its centre of mass."""
    found = []
    round_off = ROUND_OFF * float(np.max(kinetic_energy, initial=0.0))  # J: N m over a radian, or N over a metre
    for name, one in reactions.items():
        for kind, vector, unit in (("force", one.force, "N"), ("moment", one.moment, "N m")):
            if np.max(np.abs(vector), initial=0.0) > round_off:
                found.append(arrow(name, f"reaction-{kind}", one.point, vector, unit))
    return found


def lost_arrows(
    here: Trajectory, columns: Columns, findings: Sequence[Finding], etas: dict[str, Vector]
) -> list[Arrow]:
    """The direction of each load that is lost in gimbal lock, shown around the moments where it is."""
    found = []
    for load in here.kernel.model.loads:
        directions = columns[load][:, 6:].reshape(len(here), -1, 3)
        names = [load.name] if len(load.symbols) == 1 else [f"{load.name}_{axis}" for axis in "xyz"]
        for k, name in enumerate(names):
            moments = [one.t for one in findings if one.kind == "gimbal-lock" and one.where[0] == name]
            if moments:
                visible = _around(here.t, [float(t) for t in moments if t is not None], etas.get(f"load {name}"))
                at = columns[load][:, :3]
                unit = "N" if load.kind == "force" else "N m"
                found.append(arrow(name, "lost", at, directions[:, k], unit, visible))
    return found


def _around(t: Vector, moments: Sequence[float], eta: Vector | None) -> Vector:
    """1 near the moments while the indicator stays low, and for a short while in any case."""
    least = SHOWN_FOR * float(t[-1] - t[0])
    near = np.zeros(len(t), dtype=bool)
    low = np.zeros(len(t), dtype=bool) if eta is None else eta < LOST_BELOW * float(np.max(eta, initial=0.0))
    for moment in moments:
        near |= np.abs(t - moment) <= least
        k = int(np.argmin(np.abs(t - moment)))
        first = k - int(np.argmin(low[: k + 1][::-1])) if not low[: k + 1].all() else -1
        after = int(np.argmin(low[k:])) if not low[k:].all() else len(t) - k
        near[first + 1 : k + after] |= low[first + 1 : k + after]
    return near.astype(float)
