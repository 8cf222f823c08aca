"""The table of docs/trust.md: counts of all soaks so far, added up by the runs themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.soak.judging import KINDS, Family

ROOT = Path(__file__).parents[2]
PAGE, RECORD = ROOT / "docs" / "trust.md", ROOT / "docs" / "trust.json"
BEGIN, END = "<!-- made by make soak -->", "<!-- end -->"


@dataclass
class Tally:
    """Counts by family and kind, ranges of seeds, and minutes."""

    minutes: float = 0.0
    seeds: list[list[int]] = field(default_factory=list)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path = RECORD) -> Tally:
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else cls()

    def write(self, path: Path = RECORD) -> None:
        path.write_text(json.dumps(vars(self), indent=1) + "\n", encoding="utf-8")

    def add(self, family: str, kind: str) -> None:
        own = self.counts.setdefault(family, {})
        own[kind] = own.get(kind, 0) + 1

    def lines(self, families: Sequence[Family]) -> list[str]:
        """The table in Markdown."""
        head = ["case", "judged by", "tried", *KINDS]
        rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        total = dict.fromkeys(KINDS, 0)
        for one in families:
            own = dict.fromkeys(KINDS, 0) | self.counts.get(one.name, {})
            for kind in KINDS:
                total[kind] += own[kind]
            rows.append(
                f"| {one.name} | {one.judged_by} | {sum(own.values())} | {' | '.join(str(own[k]) for k in KINDS)} |"
            )
        rows.append(f"| **all** | | {sum(total.values())} | {' | '.join(str(total[k]) for k in KINDS)} |")
        seeds = ", ".join(f"{a} to {b}" for a, b in self.seeds) or "none"
        rows += ["", f"{self.minutes:.0f} minutes in all, seeds {seeds}."]
        rows += ["", *(f"- {one}" for one in self.failures)] if self.failures else []
        return rows


def put_in_page(lines: Sequence[str], page: Path = PAGE, begin: str = BEGIN) -> None:
    """The page with the table in place of the old one, which stands between ``begin`` and the next end."""
    text = page.read_text(encoding="utf-8")
    block = f"{begin}\n\n" + "\n".join(lines) + f"\n\n{END}"
    page.write_text(
        re.sub(f"{re.escape(begin)}.*?{re.escape(END)}", lambda _: block, text, flags=re.S), encoding="utf-8"
    )
