"""Accelerations with friction whose pressing forces depend on them, in native code.

    N_k = |n_k0 + sum over j of n_kj N_j|

Kernels beside ``terms`` (as in ``projection.py``): ``pushes`` with out = generalized forces of unit pressing forces
(K n), ``pressing`` with y = [q, v, vd, lam] and out = vectors n (3 K), ``sliding`` with out = [s, mu, mu of sticking]
per friction. The K pressing forces are the last signals in p; they are written there.
"""

from __future__ import annotations

from math import sqrt

from cardan.linalg.cholesky import backward, dot, forward
from cardan.linalg.constrained import factors_size, impose, multipliers, prepare
from cardan.linalg.projection import RANK
from cardan.native.language import Array, Kernel, f64, i64, native

SWEEPS = 500


@native
def root(aa: f64, ab: f64, bb: f64) -> f64:
    """The N with |a + b N| = N that is continued from small b, given a.a, a.b, b.b."""
    r = sqrt(max(0.0, ab * ab + (1.0 - bb) * aa))
    if bb < 1.0 and ab > 0.0:
        return (ab + r) / (1.0 - bb)
    if r - ab > 0.0:
        return aa / (r - ab)
    return sqrt(aa)


@native
def respond(
    n: i64, m: i64, rank: i64, scale: Array, b: Array, L: Array, V: Array, R: Array, book: Array, x: Array, lam: Array,
    d: Array,
) -> None:  # fmt: skip
    """x <- acceleration by the generalized force x with A vd = b, and its multipliers."""
    forward(n, L, x)
    impose(n, m, rank, scale, b, V, R, book, x, d)
    multipliers(m, rank, scale, R, book, d, lam)
    backward(n, L, x)


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


@native
def frictional(
    terms: Kernel, pushes: Kernel, pressing: Kernel, nq: i64, n: i64, m: i64, parameters: i64, K: i64, t: f64, y: Array,
    p: Array, work: Array, vd: Array, lam: Array, N: Array, margin: Array,
) -> i64:  # fmt: skip
    """vd, lam and N; ``margin[0]`` > 0 where they are unique. The first nq numbers of ``work`` become qd."""
    first = parameters - K
    for k in range(K):
        p[first + k] = 0.0
    status = terms(t, y, p, work)
    if status != 0:
        return int(status)
    M, h, A = work[nq:], work[nq + n * n :], work[nq + n * n + n :]
    b = work[nq + n * n + n + m * n :]
    L = b[m:]
    W, V = L[n * n :], L[n * n + m * n :]
    R, book, d = V[m * n :], V[m * n + m * m :], V[m * n + m * m + 7 * m + n :]
    zero = d[m:]
    G = zero[m:]
    shares = G[K * n :]
    n0 = shares[K * m :]
    slopes = n0[3 * K :]
    state = slopes[3 * K * K :]
    rank = 0
    if m > 0:
        rank = int(p[parameters + m + RANK])
    scale = p[parameters:]
    status = prepare(n, m, rank, scale, A, b, M, h, L, W, V, R, book)
    if status != 0:
        return int(status)
    for i in range(n):
        vd[i] = -h[i]
    respond(n, m, rank, scale, b, L, V, R, book, vd, lam, d)
    status = pushes(t, y, p, G)
    for i in range(m):
        zero[i] = 0.0
    for k in range(K):
        respond(n, m, rank, scale, zero, L, V, R, book, G[k * n :], shares[k * m :], d)
    for i in range(nq + n):
        state[i] = y[i]
    for j in range(K + 1):
        for i in range(n):
            state[nq + n + i] = vd[i]
            if j > 0:
                state[nq + n + i] += G[(j - 1) * n + i]
        for i in range(m):
            state[nq + 2 * n + i] = lam[i]
            if j > 0:
                state[nq + 2 * n + i] += shares[(j - 1) * m + i]
        if j == 0:
            status = pressing(t, state, p, n0)
        else:
            now = slopes[(j - 1) * K * 3 :]
            status = pressing(t, state, p, now)
            for i in range(3 * K):
                now[i] -= n0[i]
        if status != 0:
            return int(status)
    margin[0] = pressing_forces(K, n0, slopes, N)
    for k in range(K):
        p[first + k] = N[k]
        for i in range(n):
            vd[i] += N[k] * G[k * n + i]
        for i in range(m):
            lam[i] += N[k] * shares[k * m + i]
    return 0


@native
def frictional_rhs(
    terms: Kernel, pushes: Kernel, pressing: Kernel, nq: i64, n: i64, m: i64, parameters: i64, K: i64, t: f64, y: Array,
    p: Array, work: Array, out: Array,
) -> i64:  # fmt: skip
    """ydot = [N(q) v, vd]."""
    lam, N, margin = work, work[m:], work[m + K :]
    rest = work[m + K + 1 :]
    status = frictional(
        terms, pushes, pressing, nq, n, m, parameters, K, t, y, p, rest, out[nq:], lam, N, margin
    )  # fmt: skip
    for i in range(nq):
        out[i] = rest[i]
    return status


@native
def friction_event(
    terms: Kernel, pushes: Kernel, pressing: Kernel, sliding: Kernel, nq: i64, n: i64, m: i64, parameters: i64, K: i64,
    which: i64, row: i64, direction: i64, t: f64, y: Array, p: Array, work: Array, out: Array,
) -> i64:  # fmt: skip
    """The sign change that ends a mode of friction ``which``; which = K: uniqueness of all pressing forces.

    Sticking (``p[direction]`` = 0): limit minus |force|. Sliding: the velocity in the direction of sliding.
    """
    lam, N, margin, vd, speeds = work, work[m:], work[m + K :], work[m + K + 1 :], work[m + K + 1 + n :]
    rest = work[m + K + 1 + n + 3 * K :]
    if which < K and p[direction] != 0.0:
        status = sliding(t, y, p, speeds)
        out[0] = p[direction] * speeds[3 * which]
        return int(status)
    status = frictional(
        terms, pushes, pressing, nq, n, m, parameters, K, t, y, p, rest, vd, lam, N, margin
    )  # fmt: skip
    if status != 0:
        return status
    if which == K:
        out[0] = margin[0]
        return 0
    status = sliding(t, y, p, speeds)
    out[0] = speeds[3 * which + 2] * N[which] - abs(lam[row])
    return int(status)


def workspace(nq: int, n: int, m: int, K: int) -> int:
    """Numbers of scratch that the functions above need."""
    own = nq + n * n + n + m * n + m
    found = 3 * m + 2 * K + 1 + 3 * n + nq + 3 * K
    return own + factors_size(n, m) + K * (n + m) + 3 * K * (K + 1) + found + 2 * m + 16
