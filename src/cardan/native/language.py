"""``@native``: a small subset of Python, compiled.

    @native
    def scale(n: i64, factor: f64, x: Array) -> None:
        for i in range(n):
            x[i] = factor * x[i]

    scale(3, 2.0, x)            # machine code; x is a float64 array
    scale.python(3, 2.0, x)     # the same source run by Python: the same bits, for tests
    scale.address()             # for other machine code

Parameters are ``f64``, ``i64``, ``Array``, ``IntArray``, ``Kernel``, ``Callback`` and bundles of these (`bundles.py`),
which can be returned, too. A local has the kind of its first assignment. ``x[k:]`` is the part of an array that begins
at k. Numbers and tuples of numbers in a module, or in the fields of an object there, are constants, read when the
function is compiled; ``function.given(...)`` is its variant for other constants. Statements: assignment, if, while, for
over range, break, continue, return, and calls of native functions, of kernels, and of ``abs min max float int`` and
``math.sqrt sin cos exp log fabs floor isfinite copysign``.

Where Python would raise (division by zero, the root of a negative number, an index out of range), compiled code
does not: it gives inf or nan, and indices are the author's responsibility. ``x ** 2`` to ``x ** 4`` are products.
Compilation happens at the first call, and the machine code is kept in the object cache.
"""

from __future__ import annotations

import ast
import ctypes
import functools
import linecache
import re
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Generic, ParamSpec, Protocol, TypeVar, cast, overload

import numpy as np

from cardan.errors import CompileError
from cardan.native.arguments import CTYPES, GIVERS, flatten, plain
from cardan.native.bundles import Bundle, carve
from cardan.native.engine import Library, compile_ir
from cardan.native.expressions import Module
from cardan.native.kinds import (
    Array,
    Callback,
    IntArray,
    Kernel,
    Place,
    f64,
    i64,
)
from cardan.native.once import once, preparing
from cardan.native.signature import Callee, Signature, signature_of
from cardan.native.translate import Translator, definition

__all__ = ["Array", "Callback", "IntArray", "Kernel", "NativeFunction", "carve", "f64", "i64", "native", "room_for"]

P = ParamSpec("P")
R = TypeVar("R")
LEVEL = 2


class NativeFunction(Callee, Generic[P, R]):
    """A function with two lives: machine code when called, ordinary Python as ``.python``."""

    def __init__(
        self, source: Callable[P, R], *, wide: bool = False, inline: bool = False, variant: str = "",
        scope: Callable[[], dict[str, object]] | None = None,
    ) -> None:  # fmt: skip
        self.wide, self.inline, self.variant = wide, inline, variant
        self._source = cast(FunctionType, source)
        self._scope = scope
        self._library: Library | None = None
        self._entry: Callable[..., R] | None = None
        self._plain: Callable[..., R] | None = None
        functools.update_wrapper(self, source)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the machine code; arrays are passed by reference."""
        entry = self._entry or self._load()
        try:
            return entry(*[give(a) for give, a in zip(self._givers, flatten(args), strict=True)])
        except (ValueError, TypeError, ctypes.ArgumentError) as exc:
            raise CompileError(f"native function {self.signature.name!r} takes {self.signature}: {exc}") from exc

    def python(self, *args: object) -> R:
        """Run the same source by Python; an address given for a kernel is called through ctypes."""
        return self.interpreted()(*[plain(a, k) for a, k in zip(args, self.signature.kinds, strict=True)])

    def address(self) -> int:
        """Where the machine code starts."""
        if self._library is None:
            self._load()
        assert self._library is not None
        return self._library.address(self.signature.symbol)

    def ir(self) -> str:
        """LLVM IR of this function and of everything it calls."""
        module = Module(callees={self.signature.symbol: self})
        bodies: dict[str, list[str]] = {}
        while pending := [s for s in module.callees if s not in bodies]:
            function = module.callees[pending[0]]
            translator = Translator(function.signature, function.file, function.scope, module)
            bodies[pending[0]] = translator.function(function.tree)
        texts = [definition(one, bodies[symbol], exported=one is self) for symbol, one in module.callees.items()]
        return "\n".join([*module.header(), *texts, ""])

    @once
    def scope(self) -> dict[str, object]:
        """What the names of the definition mean."""
        return self._source.__globals__ if self._scope is None else self._scope()

    @once
    def signature(self) -> Signature:
        """Names and kinds of the parameters, and the kind of the result."""
        symbol = re.sub(r"\W", "_", f"{self._source.__module__}__{self._source.__qualname__}{self.variant}")
        return signature_of(self.tree, symbol, self.place, self.scope)

    @once
    def tree(self) -> ast.FunctionDef:
        """The syntax tree of the definition."""
        linecache.lazycache(self.file, self._source.__globals__)  # for packages that are not plain files
        for node in ast.walk(_parse(self.file)):
            if isinstance(node, ast.FunctionDef) and node.name == self._source.__name__:
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                if first == self.place.line:
                    return node
        raise self.place.refuse("its source text cannot be found", "Define it in a file, not by exec or at a prompt")

    @property
    def place(self) -> Place:
        """Where the function is defined."""
        return Place(self._source.__name__, self.file, self._source.__code__.co_firstlineno)

    @once
    def file(self) -> str:
        """The file of the definition."""
        return self._source.__code__.co_filename

    @once
    def names(self) -> frozenset[str]:
        """Every name in the definition, those of annotations included."""
        return frozenset(node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name))

    def given(self, variant: str, *replacements: tuple[object, object]) -> NativeFunction[P, R]:
        """The same source with other things in place of some that it, or what it calls, names: a variant of it.

        Each replacement is a pair of what stands in the modules now (a constant, a table, a bundle, a native function)
        and what is to be meant instead. No source is read before the variant is needed: most methods of a program never
        are.
        """
        whole = cast("NativeFunction[..., object]", self)
        return cast("NativeFunction[P, R]", Variant(variant, replacements).variant_of(whole))

    def _load(self) -> Callable[..., R]:
        with preparing:
            if self._entry is None:
                s = self.signature
                self._library = compile_ir(self.ir(), [s.symbol], level=LEVEL)
                if isinstance(s.result, Bundle):
                    raise self.place.refuse("a bundle cannot be returned to Python", "Call it from native functions")
                prototype = ctypes.CFUNCTYPE(CTYPES[s.result], *(CTYPES[k] for _, k in s.flat))
                self._givers = [GIVERS[k] for _, k in s.flat]
                self._entry = cast("Callable[..., R]", prototype(self._library.address(s.symbol)))
            return self._entry

    def interpreted(self) -> Callable[..., R]:
        """The source bound to a scope in which other native functions are interpreted too."""
        if self._plain is None:
            scope = dict(self.scope)
            plain = FunctionType(self._source.__code__, scope, self._source.__name__)
            self._plain = cast("Callable[..., R]", plain)
            for name in self._source.__code__.co_names:
                meaning = scope.get(name)
                if isinstance(meaning, NativeFunction):
                    scope[name] = meaning.interpreted()
        return self._plain


class Layout(Protocol):
    """A bundle whose last field says how many numbers it takes."""

    @property
    def total(self) -> int:
        """How many."""


@functools.lru_cache(maxsize=1024)
def room_for(layout: NativeFunction[..., Layout], *sizes: object) -> int:
    """How many numbers a native function lays out that takes these sizes and, last, the array to be laid out."""
    return layout.python(*sizes, np.zeros(0)).total


class Variant:
    """What is meant by something else in the variants of some native functions, which are made once each."""

    def __init__(self, name: str, replacements: Sequence[tuple[object, object]]) -> None:
        self.name = name
        self.replacements = replacements
        self.made: dict[int, NativeFunction[..., object]] = {}

    def of(self, function: NativeFunction[..., object]) -> NativeFunction[..., object]:
        """The variant of a function; the function itself where it does not name what is replaced."""
        if id(function) not in self.made:
            self.made[id(function)] = self.variant_of(function) if self._changed(function) else function
        return self.made[id(function)]

    def variant_of(self, function: NativeFunction[..., object]) -> NativeFunction[..., object]:
        """The variant of a function that names something that is replaced, or calls one that does."""
        kind = {"wide": function.wide, "inline": function.inline}

        def scope() -> dict[str, object]:
            return {**function.scope, **self._changed(function)}

        return NativeFunction(function._source, **kind, variant=f"__{self.name}", scope=scope)

    def _changed(self, function: NativeFunction[..., object]) -> dict[str, object]:
        """What a function names, where it means something else."""
        scope = function.scope
        meanings = {name: self._meant(scope[name]) for name in function.names & scope.keys()}
        return {name: meant for name, meant in meanings.items() if meant is not scope[name]}

    def _meant(self, meaning: object) -> object:
        meant = next((new for old, new in self.replacements if meaning is old), meaning)
        return self.of(meant) if isinstance(meant, NativeFunction) else meant


@overload
def native(function: Callable[P, R]) -> NativeFunction[P, R]: ...
@overload
def native(*, wide: bool = False, inline: bool = False) -> Callable[[Callable[P, R]], NativeFunction[P, R]]: ...
def native(function: Callable[P, R] | None = None, *, wide: bool = False, inline: bool = False) -> object:
    """Compile this function when it is first called.

    ``@native(wide=True)`` is for loops over long arrays: LLVM may unroll and vectorise them, at the price of compile
    time. ``@native(inline=True)`` is for a part of the one function that calls it, divided off to be read by itself:
    however long it is, it is not called. Results do not change by either, because sums are never reordered.
    """
    if function is None:
        return functools.partial(NativeFunction, wide=wide, inline=inline)
    return NativeFunction(function)


@functools.lru_cache(maxsize=64)
def _parse(file: str) -> ast.Module:
    return ast.parse("".join(linecache.getlines(file)))
