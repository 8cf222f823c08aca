"""Where each public name of a System and a Run lives, as the table of docs/architecture.md."""

from __future__ import annotations

import inspect
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"


def homes(public: type) -> dict[str, list[str]]:
    """Files, relative to src/, with the public names that their classes give to this one; in the order of reading."""
    found: dict[str, list[str]] = {}
    for one in reversed(public.__mro__[:-1]):
        path = Path(inspect.getfile(one)).relative_to(SOURCE).as_posix()
        names = [name for name in vars(one) if not name.startswith("_")]
        if names:
            found[path] = sorted({*found.get(path, []), *names})
    return found


def table() -> str:
    """The names of System and Run by file."""
    from cardan.api.run import Run
    from cardan.api.system import System

    lines = ["| file | names |", "|---|---|"]
    for public in (System, Run):
        for path, names in homes(public).items():
            lines.append(f"| [{path}](../src/{path}) | {', '.join(f'`{name}`' for name in names)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
