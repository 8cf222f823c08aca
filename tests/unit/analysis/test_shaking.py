"""Modes as motions to look at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close


def pendulums() -> cd.System:
    s = cd.System("two pendulums")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("first", mass=1.0, com=(0, 0, -1), joint=cd.Revolute("y", a))
    s.body("second", mass=1.0, com=(0, 0, -1), joint=cd.Revolute("y", b - a), parent=first, at=(0, 0, -1))
    s.gravity(-9.81 * s.world.z)
    return s


def test_a_shaken_mode_moves_along_its_shape_and_back():
    modes = pendulums().modes([0.0, 0.0])
    run = modes.shaken(1, period=4.0)
    q = np.column_stack([run["a"], run["b"]])
    along = modes.shapes[:, 1] / np.linalg.norm(modes.shapes[:, 1])
    assert_close(q - np.outer(q @ along, along), 0.0, within=1e-14, because="rounding of a projection")
    assert_close(q[[0, -1]], 0.0, within=1e-14, because="a whole cycle, sin(2 pi) in floats")
    assert_close(
        run.at([1.0]).q[0], np.max(np.abs(q), axis=0) * np.sign(run.at([1.0]).q[0]), within=1e-12, because="a quarter"
    )
    assert run.t[-1] == 4.0


def test_the_film_of_a_mode_is_written(tmp_path: Path):
    path = pendulums().modes([0.0, 0.0]).animate(0, tmp_path / "mode.gif", period=0.2)
    assert path.read_bytes()[:6] == b"GIF89a"


def test_a_mode_that_is_not_there_is_refused():
    modes = pendulums().modes([0.0, 0.0])
    with pytest.raises(ModelError, match="no mode 2"):
        modes.shaken(2)
    with pytest.raises(ModelError, match="period above 0"):
        modes.shaken(0, period=0.0)
