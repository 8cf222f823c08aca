"""Which portraits a run has: on planes, cylinders and tori, with the singular sets drawn on them."""

from __future__ import annotations

import sympy as sp

from cardan.diagnosis.facts import Facts
from cardan.model.variables import CoordinateVariable
from cardan.report.data.arrays import packed
from cardan.report.data.entries import MarkEntry, PortraitEntry
from cardan.report.data.symbols import TURN
from cardan.report.figures.curves import Pair, Periods, curves_of

MOST = 6  # portraits on a page
MOST_TORI = 3


def portrait_entries(facts: Facts) -> list[PortraitEntry]:
    """Tori of two angles first, then each coordinate with its velocity on a cylinder or a plane.

    An angle that stops keep from going round is drawn as a line.
    """
    own = [one for one in facts.run.model.free if isinstance(one, CoordinateVariable)]
    factors = () if facts.manifold is None else facts.manifold.factors
    stopped = {name for factor in factors if factor.kind in ("I", "H") for name in factor.coordinates}
    angles = [one.symbol for one in own if one.domain.is_angle and one.name not in stopped]
    lines = [one.symbol for one in own if one.symbol not in angles]
    found = [_entry(facts, a, b, TURN, TURN) for a, b in _pairs(angles, facts)[:MOST_TORI]]
    found += [_entry(facts, a, b, TURN, None) for a, b in _mixed(angles, lines)]
    if len(lines) >= 2:
        found.append(_entry(facts, lines[0], lines[1], None, None))
    rates = {one.symbol: one.velocities[0] for one in own}
    found += [_entry(facts, q, rates[q], TURN if q in angles else None, None) for q in (*angles, *lines)]
    return found[:MOST]


def _pairs(angles: list[sp.Symbol], facts: Facts) -> list[Pair]:
    """Pairs of angles, those that singular sets speak of first."""
    pairs = [(a, b) for i, a in enumerate(angles) for b in angles[i + 1 :]]
    spoken = {x for one in facts.sets if one.condition is not None for x in getattr(one.condition, "free_symbols", ())}
    return sorted(pairs, key=lambda pair: -len(spoken & set(pair)))[: 1 if len(angles) > 2 else MOST_TORI]


def _mixed(angles: list[sp.Symbol], lines: list[sp.Symbol]) -> list[Pair]:
    """An angle and a length, where there is one of each."""
    return [(angles[0], lines[0])] if len(angles) == 1 and len(lines) == 1 else []


def _entry(facts: Facts, x: sp.Symbol, y: sp.Symbol, x_period: float | None, y_period: float | None) -> PortraitEntry:
    surface = "torus" if x_period and y_period else "cylinder" if x_period else "plane"
    return {
        "title": f"{x} and {y}",
        "surface": surface,
        "x": str(x),
        "y": str(y),
        "x_period": x_period,
        "y_period": y_period,
        "singular": _singular(facts, (x, y), (x_period, y_period)),
    }


def _singular(facts: Facts, symbols: Pair, periods: Periods) -> list[MarkEntry]:
    found: list[MarkEntry] = []
    for one in facts.sets:
        curves = curves_of(one, facts.run, symbols, periods)
        if curves:
            label = one.text + (f" ({one.load})" if one.load else "")
            found.append({"kind": one.kind, "label": label, "curves": [packed(curve) for curve in curves]})
    return found
