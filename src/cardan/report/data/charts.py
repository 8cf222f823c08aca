"""Charts of special motions as plain data: spectra, root loci, frequencies along a parameter, families, maps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.analysis.continuation import SpecialPoint
from cardan.analysis.linear import Linearization
from cardan.analysis.maps import RootLocus, StabilityMap
from cardan.report.data.arrays import packed
from cardan.report.data.special_entries import ChartEntry, DotsEntry, LineEntry

Vector = NDArray[np.float64]

NARROW = 1e-8  # of the largest eigenvalue: real parts below it are rounding
MARGIN = 1e-6  # outside the unit circle: multipliers of a motion followed to 1e-10 or so
DOTS = 24  # of a map, across and up


class Drawn(Protocol):
    """What is drawn of a family: numbers by name, where it is stable, and its special points."""

    def __getitem__(self, name: str) -> Vector: ...
    @property
    def is_stable(self) -> NDArray[np.bool_]: ...
    @property
    def points(self) -> Sequence[SpecialPoint[Any]]: ...
    def at_point(self, point: SpecialPoint[Any], name: str) -> float: ...


def line(x: ArrayLike, y: ArrayLike, tone: str, dashed: bool = False) -> LineEntry:
    """A curve without the points at which it is not defined."""
    across, up = np.asarray(x, float), np.asarray(y, float)
    kept = np.isfinite(across) & np.isfinite(up)
    return {"x": packed(across[kept]), "y": packed(up[kept]), "tone": tone, "dashed": dashed}


def marks(x: ArrayLike, y: ArrayLike, tone: str, shape: str, label: str = "") -> DotsEntry:
    """Points without those that are not defined."""
    across, up = np.atleast_1d(np.asarray(x, float)), np.atleast_1d(np.asarray(y, float))
    kept = np.isfinite(across) & np.isfinite(up)
    return {"x": packed(across[kept]), "y": packed(up[kept]), "tone": tone, "shape": shape, "label": label}


def spectrum_chart(lin: Linearization) -> ChartEntry:
    """Eigenvalues in the complex plane: those that grow are on the right."""
    z = lin.eigenvalues
    tall = float(np.max(np.abs(z), initial=0.0)) or 1.0
    grows = z.real > NARROW * tall
    real = np.where(np.abs(z.real) > NARROW * tall, z.real, 0.0)
    found = [
        marks(real[which], z.imag[which], tone, "dot", label)
        for which, tone, label in ((~grows, "good", "does not grow"), (grows, "bad", "grows"))
        if which.any()
    ]
    return {"title": "Eigenvalues", "x": "growth", "y": "frequency", "lines": [], "marks": found}


def multipliers_chart(z: NDArray[np.complex128]) -> ChartEntry:
    """Floquet multipliers and the unit circle, outside of which neighbours leave."""
    angle, grows = np.linspace(0, 2 * np.pi, 121), np.abs(z) > 1 + MARGIN
    found = [
        marks(z.real[which], z.imag[which], tone, "dot", label)
        for which, tone, label in ((~grows, "good", "does not grow"), (grows, "bad", "grows"))
        if which.any()
    ]
    circle = line(np.cos(angle), np.sin(angle), "plain")
    return {"title": "Floquet multipliers", "x": "real part", "y": "imaginary part", "lines": [circle], "marks": found}


def locus_chart(locus: RootLocus) -> ChartEntry:
    """Eigenvalues in the complex plane as the parameter changes; crosses are where they begin."""
    z = locus.eigenvalues
    tall = float(np.nanmax(np.abs(z)))
    real = np.where(np.abs(z.real) > NARROW * tall, z.real, 0.0)
    lines = [line(real[:, j], z.imag[:, j], str(j)) for j in range(z.shape[1])]
    first = np.flatnonzero(np.isfinite(z).all(axis=1))[:1]
    began = [marks(real[k], z.imag[k], "plain", "cross", f"{locus.parameter} = {locus.values[k]:.4g}") for k in first]
    return {
        "title": f"Root locus over {locus.parameter}", "x": "growth", "y": "frequency", "lines": lines, "marks": began,
    }  # fmt: skip


def campbell_chart(locus: RootLocus) -> ChartEntry:
    """Frequencies along the parameter, with crossings and veerings."""
    found = locus.frequencies
    lines = [line(locus.values, found[:, k], str(k)) for k in range(found.shape[1])]
    met = []
    for kind, shape in (("crossing", "ring"), ("veering", "cross")):
        own = [one for one in locus.meetings if one.kind == kind]
        up = [
            np.mean([np.interp(one.value, locus.values, locus.eigenvalues[:, j].imag) for j in one.modes])
            for one in own
        ]
        if own:
            met.append(marks([one.value for one in own], np.abs(up), "plain", shape, kind))
    title = f"Frequencies over {locus.parameter}"
    return {"title": title, "x": locus.parameter, "y": "frequency", "lines": lines, "marks": met}


def families_chart(families: Sequence[Drawn], x: str, y: str) -> ChartEntry:
    """Each family as a curve, dashed where it is unstable; folds, branch points and the like are marked."""
    lines, found = [], list[DotsEntry]()
    for one in families:
        across, up, stable = one[x], one[y], one.is_stable
        cuts = [0, *(np.flatnonzero(stable[1:] != stable[:-1]) + 1).tolist(), len(stable)]
        for begin, end in pairwise(cuts):
            part = slice(begin, min(end + 1, len(stable)))
            is_stable = bool(stable[begin])
            lines.append(line(across[part], up[part], "good" if is_stable else "bad", not is_stable))
        for point in one.points:
            place = one.at_point(point, x), one.at_point(point, y)
            found.append(marks(*place, "plain", "ring", f"{point.kind} at {point.value:.6g}"))
    return {"title": f"{y} over {x}", "x": x, "y": y, "lines": lines, "marks": found}


def map_chart(found: StabilityMap) -> ChartEntry:
    """Where nothing grows, where something does, and how, at some of the points of a map."""
    rows, columns = (np.arange(0, n, -(-n // DOTS)) for n in found.growth.shape)
    kinds = found.kinds[np.ix_(rows, columns)]
    x, y = np.meshgrid(found.x[rows], found.y[columns], indexing="ij")
    looks = {"damped": ("good", "dot"), "neutral": ("good", "ring"), "flutter": ("bad", "ring"),
             "divergence": ("bad", "dot"), "none": ("plain", "cross")}  # fmt: skip
    seen = [
        marks(x[kinds == kind], y[kinds == kind], *how, "no rest" if kind == "none" else kind)
        for kind, how in looks.items()
        if (kinds == kind).any()
    ]
    across, up = found.names
    return {"title": f"Stability over {across} and {up}", "x": across, "y": up, "lines": [], "marks": seen}
