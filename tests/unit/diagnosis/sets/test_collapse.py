"""Manifolds closed up by circles that shrink."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

from cardan.diagnosis.sets.collapse import collapsed

u, a, b, x = sp.symbols("u a b x", real=True)
CIRCLE, LINE = "S1", "R"


def kinds(metric: sp.Matrix, coordinates: list[sp.Symbol], on: dict[sp.Symbol, str]) -> list[str]:
    got = collapsed(metric, coordinates, on)
    return sorted(kind for kind, _ in got.factors) if not got.undecided else ["?"]


CASES = [
    ("cylinder", sp.diag(1, 1), [u, a], {u: LINE, a: CIRCLE}, ["E", "S1"]),
    ("plane", sp.diag(1, u**2), [u, a], {u: LINE, a: CIRCLE}, ["E2"]),
    ("hyperbolic plane", sp.diag(1, (u + u**3) ** 2), [u, a], {u: LINE, a: CIRCLE}, ["E2"]),
    ("cone", sp.diag(1, u**2 / 4), [u, a], {u: LINE, a: CIRCLE}, ["?"]),
    ("sphere", sp.diag(1, sin(u) ** 2), [u, a], {u: CIRCLE, a: CIRCLE}, ["S2"]),
    ("ellipsoid", sp.diag(cos(u) ** 2 + 4 * sin(u) ** 2, sin(u) ** 2), [u, a], {u: CIRCLE, a: CIRCLE}, ["S2"]),
    ("space", sp.diag(1, x**2, x**2 * sin(u) ** 2), [x, u, a], {x: LINE, u: CIRCLE, a: CIRCLE}, ["E3"]),
    ("sphere and line", sp.diag(1, sin(u) ** 2, 3), [u, a, x], {u: CIRCLE, a: CIRCLE, x: LINE}, ["E", "S2"]),
    (
        "rotations",
        sp.Matrix([[1, 0, cos(u)], [0, 1, 0], [cos(u), 0, 1]]),
        [a, u, b],
        {a: CIRCLE, u: CIRCLE, b: CIRCLE},
        ["RP3"],
    ),
    ("sphere and circle", sp.diag(1, sin(u) ** 2, 2), [u, a, b], {u: CIRCLE, a: CIRCLE, b: CIRCLE}, ["S1", "S2"]),
]


@pytest.mark.parametrize(("name", "metric", "coordinates", "on", "expected"), CASES, ids=[case[0] for case in CASES])
def test_what_a_metric_closes_up(
    name: str, metric: sp.Matrix, coordinates: list[sp.Symbol], on: dict[sp.Symbol, str], expected: list[str]
) -> None:
    assert kinds(metric, coordinates, on) == expected


def test_a_range_picks_the_ends_that_count() -> None:
    """Hopf coordinates of the three-sphere: u from 0 to pi/2."""
    metric = sp.diag(1, sin(u) ** 2, cos(u) ** 2)
    got = collapsed(metric, [u, a, b], {u: LINE, a: CIRCLE, b: CIRCLE}, {u: (0.0, np.pi / 2)})
    assert got.factors == (("S3", ("u", "a", "b")),)
