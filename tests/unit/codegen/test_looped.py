"""Forward dynamics of large trees as a loop over bodies: the numbers of straight-line code."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.codegen import looped
from cardan.errors import SingularMassMatrix
from support.close import assert_close


def tree(light: bool = False) -> cd.System:
    """Turning and sliding joints, branches, tilted axes, two roots, forces; ``light``: a tip without mass."""
    s = cd.System("tree")
    m, g, c = s.parameters(m=1.2, g=9.81, c=0.3)
    q = s.coordinates("q0 q1 q2 q3 q4 q5 q6")
    parents = (None, 0, 1, 1, None, 4, 3)
    axes = ("z", (0.6, 0.0, 0.8), "x", "y", "x", "y", "z")
    bodies: list[cd.Body] = []
    for k, (parent, axis) in enumerate(zip(parents, axes, strict=True)):
        joint = (cd.Prismatic if k in (2, 4) else cd.Revolute)(axis, q[k])
        mass = (
            {} if light and k == 6 else {"mass": m * (k + 1), "inertia": (0.1, 0.2, 0.25), "com": (0.1, 0.02 * k, 0.3)}
        )
        where = {"at": (0.1, 0.2, 0.1 * k), "parent": s.world if parent is None else bodies[parent]}
        bodies.append(s.body(f"b{k}", **mass, **where, joint=joint))
    s.gravity(-g * s.world.z)
    s.spring(q[2], stiffness=7.0)
    s.damper(q[3], coefficient=c)
    s.generalized_force(q[1], s.input("u"))
    s.force("push", on=bodies[5], along=bodies[5].x)
    return s


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> tuple[cd.Kernel, cd.Kernel]:
    """The same model as a loop and as straight-line code."""
    plain, turning = tree().compile(), tree().compile()
    for name in looped.LOOPED:
        plain.function(name)
    monkeypatch.setattr(looped, "FEWEST", 2)
    return turning, plain


def test_a_loop_over_bodies_gives_the_numbers_of_straight_line_code(kernels):
    loop, plain = kernels
    rng = np.random.default_rng(4)
    q, v, tau = rng.normal(size=(3, 7))
    p = plain.p(None, {"push": 1.7}, {"u": -0.4})
    for name, y in (("acceleration", [q, v]), ("rhs", [q, v]), ("forward_dynamics", [q, v, tau])):
        found, expected = (k.function(name)(0.2, np.concatenate(y), p) for k in (loop, plain))
        size = float(np.max(np.abs(expected)))
        assert_close(found, expected, within=1e-13 * size, because="some thousand operations, M of condition 1e2")
        assert loop.function(name).text == ""  # it is no straight-line text
    back = loop.rnea(q, v, loop.aba(q, v, tau))
    assert_close(back, tau, within=1e-11, because="inverse dynamics, another recursion, of forces up to 1e3")


def test_rows_in_turn_have_the_bits_of_one_by_one(kernels):
    loop, _ = kernels
    y = np.random.default_rng(5).normal(size=(5, 14))
    p = np.array([loop.p({"m": m}) for m in (0.5, 1.0, 2.0, 3.0, 4.0)])
    for row, found in zip(y, loop.batch("acceleration")(0.1, y, p[0]), strict=True):
        assert np.array_equal(found, loop.function("acceleration")(0.1, row, p[0]))
    for row, own, found in zip(y, p, loop.own_batch("acceleration")(0.1, y, p), strict=True):
        assert np.array_equal(found, loop.function("acceleration")(0.1, row, own))


def test_a_freedom_without_inertia_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looped, "FEWEST", 2)
    k = tree(light=True).compile()
    with pytest.raises(SingularMassMatrix, match="q6"):
        k.acceleration(np.full(7, 0.3), np.full(7, 0.1))


def test_motions_of_a_looped_tree_keep_their_energy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looped, "FEWEST", 2)
    s = cd.System("chain")
    q = s.coordinates("a b c", on="S1")
    last = s.world
    for k in range(3):
        last = s.body(
            f"b{k}",
            mass=1.0,
            inertia=0.1,
            com=(0.5, 0, 0),
            at=(float(k > 0), 0, 0),
            joint=cd.Revolute("z", q[k]),
            parent=last,
        )
    s.gravity(-9.81 * s.world.y)
    run = s.simulate(2.0, q=[0.3, 0.2, 0.1])
    drift = float(np.max(np.abs(run.energy - run.energy[0])))
    assert drift < 1e-6  # rtol 1e-9 of energies near 10, a few hundred steps
