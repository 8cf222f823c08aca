"""Reference sizes of constraint rows and their generic rank, from a cloud of feasible configurations.

Rank is never decided by the matrix at one place alone: rows are measured by their typical size over the cloud, and the
generic rank is the largest that occurs there. What is smaller at one place only is a singularity, what is smaller
everywhere is a redundancy.

Members of the cloud that closing has thrown far away (two planes that are nearly parallel meet there) say nothing about
sizes here, and are left out. The rank at the start itself, of rows measured there, is never above the generic one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.closing import LENGTHS, NUMBERS
from cardan.linalg.orthonormal import book_size, least_pivots
from cardan.linalg.projection import HEAD, HOLONOMIC_RANK, RANK
from cardan.singular.component import component
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.projection import project_position

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]

CLOUD = 24  # configurations around the start
ROUNDS = 8  # of them, where all that were found are near singular ones, which attract the search for configurations
AHEAD = (0.05, 0.1, 0.2, 0.3, -0.1, -0.2)  # of the box: steps along the velocity that are in the cloud too
SEED = 20170130
FAR = 30.0  # boxes, and sizes of rows here: a member of the cloud that is further, and has such rows, is no neighbour
OWN = 1e-6  # of its scale: a row that is smaller at the start does not say there whether it is independent
DEGENERATE = 1e-3  # of the largest value over the cloud: below it a configuration is near a singular one
VANISHING = 1e-10  # part of its size (at least a small part of that of others) below which a row is only rounding
RANK_TOLERANCE = 1e-8  # relative to the largest singular value of the scaled matrix


@dataclass(frozen=True)
class Reference:
    """Row scales s_i (rms of |a_i| in the metric of M; zero for rows that vanish everywhere) and the generic rank r.

    ``extent`` is how much each constraint changes when coordinates change by their typical sizes (rms over the cloud);
    ``holonomic_rank`` is the generic rank of the rows that have a phi alone. ``kappa`` and ``pivots`` are medians over
    the cloud: of sigma_r of the scaled rows, and of their least pivot. Since scaled rows have a typical length of 1,
    these are numbers, also where a single row vanishes.
    """

    scale: Vector
    rank: int
    extent: Vector
    holonomic_rank: int = 0
    kappa: float = 1.0
    pivots: float = 1.0
    tail: Vector = field(init=False, repr=False)  # behind the parameters: scales, rank, and no watch over them

    def __post_init__(self) -> None:
        head = np.zeros(HEAD)
        head[RANK], head[HOLONOMIC_RANK] = self.rank, self.holonomic_rank
        object.__setattr__(self, "tail", np.concatenate([self.scale, head, np.zeros(len(self.scale))]))

    def scaled(self, matrix: Vector) -> Vector:
        """Rows measured by their scales; rows that vanish everywhere are zero."""
        used = np.where(self.scale > 0, self.scale, 1.0)
        return np.asarray(np.where(self.scale[:, None] > 0, matrix / used[:, None], 0.0))

    def kappa_of(self, matrix: Vector) -> float:
        """sigma_r of the scaled rows of A W, in units of its median over the cloud."""
        return _kappa(self.scaled(matrix), self.rank) / self.kappa


def reference(system: ConstrainedNumbers, t: float, y: Vector, box: Vector) -> Reference:
    """Scales and generic rank around the configuration in y; ``box``: half-width of the cloud along each velocity."""
    rng = np.random.default_rng(SEED)
    A, stack = _measured(system, t, [y])
    for _ in range(ROUNDS):
        steps = box * rng.uniform(-1.0, 1.0, (CLOUD, system.n))
        if len(A) == 1:
            steps = np.concatenate([steps, _ahead(y[system.nq :], box)])
        A, stack = (np.concatenate(pair) for pair in zip((A, stack), _closed(system, t, y, steps, box), strict=True))
        scale, extent, scaled = _scaled(system, A, stack, box)
        s = np.asarray(np.linalg.svd(scaled, compute_uv=False), dtype=float)
        ranks = _ranks(s)
        rank = max(int(np.max(ranks, initial=0)), _rank_here(stack[0], scale))
        if rank == 0 or np.max(s[:, rank - 1]) > DEGENERATE:
            break
    if rank == 0:
        return Reference(scale, 0, extent)
    if ranks[0] < rank:
        members = component(system, t, y, box)
        if members is not None and (own_part := _around(system, t, [y, *members], box)) is not None:
            return own_part
    return _judged(system, scale, extent, scaled, s, ranks, rank)


def _scaled(system: ConstrainedNumbers, A: Vector, stack: Vector, box: Vector) -> tuple[Vector, Vector, Vector]:
    """Root mean squares of the rows over the cloud (0 for rows that vanish), their extents, and the rows over them."""
    scale = np.sqrt(np.mean(np.sum(stack**2, axis=2), axis=0))
    extent = system.row_sizes(A, box)
    scale[np.sqrt(np.mean((np.abs(A) @ box) ** 2, axis=0)) <= VANISHING * extent] = 0.0
    return scale, extent, np.where(scale[:, None] > 0, stack / np.where(scale > 0, scale, 1.0)[:, None], 0.0)


def _around(system: ConstrainedNumbers, t: float, places: list[Vector], box: Vector) -> Reference | None:
    """The reference of a component of larger dimension, from places of it alone; None where rows vary all the same."""
    A, stack = _measured(system, t, places)
    scale, extent, scaled = _scaled(system, A, stack, box)
    s = np.asarray(np.linalg.svd(scaled, compute_uv=False), dtype=float)
    ranks = _ranks(s)
    rank = int(np.max(ranks, initial=0))
    return None if rank == 0 or ranks[0] < rank else _judged(system, scale, extent, scaled, s, ranks, rank)


def _judged(
    system: ConstrainedNumbers,
    scale: Vector,
    extent: Vector,
    scaled: Vector,
    s: Vector,
    ranks: NDArray[np.int64],
    rank: int,
) -> Reference:
    """The reference with a rank, from scaled rows at members of a cloud and their singular values."""
    everything = len(system.holonomic) == system.m
    rows: Vector = scaled[:, system.holonomic]
    own = ranks if everything else _ranks(np.asarray(np.linalg.svd(rows, compute_uv=False), dtype=float))
    regular = ranks == rank if (ranks == rank).any() else np.arange(len(ranks)) == 0
    return Reference(
        scale,
        rank,
        extent,
        int(np.max(own, initial=0)),
        _typical(s[regular, rank - 1]),
        _typical(_pivots(scaled[regular], rank)),
    )


def _ahead(velocity: Vector, box: Vector) -> Vector:
    """Steps along the motion: from a place where many branches meet, guesses at random rarely find a regular one."""
    speed = float(np.max(np.abs(velocity) / box, initial=0.0))
    return np.outer(AHEAD, velocity / speed) if speed > 0 else np.zeros((0, len(velocity)))


def _closed(system: ConstrainedNumbers, t: float, y: Vector, steps: Vector, sizes: Vector) -> tuple[Vector, Vector]:
    """A and A W (rows in the metric of M) at configurations with phi = 0 near y moved by each of the steps."""
    if system.cloud is None:
        moved = (project_position(system, t, system.moved(t, y, step), sizes) for step in steps)
        closed = np.reshape([place for place in moved if place is not None], (-1, len(y)))
        closed = closed if system.turned is None else closed[~system.turned(t, closed)]
        measured = _measured(system, t, list(closed))
        near = ~_is_far(system, t, y, closed, measured[0], sizes)
        return measured[0][near], measured[1][near]
    found, places, A, rows = system.cloud(t, y, steps, sizes)
    near = (found > 0) & np.isfinite(A).all(axis=(1, 2))
    if system.turned is not None:
        near[near] = ~system.turned(t, places[near])
    near[near] = ~_is_far(system, t, y, places[near], A[near], sizes)
    if (found[near] > 1).any():  # a singular M somewhere
        return _measured(system, t, list(places[near]))
    return A[near], rows[near]


def _is_far(system: ConstrainedNumbers, t: float, y: Vector, places: Vector, A: Vector, sizes: Vector) -> Flags:
    """Which places are far from y, and have rows that are large beside those at y for that reason."""
    far = system.apart(y, places, sizes) > FAR
    if far.any():
        here = system.row_sizes(system.terms(t, y).A, sizes)
        for unit in (LENGTHS, NUMBERS):  # of one unit, a row may vanish here; typed ones know no other
            own = system.units == unit
            here[own] = np.max(here[own], initial=0.0)
        far &= np.any(np.abs(A) @ sizes > FAR * here, axis=1)
    return far


def _measured(system: ConstrainedNumbers, t: float, places: list[Vector]) -> tuple[Vector, Vector]:
    """A and A W at each of the places."""
    everywhere = [system.terms(t, place) for place in places]
    shape = (len(places), system.m, system.n)
    return (
        np.reshape([terms.A for terms in everywhere], shape),
        np.reshape([terms.A @ terms.half for terms in everywhere], shape),
    )


def _ranks(values: Vector) -> NDArray[np.int64]:
    """The numerical rank at each place, from singular values of scaled rows."""
    return np.asarray(np.sum(values > RANK_TOLERANCE * values[:, :1], axis=1))


def _rank_here(rows: Vector, scale: Vector) -> int:
    """The rank at the start of rows measured by themselves; those that nearly vanish there are left out."""
    norms = np.linalg.norm(rows, axis=1)
    used = norms > OWN * scale
    if not used.any():
        return 0
    own = rows[used] / norms[used, None]
    return int(_ranks(np.linalg.svd(own, compute_uv=False)[None])[0])


def _typical(values: Vector) -> float:
    """Median over the configurations that are not singular themselves: mechanisms may have many that are."""
    kept = values[values > DEGENERATE * np.max(values)]
    return float(np.median(kept)) if kept.size else 1.0


def _kappa(matrix: Vector, rank: int) -> float:
    """sigma_r."""
    return float(np.linalg.svd(matrix, compute_uv=False)[rank - 1]) if rank else 1.0


def _pivots(matrices: Vector, rank: int) -> Vector:
    """The least pivots, as the simulator computes them."""
    count, m, n = matrices.shape
    found = np.empty(count)
    book = np.zeros(book_size(n, m))
    least_pivots(count, n, m, rank, matrices.copy(), np.zeros((m, n)), np.zeros((m, m)), book, found)
    return found
