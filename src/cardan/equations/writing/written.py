"""What ``eq.write`` returns: equations, constraints and conditions with named quantities, as text, LaTeX or MathML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import sympy as sp

from cardan.equations.writing.printing import FormulaPrinter, mathml_of, text_of

Side: TypeAlias = sp.Expr | sp.MatrixBase | sp.MatrixExpr

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

    def latex(self) -> str:
        """All lines, aligned at their signs."""
        lines = list(self._latex_lines())
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _latex_lines(self) -> Iterator[str]:
        write = FormulaPrinter(self.multipliers).doprint
        for line in self:
            yield _latex(line, write)
        for one in self.conditions:
            for line in one.lines:
                yield _latex(line, write)
        for symbol, value in self.definitions:
            yield rf"\text{{where }} {write(symbol)} &= {write(value)}"

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
        return f"$\\displaystyle {self.latex()}$"

    def _repr_html_(self) -> str:
        """For notebooks: scrolls inside its cell where it is wider."""
        return f'<div style="overflow-x: auto">{self.mathml()}</div>'


def _rows(line: Line) -> int:
    return int(line.left.shape[0]) if isinstance(line.left, (sp.MatrixBase, sp.MatrixExpr)) else 1


def _told(line: Line) -> str:
    return f"{line.text}   ({line.name})" if line.name and line.name != str(line.left) else line.text


def _mark(sign: str) -> str:
    return {"=": "=", ">=": "≥", "<=": "≤"}[sign]


def _latex(line: Line, write: sp.Basic) -> str:
    when = rf" \quad \text{{{line.when}}}" if line.when else ""
    return f"{write(line.left)} &{SIGNS[line.sign]} {write(line.right)}{when}"
