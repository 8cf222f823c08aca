"""Prints the table of ``docs/theory/classification.md``: every named configuration, by Cardan and by the rank of M.

python docs/theory/scripts/classification.py           # print
python docs/theory/scripts/classification.py --write   # put it into the page
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/theory/classification.md"
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"
sys.path.insert(0, str(ROOT / "tests"))

from support.singular_cases import CASES, COORDINATE, Case  # noqa: E402  (found by the path set above)
from support.singular_systems import UNITS  # noqa: E402


def verdicts(case: Case) -> tuple[str, int, list[bool]]:
    """(what Cardan says; in how many units it is wrong; whether matrix_rank(M) says "singular" in each)."""
    built, said, missed, naive = case.build(), set(), 0, []
    rng = np.random.default_rng(7)
    for length, mass in UNITS.values():
        s = built.scaled(length, mass, 10.0 ** rng.uniform(-3, 3, len(built.factors)), case.values)
        q = built.configuration(case.q, length)
        kinds = s.diagnose(q, loads=None if case.load is None else {case.load: 1.0}).kinds
        said.add(" and ".join(sorted(kinds)) or "regular")
        mass_matrix = s.compile().mass_matrix(q)
        naive.append(bool(np.linalg.matrix_rank(mass_matrix) < len(mass_matrix)))
        missed += kinds != case.kinds
    return " / ".join(sorted(said)), missed, naive


def table() -> str:
    """The table and its count."""
    head = ["row", "configuration", "Cardan, in all four units", *(f"rank of M, {unit}" for unit in UNITS)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    wrong = missed = 0
    for case in CASES:
        said, misjudged, naive = verdicts(case)
        missed += misjudged
        truth = COORDINATE in case.kinds
        wrong += sum(one != truth for one in naive)
        cells = [("singular" if one else "regular") + ("" if one == truth else " (wrong)") for one in naive]
        lines.append("| " + " | ".join([case.row, case.what, said, *cells]) + " |")
    total = len(CASES) * len(UNITS)
    silent = sum(bool(case.kinds - {COORDINATE}) for case in CASES)
    lines.append("")
    lines.append(
        f"{len(CASES)} configurations in {len(UNITS)} systems of units: Cardan misjudges {missed} of {total}. The rank "
        f"of M is wrong about the coordinates in {wrong} of {total}, and has no word for the {silent} configurations "
        "that are in gimbal lock, have degenerate constraints or lie on a boundary."
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    found = table()
    print(found)
    if "--write" in sys.argv[1:]:
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        PAGE.write_text(before + BEGIN + found + END + rest.partition(END)[2], encoding="utf-8")
