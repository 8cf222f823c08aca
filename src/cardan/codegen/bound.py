"""A kernel bound to values: arrays are prepared once, so that a call costs little more than the kernel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.function import NativeFunction
from cardan.errors import WrongShape

Vector = NDArray[np.float64]


class Bound:
    """``f(q, v, ...)`` of one kernel; the array that it returns is its own and is written again by the next call.

    Parts behind v are those of the kernel: a for "inverse_dynamics", tau for "forward_dynamics". ``f.p`` holds
    parameters and signals, which may be changed in place; ``f.t`` is the time.
    """

    def __init__(
        self, function: NativeFunction, parts: tuple[int, ...], p: Vector, shape: tuple[int, ...] | None,
        check: Callable[[int], None],
    ) -> None:  # fmt: skip
        self.function, self.t, self.p = function, 0.0, p
        self.y: Vector = np.zeros(function.ny)
        self._out: Vector = np.zeros(function.nout)
        self._views = np.split(self.y, np.cumsum(parts)[:-1])
        self.out = self._out if shape is None else self._out.reshape(shape)
        self._check = check
        self._call = function.caller(self.y, self.p, self._out)

    def __call__(self, *given: ArrayLike) -> Vector:
        """The outputs at (q, v, ...); parts that are left out keep what they were."""
        if len(given) > len(self._views):
            raise WrongShape(f"{self.function.name!r} takes {len(self._views)} arrays, found {len(given)}.")
        for view, values in zip(self._views, given):  # noqa: B905 - parts may be left out
            view[:] = values
        status = self._call(self.t)
        if status:
            self._check(status)
        return self.out
