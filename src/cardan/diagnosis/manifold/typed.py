"""The manifold behind energies typed by hand: domains of coordinates, and where the kinetic energy degenerates."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from cardan.algebra.trig_ring import TrigRing
from cardan.diagnosis.manifold.chains import Composition
from cardan.diagnosis.manifold.factors import Factor
from cardan.diagnosis.sets.collapse import collapsed
from cardan.diagnosis.sets.matrices import Matrices
from cardan.model.variables import CoordinateVariable

if TYPE_CHECKING:
    import sympy as sp


def typed_factors(matrices: Matrices, coordinates: list[sp.Symbol], fixed: dict[sp.Symbol, sp.Expr]) -> Composition:
    """Factors of the coordinates that only typed energies mention."""
    result = Composition()
    model = matrices.model
    place = {q: k for k, q in enumerate(model.q)}
    kinds = {
        one.symbol: "S1" if one.domain.is_angle else "R" for one in model.free if isinstance(one, CoordinateVariable)
    }
    ranges = {
        one.symbol: (one.domain.lower, one.domain.upper) for one in model.free if isinstance(one, CoordinateVariable)
    }
    M = matrices.mass_matrix.subs(fixed).xreplace(model.values)
    for group in _groups(M, coordinates, place):
        chosen = [place[q] for q in group]
        block = M.extract(chosen, chosen)
        if block.free_symbols & {*model.v, model.time} or block.free_symbols & (set(model.q) - set(group)):
            result.undecided.append(f"{', '.join(map(str, group))}: the kinetic energy is not one of these alone")
            result.factors.append(Factor("?", len(group), tuple(map(str, group))))
            continue
        got = collapsed(block, group, kinds, ranges)
        if got.undecided:
            result.undecided.append(f"{', '.join(map(str, group))}: {got.undecided}")
            result.factors.append(Factor("?", len(group), tuple(map(str, group))))
            continue
        result.factors += [Factor.of(kind, names) for kind, names in got.factors]
        result.why.append(f"{', '.join(map(str, group))}: {got.why}")
    return result


def _groups(M: sp.Matrix, coordinates: list[sp.Symbol], place: dict[sp.Symbol, int]) -> list[list[sp.Symbol]]:
    """Coordinates that share entries of M; entries are compared as polynomials, so that hidden zeros count as zero."""
    ring = TrigRing(list(M), coordinates)
    groups = [{q} for q in coordinates]

    def join(some: set[sp.Symbol]) -> None:
        nonlocal groups
        joined = [g for g in groups if g & some]
        groups = [g for g in groups if g not in joined] + [set().union(*joined)]

    for a, b in combinations(coordinates, 2):
        if ring.poly(M[place[a], place[b]]) != 0:
            join({a, b} | (M[place[a], place[b]].free_symbols & set(coordinates)))
    for a in coordinates:
        join({a} | (M[place[a], place[a]].free_symbols & set(coordinates)))
    return [sorted(g, key=lambda q: place[q]) for g in groups]
