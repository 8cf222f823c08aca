"""Roots of beams and of strings of beads, computed elsewhere at 50 digits."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.reference import reference

KNOWN = reference("beam_string_frequencies")["reference"]
BECAUSE = "the tolerance of the reference"
ENDS = {
    "cantilever": ("clamped", "free"),
    "clamped_clamped": ("clamped", "clamped"),
    "clamped_pinned": ("clamped", "pinned"),
    "pinned_pinned": ("pinned", "pinned"),
}


@pytest.mark.parametrize("name", ENDS)
def test_roots_of_beams(name: str):
    left, right = ENDS[name]
    roots = np.sqrt(cd.Beam(length=1, EI=1, rho_A=1, left=left, right=right).frequencies(len(KNOWN[name])))
    assert_close(roots, KNOWN[name], within=1e-10, because=BECAUSE)


def test_roots_of_a_beam_of_other_sizes():
    """omega = (beta L)^2 sqrt(EI / rho A L^4)."""
    steel = cd.Beam(length=2.5, EI=2.1e11 * 8e-9, rho_A=7850 * 4e-4)
    scale = np.sqrt(2.1e11 * 8e-9 / (7850 * 4e-4 * 2.5**4))
    assert_close(np.sqrt(steel.frequencies(5) / scale), KNOWN["cantilever"], within=1e-10, because=BECAUSE)
