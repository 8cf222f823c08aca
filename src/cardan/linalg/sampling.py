"""Kernels applied to many states in native code. A row holds a time, a state, and whatever stands behind it."""

from __future__ import annotations

from math import isfinite

from cardan.native.language import Array, Kernel, f64, i64, native


@native
def evaluate_rows(kernel: Kernel, count: i64, width: i64, nout: i64, rows: Array, p: Array, out: Array) -> i64:
    """out = ``nout`` outputs of the kernel for each row; 0, or the first status that was not."""
    for k in range(count):
        row = rows[k * width :]
        status = kernel(row[0], row[1:], p, out[k * nout :])
        if status != 0:
            return int(status)
    return 0


@native
def restore_rows(
    project: Kernel, nearness: Kernel, too_near: f64, count: i64, n: i64, rows: Array, p: Array, out: Array
) -> None:  # fmt: skip
    """Project each state of n numbers, unless ``nearness`` is below a limit there or the projection fails."""
    for k in range(count):
        row = rows[k * (n + 1) :]
        if nearness(row[0], row[1:], p, out) == 0 and out[0] < too_near:
            continue
        if project(row[0], row[1:], p, out) != 0:
            continue
        total = 0.0
        for i in range(n):
            total += out[i]
        if isfinite(total):
            for i in range(n):
                row[1 + i] = out[i]
