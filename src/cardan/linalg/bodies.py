"""The articulated-body algorithm as a loop over bodies, structure as data [Featherstone2008, table 7.1].

Straight-line code of a tree grows with every body, and with it the time to compile it. Here the code is the same for
every tree: what a body is (orientation, place, axis, inertia, rate, effort) stands in rows of numbers that a small
generated kernel fills in, how they hang together in tables. Joints turn or slide; frames are those of the links.
"""

from __future__ import annotations

from cardan.native.language import Array, IntArray, Kernel, f64, i64, native

ROW = 26  # of each body: R (9), p (3), axis (3), mass, m c (3), J about the origin (xx xy xz yy yz zz), effort
AXIS, MASS, MOMENT, INERTIA, EFFORT = 12, 15, 16, 19, 25
OWN = 78  # numbers that each body needs on the way
V, DRIFT, J, H, M, BIAS, U, WHOLE, D, LEFT, A = 0, 6, 12, 21, 30, 39, 45, 51, 64, 65, 66
SPARE = 64
PIVOT = 64 * 2.0**-52  # as that of straight-line kernels
TURNS = 0


@native
def cross_add(factor: f64, a: Array, b: Array, out: Array) -> None:
    """out += factor a x b"""
    out[0] += factor * (a[1] * b[2] - a[2] * b[1])
    out[1] += factor * (a[2] * b[0] - a[0] * b[2])
    out[2] += factor * (a[0] * b[1] - a[1] * b[0])


@native
def add(factor: f64, x: Array, out: Array) -> None:
    """out += factor x, three numbers"""
    for i in range(3):
        out[i] += factor * x[i]


@native
def inner(x: Array, y: Array) -> f64:
    """x . y, three numbers"""
    return float(x[0] * y[0] + x[1] * y[1] + x[2] * y[2])


@native
def times_add(S: Array, x: Array, out: Array) -> None:
    """out += S x"""
    for i in range(3):
        out[i] += S[3 * i] * x[0] + S[3 * i + 1] * x[1] + S[3 * i + 2] * x[2]


@native
def times_turned_add(S: Array, x: Array, out: Array) -> None:
    """out += S^T x"""
    for i in range(3):
        out[i] += S[i] * x[0] + S[3 + i] * x[1] + S[6 + i] * x[2]


@native
def clear(count: i64, out: Array) -> None:
    """out = 0"""
    for i in range(count):
        out[i] = 0.0


@native
def turned(R: Array, S: Array, half: Array, out: Array) -> None:
    """out = R S R^T; ``half`` holds nine numbers."""
    for i in range(3):
        for j in range(3):
            half[3 * i + j] = R[3 * i] * S[j] + R[3 * i + 1] * S[3 + j] + R[3 * i + 2] * S[6 + j]
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = half[3 * i] * R[3 * j] + half[3 * i + 1] * R[3 * j + 1] + half[3 * i + 2] * R[3 * j + 2]


@native
def turned_symmetric(R: Array, S: Array, half: Array, out: Array) -> None:
    """out = R S R^T for a symmetric S; ``half`` holds nine numbers."""
    for i in range(3):
        for j in range(3):
            half[3 * i + j] = R[3 * i] * S[j] + R[3 * i + 1] * S[3 + j] + R[3 * i + 2] * S[6 + j]
    for i in range(3):
        for j in range(i, 3):
            x = half[3 * i] * R[3 * j] + half[3 * i + 1] * R[3 * j + 1] + half[3 * i + 2] * R[3 * j + 2]
            out[3 * i + j] = x
            out[3 * j + i] = x


@native
def to_child(row: Array, before: Array, out: Array) -> None:
    """The motion of the parent (angular, linear), seen from the link."""
    clear(6, out)
    moved = out[6:]
    for i in range(3):
        moved[i] = before[3 + i]
    cross_add(1.0, before, row[9:], moved)
    times_turned_add(row, before, out)
    times_turned_add(row, moved, out[3:])


@native
def arrive(kind: i64, rate: f64, row: Array, before: Array, own: Array) -> None:
    """Velocity, drift, inertia and bias force of one body."""
    moved, drift, force = own[V:], own[DRIFT:], own[BIAS:]
    to_child(row, before, moved)  # its seventh to ninth numbers are written before drift is
    axis = row[AXIS:]
    if kind == TURNS:
        add(rate, axis, moved)
    else:
        add(rate, axis, moved[3:])
    clear(6, drift)
    cross_add(rate, moved, axis, drift[3 * kind :])
    if kind == TURNS:
        cross_add(rate, moved[3:], axis, drift[3:])
    rigid(row, own)
    clear(6, force)
    n, f = own[A:], own[A + 3 :]
    clear(6, n)
    times_add(own[J:], moved, n)
    cross_add(1.0, row[MOMENT:], moved[3:], n)
    add(row[MASS], moved[3:], f)
    cross_add(-1.0, row[MOMENT:], moved, f)
    cross_add(1.0, moved, n, force)
    cross_add(1.0, moved[3:], f, force)
    cross_add(1.0, moved, f, force[3:])


@native
def rigid(row: Array, own: Array) -> None:
    """The inertia of a body as an articulated one, and as the whole that its joint carries (m, m c, J)."""
    inertia, moment = row[INERTIA:], row[MOMENT:]
    clear(27, own[J:])
    at = 0
    for i in range(3):
        for j in range(i, 3):
            own[J + 3 * i + j] = inertia[at]
            own[J + 3 * j + i] = inertia[at]
            at += 1
        own[M + 4 * i] = row[MASS]
    own[H + 1], own[H + 2], own[H + 5] = -moment[2], moment[1], -moment[0]
    own[H + 3], own[H + 6], own[H + 7] = moment[2], -moment[1], moment[0]
    for i in range(9):
        own[WHOLE + i] = own[J + i]
    for i in range(3):
        own[WHOLE + 9 + i] = moment[i]
    own[WHOLE + 12] = row[MASS]


@native
def along(kind: i64, axis: Array, pair: Array) -> f64:
    """The part of a force (moment, force) that a joint feels."""
    return inner(axis, pair[3 * kind :])


@native
def pass_gate(kind: i64, row: Array, own: Array) -> f64:
    """The joint eliminated: U, D, u / D, and what is left of inertia and bias; 0 where D vanishes."""
    axis, u = row[AXIS:], own[U:]
    clear(6, u)
    size = 0.0
    if kind == TURNS:
        times_add(own[J:], axis, u)
        times_turned_add(own[H:], axis, u[3:])
        for i in range(3):
            size += axis[i] * inner(own[WHOLE + 3 * i :], axis)
    else:
        times_add(own[H:], axis, u)
        times_add(own[M:], axis, u[3:])
        size = own[WHOLE + 12] * inner(axis, axis)
    d = along(kind, axis, u)
    fails = not d > PIVOT * size
    own[D] = 0.0  # reported, and nothing after it is used
    if not fails:
        own[D] = 1.0 / d
    own[LEFT] = (row[EFFORT] - along(kind, axis, own[BIAS:])) * own[D]
    for i in range(3):
        for j in range(3):
            own[J + 3 * i + j] -= u[i] * own[D] * u[j]
            own[H + 3 * i + j] -= u[i] * own[D] * u[3 + j]
            own[M + 3 * i + j] -= u[3 + i] * own[D] * u[3 + j]
    drift, force = own[DRIFT:], own[BIAS:]
    times_add(own[J:], drift, force)
    times_add(own[H:], drift[3:], force)
    times_turned_add(own[H:], drift, force[3:])
    times_add(own[M:], drift[3:], force[3:])
    add(own[LEFT], u, force)
    add(own[LEFT], u[3:], force[3:])
    if fails:
        return 0.0
    return 1.0


@native
def give(row: Array, own: Array, parent: Array, spare: Array) -> None:
    """What the parent feels of a link: inertia, bias and the whole that is carried, moved to its origin and axes."""
    p, half = row[9:], spare[27:]
    turned_symmetric(row, own[J:], half, spare)
    turned(row, own[H:], half, spare[9:])
    turned_symmetric(row, own[M:], half, spare[18:])
    hand_over(p, spare, spare[9:], spare[18:], parent[J:], parent[H:], half)
    for i in range(9):
        parent[M + i] += spare[18 + i]
    n, f = half, half[3:]
    clear(6, n)
    times_add(row, own[BIAS:], n)
    times_add(row, own[BIAS + 3 :], f)
    cross_add(1.0, p, f, n)
    for i in range(6):
        parent[BIAS + i] += n[i]
    carry(row, own[WHOLE:], parent[WHOLE:], spare)


@native
def carry(row: Array, own: Array, parent: Array, spare: Array) -> None:
    """The inertia (J, m c, m) of what a joint carries, moved to the parent's origin and axes, and added there."""
    p, before, after = row[9:], spare[18:], spare[21:]
    turned_symmetric(row, own, spare[9:], spare)
    clear(3, before)
    times_add(row, own[9:], before)
    for i in range(3):
        after[i] = before[i] + own[12] * p[i]
        parent[9 + i] += after[i]
    trace = inner(p, before) + inner(p, after)
    for i in range(3):
        for j in range(3):
            parent[3 * i + j] += spare[3 * i + j] - p[i] * after[j] - before[i] * p[j]
        parent[4 * i] += trace
    parent[12] += own[12]


@native
def hand_over(p: Array, J_: Array, H_: Array, M_: Array, J_out: Array, H_out: Array, moved: Array) -> None:
    """J_out += J + P H^T + (H + P M) P^T and H_out += H + P M, with P x = p x x; ``moved`` holds nine numbers."""
    for j in range(3):
        k, m = (j + 1) % 3, (j + 2) % 3
        for i in range(3):
            moved[3 * j + i] = H_[3 * j + i] + (p[k] * M_[3 * m + i] - p[m] * M_[3 * k + i])
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            k, m = (j + 1) % 3, (j + 2) % 3
            first = p[a] * H_[3 * j + b] - p[b] * H_[3 * j + a]
            J_out[3 * i + j] += J_[3 * i + j] + first + (p[k] * moved[3 * i + m] - p[m] * moved[3 * i + k])
            H_out[3 * i + j] += moved[3 * i + j]


@native
def accelerate(kind: i64, row: Array, before: Array, own: Array) -> f64:
    """Acceleration of the joint, and of the body."""
    a, u, axis = own[A:], own[U:], row[AXIS:]
    to_child(row, before, a)
    for i in range(6):
        a[i] += own[DRIFT + i]
    found = own[LEFT] - (inner(u, a) + inner(u[3:], a[3:])) * own[D]
    add(found, axis, a[3 * kind :])
    return float(found)


@native
def looped_accelerations(
    changing: Kernel, n: i64, nv: i64, pushed: i64, count: i64, fixed: Array, where: IntArray, parents: IntArray,
    kinds: IntArray, places: IntArray, t: f64, y: Array, p: Array, work: Array, out: Array,
) -> i64:  # fmt: skip
    """Accelerations of a tree whose qd is v; ``pushed`` tells of tau in y.

    Minus gravity and a row for each body stand in ``fixed``, but for the ``count`` numbers that ``changing`` makes and
    ``where`` places.
    """
    spare = work[3 + n * ROW :]
    failed = int(changing(t, y, p, spare))
    for i in range(3 + n * ROW):
        work[i] = fixed[i]
    for i in range(count):
        work[where[i]] = spare[i]
    base, bodies = spare[SPARE:], spare[SPARE + 9 :]
    clear(9, base)
    for k in range(n):
        before = base
        if parents[k] >= 0:
            before = bodies[parents[k] * OWN :]
        if pushed == 1:
            work[3 + k * ROW + EFFORT] += y[2 * nv + places[k]]
        arrive(kinds[k], y[nv + places[k]], work[3 + k * ROW :], before, bodies[k * OWN :])
    for back in range(n):
        k = n - 1 - back
        row, own = work[3 + k * ROW :], bodies[k * OWN :]
        if pass_gate(kinds[k], row, own) == 0.0 and (failed == 0 or places[k] + 1 < failed):
            failed = places[k] + 1
        if parents[k] >= 0:
            give(row, own, bodies[parents[k] * OWN :], spare)
    for i in range(3):
        base[3 + i] = work[i]
    for k in range(n):
        before = base
        if parents[k] >= 0:
            before = bodies[parents[k] * OWN + A :]
        out[places[k]] = accelerate(kinds[k], work[3 + k * ROW :], before, bodies[k * OWN :])
    return failed


@native
def looped_rhs(
    changing: Kernel, n: i64, nv: i64, pushed: i64, count: i64, fixed: Array, where: IntArray, parents: IntArray,
    kinds: IntArray, places: IntArray, t: f64, y: Array, p: Array, work: Array, out: Array,
) -> i64:  # fmt: skip
    """[v, vd]"""
    for i in range(nv):
        out[i] = y[nv + i]
    return looped_accelerations(
        changing, n, nv, pushed, count, fixed, where, parents, kinds, places, t, y, p, work, out[nv:]
    )


def looped_workspace(n: int) -> int:
    """Numbers that a tree of n bodies needs."""
    return 3 + n * ROW + SPARE + 9 + n * max(OWN, ROW)  # what changes is at most a row, and stands there first
