"""Primary velocity constraints as wrenches: why they depend on each other, in words (Briggs, Theorems 4.4 to 4.6).

Each row of a constraint acts on a body by a force at a place or by a moment: a wrench (f, m about the origin). Rows on
one body are dependent exactly when their wrenches are, and the motions they leave free are the screws reciprocal to
all of them: v . f + w . m = 0. Rows on different bodies depend on each other through the joints between the bodies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.judges.carriers import Wrench, row_wrenches
from cardan.diagnosis.judges.cloud import Cloud
from cardan.diagnosis.words import listed, number, plural, simplest, vector_text
from cardan.kinematics.rows import Row
from cardan.native.showing import Shown
from cardan.trajectory.extent import model_extent

Vector = NDArray[np.float64]

SAME = 1e-7
VOID = "forbids nothing that the joints do not forbid already"
PARTS = 1e-5  # a row with a smaller part in a dependency has none


@dataclass(frozen=True)
class Screw(Shown):
    """A line in space with a pitch: translation per radian along it (infinite for a pure translation)."""

    axis: Vector
    point: Vector
    pitch: float

    def __str__(self) -> str:
        a = vector_text(self.axis)
        if not np.isfinite(self.pitch):
            return f"translation along {a}"
        turn = f"rotation about {a} through {vector_text(self.point)}"
        return turn + (f" with pitch {number(self.pitch)}" if self.pitch else "")


@dataclass(frozen=True)
class Reason:
    """Why rows depend on each other: in words, the rows, and the motions left free where they act on one body."""

    text: str
    rows: tuple[str, ...]
    body: str | None = None
    screws: tuple[Screw, ...] = ()

    def __str__(self) -> str:
        return self.text


def reciprocal_screws(matrix: Vector, length: float = 1.0, centre: Vector | None = None) -> list[Screw]:
    """A basis of the motions that all wrenches (rows f, m about the origin) leave free: 6 - rank of them.

    ``length`` and ``centre`` say what is large: moments are taken about the centre and divided by the length.
    """
    c = np.zeros(3) if centre is None else centre
    local = np.hstack([matrix[:, :3], (matrix[:, 3:] - np.cross(c, matrix[:, :3])) / length])
    local = local / np.maximum(np.linalg.norm(local, axis=1, keepdims=True), 1e-300)
    _, s, vt = np.linalg.svd(local)
    rank = int(np.sum(s > SAME * s[0])) if len(s) and s[0] > 0 else 0
    free = simplest(vt[rank:].T, np.ones(6)).T
    return [_screw_at(twist[3:] / length, twist[:3], c, length) for twist in free]


def screws_of_motions(motions: Vector, place: Vector, length: float) -> list[Screw]:
    """A readable basis of motions (columns: velocity of the point at ``place`` over angular velocity) as screws."""
    sizes = np.repeat([1.0, length], 3)
    free = simplest(motions, sizes).T
    return [_screw_at(twist[3:], twist[:3], place, length) for twist in free]


def _screw_at(w: Vector, v: Vector, centre: Vector, length: float) -> Screw:
    size = float(np.linalg.norm(w))
    if size * length <= SAME * float(np.linalg.norm(v)):
        return Screw(v / np.linalg.norm(v), centre, np.inf)
    pitch = float(w @ v) / size**2
    axis, point = w / size, centre + np.cross(w, v) / size**2
    clean = np.where(np.abs(point) < SAME * length, 0.0, point)
    return Screw(np.where(np.abs(axis) < SAME, 0.0, axis), clean, 0.0 if abs(pitch) < SAME * length else pitch)


def screw(w: Vector, v: Vector) -> Screw:
    """The screw of a motion: angular velocity w, velocity v of the point at the origin."""
    return _screw_at(w, v, np.zeros(3), 1.0)


# --- reasons -----------------------------------------------------------------------------------------


def told(reasons: Sequence[Reason]) -> str:
    """Several reasons as one text; rows that forbid nothing are named together."""
    void = [one.rows[0] for one in reasons if one.text == VOID]
    texts = list(dict.fromkeys(one.text for one in reasons if one.text != VOID))
    if void:
        texts.insert(0, f"{listed(sorted(void))} {VOID if len(void) == 1 else VOID.replace('forbids', 'forbid', 1)}")
    return "; ".join(texts)


def geometric_reason(cloud: Cloud, y: Vector, dependency: Vector) -> Reason:
    """Why rows depend on each other, in words; ``dependency`` holds scaled multipliers n with n^T A = 0."""
    sizes = np.abs(dependency) / (float(np.max(np.abs(dependency))) or 1.0)
    every = cloud.kernel.dynamics.full.rows
    involved = [k for k in range(len(every)) if sizes[k] > PARTS]
    rows = [every[k] for k in involved]
    names = tuple(row.name for row in rows)
    if len(names) == 1 and cloud.row_scales[involved[0]] == 0.0:
        return Reason(VOID, names)
    if not all(row.actions for row in rows):
        several = f"the gradients of {listed(names)} are linearly dependent"
        return Reason(several if len(names) > 1 else f"the gradient of {names[0]} vanishes here", names)
    weights = dependency[involved] / np.where(cloud.row_scales[involved] > 0, cloud.row_scales[involved], 1.0)
    acting = [row_wrenches(cloud, y, row) for row in rows]
    length, centre = _extent(cloud, rows, acting)
    common = _common_body(acting)
    if common is not None and len(names) > 1:
        return _on_one_body(names, acting, common, length, centre)
    return _through_joints(cloud, names, acting, weights, length)


def _extent(cloud: Cloud, rows: Sequence[Row], acting: Sequence[Sequence[Wrench]]) -> tuple[float, Vector]:
    """A length and a place that are typical of where the rows act."""
    feet = [
        np.cross(one.force, one.moment) / float(one.force @ one.force)
        for wrenches in acting
        for one in wrenches[:1]
        if np.any(one.force)
    ]
    return model_extent(cloud.kernel, cloud.y, cloud.t), np.mean(feet, axis=0) if feet else np.zeros(3)


def _common_body(acting: Sequence[Sequence[Wrench]]) -> str | None:
    """The body on which all rows act, in the same relation to others; None where there is none."""
    sets = [tuple(sorted(one.frame.name for one in wrenches)) for wrenches in acting]
    return acting[0][0].frame.name if len(set(sets)) == 1 and len(sets[0]) == 1 else None


def _on_one_body(
    names: tuple[str, ...], acting: Sequence[Sequence[Wrench]], body: str, length: float, centre: Vector
) -> Reason:
    """Theorem 4.4 (moments), 4.5 (forces) or 4.6 (both), by the space of reciprocal screws."""
    matrix = np.array([np.concatenate([w[0].force, w[0].moment]) for w in acting])
    free = tuple(reciprocal_screws(matrix, length, centre))
    angular = sum(not np.any(row[:3]) for row in matrix)
    expected = max(6 - min(angular, 3) - min(len(matrix) - angular, 6), 0)
    pair = _pair(names, matrix, length) if len(matrix) == 2 else None
    if pair is not None:
        text = f"{pair} of {body}"
    elif angular == len(matrix):
        rank = 6 - len(free)
        text = (
            f"the axes of {listed(names)} on {body} span only {plural(rank, 'dimension')}: "
            f"{'they are parallel' if rank == 1 else 'they lie in one plane'} (Theorem 4.4)"
        )
    else:
        text = (
            f"the {len(matrix)} constraint wrenches of {listed(names)} on {body} span only "
            f"{plural(6 - len(free), 'dimension')}, so {plural(len(free), 'reciprocal screw')} remain where {expected} "
            f"would (Theorem {'4.6' if angular else '4.5'})"
        )
    listed_screws = "; ".join(str(one) for one in free[:6])
    return Reason(f"{text}. Motions left to {body}: {listed_screws}", names, body, free)


def _pair(names: tuple[str, ...], matrix: Vector, length: float) -> str | None:
    """Two rows: parallel moments (Theorem 4.4), or forces along one line (Theorem 4.5)."""
    (f1, m1), (f2, m2) = ((row[:3], row[3:]) for row in matrix)
    if not (np.any(f1) or np.any(f2)):
        return f"the axes of {names[0]!r} and {names[1]!r} are parallel, along {vector_text(m1 / np.linalg.norm(m1))}"
    if not (np.any(f1) and np.any(f2)) or np.linalg.norm(np.cross(f1, f2)) > SAME * np.linalg.norm(f1) * np.linalg.norm(
        f2
    ):
        return None
    gap = m1 / np.linalg.norm(f1) - np.sign(f1 @ f2) * m2 / np.linalg.norm(f2)
    if np.linalg.norm(gap) > SAME * length:
        return None
    point = np.cross(f1, m1) / (f1 @ f1)
    point = np.where(np.abs(point) < SAME * length, 0.0, point)
    return (
        f"{names[0]!r} and {names[1]!r} act along the same line, along {vector_text(f1 / np.linalg.norm(f1))} through "
        f"{vector_text(point)} (collinear constraints)"
    )


def _through_joints(
    cloud: Cloud, names: tuple[str, ...], acting: Sequence[Sequence[Wrench]], weights: Vector, length: float
) -> Reason:
    """Rows on several bodies: together they do no work in any motion of the joints between the bodies."""
    bodies = list(dict.fromkeys(one.frame.name for wrenches in acting for one in wrenches))
    if len(acting) == 2:
        pair = _pair(names, np.array([np.concatenate([w[0].force, w[0].moment]) for w in acting]), length)
        if pair is not None:
            return Reason(f"{pair}, joined by the joints between {listed(bodies)}", names)
    force = sum((x * w[0].force for x, w in zip(weights, acting, strict=True)), np.zeros(3))
    moment = sum((x * w[0].moment for x, w in zip(weights, acting, strict=True)), np.zeros(3))
    size = float(np.linalg.norm(force))
    if size * length > SAME * float(np.linalg.norm(moment)) and abs(force @ moment) <= SAME * size**2 * length:
        point = np.cross(force, moment) / size**2
        point = np.where(np.abs(point) < SAME * length, 0.0, point)
        return Reason(
            f"a force of {listed(names)} along {vector_text(force / size)} through {vector_text(point)} does no work "
            f"in any motion of the joints of {listed(bodies)}: its line meets or is parallel to the axes of all their "
            "hinges, and is perpendicular to their slides",
            names,
        )
    return Reason(
        f"a combination of the forces of {listed(names)} does no work in any motion of the joints of {listed(bodies)}",
        names,
    )
