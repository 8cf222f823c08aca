"""Frequencies of strings and beams: all of them, to twelve digits, for every pair of ends."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise, product

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError, UnknownName, WrongShape
from support.close import assert_close
from support.continua import SIMPLE, beam_determinant, brackets, string_determinant

PAIRS = list(combinations_with_replacement(SIMPLE, 2))
COUNT = 50

# Which roots z the n-th of (n + offset) pi tends to (n = 1, 2, ...), from the signs of the printed equations for large
# z, where tanh = 1 and sech = 0: cos z = 0, tan z = 1, tan z = -1 or sin z = 0.
OFFSETS = {
    ("clamped", "clamped"): 0.5,
    ("clamped", "pinned"): 0.25,
    ("clamped", "sliding"): -0.25,
    ("clamped", "free"): -0.5,
    ("pinned", "pinned"): 0.0,
    ("pinned", "sliding"): -0.5,
    ("pinned", "free"): 0.25,
    ("sliding", "sliding"): 0.0,
    ("sliding", "free"): -0.25,
    ("free", "free"): 0.5,
}
RIGID = {("pinned", "free"): 1, ("sliding", "sliding"): 1, ("sliding", "free"): 1, ("free", "free"): 2}


def beam(left: object, right: object, **values: float) -> cd.Beam:
    return cd.Beam(**{"length": 1.0, "EI": 1.0, "rho_A": 1.0, **values}, left=left, right=right)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_first_fifty_roots_of_a_beam_are_roots_at_forty_digits(pair: tuple[str, str]):
    """Each within 1e-12 of a root of the independent determinant, the n-th near (n + offset) pi: none is missing."""
    rigid = RIGID.get(pair, 0)
    found = beam(*pair).frequencies(COUNT + rigid)
    assert list(found[:rigid]) == [0.0] * rigid
    determinant = beam_determinant(SIMPLE[pair[0]], SIMPLE[pair[1]])
    assert all(brackets(determinant, omega) for omega in found[rigid:])
    numbers = np.sqrt(found[rigid:]) / np.pi - OFFSETS[pair]
    assert_close(numbers, np.arange(1, COUNT + 1), within=0.1, because="the first root of a cantilever is 0.0969 off")


@pytest.mark.parametrize("pair", [(b, a) for a, b in PAIRS if a != b], ids="-".join)
def test_a_beam_turned_about_sounds_the_same(pair: tuple[str, str]):
    assert_close(
        beam(*pair).frequencies(6), beam(*reversed(pair)).frequencies(6), within=1e-12, because="equal to round-off"
    )


@pytest.mark.parametrize(("left", "right"), list(product(("fixed", "free"), repeat=2)))
def test_the_first_fifty_roots_of_a_string(left: str, right: str):
    found = cd.String(length=1.5, tension=80, rho=0.02, left=left, right=right).frequencies(COUNT)
    start = {("fixed", "fixed"): 1.0, ("free", "free"): 0.0}.get((left, right), 0.5)
    expected = (np.arange(COUNT) + start) * np.pi * np.sqrt(80 / 0.02) / 1.5
    assert_close(found, expected, within=1e-12 * expected[-1], because="the closed form in floats")


LOADED = [
    {"mass": 0.7},
    {"spring": 40.0},
    {"mass": 0.3, "spring": 15.0},
    {"mass": 0.7, "inertia": 0.2},
    {"rotational_spring": 3.0, "spring": 1e6},
    {"mass": 1e-3, "inertia": 5.0, "spring": 2.0, "rotational_spring": 1e-3},
]


@pytest.mark.parametrize("right", LOADED, ids=str)
@pytest.mark.parametrize("left", ["clamped", "pinned", "free"])
def test_loaded_ends_of_beams(left: str, right: dict[str, float]):
    """Every frequency is a root of the independent determinant, and the determinant has no sign changes between."""
    one = beam(left, right, length=1.3, EI=2.0, rho_A=0.6)
    found = one.frequencies(8)
    determinant = beam_determinant(SIMPLE[left], right, EI=2.0, rho=0.6, L=1.3)
    moving = found[one.rigid :]
    assert all(brackets(determinant, omega) for omega in moving)
    grid = np.linspace(0.2 * moving[0], moving[-1] * 1.0001, 300)
    signs = [float(determinant(omega)) > 0 for omega in grid]
    assert sum(a != b for a, b in pairwise(signs)) == len(moving)


@pytest.mark.parametrize("right", [{"mass": 2.0}, {"spring": 5.0}, {"mass": 1e4, "spring": 3.0}], ids=str)
@pytest.mark.parametrize("left", ["fixed", "free"])
def test_loaded_ends_of_strings(left: str, right: dict[str, float]):
    one = cd.String(length=0.7, tension=3.0, rho=0.4, left=left, right=right)
    determinant = string_determinant({"u": 1} if left == "fixed" else {}, right, T=3.0, rho=0.4, L=0.7)
    assert all(brackets(determinant, omega) for omega in one.frequencies(COUNT)[one.rigid :])


def test_one_equation_under_five_names():
    """String, rod, shear layer, shaft and gas column with the same speed and length."""
    same = [
        cd.String(length=2, tension=9, rho=4, right="free"),
        cd.Rod(length=2, EA=9, rho_A=4),
        cd.Rod.shear_layer(length=2, GA=9, rho_A=4),
        cd.Shaft(length=2, GJ=9, rho_J=4),
        cd.GasColumn(length=2, pressure=9, density=4, gamma=1.0),
    ]
    expected = (np.arange(4) + 0.5) * np.pi * 1.5 / 2
    for one in same:
        assert_close(one.frequencies(4), expected, within=1e-13, because="the closed form in floats")


def test_tension_and_foundation_of_a_pinned_beam():
    k = np.arange(1, 13) * np.pi / 1.2
    for P, stiff in ((30.0, 0.0), (-5.0, 0.0), (0.0, 700.0), (-20.0, 500.0)):
        one = beam("pinned", "pinned", length=1.2, EI=1.5, rho_A=0.8, tension=P, foundation=stiff)
        expected = np.sort(np.sqrt((1.5 * k**4 + P * k**2 + stiff) / 0.8))
        assert_close(one.frequencies(12) / expected, np.ones(12), within=1e-13, because="the closed form in floats")


def test_a_beam_of_little_stiffness_is_nearly_a_string():
    """Frequencies over the string's: 1 + 2 e + (4 + n^2 pi^2 / 2) e^2 with e = sqrt(EI / P) / L [Fletcher1964]."""
    e, n = 1e-3, np.arange(1, 6)
    stiff = beam("clamped", "clamped", EI=e**2, tension=1.0).frequencies(5)
    string = cd.String(length=1, tension=1, rho=1).frequencies(5)
    expected = 1 + 2 * e + (4 + (n * np.pi) ** 2 / 2) * e**2
    assert_close(stiff / string, expected, within=1e-6, because="the next order: some hundred times e^3")
    with pytest.raises(ModelError, match="String"):
        beam("clamped", "clamped", EI=1e-10, tension=1.0).frequencies(1)


def test_a_free_beam_on_a_foundation_has_a_double_frequency():
    """Translation and rotation of the whole both ring at sqrt(k / rho A)."""
    found = beam("free", "free", foundation=1000.0).frequencies(3)
    assert_close(found[:2], [np.sqrt(1000.0)] * 2, within=1e-13, because="round-off")
    bending = beam("free", "free").frequencies(3)[2]
    assert_close(found[2], np.hypot(bending, np.sqrt(1000.0)), within=1e-12, because="squares add")


def test_counts_agree_with_the_roots():
    one = beam("clamped", {"mass": 0.5})
    found = one.frequencies(10)
    for n, (low, high) in enumerate(pairwise(found), start=1):
        assert one.count_below(0.5 * (low + high)) == n
    assert one.count_below(found[0] * (1 - 1e-11)) == 0


def test_buckling_is_refused_by_the_load_that_euler_found():
    limit = np.pi**2
    assert beam("pinned", "pinned", tension=-limit * (1 - 1e-6)).frequencies(1)[0] < 0.02
    with pytest.raises(ModelError, match="buckling") as caught:
        beam("pinned", "pinned", tension=-limit * (1 + 1e-6)).frequencies(1)
    assert caught.value.unstable == 1


def test_steps_in_section_that_are_none_change_nothing():
    piece = {"EI": 1.0, "rho_A": 1.0, "tension": 2.0}
    three = cd.Beam(length=0.3, **piece).join(cd.Beam(length=0.5, **piece)).join(cd.Beam(length=0.2, **piece))
    assert_close(
        three.frequencies(8) / beam("clamped", "free", tension=2.0).frequencies(8), np.ones(8),
        within=1e-12, because="the same beam",
    )  # fmt: skip


def test_two_equal_spans_ring_like_one_pinned_and_one_clamped_at_the_support():
    """Antisymmetric modes do not feel the support: a pinned span; symmetric ones do not turn there: a clamped one."""
    span = {"length": 1.0, "EI": 1.0, "rho_A": 1.0}
    two = cd.Beam(**span, left="pinned").join(cd.Beam(**span, right="pinned"), at="pinned")
    alone = [*beam("pinned", "pinned").frequencies(4), *beam("pinned", "clamped").frequencies(4)]
    assert_close(two.frequencies(8) / np.sort(alone), np.ones(8), within=1e-12, because="closed form by symmetry")


def test_two_strings_held_in_the_middle_have_every_frequency_twice():
    half = {"length": 0.5, "tension": 1.0, "rho": 1.0}
    found = cd.String(**half).join(cd.String(**half), at="fixed").frequencies(6)
    assert_close(found / np.pi, [2, 2, 4, 4, 6, 6], within=1e-13, because="the closed form")


@pytest.mark.parametrize(
    ("build", "error", "said"),
    [
        (lambda: beam("clampt", "free"), UnknownName, "Did you mean 'clamped'"),
        (lambda: beam("clamped", {"mas": 1}), UnknownName, "Did you mean 'mass'"),
        (lambda: beam("clamped", {"damper": 1}), ModelError, "complex"),
        (lambda: beam({"support": "clamped", "mass": 1}, "free"), ModelError, "never moves"),
        (lambda: beam("clamped", {"mass": -1}), ModelError, "zero or a positive"),
        (lambda: beam("clamped", {"mass": "heavy"}), ModelError, "give a number"),
        (lambda: beam("clamped", "free", EI=0), ModelError, "EI is 0"),
        (lambda: beam("clamped", "free", length=float("nan")), ModelError, "finite"),
        (lambda: beam("clamped", "free").frequencies(0), WrongShape, "1 to 1000"),
        (lambda: beam("clamped", "free").count_below(-1), ModelError, "positive"),
        (lambda: cd.String(length=1, tension=1, rho=1, left={"inertia": 1}), UnknownName, "inertia"),
        (lambda: cd.Rod(length=1, EA=1, rho_A=1).join(beam("free", "free")), ModelError, "joined to its like"),
        (lambda: beam("free", "free", kappa_GA=3.0, tension=-3.0), ModelError, "exceeds the stiffness to shear"),
    ],
)
def test_what_cannot_be_is_refused_by_name(build, error, said):
    with pytest.raises(error, match=said):
        build()
