"""How products are written."""

from __future__ import annotations

import pytest

from cardan.diagnosis.manifold.factors import Factor, written

CASES = [
    ("", "a point"),
    ("E", "E^1"),
    ("E E S1", "E^2 x S^1"),
    ("S1 S1 S1", "T^3"),
    ("S1 I S1", "T^2 x I"),
    ("S1 I", "I x S^1"),
    ("E H S1", "H^2 x S^1"),
    ("H H", "H^1 x H^1"),
    ("E H H", "H^2 x H^1"),
    ("RP3 E3", "E^3 x RP^3"),
    ("S2 S1", "S^2 x S^1"),
    ("S2 S2", "S^2 x S^2"),
    ("E E S1 S1", "E^2 x T^2"),
]


@pytest.mark.parametrize(("kinds", "text"), CASES)
def test_flat_factors_come_first_then_the_largest(kinds: str, text: str) -> None:
    assert written([Factor.of(kind, [f"q{k}"]) for k, kind in enumerate(kinds.split())]) == text


def test_what_is_not_decided_is_a_question_mark() -> None:
    assert written([Factor.of("E", ["x"]), Factor("?", 2, ("a", "b"))]) == "E^1 x ?^2"
