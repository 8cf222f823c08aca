"""Tables and targets as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Target:
    """A promise with a number: met if ``found`` is at least (or with ``at_most``, at most) ``wanted``."""

    text: str
    found: float | None
    wanted: float
    unit: str = "x"
    at_most: bool = False

    @property
    def is_met(self) -> bool:
        if self.found is None:
            return False
        return self.found <= self.wanted if self.at_most else self.found >= self.wanted

    def __str__(self) -> str:
        found = "not measured" if self.found is None else f"{number(self.found)}{self.unit}"
        sign = "at most" if self.at_most else "at least"
        verdict = "met" if self.is_met else "MISSED"
        return f"| {self.text} | {sign} {number(self.wanted)}{self.unit} | {found} | {verdict} |"


@dataclass
class Section:
    """One benchmark: what was measured and how, its tables, its targets."""

    title: str
    prose: str
    tables: list[str] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)

    def __str__(self) -> str:
        goals = ["| target | wanted | measured | |", "|---|---|---|---|", *map(str, self.targets)]
        return "\n\n".join([f"## {self.title}", self.prose.strip(), *self.tables, "\n".join(goals)])


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, numbers to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def number(value: float) -> str:
    """Three digits, without an exponent where one can do without."""
    if value == 0 or not 1e-3 <= abs(value) < 1e6:
        return f"{value:.3g}"
    digits = f"{value:#.3g}".rstrip(".")
    return f"{float(digits):,.0f}" if abs(value) >= 1000 else digits


def seconds(value: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{number(value / size)} {unit}"
    return f"{number(value / 1e-9)} ns"
