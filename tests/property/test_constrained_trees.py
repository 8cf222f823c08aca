"""What holds for every constrained tree: projections, work, balance body by body, native code against NumPy.

Expected values come from `random_constraints.py`: rows and accelerations from poses alone, solved by NumPy.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache

import numpy as np
import pytest

from cardan.equations.numbers import Numbers
from cardan.graph import gradient, jvp
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.start import given_start
from support.build_models import magnitudes
from support.close import assert_close
from support.random_constraints import Constrained, Rows, draw_constrained, settle

# (seed, bodies, rheonomic, redundant): drawn once, and shared by the tests, since deriving takes most of their time.
PLAIN = [(11, 2, False, False), (23, 3, False, False), (37, 4, False, False), (41, 5, False, False)]
MOVING = [(53, 3, True, False), (67, 5, True, False)]
REDUNDANT = [(71, 2, False, True), (83, 4, False, True)]
BOTH = [(97, 3, True, True)]
ROUNDING = 1e-10  # relative: the demand; two routes of a few thousand products, M and A of condition 1e3
BECAUSE = "1e-10 of the largest number: rounding, amplified by the condition of M and A"


def largest(*arrays: np.ndarray) -> float:
    """The scale a relative tolerance refers to, with a floor."""
    return max(1e-3, *(float(np.max(np.abs(x), initial=0.0)) for x in arrays))


def trees(*kinds: list[tuple[int, int, bool, bool]]) -> pytest.MarkDecorator:
    """Every tree of these kinds."""
    return pytest.mark.parametrize(("seed", "count", "rheonomic", "redundant"), [one for kind in kinds for one in kind])


@lru_cache
def drawn(seed: int, count: int, rheonomic: bool, redundant: bool) -> tuple[Constrained, Rows, Numbers]:
    """A constrained tree in a consistent state, its own rows, and Cardan's numbers."""
    c = draw_constrained(seed, count, rheonomic=rheonomic, redundant=redundant)
    settle(c, seed)
    plan = c.plan
    loads = magnitudes(plan)
    return c, Rows(c), c.system.equations().at(plan.q, plan.v, plan.t, loads=loads)


def multipliers_of(found: Numbers) -> np.ndarray:
    """lam of the constraint rows; joints and drives have multipliers of their own."""
    return np.array([found.multipliers[name] for name in found.dynamics.constraints.names])


# --- rows, accelerations, projections ----------------------------------------------------------------


@trees(PLAIN, MOVING, REDUNDANT, BOTH)
def test_rows_and_accelerations_are_those_of_poses_alone(seed, count, rheonomic, redundant):
    """The configuration comes from assemble(); the rows span what the independent ones span, with the same b."""
    c, rows, found = drawn(seed, count, rheonomic, redundant)
    because = "assembled by Newton's method to 1e-12 of the state's size"
    assert_close(rows.residual, 0.0, within=1e-11 * largest(np.array(c.plan.q)), because=because)
    assert_close(found.A @ c.plan.v + found.b0, 0.0, within=1e-11, because="numbers of order one, rounded")
    vd, push = rows.solution()
    assert_close(found.acceleration, vd, within=ROUNDING * largest(vd), because=BECAUSE)
    lam = multipliers_of(found)
    assert_close(found.A.T @ lam, push, within=ROUNDING * largest(push), because=BECAUSE)
    balance = found.M @ found.acceleration + found.f + found.g - found.Q - found.A.T @ lam
    assert_close(balance, 0.0, within=ROUNDING * largest(push, found.f, found.g, found.Q), because=BECAUSE)


@trees(PLAIN, REDUNDANT)
def test_projections_of_motions_and_forces(seed, count, rheonomic, redundant):
    """P^2 = P, P_u = P^T, rank P = n - rank A, and both kinds of orthogonality, Choset section 10.3."""
    _, rows, found = drawn(seed, count, rheonomic, redundant)
    P, M = found.P, rows.motion.mass_matrix
    n, A = len(M), rows.A
    inverse = np.linalg.inv(M)
    shares = np.linalg.pinv(A @ inverse @ A.T, rcond=1e-11, hermitian=True)
    expected = np.eye(n) - inverse @ A.T @ shares @ A
    P_u = np.eye(n) - A.T @ shares @ A @ inverse  # Choset (10.20)
    size = largest(P)
    within = ROUNDING * size
    assert_close(P, expected, within=within, because=BECAUSE)
    assert_close(P @ P, P, within=within * size, because=BECAUSE)
    assert_close(P.T, P_u, within=within, because=BECAUSE)
    rank = np.linalg.matrix_rank(A, tol=1e-9 * np.linalg.norm(A))
    assert_close(np.trace(P), n - rank, within=within, because="the trace of a projection is its rank")
    assert_close(A @ P, 0.0, within=within * largest(A), because="allowed motions satisfy the constraints")
    assert_close(P_u @ A.T, 0.0, within=within * largest(A), because="constraint forces vanish in P_u")
    motions = P.T @ M @ (np.eye(n) - P)
    assert_close(motions, 0.0, within=within * size * largest(M), because="allowed and forbidden motions")
    forces = P_u.T @ inverse @ (np.eye(n) - P.T)
    assert_close(forces, 0.0, within=within * size * largest(inverse), because="applied and constraint forces")


@trees(PLAIN, MOVING)
def test_the_projected_equations_give_the_same_accelerations(seed, count, rheonomic, redundant):
    """vd = P M^-1 (Q - f - g) + the shortest vd with A vd = b."""
    _, rows, found = drawn(seed, count, rheonomic, redundant)
    M, A = rows.motion.mass_matrix, rows.A
    inverse = np.linalg.inv(M)
    shortest = inverse @ A.T @ np.linalg.pinv(A @ inverse @ A.T, rcond=1e-11, hermitian=True) @ rows.b
    projected = found.P @ inverse @ -rows.load + shortest
    assert_close(found.acceleration, projected, within=ROUNDING * largest(projected), because=BECAUSE)


# --- work and balance --------------------------------------------------------------------------------


@trees(PLAIN)
def test_ideal_scleronomic_constraints_do_no_work(seed, count, rheonomic, redundant):
    c, rows, found = drawn(seed, count, rheonomic, redundant)
    lam = multipliers_of(found)
    power = lam * (found.A @ c.plan.v)
    assert_close(power, 0.0, within=1e-10 * largest(lam), because="A v vanishes to 1e-11, each row for itself")
    rate = rows.motion.energy_rate(found.acceleration)
    applied = float(np.array(c.plan.v) @ rows.motion.terms["Q"])
    terms = np.abs(c.plan.v) @ (np.abs(found.M @ found.acceleration) + np.abs(found.f) + np.abs(found.g))
    assert_close(rate, applied, within=1e-10 * largest(terms), because="d(T + V)/dt = power of loads and dampers")


def accelerated(rows: Rows, values: list, a: np.ndarray) -> np.ndarray:
    """d/dt of expressions of (q, v, t), accelerations a."""
    L = rows.motion
    nodes = rows._nodes(values)
    return L.numbers(jvp(nodes, [*L.q, *L.v, L.t], [*L.qd, *L.a, L.graph.one]), a)


def body_balance(c: Constrained, rows: Rows, k: int, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m c'' - F, (R J R^T w)' - M) of a body: everything that is not gravity, load, spring or damper; world axes."""
    L, body = rows.motion, c.plan.bodies[k]
    R, _ = L.poses[k]
    centre = L.point(k, body.com)
    at = L.numbers(list(centre))
    spin = R @ (np.asarray(body.inertia) @ L.spin(k))
    force = body.mass * (accelerated(rows, L.rates(list(centre)), a) - np.array(c.plan.gravity))
    moment = accelerated(rows, list(spin), a)
    for load in c.plan.loads:
        vector = load.magnitude * L.numbers(list(np.ravel(L.poses[load.carrier][0]))).reshape(3, 3) @ load.direction
        if load.kind == "force" and load.body == k:
            place = L.numbers(list(L.point(k, load.point)))
            force, moment = force - vector, moment - np.cross(place - at, vector)
        elif load.kind == "moment":
            moment = moment - vector * ((load.body == k) - (load.against == k))
    for line, is_spring in [(one, True) for one in c.plan.springs] + [(one, False) for one in c.plan.dampers]:
        for own, other, here, there in (
            (line.first, line.second, line.here, line.there),
            (line.second, line.first, line.there, line.here),
        ):
            if own == k:
                place = L.numbers(list(L.point(own, here)))
                span = L.numbers(list(L.point(other, there))) - place
                length = np.linalg.norm(span)
                stretch = length - line.length if is_spring else L.numbers(L.rates([L._length(line)]))[0]
                pull = line.coefficient * stretch * span / length
                force, moment = force - pull, moment - np.cross(place - at, pull)
    return force, moment


@trees(PLAIN, MOVING, REDUNDANT, BOTH)
def test_reactions_balance_every_body_and_do_the_work_of_the_multipliers(seed, count, rheonomic, redundant):
    """Newton and Euler for each body, and d'Alembert: what joints do vanishes in every motion, A^T lam remains."""
    c, rows, found = drawn(seed, count, rheonomic, redundant)
    L, n = rows.motion, len(c.plan.v)
    vd, push = rows.solution()
    total, work = np.zeros(n), 0.0
    for k, body in enumerate(c.plan.bodies):
        force, moment = body_balance(c, rows, k, vd)
        reaction = found.reactions[body.name]
        within = ROUNDING * largest(force, moment)
        assert_close(reaction.force, force, within=within, because=f"force on {body.name}: {BECAUSE}")
        assert_close(reaction.moment, moment, within=within, because=f"moment on {body.name}: {BECAUSE}")
        assert_close(reaction.point, L.numbers(list(L.point(k, body.com))), within=1e-12, because="a position")
        speeds = [*L.rates(list(L.point(k, body.com))), *rows.omega(k)]
        partial = np.array([L.numbers(gradient(x, L.v)) for x in rows._nodes(speeds)])
        total += np.concatenate([reaction.force, reaction.moment]) @ partial
        work += float(np.abs(np.concatenate([force, moment])) @ np.abs(partial) @ np.ones(n))
    assert_close(total, push, within=ROUNDING * max(1.0, work), because="sums over bodies of forces that cancel")


@trees(PLAIN)
def test_what_a_multiplier_does_to_both_bodies_is_equal_and_opposite(seed, count, rheonomic, redundant):
    """Each row of A is the power of its two actions; together they are in balance."""
    c, rows, found = drawn(seed, count, rheonomic, redundant)
    d, L = found.dynamics, rows.motion
    index = {body.name: k for k, body in enumerate(c.plan.bodies)}
    for row, line in zip(d.full.rows, found.A, strict=True):
        if not row.actions:
            continue
        force, moment, power = np.zeros(3), np.zeros(3), np.zeros(len(c.plan.v))
        for action in row.actions:
            vector = found._evaluate(d.impose(list(action.direction)))
            k = index.get(action.frame.name, -1)
            if action.kind == "force":
                place = found._evaluate(d.impose(list(action.place)))
                force, moment = force + vector, moment + np.cross(place, vector)
                speed = rows.speed(k, place)
            else:
                moment, speed = moment + vector, rows.omega(k)
            power += L.numbers(gradient(rows._nodes([vector @ speed])[0], L.v))
        assert_close(power, line, within=1e-11 * largest(line), because="a row of A, by two routes")
        if len(row.actions) == 2:  # a partner that is the world may be left out: it takes the opposite in silence
            assert_close([force, moment], 0.0, within=1e-11 * largest(moment), because="action and reaction")


# --- native code -------------------------------------------------------------------------------------


FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *(ctypes.c_void_p,) * 3)


def call(address: int, t: float, y: np.ndarray, p: np.ndarray, count: int) -> np.ndarray:
    out = np.zeros(count)
    assert FUNCTION(address)(t, y.ctypes.data, p.ctypes.data, out.ctypes.data) == 0
    return out


def prepared(c: Constrained) -> tuple[Prepared, np.ndarray, int]:
    """The compiled model of one run, its state, and the generic rank."""
    kernel, plan = c.system.compile(), c.plan
    loads = {symbol: magnitudes(plan)[str(symbol)] for symbol in kernel.model.signals}
    start = consistent_start(kernel, given_start(kernel, plan.q, plan.v), kernel.p(), plan.t, 1e-9)
    return Prepared(kernel, loads, None, start.reference), kernel.y(plan.q, plan.v), start.reference.rank


@trees(PLAIN, MOVING, REDUNDANT, BOTH)
def test_native_accelerations_are_those_of_a_dense_solution(seed, count, rheonomic, redundant):
    c, rows, _ = drawn(seed, count, rheonomic, redundant)
    model, y, rank = prepared(c)
    here = np.linalg.matrix_rank(rows.A, tol=1e-8 * np.linalg.norm(rows.A))
    assert rank == here, "a random configuration has the generic rank"
    rhs = call(model.rhs, c.plan.t, y, model.parameters, len(y))
    vd, _ = rows.solution()
    assert_close(rhs[model.nq :], vd, within=ROUNDING * largest(vd), because=BECAUSE)
    qd = rows.motion.numbers(rows.motion.qd)
    assert_close(rhs[: model.nq], qd, within=1e-13 * largest(qd), because="products of two numbers")


@trees(PLAIN, MOVING)
def test_native_projection_leads_back_the_shortest_way(seed, count, rheonomic, redundant):
    """From a state 1e-7 off: the constraints hold again, and the step is orthogonal to allowed motions."""
    c, _, found = drawn(seed, count, rheonomic, redundant)
    model, y, _ = prepared(c)
    rng, system = np.random.default_rng(seed), model.kernel.numbers(model.parameters)
    off = system.moved(c.plan.t, y, 1e-7 * rng.uniform(-1, 1, model.nv))
    off[model.nq :] += 1e-7 * rng.uniform(-1, 1, model.nv)
    back = call(model.project_state, c.plan.t, off, model.parameters, len(y))
    phi, rate = system.residual(c.plan.t, back)
    assert_close(phi, 0.0, within=1e-13 * largest(y), because="Newton's method, to rounding")
    assert_close(rate, 0.0, within=1e-12 * largest(y), because="a linear system, to rounding")
    step = back[model.nq :] - off[model.nq :]
    allowed = found.P.T @ found.M @ step
    because = "1e-7 squared, from the curvature of the constraints, some hundred times"
    assert_close(allowed, 0.0, within=1e-12 * largest(found.M) * largest(found.P), because=because)
