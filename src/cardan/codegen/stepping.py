"""Whole steps of classical Runge-Kutta in vector kernels: rows side by side, many steps in one call.

The four stages are one graph, so that what they share is computed once; a loop in machine code goes on from what the
last step gave. The step's length is the last parameter.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.batch import emit_batch
from cardan.codegen.level import compile_kernels
from cardan.equations.reduced import Dynamics
from cardan.geometry.scalar import sqrt
from cardan.graph import Node, substitute

Vector = NDArray[np.float64]

_POINTER = ctypes.c_void_p
_NUMBERS = (ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_double)  # rows, steps, time, length of a step
_RUN = ctypes.CFUNCTYPE(ctypes.c_int64, *_NUMBERS, *[_POINTER] * 4)
_LOOP = """
define i64 @rk4_run(i64 %count, i64 %steps, double %t0, double %h, ptr %a, ptr %b, ptr %p, ptr %status) nounwind {
entry:
  %t = alloca double, align 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = phi ptr [ %a, %entry ], [ %to, %loop ]
  %to = phi ptr [ %b, %entry ], [ %from, %loop ]
  %x = sitofp i64 %i to double
  %past = fmul double %x, %h
  %now = fadd double %t0, %past
  store double %now, ptr %t, align 8
  %r = call i64 @rk4_step(i64 %count, ptr %t, i64 0, ptr %from, ptr %p, ptr %to, ptr %status)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %steps
  br i1 %more, label %loop, label %end
end:
  ret i64 %r
}
"""


class Stepper:
    """Many steps of many rows in one call; rows do not know each other, so that threads may share them out."""

    def __init__(self, d: Dynamics, own_parameters: bool) -> None:
        h, y = d.further_input("step"), [*d.q, *d.v]
        step = _unit(d, _step(d, h, y))
        pivots = d.acceleration[1]
        text = emit_batch(
            "rk4_step", t=d.t, y=y, p=[*d.p, h], outputs=step, pivots=pivots, own_parameters=own_parameters
        )
        self._library = compile_kernels({"rk4_run": text + _LOOP})
        self._run = _RUN(self._library.address("rk4_run"))
        self.own_parameters = own_parameters

    def advance(self, t: float, y: Vector, p: Vector, h: float, steps: int) -> tuple[Vector, NDArray[np.int64]]:
        """The rows after so many steps, and the status of each; ``p`` is without the step."""
        rows = np.array(y, order="C")
        other = np.empty_like(rows)
        last = np.full((len(p), 1), h) if self.own_parameters else np.array([h])
        values = np.ascontiguousarray(np.concatenate([p, last], axis=-1))
        status = np.zeros(len(rows), dtype=np.int64)
        self._run(len(rows), steps, t, h, *(one.ctypes.data for one in (rows, other, values, status)))
        return (other if steps % 2 else rows), status


def _step(d: Dynamics, h: Node, y: Sequence[Node]) -> list[Node]:
    """y + h (k1 + 2 k2 + 2 k3 + k4) / 6."""
    rhs = [*d.configuration_rates, *d.acceleration[0]]

    def at(share: float, slopes: Sequence[Node]) -> list[Node]:
        moved = {a: a + h * share * b for a, b in zip(y, slopes, strict=True)}
        return substitute(rhs, {**moved, d.t: d.t + h * share})

    k2 = at(0.5, rhs)
    k3 = at(0.5, k2)
    k4 = at(1.0, k3)
    return [a + h * (1 / 6) * (b + 2.0 * (c + e) + f) for a, b, c, e, f in zip(y, rhs, k2, k3, k4, strict=True)]


def _unit(d: Dynamics, y: list[Node]) -> list[Node]:
    """The same with quaternions of length one."""
    for k in d.model.quaternion_starts:
        e = y[k : k + 4]
        size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3])
        y[k : k + 4] = [x / size for x in e]
    return y
