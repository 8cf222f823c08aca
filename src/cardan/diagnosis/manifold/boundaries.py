"""What stops do to a manifold: a line cut once is a half-line, cut twice an interval; so is a circle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from cardan.diagnosis.manifold.chains import Composition
from cardan.diagnosis.manifold.factors import Factor

SAMPLES = 7200
WIDE = 1e3  # how far along a line a gap that is not linear is looked at


@dataclass(frozen=True)
class Gap:
    """A stop: gap(q, t) >= 0, its name, and the coordinates it is written in."""

    name: str
    expression: sp.Expr
    coordinates: tuple[sp.Symbol, ...]

    @property
    def text(self) -> str:
        return f"{self.expression} >= 0"


Singular = Callable[[sp.Expr], bool]  # whether the chart is singular wherever an expression vanishes


def with_stops(result: Composition, gaps: Sequence[Gap], is_singular: Singular) -> list[str]:
    """The boundaries; factors, reasons and open questions are changed in ``result``."""
    moving = [gap for gap in gaps if gap.expression.free_symbols - set(gap.coordinates)]
    gaps = [gap for gap in gaps if gap not in moving]
    result.undecided += [f"what {gap.text} leaves of the manifold, which changes with time" for gap in moving]
    boundaries = [gap.text for gap in moving]
    for coordinate in {q for gap in gaps for q in gap.coordinates if len(gap.coordinates) == 1}:
        mine = [gap for gap in gaps if gap.coordinates == (coordinate,)]
        boundaries += _cut(result, coordinate, mine, is_singular)
    for together in _parallel([gap for gap in gaps if len(gap.coordinates) > 1]):
        boundaries += _cut_across(result, together)
    order = {gap.text: k for k, gap in enumerate(gaps)}
    return sorted(boundaries, key=lambda text: order.get(text, len(order)))


def _own_factor(result: Composition, q: sp.Symbol) -> int | None:
    for k, factor in enumerate(result.factors):
        if factor.is_own and factor.coordinates[0] == str(q) and factor.kind in ("E", "S1"):
            return k
    return None


def _cut(result: Composition, q: sp.Symbol, gaps: list[Gap], is_singular: Singular) -> list[str]:
    k = _own_factor(result, q)
    if k is None:
        kept = []
        for gap in gaps:
            if is_singular(gap.expression):
                result.why.append(f"{gap.text} ends the chart where it is singular, so it is no boundary")
            else:
                result.undecided.append(f"what {gap.text} leaves of {_of(result, q)}")
                kept.append(gap.text)
        return kept
    kind = _kind(result.factors[k], q, gaps)
    if kind is None:
        result.undecided.append(f"no value of {q} satisfies {' and '.join(gap.text for gap in gaps)}")
        return [gap.text for gap in gaps]
    if kind != result.factors[k].kind:
        result.why.append(f"{', '.join(gap.name for gap in gaps)}: {q} is left {_words(kind)}")
        result.factors[k] = result.factors[k].cut(kind)
        return [gap.text for gap in gaps]
    return []


def _of(result: Composition, q: sp.Symbol) -> str:
    factor = next((one for one in result.factors if str(q) in one.coordinates), None)
    return "the manifold" if factor is None else f"the part of {', '.join(factor.coordinates)}"


def _words(kind: str) -> str:
    return {"H": "a half-line", "I": "an interval"}[kind]


def _kind(factor: Factor, q: sp.Symbol, gaps: list[Gap]) -> str | None:
    """E, S1, H or I: what is left of a line or circle; None where nothing is."""
    slopes = [sp.diff(gap.expression, q) for gap in gaps]
    if all(slope.is_number for slope in slopes):
        return _between(factor, q, gaps, [float(slope) for slope in slopes])
    f = sp.lambdify(q, [gap.expression for gap in gaps], modules="numpy", dummify=True)
    closed = factor.kind == "S1"
    line = WIDE * np.sinh(np.linspace(-7, 7, SAMPLES)) / np.sinh(7)
    grid = np.linspace(-np.pi, np.pi, SAMPLES, endpoint=False) if closed else line
    left = np.array([min(float(x) for x in f(value)) >= 0 for value in grid])
    if not np.any(left):
        return None
    if np.all(left):
        return factor.kind
    if closed:
        return "I"
    return "H" if left[0] != left[-1] else "I"


def _between(factor: Factor, q: sp.Symbol, gaps: list[Gap], slopes: list[float]) -> str | None:
    ends = [(-float(gap.expression.subs(q, 0)) / slope, slope > 0) for gap, slope in zip(gaps, slopes, strict=True)]
    lower = max((end for end, is_lower in ends if is_lower), default=-np.inf)
    upper = min((end for end, is_lower in ends if not is_lower), default=np.inf)
    if lower >= upper:
        return None
    return "I" if factor.kind == "S1" or (np.isfinite(lower) and np.isfinite(upper)) else "H"


def _parallel(gaps: Sequence[Gap]) -> list[list[Gap]]:
    """Gaps that are linear with the same slopes, up to a factor, together; others by themselves."""
    groups: list[tuple[object, list[Gap]]] = []
    for gap in gaps:
        slopes = _slopes(gap)
        key = (gap.coordinates, tuple(sp.nsimplify(x / slopes[0]) for x in slopes)) if _numbers(slopes) else gap.name
        mine = next((group for known, group in groups if known == key), None)
        if mine is None:
            groups.append((key, [gap]))
        else:
            mine.append(gap)
    return [group for _, group in groups]


def _numbers(slopes: Sequence[sp.Expr]) -> bool:
    return all(slope.is_number for slope in slopes)


def _cut_across(result: Composition, gaps: list[Gap]) -> list[str]:
    """Stops on several coordinates: half-spaces or layers where these are flat and the gaps linear."""
    first = gaps[0]
    places = [_own_factor(result, q) for q in first.coordinates]
    slopes = [float(sp.diff(gap.expression, first.coordinates[0])) for gap in gaps if _numbers(_slopes(gap))]
    flat = [k for k in places if k is not None and result.factors[k].kind == "E"]
    kind = None
    if len(slopes) == len(gaps) and len(flat) == len(places):
        zero = dict.fromkeys(first.coordinates[1:], 0)
        at = [Gap(gap.name, gap.expression.subs(zero), first.coordinates[:1]) for gap in gaps]
        kind = _between(result.factors[flat[0]], first.coordinates[0], at, slopes)
    if kind is None:
        result.undecided.append(f"what {' and '.join(gap.text for gap in gaps)} leaves of the manifold")
    else:
        result.factors[flat[0]] = Factor(kind, 1, tuple(str(q) for q in first.coordinates))
        result.why.append(f"{', '.join(gap.name for gap in gaps)}: a half-space or a layer is left")
    return [gap.text for gap in gaps]


def _slopes(gap: Gap) -> list[sp.Expr]:
    return [sp.diff(gap.expression, q) for q in gap.coordinates]
