"""Bit patterns of every motion that the project shows: so that a change of structure can prove that it changed nothing.

    python -m tools.fingerprints write     the table of this checkout -> benchmarks/fingerprints.json
    python -m tools.fingerprints compare   the same again, held against that table; differences are named

Every call of ``simulate`` made by the examples, the starters, the gallery (runs and checks) and the models of the
benchmarks is recorded: a hash over times, states, energies, multipliers, events and status. Bits belong to a machine
(its linear algebra library chooses kernels by processor), so the table is compared where it was written.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import platform
import runpy
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "benchmarks" / "fingerprints.json"


def fingerprint(run: Any) -> str:
    """A hash over everything that was computed for a run."""
    parts = hashlib.sha256()
    for values in (run.t, run.q, run.v, run.energy, *(run.multipliers[name] for name in sorted(run.multipliers))):
        parts.update(np.ascontiguousarray(values, dtype=float).tobytes())
    for event in run.events:
        parts.update(f"{event.kind} {event.name} {event.what}".encode())
        parts.update(np.concatenate([[event.t], event.q, event.v]).tobytes())
    parts.update(f"{run.status} {run.message}".encode())
    return parts.hexdigest()[:16]


@contextlib.contextmanager
def recorded() -> Iterator[list[str]]:
    """Every run made inside, in order, as fingerprints; refused starts and runs that end early as their errors."""
    import cardan as cd

    original, found = cd.System.simulate, []

    def simulate(self: Any, *args: Any, **options: Any) -> Any:
        try:
            run = original(self, *args, **options)
        except Exception as problem:
            found.append(f"{type(problem).__name__}: {hashlib.sha256(str(problem).encode()).hexdigest()[:16]}")
            raise
        found.append(fingerprint(run))
        return run

    cd.System.simulate = simulate  # type: ignore[method-assign]
    try:
        yield found
    finally:
        cd.System.simulate = original  # type: ignore[method-assign]


def examples() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The programs of examples/."""
    for program in sorted((ROOT / "examples").glob("*.py")):
        yield f"example {program.stem}", lambda program=program: runpy.run_path(str(program), run_name="__main__")


def starters() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The model files that ``cardan new`` writes, each with its plan; and the audit of that run."""
    import cardan as cd

    def work(path: Path) -> str:
        system = cd.load(path)
        return str(system.simulate(**system.plan).audit())

    for path in sorted((ROOT / "src" / "cardan" / "formats" / "starters").glob("*.yaml")):
        yield f"starter {path.stem}", lambda path=path: work(path)


def gallery() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The entries of the gallery: their runs, the audits of these, and their checks."""
    from cardan.gallery.index import entry, modules

    def work(entry: Any) -> str:
        lines = [str(entry.run().audit())] if entry.start else []
        return "\n".join([*lines, *(f"{one.name} {one.passed}" for one in entry.checks(entry.system()))])

    for one in map(entry, modules()):
        yield f"gallery {one.id}", lambda one=one: work(one)


def benchmarks() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The models that are measured against other tools."""
    from benchmarks import mechanism_cardan, mechanisms, passage_body, passages

    for name, make in mechanisms.ALL.items():
        yield f"benchmark {name}", lambda make=make: mechanism_cardan.case(make(), "defaults", 1e-9, 100).work() and ""
    for count, start, hinged in [(1, "upright", False), (1, "folded", False), (1, "upright", True), (1, "folded", True),
                             (10, "upright", False), (10, "folded", False), (40, "folded", False)]:  # fmt: skip
        chain = passages.chain(count, start, hinged=hinged)
        yield f"benchmark {chain.name}", lambda chain=chain: mechanism_cardan.case(chain, "defaults", 1e-9, 100) and ""
    yield "benchmark body", lambda: passage_body.case("cardan", "angles", 1e-9, 100).work() and ""


def table() -> dict[str, list[str]]:
    """Fingerprints by name; the last of each is that of what was printed or said."""
    found = {}
    for source in (examples, starters, gallery, benchmarks):
        for name, work in source():
            with recorded() as runs, contextlib.redirect_stdout(io.StringIO()), tempfile.TemporaryDirectory() as folder:
                with contextlib.chdir(folder):
                    said = work()
                said = said if isinstance(said, str) else ""
            found[name] = [*runs, hashlib.sha256(said.encode()).hexdigest()[:16]]
            print(f"{name:<40} {len(runs):>4} runs", file=sys.stderr, flush=True)
    return found


def differences(before: dict[str, list[str]], now: dict[str, list[str]]) -> list[str]:
    """What is no longer the same, by name and place."""
    found = [f"{name}: gone" for name in before if name not in now] + [
        f"{name}: new" for name in now if name not in before
    ]
    for name in (one for one in before if one in now):
        if len(before[name]) != len(now[name]):
            found.append(f"{name}: {len(before[name]) - 1} runs before, {len(now[name]) - 1} now")
        places = [k for k, (a, b) in enumerate(zip(before[name], now[name], strict=False)) if a != b]
        if places:
            found.append(f"{name}: differs at {places} of {len(before[name])} (the last is what was said)")
    return found


def main(command: str) -> int:
    now = table()
    if command == "write":
        machine = {"python": platform.python_version(), "numpy": np.__version__, "machine": platform.machine()}
        TABLE.write_text(json.dumps({"machine": machine, "runs": now}, indent=1) + "\n")
        return 0
    found = differences(json.loads(TABLE.read_text())["runs"], now)
    print("\n".join(found) or f"{sum(map(len, now.values())) - len(now)} runs, bit for bit as in the table.")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1] if len(sys.argv) > 1 else "compare"))
