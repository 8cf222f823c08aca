"""Results as a notebook shows them: tables, formulas and matrices in a frame that is never wider than its cell.

A class that is a ``Shown`` is displayed by its own words (``__str__``), or by the facts named in ``_showing``. A
``Listing`` is a list whose members become rows of one table. Everything that comes from a model is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from html import escape
from typing import ClassVar, Protocol, TypeVar

import numpy as np

LEFT = ' style="text-align:left;vertical-align:top"'
LARGEST = 8  # rows or columns of a matrix that is shown whole
MOST = 40  # members of a list that are shown

T = TypeVar("T")


def framed(*parts: str) -> str:
    """Pieces of HTML one below the other; what is wider than the cell scrolls inside it."""
    return f'<div style="overflow-x:auto;max-width:100%">{"".join(parts)}</div>'


def table(rows: Iterable[Sequence[object]], head: Sequence[object] = ()) -> str:
    """An HTML table."""
    top = f"<thead><tr>{''.join(f'<th{LEFT}>{escape(str(one))}</th>' for one in head)}</tr></thead>" if head else ""
    body = "".join("<tr>" + "".join(f"<td{LEFT}>{cell(one)}</td>" for one in row) + "</tr>" for row in rows)
    return f"<table>{top}<tbody>{body}</tbody></table>"


def heading(text: str) -> str:
    return f"<p><b>{escape(text)}</b></p>"


class Typeset(Protocol):
    """What writes itself in LaTeX for notebooks, as everything of SymPy does."""

    def _repr_latex_(self) -> str | None: ...


def formula(value: Typeset) -> str:
    """LaTeX between dollar signs: notebooks typeset it inside HTML, where they throw MathML away."""
    return escape(value._repr_latex_() or str(value))


def cell(value: object) -> str:
    """A value as HTML: numbers short, formulas typeset, small matrices as tables, anything else as its text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float, complex, np.number)):
        return escape(number(complex(value)))
    if hasattr(value, "_repr_latex_"):
        return formula(value)
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{escape(str(key))} = {cell(one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(cell, value[:MOST])) + (f", and {len(value) - MOST} more" if len(value) > MOST else "")
    return escape(str(value))


def number(value: complex) -> str:
    """Six digits; complex ones as a + bi."""
    real, imaginary = f"{value.real:.6g}", f"{abs(value.imag):.6g}"
    if imaginary == "0":
        return real
    sign = "-" if value.imag < 0 else "+"
    own = f"{imaginary}i"
    return f"{real} {sign} {own}" if value.real else f"{'-' if sign == '-' else ''}{own}"


def _array(value: np.ndarray) -> str:
    if value.ndim == 2 and max(value.shape) <= LARGEST:
        return table([[complex(one) for one in row] for row in value.tolist()]) if value.size else "empty"
    if value.ndim <= 1 and value.size <= MOST:
        return ", ".join(cell(one) for one in np.atleast_1d(value).tolist())
    return escape(f"{' by '.join(map(str, value.shape))} numbers")


class Shown:
    """A result with a rich display: its words or its facts; ``_row`` is what a table of several says of it."""

    __slots__ = ()
    _showing: ClassVar[tuple[str, ...]] = ()

    def _repr_html_(self) -> str:
        """For notebooks."""
        return framed(*self._pieces())

    def _pieces(self) -> Iterator[str]:
        """HTML, piece by piece."""
        if not self._showing and type(self).__str__ is not object.__str__:
            yield words(str(self))
            return
        yield heading(_in_words(type(self).__name__))
        yield table(self._row().items())

    def _row(self) -> dict[str, object]:
        """Facts by name."""
        if not self._showing and type(self).__str__ is not object.__str__:
            return {"": str(self)}
        generated = getattr(type(self), "__dataclass_params__", None)  # of a dataclass
        if not self._showing and (generated is None or not generated.repr):
            return {"": repr(self)}
        names = self._showing or tuple(one.name for one in fields(self) if one.repr)  # type: ignore[arg-type]  # a dataclass
        return {_in_words(name): getattr(self, name) for name in names if not name.startswith("_")}


class Listing(list[T]):
    """A list whose members a notebook shows as rows of a table; ``none`` is what an empty one says."""

    def __init__(self, found: Iterable[T] = (), none: str = "none") -> None:
        super().__init__(found)
        self.none = none

    def _repr_html_(self) -> str:
        """For notebooks."""
        return framed(listed(self, self.none))


class Rows(tuple[T, ...]):
    """A tuple whose members a notebook shows as rows of a table."""

    def _repr_html_(self) -> str:
        """For notebooks."""
        return framed(listed(self))


def listed(members: Sequence[object], none: str = "none") -> str:
    """One table of all members, a column for each fact that any of them has."""
    if not members:
        return f"<p>{escape(none)}</p>"
    rows = [one._row() if isinstance(one, Shown) else {"": one} for one in members[:MOST]]
    head = list(dict.fromkeys(key for row in rows for key in row))
    more = f"<p>and {len(members) - MOST} more</p>" if len(members) > MOST else ""
    return table([[row.get(key) for key in head] for row in rows], head if any(head) else ()) + more


def words(text: str) -> str:
    """Lines of text as a table: where a line has a label, two spaces before the rest, in columns."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = [re.split(r"\s{2,}", line) for line in lines]
    if max(map(len, parts), default=0) < 2:
        return "".join(f"<p>{escape(line)}</p>" for line in lines)
    return table(parts)


def _in_words(name: str) -> str:
    """``is_stable`` as "is stable", ``SteadyMotion`` as "Steady motion"."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda one: f" {one[1].lower()}", name).replace("_", " ").strip()
