"""Folds and Hopf points beside AUTO-07p: a truss that snaps through and flutters, and cycles that turn back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sympy as sp

import cardan as cd
from support.close import assert_close

AUTO = json.loads((Path(__file__).parent / "data" / "auto_continuation.json").read_text(encoding="utf-8"))
BECAUSE = "AUTO is recorded with eleven digits and converges to 1e-11"


def truss() -> cd.System:
    """A shallow truss under a dead load, coupled to an oscillator by a circulatory force; auto/truss.f90."""
    s = cd.System("truss")
    y, z = s.coordinates("y z")
    P = s.parameters(P=0.0)
    s.kinetic_energy((y.dot**2 + z.dot**2) / 2)
    s.potential(50 * (sp.sqrt(1 + y**2) - sp.sqrt(sp.Rational(5, 4))) ** 2 + P * y + 3 * z**2)
    s.generalized_force(y, 2 * z - y.dot / 5)
    s.generalized_force(z, -2 * (y - sp.Rational(1, 2)) - z.dot / 10)
    return s


def oscillator() -> cd.System:
    """Damping changes its sign twice with the amplitude; auto/cycle.f90."""
    s = cd.System("oscillator")
    x = s.coordinates("x")
    mu = s.parameters(mu=-0.5)
    s.lagrangian(x.dot**2 / 2 - x**2 / 2 - x**4 / 8)
    s.generalized_force(x, (mu + x**2 - x**4) * x.dot)
    return s


def test_the_truss_folds_and_flutters_where_auto_says():
    families = truss().equilibrium_families("P", -4.0, 4.0, box={"y": (-2, 2)}, seeds=12)
    assert len(families) == 1, "one family, whatever start led to it"
    found = sorted((point.kind, point.value) for point in families[0].points)
    wanted = sorted((one["kind"], one["value"]) for one in AUTO["truss"])
    assert [kind for kind, _ in found] == [kind for kind, _ in wanted]
    values = [value for _, value in found], [value for _, value in wanted]
    assert_close(*values, within=1e-8, because=BECAUSE)


def test_cycles_leave_the_hopf_point_and_turn_back_where_auto_says():
    s = oscillator()
    rests = s.equilibrium_families("mu", -1.0, 0.5, box={"x": (-2, 2)}, seeds=8)
    (hopf,) = rests[0].points
    assert hopf.kind == "Hopf"
    assert_close(hopf.value, AUTO["cycle"]["rests"][0]["value"], within=1e-10, because=BECAUSE)
    cycles = s.periodic_family(hopf, "mu", -1.0, 0.1)
    assert cycles.ends[1] == "it shrinks to a rest" or cycles.ends[0] == "it shrinks to a rest"
    (fold,) = cycles.points
    (wanted,) = AUTO["cycle"]["motions"]
    assert fold.kind == "fold"
    assert_close(fold.value, wanted["value"], within=1e-8, because=BECAUSE)
    assert_close(
        fold.member.joined.period, wanted["rest"][-1], within=1e-5, because="it varies as the root near a fold"
    )
    narrow = cycles["x"] < wanted["rest"][0]
    assert not cycles.is_stable[narrow][1:-1].any(), "those inside the fold are unstable"
    assert cycles.is_stable[~narrow][1:-1].all()


def test_a_family_starts_at_hopf_points_only():
    s = truss()
    (family,) = s.equilibrium_families("P", 1.9, 3.0, box={"y": (0.1, 2)}, seeds=6)
    fold = next(point for point in family.points if point.kind == "fold")
    with pytest.raises(cd.CardanError, match="leave Hopf points"):
        s.periodic_family(fold, "P", 1.9, 3.0)
