"""Physics of impacts that holds for any mechanism: energy, signs of impulses, balance of momentum, complementarity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardan as cd
from cardan.linalg.complementarity import complementary
from cardan.simulation.contact.impact_laws import one_contact, sequential, simultaneous
from support.close import EPS

seeds = st.integers(0, 2**32 - 1)


def random_contacts(seed: int, stride: int) -> tuple[np.ndarray, np.ndarray, list[list[int]], np.ndarray]:
    """D = J J^T of random rows in a space of random size, velocities u = J z, blocks, and z."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 4))
    J = rng.normal(size=(count * stride, count * stride + int(rng.integers(0, 4))))
    z = rng.normal(size=J.shape[1])
    blocks = [list(range(stride * k, stride * (k + 1))) for k in range(count)]
    return J @ J.T, J @ z, blocks, z


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seeds, st.sampled_from(["sequential", "simultaneous"]))
def test_without_friction_energy_is_kept_by_elastic_impacts_and_lost_by_others(seed, law):
    D, u, blocks, z = random_contacts(seed, 1)
    mu = np.zeros(len(blocks))
    speed = float(np.linalg.norm(z))
    for e in (0.0, 0.5, 1.0):
        given_e = np.full(len(blocks), e)
        if law == "sequential":
            Lam, _ = sequential(D, u, blocks, given_e, mu, speed)
        else:
            Lam, _ = simultaneous(D, u, blocks, given_e, mu, speed)
        gain = float(Lam @ (u + D @ Lam / 2))
        size = 1e-11 * speed**2 * max(1.0, float(np.linalg.cond(D)) * 1e-6)  # solves amplify rounding by cond(D)
        assert np.all(Lam >= -1e-12 * speed)
        assert np.all(u + D @ Lam >= -size - 1e-11 * speed * np.sqrt(np.diag(D)))
        assert gain <= size
        if e == 1.0 and (law == "simultaneous" or np.any(u < 0)):
            assert abs(gain) <= size


@settings(max_examples=80, deadline=None, derandomize=True)
@given(seeds, st.floats(0.0, 2.0), st.sampled_from([2, 3]))
def test_a_plastic_impact_with_friction_obeys_coulomb_and_never_creates_energy(seed, mu, stride):
    D, u, _, _ = random_contacts(seed, stride)
    D, u = D[:stride, :stride], u[:stride].copy()
    u[0] = -abs(u[0])
    Lam = one_contact(D, u, 0.0, mu)
    after = u + D @ Lam
    size = float(np.linalg.norm(Lam)) + 1e-300
    friction, slip = Lam[1:], after[1:]
    assert Lam[0] >= 0
    assert np.linalg.norm(friction) <= mu * Lam[0] + 1e-9 * size
    assert Lam @ (u + after) <= 1e-9 * size * float(np.linalg.norm(u))
    if np.linalg.norm(slip) > 1e-8 * np.linalg.norm(u) and np.linalg.norm(friction) > 0:
        cosine = float(friction @ slip) / float(np.linalg.norm(friction) * np.linalg.norm(slip))
        assert cosine <= -1 + 1e-6, "friction acts against the slip that remains"


@settings(max_examples=80, deadline=None, derandomize=True)
@given(seeds)
def test_complementarity_is_solved_for_any_frictionless_contacts_redundant_ones_too(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    J = rng.normal(size=(n, int(rng.integers(1, n + 2))))
    M = J @ J.T
    q = J @ rng.normal(size=J.shape[1])  # in the range of M: a solution exists
    z = complementary(M, q)
    assert z is not None
    w = M @ z + q
    size = float(np.max(np.abs(q))) * max(1.0, float(np.max(np.abs(z), initial=0.0)))
    assert np.all(z >= 0)
    assert np.all(w >= -1e-9 * size)
    assert abs(float(z @ w)) <= 1e-9 * size * (1 + float(np.max(z)))


def bodies_in_a_box(rng: np.random.Generator, e: float, mu: float) -> cd.System:
    """Two rods on a hinge in a box with four sides; the ends of the rods touch the sides."""
    s = cd.System("rods in a box")
    x, y, a, b = s.coordinates("x y a b")
    L, g = s.parameters(L=0.8, g=9.81)
    m1, m2 = (float(m) for m in rng.uniform(0.5, 2.0, 2))
    one = s.body("one", mass=m1, inertia=(0, m1 * L**2 / 12, m1 * L**2 / 12), joint=cd.Planar(x, y, a))
    other = s.body(
        "other", mass=m2, inertia=(0, m2 * L**2 / 12, m2 * L**2 / 12), com=(L / 2, 0, 0), parent=one,
        at=(L / 2, 0, 0), joint=cd.Revolute("z", b),
    )  # fmt: skip
    s.gravity(-g * s.world.y)
    ends = {"left": one.point(-L / 2, 0, 0), "middle": one.point(L / 2, 0, 0), "right": other.point(L, 0, 0)}
    for name, end in ends.items():
        s.contact(end, on=cd.Plane(s.world, "y", -1.5), restitution=e, friction=mu, name=f"{name} floor")
    return s


@pytest.mark.parametrize(("e", "mu"), [(1.0, 0.0), (0.6, 0.0), (0.5, 0.4), (0.9, 1.0)])
@pytest.mark.parametrize("seed", range(4))
def test_falling_rods_lose_energy_only_and_keep_clear_of_the_floor(e, mu, seed):
    rng = np.random.default_rng(seed)
    s = bodies_in_a_box(rng, e, mu)
    run = s.simulate(1.2, q=[0.0, 0.0, *rng.uniform(-1.5, 1.5, 2)], v=rng.uniform(-2, 2, 4), throw=False)
    assert run.status == "finished", run.message
    hits = [event for event in run.events if event.kind == "impact"]
    assert hits
    scale = float(np.max(run.kinetic_energy))
    for hit in hits:
        normal = [value for name, value in hit.facts["impulse"].items() if name.endswith("floor")]
        assert min(normal) > 0
        assert hit.facts["energy_change"] <= 1e-11 * scale
    jumps = np.diff(run.energy)
    assert np.max(jumps, initial=0.0) <= 1e-8 * scale, "energy grows nowhere beyond the integrator's error"
    audit = run.audit()
    assert audit.penetration < 1e-9
    assert audit.power_balance < 1e-7
    if mu == 0.0:
        assert audit.energy_drift < 1e-7
    for name in ("left floor", "middle floor", "right floor"):
        assert np.min(run.multipliers[name]) >= -1e-7 * scale


@pytest.mark.parametrize("seed", range(4))
def test_linear_and_angular_momentum_change_by_the_named_impulses(seed):
    """Sum of m dv = N e_y + F e_x, and about the origin r x of the same; masses and levers are written out here."""
    rng = np.random.default_rng(seed)
    s = bodies_in_a_box(rng, 0.7, 0.3)
    run = s.simulate(1.0, q=[0.0, 0.0, *rng.uniform(-1.5, 1.5, 2)], v=rng.uniform(-2, 2, 4))
    masses = [float(body.mass) for body in s.model.bodies]
    L = 0.8

    def momentum(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        x, y, a, b = q
        xd, yd, ad, bd = v
        w2, hinge = ad + bd, np.array([x + L / 2 * np.cos(a), y + L / 2 * np.sin(a)])
        hinge_v = np.array([xd - L / 2 * np.sin(a) * ad, yd + L / 2 * np.cos(a) * ad])
        r2 = hinge + L / 2 * np.array([np.cos(a + b), np.sin(a + b)])
        v2 = hinge_v + L / 2 * w2 * np.array([-np.sin(a + b), np.cos(a + b)])
        m1, m2 = masses
        P = m1 * np.array([xd, yd]) + m2 * v2
        H = m1 * (x * yd - y * xd) + m1 * L**2 / 12 * ad + m2 * (r2[0] * v2[1] - r2[1] * v2[0]) + m2 * L**2 / 12 * w2
        return np.array([*P, H])

    for hit in (event for event in run.events if event.kind == "impact"):
        x, y, a, b = hit.q
        hinge = np.array([x + L / 2 * np.cos(a), y + L / 2 * np.sin(a)])
        places = {
            "left floor": np.array([x - L / 2 * np.cos(a), y - L / 2 * np.sin(a)]),
            "middle floor": hinge,
            "right floor": hinge + L * np.array([np.cos(a + b), np.sin(a + b)]),
        }
        change = momentum(hit.q, hit.v + hit.facts["velocity_jump"]) - momentum(hit.q, hit.v)
        total = np.zeros(3)
        for name, place in places.items():
            normal = hit.facts["impulse"].get(name, 0.0)
            friction = hit.facts["impulse"].get(f"{name}_slip1", 0.0)  # along x; none along z
            total += [friction, normal, place[0] * normal - place[1] * friction]
        assert np.max(np.abs(change - total)) <= 1e4 * EPS * max(1.0, float(np.max(np.abs(change))))
