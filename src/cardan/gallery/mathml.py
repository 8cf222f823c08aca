"""Formulas as MathML, which browsers typeset themselves: no script, no font, no network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.dom.minidom import Element

import sympy as sp
from sympy.printing.mathml import MathMLPresentationPrinter
from sympy.printing.pretty.pretty_symbology import greek_unicode

from cardan.model.symbols import Acceleration, Velocity

LETTERS = {**greek_unicode, "lam": "λ", "Lam": "Λ"}
TIMES, THIN = "<mo>&InvisibleTimes;</mo>", '<mspace width="0.18em"></mspace>'
DOTS = {Velocity: "˙", Acceleration: "¨"}


def mathml(expression: sp.Expr | sp.Matrix | Sequence[sp.Expr], block: bool = False) -> str:
    """A ``math`` element with a SymPy expression, matrix or list of them."""
    if isinstance(expression, (list, tuple)):
        expression = sp.Matrix(expression)
    inner = Printer().doprint(expression).replace(TIMES, THIN)
    return f'<math display="{"block" if block else "inline"}" displaystyle="true">{inner}</math>'


class Printer(MathMLPresentationPrinter):
    """SymPy's own, with Greek letters, indices and dots as the texts write them."""

    def _print_Symbol(self, symbol: sp.Symbol, style: str = "plain") -> Element:  # noqa: N802
        dots = next((mark for kind, mark in DOTS.items() if isinstance(symbol, kind)), "")
        name = getattr(symbol, "of", None) if dots else None
        return self._named(str(name or symbol.name), dots if name else "")

    def _named(self, name: str, dots: str) -> Element:
        base, indices = parts(name)
        letter = self._leaf("mi", LETTERS.get(base, base))
        if dots:
            letter = self._tree("mover", letter, self._leaf("mo", dots))
        if not indices:
            return letter
        leaves = [self._leaf("mn" if one.isdigit() else "mi", LETTERS.get(one, one)) for one in indices]
        return self._tree("msub", letter, leaves[0] if len(leaves) == 1 else self._tree("mrow", *leaves))

    def _print_Pow(self, power: sp.Pow) -> Element:  # noqa: N802
        """sin²(x) instead of sin(x)²."""
        base, exponent = power.as_base_exp()
        if isinstance(base, sp.Function) and len(base.args) == 1 and exponent.is_Integer and exponent > 1:
            name = self._tree("msup", self._leaf("mi", base.func.__name__), self._print(exponent))
            return self._tree("mrow", name, self._bracketed(base.args[0]))
        plain: Element = super()._print_Pow(power)
        return plain

    def _print_MatrixBase(self, matrix: sp.Matrix) -> Element:  # noqa: N802
        """A table; its brackets come from the style sheet, because browsers stretch them only with special fonts."""
        rows = [self._tree("mtr", *(self._tree("mtd", self._print(x)) for x in line)) for line in matrix.tolist()]
        table = self._tree("mtable", *rows)
        table.setAttribute("class", "matrix")
        return table

    def _bracketed(self, inside: sp.Expr) -> Element:
        return self._tree("mrow", self._leaf("mo", "("), self._print(inside), self._leaf("mo", ")"))

    def _leaf(self, tag: str, text: str) -> Element:
        leaf: Element = self.dom.createElement(tag)
        leaf.appendChild(self.dom.createTextNode(text))
        return leaf

    def _tree(self, tag: str, *children: Element) -> Element:
        tree: Element = self.dom.createElement(tag)
        for child in children:
            tree.appendChild(child)
        return tree


def parts(name: str) -> tuple[str, list[str]]:
    """A letter and its indices: nu1 is nu with 1, M1_x is M with 1 and x, r_e is r with e."""
    head, *tail = name.split("_")
    match = re.fullmatch(r"([A-Za-z]+)(\d+)", head)
    if match:
        return match[1], [match[2], *tail]
    return head, [one for one in tail if one]
