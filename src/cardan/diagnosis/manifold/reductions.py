"""What holonomic constraints leave of a product: graphs lose a factor, spheres close, loops of circles are circles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from cardan.diagnosis.manifold.chains import Composition
from cardan.diagnosis.manifold.factors import Factor


@dataclass(frozen=True)
class Holding:
    """phi(q, t) = 0 with values put in, and the coordinates it is written in."""

    name: str
    expression: sp.Expr
    coordinates: tuple[sp.Symbol, ...]
    is_geometric: bool = False  # written in places and orientations, so a function on the manifold whatever the chart
    touches: frozenset[str] = frozenset()  # names of all coordinates and quaternions on which it depends


def with_constraints(
    result: Composition, rows: Sequence[Holding], freedoms: int | None, is_regular: Callable[[], bool | None]
) -> None:
    """Factors, reasons and open questions are changed in ``result``; ``freedoms`` are left by all rows together."""
    loops = []
    for row in rows:
        if not (_solved(result, row) or _sphere(result, row)):
            loops.append(row)
    if loops:
        _loop(result, loops, freedoms, is_regular)


def _place(result: Composition, q: sp.Symbol, kinds: tuple[str, ...] = ("E", "S1")) -> int | None:
    for k, factor in enumerate(result.factors):
        if factor.is_own and factor.coordinates[0] == str(q) and factor.kind in kinds:
            return k
    return None


# --- graphs ------------------------------------------------------------------------------------------


def _solved(result: Composition, row: Holding) -> bool:
    """u = f(others) is a graph over the others: the factor of u goes."""
    if not row.is_geometric and any(_place(result, q) is None for q in row.coordinates):
        return False
    for u in row.coordinates:
        slope = sp.diff(row.expression, u)
        if not slope.is_number or slope == 0 or _place(result, u) is None:
            continue
        f = -(row.expression - slope * u) / slope
        k = _place(result, u)
        assert k is not None
        whole = result.factors[k].kind == "S1"
        others = [q for q in row.coordinates if q != u]
        if row.is_geometric or all(_is_single_valued(result, f, q, whole) for q in others):
            del result.factors[k]
            result.why.append(
                f"{row.name}: {u} is a function of {', '.join(str(q) for q in row.coordinates if q != u)}"
            )
            return True
    return False


def _is_single_valued(result: Composition, f: sp.Expr, w: sp.Symbol, up_to_turns: bool) -> bool:
    """Whether f is the same after a turn of w (up to whole turns of u), where w is on a circle."""
    k = _place(result, w)
    if k is None or result.factors[k].kind == "E":
        return k is not None
    others = {q: 0.3 + 0.2 * i for i, q in enumerate(sorted(f.free_symbols - {w}, key=str))}
    gap = f.xreplace(others)
    jumps = [float(gap.subs(w, x + 2 * sp.pi) - gap.subs(w, x)) for x in (0.1, 1.3, 2.9)]
    turns = [jump / (2 * np.pi) for jump in jumps]
    return all(abs(x - (round(x) if up_to_turns else 0)) < 1e-9 for x in turns)


# --- spheres -----------------------------------------------------------------------------------------


def _sphere(result: Composition, row: Holding) -> bool:
    """A definite quadratic form of flat coordinates at a level it takes: a sphere."""
    places = [_place(result, q, ("E",)) for q in row.coordinates]
    if len(places) < 2 or any(k is None for k in places):
        return False
    q = list(row.coordinates)
    H = sp.hessian(row.expression, q)
    if H.free_symbols:
        return False
    numbers = np.array(H, dtype=float)
    w = np.linalg.eigvalsh(numbers)
    if not (np.all(w > 0) or np.all(w < 0)):
        return False
    zero = dict.fromkeys(q, 0)
    slope = np.array([float(sp.diff(row.expression, one).subs(zero)) for one in q])
    centre = np.linalg.solve(numbers, -slope)
    level = float(row.expression.subs(dict(zip(q, centre.tolist(), strict=True))))
    kind = {2: "S1", 3: "S2", 4: "S3"}.get(len(q))
    if level * w[0] >= 0 or kind is None:
        return False
    result.factors[:] = [f for k, f in enumerate(result.factors) if k not in places]
    result.factors.append(Factor.of(kind, [str(one) for one in q]))
    result.why.append(f"{row.name}: {', '.join(str(one) for one in q)} lie on a sphere or ellipsoid")
    return True


# --- loops -------------------------------------------------------------------------------------------


def _loop(
    result: Composition, rows: Sequence[Holding], freedoms: int | None, is_regular: Callable[[], bool | None]
) -> None:
    """All other constraints together: a regular closed curve in a torus is a circle; more is not decided."""
    names = {name for row in rows for name in row.touches}
    touched = [f for f in result.factors if names & set(f.coordinates)]
    kept = [f for f in result.factors if not names & set(f.coordinates)]
    whole = sum(f.dimension for f in touched)
    left = max(whole - len(rows) if freedoms is None else freedoms - sum(f.dimension for f in kept), 0)
    result.factors[:] = kept
    label = ", ".join(row.name for row in rows)
    coordinates = tuple(sorted({name for f in touched for name in f.coordinates}))
    if left == 0:
        result.why.append(f"{label}: nothing is left free of {', '.join(coordinates)}")
        return
    compact = bool(touched) and all(f.kind in ("S1", "S2", "S3", "RP2", "RP3") for f in touched)
    regular = is_regular() if left == 1 and compact else True
    if left == 1 and compact and regular:
        result.factors.append(Factor.of("S1", coordinates))
        result.why.append(
            f"{label}: regular closed curves in a compact manifold, which are circles; every assembly mode is one"
        )
        return
    result.factors.append(Factor("?", left, coordinates))
    singular = "" if regular is not False else ", with configurations where the constraints depend on each other"
    result.undecided.append(f"{label}: a set of dimension {left} in {', '.join(coordinates)}{singular}")
