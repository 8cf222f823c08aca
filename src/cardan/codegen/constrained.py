"""Constrained motion as native functions of the universal interface.

The model's terms are a generated kernel; solving and projecting are native functions for any size, tied to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cardan.codegen.function import NativeFunction
from cardan.codegen.linking import tie, tied_text
from cardan.linalg.closing import closing_workspace, cloud
from cardan.linalg.projection import constrained_rhs, nearness, project, workspace
from cardan.native import Library
from cardan.native.language import NativeFunction as AnySize

Tied: TypeAlias = tuple[str, AnySize[..., int], Sequence[NativeFunction], Mapping[str, Sequence[int]]]


@dataclass(frozen=True)
class ConstrainedKernels:
    """Kernels of a model with constraints, and what functions for any size must know of it.

    ``places`` are its velocities in an order in which M and A are narrow; ``has_phi`` tells of each row of the
    constraints whether it is holonomic, ``quaternions`` where in q each quaternion starts.
    """

    terms: NativeFunction
    residual: NativeFunction
    rates: NativeFunction
    nq: int
    places: Sequence[int]
    has_phi: Sequence[bool]
    quaternions: Sequence[int]

    @property
    def all(self) -> list[NativeFunction]:
        return [self.terms, self.residual, self.rates]

    @property
    def sizes(self) -> str:
        return f"i64 {self.nq}, i64 {len(self.places)}, i64 {len(self.has_phi)}, i64 {self.terms.np}"

    @property
    def workspace(self) -> int:
        return workspace(self.nq, len(self.places), len(self.has_phi))

    @property
    def tables(self) -> dict[str, list[int]]:
        return projection_tables(self.places, self.has_phi, self.quaternions)


@dataclass(frozen=True)
class ConstrainedFunctions:
    """Addresses of the right-hand side, of the projection and of the nearness to a loss of rank, and what keeps them
    alive."""

    rhs: int
    project: int
    nearness: int
    parts: tuple[NativeFunction | Library, ...]


def tie_together(kernels: ConstrainedKernels) -> ConstrainedFunctions:
    """Native functions of one model; what stands behind the parameters in p is told in ``linalg/projection.py``."""
    made = [
        tie(name, function, needed, kernels.sizes, kernels.workspace, tables)
        for name, function, needed, tables in _functions(kernels)
    ]
    rhs, back, near = (one.address(name) for one, (name, *_) in zip(made, _functions(kernels), strict=True))
    return ConstrainedFunctions(rhs, back, near, (*kernels.all, *made))


def texts_of(kernels: ConstrainedKernels) -> list[str]:
    """The same functions, ``rhs``, ``project`` and ``nearness``, as IR that calls the kernels by their own names."""
    return [
        tied_text(name, function, [one.name for one in needed], kernels.sizes, kernels.workspace, tables)
        for name, function, needed, tables in _functions(kernels)
    ]


def _functions(kernels: ConstrainedKernels) -> tuple[Tied, ...]:
    """Each function of a constrained model by name, with the kernels and the tables that it takes."""
    ordered = {"places": kernels.places}
    return (
        ("rhs", constrained_rhs, [kernels.terms], ordered),
        ("project", project, kernels.all, kernels.tables),
        ("nearness", nearness, [kernels.terms], ordered),
    )


def projection_tables(
    places: Sequence[int], has_phi: Sequence[bool], quaternions: Sequence[int]
) -> dict[str, list[int]]:
    """The constants that ``project`` takes."""
    return {"places": list(places), "has_phi": [int(one) for one in has_phi]} | spin_table(quaternions)


def spin_table(quaternions: Sequence[int]) -> dict[str, list[int]]:
    """The constants that ``move`` takes."""
    return {"spins": [len(quaternions), *quaternions]}


def cloud_of(kernels: ConstrainedKernels, units: Sequence[int], count: int) -> NativeFunction:
    """Configurations with phi = 0 around one; ``linalg/closing.py`` tells what y, p and the outputs are."""
    nq, n, m = kernels.nq, len(kernels.places), len(kernels.has_phi)
    total = kernels.workspace + closing_workspace(nq, n, m)
    tables = kernels.tables | {"units": list(units)}
    library = tie("cloud", cloud, kernels.all, f"{kernels.sizes}, i64 {count}", total, tables)
    return NativeFunction(library, "cloud", nq + n + count * n, kernels.terms.np + n, count * (1 + nq + n + 2 * m * n))
