"""Whether a run met losses of rank that nobody watched: fixed steps go on, but the branch they take is chance."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cardan.api.run import Run

_KERNEL = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
WATCHED = 1e-9  # windows of passages are taken as wide as they are, up to rounding of their ends


def nearest_loss(run: Run) -> float:
    """The smallest last pivot of the scaled constraint rows at the states of a run, outside passages; else 1."""
    kernel, p = run.kernel, np.ascontiguousarray(run.parameters)
    if not kernel.m or len(p) <= len(kernel.parameters):
        return 1.0
    windows = [one.facts["window"] for one in run.records if one.kind == "rank-change" and "window" in one.facts]
    if any(one.kind == "rank-change" and "window" not in one.facts for one in run.records):
        return 1.0  # the motion stayed where rank is lost, and said so
    nearness, out, smallest = _KERNEL(kernel.constrained.nearness), np.empty(1), 1.0
    for t, y in zip(run.t, np.ascontiguousarray(run.solution.y), strict=True):
        if any(min(a, b) - WATCHED <= t <= max(a, b) + WATCHED for a, b in windows):
            continue
        if nearness(float(t), y.ctypes.data, p.ctypes.data, out.ctypes.data) == 0:
            smallest = min(smallest, float(out[0]))
    return smallest
