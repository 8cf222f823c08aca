"""``python -m tools.site``: build the documentation site into output/docs, with warnings as errors."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

from tools.site.places import ROOT

SOURCE, TARGET = ROOT / "output" / "docs-source", ROOT / "output" / "docs"


def main(arguments: list[str]) -> int:
    """Gather, build, check; the exit code is 1 where something is wrong with the site."""
    from sphinx.cmd.build import build_main

    from tools.site.checking import complaints
    from tools.site.gathering import gather

    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("--no-execute", action="store_true", help="leave the blocks of pages unexecuted")
    asked = parser.parse_args(arguments)
    begun = time.perf_counter()
    gather(SOURCE, execute=not asked.no_execute)
    trees = SOURCE.with_name("docs-trees")
    for folder in (TARGET, trees):
        shutil.rmtree(folder, ignore_errors=True)
    options = ["-b", "html", "-q", "-W", "--keep-going", "-c", str(Path(__file__).parent), "-d", str(trees)]
    options += ["-D", f"html_static_path={SOURCE / '_static'}"]
    failed = build_main([*options, str(SOURCE), str(TARGET)])
    written = ROOT / "output" / "gallery"
    if written.exists():
        shutil.copytree(written, TARGET / "entries", dirs_exist_ok=True)
    wrong = complaints(TARGET)
    print("\n".join(wrong), file=sys.stderr)
    print(f"{len(list(TARGET.rglob('*.html')))} pages in {time.perf_counter() - begun:.0f} s: {TARGET / 'index.html'}")
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
