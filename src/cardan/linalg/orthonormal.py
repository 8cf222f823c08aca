"""Orthonormal bases of rows by pivoted Gram-Schmidt, in native code, as far as a given rank.

Of the rows that are left one comes next that the earlier ones do not nearly contain; what the others share with it is
taken off them. So the least pivot tells how far the rows are from losing rank. Each row is touched only between its
first and its last entry that is not zero (of all rows that were taken off it, too), and those that are short in this
sense come first: rows of a chain share something with their neighbours alone, and most of them stay short.

What is known about the rows meanwhile stands in a ``Book``.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from cardan.linalg.envelope import begins, ends, take_off, within
from cardan.native.language import Array, IntArray, carve, f64, i64, native, room_for

LARGE = 0.01  # of a length squared: rows of which as much is left may be chosen before the largest
EVEN = 1e-8  # of the largest length squared: rows that are smaller come last
WAITING, HELD_BACK = -1.0, -2.0  # of rows that were not chosen yet, or may not be chosen yet


class Book(NamedTuple):
    """What is known about m rows of n numbers."""

    order: Array  # as which one each was chosen, or WAITING or HELD_BACK
    begin: Array  # where each begins
    end: Array  # and ends
    size: Array  # the length of each, squared
    chosen: Array  # which one was chosen k-th, -1 where none was left
    least: Array  # what has to be left of each for it to be chosen early
    line: Array  # the rows that stand in line
    first: Array  # where the rows of the factor L of M begin
    total: i64


class Rows(NamedTuple):
    """Rows W (m by n, destroyed), their orthonormal basis V and its shares R in them: w_i = sum of R_ik V_k."""

    n: i64
    m: i64
    W: Array
    V: Array
    R: Array
    book: Book


@native
def book_in(n: i64, m: i64, work: Array) -> Book:
    """A book at the begin of ``work``."""
    return carve(Book, work, m, m, m, m, m, m, m, n)


def book_size(n: int, m: int) -> int:
    """How many numbers a book has."""
    return room_for(book_in, n, m)


@native
def measure(rows: Rows) -> None:
    """Where each row begins and ends."""
    n, begin, end = rows.n, rows.book.begin, rows.book.end
    for i in range(rows.m):
        end[i] = float(ends(n, rows.W[i * n :]))
        begin[i] = float(begins(int(end[i]), rows.W[i * n :]))


@native
def orthonormal_rows(rows: Rows, rank: i64) -> i64:
    """Gram-Schmidt of the measured rows, as far as ``rank``; returns how many were found.

    ``R[i * m + k]`` is the share of V_k in row i.
    """
    for i in range(rows.m):
        rows.book.order[i] = WAITING
    return choose_rows(rows, 0, rank)


@native
def holonomic_rows_first(rows: Rows, rank: i64, first: i64, has_phi: IntArray) -> i64:
    """As ``orthonormal_rows``, but ``first`` rows are taken from those with a phi before any other is considered.

    A velocity constraint may repeat what a holonomic one says. Whichever is chosen, the velocities are the same; but
    only the holonomic one can tell how far a configuration has drifted. Returns how many of the first were found.
    """
    order = rows.book.order
    for i in range(rows.m):
        order[i] = WAITING if has_phi[i] != 0 else HELD_BACK
    found = choose_rows(rows, 0, first)
    for i in range(rows.m):
        if order[i] < 0.0:
            order[i] = WAITING
    choose_rows(rows, found, rank)
    return found


@native
def choose_rows(rows: Rows, start: i64, rank: i64) -> i64:
    """Go on from ``start`` rows chosen to ``rank`` of them, among those that wait; returns how many there are then."""
    n, m, W, V, R = rows.n, rows.m, rows.W, rows.V, rows.R
    order, begin, end, size = rows.book.order, rows.book.begin, rows.book.end, rows.book.size
    chosen, line = rows.book.chosen, rows.book.line
    if start == 0:
        compare_sizes(rows, rank)
        for c in range(m * m):
            R[c] = 0.0
    count = 0
    for i in range(m):
        if order[i] < 0.0 and size[i] > 0.0:
            line[count] = float(i)
            count += 1
    place = next_row(rows, count)
    for k in range(start, rank):
        if place < 0:
            for c in range(k * n, rank * n):
                V[c] = 0.0
            for j in range(k, rank):
                chosen[j] = -1.0
            return k
        at = int(line[place])
        count -= 1
        line[place] = line[count]
        straighten(rows, k, at)
        first, last = begin[at], end[at]
        low, high = int(first), int(last)
        row, own = W[at * n :], V[k * n :]
        length = sqrt(within(low, high, row, row))
        for c in range(n):
            own[c] = 0.0
        inverse = 1.0 / length
        for c in range(low, high):
            own[c] = row[c] * inverse
        order[at], chosen[k] = float(k), float(at)
        R[at * m + k] = length
        for j in range(count):
            i = int(line[j])
            if begin[i] < last and end[i] > first:
                other = W[i * n :]
                share = within(max(low, int(begin[i])), min(high, int(end[i])), own, other)
                R[i * m + k] = share
                begin[i], end[i] = min(begin[i], first), max(end[i], last)
                take_off(low, high, share, own, other)
                size[i] = within(int(begin[i]), int(end[i]), other, other)
        place = next_row(rows, count)
    return rank


@native
def compare_sizes(rows: Rows, rank: i64) -> None:
    """The lengths of the rows, squared, and how much has to be left of each for it to be chosen early.

    Where every row is needed that is a part of its own length, also of short ones. Where some are to spare, a short row
    must not be taken for a long one that says the same better: it is a part of the longest.
    """
    n, m, W = rows.n, rows.m, rows.W
    begin, end, size, least = rows.book.begin, rows.book.end, rows.book.size, rows.book.least
    largest, count = 0.0, 0
    for i in range(m):
        size[i] = within(int(begin[i]), int(end[i]), W[i * n :], W[i * n :])
        largest = max(largest, size[i])
        if size[i] > 0.0:
            count += 1
    for i in range(m):
        least[i] = LARGE * largest
        if count == rank:
            least[i] = LARGE * max(size[i], EVEN / LARGE * largest)


@native
def next_row(rows: Rows, count: i64) -> i64:
    """Where in line the shortest from begin to end of the rows stands of which enough is left, else the largest; -1
    where all are zero."""
    order, begin, end, size = rows.book.order, rows.book.begin, rows.book.end, rows.book.size
    n, least, line = rows.n, rows.book.least, rows.book.line
    place, best, width = -1, 0.0, float(n + 1)
    for j in range(count):
        i = int(line[j])
        if order[i] == WAITING and size[i] > 1e-280:
            own = float(n + 1)
            if size[i] >= least[i]:
                own = end[i] - begin[i]
            if own < width or (own == width and size[i] > best):
                place, best, width = j, size[i], own
    return place


@native
def straighten(rows: Rows, k: i64, at: i64) -> None:
    """Take the k rows chosen before off row ``at`` once more, so that rounding does not tilt V."""
    n, m, V, R = rows.n, rows.m, rows.V, rows.R
    begin, end, chosen = rows.book.begin, rows.book.end, rows.book.chosen
    row = rows.W[at * n :]
    for j in range(k):
        other = int(chosen[j])
        if begin[other] < end[at] and end[other] > begin[at]:  # then it lies within: it was taken off before
            low, high = int(begin[other]), int(end[other])
            share = within(low, high, V[j * n :], row)
            R[at * m + j] += share
            take_off(low, high, share, V[j * n :], row)


@native
def least_pivot(rows: Rows, rank: i64) -> f64:
    """The least pivot up to the rank, 1 where nothing is constrained: how far the rows are from losing rank."""
    m, R, chosen = rows.m, rows.R, rows.book.chosen
    found = 1.0
    for k in range(rank):
        at = int(chosen[k])
        if at < 0:
            return 0.0
        if k == 0:
            found = R[at * m]
        found = min(found, R[at * m + k])
    return found


@native
def least_pivots(
    count: i64, n: i64, m: i64, rank: i64, stack: Array, V: Array, R: Array, book: Array, out: Array
) -> None:  # fmt: skip
    """The least pivot of each of several matrices (destroyed)."""
    for k in range(count):
        rows = Rows(n, m, stack[k * m * n :], V, R, book_in(n, m, book))
        measure(rows)
        orthonormal_rows(rows, rank)
        out[k] = least_pivot(rows, rank)
