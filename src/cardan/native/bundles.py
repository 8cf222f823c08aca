"""Bundles: named tuples that native functions take, make and return, so that what belongs together travels together.

    class Work(NamedTuple):
        y: Array
        f: Array
        end: i64

    @native
    def lay_out(n: i64, work: Array) -> Work:
        return carve(Work, work, n, n)

A bundle exists in the source only. To machine code each of its fields is a parameter or a local of its own, so that a
bundle costs nothing. Fields are of the plain kinds or bundles again, and do not change.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeGuard, TypeVar

from cardan.errors import CompileError
from cardan.native.kinds import LLVM, PARAMETERS, Array, kind_of_annotation

B = TypeVar("B", bound=NamedTuple)
Kind: TypeAlias = "str | Bundle"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A named tuple as the native language sees it: its class and the kinds of its fields, in order."""

    cls: type[NamedTuple]
    fields: tuple[tuple[str, Kind], ...]

    @property
    def name(self) -> str:
        """What the class is called."""
        return self.cls.__name__

    def flat(self, path: str) -> Iterator[tuple[str, str]]:
        """Dotted names and plain kinds of all fields of a bundle called ``path``, those of inner bundles in place."""
        for name, kind in self.fields:
            yield from flat(kind, f"{path}.{name}")


def flat(kind: Kind, path: str) -> Iterator[tuple[str, str]]:
    """Names and plain kinds of what a parameter of any kind consists of."""
    if isinstance(kind, Bundle):
        yield from kind.flat(path)
    else:
        yield path, kind


def llvm_type(kind: Kind) -> str:
    """How a result of this kind looks to LLVM."""
    if isinstance(kind, Bundle):
        return "{" + ", ".join(LLVM[one] for _, one in kind.flat("")) + "}"
    return LLVM[kind]


def is_bundle(meaning: object) -> TypeGuard[type[NamedTuple]]:
    """Whether a name that means this is the name of a bundle."""
    return isinstance(meaning, type) and issubclass(meaning, tuple) and hasattr(meaning, "_fields")


@functools.cache
def bundle_of(cls: type[NamedTuple]) -> Bundle:
    """The bundle that a named tuple describes; CompileError where a field has no native kind."""
    scope = vars(sys.modules[cls.__module__])
    fields = []
    for name, annotation in cls.__annotations__.items():
        text = annotation if isinstance(annotation, str) else getattr(annotation, "__forward_arg__", "")
        kind = kind_of(ast.parse(text or "_", mode="eval").body, scope)
        if kind is None:
            raise CompileError(
                f"Field {name!r} of bundle {cls.__name__!r} has no native type. Annotate it with one of "
                f"{', '.join(PARAMETERS)} or a bundle, in a module with `from __future__ import annotations`."
            )
        fields.append((name, kind))
    return Bundle(cls, tuple(fields))


def kind_of(annotation: ast.expr | None, scope: dict[str, object]) -> Kind | None:
    """The kind that an annotation names, None where it is neither a plain one nor a bundle."""
    name = kind_of_annotation(annotation)
    if name in PARAMETERS:
        return name
    meaning = scope.get(name)
    return bundle_of(meaning) if is_bundle(meaning) else None


def carve(bundle: type[B], array: Array, *lengths: int) -> B:
    """The bundle whose fields are parts of one array, one after another, of the given lengths.

    Its last field, behind all arrays, is how many numbers these take together.
    """
    parts, offset = [], 0
    for length in lengths:
        parts.append(array[offset:])
        offset += length
    return bundle._make([*parts, offset])
