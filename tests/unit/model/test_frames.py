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


@pytest.mark.parametrize("zero", [0, 1])
def test_text_among_components_is_refused_and_never_run(zero, tmp_path):
    """SymPy runs text that it is asked to understand: the file would be there."""
    witness = tmp_path / "was run"
    text = f"open({str(witness)!r}, 'w')"
    s = cd.System("text")
    body = s.body("b", mass=1, inertia=1, joint=cd.Revolute("z", s.coordinates("a")))
    for said in (
        lambda: s.gravity((0, zero, text)),
        lambda: s.world.vector(zero, 0, text),
        lambda: body.point(zero, 0, text),
        lambda: s.no_slip(on=body, point=(0, 0, text), along=body.y),
        lambda: s.spring(body.point(1, 0, 0), (zero, 0, text), stiffness=1.0),
        lambda: s.world.z * text,
        lambda: s.world.z / text,
        lambda: s.force("F", on=body, along=(0, zero, text)),
    ):
        with pytest.raises((ModelError, TypeError)):
            said()
        assert not witness.exists()
