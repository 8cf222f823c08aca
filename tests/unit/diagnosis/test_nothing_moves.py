"""Systems without any freedom: everything that can be asked has an answer, and the driver's work is accounted for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close

G = 9.81


def driven() -> cd.System:
    s = cd.System("driven")
    a = s.coordinates("a")
    s.body("rod", mass=2, inertia=0.3, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-G * s.world.y)
    s.prescribe(a, s.time)
    return s


def fixed() -> cd.System:
    s = cd.System("fixed")
    s.body("block", mass=1, inertia=1, joint=cd.Fixed())
    return s


@pytest.mark.parametrize("make", [driven, fixed, lambda: cd.System("nothing")])
def test_everything_has_an_answer_where_nothing_can_move(make, tmp_path: Path):
    s = make()
    run = s.simulate(1.0)
    assert run.findings == ()
    assert run.indicators().series == {}
    assert run.end_of_coordinates() is None
    assert not run.audit().complaints
    assert str(s.manifold()) == "a point"
    assert s.singular_set() == []
    assert not s.diagnose(q=[]).kinds
    assert run.report(tmp_path / "page.html").is_file()


def test_what_drives_a_rod_does_the_work_that_lifts_it():
    """T is constant, V = m g l sin(t): the driver's power is m g l cos(t)."""
    run = driven().simulate(2.0)
    assert_close(run.power["a"], 2 * G * 0.5 * np.cos(run.t), within=1e-12, because="a product of numbers of size 10")
    assert_close(run.audit().power_balance, 0.0, within=1e-9, because="Gauss's rule inside every step")
