"""Searches end when their time is up, and say so with what they have."""

from __future__ import annotations

from time import monotonic

import pytest

import cardan as cd
from cardan.native.deadline import OutOfTime, check, share, within


def test_a_budget_ends_and_an_inner_one_is_no_longer_than_the_outer():
    with within(-1.0), within(100.0), pytest.raises(OutOfTime, match="not decided within -1 s"):
        check()
    with within(None):
        check()
    with within(1000.0), share():
        check()


def loop(count: int = 4) -> cd.System:
    """A closed chain of free bodies on hinges about z: too large for symbols."""
    s = cd.System("loop")
    place = s.world.origin
    for k in range(count):
        joint = cd.Free(*s.coordinates(f"x{k} y{k} z{k}"), cd.Quaternion(f"e{k}"))
        body = s.body(f"b{k}", mass=1.0, inertia=(0.1, 0.2, 0.25), joint=joint)
        s.connect(place, body.point(-0.5, 0, 0), cd.Revolute("z"))
        place = body.point(0.5, 0, 0)
    s.connect(place, s.world.point(1.5, 0, 0), cd.Revolute("z"))
    return s


def test_large_searches_answer_in_time_with_what_they_have():
    s = loop()
    start = monotonic()
    sets = s.singular_set(budget=0.5)
    taken = monotonic() - start
    assert [(one.kind, one.text) for one in sets][-1:] == [("undecided", "further sets: not decided within 0.5 s")]
    assert taken < 0.5 + 2.0  # what runs between two looks at the clock
    found = s.manifold(budget=3.0)
    assert found.undecided
    assert found.dimension == 2  # four bars and the ground in a plane, closed: 4 - 2


def test_nothing_is_known_where_there_is_no_time_at_all():
    found = loop().manifold(budget=0.0)
    assert found.undecided == ("the type of the manifold: not decided within 0 s",)
    assert (str(found), found.dimension) == ("not decided", None)
