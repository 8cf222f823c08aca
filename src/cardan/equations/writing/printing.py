"""How symbols and numbers are printed: 9.81 without trailing zeros, multipliers as Greek letters with their names."""

from __future__ import annotations

import re
from collections.abc import Iterable

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.mathml import MathMLPresentationPrinter
from sympy.printing.str import StrPrinter

GREEK = {"lam": r"\lambda", "mu": r"\mu"}


class Rate(sp.Symbol):
    """The time derivative of a variable on the left of a first-order equation, printed as dx/dt."""

    def __new__(cls, of: sp.Symbol) -> Rate:
        made: Rate = sp.Symbol.__new__(cls, f"d{of}/dt", real=True)
        made.of = of
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[sp.Symbol], dict[str, bool]]:
        return (self.of,), {}

    def _latex(self, printer: LatexPrinter) -> str:
        return rf"\frac{{d}}{{dt}} {printer.doprint(self.of)}"


def number_text(number: sp.Float) -> str:
    """The shortest decimal that is this number: 9.81, and 2 for 2.0."""
    value = float(number)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


class TextPrinter(StrPrinter):
    """SymPy's own, with short decimals."""

    def _print_Float(self, expr: sp.Float) -> str:
        return number_text(expr)


class FormulaPrinter(LatexPrinter):
    """SymPy's own LaTeX, with short decimals, and lambda with the name of its constraint as index.

    ``multipliers`` are the names of symbols that are multipliers; lam typed by a user stays as it is.
    """

    def __init__(self, multipliers: Iterable[str] = ()) -> None:
        super().__init__()
        self._multipliers = set(multipliers)

    def _print_Float(self, expr: sp.Float) -> str:
        text = number_text(expr)
        match = re.fullmatch(r"(-?[\d.]+)e([+-]?)0*(\d+)", text)
        return rf"{match[1]} \cdot 10^{{{match[2].strip('+')}{match[3]}}}" if match else text

    def _print_Symbol(self, expr: sp.Symbol, style: str = "plain") -> str:
        letter, _, name = expr.name.partition("_")
        if expr.name in self._multipliers and name:
            return rf"{GREEK.get(letter, letter)}_{{{index(name)}}}"
        printed: str = super()._print_Symbol(expr, style)
        return printed


def index(name: str) -> str:
    """A name as an index of a formula: words apart by commas."""
    return r"\,".join(part for part in re.split(r"[^0-9A-Za-z]+", name) if part)


def text_of(value: sp.Basic) -> str:
    """A SymPy object in one line of text."""
    if isinstance(value, sp.MatrixBase):
        return "[" + ", ".join("[" + ", ".join(map(text_of, row)) + "]" for row in value.tolist()) + "]"
    if isinstance(value, (sp.MatMul, sp.MatAdd)):
        return (" " if isinstance(value, sp.MatMul) else " + ").join(map(text_of, value.args))
    return str(TextPrinter().doprint(value))


def mathml_of(value: sp.Basic) -> str:
    """A SymPy object as the inside of a MathML element."""
    return str(MathMLPresentationPrinter().doprint(value))
