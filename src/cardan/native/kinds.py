"""Types of the native language: what a parameter may be, and how it looks to LLVM.

Annotations of ``@native`` functions are these names. They are aliases of ordinary Python types, so that a type checker
and plain Python understand the same source.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardan.errors import CompileError

f64: TypeAlias = float
i64: TypeAlias = int
Array: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Kernel: TypeAlias = Any
"""``f(t, y, p, out) -> i64``: an address (int) when compiled, any such callable in plain Python; 0 means absent."""
Callback: TypeAlias = Any
"""``f(t, y, p) -> i64``: as Kernel, but without an output."""

LLVM = {
    "f64": "double", "i64": "i64", "bool": "i1", "Array": "ptr", "IntArray": "ptr", "Kernel": "i64", "Callback": "i64",
    "None": "void",
}  # fmt: skip
PARAMETERS = ("f64", "i64", "Array", "IntArray", "Kernel", "Callback")
RESULTS = ("f64", "i64", "None")
FUNCTION_TYPES = {"Kernel": ("f64", "Array", "Array", "Array"), "Callback": ("f64", "Array", "Array")}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece of source is, for messages."""

    function: str
    file: str
    line: int

    def refuse(self, what: str, remedy: str) -> CompileError:
        """The error to raise: function, file and line, what was found, and what to write instead."""
        text = f"native function {self.function!r} ({self.file}:{self.line}): {what}. {remedy}."
        return CompileError(text, function=self.function, file=self.file, line=self.line, remedy=remedy)


def kind_of_annotation(annotation: ast.expr | None) -> str:
    """Name of the annotated kind: ``f64``, ``language.f64`` and ``"f64"`` are the same."""
    if isinstance(annotation, ast.Name):
        return annotation.id
    if isinstance(annotation, ast.Attribute):
        return annotation.attr
    if isinstance(annotation, ast.Constant):
        return str(annotation.value)
    return ""
