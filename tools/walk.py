"""The road through the rooms: one simulate, one fold, one robot file, one report, each traced from call to result.

    python -m tools.walk            the rooms of every walk, and how often they change
    python -m tools.walk fold       one walk, function by function

A walk lists the functions of src/cardan in the order of their first call. Two neighbours that live in different rooms
are a change of room: what somebody who reads along has to open next. Nobody opens a file for a product or a name, so a
walk leaves out the arithmetic (algebra/, graph/, geometry/, linalg/: polynomials, vectors and matrices) and functions
of one statement, which say no more than their names; the second number counts these as well.
"""

from __future__ import annotations

import ast
import contextlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "cardan"
STARTERS = SOURCE / "formats" / "starters"
ARITHMETIC = ("algebra", "geometry", "graph", "linalg")


@dataclass
class Walk:
    """Functions in the order of their first call, as (room, file, name)."""

    steps: list[tuple[str, str, str]] = field(default_factory=list)

    def read(self) -> Walk:
        """The walk as it is read: without arithmetic, and without functions that say no more than their names."""
        short = {path: one_liners(path) for path in {path for _, path, _ in self.steps}}
        return Walk(
            [
                (room, path, name)
                for room, path, name in self.steps
                if room not in ARITHMETIC and name not in short[path]
            ]
        )

    @property
    def rooms(self) -> list[tuple[str, int]]:
        """The rooms in order, each with how many functions are read before it is left."""
        return [(room, len(list(steps))) for room, steps in groupby(self.steps, key=lambda one: one[0])]

    @property
    def changes(self) -> int:
        return len(self.rooms) - 1


def one_liners(path: str) -> set[str]:
    """Qualified names of the functions of a file whose body is one statement."""
    found: set[str] = set()

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.FunctionDef):
                is_told = isinstance(child.body[0], ast.Expr) and isinstance(child.body[0].value, ast.Constant)
                if len(child.body) - is_told <= 1:
                    found.add(prefix + child.name)
                visit(child, f"{prefix}{child.name}.<locals>.")

    visit(ast.parse((SOURCE / path).read_text(encoding="utf-8")), "")
    return found


@contextlib.contextmanager
def traced() -> Iterator[Walk]:
    """Every function of the package that is called inside."""
    walk, seen = Walk(), set[CodeType]()

    def look(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or code in seen:
            return
        seen.add(code)
        path = Path(code.co_filename)
        if SOURCE in path.parents and not code.co_name.startswith("<"):
            inside = path.relative_to(SOURCE)
            room = inside.parts[0].removesuffix(".py")
            walk.steps.append((room, str(inside), code.co_qualname))

    sys.setprofile(look)
    try:
        yield walk
    finally:
        sys.setprofile(None)


def simulate(starter: str) -> Walk:
    """The run of a starter as its plan says, from a system that was never compiled."""
    import cardan as cd

    path = STARTERS / f"{starter}.yaml"
    warm = cd.load(path)
    warm.simulate(**warm.plan)  # modules are imported, machine code is in the cache: what is left is the road
    system = cd.load(path)
    with traced() as walk:
        system.simulate(**system.plan)
    return walk


def robot() -> Walk:
    """A robot file becomes a system."""
    import cardan as cd

    path = ROOT / "tests" / "oracle" / "data" / "crane.urdf"
    cd.load(path)
    with traced() as walk:
        cd.load(path)
    return walk


def report() -> Walk:
    """The report of the Cardan suspension."""
    import cardan as cd

    system = cd.load(STARTERS / "cardan_suspension.yaml")
    run = system.simulate(**system.plan)
    with tempfile.TemporaryDirectory() as folder:
        run.report(Path(folder) / "first.html")
        again = system.simulate(**system.plan)
        with traced() as walk:
            again.report(Path(folder) / "report.html")
    return walk


WALKS: dict[str, tuple[str, Callable[[], Walk]]] = {
    "suspension": ("simulate the Cardan suspension", lambda: simulate("cardan_suspension")),
    "fold": ("simulate a linkage through its fold", lambda: simulate("folding_linkage")),
    "robot": ("load a robot file", robot),
    "report": ("report the Cardan suspension", report),
}


def summary(title: str, walk: Walk) -> str:
    """One walk: its rooms in order, with the number of functions read in each."""
    read = walk.read()
    rooms = " > ".join(f"{room} {count}" for room, count in read.rooms)
    everything = f"with arithmetic and one-liners {len(walk.steps)} and {walk.changes}"
    return f"{title}: {len(read.steps)} functions, {read.changes} changes of room ({everything})\n  {rooms}"


def main(names: list[str]) -> int:
    for name in names or WALKS:
        title, work = WALKS[name]
        walk = work()
        print(summary(title, walk))
        if names:
            print("\n".join(f"    {path:<42} {function}" for _, path, function in walk.read().steps))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
