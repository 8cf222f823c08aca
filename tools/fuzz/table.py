"""The table of fuzzed inputs in docs/trust.md: counts of all runs so far, kept in docs/fuzz.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tools.fuzz.judging import OUTCOMES, Kind, Outcome
from tools.soak.table import ROOT

RECORD = ROOT / "docs" / "fuzz.json"


@dataclass
class Counts:
    """How many inputs of a kind came out how, the slowest, and the number of the next."""

    next: int = 0
    slowest: float = 0.0
    outcomes: dict[str, int] = field(default_factory=dict)

    def add(self, outcome: Outcome, number: int) -> None:
        self.outcomes[outcome.kind] = self.outcomes.get(outcome.kind, 0) + 1
        self.slowest = max(self.slowest, outcome.seconds)
        self.next = max(self.next, number + 1)


def read(path: Path = RECORD) -> dict[str, Counts]:
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: Counts(**one) for name, one in found.items()}


def write(name: str, counts: Counts, path: Path = RECORD) -> None:
    """The counts of one kind, beside those of the others."""
    found = {**read(path), name: counts}
    path.write_text(json.dumps({key: asdict(one) for key, one in found.items()}, indent=1) + "\n", encoding="utf-8")


def lines(kinds: Sequence[Kind], found: Mapping[str, Counts]) -> list[str]:
    """The table in Markdown."""
    head = ["input", "drawn by", "tried", *OUTCOMES, "slowest, s of CPU"]
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for kind in kinds:
        own = found.get(kind.name, Counts())
        numbers = " | ".join(str(own.outcomes.get(one, 0)) for one in OUTCOMES)
        tried = sum(own.outcomes.values())
        rows.append(f"| {kind.name} | {kind.about} | {tried} | {numbers} | {own.slowest:.2f} |")
    return rows
