"""The section of a page on special motions: what was asked of rests, modes, loci and families, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.equilibria import Equilibrium
from cardan.analysis.invariants import Invariant
from cardan.analysis.linear import Linearization
from cardan.analysis.maps import RootLocus, StabilityMap
from cardan.analysis.modes import Modes
from cardan.analysis.periodic import PeriodicMotion
from cardan.errors import ModelError
from cardan.report.data.charts import (
    Drawn,
    campbell_chart,
    families_chart,
    locus_chart,
    map_chart,
    multipliers_chart,
    spectrum_chart,
)
from cardan.report.data.entries import Row
from cardan.report.data.shaken import mode_entries
from cardan.report.data.special_entries import SpecialEntry

Special: TypeAlias = (
    "Linearization | Modes | RootLocus | StabilityMap | PeriodicMotion | Equilibrium | Drawn"
    " | Sequence[Drawn | Equilibrium | Invariant]"
)
TONES = {"unstable": "bad", "undecided": "plain"}
MOST_ROWS = 24
ROUNDING = 1e-10  # of the largest: parts below it are told as zero


def special_entries(found: Sequence[Special], most: int) -> list[SpecialEntry]:
    """One entry for each answer; modes of systems with ``most`` things that move can be shaken."""
    return [_entry(one, most) for one in found]


def _entry(one: Special, most: int) -> SpecialEntry:
    if isinstance(one, Modes):
        return mode_entries(one, most)
    if isinstance(one, Linearization):
        return _linear(one)
    if isinstance(one, RootLocus):
        return _locus(one)
    if isinstance(one, StabilityMap):
        return _map(one)
    if isinstance(one, PeriodicMotion):
        return _periodic(one)
    if isinstance(one, Equilibrium):
        return _rests([one])
    if hasattr(one, "at_point"):
        return _families([one])  # type: ignore[list-item]  # what has points is a family
    if isinstance(one, Sequence) and all(isinstance(each, Equilibrium) for each in one):
        return _rests([each for each in one if isinstance(each, Equilibrium)])
    if isinstance(one, Sequence) and all(isinstance(each, Invariant) for each in one):
        return _conserved([each for each in one if isinstance(each, Invariant)])
    if isinstance(one, Sequence) and all(hasattr(each, "at_point") for each in one):
        return _families(one)  # type: ignore[arg-type]  # what has points is a family
    raise ModelError(
        f"A page shows what s.equilibria, linearize, modes, steady_families, equilibrium_families, periodic_motion, "
        f"periodic_family, root_locus and stability_map return; {type(one).__name__} is none of them."
    )


def _verdict(label: str, verdict: str, reason: str) -> Row:
    return {"label": label, "value": verdict, "detail": reason, "tone": TONES.get(verdict, "good")}


def said(value: complex, size: float) -> str:
    """A complex number, what is rounding beside ``size`` left out."""
    real, imag = (part if abs(part) > ROUNDING * size else 0.0 for part in (value.real, value.imag))
    return f"{real:+.6g} {imag:+.6g} i" if imag else f"{real + 0.0:.6g}"


def _linear(lin: Linearization) -> SpecialEntry:
    rows = [_verdict("stability", lin.stability.verdict, lin.stability.reason)]
    tall = float(np.max(np.abs(lin.eigenvalues), initial=0.0))
    for value, ratio in zip(lin.eigenvalues[:MOST_ROWS], lin.damping, strict=False):
        damped = "" if not value else f"damping {ratio if abs(ratio) > ROUNDING else 0.0:.4g}"
        rows.append({"label": "eigenvalue", "value": said(value, tall), "detail": damped})
    title = {"equilibrium": "Next to the rest", "steady": "Next to the steady motion"}.get(lin.about, "Neighbours")
    return {"kind": "spectrum", "title": title, "rows": rows, "charts": [spectrum_chart(lin)]}


def _locus(locus: RootLocus) -> SpecialEntry:
    stable = int(locus.is_stable.sum())
    rows: list[Row] = [{"label": "without growth", "value": f"{stable} of {len(locus.values)} values"}]
    rows += [{"label": one.kind, "value": f"{locus.parameter} = {one.value:.6g}"} for one in locus.meetings[:MOST_ROWS]]
    title = f"Eigenvalues along {locus.parameter}"
    return {"kind": "locus", "title": title, "rows": rows, "charts": [locus_chart(locus), campbell_chart(locus)]}


def _map(found: StabilityMap) -> SpecialEntry:
    rows: list[Row] = [{"label": "without growth", "value": f"{float(found.is_stable.mean()):.0%}"}]
    title = f"Stability over {found.names[0]} and {found.names[1]}"
    return {"kind": "map", "title": title, "rows": rows, "charts": [map_chart(found)]}


def _periodic(motion: PeriodicMotion) -> SpecialEntry:
    z = motion.multipliers
    rows = [
        _verdict("stability", motion.stability.verdict, motion.stability.reason),
        Row(label="period", value=f"{motion.period:.8g}"),
        *(Row(label="multiplier", value=said(one, 1.0)) for one in z[:MOST_ROWS]),
    ]
    return {"kind": "periodic", "title": "Periodic motion", "rows": rows, "charts": [multipliers_chart(z)]}


def _rests(found: Sequence[Equilibrium]) -> SpecialEntry:
    rows = []
    for one in found[:MOST_ROWS]:
        names = [symbol.name for symbol in one.place.kernel.model.q]
        q = np.where(np.abs(one.q) > ROUNDING, one.q, 0.0)
        where = ", ".join(f"{name} = {value:.5g}" for name, value in zip(names, q, strict=True))
        touching = f" Resting on {', '.join(one.contacts)}." if one.contacts else ""
        kind = ("", " On a curve of rests.", " On a surface of rests.")[min(one.dimension, 2)]
        rows.append(_verdict(where, one.stability.verdict, f"{one.stability.reason}{touching}{kind}"))
    if len(found) > MOST_ROWS:
        rows.append({"label": "more", "value": f"{len(found) - MOST_ROWS} further rests"})
    return {"kind": "rests", "title": "Where it can rest", "rows": rows, "charts": []}


def _conserved(found: Sequence[Invariant]) -> SpecialEntry:
    rows: list[Row] = [{"label": one.kind, "value": str(one.expression)} for one in found[:MOST_ROWS]]
    return {"kind": "invariants", "title": "What is conserved", "rows": rows, "charts": []}


def _families(found: Sequence[Drawn]) -> SpecialEntry:
    rows: list[Row] = []
    for one in found[:MOST_ROWS]:
        share = float(np.mean(one.is_stable)) if len(one.is_stable) else 0.0
        points = ", ".join(f"{point.kind} at {point.value:.6g}" for point in one.points)
        rows.append({"label": "family", "value": f"{len(one.is_stable)} members, {share:.0%} without growth",
                     "detail": points})  # fmt: skip
    axes = getattr(found, "axes", None) or _axes(found)
    charts = [families_chart(found, *axes)] if axes else []
    return {"kind": "families", "title": "Families", "rows": rows, "charts": charts}


def _axes(found: Sequence[Drawn]) -> tuple[str, str] | None:
    """What to draw: the parameter across, or the two velocities, else coordinates, that change most."""
    if not found:
        return None
    member = getattr(found[0], "members", [None])[0]
    model = member.place.kernel.model if hasattr(member, "place") else member.kernel.model if member else None
    if model is None:
        return None
    parameter = getattr(found[0], "parameter", None)
    order = (model.q,) if parameter else (model.v, model.q)
    names = [symbol.name for group in order for symbol in group]
    moving = [name for name in names if max(_extent(one[name]) for one in found) > 1e-9]
    wanted = [parameter, *moving] if parameter else moving
    return (wanted[0], wanted[1]) if len(wanted) > 1 else None


def _extent(values: NDArray[np.float64]) -> float:
    return float(np.ptp(values)) if len(values) else 0.0
