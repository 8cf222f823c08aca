"""What ``eq.write`` returns: equations, constraints and conditions with named quantities, as text, LaTeX or MathML."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import sympy as sp

from cardan.equations.writing.printing import FormulaPrinter, mathml_of, text_of

Side: TypeAlias = sp.Expr | sp.MatrixBase | sp.MatrixExpr

IN_A_CELL = 100  # characters of text that a line of a notebook holds
SIGNS = {"=": "=", ">=": r"\ge", "<=": r"\le"}


@dataclass(frozen=True)
class Line:
    """``left`` ``sign`` ``right``, with the name of what it is; ``when`` says where it holds, if not everywhere."""

    name: str
    left: Side
    right: Side
    sign: str = "="
    when: str = ""

    @property
    def text(self) -> str:
        """The line without its name."""
        return f"{text_of(self.left)} {self.sign} {text_of(self.right)}" + (f"  {self.when}" if self.when else "")

    @property
    def residual(self) -> sp.Expr | sp.MatrixBase:
        """left - right; a column where the line is one of matrices."""
        sides = [side.doit() if isinstance(side, sp.MatrixExpr) else side for side in (self.left, self.right)]
        return sides[0] - sides[1]


@dataclass(frozen=True)
class Condition:
    """What holds at a stop or where something rubs: several lines that together decide ``forces``."""

    name: str
    forces: tuple[sp.Symbol, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Written:
    """Equations in one form. Iterating gives the lines that count: as many as there are ``unknowns``."""

    system: str
    form: str
    law: str  # of the form, in a formula of LaTeX
    equations: tuple[Line, ...]
    constraints: tuple[Line, ...] = ()
    conditions: tuple[Condition, ...] = ()
    definitions: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()  # named quantities, each in terms of those before it
    unknowns: tuple[sp.Symbol, ...] = ()
    kept: tuple[Line, ...] = ()  # constraints that the equations keep by themselves, once they hold
    multipliers: tuple[str, ...] = ()
    matrices: tuple[tuple[str, sp.MatrixBase], ...] = ()  # of the form "matrix", by their letters
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Line]:
        return iter((*self.equations, *self.constraints))

    def __len__(self) -> int:
        """How many scalar equations there are, one condition for each force of a contact."""
        lines = sum(_rows(line) for line in self)
        return lines + sum(len(one.forces) for one in self.conditions)

    def in_full(self, value: sp.Expr | sp.MatrixBase) -> sp.Expr | sp.MatrixBase:
        """An expression of the form with its named quantities put in."""
        for symbol, meaning in reversed(self.definitions):
            value = value.xreplace({symbol: meaning})
        return value

    @property
    def lines(self) -> list[str]:
        """Equations, constraints, conditions and definitions as lines of text."""
        found = [line.text for line in self] + [line.text for one in self.conditions for line in one.lines]
        return found + [f"{symbol} = {text_of(value)}" for symbol, value in self.definitions]

    @property
    def longest(self) -> int:
        """Characters of the longest line of text."""
        own = self._matrix_lines() if self.matrices else [line.text for line in self]
        lines = own + [f"{a} = {text_of(b)}" for a, b in self.definitions]
        return max(map(len, lines), default=0)

    # --- text --------------------------------------------------------------------------------------

    def __str__(self) -> str:
        lines = self._matrix_lines() if self.matrices else [_told(line) for line in self.equations]
        parts = [(f"{self.form} of {self.system!r}:", lines)]
        if self.constraints:
            parts.append(("constraints:", [_told(line) for line in self.constraints]))
        for one in self.conditions:
            parts.append((f"contact {one.name}:", [line.text for line in one.lines]))
        if self.kept:
            parts.append(("kept by these, once it holds:", [_told(line) for line in self.kept]))
        if self.definitions:
            parts.append(("where", [f"{symbol} = {text_of(value)}" for symbol, value in self.definitions]))
        text = "\n".join("\n".join([title, *(f"  {line}" for line in lines)]) for title, lines in parts)
        return "\n".join([text, *self.notes, self._count()])

    def _matrix_lines(self) -> list[str]:
        """M vd + C v + g = Q + A^T lam in letters, then each matrix row by row."""
        known = {name for name, _ in self.matrices}
        terms = {"M": "M vd", "C": "C v", "f": "f", "g": "g"}
        left = " + ".join(text for name, text in terms.items() if name in known)
        right = " + ".join(text for name, text in {"Q": "Q", "A": "A^T lam"}.items() if name in known)
        lines = [f"{left} = {right or 0}"]
        for name, matrix in self.matrices:
            rows = [f"[{', '.join(map(text_of, row))}]" for row in matrix.tolist()]
            lines += [f"{name} = {rows[0]}", *(" " * len(name) + "   " + row for row in rows[1:])]
        return lines

    def _count(self) -> str:
        return f"{len(self)} equation{'s' * (len(self) != 1)} for {', '.join(map(str, self.unknowns))}"

    def __repr__(self) -> str:
        return f"Written({self.form!r} of {self.system!r}: {len(self)} equations, longest {self.longest} characters)"

    # --- formulas ----------------------------------------------------------------------------------

    def latex(self, width: int | None = None) -> str:
        """All lines, aligned at their signs; sums longer than ``width`` characters of text go on in the next line."""
        lines = list(self._latex_lines(width))
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _latex_lines(self, width: int | None) -> Iterator[str]:
        write = FormulaPrinter(self.multipliers).doprint
        for line in (*self, *(line for one in self.conditions for line in one.lines)):
            yield _latex(line, write) if width is None else broken(line, write, width)
        for symbol, value in self.definitions:
            line = Line("", symbol, value)
            yield r"\text{where } " + (_latex(line, write) if width is None else broken(line, write, width))

    def mathml(self) -> str:
        """All lines as one MathML table, which browsers show without a script."""
        rows = []
        for line in (*self, *(line for one in self.conditions for line in one.lines)):
            cells = (mathml_of(line.left), f"<mo>{_mark(line.sign)}</mo>", mathml_of(line.right))
            rows.append("<mtr>" + "".join(f"<mtd>{cell}</mtd>" for cell in cells) + "</mtr>")
        for symbol, value in self.definitions:
            cells = (mathml_of(symbol), "<mo>=</mo>", mathml_of(value))
            rows.append("<mtr>" + "".join(f"<mtd>{cell}</mtd>" for cell in cells) + "</mtr>")
        table = f'<mtable columnalign="right center left">{"".join(rows)}</mtable>'
        return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{table}</math>'

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex(IN_A_CELL)}$"


def _rows(line: Line) -> int:
    return int(line.left.shape[0]) if isinstance(line.left, (sp.MatrixBase, sp.MatrixExpr)) else 1


def _told(line: Line) -> str:
    return f"{line.text}   ({line.name})" if line.name and line.name != str(line.left) else line.text


def _mark(sign: str) -> str:
    return {"=": "=", ">=": "≥", "<=": "≤"}[sign]


def _latex(line: Line, write: sp.Basic) -> str:
    when = rf" \quad \text{{{line.when}}}" if line.when else ""
    return f"{write(line.left)} &{SIGNS[line.sign]} {write(line.right)}{when}"


def broken(line: Line, write: Callable[[sp.Basic], str], width: int) -> str:
    """A line of LaTeX whose long sums go on below, each part at the sign."""
    left, right = _parts(line.left, write, width), _parts(line.right, write, width)
    sign, when = SIGNS[line.sign], rf" \quad \text{{{line.when}}}" if line.when else ""
    if len(left) == 1:
        return f"{left[0]} &{sign} " + r" \\ & \quad ".join(right) + when
    return "& " + r" \\ & \quad ".join(left) + rf" \\ & \quad {sign} " + r" \\ & \quad ".join(right) + when


def _parts(side: Side, write: Callable[[sp.Basic], str], width: int) -> list[str]:
    """A side in parts of about equal length, broken between the terms of its sum."""
    if not isinstance(side, sp.Add) or len(text_of(side)) <= width:
        return [write(side)]
    parts, used = [""], 0
    for term in side.as_ordered_terms():
        text, size = write(term), len(text_of(term)) + 3
        joined = text if text.startswith("-") or not (used or len(parts) > 1) else f"+ {text}"
        if used and used + size > width:
            parts, used = [*parts, ""], 0
        parts[-1], used = f"{parts[-1]} {joined}".strip(), used + size
    return parts
