"""Accelerations and forces of a system that rests on some of its stops, in native code.

Closed stops are constraints like others: the rows of stops stand behind the m bilateral ones in ``terms`` and
``residual``, and rows that are not active have scale zero. A sliding contact also carries the friction -mu lam_n along
its slip, a force that depends on the multiplier lam_n; it is found from the response to a unit friction force at each
sliding contact,

    lam_n = lam0_n + sum over j of f_j r_nj,   f_j = -mu_j lam_n,j   ->   (I + r mu) lam_n = lam0_n.

Behind the parameters in p stand what ``linalg/projection.py`` tells, for all m + stride stops rows, and for each stop
STATE numbers.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from cardan.linalg.cholesky import backward, cholesky, dot, forward, subtract_multiple
from cardan.linalg.constrained import System, accelerations, factors_in
from cardan.linalg.projection import HEAD, RANK, Kernels, Terms, move, terms_in
from cardan.native.language import Array, IntArray, Kernel, carve, f64, i64, native, room_for

# Numbers per stop in p: how it is (OPEN, CLOSED without friction, STICKING, SLIDING, or STRAIGHT: sliding so slowly
# that the direction no longer turns), mu, the direction of slip at the start, how negative rounding may make the force
# (of an open stop that was released: the gap), and the slip below which it is slow.
STATE = 6
KIND, FRICTION, ALONG, NOISE, SLOW = 0, 1, 2, 4, 5
OPEN, CLOSED, STICKING, SLIDING, STRAIGHT = 0, 1, 2, 3, 4
# What keeps the direction of friction defined where sliding begins, as parts of the slip below which it is slow: of the
# part of a slip at which its direction was last read, and of what rounding leaves where it only begins.
OF_SLOW, OF_ROUNDING = 1e-6, 0.1


@native
def direction(stride: i64, own: Array, slip: Array, along: Array) -> f64:
    """Unit direction of slip in ``along`` (two numbers), from the slip velocities and the direction at the start.

    Returns the speed along the direction at the start.
    """
    if stride == 2:
        along[0] = own[ALONG]
        along[1] = 0.0
        return float(own[ALONG] * slip[0])
    if int(own[KIND]) == STRAIGHT:
        along[0] = own[ALONG]
        along[1] = own[ALONG + 1]
        return float(own[ALONG] * slip[0] + own[ALONG + 1] * slip[1])
    least = OF_SLOW * own[SLOW]
    if own[SLOW] < 0.0:
        least = -OF_ROUNDING * own[SLOW]
    a = slip[0] + least * own[ALONG]
    b = slip[1] + least * own[ALONG + 1]
    size = sqrt(a * a + b * b)
    if not size > 0.0:
        a, b, size = own[ALONG], own[ALONG + 1], 1.0
    along[0] = a / size
    along[1] = b / size
    return float(own[ALONG] * slip[0] + own[ALONG + 1] * slip[1])


@native
def solve_small(k: i64, C: Array, x: Array) -> i64:
    """x <- C^-1 x by elimination with row pivoting (C destroyed); 0, or 1 + the pivot that failed."""
    for c in range(k):
        best, at = abs(C[c * k + c]), c
        for i in range(c + 1, k):
            if abs(C[i * k + c]) > best:
                best, at = abs(C[i * k + c]), i
        if not best > 1e-300:
            return c + 1
        if at != c:
            for j in range(k):
                kept = C[c * k + j]
                C[c * k + j] = C[at * k + j]
                C[at * k + j] = kept
            kept = x[c]
            x[c] = x[at]
            x[at] = kept
        for i in range(c + 1, k):
            factor = C[i * k + c] / C[c * k + c]
            for j in range(c, k):
                C[i * k + j] -= factor * C[c * k + j]
            x[i] -= factor * x[c]
    for step in range(k):
        c = k - 1 - step
        for j in range(c + 1, k):
            x[c] -= C[c * k + j] * x[j]
        x[c] = x[c] / C[c * k + c]
    return 0


class ContactSizes(NamedTuple):
    """Numbers of coordinates, velocities, bilateral rows, stops, rows of each stop, and parameters."""

    nq: i64
    n: i64
    m: i64
    stops: i64
    stride: i64
    parameters: i64


class Sliding(NamedTuple):
    """What friction needs: residuals (2 rows), responses to unit friction at each sliding contact, their equations."""

    found: Array
    vds: Array
    lams: Array
    C: Array
    x: Array
    along: Array
    push: Array
    total: i64


class Forces(NamedTuple):
    """Everything that ``contact_forces`` writes, its results aside."""

    terms: Terms
    solving: Array  # what ``accelerations`` needs
    sliding: Sliding
    total: i64


class Watching(NamedTuple):
    """What ``contact_watch`` keeps beside that."""

    lam: Array
    vd: Array
    found: Array
    along: Array
    total: i64


@native
def forces_in(sizes: ContactSizes, work: Array) -> Forces:
    """The workspace of ``contact_forces`` at the begin of ``work``."""
    n, stops = sizes.n, sizes.stops
    rows = sizes.m + sizes.stride * stops
    terms = terms_in(sizes.nq, n, rows, work)
    factors = factors_in(n, rows, work[terms.total :])
    solving = factors.total + rows
    behind = work[terms.total + solving :]
    sliding = carve(Sliding, behind, 2 * rows, stops * n, stops * rows, stops * stops, stops, 2 * stops, n)
    return Forces(terms, work[terms.total :], sliding, terms.total + solving + sliding.total)


@native
def watching_in(sizes: ContactSizes, work: Array) -> Watching:
    """What ``contact_watch`` keeps, at the begin of ``work``."""
    rows = sizes.m + sizes.stride * sizes.stops
    return carve(Watching, work, rows, sizes.n, 2 * rows, 2)


def contact_workspace(nq: int, n: int, m: int, stops: int, stride: int) -> int:
    """Numbers of scratch that the functions below need."""
    sizes = ContactSizes(nq, n, m, stops, stride, 0)
    return room_for(watching_in, sizes) + room_for(forces_in, sizes)


@native
def contact_forces(
    terms: Kernel, residual: Kernel, sizes: ContactSizes, t: f64, y: Array, p: Array, work: Array, vd: Array, lam: Array
) -> i64:  # fmt: skip
    """vd and lam (bilateral rows, then those of the stops); qd is left in ``work[:nq]``."""
    n, stride = sizes.n, sizes.stride
    rows = sizes.m + stride * sizes.stops
    status = terms(t, y, p, work)
    if status != 0:
        return int(status)
    space = forces_in(sizes, work)
    own, slides = space.terms, space.sliding
    scale = p[sizes.parameters :]
    rank = int(scale[rows + RANK])
    states = scale[2 * rows + HEAD :]
    system = System(n, rows, rank, scale, own.M, own.h, own.A, own.b)
    status = accelerations(system, space.solving, vd, lam)
    if status != 0:
        return int(status)
    sliding = 0
    for s in range(sizes.stops):
        if int(states[s * STATE + KIND]) >= SLIDING:
            if sliding == 0:
                status = residual(t, y, p, slides.found)
                if status != 0:
                    return int(status)
                for i in range(rows):
                    own.b[i] = 0.0
            first = sizes.m + s * stride
            along = slides.along[2 * sliding :]
            direction(stride, states[s * STATE :], slides.found[rows + first + 1 :], along)
            for i in range(n):
                slides.push[i] = 0.0
            for k in range(stride - 1):
                subtract_multiple(n, along[k], own.A[(first + 1 + k) * n :], slides.push)
            pushed = System(n, rows, rank, scale, own.M, slides.push, own.A, own.b)
            status = accelerations(pushed, space.solving, slides.vds[sliding * n :], slides.lams[sliding * rows :])
            if status != 0:
                return int(status)
            sliding += 1
    if sliding > 0:
        status = add_friction(sizes, sliding, states, slides, vd, lam)
    return int(status)


@native
def add_friction(sizes: ContactSizes, sliding: i64, states: Array, slides: Sliding, vd: Array, lam: Array) -> i64:
    """Add the friction of the sliding contacts, from the responses to unit friction at each of them."""
    m, stops, stride = sizes.m, sizes.stops, sizes.stride
    rows = m + stride * stops
    C, x, lams = slides.C, slides.x, slides.lams
    i = 0
    for s in range(stops):
        if int(states[s * STATE + KIND]) >= SLIDING:
            x[i] = lam[m + s * stride]
            j = 0
            for other in range(stops):
                if int(states[other * STATE + KIND]) >= SLIDING:
                    C[i * sliding + j] = states[other * STATE + FRICTION] * lams[j * rows + m + s * stride]
                    if i == j:
                        C[i * sliding + j] += 1.0
                    j += 1
            i += 1
    status = solve_small(sliding, C, x)
    if status != 0:
        return status
    j = 0
    for s in range(stops):
        if int(states[s * STATE + KIND]) >= SLIDING:
            f = -states[s * STATE + FRICTION] * x[j]
            subtract_multiple(sizes.n, -f, slides.vds[j * sizes.n :], vd)
            subtract_multiple(rows, -f, lams[j * rows :], lam)
            for k in range(stride - 1):
                lam[m + s * stride + 1 + k] += f * slides.along[2 * j + k]
            j += 1
    return 0


@native
def contact_rhs(
    terms: Kernel, residual: Kernel, sizes: ContactSizes, t: f64, y: Array, p: Array, work: Array, out: Array
) -> i64:  # fmt: skip
    """ydot = [N(q) v, vd] with the active rows of the stops in force."""
    lam, own = work, work[sizes.m + sizes.stride * sizes.stops :]
    status = contact_forces(terms, residual, sizes, t, y, p, own, out[sizes.nq :], lam)
    for i in range(sizes.nq):
        out[i] = own[i]
    return int(status)


@native
def contact_solution(
    terms: Kernel, residual: Kernel, sizes: ContactSizes, t: f64, y: Array, p: Array, work: Array, out: Array
) -> i64:  # fmt: skip
    """out = [vd (n), lam (rows)]."""
    return contact_forces(terms, residual, sizes, t, y, p, work, out, out[sizes.n :])


@native
def contact_watch(
    terms: Kernel, residual: Kernel, sizes: ContactSizes, t: f64, y: Array, p: Array, work: Array, out: Array
) -> i64:  # fmt: skip
    """Two numbers per stop that become negative when its state ends.

    Open: the gap, 1. Closed: the contact force (with what rounding may do to it), and: sticking, what friction could
    hold beyond what it does hold; sliding, the slip along its direction at the start; without friction, 1.
    """
    stride = sizes.stride
    rows = sizes.m + stride * sizes.stops
    own = watching_in(sizes, work)
    lam, found = own.lam, own.found
    states = p[sizes.parameters + 2 * rows + HEAD :]
    status = contact_forces(terms, residual, sizes, t, y, p, work[own.total :], own.vd, lam)
    if status == 0:
        status = int(residual(t, y, p, found))
    if status != 0:
        return int(status)
    for s in range(sizes.stops):
        kind = int(states[s * STATE + KIND])
        first = sizes.m + s * stride
        out[2 * s] = found[first] + states[s * STATE + NOISE]
        out[2 * s + 1] = 1.0
        if kind != OPEN:
            out[2 * s] = lam[first] + states[s * STATE + NOISE]
        if kind == STICKING:
            held = sqrt(dot(stride - 1, lam[first + 1 :], lam[first + 1 :]))
            out[2 * s + 1] = states[s * STATE + FRICTION] * lam[first] - held + states[s * STATE + NOISE]
        if kind >= SLIDING:
            speed = direction(stride, states[s * STATE :], found[rows + first + 1 :], own.along)
            out[2 * s + 1] = speed - states[s * STATE + SLOW]
    return 0


@native
def bounce(
    kernels: Kernels, sizes: ContactSizes, spins: IntArray, t: f64, given: Array, p: Array, work: Array, out: Array
) -> i64:  # fmt: skip
    """The commonest impact: one stop, no friction, no constraints. Behind the parameters in p: which stop, and e.

    out = [y on the stop (nq + n), jump of v (n), D_ii, impulse, gaps and other residuals (rows), rates (rows)].
    """
    nq, n, rows = sizes.nq, sizes.n, sizes.stride * sizes.stops
    at = int(p[sizes.parameters]) * sizes.stride
    y, dv, found = out, out[nq + n :], out[nq + 2 * n + 2 :]
    for i in range(nq + n):
        y[i] = given[i]
    status = kernels.terms(t, y, p, work)
    if status == 0:
        status = kernels.residual(t, y, p, found)
    if status != 0:
        return int(status)
    terms = terms_in(nq, n, rows, work)
    L, step, scratch = work[terms.total :], work, work[n:]
    status = cholesky(n, terms.M, L)
    if status != 0:
        return int(status)
    row = terms.A[at * n :]
    for i in range(n):
        dv[i] = row[i]
    forward(n, L, dv)
    D = dot(n, dv, dv)
    backward(n, L, dv)
    for _ in range(2):
        gap = found[at]
        if gap == 0.0 or not D > 0.0:
            break
        for i in range(n):
            step[i] = -gap / D * dv[i]
        status = move(nq, n, spins, kernels.rates, t, y, p, step, scratch)
        if status == 0:
            status = int(kernels.residual(t, y, p, found))
        if status != 0:
            return int(status)
        if not abs(found[at]) < 0.5 * abs(gap):
            break
    impulse = -(1.0 + p[sizes.parameters + 1]) * found[rows + at] / D
    for i in range(n):
        dv[i] = dv[i] * impulse
    out[nq + 2 * n] = D
    out[nq + 2 * n + 1] = impulse
    return 0
