"""Accelerations with friction whose pressing forces depend on them, in native code.

    N_k = |n_k0 + sum over j of n_kj N_j|

Kernels beside ``terms`` (as in ``projection.py``): ``pushes`` with out = generalized forces of unit pressing forces
(K n), ``pressing`` with y = [q, v, vd, lam] and out = vectors n (3 K), ``sliding`` with out = [s, mu, mu of sticking]
per friction. The K pressing forces are the last signals in p; they are written there.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from cardan.linalg.cholesky import backward, dot, forward
from cardan.linalg.constrained import Factors, System, factors_in, impose, multipliers, prepare
from cardan.linalg.projection import RANK, Terms, terms_in
from cardan.native.language import Array, Kernel, carve, f64, i64, native, room_for

SWEEPS = 500
SETTLED = 1e-13  # share of the pressing forces by which a turn of Newton's method still changes them


@native
def root(aa: f64, ab: f64, bb: f64) -> f64:
    """The N with |a + b N| = N that is continued from small b, given a.a, a.b, b.b."""
    r = sqrt(max(0.0, ab * ab + (1.0 - bb) * aa))
    if bb < 1.0 and ab > 0.0:
        return (ab + r) / (1.0 - bb)
    if r - ab > 0.0:
        return aa / (r - ab)
    return sqrt(aa)


class FrictionKernels(NamedTuple):
    """What gives the terms of the motion, the forces of unit pressing forces, and the vectors n."""

    terms: Kernel
    pushes: Kernel
    pressing: Kernel


class FrictionSizes(NamedTuple):
    """Numbers of coordinates, velocities, rows, parameters, frictions, and turns where forces bend with N."""

    nq: i64
    n: i64
    m: i64
    parameters: i64
    K: i64
    turns: i64


class Answer(NamedTuple):
    """Accelerations (n), multipliers (m), pressing forces (K), and by how much they are unique."""

    vd: Array
    lam: Array
    N: Array
    margin: Array


class Responses(NamedTuple):
    """Scratch: responses G (K n) and their multipliers (K m), n0 (3 K) and slopes (3 K K), a state of ``pressing``."""

    d: Array
    zero: Array
    G: Array
    shares: Array
    n0: Array
    slopes: Array
    state: Array
    total: i64


class FrictionSpace(NamedTuple):
    """Everything that ``frictional`` writes, its answer aside."""

    terms: Terms
    factors: Factors
    own: Responses
    total: i64


class Asked(NamedTuple):
    """Which friction an event is about, its row, and where p holds its direction."""

    which: i64
    row: i64
    direction: i64


class EventSpace(NamedTuple):
    """Where the functions that call ``frictional`` keep its answer, and the speeds of sliding (3 K)."""

    lam: Array
    N: Array
    margin: Array
    vd: Array
    speeds: Array
    total: i64


@native
def friction_space_in(sizes: FrictionSizes, work: Array) -> FrictionSpace:
    """The workspace of ``frictional`` at the begin of ``work``."""
    nq, n, m, K = sizes.nq, sizes.n, sizes.m, sizes.K
    terms = terms_in(nq, n, m, work)
    factors = factors_in(n, m, work[terms.total :])
    behind = work[terms.total + factors.total :]
    own = carve(Responses, behind, m, m, K * n, K * m, 3 * K, 3 * K * K, nq + 2 * n + m)
    return FrictionSpace(terms, factors, own, terms.total + factors.total + own.total)


@native
def event_space_in(sizes: FrictionSizes, work: Array) -> EventSpace:
    """The answer and the speeds at the begin of ``work``."""
    return carve(EventSpace, work, sizes.m, sizes.K, 1, sizes.n, 3 * sizes.K)


def workspace(nq: int, n: int, m: int, K: int) -> int:
    """Numbers of scratch that the functions below need."""
    sizes = FrictionSizes(nq, n, m, 0, K, 1)
    return room_for(event_space_in, sizes) + room_for(friction_space_in, sizes)


@native
def respond(system: System, factors: Factors, b: Array, x: Array, lam: Array, d: Array) -> None:
    """x <- acceleration by the generalized force x with A vd = b, and its multipliers."""
    forward(system.n, factors.L, x)
    impose(factors.rows, system.rank, system.scale, b, x, d)
    multipliers(factors.rows, system.rank, system.scale, d, lam)
    backward(system.n, factors.L, x)


@native
def pressing_forces(K: i64, n0: Array, slopes: Array, N: Array) -> f64:
    """N by sweeps over the frictions; returns 1 - the largest sum of |n_kj|, positive where N is unique."""
    for k in range(K):
        alone = n0[3 * k :]
        N[k] = sqrt(dot(3, alone, alone))
    for _ in range(SWEEPS):
        change, size = 0.0, 0.0
        for k in range(K):
            aa, ab = 0.0, 0.0
            own = slopes[(k * K + k) * 3 :]
            for c in range(3):
                a = n0[3 * k + c]
                for j in range(K):
                    if j != k:
                        a += slopes[(j * K + k) * 3 + c] * N[j]
                aa += a * a
                ab += a * own[c]
            new = root(aa, ab, dot(3, own, own))
            change = max(change, abs(new - N[k]))
            size = max(size, new)
            N[k] = new
        if change <= 1e-15 * size:
            break
    worst = 0.0
    for k in range(K):
        total = 0.0
        for j in range(K):
            one = slopes[(j * K + k) * 3 :]
            total += sqrt(dot(3, one, one))
        worst = max(worst, total)
    return 1.0 - worst


@native(inline=True)
def read_slopes(
    pressing: Kernel, sizes: FrictionSizes, t: f64, y: Array, p: Array, own: Responses, vd: Array, lam: Array
) -> i64:  # fmt: skip
    """n0 without pressing forces, and how much each of them adds to it: differences with a unit one."""
    nq, n, m, K, state = sizes.nq, sizes.n, sizes.m, sizes.K, own.state
    for i in range(nq + n):
        state[i] = y[i]
    for j in range(K + 1):
        for i in range(n):
            state[nq + n + i] = vd[i]
            if j > 0:
                state[nq + n + i] += own.G[(j - 1) * n + i]
        for i in range(m):
            state[nq + 2 * n + i] = lam[i]
            if j > 0:
                state[nq + 2 * n + i] += own.shares[(j - 1) * m + i]
        if j == 0:
            status = pressing(t, state, p, own.n0)
        else:
            now = own.slopes[(j - 1) * K * 3 :]
            status = pressing(t, state, p, now)
            for i in range(3 * K):
                now[i] -= own.n0[i]
        if status != 0:
            return int(status)
    return 0


@native
def frictional(
    kernels: FrictionKernels, sizes: FrictionSizes, t: f64, y: Array, p: Array, work: Array, answer: Answer
) -> i64:  # fmt: skip
    """vd, lam and N; ``margin[0]`` > 0 where they are unique. The first nq numbers of ``work`` become qd.

    Forces are taken as linear in N about the N in p, which is zero first; where they bend, Newton's method follows.
    """
    K, first = sizes.K, sizes.parameters - sizes.K
    for k in range(K):
        p[first + k] = 0.0
    for turn in range(sizes.turns):
        status = about(kernels, sizes, t, y, p, work, answer)
        if status != 0:
            return int(status)
        change, size = 0.0, 0.0
        for k in range(K):
            change = max(change, abs(answer.N[k] - p[first + k]))
            size = max(size, abs(answer.N[k]))
            p[first + k] = answer.N[k]
        if sizes.turns == 1 or change <= SETTLED * size:
            return 0
        if turn == sizes.turns - 1:
            answer.margin[0] = -1.0
    return 0


@native
def about(
    kernels: FrictionKernels, sizes: FrictionSizes, t: f64, y: Array, p: Array, work: Array, answer: Answer
) -> i64:  # fmt: skip
    """vd, lam and N with forces that are linear in N about the N in p."""
    n, m, K, vd, lam = sizes.n, sizes.m, sizes.K, answer.vd, answer.lam
    first = sizes.parameters - K
    status = kernels.terms(t, y, p, work)
    if status != 0:
        return int(status)
    space = friction_space_in(sizes, work)
    terms, factors, own = space.terms, space.factors, space.own
    rank = 0
    if m > 0:
        rank = int(p[sizes.parameters + m + RANK])
    system = System(n, m, rank, p[sizes.parameters :], terms.M, terms.h, terms.A, terms.b)
    status = prepare(system, factors)
    if status != 0:
        return int(status)
    status = kernels.pushes(t, y, p, own.G)
    for i in range(n):
        vd[i] = -terms.h[i]
        for k in range(K):
            vd[i] -= own.G[k * n + i] * p[first + k]
    respond(system, factors, terms.b, vd, lam, own.d)
    for i in range(m):
        own.zero[i] = 0.0
    for k in range(K):
        respond(system, factors, own.zero, own.G[k * n :], own.shares[k * m :], own.d)
    status = read_slopes(kernels.pressing, sizes, t, y, p, own, vd, lam)
    if status != 0:
        return int(status)
    answer.margin[0] = pressing_forces(K, own.n0, own.slopes, answer.N)
    for k in range(K):
        for i in range(n):
            vd[i] += answer.N[k] * own.G[k * n + i]
        for i in range(m):
            lam[i] += answer.N[k] * own.shares[k * m + i]
    return 0


@native
def frictional_rhs(
    kernels: FrictionKernels, sizes: FrictionSizes, t: f64, y: Array, p: Array, work: Array, out: Array
) -> i64:  # fmt: skip
    """ydot = [N(q) v, vd]."""
    own = event_space_in(sizes, work)
    rest = work[own.total :]
    status = frictional(kernels, sizes, t, y, p, rest, Answer(out[sizes.nq :], own.lam, own.N, own.margin))
    for i in range(sizes.nq):
        out[i] = rest[i]
    return status


@native
def friction_event(
    kernels: FrictionKernels, sliding: Kernel, sizes: FrictionSizes, asked: Asked, t: f64, y: Array, p: Array, work:
    Array, out: Array,
) -> i64:  # fmt: skip
    """The sign change that ends a mode of friction ``which``; which = K: uniqueness of all pressing forces.

    Sticking (``p[direction]`` = 0): limit minus |force|. Sliding: the velocity in the direction of sliding.
    """
    own = event_space_in(sizes, work)
    if asked.which < sizes.K and p[asked.direction] != 0.0:
        status = sliding(t, y, p, own.speeds)
        out[0] = p[asked.direction] * own.speeds[3 * asked.which]
        return int(status)
    answer = Answer(own.vd, own.lam, own.N, own.margin)
    status = frictional(kernels, sizes, t, y, p, work[own.total :], answer)
    if status != 0:
        return int(status)
    if asked.which == sizes.K:
        out[0] = own.margin[0]
        return 0
    status = sliding(t, y, p, own.speeds)
    out[0] = own.speeds[3 * asked.which + 2] * own.N[asked.which] - abs(own.lam[asked.row])
    return int(status)
