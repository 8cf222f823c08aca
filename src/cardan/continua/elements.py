"""Finite elements and lumped models of strings and beams."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from cardan.continua.counting import Line
from cardan.continua.discrete import Discrete
from cardan.continua.spans import Array, BeamSpan, Span, WaveSpan
from cardan.errors import ModelError, WrongShape

POINTS = 4  # of Gauss and Legendre's rule on an element: exact for products of cubic shapes
Whole = NDArray[np.int64]
Tension = Callable[[Array], Array]  # at the places x


@dataclass
class Rows:
    """Rows of a sparse matrix with their weights, gathered."""

    columns: list[Whole] = field(default_factory=list)
    values: list[Array] = field(default_factory=list)
    weights: list[Array] = field(default_factory=list)

    def add(self, columns: Whole, values: Array, weights: Array) -> None:
        """As many rows as weights, with as many entries as columns."""
        self.columns.append(np.broadcast_to(columns, values.shape))
        self.values.append(values)
        self.weights.append(np.broadcast_to(weights, values.shape[:1]).astype(float))

    def add_one(self, columns: list[int], values: list[float], weight: float) -> None:
        """A single row."""
        self.add(np.array([columns]), np.array([values], dtype=float), np.array([weight]))

    def matrix(self, free: Array, size: int) -> tuple[sparse.csr_array, Array]:
        """The rows on the free coordinates, and the weights; rows of no weight are left out."""
        entries, where, weights = [], [], np.concatenate(self.weights)
        start = 0
        for columns, values in zip(self.columns, self.values, strict=True):
            rows = start + np.arange(len(values))
            where.append(np.stack([np.repeat(rows, values.shape[1]), columns.ravel()]))
            entries.append(values.ravel())
            start += len(values)
        index = np.concatenate(where, axis=1).astype(int)
        whole = sparse.csr_array((np.concatenate(entries), (index[0], index[1])), shape=(start, size))
        kept = weights != 0
        return whole[kept][:, np.flatnonzero(free)], weights[kept]


def nodes_of(line: Line, parts: int) -> tuple[Array, Array]:
    """Nodes with every place among them, and of which span each element is; spans get elements by their length."""
    if not len(line.spans) <= parts <= 10**7:
        raise WrongShape(f"Ask for {len(line.spans)} to 10000000 elements, found {parts}.", count=parts)
    shares = np.maximum(1, np.round(parts * np.diff(line.positions) / line.positions[-1]).astype(int))
    edges = [
        np.linspace(a, b, n, endpoint=False)
        for a, b, n in zip(line.positions, line.positions[1:], shares, strict=False)
    ]
    return np.concatenate([*edges, [line.positions[-1]]]), np.repeat(np.arange(len(line.spans)), shares)


def finite_elements(line: Line, parts: int, tension: Tension | None = None) -> Discrete:
    """Linear elements of a string, cubic ones of an Euler-Bernoulli beam; ``tension`` is added to that of the spans."""
    d = line.freedoms
    if any(isinstance(span, BeamSpan) and span.compliance for span in line.spans):
        raise ModelError(
            "Finite elements here have no shear. The frequencies of a Timoshenko beam are exact as they are."
        )
    x, which = nodes_of(line, parts)
    strains, velocities = Rows(), Rows()
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    for k, span in enumerate(line.spans):
        first = np.flatnonzero(which == k)
        h = np.diff(x)[first]
        columns = (d * first[:, None] + np.arange(2 * d)).astype(np.int64)
        for s, weight in zip((points + 1) / 2, weights / 2, strict=True):
            value, slope, curvature = shapes(s, h, d)
            amount = weight * h
            pull = np.zeros_like(h) if tension is None else tension(x[first] + s * h)
            velocities.add(columns, value, amount * span.mass[0])
            strains.add(columns, value, amount * foundation(span))
            strains.add(columns, slope, amount * (span.tension + pull))
            if isinstance(span, BeamSpan):
                strains.add(columns, curvature, amount * span.bending)
                velocities.add(columns, slope, amount * span.rotary)
    free = np.ones(d * len(x), dtype=bool)
    for place, position in zip(line.places, line.positions, strict=True):
        node = d * int(np.argmin(np.abs(x - position)))
        for i, freedom in enumerate(place):
            free[node + i] = not freedom.held
            strains.add_one([node + i], [1.0], freedom.spring)
            velocities.add_one([node + i], [1.0], freedom.mass)
    return discrete(line, x, free, strains, velocities, stride=d)


def shapes(s: float, h: Array, freedoms: int) -> tuple[Array, Array, Array]:
    """Shape functions of elements of lengths h at the share s of them, with first and second derivatives."""
    one = np.ones_like(h)
    if freedoms == 1:
        return np.stack([(1 - s) * one, s * one], 1), np.stack([-1 / h, 1 / h], 1), np.zeros((len(h), 2))
    value = [(1 - s) ** 2 * (1 + 2 * s) * one, s * (1 - s) ** 2 * h, s**2 * (3 - 2 * s) * one, s**2 * (s - 1) * h]
    slope = [6 * s * (s - 1) / h, (1 - s) * (1 - 3 * s) * one, 6 * s * (1 - s) / h, s * (3 * s - 2) * one]
    bent = [(12 * s - 6) / h**2, (6 * s - 4) / h, (6 - 12 * s) / h**2, (6 * s - 2) / h]
    return np.stack(value, 1), np.stack(slope, 1), np.stack(bent, 1)


def lumped(line: Line, parts: int) -> Discrete:
    """Masses at nodes, joined by light links: stretched ones of a string, bending at hinges of a beam."""
    if any(isinstance(span, BeamSpan) and (span.compliance or span.rotary) for span in line.spans):
        raise ModelError("Lumped masses have neither shear nor rotary inertia; leave kappa_GA and rho_I out.")
    x, which = nodes_of(line, parts)
    strains, velocities = Rows(), Rows()
    h, nodes = np.diff(x), np.arange(len(x), dtype=np.int64)
    spans = [line.spans[k] for k in which]
    per_node = np.zeros((2, len(x)))
    per_length = ([span.mass[0] for span in spans], [foundation(span) for span in spans])
    for values, amounts in zip(per_node, per_length, strict=True):
        shares = h * np.array(amounts) / 2
        values[:-1] += shares
        values[1:] += shares
    velocities.add(nodes[:, None], np.ones((len(x), 1)), per_node[0])
    strains.add(nodes[:, None], np.ones((len(x), 1)), per_node[1])
    links = np.stack([nodes[:-1], nodes[1:]], 1)
    strains.add(links, np.stack([-1 / h, 1 / h], 1), h * np.array([span.tension for span in spans]))
    if line.freedoms == 2:
        _add_hinges(strains, x, spans, line)
    free = np.ones(len(x), dtype=bool)
    for place, position in zip(line.places, line.positions, strict=True):
        node = int(np.argmin(np.abs(x - position)))
        free[node] = not place[0].held
        strains.add_one([node], [1.0], place[0].spring)
        velocities.add_one([node], [1.0], place[0].mass)
    return discrete(line, x, free, strains, velocities, stride=1)


def _add_hinges(strains: Rows, x: Array, spans: list[Span], line: Line) -> None:
    """Angles between neighbouring links, with the two halves that meet there as springs in series; clamps likewise."""
    h = np.diff(x)
    half = h / (2 * np.array([span.bending for span in spans if isinstance(span, BeamSpan)]))  # compliances
    nodes = np.arange(1, len(x) - 1, dtype=np.int64)
    angles = np.stack([1 / h[:-1], -1 / h[:-1] - 1 / h[1:], 1 / h[1:]], 1)
    strains.add(nodes[:, None] + np.array([-1, 0, 1]), angles, 1 / (half[:-1] + half[1:]))
    for place, position in zip(line.places, line.positions, strict=True):
        turning = place[1]
        is_inside = 0.0 < position < line.positions[-1]
        if turning.spring or turning.mass or (is_inside and turning.held):
            raise ModelError(
                "Nodes of a lumped beam do not turn: inertias and rotational springs need finite elements."
            )
        if turning.held:
            k = 0 if position == 0.0 else len(h) - 1
            strains.add_one([k, k + 1], [-1 / h[k], 1 / h[k]], 1 / half[k])


def discrete(line: Line, x: Array, free: Array, strains: Rows, velocities: Rows, stride: int) -> Discrete:
    """The model on the free coordinates; every stride-th coordinate is a displacement."""
    size = len(free)
    B, d = strains.matrix(free, size)
    C, e = velocities.matrix(free, size)
    displacements = sparse.csr_array(sparse.eye_array(size, format="csr")[::stride][:, np.flatnonzero(free)])
    return Discrete(B, d, C, e, x, displacements, line.scale)


def foundation(span: Span) -> float:
    """Stiffness per length to the ground."""
    assert isinstance(span, WaveSpan | BeamSpan)
    return span.foundation
