"""What findings say: bodies, coordinates, numbers, cause and remedy; "gimbal lock" for orthogonal loads only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cardan as cd
from cardan.diagnosis.words import along_text, combination, listed, plural, simplest
from support.close import assert_close
from support.singular_cases import CASES, LOCK, Case
from support.singular_systems import (
    cylindrical,
    euler,
    four_bar,
    joint,
    plate,
    snake_cart,
    suspension,
)


@pytest.mark.parametrize("case", [case for case in CASES if case.kinds], ids=str)
def test_gimbal_lock_is_said_of_orthogonal_loads_only(case: Case) -> None:
    d = (
        case.build()
        .s.with_values(**case.values)
        .diagnose(case.q, loads=None if case.load is None else {case.load: 1.0})
    )
    for finding in d.findings:
        said = "gimbal lock" in str(finding).lower()
        assert said == (finding.kind == LOCK), str(finding)


def test_a_coordinate_singularity_names_coordinates_body_cause_and_remedy() -> None:
    (finding,) = euler().s.diagnose([0.4, 0.0, -0.7]).findings
    text = str(finding)
    assert "nu1 and nu3 depend on each other" in text
    assert "(nu1, nu3) = (1, -1)" in text  # the difference is ambiguous, the sum determined (after (77))
    assert "rank 2 of 3" in text
    assert "angular velocity of body" in text
    assert "quaternions" in text
    assert "Loads act here as they do nearby" in text
    (other,) = euler().s.diagnose([0.4, np.pi, -0.7]).findings
    assert "(nu1, nu3) = (1, 1)" in str(other)  # reversed at pi


def test_polar_coordinates_lose_theta_and_the_velocity_along_e_theta() -> None:
    (finding,) = cylindrical().s.diagnose([0.0, 0.0, 0.7], loads={}).findings
    assert finding.where == ("theta",)
    assert "theta has no meaning here" in finding.what
    assert "velocity of P along" in finding.why


def test_an_unknown_length_is_said() -> None:
    s = cd.System("nothing tells lengths")
    r, theta = s.coordinates("r theta")
    s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, theta, 0))
    assert "scale= of a coordinate sets it" in s.diagnose([0.0, 0.3]).findings[0].why
    t = cd.System("a scale tells them")
    r, theta = t.coordinates("r", scale=2.0), t.coordinates("theta")
    t.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, theta, 0))
    assert "scale=" not in t.diagnose([0.0, 0.3]).findings[0].why


def test_a_freedom_without_inertia_is_told_from_a_singular_chart() -> None:
    s = cd.System("massless gimbal")
    a, b = s.coordinates("a b", on="S1")
    empty = s.body("ring", joint=cd.Revolute("z", a))
    s.body("disc", inertia=(0.1, 0.1, 0.2), joint=cd.Revolute("z", b), parent=empty)
    (finding,) = s.diagnose([0.3, 0.4]).findings
    assert finding.evidence["is_everywhere"]
    assert "in every configuration" in finding.why
    assert "inertia" in finding.why


def test_a_lock_names_load_body_carriers_and_what_lifts_it() -> None:
    (finding,) = suspension().s.diagnose([0.3, 0.0, 0.8], loads={"M": 2.0}).findings
    text = str(finding)
    for part in ("'M' on platform", "orthogonal to the configuration manifold", "hinge of inner on outer", "moment 2"):
        assert part in text
    assert "when beta changes" in text
    assert "it drives alpha" in text
    assert "one more gimbal" in text
    assert finding.evidence["lifted_by"] == ["beta"]


def test_the_joints_that_carry_a_lock_do_so_with_the_values_of_statics() -> None:
    """A force 3 along y of a plate at nu = 0 at (0, 0, 0.5): the hinge holds -3 y and the moment -(0.5 z x 3 y)."""
    (finding,) = plate().s.diagnose([0.0, 0.0, 0.5], loads={"F": 3.0}).findings
    hinge = finding.evidence["carried_by"]["hinge of plate on the ground"]
    assert_close(hinge.force, [0, -3, 0], within=1e-12, because="one product")
    assert_close(hinge.moment, [1.5, 0, 0], within=1e-12, because="z x y = -x, times -1.5")


def test_constraints_that_carry_a_lock_do_so_with_their_multipliers() -> None:
    """A bead at the bottom of a parabolic slot: a force along its normal is held by the slot alone."""
    s = cd.System("bead in a slot")
    x, y = s.coordinates("x y")
    P = s.particle("P", mass=1.0, position=s.world.x * x + s.world.y * y)
    s.constrain(y - x**2, name="slot")
    s.force("F", on=P, along=s.world.y)
    d = s.diagnose([0.0, 0.0], loads={"F": 2.5})
    (finding,) = d.findings
    assert finding.kind == LOCK
    assert_close(finding.evidence["carried_by"]["slot"], -2.5, within=1e-12, because="A = (0, 1) there")
    assert s.diagnose([0.5, 0.25], loads={"F": 2.5}).kinds == set()


def test_a_degeneracy_names_rows_ranks_motions_reactions_and_reason() -> None:
    text = str(snake_cart().s.diagnose([0.2, 0.3, 0.0, np.pi / 2]).findings[0])
    for part in ("lam1 and lam2", "rank 1, usually 2", "1 freedom is gained", "y alone", "same line", "front and rear"):
        assert part in text
    assert "lam1 + lam2" in text
    folded = str(four_bar().s.diagnose([0.0, 0.0, 0.0]).findings[0])
    assert "loop_x loses its effect" in folded


def test_the_whole_diagnosis_prints() -> None:
    d = joint().s.diagnose([np.pi / 2, np.pi / 2, 0.0, np.pi / 2])
    assert str(d).count("why:") == len(d.findings) + len(d.near) + len(d.notes)
    assert "2 configuration freedoms, 2 velocity freedoms" in str(d)
    regular = suspension().s.diagnose([0.3, 1.0, 0.8], loads={"M": 1.0})
    assert str(regular).startswith("regular: the coordinates, the loads and the constraints are all regular here")


def test_phrases() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == "nothing"
    assert (plural(1, "freedom"), plural(2, "redundancy", "redundancies")) == ("1 freedom", "2 redundancies")
    assert combination(np.array([0.0, -2.0, 2.0]), ["a", "b", "c"]) == "(b, c) = (1, -1)"
    assert combination(np.array([0.0, -2.0]), ["a", "b"]) == "of b alone"
    assert along_text(np.array([0.0, -1.0, 0.0]), "arm") == "-y of arm"


def test_the_simplest_basis_spans_the_same_space() -> None:
    rng = np.random.default_rng(3)
    plain: Any = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]])
    mixed = plain @ rng.normal(size=(2, 2))
    found = simplest(np.linalg.qr(mixed)[0], np.ones(3))
    assert np.linalg.matrix_rank(np.hstack([found, plain]), tol=1e-12) == 2  # four columns of round-off size 1e-16
    assert np.count_nonzero(found) == 3
