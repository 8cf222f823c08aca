"""Modes of a continuum: shapes as functions, their norms and how orthogonal they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike

from cardan.continua.basis import Basis, basis
from cardan.continua.counting import Line
from cardan.continua.spans import Array

NODES = 24  # of Gauss and Legendre's rule on a panel
WAVES = 2.0  # a panel is at most this many radians of the shortest wave, times NODES / 4


@dataclass(frozen=True)
class Mode:
    """A shape with its frequency, of generalised mass one: its energy is (dq/dt)^2/2 + omega^2 q^2/2 for q(t) times it.

    Called with places x, it gives the displacement; components of its state have names of their own.
    """

    omega: float
    line: Line
    bases: tuple[Basis, ...]
    shares: tuple[Array, ...]  # of the solutions of every span

    @property
    def is_rigid(self) -> bool:
        return self.omega == 0.0

    def __call__(self, x: ArrayLike) -> Array:
        return self.state(x)[..., 0]

    def rotation(self, x: ArrayLike) -> Array:
        """phi of a beam: the slope, less the shear where there is any."""
        self._require_beam("rotation")
        return self.state(x)[..., 1]

    def force(self, x: ArrayLike) -> Array:
        """S u' of a string, the transverse force of a beam."""
        return self.state(x)[..., self.line.freedoms]

    def moment(self, x: ArrayLike) -> Array:
        """EI phi' of a beam."""
        self._require_beam("bending moment")
        return self.state(x)[..., 3]

    def state(self, x: ArrayLike) -> Array:
        """Displacements and forces at the places x, in the last axis."""
        places = np.asarray(x, dtype=float)
        flat, ends = np.atleast_1d(places).ravel(), np.array(self.line.positions)
        which = np.clip(np.searchsorted(ends, flat, side="right") - 1, 0, len(self.bases) - 1)
        found = np.empty((len(flat), 2 * self.line.freedoms))
        for k, (own, shares) in enumerate(zip(self.bases, self.shares, strict=True)):
            here = which == k
            found[here] = own.at(flat[here] - ends[k]) @ shares
        return found.reshape(*places.shape, -1)

    def _require_beam(self, what: str) -> None:
        if self.line.freedoms == 1:
            from cardan.errors import ModelError

            raise ModelError(f"A section of a string, rod or shaft has no {what}; a beam's has.")


@dataclass(frozen=True)
class Modes(Sequence[Mode]):
    """Modes in ascending order."""

    line: Line
    frequencies: Array
    shapes: tuple[Mode, ...]

    def __len__(self) -> int:
        return len(self.shapes)

    def __getitem__(self, which):  # type: ignore[no-untyped-def]  # as every sequence
        return self.shapes[which]

    @property
    def rigid(self) -> int:
        """How many of them are motions of the whole as a rigid body."""
        return sum(one.is_rigid for one in self.shapes)

    @cached_property
    def orthogonality(self) -> Array:
        """Generalised masses between all pairs, masses at ends included: one on the diagonal, zero elsewhere."""
        return gram(self.line, self.shapes)


def modes(line: Line, frequencies: Sequence[float]) -> Modes:
    """The modes of these frequencies, each shape with generalised mass one."""
    shapes: list[Mode] = []
    for omega, same in groupby(frequencies):
        shapes += orthonormal(line, shapes_at(line, omega, len(list(same))))
    return Modes(line, np.array(frequencies), tuple(shapes))


def shapes_at(line: Line, omega: float, multiplicity: int) -> list[Mode]:
    """Solutions that satisfy the conditions at all places: null vectors of their matrix."""
    bases = tuple(basis(span, omega**2) for span in line.spans)
    conditions = boundary(line, omega**2, bases)
    _, _, right = np.linalg.svd(conditions)
    size = 2 * line.freedoms
    return [
        Mode(omega, line, bases, tuple(vector[k : k + size] for k in range(0, len(vector), size)))
        for vector in right[::-1][:multiplicity]
    ]


def boundary(line: Line, lam: float, bases: Sequence[Basis]) -> Array:
    """Conditions at all places on the shares of the solutions: held or in balance, and joined to the next span.

    Rows are of size one before forces in them cancel: where a mode is a mass at the end of a stiff piece they do,
    and what is left must stay as small as it is.
    """
    d = line.freedoms
    ends = [own.at(np.array([0.0, span.length])) for own, span in zip(bases, line.spans, strict=True)]
    rows = []
    for k, place in enumerate(line.places):
        before = ends[k - 1][1] if k > 0 else None
        after = ends[k][0] if k < len(ends) else None
        here = after if after is not None else before
        assert here is not None
        for i, freedom in enumerate(place):
            row = np.zeros((2 * d, 2 * d * len(ends)))[0]
            at = 2 * d * (k if after is not None else k - 1)
            if freedom.held:
                row[at : at + 2 * d] = here[i]
                size = np.linalg.norm(here[i])
            else:  # the force of the span before, less that of the span after, is that on the attachment
                load = (freedom.spring - lam * freedom.mass) * here[i]
                row[at : at + 2 * d] = load
                size = np.linalg.norm(load)
                if before is not None:
                    row[2 * d * (k - 1) : 2 * d * k] += before[d + i]
                    size += np.linalg.norm(before[d + i])
                if after is not None:
                    row[2 * d * k : 2 * d * (k + 1)] -= after[d + i]
                    size += np.linalg.norm(after[d + i])
            rows.append(row / size)
            if before is not None and after is not None:
                join = np.zeros(2 * d * len(ends))
                join[2 * d * (k - 1) : 2 * d * k] = before[i]
                join[2 * d * k : 2 * d * (k + 1)] = -after[i]
                rows.append(join / np.linalg.norm(join))
    return np.array(rows)


def orthonormal(line: Line, shapes: list[Mode]) -> list[Mode]:
    """Shapes of one frequency made orthogonal and of generalised mass one; the first move of each is upwards."""
    values, vectors = np.linalg.eigh(gram(line, shapes))
    made = []
    for value, vector in zip(values, vectors.T, strict=True):
        shares = tuple(
            sum((c * one.shares[k] for c, one in zip(vector, shapes, strict=True)), np.zeros(2 * line.freedoms))
            / np.sqrt(value)
            for k in range(len(line.spans))
        )
        one = Mode(shapes[0].omega, line, shapes[0].bases, shares)
        made.append(one if upward(one) else Mode(one.omega, line, one.bases, tuple(-c for c in shares)))
    return made


def upward(mode: Mode) -> bool:
    """Whether the shape is positive where it first is as large as half of its largest."""
    values = mode(np.linspace(0, mode.line.positions[-1], 2001))
    return bool(values[np.argmax(np.abs(values) > 0.5 * np.max(np.abs(values)))] > 0)


def gram(line: Line, shapes: Sequence[Mode]) -> Array:
    """Generalised masses of all pairs, by Gauss and Legendre's rule on panels that resolve the shortest wave."""
    fastest = max(one.omega for one in shapes)
    total = np.zeros((len(shapes), len(shapes)))
    for x, weight, densities in panels(line, fastest**2):
        states = np.stack([one.state(x) for one in shapes])
        for i, density in enumerate(densities):
            total += density * np.einsum("ap,bp,p->ab", states[..., i], states[..., i], weight)
    ends = np.stack([one.state(np.array(line.positions)) for one in shapes])
    for k, place in enumerate(line.places):
        for i, freedom in enumerate(place):
            total += freedom.mass * np.outer(ends[:, k, i], ends[:, k, i])
    return total


def panels(line: Line, lam: float, kinks: Sequence[float] = ()) -> list[tuple[Array, Array, tuple[float, ...]]]:
    """Nodes, weights and masses per length of every span, fine enough for products of two shapes."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    found = []
    for start, span in zip(line.positions, line.spans, strict=False):
        turns = np.sqrt(np.max(np.abs(np.linalg.eigvals(span.generator(lam))) ** 2)) * span.length
        count = max(1, int(np.ceil(turns * 4 / (WAVES * NODES))))
        inside = [one - start for one in kinks if start < one < start + span.length]
        edges = np.union1d(np.linspace(0, span.length, count + 1), inside)
        half = np.diff(edges)[:, None] / 2
        x = (edges[:-1, None] + half * (nodes + 1)).ravel()
        found.append((start + x, (half * weights).ravel(), span.mass))
    return found
