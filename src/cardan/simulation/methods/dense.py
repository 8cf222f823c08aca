"""Small dense linear systems in native code: LU factors with row exchanges, matrices stored by rows."""

from __future__ import annotations

from cardan.native.language import Array, f64, i64, native


@native(wide=True)
def factor(n: i64, a: Array, order: Array) -> i64:
    """Replace a by its factors L and U; ``order`` receives the row exchanges. 0, or 1 + the column without a pivot."""
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i * n + k]) > abs(a[best * n + k]):
                best = i
        order[k] = float(best)
        if not abs(a[best * n + k]) > 0.0:
            return k + 1
        if best != k:
            for j in range(n):
                a[k * n + j], a[best * n + j] = a[best * n + j], a[k * n + j]
        for i in range(k + 1, n):
            m = a[i * n + k] / a[k * n + k]
            a[i * n + k] = m
            for j in range(k + 1, n):
                a[i * n + j] -= m * a[k * n + j]
    return 0


@native
def solve(n: i64, a: Array, order: Array, b: Array) -> None:
    """Replace b by the solution, with the factors from ``factor``."""
    for k in range(n):
        other = int(order[k])
        b[k], b[other] = b[other], b[k]
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= a[i * n + j] * b[j]
        b[i] = s
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i * n + j] * b[j]
        b[i] = s / a[i * n + i]


@native
def largest(n: i64, x: Array) -> f64:
    """Largest magnitude among the entries."""
    s = 0.0
    for i in range(n):
        s = max(s, abs(x[i]))
    return s
