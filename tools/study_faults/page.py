"""The table of docs/trust.md that says what was done to studies and what came of it; written by the run itself."""

from __future__ import annotations

import time
from pathlib import Path

from tools.study_faults.kills import Counts

PAGE = Path(__file__).parents[2] / "docs" / "trust.md"
BEGIN, END = "<!-- made by make study-faults -->", "<!-- end of study-faults -->"
TITLES = {
    "drivers": "the driver killed (SIGKILL) at a random moment; every fifth with worker processes",
    "workers": "one of two worker processes killed, five times in a study",
    "dask worker": "a worker of a Dask cluster killed, another one started",
    "dask scheduler": "the Dask scheduler killed, it and two workers started again",
    "full": "a tmpfs with 8 to 480 KiB of room; resumed when there was more",
    "limited": "files that may not grow beyond 200 to 9 000 bytes (RLIMIT_FSIZE)",
    "read-only": "the store on a file system mounted read-only",
    "flips": "a bit of a byte flipped, in any file of a finished and of an unfinished store",
    "two writers": "a second program that wants to write",
    "million": "10^6 rows of two numbers kept",
}


def written(results: dict[str, Counts], minutes: float, load: float) -> None:
    """Put the table in its place."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{table(results, minutes, load)}\n{END}{after}", encoding="utf-8")


def table(results: dict[str, Counts], minutes: float, load: float) -> str:
    rows = [f"| {title} | {_told(results[kind])} |" for kind, title in TITLES.items() if kind in results]
    told = (
        f"One run of {minutes:.0f} minutes on {time.strftime('%Y-%m-%d')}, load {load:.1f} on a machine of two cores."
    )
    return "\n".join(["| fault or load | counts |", "|---|---|", *rows, "", told, ""])


def _told(counts: Counts) -> str:
    return ", ".join(f"{key}: {value:g}" if value < 1e5 else f"{key}: {int(value)}" for key, value in counts.items())
