"""``@native``: a small subset of Python, compiled.

    @native
    def scale(n: i64, factor: f64, x: Array) -> None:
        for i in range(n):
            x[i] = factor * x[i]

    scale(3, 2.0, x)            # machine code; x is a float64 array
    scale.python(3, 2.0, x)     # the same source run by Python: the same bits, for tests
    scale.address()             # for other machine code

Parameters are ``f64``, ``i64``, ``Array``, ``IntArray``, ``Kernel`` and ``Callback``. A local has the kind of its first
assignment. ``x[k:]`` is the part of an array that begins at k. Module-level numbers and tuples of numbers are
constants, read when the function is compiled. Statements: assignment, if, while, for over range, break, continue,
return, and calls of native functions, of kernels, and of ``abs min max float int`` and ``math.sqrt sin cos exp log
fabs floor isfinite copysign``.

Where Python would raise (division by zero, the root of a negative number, an index out of range), compiled code
does not: it gives inf or nan, and indices are the author's responsibility. ``x ** 2`` to ``x ** 4`` are products.
Compilation happens at the first call, and the machine code is kept in the object cache.
"""

from __future__ import annotations

import ast
import ctypes
import functools
import linecache
import operator
import re
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from cardan.errors import CompileError
from cardan.native.engine import Library, compile_ir
from cardan.native.expressions import Module
from cardan.native.signature import (
    FUNCTION_TYPES,
    Array,
    Callback,
    IntArray,
    Kernel,
    Place,
    Signature,
    f64,
    i64,
    signature_of,
)
from cardan.native.translate import Translator

__all__ = ["Array", "Callback", "IntArray", "Kernel", "NativeFunction", "f64", "i64", "native"]

P = ParamSpec("P")
R = TypeVar("R")
LEVEL = 2

_CTYPES: dict[str, Any] = {
    "f64": ctypes.c_double, "i64": ctypes.c_int64, "Array": ctypes.c_void_p, "IntArray": ctypes.c_void_p,
    "Kernel": ctypes.c_int64, "Callback": ctypes.c_int64, "None": None,
}  # fmt: skip
_lock = threading.RLock()


class NativeFunction(Generic[P, R]):
    """A function with two lives: machine code when called, ordinary Python as ``.python``."""

    def __init__(self, source: Callable[P, R], *, wide: bool = False) -> None:
        self.wide = wide
        self._source = cast(FunctionType, source)
        self._library: Library | None = None
        self._entry: Callable[..., R] | None = None
        self._plain: Callable[..., R] | None = None
        functools.update_wrapper(self, source)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the machine code; arrays are passed by reference."""
        entry = self._entry or self._load()
        try:
            return entry(*[give(a) for give, a in zip(self._givers, args, strict=True)])
        except (ValueError, TypeError, ctypes.ArgumentError) as exc:
            names = ", ".join(f"{n}: {k}" for n, k in zip(self.signature.names, self.signature.kinds, strict=True))
            raise CompileError(f"native function {self.signature.name!r} takes ({names}): {exc}") from exc

    def python(self, *args: Any) -> R:
        """Run the same source by Python; an address given for a kernel is called through ctypes."""
        return self._interpreted()(*[_plain(a, k) for a, k in zip(args, self.signature.kinds, strict=True)])

    def address(self) -> int:
        """Where the machine code starts."""
        if self._library is None:
            self._load()
        assert self._library is not None
        return self._library.address(self.signature.symbol)

    def ir(self) -> str:
        """LLVM IR of this function and of everything it calls."""
        module = Module(callees={self.signature.symbol: self})
        texts: dict[str, str] = {}
        while pending := [s for s in module.callees if s not in texts]:
            function = module.callees[pending[0]]
            translator = Translator(function.signature, function.file, function.scope, module)
            text = translator.function(function.tree, exported=function is self, wide=function.wide)
            texts[pending[0]] = text
        return "\n".join([*module.header(), *texts.values(), ""])

    @functools.cached_property
    def signature(self) -> Signature:
        """Names and kinds of the parameters, and the kind of the result."""
        symbol = re.sub(r"\W", "_", f"{self._source.__module__}__{self._source.__qualname__}")
        return signature_of(self.tree, symbol, self.place)

    @functools.cached_property
    def tree(self) -> ast.FunctionDef:
        """The syntax tree of the definition."""
        linecache.lazycache(self.file, self.scope)  # for packages that are not plain files
        for node in ast.walk(_parsed(self.file)):
            if isinstance(node, ast.FunctionDef) and node.name == self._source.__name__:
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                if first == self.place.line:
                    return node
        raise self.place.refuse("its source text cannot be found", "Define it in a file, not by exec or at a prompt")

    @property
    def place(self) -> Place:
        """Where the function is defined."""
        return Place(self._source.__name__, self.file, self._source.__code__.co_firstlineno)

    @property
    def file(self) -> str:
        """The file of the definition."""
        return self._source.__code__.co_filename

    @property
    def scope(self) -> dict[str, Any]:
        """Global names, as seen from the definition."""
        return self._source.__globals__

    def _load(self) -> Callable[..., R]:
        with _lock:
            if self._entry is None:
                s = self.signature
                self._library = compile_ir(self.ir(), [s.symbol], level=LEVEL)
                prototype = ctypes.CFUNCTYPE(_CTYPES[s.result], *(_CTYPES[k] for k in s.kinds))
                self._givers = [_GIVERS[k] for k in s.kinds]
                self._entry = cast("Callable[..., R]", prototype(self._library.address(s.symbol)))
            return self._entry

    def _interpreted(self) -> Callable[..., R]:
        """The source bound to a scope in which other native functions are interpreted too."""
        if self._plain is None:
            scope = dict(self.scope)
            plain = FunctionType(self._source.__code__, scope, self._source.__name__)
            self._plain = cast("Callable[..., R]", plain)
            for name in self._source.__code__.co_names:
                if isinstance(scope.get(name), NativeFunction):
                    scope[name] = scope[name]._interpreted()
        return self._plain


@overload
def native(function: Callable[P, R]) -> NativeFunction[P, R]: ...
@overload
def native(*, wide: bool) -> Callable[[Callable[P, R]], NativeFunction[P, R]]: ...
def native(function: Callable[P, R] | None = None, *, wide: bool = False) -> Any:
    """Compile this function when it is first called.

    ``@native(wide=True)`` is for loops over long arrays: LLVM may unroll and vectorise them, at the price of compile
    time. Results do not change, because sums are never reordered.
    """
    if function is None:
        return functools.partial(NativeFunction, wide=wide)
    return NativeFunction(function)


@functools.lru_cache(maxsize=64)
def _parsed(file: str) -> ast.Module:
    return ast.parse("".join(linecache.getlines(file)))


def _give_reals(array: Any) -> int:
    return _address(array, np.float64)


def _give_integers(array: Any) -> int:
    return _address(array, np.int64)


def _address(array: Any, dtype: Any) -> int:
    """Address of the first entry; the array itself is passed, so that results arrive in it."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype or not array.flags.c_contiguous:
        found = f"{array.dtype} array" if isinstance(array, np.ndarray) else type(array).__name__
        raise TypeError(f"a contiguous {np.dtype(dtype).name} array is needed, not a {found}")
    return int(array.ctypes.data)


def _give_address(value: Any) -> int:
    return value.address() if isinstance(value, NativeFunction) else operator.index(value)


_GIVERS: dict[str, Callable[[Any], Any]] = {
    "f64": float, "i64": operator.index, "Array": _give_reals, "IntArray": _give_integers, "Kernel": _give_address,
    "Callback": _give_address,
}  # fmt: skip


def _plain(value: Any, kind: str) -> Any:
    """The argument for Python: arrays are seen as one row, as machine code sees them; kernels can be called."""
    if kind in FUNCTION_TYPES:
        return _callable(value, kind)
    return value.reshape(-1) if isinstance(value, np.ndarray) else value


def _callable(value: Any, kind: str) -> Any:
    """Something Python can call: an address becomes a ctypes function that takes arrays; 0 stays 0."""
    if isinstance(value, NativeFunction):
        return value._interpreted()
    if callable(value) or value == 0:
        return value
    kinds = FUNCTION_TYPES[kind]
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *(_CTYPES[k] for k in kinds))(value)

    def call(*args: Any) -> int:
        return int(function(*[_GIVERS[k](a) for a, k in zip(args, kinds, strict=True)]))

    return call
