"""Stops that are closed: the boundary, and the impulse that an approach brings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close


def half_plane(restitution: float = 0.5) -> Any:
    """Hemingway & O'Reilly, section 4.2: r >= 0 on a plane that turns."""
    s = cd.System("half-plane")
    r, theta, z = s.coordinates("r theta z")
    m = s.parameters(m=1.7)
    s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r, theta, z))
    s.prescribe(theta, 0.8 * s.time)
    s.stop(r, restitution=restitution, name="edge")
    return s


def test_26_the_impulse_at_the_edge_of_the_half_plane() -> None:
    """(26) for an impact at rate -3: m (v+ - v-) = m (1 + e) 3."""
    d = half_plane().diagnose([0.0, 0.2], [-3.0, 1.0])
    (finding,) = d.findings
    assert finding.kind == "boundary"
    assert finding.where == ("edge",)
    assert_close(finding.evidence["impulse"], 1.7 * 1.5 * 3.0, within=1e-12, because="three products")
    assert "impulse 7.65" in finding.why
    assert "boundary of the configuration manifold" in finding.what


@pytest.mark.parametrize("rate", [0.0, 2.0])
def test_no_impulse_without_an_approach(rate: float) -> None:
    (finding,) = half_plane().diagnose([0.0, 0.2], [rate, 1.0]).findings
    assert finding.evidence["impulse"] == 0.0
    assert "no impulse is needed" in finding.why


def test_an_open_stop_is_not_said_and_a_closing_one_is_near() -> None:
    s = half_plane()
    assert s.diagnose([0.5, 0.2]).kinds == set()
    d = s.diagnose([1e-5, 0.2], [-1.0, 0.0])
    assert d.kinds == set()
    (near,) = d.near
    assert near.kind == "boundary"
    assert near.is_near
    assert "about to close" in near.what


def test_a_violated_stop_says_so() -> None:
    (finding,) = half_plane().diagnose([-0.1, 0.2]).findings
    assert "violated" in finding.what


def test_the_impulse_respects_constraints() -> None:
    """Two masses 1 and 3 on a rod along x against a wall: the whole mass 4 stops, 4 (1 + e) 2."""
    s = cd.System("train")
    x, y = s.coordinates("x y")
    s.particle("front", mass=1.0, position=s.world.x * x)
    s.particle("rear", mass=3.0, position=s.world.x * y)
    s.constrain(x - y - 1, name="rod")
    s.stop(2 - x, restitution=0.25, name="wall")
    (finding,) = s.diagnose([2.0, 1.0], [2.0, 2.0]).findings
    assert_close(finding.evidence["impulse"], 4 * 1.25 * 2, within=1e-9, because="one small solve")


def test_simultaneous_stops_are_both_said() -> None:
    s = cd.System("corner")
    x, y = s.coordinates("x y")
    s.particle("P", mass=2.0, position=s.world.x * x + s.world.y * y)
    s.stop(x, restitution=0.0, name="left")
    s.stop(y, restitution=1.0, name="bottom")
    d = s.diagnose([0.0, 0.0], [-1.0, -1.0])
    impulses = {finding.where[0]: finding.evidence["impulse"] for finding in d.findings}
    assert impulses == {"left": 2.0, "bottom": 4.0}
    assert np.isclose(d.findings[0].evidence["rate"], -1.0)
