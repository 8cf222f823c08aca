"""Rests of random systems and verdicts on random linear ones, beside counts that use none of the search.

On a circle a random potential is a trigonometric polynomial, whose derivative has its roots among the eigenvalues of a
companion matrix in exp(i theta). On a torus Newton's method from every point of a fine grid finds them. A linear
system's eigenvalues are those of its companion form.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from support.close import assert_close

WAVES = (1, 2, 3)
MARGIN = 1e-3  # of the largest eigenvalue: verdicts nearer to the border than that are not compared


@cache
def circle(typed: bool) -> cd.System:
    """A bead on a circle in a random potential: an angle, or x and y on a constraint that is said twice."""
    s = cd.System("bead in a random potential")
    a = s.parameters(**{f"a{k}": 1.0 for k in WAVES})
    b = s.parameters(**{f"b{k}": 1.0 for k in WAVES})
    if typed:
        theta = s.coordinates("theta", on="S1")
        s.kinetic_energy(theta.dot**2 / 2)
        c, d = [cos(k * theta) for k in WAVES], [sin(k * theta) for k in WAVES]
    else:
        x, y = s.coordinates("x y")
        s.kinetic_energy((x.dot**2 + y.dot**2) / 2)
        s.constrain(x**2 + y**2 - 1, name="circle")
        s.constrain((x**2 + y**2) ** 2 - 1, name="again")
        c = [x, x**2 - y**2, x**3 - 3 * x * y**2]  # real and imaginary parts of (x + i y)^k
        d = [y, 2 * x * y, 3 * x**2 * y - y**3]
    s.potential(sum(p * u + q * v for p, q, u, v in zip(a, b, c, d, strict=True)))
    return s


def circle_roots(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angles where V' = 0, and V'' there; V = sum a_k cos(k theta) + b_k sin(k theta)."""
    k = np.array(WAVES)
    up = 0.5 * k * (b + 1j * a)  # V' = sum k (b_k cos - a_k sin) = sum up z^k + conj(up) z^-k
    z = np.roots(np.concatenate([up[::-1], [0.0], np.conj(up)]))
    theta = np.sort(np.angle(z[np.abs(np.abs(z) - 1) < 1e-7]))
    stiff = -(k**2 * (a * np.cos(np.outer(theta, k)) + b * np.sin(np.outer(theta, k)))).sum(axis=1)
    return theta, stiff


def check_circle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, len(WAVES)))
    theta, stiff = circle_roots(a, b)
    values = {f"a{k}": v for k, v in zip(WAVES, a, strict=True)} | {f"b{k}": v for k, v in zip(WAVES, b, strict=True)}
    for typed in (True, False):
        found = circle(typed).with_values(**values).equilibria()
        angles = np.array([one["theta"] if typed else np.arctan2(one["y"], one["x"]) for one in found])
        angles = np.mod(angles + np.pi, 2 * np.pi) - np.pi
        order = np.argsort(angles)
        assert len(found) == len(theta), f"seed {seed}, angle {typed}: {np.sort(angles)} and {theta}"
        off = np.mod(angles[order] - theta + np.pi, 2 * np.pi) - np.pi
        assert_close(off, 0.0, within=1e-7, because="roots of degree six, well apart")
        told = [found[k].stability.verdict for k in order]
        assert told == ["stable" if one > 0 else "unstable" for one in stiff], f"seed {seed}"


@cache
def torus() -> cd.System:
    s = cd.System("two beads")
    a, b = s.coordinates("a b", on="S1")
    p, q, r, h = s.parameters(p=1.0, q=1.0, r=1.0, h=1.0)
    s.kinetic_energy((a.dot**2 + b.dot**2 + a.dot * b.dot * cos(a - b)) / 2)
    s.potential(p * cos(a) + q * sin(2 * b) + r * cos(a - b) + h * sin(a + 2 * b))
    return s


def torus_roots(p: float, q: float, r: float, h: float) -> np.ndarray:
    """Critical points by Newton's method from 1600 points at once, without those that are the same."""
    a, b = np.meshgrid(*[np.linspace(-np.pi, np.pi, 40, endpoint=False)] * 2)
    x = np.stack([a.ravel(), b.ravel()])
    for _ in range(60):
        a, b = x
        g = np.stack([
            -p * np.sin(a) - r * np.sin(a - b) + h * np.cos(a + 2 * b),
            2 * q * np.cos(2 * b) + r * np.sin(a - b) + 2 * h * np.cos(a + 2 * b),
        ])  # fmt: skip
        aa = -p * np.cos(a) - r * np.cos(a - b) - h * np.sin(a + 2 * b)
        ab = r * np.cos(a - b) - 2 * h * np.sin(a + 2 * b)
        bb = -4 * q * np.sin(2 * b) - r * np.cos(a - b) - 4 * h * np.sin(a + 2 * b)
        det = aa * bb - ab**2
        step = np.stack([bb * g[0] - ab * g[1], aa * g[1] - ab * g[0]]) / np.where(np.abs(det) > 1e-12, det, np.inf)
        x = x - step * np.minimum(1.0, 0.3 / np.maximum(np.max(np.abs(step), axis=0), 1e-300))
    right = np.max(np.abs(g), axis=0) < 1e-11
    kept: list[np.ndarray] = []
    for one in np.mod(x[:, right] + np.pi, 2 * np.pi).T:
        if all(np.max(np.abs(np.mod(one - other + np.pi, 2 * np.pi) - np.pi)) > 1e-6 for other in kept):
            kept.append(one)
    return np.array(kept)


def check_torus(seed: int) -> None:
    values = dict(zip("pqrh", np.random.default_rng(seed).normal(size=4), strict=True))
    expected = torus_roots(**values)
    found = torus().with_values(**values).equilibria(seeds=400)
    told = np.mod(np.array([one.q for one in found]) + np.pi, 2 * np.pi)
    assert len(told) == len(expected), f"seed {seed}: {len(told)} of {len(expected)}"
    apart = np.abs(np.mod(told[:, None] - expected + np.pi, 2 * np.pi) - np.pi).max(axis=2)
    assert_close(apart.min(axis=0), 0.0, within=1e-7, because="Newton's method, both")


@cache
def linear(n: int) -> cd.System:
    """M x" + (D + G) x' + (K + N) x = 0 with any numbers, at rest at the origin."""
    s = cd.System(f"linear {n}")
    x = s.coordinates(" ".join(f"x{k}" for k in range(n)))
    x = (x,) if n == 1 else x
    v = [one.dot for one in x]
    pairs = list(product(range(n), repeat=2))
    M, C, K = (
        dict(
            zip(pairs, np.atleast_1d(s.parameters(**{f"{kind}{i}{j}": 1.0 * (i == j) for i, j in pairs})), strict=True)
        )
        for kind in "mck"
    )
    s.kinetic_energy(sum(M[i, j] * v[i] * v[j] for i, j in pairs) / 2)
    for i in range(n):
        s.generalized_force(x[i], -sum(C[i, j] * v[j] + K[i, j] * x[j] for j in range(n)))
    return s


def check_verdict(seed: int) -> bool:
    """Whether the verdict was compared: it was not where the border is near."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    root = rng.normal(size=(n, n))
    M = root @ root.T + 0.2 * np.eye(n)
    definite, skew = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    K = rng.normal(size=(n, n)) if seed % 3 == 0 else definite @ definite.T
    K = (K + K.T) / 2 + (seed % 5 == 0) * (skew - skew.T) / 2
    damping = rng.normal(size=(n, n))
    C = (seed % 2) * 0.3 * damping @ damping.T + (seed % 7 < 3) * (skew - skew.T)
    values = {f"{kind}{i}{j}": A[i, j] for kind, A in (("m", M), ("c", C), ("k", K)) for i, j in np.ndindex(n, n)}
    told = linear(n).with_values(**values).linearize([0.0] * n)
    state = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    z = np.linalg.eigvals(state)
    distance = np.abs(np.subtract.outer(told.eigenvalues, z)).min(axis=1)
    assert_close(distance, 0.0, within=1e-6 * np.abs(z).max(), because="eigenvalues that may meet")
    most = z.real.max() / np.abs(z).max()
    verdict = told.stability.verdict
    if most > MARGIN:
        assert verdict == "unstable", f"seed {seed}: {told.stability} but {z}"
    elif most < -MARGIN:
        assert verdict == "asymptotically stable", f"seed {seed}: {told.stability} but {z}"
    else:
        assert verdict != "asymptotically stable" or most < 0, f"seed {seed}: {told.stability} but {z}"
    return abs(most) > MARGIN


@pytest.mark.parametrize("seed", range(2))
def test_rests_on_a_circle_are_the_roots_of_a_polynomial(seed: int):
    check_circle(seed)


def test_rests_on_a_torus_are_those_of_a_fine_grid():
    check_torus(0)


def test_verdicts_are_those_of_eigenvalues():
    assert sum(check_verdict(seed) for seed in range(15)) >= 7


@pytest.mark.long
def test_many_rests_and_verdicts():
    for seed in range(2, 60):
        check_circle(seed)
    for seed in range(1, 40):
        check_torus(seed)
    assert sum(check_verdict(seed) for seed in range(15, 300)) >= 150
