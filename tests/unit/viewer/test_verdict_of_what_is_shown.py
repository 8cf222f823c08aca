"""The verdict that comes with a motion is about that motion: how it ended, what it met, whether it may be believed."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

import cardan as cd
from cardan.api.viewing import moved
from cardan.viewer.session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    s = cd.System("spring")
    x = s.coordinates("x")
    m, k = s.parameters(m=1.0, k=1.0)
    s.particle("P", mass=m, position=x * s.world.x)
    s.spring(x, stiffness=k)
    run = s.simulate(2.0, q=[1.0])
    return Session(run, partial(moved, run))


def asked(session: Session, quality: str, **values: float) -> Any:
    request = {"type": "run", "serial": 1, "values": values, "quality": quality}
    return json.loads(session.answer(session.read(json.dumps(request))))["motion"]


@pytest.mark.parametrize("quality", ["drag", "full"])
def test_a_motion_that_ends_early_says_so_in_its_own_verdict(session: Session, quality: str) -> None:
    """Without mass there is no motion: x = 1 is where it was let go, and where it stays."""
    model = json.loads(session.document)["document"]["model"]
    ended = asked(session, quality, m=0.0)
    assert ended["status"] not in ("finished", "event")
    assert ended["message"]
    assert ended["verdict"][0]["label"] == "Motion"
    assert ended["verdict"][0]["value"].startswith("stopped")
    assert ended["verdict"][0]["tone"] == "bad"
    fine = asked(session, quality, m=2.0)
    assert fine["verdict"][0]["value"].startswith("complete")
    labels = [one["label"] for one in (*fine["verdict"], *model["standing"])]
    if quality == "full":  # together they are the whole verdict, in other order
        assert sorted(labels) == sorted(one["label"] for one in model["verdict"])
