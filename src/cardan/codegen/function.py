"""Compiled kernels called from Python on NumPy arrays, with little overhead."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.batch import emit_batch
from cardan.codegen.emit import emit_kernel
from cardan.codegen.level import compile_kernels
from cardan.errors import WrongShape
from cardan.native import Library

if TYPE_CHECKING:
    from cardan.graph.node import Node

Vector = NDArray[np.float64]
_Arrays = tuple[Vector, Vector, Vector, int, int, int]

_POINTER = ctypes.c_void_p
# A kernel runs for microseconds: keeping the interpreter's lock is cheaper than letting it go and taking it back.
SCALAR = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_double, _POINTER, _POINTER, _POINTER)
# A batch may run for seconds: others can work meanwhile.
_BATCH = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_int64, _POINTER, ctypes.c_int64, _POINTER, _POINTER, _POINTER, _POINTER
)


_NONE: Vector = np.empty(0)


class NativeFunction:
    """A compiled kernel: ``f(t, y, p)`` returns its outputs, ``f.call(t, y, p, out)`` its status.

    ``status`` is that of the last ``f(t, y, p)``: 0, or 1 + the index of the pivot that failed. ``text`` is the IR that
    it was made from, where it is straight-line code.
    """

    def __init__(self, library: Library, name: str, ny: int, np: int, nout: int, text: str = "") -> None:
        self.library, self.name, self.text = library, name, text
        self.ny, self.np, self.nout = ny, np, nout
        self.address = library.address(name)
        self.status = 0
        self._kernel = SCALAR(self.address)
        self._last: _Arrays = (_NONE, _NONE, _NONE, 0, 0, 0)
        self._idle: list[_Arrays] = []

    def __call__(self, t: float, y: Sequence[float] | Vector, p: Sequence[float] | Vector = ()) -> Vector:
        """The outputs at time ``t`` for the given y and p.

        Copying into arrays whose addresses are known is quicker than asking NumPy for addresses; a call takes such
        arrays from those that are idle, so that threads do not disturb each other.
        """
        if len(y) != self.ny or len(p) != self.np:
            self._refuse(np.asarray(y), np.asarray(p), np.empty(self.nout))
        try:
            arrays = self._idle.pop()
        except IndexError:
            arrays = self._new_arrays()
        y_in, p_in, out, y_start, p_start, out_start = arrays
        y_in[:], p_in[:] = y, p
        self.status = self._kernel(t, y_start, p_start, out_start)
        result = out.copy()
        self._idle.append(arrays)
        return result

    def call(self, t: float, y: Vector, p: Vector, out: Vector) -> int:
        """Store the outputs in ``out`` and return the status: 0, or 1 + the index of the pivot that failed.

        The arrays must be contiguous, of type float64 and must not overlap. Quickest when the same arrays are given
        again and again, since only new ones are examined.
        """
        last = self._last
        if last[0] is not y or last[1] is not p or last[2] is not out:
            self._last = last = self._examine(y, p, out)
        status: int = self._kernel(t, last[3], last[4], last[5])
        return status

    def caller(self, y: Vector, p: Vector, out: Vector) -> Callable[[float], int]:
        """The kernel on these arrays, as a function of time that returns the status; they are examined once."""
        *_, y_start, p_start, out_start = self._examine(y, p, out)
        kernel = self._kernel

        def call(t: float) -> int:
            status: int = kernel(t, y_start, p_start, out_start)
            return status

        return call

    def _new_arrays(self) -> _Arrays:
        return self._examine(np.empty(self.ny), np.empty(self.np), np.empty(self.nout))

    def _examine(self, y: Vector, p: Vector, out: Vector) -> _Arrays:
        right = (y.size, p.size, out.size) == (self.ny, self.np, self.nout)
        if not right or not all(a.dtype == np.float64 and a.flags.c_contiguous for a in (y, p, out)):
            self._refuse(y, p, out)
        return y, p, out, _start(y), _start(p), _start(out)

    def _refuse(self, y: Vector, p: Vector, out: Vector) -> None:
        found = ", ".join(f"{a.dtype} {a.shape}" for a in (y, p, out))
        raise WrongShape(
            f"Kernel {self.name!r} needs contiguous float64 arrays y, p, out of {self.ny}, {self.np} and {self.nout} "
            f"numbers; found {found}.",
            name=self.name,
            expected=(self.ny, self.np, self.nout),
            found=(y.shape, p.shape, out.shape),
        )


class NativeBatch:
    """A compiled kernel for many rows at once: ``f(t, y, p)`` returns one row of outputs for each row of y.

    ``status`` holds a status for each row of the last call.
    """

    def __init__(self, library: Library, name: str, ny: int, np: int, nout: int, *, own_parameters: bool) -> None:
        self.library, self.name = library, name
        self.ny, self.np, self.nout = ny, np, nout
        self.own_parameters = own_parameters
        self.address = library.address(name)
        self.status = _zeros(0)
        self._kernel = _BATCH(self.address)

    def __call__(self, t: ArrayLike, y: ArrayLike, p: ArrayLike = ()) -> Vector:
        """Outputs, (count, nout), for states y, (count, ny); ``t`` is one time or one for each row."""
        out, self.status = self.rows(t, y, p)
        return out

    def rows(self, t: ArrayLike, y: ArrayLike, p: ArrayLike = ()) -> tuple[Vector, NDArray[np.int64]]:
        """The same with the status of each row, nothing kept: for threads."""
        rows, parameters, times = _as_vector(y), _as_vector(p), np.atleast_1d(_as_vector(t))
        count = rows.shape[0] if rows.ndim == 2 else -1
        wanted = (count, self.np) if self.own_parameters else (self.np,)
        if rows.shape != (count, self.ny) or parameters.shape != wanted or times.shape not in ((1,), (count,)):
            raise WrongShape(
                f"Batch {self.name!r} needs y of shape (count, {self.ny}), p of shape {wanted} and one time or one for "
                f"each row; found {rows.shape}, {parameters.shape} and {times.shape}.",
                name=self.name,
                found=(rows.shape, parameters.shape, times.shape),
            )
        out: Vector = np.empty((count, self.nout))
        status = _zeros(count)
        step = 1 if times.size > 1 else 0
        inputs = (_start(times), step, _start(rows), _start(parameters))
        self._kernel(count, *inputs, _start(out), _start(status))
        return out, status


def native_function(
    name: str,
    *,
    t: Node | None,
    y: Sequence[Node],
    p: Sequence[Node],
    outputs: Sequence[Node],
    pivots: Sequence[tuple[Node, Node]] = (),
) -> NativeFunction:
    """The outputs of a graph as one compiled function."""
    text = emit_kernel(name, t=t, y=y, p=p, outputs=outputs, pivots=pivots)
    return NativeFunction(compile_kernels({name: text}), name, len(y), len(p), len(outputs), text)


def native_batch(
    name: str,
    *,
    t: Node | None,
    y: Sequence[Node],
    p: Sequence[Node],
    outputs: Sequence[Node],
    pivots: Sequence[tuple[Node, Node]] = (),
    own_parameters: bool = False,
) -> NativeBatch:
    """The outputs of a graph as one compiled function of many rows; the same bits as `native_function` row by row."""
    text = emit_batch(name, t=t, y=y, p=p, outputs=outputs, pivots=pivots, own_parameters=own_parameters)
    library = compile_kernels({name: text})
    return NativeBatch(library, name, len(y), len(p), len(outputs), own_parameters=own_parameters)


def _as_vector(values: ArrayLike) -> Vector:
    """A contiguous float64 array; the argument itself if it is one."""
    return np.ascontiguousarray(values, dtype=np.float64)


def _zeros(count: int) -> NDArray[np.int64]:
    return np.zeros(count, dtype=np.int64)


def _start(array: NDArray[np.generic]) -> int:
    """The address of an array's first number."""
    return int(array.__array_interface__["data"][0])  # much quicker than array.ctypes
