"""Draw inputs of every kind, load them, write down what fails, and add the counts to docs/trust.md.

    FUZZ_COUNT=100000 FUZZ_KIND="model files" python -m tools.fuzz

draws that many expressions and as many model files, and a tenth of it of robots in each format; FUZZ_KIND draws one
kind alone. The numbers of cases go on where the last run ended, or from FUZZ_FIRST.
"""

from __future__ import annotations

import os
import sys

from tools.fuzz.expressions import EXPRESSIONS
from tools.fuzz.judging import LOADED, REFUSED, Kind, judge
from tools.fuzz.models import MODELS, ROOT
from tools.fuzz.robots import MJCF, URDF
from tools.fuzz.table import Counts, lines, read, write
from tools.soak.table import put_in_page

KINDS = (EXPRESSIONS, MODELS, URDF, MJCF)
BEGIN = "<!-- made by make fuzz -->"
SAVED_EVERY = 1000  # cases


def fuzz(kind: Kind, count: int, counts: Counts, first: int) -> int:
    """Try so many cases; what fails is written to output/fuzz and counted."""
    failed = 0
    judge(kind, kind.case(first))  # everything is imported and SymPy is warm
    for number in range(first, first + count):
        content = kind.case(number)
        outcome = judge(kind, content)
        counts.add(outcome, number)
        if outcome.kind not in (LOADED, REFUSED):
            failed += 1
            folder = ROOT / "output" / "fuzz"
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{kind.name.replace(' ', '_')}_{number}{kind.ending}"
            path.write_bytes(content)
            print(
                f"{kind.name} {number}: {outcome.kind}, {outcome.words} ({outcome.seconds:.2f} s)\n  -> {path}",
                flush=True,
            )
        if (number + 1) % SAVED_EVERY == 0:
            write(kind.name, counts)
    write(kind.name, counts)
    return failed


def main() -> int:
    asked = int(os.environ.get("FUZZ_COUNT", "100000"))
    only = os.environ.get("FUZZ_KIND", "")
    failed = 0
    for kind in KINDS:
        if only in ("", kind.name):
            counts = read().get(kind.name, Counts())
            first = int(os.environ.get("FUZZ_FIRST", counts.next))
            failed += fuzz(kind, max(1, round(asked * kind.share)), counts, first)
    table = lines(KINDS, read())
    put_in_page(table, begin=BEGIN)
    print("\n".join(table))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
