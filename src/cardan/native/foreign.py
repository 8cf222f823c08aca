"""Python functions as kernels: a ctypes address that machine code can call, and a place for exceptions.

An exception cannot travel through machine code. It is kept, the kernel reports failure, the loop stops, and whoever
started it raises the exception again.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]
StateFunction: TypeAlias = Callable[[float, Vector, Vector], ArrayLike]
"""A Python function of (t, y, p): numbers at a state."""
Writer: TypeAlias = Callable[[float, Vector, Vector], object]
"""A Python function of (t, y, p) that may write into p."""
Pointer: TypeAlias = "ctypes._Pointer[ctypes.c_double]"

_POINTER = ctypes.POINTER(ctypes.c_double)
KERNEL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, _POINTER, _POINTER, _POINTER)
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, _POINTER, _POINTER)
FAILED = -1


class Failures:
    """The first exception raised by any of a group of Python functions."""

    def __init__(self) -> None:
        self.first: BaseException | None = None

    def keep(self, error: BaseException) -> int:
        """Remember the exception; returns the status that stops a loop."""
        if self.first is None:
            self.first = error
        return FAILED


class PythonKernel:
    """A Python function ``f(t, y, p) -> numbers`` with an address; alive as long as this object."""

    def __init__(self, function: StateFunction, n: int, n_p: int, n_out: int, failures: Failures) -> None:
        def call(t: float, y: Pointer, p: Pointer, out: Pointer) -> int:
            try:
                _view(out, n_out)[:] = function(t, _view(y, n), _view(p, n_p))
            except BaseException as error:  # KeyboardInterrupt too: it must not vanish in machine code
                return failures.keep(error)
            return 0

        self._entry = KERNEL(call)
        self.address = int(ctypes.cast(self._entry, ctypes.c_void_p).value or 0)


class PythonCallback:
    """A Python function ``f(t, y, p)`` that may write into p, with an address; alive as long as this object."""

    def __init__(self, function: Writer, n: int, n_p: int, failures: Failures) -> None:
        def call(t: float, y: Pointer, p: Pointer) -> int:
            try:
                function(t, _view(y, n), _view(p, n_p))
            except BaseException as error:
                return failures.keep(error)
            return 0

        self._entry = CALLBACK(call)
        self.address = int(ctypes.cast(self._entry, ctypes.c_void_p).value or 0)


def _view(pointer: Pointer, n: int) -> Vector:
    """The numbers behind a pointer, without copying."""
    if n == 0:
        return np.zeros(0)
    return np.ctypeslib.as_array(pointer, shape=(n,))
