"""A mass matrix without inverse is reported when it is met, never hidden; what was computed before is kept."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import SimulationError, SingularMassMatrix
from support.close import assert_close


def suspension(gimbals: float) -> cd.System:
    """Cardan suspension; without inertia of the gimbals, M is singular where they are coplanar (beta = 0)."""
    s = cd.System("suspension")
    al, be, ga = s.coordinates("alpha beta gamma")
    outer = s.body("outer", inertia=gimbals, joint=cd.Revolute("z", al))
    inner = s.body("inner", inertia=gimbals, joint=cd.Revolute("x", be), parent=outer)
    s.body("platform", inertia=1.0, joint=cd.Revolute("z", ga), parent=inner)
    return s


def test_massless_gimbals_are_legal_away_from_the_singularity():
    found = suspension(0.0).compile().acceleration([0.0, 1.0, 0.0], [0.0, 1.0, 0.0])
    assert_close(found, 0.0, within=1e-14, because="a sphere spinning about a principal axis keeps its rates")


def test_a_singular_mass_matrix_is_refused_by_name():
    s = suspension(0.0)
    with pytest.raises(
        SingularMassMatrix, match=r"no inverse here.*pivot.*give it inertia, or use other coord"
    ) as caught:
        s.compile().acceleration([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    assert 1 <= caught.value.pivot <= 3
    with pytest.raises(SingularMassMatrix, match=r"pivot .* against .* on the diagonal"):
        _ = s.equations().at([0.0, 0.0, 0.0]).acceleration
    with pytest.raises(SingularMassMatrix, match=r"in row 1"):
        s.compile().acceleration_batch([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], np.zeros((2, 3)))
    assert_close(np.linalg.det(s.compile().mass_matrix([0.0, 0.0, 0.0])), 0.0, within=1e-15, because="M is still given")


def test_a_start_at_a_singularity_says_so():
    with pytest.raises(SimulationError, match=r"stopped at t = 0") as caught:
        suspension(0.0).simulate(1.0, q=[0.0, 0.0, 0.0], v=[0.0, 1.0, 0.0])
    assert caught.value.status == "stopped"
    assert caught.value.trajectory.t.tolist() == [0.0]
    assert caught.value.finding.kind == "coordinate-singularity"
    assert set(caught.value.finding.where) == {"alpha", "gamma"}


def test_a_freedom_without_inertia_is_reported():
    s = cd.System("ghost")
    s.body("ghost", mass=0, inertia=0, joint=cd.Revolute("z", s.coordinates("a")))
    with pytest.raises(SimulationError) as caught:
        s.simulate(1.0, q=[0.0], v=[1.0])
    assert caught.value.status == "stopped"
    assert caught.value.finding.evidence["is_everywhere"]


def test_what_was_computed_before_is_kept():
    """M = 1 - t vanishes at t = 1; the momentum is constant, so v = 1 / (1 - t)."""
    s = cd.System("vanishing mass")
    x = s.coordinates("x")
    s.kinetic_energy((1 - s.time) * x.dot**2 / 2)
    with pytest.raises(SimulationError, match=r"'vanishing mass' stopped at t = ") as caught:
        s.simulate(2.0, q=[0.0], v=[1.0])
    error = caught.value
    run = error.trajectory
    assert error.status == run.status
    assert run.status in {"stopped", "step-underflow"}
    assert 0.9 < error.t <= 1.0
    assert run.t[-1] == error.t
    early = run.t < 0.9
    assert np.count_nonzero(early) > 5
    assert_close(
        (1 - run.t[early]) * run["x_dot"][early], 1.0, within=1e-7, because="default rtol 1e-9, v grows tenfold"
    )
    returned = s.simulate(2.0, q=[0.0], v=[1.0], throw=False)
    assert returned.status == run.status
    assert len(returned) == len(run)
