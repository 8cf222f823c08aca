"""Constrained motion as native functions of the universal interface.

The model's terms are a generated kernel; solving and projecting are native functions for any size. A few lines of IR
tie them together for one model, with its sizes as constants, so that LLVM can specialise the loops.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from cardan.codegen.function import NativeFunction
from cardan.linalg.closing import closing_workspace, cloud
from cardan.linalg.projection import constrained_rhs, nearness, project, workspace
from cardan.native import Library, compile_ir
from cardan.native.engine import expose

_lock = threading.Lock()  # exposing a kernel and linking the text that calls it belong together
ON_STACK = 8192  # numbers; larger workspaces are taken from the heap


@dataclass(frozen=True)
class ConstrainedFunctions:
    """Addresses of the right-hand side, of the projection and of the nearness to a loss of rank, and what keeps them
    alive."""

    rhs: int
    project: int
    nearness: int
    parts: tuple[NativeFunction | Library, ...]


def tie_together(
    terms: NativeFunction,
    residual: NativeFunction,
    rates: NativeFunction,
    nq: int,
    places: Sequence[int],
    has_phi: Sequence[bool],
    quaternions: Sequence[int],
) -> ConstrainedFunctions:
    """Native functions of one model with a velocity for each of ``places`` and a row for each ``has_phi``; what stands
    behind the parameters in p is told in ``linalg/projection.py``."""
    n, m = len(places), len(has_phi)
    sizes = f"i64 {nq}, i64 {n}, i64 {m}, i64 {terms.np}"
    total = workspace(nq, n, m)
    with _lock:
        ordered = {"places": places}
        solving = _tied("rhs", constrained_rhs, [terms], sizes, total, ordered)
        tables = projection_tables(places, has_phi, quaternions)
        returning = _tied("project", project, [terms, residual, rates], sizes, total, tables)
        watching = _tied("nearness", nearness, [terms], sizes, total, ordered)
    parts = (terms, residual, rates, solving, returning, watching)
    addresses = solving.address("rhs"), returning.address("project"), watching.address("nearness")
    return ConstrainedFunctions(*addresses, parts)


def projection_tables(
    places: Sequence[int], has_phi: Sequence[bool], quaternions: Sequence[int]
) -> dict[str, list[int]]:
    """The constants that ``project`` takes."""
    return {"places": list(places), "has_phi": [int(one) for one in has_phi]} | spin_table(quaternions)


def spin_table(quaternions: Sequence[int]) -> dict[str, list[int]]:
    """The constants that ``move`` takes."""
    return {"spins": [len(quaternions), *quaternions]}


def cloud_of(
    terms: NativeFunction,
    residual: NativeFunction,
    rates: NativeFunction,
    nq: int,
    places: Sequence[int],
    has_phi: Sequence[bool],
    quaternions: Sequence[int],
    units: Sequence[int],
    count: int,
) -> NativeFunction:
    """Configurations with phi = 0 around one; ``linalg/closing.py`` tells what y, p and the outputs are."""
    n, m = len(places), len(has_phi)
    sizes = f"i64 {nq}, i64 {n}, i64 {m}, i64 {terms.np}, i64 {count}"
    total = workspace(nq, n, m) + closing_workspace(nq, n, m)
    with _lock:
        tables = projection_tables(places, has_phi, quaternions) | {"units": list(units)}
        library = _tied("cloud", cloud, [terms, residual, rates], sizes, total, tables)
    return NativeFunction(library, "cloud", nq + n + count * n, terms.np + n, count * (1 + nq + n + 2 * m * n))


def _tied(
    name: str,
    function: Any,
    kernels: Sequence[NativeFunction],
    sizes: str,
    total: int,
    tables: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> Library:
    """A kernel that gives a native function the model's kernels, its sizes, tables of integers and a workspace."""
    names = [_exposed(kernel) for kernel in kernels]
    given = [f"i64 ptrtoint (ptr @{one} to i64)" for one in names]
    tabled = [f"ptr @{one}" for one in tables]
    arguments = ", ".join([*given, sizes, *tabled, "double %t, ptr %y, ptr %p, ptr %work, ptr %out"])
    heap = total > ON_STACK
    body = [
        *(f"declare i64 @{one}(double, ptr, ptr, ptr)" for one in dict.fromkeys(names)),
        *(_constant(one, values) for one, values in tables.items()),
        *(["declare ptr @malloc(i64)", "declare void @free(ptr)"] if heap else []),
        f"define i64 @{name}(double %t, ptr %y, ptr %p, ptr %out) {{",
        f"  %work = call ptr @malloc(i64 {8 * total})" if heap else f"  %work = alloca [{total} x double], align 32",
        f"  %status = call i64 @{function.signature.symbol}({arguments})",
        *(["  call void @free(ptr %work)"] if heap else []),
        "  ret i64 %status",
        "}",
    ]
    return compile_ir(function.ir() + "\n" + "\n".join(body) + "\n", [name], level=2)


def _constant(name: str, values: Sequence[int]) -> str:
    """IR of a table of integers."""
    listed = ", ".join(f"i64 {value}" for value in values)
    return f"@{name} = internal constant [{len(values)} x i64] [{listed}]"


def _exposed(kernel: NativeFunction) -> str:
    """A name by which text linked from now on finds the kernel; text linked before keeps the kernel it was given."""
    name = f"cardan_model_{kernel.name}"
    expose(name, kernel.address)
    return name
