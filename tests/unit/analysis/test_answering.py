"""Questions of model files: answered by the verbs they stand for, and refused by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.errors import FileError
from support.close import assert_close

BEAD = """
cardan: 1
name: bead on a turning hoop
coordinates: {theta: S1}
parameters: {Omega: 5, g: 9.81, R: 1}
energies:
  lagrangian: R**2*(theta.dot**2 + Omega**2*sin(theta)**2)/2 + g*R*cos(theta)
"""
ASKED = """
analysis:
  - {kind: equilibria, box: {theta: [0.5, 2]}}
  - {kind: linearize, q: {theta: acos(g_over)}}
  - {kind: families, parameter: Omega, from: 1, to: 6, show: theta, seeds: 8}
  - {kind: locus, parameter: Omega, from: 1, to: 6, count: 11, q: {theta: 0}}
  - {kind: map, over: {Omega: [0, 6, 4], R: [0.5, 2, 5]}, q: {theta: 0}}
  - {kind: invariants}
""".replace("g_over", "9.81/25")


def written(folder: Path, text: str) -> Path:
    path = folder / "bead.yaml"
    path.write_text(text)
    return path


def test_a_file_asks_and_the_verbs_answer(tmp_path: Path):
    """cos(theta) = g / (R Omega^2), and growth^2 = Omega^2 - g / R at the bottom."""
    s = cd.load(written(tmp_path, BEAD + ASKED))
    assert [one.kind for one in s.analysis] == ["equilibria", "linearize", "families", "locus", "map", "invariants"]
    rests, lin, families, locus, regions, conserved = s.analyse()
    assert_close([one["theta"] for one in rests], [np.arccos(9.81 / 25)], within=1e-9, because="Newton's method")
    assert_close(lin.frequencies, [5 * np.sin(rests[0]["theta"])] * 2, within=1e-9, because="exact derivatives")
    assert families.axes == ("Omega", "theta")
    growth = np.sqrt(np.maximum(locus.values**2 - 9.81, 0))
    assert_close(locus.growth, growth, within=1e-9, because="eigenvalues of two by two matrices of size ten")
    Omega, R = np.linspace(0, 6, 4)[:, None], np.linspace(0.5, 2, 5)
    assert np.array_equal(regions.is_stable, Omega**2 <= 9.81 / R)
    assert [one.kind for one in conserved] == ["energy"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("{kind: modes, q: {phi: 0}}", "'phi' is unknown here; known are: theta"),
        ("{kind: locus, parameter: speed, from: 0, to: 1}", "'speed' is unknown here"),
        ("{kind: map, over: {Omega: [0, 1, 2.5], R: [1, 2, 3]}}", "whole number from 2 to 2000, found 2.5"),
        ("{kind: map, over: {Omega: [0, 1, 5]}}", "at least 2 items"),
        ("{kind: dance}", "dance"),
        ("{kind: modes, colour: red}", "colour"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_place(tmp_path: Path, asked: str, said: str):
    with pytest.raises(FileError, match=said) as caught:
        cd.load(written(tmp_path, f"{BEAD}analysis:\n  - {asked}\n"))
    assert "analysis" in caught.value.field
