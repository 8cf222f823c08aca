"""The interface of a native function: parameters and result, read from its annotations."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from cardan.native.bundles import Bundle, Kind, flat, kind_of
from cardan.native.kinds import PARAMETERS, RESULTS, Place, kind_of_annotation
from cardan.native.once import once


@dataclass(frozen=True)
class Signature:
    """Name, name in the object file, parameters with their kinds, and kind of the result."""

    name: str
    symbol: str
    parameters: tuple[tuple[str, Kind], ...]
    result: Kind

    @once
    def flat(self) -> tuple[tuple[str, str], ...]:
        """Names and plain kinds of the parameters as machine code sees them: bundles field by field."""
        return tuple(one for name, kind in self.parameters for one in flat(kind, name))

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Kinds of the parameters."""
        return tuple(kind for _, kind in self.parameters)

    def __str__(self) -> str:
        listed = (f"{name}: {kind.name if isinstance(kind, Bundle) else kind}" for name, kind in self.parameters)
        return f"({', '.join(listed)})"


class Callee(ABC):
    """A function that other native functions can call: its source, and what its names mean."""

    scope: dict[str, object]
    wide: bool
    inline: bool

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """Parameters and result."""

    @property
    @abstractmethod
    def tree(self) -> ast.FunctionDef:
        """The syntax tree of the definition."""

    @property
    @abstractmethod
    def file(self) -> str:
        """The file of the definition."""

    @abstractmethod
    def address(self) -> int:
        """Where the machine code starts."""

    @abstractmethod
    def interpreted(self) -> Callable[..., object]:
        """The same source, run by Python."""


def signature_of(tree: ast.FunctionDef, symbol: str, place: Place, scope: dict[str, object]) -> Signature:
    """Read the signature from the annotations; everything must be annotated, positional and without defaults."""
    spec = tree.args
    if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs or spec.defaults:
        raise place.refuse("only plain positional parameters are supported", "Remove defaults, *, / and ** parameters")
    parameters = []
    for argument in spec.args:
        kind = kind_of(argument.annotation, scope)
        if kind is None:
            raise place.refuse(
                f"parameter {argument.arg!r} has no native type",
                f"Annotate it with one of {', '.join(PARAMETERS)}, or a bundle",
            )
        parameters.append((argument.arg, kind))
    return Signature(tree.name, symbol, tuple(parameters), _result(tree, place, scope))


def _result(tree: ast.FunctionDef, place: Place, scope: dict[str, object]) -> Kind:
    if kind_of_annotation(tree.returns) in RESULTS:
        return kind_of_annotation(tree.returns)
    kind = kind_of(tree.returns, scope)
    if not isinstance(kind, Bundle):
        raise place.refuse(
            "the result has no native type", f"Annotate it with one of {', '.join(RESULTS)}, or a bundle"
        )
    return kind
