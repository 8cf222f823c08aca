"""Cholesky factors and forward substitution that leave out what is zero, in native code.

Rows of mechanisms with many bodies are nearly empty. With the velocities in a suitable order the entries of a row that
are not zero stand close together, and so they do in the factors: nothing is computed outside the first of them (and,
for rows of constraints, behind the last). ``first`` holds for each row of L where it begins.
"""

from __future__ import annotations

from math import sqrt

from cardan.linalg.cholesky import PIVOT_TOLERANCE, dot, subtract_multiple
from cardan.native.language import Array, IntArray, f64, i64, native

SHORT = 12


@native
def rearrange(n: i64, m: i64, places: IntArray, M: Array, h: Array, A: Array, spare: Array) -> None:
    """M, h and A with the velocities in another order: ``places[i]`` is the one that comes i-th.

    ``spare`` holds n n numbers.
    """
    for i in range(n * n):
        spare[i] = M[i]
    for i in range(n):
        rearrange_row(n, places, spare[places[i] * n :], M[i * n :])
    for k in range(m + 1):
        row = h
        if k < m:
            row = A[k * n :]
        for j in range(n):
            spare[j] = row[j]
        rearrange_row(n, places, spare, row)


@native
def rearrange_row(n: i64, places: IntArray, row: Array, out: Array) -> None:
    """out = row with its entries in another order."""
    for j in range(n):
        out[j] = row[places[j]]


@native
def restore_row(n: i64, places: IntArray, row: Array, out: Array) -> None:
    """out = row with its entries in the order they were given in."""
    for j in range(n):
        out[places[j]] = row[j]


@native
def begins(n: i64, row: Array) -> i64:
    """Index of the first entry that is not zero; n where all are."""
    for j in range(n):
        if row[j] != 0.0:
            return j
    return n


@native
def ends(n: i64, row: Array) -> i64:
    """Index behind the last entry that is not zero; 0 where all are."""
    j = n
    while j > 0 and row[j - 1] == 0.0:
        j -= 1
    return j


@native
def cholesky_within(n: i64, M: Array, first: Array, L: Array) -> i64:
    """M = L L^T with L in the lower triangle; 0, or 1 + the index of the pivot that failed. Fills ``first``."""
    for i in range(n):
        row, given = L[i * n :], M[i * n :]
        start = begins(i, given)
        first[i] = float(start)
        for j in range(start):
            row[j] = 0.0
        for j in range(start, i):
            low = max(start, int(first[j]))
            row[j] = (given[j] - within(low, j, row, L[j * n :])) / L[j * n + j]
        pivot = given[i] - within(start, i, row, row)
        if not pivot > PIVOT_TOLERANCE * given[i]:
            return i + 1
        row[i] = sqrt(pivot)
    return 0


@native
def take_off(low: i64, high: i64, factor: f64, x: Array, y: Array) -> None:
    """y <- y - factor x, from index low up to high; short stretches without the preparations that long ones need."""
    if high - low > SHORT:
        subtract_multiple(high - low, factor, x[low:], y[low:])
    else:
        for i in range(low, high):
            y[i] -= factor * x[i]


@native
def within(low: i64, high: i64, x: Array, y: Array) -> f64:
    """x . y, from index low up to high."""
    if low >= high:
        return 0.0
    return dot(high - low, x[low:], y[low:])


@native
def forward_within(n: i64, L: Array, first: Array, begin: i64, end: i64, x: Array) -> i64:
    """x <- L^-1 x for an x that is zero outside begin and end; returns where it ends then."""
    for i in range(begin, n):
        low = max(begin, int(first[i]))
        if i < end or low < end:
            x[i] = (x[i] - within(low, min(i, end), L[i * n :], x)) / L[i * n + i]
            if x[i] != 0.0:
                end = max(end, i + 1)
    return end


@native
def backward_within(n: i64, L: Array, first: Array, x: Array) -> None:
    """x <- L^-T x"""
    for k in range(n):
        i = n - 1 - k
        x[i] = x[i] / L[i * n + i]
        low = int(first[i])
        take_off(low, i, x[i], L[i * n :], x)
