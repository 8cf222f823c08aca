"""Loops in machine code that call a kernel many times, so that no call from Python is in the measurement.

Each walks through the rows of ``states`` again and again. The kernel is known to the loop by its address only, so no
compiler can move work out of the loop.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.native.language import Array, Kernel, i64, native

Vector = NDArray[np.float64]
Loop = Callable[[int], None]


@native
def walk(kernel: Kernel, count: i64, rows: i64, width: i64, states: Array, p: Array, out: Array) -> i64:
    """Call a kernel of Cardan ``count`` times."""
    failed = 0
    for k in range(count):
        failed += kernel(0.0, states[(k % rows) * width :], p, out)
    return failed


WALK_C = """
#include <stdint.h>
typedef int (*casadi_function)(const double **, double **, long long *, double *, int);
typedef int64_t (*kernel)(double, const double *, const double *, double *);

int64_t walk_casadi(void *f, int64_t count, int64_t rows, int64_t n, const double *states, const double *p, double *out,
                    const double **arg, double **res, long long *iw, double *w)
{
    int64_t failed = 0;
    arg[2] = p;
    for (int64_t k = 0; k < count; ++k) {
        arg[0] = states + (k % rows) * 2 * n;
        arg[1] = arg[0] + n;
        res[0] = out;
        failed += ((casadi_function)f)(arg, res, iw, w, 0);
    }
    return failed;
}

int64_t walk_kernel(void *f, int64_t count, int64_t rows, int64_t width, const double *states, const double *p,
                    double *out)
{
    int64_t failed = 0;
    for (int64_t k = 0; k < count; ++k)
        failed += ((kernel)f)(0.0, states + (k % rows) * width, p, out);
    return failed;
}
"""


def shared_library(source: Path, *flags: str) -> ctypes.CDLL:
    """C source compiled by gcc with these flags, and loaded."""
    made = source.with_name(source.stem + "".join(flags).replace("=", "") + ".so")
    subprocess.run(["gcc", *flags, "-fPIC", "-shared", str(source), "-o", str(made), "-lm"], check=True)
    return ctypes.CDLL(str(made))


def loop_of_cardan(address: int, states: Vector, p: Vector, out: Vector) -> Loop:
    """A loop over a kernel compiled by Cardan."""
    rows, width = states.shape

    def loop(count: int) -> None:
        assert walk(address, count, rows, width, states, p, out) == 0

    return loop


def loop_of_c(library: ctypes.CDLL, name: str, walker: ctypes.CDLL, states: Vector, p: Vector, out: Vector) -> Loop:
    """A loop over a kernel that Cardan exported as C."""
    call = _call(walker.walk_kernel)
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value

    def loop(count: int) -> None:
        assert call(address, count, *states.shape, *map(_start, (states, p, out))) == 0

    return loop


def loop_of_casadi(library: ctypes.CDLL, walker: ctypes.CDLL, states: Vector, p: Vector, out: Vector) -> Loop:
    """A loop over CasADi's ``F(q, v, p)``, whose argument lists are set up once."""
    sizes = [ctypes.c_longlong() for _ in range(4)]
    library.F_work(*(ctypes.byref(size) for size in sizes))
    work = [np.zeros(size.value + 4, dtype=kind) for size, kind in zip(sizes, ("q", "q", "q", "d"), strict=True)]
    call = _call(walker.walk_casadi)
    address = ctypes.cast(library.F, ctypes.c_void_p).value
    rows, width = states.shape

    def loop(count: int) -> None:
        assert call(address, count, rows, width // 2, *map(_start, (states, p, out, *work))) == 0

    return loop


def _call(function: Any) -> Callable[..., int]:
    """The C function with every integer and address taken as 64 bits."""
    function.restype = ctypes.c_int64
    return lambda *arguments: int(function(*map(ctypes.c_int64, arguments)))


def _start(array: NDArray[Any]) -> int:
    return int(array.ctypes.data)
