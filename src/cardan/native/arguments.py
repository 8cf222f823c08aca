"""Arguments of native functions on their way from Python: to machine code, or to the same source run by Python."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.native.bundles import Bundle, Kind
from cardan.native.kinds import FUNCTION_TYPES
from cardan.native.signature import Callee

CTYPES: dict[str, Any] = {  # ctypes names no type for the type of its types
    "f64": ctypes.c_double, "i64": ctypes.c_int64, "Array": ctypes.c_void_p, "IntArray": ctypes.c_void_p,
    "Kernel": ctypes.c_int64, "Callback": ctypes.c_int64, "None": None,
}  # fmt: skip


def flatten(arguments: Iterable[object]) -> Iterator[object]:
    """Arguments with bundles field by field."""
    for one in arguments:
        if isinstance(one, tuple):
            yield from flatten(one)
        else:
            yield one


def _give_real(value: object) -> float:
    return float(value)  # type: ignore[arg-type]  # what is no number raises, which is what is wanted


def _give_integer(value: object) -> int:
    return operator.index(value)  # type: ignore[arg-type]  # as above


def _give_reals(array: object) -> int:
    return _address(array, np.dtype(np.float64))


def _give_integers(array: object) -> int:
    return _address(array, np.dtype(np.int64))


def _address(array: object, dtype: np.dtype[np.float64] | np.dtype[np.int64]) -> int:
    """Address of the first entry; the array itself is passed, so that results arrive in it."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype or not array.flags.c_contiguous:
        found = f"{array.dtype} array" if isinstance(array, np.ndarray) else type(array).__name__
        raise TypeError(f"a contiguous {dtype.name} array is needed, not a {found}")
    return int(array.__array_interface__["data"][0])  # quicker than array.ctypes


def _give_address(value: object) -> int:
    return value.address() if isinstance(value, Callee) else _give_integer(value)


GIVERS: dict[str, Callable[[object], float]] = {
    "f64": _give_real, "i64": _give_integer, "Array": _give_reals, "IntArray": _give_integers, "Kernel": _give_address,
    "Callback": _give_address,
}  # fmt: skip


def plain(value: object, kind: Kind) -> object:
    """The argument for Python: arrays are seen as one row, as machine code sees them; kernels can be called."""
    if isinstance(kind, Bundle):
        assert isinstance(value, tuple)
        return kind.cls._make(plain(one, own) for one, (_, own) in zip(value, kind.fields, strict=True))
    if kind in FUNCTION_TYPES:
        return _callable(value, FUNCTION_TYPES[kind])
    return value.reshape(-1) if isinstance(value, np.ndarray) else value


def _callable(value: object, kinds: Sequence[str]) -> object:
    """Something Python can call: an address becomes a ctypes function that takes arrays; 0 stays 0."""
    if isinstance(value, Callee):
        return value.interpreted()
    if callable(value) or value == 0:
        return value
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *(CTYPES[k] for k in kinds))(_give_integer(value))

    def call(*arguments: float | NDArray[np.float64]) -> int:
        return int(function(*[GIVERS[k](a) for a, k in zip(arguments, kinds, strict=True)]))

    return call
