"""Draw random cases until the time is up, shrink what fails, and add the counts to docs/trust.md.

    SOAK_MINUTES=20 SOAK_SEED=0 python -m tools.soak

Without SOAK_SEED the seeds go on where the last soak ended.
"""

from __future__ import annotations

import os
import sys
import time

import numpy as np

from tools.soak.families import FAMILIES
from tools.soak.judging import AGREED, COMPLAINED, LATE, judge
from tools.soak.shrinking import shrunk, write_test
from tools.soak.table import ROOT, Tally, put_in_page

SAVED_EVERY = 60.0  # seconds: a soak that is ended keeps what it has


def main() -> int:
    minutes = float(os.environ.get("SOAK_MINUTES", "20"))
    tally = Tally.read()
    first = int(os.environ.get("SOAK_SEED", max((b + 1 for _, b in tally.seeds), default=0)))
    begin = saved = time.monotonic()
    before, failed, seed = tally.minutes, 0, first
    tally.seeds.append([first, first])
    while time.monotonic() - begin < 60 * minutes:
        for family in FAMILIES:
            case = family.draw(np.random.default_rng([seed, len(family.name)]))
            verdict = judge(family, case)
            tally.add(family.name, verdict.kind)
            if verdict.kind not in (AGREED, COMPLAINED):
                failed += 1
                small = case if verdict.kind == LATE else shrunk(family, case, verdict.kind)
                path = write_test(ROOT / "output" / "soak", family, small, seed, verdict.kind, verdict.words)
                told = f"{family.name}, seed {seed}: {verdict.kind}, {verdict.words[:160]} ({verdict.seconds:.1f} s)"
                tally.failures.append(told)
                print(f"{told}\n  -> {path}", flush=True)
        tally.seeds[-1][1] = seed
        seed += 1
        if time.monotonic() - saved > SAVED_EVERY:
            saved = time.monotonic()
            tally.minutes = before + (saved - begin) / 60
            tally.write()
    tally.minutes = before + (time.monotonic() - begin) / 60
    tally.write()
    lines = tally.lines(FAMILIES)
    put_in_page(lines)
    print("\n".join(lines))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
