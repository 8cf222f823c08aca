"""One step on the constraint manifold: RATTLE for any mass matrix M(q), and the energy-momentum midpoint rule.

The discrete Lagrangian h L((q0 + q1)/2, (q1 - q0)/h) with constraints at the ends of the step gives, with the midpoint
q = q0 + h v/2, the mean velocity v, momenta p = dL/dv and push = dL/dq + Q there [Marsden, West 2001, section 3.5;
Leimkuhler, Reich 2004, section 7.2 for M = const],

    p(q, v) - (h/2) push(q, v) = p0 + A(q0)^T lam        phi(q1, t1) = 0
    p1 = p(q, v) + (h/2) push(q, v) + A(q1)^T mu         A(q1) v1 + b0 = 0

(velocity constraints: A v + b0 = 0 at the midpoint and at the end). The energy-momentum rule has the constraint force
at the midpoint, A(q)^T lam, and a force -sigma d along d = M (q1 - q0), restricted to the coordinates that appear in L
or in a constraint, with sigma such that the energy changes by the work of Q alone: a discrete gradient [Gonzalez 1996,
J. Nonlinear Sci. 6], which leaves the momenta of all other coordinates as they are.

Both are solved by Newton's method with M and A of the predicted midpoint as derivatives; dependent rows are dropped by
the pivoted Gram-Schmidt of ``linalg/constrained.py`` as far as the generic rank. Where that does not converge, near a
loss of rank, the constraints are linearised at the end of the step (``saddle.py``).
"""

from __future__ import annotations

from cardan.linalg.cholesky import backward, dot, forward
from cardan.linalg.constrained import factors_size, impose, measure_rows, multipliers
from cardan.linalg.orthonormal import holonomic_rows_first
from cardan.linalg.projection import HOLONOMIC_RANK
from cardan.native.language import Array, Callback, IntArray, Kernel, f64, i64, native
from cardan.simulation.common import all_finite, copy, observe
from cardan.simulation.layout import EPS, EVALUATIONS, FACTORISATIONS, NO_CONVERGENCE, PIVOT, PIVOT_FAILED
from cardan.simulation.methods.dense import largest
from cardan.simulation.methods.saddle import saddle_step, saddle_work

MOST = 60  # Newton iterations
ROUNDS = 12  # corrections of sigma
LIGHT = 0.5  # of the inertia over a step: what the force along the path that mends the energy may be


def rows_work(n: int, m: int) -> int:
    """Numbers of scratch for n velocities and m constraint rows."""
    return 16 * n + 8 * m + 2 * (n * n + m * n) + m * n + 2 * factors_size(n, m) + saddle_work(n, m) + 16


@native
def factors(
    structure: Kernel, before: Callback, t: f64, n: i64, m: i64, rank: i64, scale: Array, holonomic: IntArray, y: Array,
    p: Array, shape: Array, store: Array, zero: Array, count: IntArray,
) -> i64:  # fmt: skip
    """``shape`` = [M, A] at y; ``store`` = its factors [L, W, V, R, book], rows with a phi first."""
    status = observe(structure, before, t, y, p, shape, count)
    if status != 0:
        return status
    for i in range(n + m):
        zero[i] = 0.0
    L, W, V = store, store[n * n :], store[n * n + m * n :]
    R, book = store[n * n + 2 * m * n :], store[n * n + 2 * m * n + m * m :]
    count[FACTORISATIONS] += 1
    failed = measure_rows(n, m, scale, shape[n * n :], zero, shape, zero[m:], L, W, book)
    if failed != 0:
        count[PIVOT] = failed - 1
        return PIVOT_FAILED
    if m > 0:
        holonomic_rows_first(n, m, rank, int(scale[m + HOLONOMIC_RANK]), holonomic, W, V, R, book)
    return 0


@native
def solve_rows(
    n: i64, m: i64, rank: i64, scale: Array, store: Array, b: Array, x: Array, d: Array, lam: Array
) -> None:  # fmt: skip
    """x <- the solution of M x' = x + A^T lam with A x' = b."""
    L, V = store, store[n * n + m * n :]
    R, book = store[n * n + 2 * m * n :], store[n * n + 2 * m * n + m * m :]
    forward(n, L, x)
    impose(n, m, rank, scale, b, V, R, book, x, d)
    multipliers(m, rank, scale, R, book, d, lam)
    backward(n, L, x)


@native
def constraint_defect(
    residual: Kernel, before: Callback, t: f64, h: f64, n: i64, m: i64, holonomic: IntArray, y: Array, v: Array,
    p: Array, state: Array, out: Array, b: Array, count: IntArray,
) -> i64:  # fmt: skip
    """b = -phi(q1)/h for holonomic rows, -(A v + b0) at the midpoint for the others; ``out`` holds 2m numbers."""
    if m == 0:
        return 0
    for i in range(n):
        state[i] = y[i] + 0.5 * h * v[i]
        state[n + i] = v[i]
    status = observe(residual, before, t + 0.5 * h, state, p, out, count)
    for i in range(m):
        b[i] = -out[m + i]
    if status != 0:
        return status
    for i in range(n):
        state[i] = y[i] + h * v[i]
    status = observe(residual, before, t + h, state, p, out, count)
    for i in range(m):
        if holonomic[i] != 0:
            b[i] = -out[i] / h
    return status


@native
def solve_midpoint(
    momentum: Kernel, rate: Kernel, structure: Kernel, residual: Kernel, before: Callback, exact: i64, t: f64, h: f64,
    n: i64, m: i64, rank: i64, scale: Array, holonomic: IntArray, y: Array, p0: Array, sigma: f64, push: Array,
    v: Array, lam: Array, A0: Array, shape: Array, store: Array, p: Array, free: Array, saddle: i64, last: Array,
    spare: Array, count: IntArray,
) -> i64:  # fmt: skip
    """Newton's iterations for the mean velocity v and lam; leaves ``push`` and, for exact = 1, [M, A] at the midpoint.

    With ``saddle`` the constraints are linearised at the end of the step in every iteration (A in ``last``).
    ``free`` holds 5 n + 5 m numbers of scratch; its first n say which coordinates d has.
    """
    mask, middle, r = free, free[n:], free[3 * n :]
    defect, b, d, more = free[4 * n :], free[4 * n + 2 * m :], free[4 * n + 3 * m :], free[4 * n + 4 * m :]
    A = A0
    if exact != 0:
        A = shape[n * n :]
    previous = 0.0
    for iteration in range(MOST):
        for i in range(n):
            middle[i] = y[i] + 0.5 * h * v[i]
            middle[n + i] = v[i]
        count[EVALUATIONS] += 1
        status = observe(momentum, before, t + 0.5 * h, middle, p, r, count)
        if status == 0:
            status = observe(rate, before, t + 0.5 * h, middle, p, push, count)
        if status == 0 and exact != 0:
            status = observe(structure, before, t + 0.5 * h, middle, p, shape, count)
        if status == 0:
            status = constraint_defect(residual, before, t, h, n, m, holonomic, y, v, p, middle, defect, b, count)
        if status != 0:
            return status
        for i in range(n):
            total = p0[i] + 0.5 * h * push[i] - r[i]
            if exact != 0:
                total -= 0.5 * h * sigma * mask[i] * h * masked(n, shape[i * n :], mask, v)
            for k in range(m):
                if scale[k] > 0.0:
                    total += A[k * n + i] * lam[k]
            r[i] = total
        if saddle == 0:
            solve_rows(n, m, rank, scale, store, b, r, d, more)
        else:
            status = observe(structure, before, t + h, middle, p, last, count)
            if status != 0:
                return status
            saddle_step(n, m, rank, scale, store, A, last[n * n :], b, r, more, spare)
        for i in range(n):
            v[i] += r[i]
        for k in range(m):
            lam[k] += more[k]
        if all_finite(n, v) == 0:
            return NO_CONVERGENCE
        change = largest(n, r)
        size = max(largest(n, v), largest(n, y[n:]))  # a step up and down again has no mean velocity
        if change <= 2e-16 * size:
            return 0
        if iteration > 1 and change >= 0.5 * previous and change <= 1e-12 * size + 64.0 * EPS * largest(n, y) / abs(h):
            return 0  # round-off of v, or of q1 = q0 + h v
        if saddle != 0 and iteration > 2 and change <= 1e-6 * size and h * largest(m, b) <= 64.0 * EPS * largest(n, y):
            return 0  # the constraints say no more about v than this
        if iteration > 0 and change * change <= 1e-17 * size * previous:
            return 0  # the next change, by the rate of this one, would be below a tenth of an ulp
        previous = change
    return NO_CONVERGENCE


@native
def predict(
    rhs: Kernel, before: Callback, t: f64, h: f64, n: i64, y: Array, p: Array, v: Array, scratch: Array, count: IntArray
) -> None:  # fmt: skip
    """v = v0 + (h/2) vd, or v0 where there is no acceleration to be had."""
    status = observe(rhs, before, t, y, p, scratch, count)
    for i in range(n):
        v[i] = y[n + i]
        if status == 0:
            v[i] += 0.5 * h * scratch[n + i]


@native
def manifold_step(
    rhs: Kernel, momentum: Kernel, rate: Kernel, structure: Kernel, residual: Kernel, forces: Kernel, energy: Kernel,
    before: Callback, exact: i64, t: f64, h: f64, n: i64, m: i64, holonomic: IntArray, tail: i64, y: Array, y_new:
    Array, p: Array, work: Array, count: IntArray,
) -> i64:  # fmt: skip
    """y_new after one step from y; ``exact`` = 0: RATTLE, 1: energy-momentum. 0 or a failure."""
    p0, v, push, Q, p1, end = work, work[n:], work[2 * n :], work[3 * n :], work[4 * n :], work[5 * n :]
    free = work[7 * n :]
    lam = work[12 * n + 5 * m :]
    zero = work[12 * n + 6 * m :]
    numbers = work[13 * n + 7 * m :]
    guess = work[13 * n + 7 * m + 8 :]
    shape = work[14 * n + 7 * m + 8 :]
    last = shape[n * n + m * n :]
    A0 = last[n * n + m * n :]
    store = A0[m * n :]
    final = store[n * n + 2 * m * n + m * m + 7 * m + n :]
    scale = p[tail:]
    rank = 0
    if m > 0:
        rank = int(p[tail + m])
    status = observe(momentum, before, t, y, p, p0, count)
    if status == 0:
        status = observe(structure, before, t, y, p, last, count)
    for i in range(m * n):
        A0[i] = last[n * n + i]
    predict(rhs, before, t, h, n, y, p, guess, end, count)
    for i in range(n):
        v[i] = guess[i]
        end[i] = y[i] + 0.5 * h * v[i]
        end[n + i] = v[i]
    for k in range(m):
        lam[k] = 0.0
    if status == 0:
        status = factors(
            structure, before, t + 0.5 * h, n, m, rank, scale, holonomic, end, p, shape, store, zero, count,
        )  # fmt: skip
    if status == 0 and exact != 0:
        status = observe(energy, before, t + 0.5 * h, y, p, numbers, count)
    if status != 0:
        return status
    E0 = numbers[2]
    size = abs(numbers[0]) + abs(numbers[1]) + abs(numbers[2])
    sigma = 0.0
    saddle = 0
    spare = final[n * n + 2 * m * n + m * m + 7 * m + n :]
    for i in range(n):
        free[i] = 1.0
    best = 1e300
    for _ in range(ROUNDS):
        status = solve_midpoint(
            momentum, rate, structure, residual, before, exact, t, h, n, m, rank, scale, holonomic, y, p0, sigma, push,
            v, lam, A0, shape, store, p, free, saddle, last, spare, count,
        )  # fmt: skip
        if status == NO_CONVERGENCE and saddle == 0 and m > 0:
            saddle = 1
            copy(n, guess, v)
            for k in range(m):
                lam[k] = 0.0
            status = solve_midpoint(
                momentum, rate, structure, residual, before, exact, t, h, n, m, rank, scale, holonomic, y, p0, sigma,
                push, v, lam, A0, shape, store, p, free, saddle, last, spare, count,
            )  # fmt: skip
        if status != 0:
            return status
        share = 1.0
        A = A0
        if exact != 0:
            share = 2.0
            A = shape[n * n :]
        for i in range(n):
            p1[i] = p0[i] + h * push[i]
            if exact != 0:
                p1[i] -= h * sigma * free[i] * h * masked(n, shape[i * n :], free, v)
            for k in range(m):
                if scale[k] > 0.0:
                    p1[i] += share * A[k * n + i] * lam[k]
        status = end_velocity(
            momentum, structure, residual, before, t + h, h, n, m, rank, scale, holonomic, y, v, p1, end, last, final,
            zero, p, free[n:], count,
        )  # fmt: skip
        if status != 0:
            return status
        if exact == 0:
            break
        # energy: its change less the work of Q and of moving constraints
        for i in range(n):
            y_new[i] = y[i] + 0.5 * h * v[i]
            y_new[n + i] = v[i]
        for i in range(n):
            Q[i] = 0.0
        if forces != 0:
            status = observe(forces, before, t + 0.5 * h, y_new, p, Q, count)
        if status == 0:
            status = observe(energy, before, t + 0.5 * h, end, p, numbers, count)
        if status != 0:
            return status
        change = numbers[2] - E0 - h * dot(n, Q, v)
        size = max(size, abs(numbers[0]) + abs(numbers[1]) + abs(numbers[2]))
        if m > 0:
            for i in range(n):
                y_new[n + i] = 0.0
            status = observe(residual, before, t + 0.5 * h, y_new, p, free[n:], count)
            if status != 0:
                return status
            for k in range(m):
                if scale[k] > 0.0:
                    change += 2.0 * lam[k] * free[n + m + k] - zero[k] * free[2 * n + 2 * m + k]
        for i in range(n):  # a coordinate that neither L nor a constraint depends on keeps its momentum
            free[i] = 0.0
            if push[i] - Q[i] != 0.0:
                free[i] = 1.0
            for k in range(m):
                if A[k * n + i] != 0.0:
                    free[i] = 1.0
        length = 0.0
        for i in range(n):
            length += h * h * free[i] * v[i] * masked(n, shape[i * n :], free, v)
        if abs(change) <= EPS * size or abs(change) >= 0.9 * best or not length > 1e-300:
            break
        best = abs(change)
        if h * h * abs(sigma + change / length) > LIGHT:
            break  # a path of hardly any length, up and down again: no force along it can mend the energy
        sigma += change / length
    copy(2 * n, end, y_new)
    return 0


@native
def masked(n: i64, row: Array, mask: Array, v: Array) -> f64:
    """Sum of row_j v_j over the entries that are not masked out."""
    total = 0.0
    for j in range(n):
        total += row[j] * mask[j] * v[j]
    return total


@native
def end_velocity(
    momentum: Kernel, structure: Kernel, residual: Kernel, before: Callback, t: f64, h: f64, n: i64, m: i64, rank: i64,
    scale: Array, holonomic: IntArray, y: Array, v: Array, p1: Array, end: Array, shape: Array, store: Array, zero:
    Array, p: Array, scratch: Array, count: IntArray,
) -> i64:  # fmt: skip
    """end = [q0 + h v, v1] with M v1 = p1 - (dL/dv at v = 0) + A^T mu and A v1 + b0 = 0.

    Leaves mu in ``zero`` and -b0 in ``scratch[n + 2 m :]``.
    """
    r, offsets, b, d = scratch, scratch[n:], scratch[n + 2 * m :], scratch[n + 3 * m :]
    for i in range(n):
        end[i] = y[i] + h * v[i]
        end[n + i] = 0.0
    status = factors(structure, before, t, n, m, rank, scale, holonomic, end, p, shape, store, zero, count)
    if status == 0:
        status = observe(momentum, before, t, end, p, r, count)
    if status == 0 and m > 0:
        status = observe(residual, before, t, end, p, offsets, count)
    if status != 0:
        return status
    for k in range(m):
        b[k] = -offsets[m + k]
    for i in range(n):
        end[n + i] = p1[i] - r[i]
    solve_rows(n, m, rank, scale, store, b, end[n:], d, zero)
    return 0
