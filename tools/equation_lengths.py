"""How long the equations of the gallery are, and how long they take to write: `python -m tools.equation_lengths`.

CPU seconds of `eq.write("rows")` and its text in a fresh process for each entry, characters of the longest line and of
all lines. `--form explicit` measures another form. The table goes into docs/equations.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from cardan.errors import CardanError
from cardan.gallery.index import entry, modules


def measured(name: str, form: str) -> str:
    """One row of the table."""
    system = entry(name).system()
    begin = time.process_time()
    try:
        written = system.equations().write(form)
        text = str(written)
    except CardanError as problem:
        return f"| {name} | - | - | {time.process_time() - begin:.2f} | {type(problem).__name__} |"
    seconds = time.process_time() - begin
    return f"| {name} | {written.longest} | {len(text)} | {seconds:.2f} | {len(written.definitions)} named |"


def main() -> None:
    """A Markdown table on the terminal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="entries, all without")
    parser.add_argument("--form", default="rows")
    parser.add_argument("--one", action="store_true", help="measure in this process")
    given = parser.parse_args()
    if given.one:
        print(measured(given.names[0], given.form), flush=True)
        return
    print("| entry | longest line | characters | CPU s | |\n|---|---|---|---|---|", flush=True)
    for name in given.names or list(modules()):
        command = [sys.executable, "-m", "tools.equation_lengths", "--one", "--form", given.form, name]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
