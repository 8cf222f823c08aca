"""Shapes of strings, rods and beams as those of a flexible body: modes of the continuum as its ends hold it.

Each shape is scaled so that its coordinate is the largest displacement (at the free end, where that is one). Energies
of the body are sums over the nodes of Gauss and Legendre's rule, as many as make the modes orthogonal to ``EXACT``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from cardan.continua.beam import Beam
from cardan.continua.continuum import Continuum
from cardan.continua.counting import Line
from cardan.continua.modes import Mode
from cardan.continua.spans import Array, BeamSpan
from cardan.continua.wave import Rod, String
from cardan.errors import ModelError, unknown
from cardan.model.flexing import Spread

EXACT = 1e-9  # how far modal masses at the stations are from the integrals
MOST_MODES = 20  # in one direction
MOST_STATIONS = 60  # on one span
SAMPLES = 2001  # places at which the largest displacement is looked for
FINE = 32  # nodes of each of the rules by which slopes are integrated
TIED = 1e-6  # of the largest displacement: the end is taken for the largest where it is this near to it

Heavy = tuple[float, float, float]  # place, mass, moment of inertia
Given = Beam | String | Mapping[str, Any]  # by direction, or the arguments of one


@dataclass(frozen=True)
class ModalShapes:
    """The lowest modes of a continuum that bend it or stretch it, in one direction of a body."""

    axis: str
    line: Line
    modes: tuple[Mode, ...]
    shortens: bool

    @property
    def length(self) -> float:
        return self.line.positions[-1]

    @cached_property
    def scales(self) -> Array:
        """Displacements of modal mass one, where they are largest."""
        x = np.linspace(0.0, self.length, SAMPLES)
        found = []
        for mode in self.modes:
            w = mode(x)
            top = float(np.max(np.abs(w)))
            found.append(w[-1] if abs(w[-1]) >= (1 - TIED) * top else w[int(np.argmax(np.abs(w)))])
        return np.array(found)

    @cached_property
    def masses(self) -> list[float]:
        return [float(1 / c**2) for c in self.scales]

    @cached_property
    def stiffness(self) -> list[float]:
        return [float((mode.omega / c) ** 2) for mode, c in zip(self.modes, self.scales, strict=True)]

    def values(self, x: float) -> list[float]:
        return list(self._values(np.array([x]))[:, 0])

    def slopes(self, x: float) -> list[float]:
        return list(self._slopes(np.array([x]))[:, 0])

    def shortening(self, x: float) -> list[list[float]] | None:
        if not self.shortens:
            return None
        total = np.zeros((len(self.modes), len(self.modes)))
        for places, weights in self._rules(x):
            slopes = self._slopes(places)
            total += np.einsum("ap,bp,p->ab", slopes, slopes, weights)
        return [[float(one) for one in row] for row in total]

    def _values(self, x: Array) -> Array:
        return np.array([mode(x) / c for mode, c in zip(self.modes, self.scales, strict=True)])

    def _slopes(self, x: Array) -> Array:
        """phi of a beam without shear; F / S of a string."""
        if self.line.freedoms == 2:
            return np.array([mode.rotation(x) / c for mode, c in zip(self.modes, self.scales, strict=True)])
        which = np.clip(np.searchsorted(self.line.positions, x, side="right") - 1, 0, len(self.line.spans) - 1)
        S = np.array([self.line.spans[k].tension for k in which])
        return np.array([mode.force(x) / S / c for mode, c in zip(self.modes, self.scales, strict=True)])

    def _rules(self, x: float) -> list[tuple[Array, Array]]:
        """Rules of integration from 0 to x: within each span as many as there are modes, so that all waves are seen."""
        found = []
        for start, span in zip(self.line.positions, self.line.spans, strict=False):
            end = min(start + span.length, x)
            if end > start:
                edges = np.linspace(start, end, len(self.modes) + 1)
                found += [_rule(a, b, FINE) for a, b in pairwise(edges)]
        return found

    def error(self, places: Array, masses: Array, heavy: Sequence[Heavy]) -> float:
        """How far modal masses summed over stations are from the integrals, relative to them."""
        phi = self._values(places) * self.scales[:, None]
        G = (phi * masses) @ phi.T
        for x, m, inertia in heavy:
            one, slope = (np.array(self.values(x)) * self.scales, np.array(self.slopes(x)) * self.scales)
            G += m * np.outer(one, one) + (inertia * np.outer(slope, slope) if self.axis != "x" else 0.0)
        return float(np.max(np.abs(G - np.eye(len(G)))))


def _rule(a: float, b: float, nodes: int) -> tuple[Array, Array]:
    x, w = np.polynomial.legendre.leggauss(nodes)
    return (a + b) / 2 + (b - a) / 2 * x, (b - a) / 2 * w


def continuum_of(given: Continuum | Mapping[str, object]) -> Continuum:
    """A beam, string or rod, or one from the arguments of its class: EI makes a beam, EA a rod, else it is a string."""
    if isinstance(given, Continuum):
        return given
    kind: type[Continuum] = Beam if "EI" in given else Rod if "EA" in given else String
    try:
        return kind(**given)  # type: ignore[arg-type]  # checked by the class
    except TypeError as problem:
        raise ModelError(f"cd.{kind.__name__} cannot be made of {', '.join(given)}: {problem}.") from None


def shapes_of(given: Given, modes: int | Mapping[str, int], *, stiffening: bool) -> list[ModalShapes]:
    """Shapes of every direction: a beam or string alone bends along y, ``{"y": ..., "z": ..., "x": ...}`` says more."""
    alone = not isinstance(given, Mapping) or "length" in given
    said: Mapping[str, Any] = {"y": given} if alone or not isinstance(given, Mapping) else given
    parts = {axis: continuum_of(one) for axis, one in said.items()}
    for axis, one in parts.items():
        _check(axis, one)
    if not set(parts) & {"y", "z"}:
        raise ModelError('A flexible body bends along "y" or "z": give a cd.Beam or a cd.String for one of them.')
    counts = modes if isinstance(modes, Mapping) else dict.fromkeys(parts, modes)
    _check_alike(parts)
    return [_shapes(axis, one, counts.get(axis, 1), stiffening) for axis, one in parts.items()]


def _shapes(axis: str, one: Continuum, count: int, stiffening: bool) -> ModalShapes:
    kept = [mode for mode in one.modes(_few(count, MOST_MODES, "modes") + one.rigid) if not mode.is_rigid]
    return ModalShapes(axis, one.line, tuple(kept), stiffening and isinstance(one, Beam))


def _few(count: int, most: int, what: str) -> int:
    """A number of coordinates or masses that equations can be written for."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= most:
        raise ModelError(f"A flexible body has 1 to {most} {what} in one direction, found {count!r}.", count=count)
    return count


def _check(axis: str, one: Continuum) -> None:
    kinds: dict[str, tuple[type[Continuum], ...]] = {"y": (Beam, String), "z": (Beam, String), "x": (Rod,)}
    if axis not in kinds:
        raise unknown(axis, kinds, "direction of a flexible body")
    if not isinstance(one, kinds[axis]):
        wanted = " or ".join(f"cd.{kind.__name__}" for kind in kinds[axis])
        raise ModelError(f"Along {axis} a flexible body moves as a {wanted}, found {one!r}.")
    if any(isinstance(span, BeamSpan) and (span.compliance or span.rotary) for span in one.line.spans):
        raise ModelError(
            "A flexible body bends without shear and rotary inertia; leave out kappa_GA and rho_I, which matter where "
            "waves are shorter than some ten times the height of the section."
        )


def _check_alike(parts: Mapping[str, Continuum]) -> None:
    """All directions are those of one line: the same spans, with the same mass."""
    spans = {axis: tuple((span.length, span.mass[0]) for span in one.line.spans) for axis, one in parts.items()}
    first = next(iter(spans))
    for axis, own in spans.items():
        if own != spans[first]:
            raise ModelError(
                f"Lengths and masses along {axis} differ from those along {first}: {own} and {spans[first]}. They "
                "belong to one line.",
                axis=axis,
            )


def spread_of(shapes: Sequence[ModalShapes], stations: int | None) -> Spread:
    """Masses at so many stations of each span, or at as many as modal masses need; and what is fixed to its places."""
    heavy = _heavy(shapes)
    if stations is not None:
        return _spread(*_placed(shapes[0].line, _few(stations, MOST_STATIONS, "stations")), heavy)
    for count in range(2, MOST_STATIONS + 1):
        places, masses = _placed(shapes[0].line, count)
        if all(one.error(places, masses, heavy) < EXACT for one in shapes):
            break
    return _spread(places, masses, heavy)


def _spread(places: Array, masses: Array, heavy: list[Heavy]) -> Spread:
    return Spread([float(x) for x in places], [float(m) for m in masses], heavy)


def _placed(line: Line, count: int) -> tuple[Array, Array]:
    rules = [
        (*_rule(start, start + span.length, count), span.mass[0])
        for start, span in zip(line.positions, line.spans, strict=False)
    ]
    return np.concatenate([x for x, _, _ in rules]), np.concatenate([w * rho for _, w, rho in rules])


def _heavy(shapes: Sequence[ModalShapes]) -> list[Heavy]:
    """Masses fixed to the line. In all directions they must be the same."""
    found = [_masses_at(one.line) for one in shapes if one.axis != "x"]
    for one in found[1:]:
        if one != found[0]:
            raise ModelError("Masses at places of a flexible body differ between its directions; give both the same.")
    return [one for one in found[0] if one[1] or one[2]]


def _masses_at(line: Line) -> list[Heavy]:
    return [
        (x, place[0].mass, place[1].mass if len(place) > 1 else 0.0)
        for x, place in zip(line.positions, line.places, strict=True)
    ]
