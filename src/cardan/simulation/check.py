"""The same motion by SciPy's DOP853, an independent check of our own loops. SciPy is imported only here."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.drive import Options
from cardan.simulation.foreign import CALLBACK, KERNEL
from cardan.simulation.methods.others import SCIPY
from cardan.simulation.protocol import CompiledModel
from cardan.simulation.solution import Interpolator, Segment, Solution, Statistics

Vector = NDArray[np.float64]


class _Refused(Exception):
    """The kernel returned a nonzero status."""


def integrate_with_scipy(
    model: CompiledModel, t0: float, t1: float, y0: Vector, options: Options, times: Vector | None
) -> Solution:
    """As ``integrate``, without events; quaternions are left as they come."""
    from scipy.integrate import solve_ivp

    rhs = _right_hand_side(model)
    status, message = "finished", f"Reached t = {t1:g}."
    try:
        made = solve_ivp(
            rhs, (t0, t1), y0, method="DOP853", rtol=options.rtol, atol=options.atol, max_step=options.max_step,
            dense_output=True, first_step=options.step or None,
        )  # fmt: skip
    except _Refused as refusal:
        status, message = (
            "pivot-failed",
            f"SciPy's DOP853 stopped: {refusal}. Use method='DOP853' for the motion so far.",
        )
        rows = np.concatenate([[t0], y0])[None, :]
        return _solution(rows, rows, status, message, 0, lambda _, at: np.repeat(y0[None, :], len(at), axis=0))
    if not made.success:
        status, message = "step-underflow", str(made.message)
    rows, between = np.column_stack([made.t, made.y.T]), made.sol
    assert between is not None  # it was asked for
    chosen = rows if times is None else np.column_stack([times, np.atleast_2d(between(times).T)])
    return _solution(chosen, rows, status, message, int(made.nfev), lambda _, at: np.asarray(between(at).T))


def _right_hand_side(model: CompiledModel) -> Callable[[float, Vector], Vector]:
    kernel, callback = KERNEL(model.rhs), model.callback
    before = CALLBACK(callback) if callback else None
    p = np.array(model.parameters, dtype=float)
    pointer = ctypes.POINTER(ctypes.c_double)

    def rhs(t: float, y: Vector) -> Vector:
        y = np.ascontiguousarray(y)
        out = np.empty(model.nq + model.nv)
        y_p, p_p, out_p = (a.ctypes.data_as(pointer) for a in (y, p, out))
        if (before is not None and before(t, y_p, p_p) != 0) or kernel(t, y_p, p_p, out_p) != 0:
            raise _Refused(f"the right-hand side could not be evaluated at t = {t:.17g}")
        return out

    return rhs


def _solution(part: Vector, rows: Vector, status: str, message: str, evaluations: int, at: Interpolator) -> Solution:
    steps = np.abs(np.diff(rows[:, 0])) if len(rows) > 1 else np.zeros(1)
    statistics = Statistics(SCIPY.name, len(rows) - 1, 0, evaluations, 0, 0, float(steps.min()), float(steps.max()))
    return Solution(
        t=part[:, 0].copy(), y=part[:, 1:].copy(), status=status, message=message, statistics=statistics, events=(),
        t_final=float(rows[-1, 0]), y_final=rows[-1, 1:].copy(), segments=(Segment(rows, at),),
    )  # fmt: skip
