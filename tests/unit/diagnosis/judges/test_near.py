"""Nearly singular configurations: kept apart from kinds, with the distance and the way to the singular one."""

from __future__ import annotations

import numpy as np
import pytest

from support.close import assert_close
from support.singular_systems import cylindrical, four_bar, snake_cart, suspension


@pytest.mark.parametrize("beta", [1e-4, -1e-4, 3e-6])
def test_near_gimbal_lock_says_how_far_beta_is(beta: float) -> None:
    d = suspension().s.diagnose([0.3, beta, 0.8], [0.0, -0.5, 0.0], loads={"M": 1.0})
    assert d.kinds == set()
    (near,) = d.near
    assert (near.kind, near.is_near) == ("gimbal-lock", True)
    assert_close(near.evidence["step"]["beta"], -beta, within=1e-3 * abs(beta), because="falls to 1e-3 of its value")
    assert_close(
        near.evidence["distance"], abs(beta) / np.pi, within=1e-3 * abs(beta), because="pi is the typical angle"
    )
    assert_close(near.evidence["approach_rate"], 0.5 / beta, within=1e-2 / abs(beta), because="as above")
    assert f"beta {'decreases' if beta > 0 else 'increases'}" in near.why


def test_near_coordinate_singularity_of_polar_coordinates() -> None:
    d = cylindrical().s.diagnose([1e-4, 0.4, 0.7])
    (near,) = [one for one in d.near if one.kind == "coordinate-singularity"]
    assert_close(near.evidence["step"]["r"], -1e-4, within=1e-7, because="falls to 1e-3 of its value")
    assert near.where == ("theta",)
    assert "r decreases by 0.0001" in near.why


def test_near_constraint_degeneracy_moves_along_the_constraints() -> None:
    a = 2e-4
    d = four_bar().s.diagnose([a, -a, a])
    assert d.kinds == set()
    (near,) = d.near
    assert near.kind == "constraint-degeneracy"
    assert_close(near.evidence["step"]["a"], -a, within=5e-2 * a, because="the nearest fold along the parallelogram")
    assert near.evidence["distance"] < a


def test_near_degeneracy_of_the_snake_cart_is_a_distance_in_phi() -> None:
    (near,) = snake_cart().s.diagnose([0.2, 0.3, 0.5, np.pi / 2 - 1e-4]).near
    assert_close(near.evidence["step"]["phi"], 1e-4, within=1e-6, because="falls to 1e-3 of its value")
    assert "phi increases by 0.0001" in near.why


def test_tiny_inertia_is_near_without_a_singular_configuration_close_by() -> None:
    """kappa_a = 0.5 sqrt((l1 + l2) / l3) at beta = 0, whatever beta: nothing to approach."""
    s = suspension().s.with_values(l1=1e-10, l2=1e-10, l3=1.0)
    d = s.diagnose([0.3, 0.0, 0.8], loads={"M": 1.0})
    assert d.kinds == {"gimbal-lock"}
    (near,) = d.near
    assert near.kind == "coordinate-singularity"
    assert near.evidence["distance"] is None
    assert_close(near.indicator, 0.5 * np.sqrt(2e-10), within=3e-6, because="columns are scaled by a cloud")
    assert "no singular configuration lies close by" in near.why


def test_far_from_everything_nothing_is_near() -> None:
    d = suspension().s.diagnose([0.3, 1.0, 0.8], loads={"M": 1.0})
    assert d.near == ()
