"""Frames and their points, as a user says them."""

from __future__ import annotations

import pytest

import cardan as cd
from cardan.errors import ModelError


def test_a_point_is_three_numbers_or_a_triple():
    s = cd.System("points")
    frame = s.frame("F")
    expected = frame.point(1, 2, 3).position
    assert frame.point((1, 2, 3)).position == frame.point([1, 2, 3]).position == expected
    with pytest.raises(ModelError, match=r"A point needs three numbers"):
        frame.point((1, 2))
    with pytest.raises(ModelError, match=r"A point needs three numbers"):
        frame.point((1, 2, 3), 4)
