"""Random strings and beams of up to three spans, with anything at their places: exact modes against finite elements."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close

HOLDS = {"fixed": (1,), "clamped": (1, 1), "pinned": (1, 0), "sliding": (0, 1), "free": (0, 0)}


def place(draw: np.random.Generator, names: list[str]) -> dict[str, object]:
    made: dict[str, object] = {"support": str(draw.choice(names))}
    words = [("mass", "spring"), ("inertia", "rotational_spring")][: 1 if "fixed" in names else 2]
    for held, pair in zip(HOLDS[str(made["support"])], words, strict=False):
        for word in pair:
            if not held and draw.random() < 0.5:
                made[word] = 10 ** draw.uniform(-3, 3)
    return made


def continuum(draw: np.random.Generator) -> cd.Beam | cd.String:
    """Sizes within some powers of ten."""
    is_beam = draw.random() < 0.6
    names = ["clamped", "pinned", "sliding", "free"] if is_beam else ["fixed", "free"]
    one: cd.Beam | cd.String | None = None
    for _ in range(int(draw.integers(1, 4))):
        foundation = float(draw.choice([0.0, 10 ** draw.uniform(-1, 3)]))
        tension, mass, length = 10 ** draw.uniform(-1, 1), 10 ** draw.uniform(-1, 1), draw.uniform(0.2, 1)
        left, right = (place(draw, names) for _ in range(2))
        if is_beam:
            pull = float(draw.choice([0.0, 10 * tension]))
            nxt = cd.Beam(length=length, EI=10 ** draw.uniform(-1, 1), rho_A=mass, left=left, right=right, tension=pull,
                          foundation=foundation)  # fmt: skip
            one = nxt if one is None else one.join(nxt, at=left)
        else:
            nxt = cd.String(length=length, tension=tension, rho=mass, left=left, right=right, foundation=foundation)
            one = nxt if one is None else one.join(nxt, at=left)
    assert one is not None
    return one


@pytest.mark.parametrize("seed", range(12))
def test_exact_modes_are_those_of_fine_elements_and_orthonormal(seed: int):
    one = continuum(np.random.default_rng(seed))
    modes = one.modes(6)
    is_beam = isinstance(one, cd.Beam)
    elements = one.finite_elements(120 if is_beam else 1500).frequencies(6)
    exact = modes.frequencies
    assert np.all(elements >= exact - 1e-6 * exact[-1]), "elements are stiffer; rigid ones are a root of round-off"
    assert_close(
        elements / exact[-1], exact / exact[-1], within=1e-5 if is_beam else 1e-4, because="errors of elements"
    )
    assert_close(modes.orthogonality, np.eye(6), within=1e-10, because="round-off, where loads differ by 1e6")
    between = (exact[one.rigid :][:-1] + exact[one.rigid :][1:]) / 2
    gaps = np.diff(exact[one.rigid :]) > 1e-9 * exact[-1]
    for k, omega in enumerate(between, start=one.rigid + 1):
        assert not gaps[k - one.rigid - 1] or one.count_below(float(omega)) == k
