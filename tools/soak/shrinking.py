"""A failure made as small as it stays one, and written down as a test."""

from __future__ import annotations

import time
from pathlib import Path

from tools.soak.judging import Case, Family, judge

SECONDS = 60.0  # for making one failure smaller


def shrunk(family: Family, case: Case, kind: str) -> Case:
    """The simplest case met that still comes out the same way."""
    end = time.monotonic() + SECONDS
    found = True
    while found and time.monotonic() < end:
        found = False
        for smaller in family.simpler(case):
            if time.monotonic() < end and judge(family, smaller).kind == kind:
                case, found = smaller, True
                break
    return case


def test_text(family: Family, case: Case, seed: int, kind: str, words: str) -> str:
    """A test file that fails as long as the case does."""
    label = "".join(c if c.isalnum() else "_" for c in family.name)
    return (
        f'"""Found by the soak: {family.name}, seed {seed}, {kind}: {words[:80]}"""\n\n'
        "from tools.soak.families import FAMILIES\nfrom tools.soak.judging import AGREED, COMPLAINED, judge\n\n"
        f"CASE = {case!r}\n\n\n"
        f"def test_{label}_{seed}() -> None:\n"
        f"    family = next(one for one in FAMILIES if one.name == {family.name!r})\n"
        "    verdict = judge(family, CASE)\n"
        "    assert verdict.kind in (AGREED, COMPLAINED), verdict.words\n"
    )


def write_test(folder: Path, family: Family, case: Case, seed: int, kind: str, words: str) -> Path:
    """The file of a failure."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"test_{''.join(c if c.isalnum() else '_' for c in family.name)}_{seed}.py"
    path.write_text(test_text(family, case, seed, kind, words), encoding="utf-8")
    return path
