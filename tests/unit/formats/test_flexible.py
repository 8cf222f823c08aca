"""Bodies that bend, said in a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.errors import FileError
from support.close import assert_close

ARM = """cardan: 1
name: arm
coordinates: {q: S1, p: S1}
parameters: {g: 9.81}
bodies:
  tool: {mass: 0.2, com: [0.1, 0, 0], parent: hand, joint: {kind: revolute, axis: z, angle: p}}
flexible:
  arm:
    beam: {length: 1.0, EI: 5.0, rho_A: 1.0}
    modes: 1
    stations: 4
    damping: 0.01
    joint: {kind: revolute, axis: z, angle: q}
    sections: {hand: 1.0}
gravity: -g*world.y
loads:
  F: {kind: force, on: {of: arm, at: [0.5, 0, 0]}, along: world.x}
start: {q: {q: 0.2, arm_y1: 0.01}}
simulate: {duration: 0.2}
"""


def load(text: str, folder: Path) -> cd.System:
    path = folder / "model.yaml"
    path.write_text(text, encoding="utf-8")
    return cd.load(path)


def test_a_file_says_what_a_program_does(tmp_path: Path) -> None:
    s = cd.System("arm")
    q, p = s.coordinates("q p", on="S1")
    beam = cd.Beam(length=1.0, EI=5.0, rho_A=1.0)
    arm = s.flexible_body("arm", beam=beam, modes=1, stations=4, damping=0.01, joint=cd.Revolute("z", q))
    s.body("tool", mass=0.2, com=(0.1, 0, 0), parent=arm.section(1.0), joint=cd.Revolute("z", p))
    s.gravity(-9.81 * s.world.y)
    s.force("F", on=arm.point(0.5), along=s.world.x)
    told = load(ARM, tmp_path)
    here = ([0.3, 0.4, 0.02], [1.0, -2.0, 0.5])
    ours, theirs = (one.compile().acceleration(*here, loads={"F": 2.0}) for one in (s, told))
    assert_close(theirs, ours, within=1e-12 * np.max(np.abs(ours)), because="the same sums in another order")
    assert told.plan["q"] == {"q": 0.2, "arm_y1": 0.01}


@pytest.mark.parametrize(
    ("old", "new", "field", "word"),
    [
        ("EI: 5.0", "EI: -5.0", "flexible.arm", "EI"),
        ("rho_A: 1.0", "rho: 1.0", "flexible.arm", "rho"),
        ("hand: 1.0", "hand: 1.5", "flexible.arm", "no section"),
        ("modes: 1", "modes: 900", "flexible.arm", "modes"),
        ("at: [0.5, 0, 0]", "at: [7, 0, 0]", "loads.F", "no section"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(old: str, new: str, field: str, word: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=word) as caught:
        load(ARM.replace(old, new), tmp_path)
    assert str(caught.value.field).startswith(field)
