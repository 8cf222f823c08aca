"""``python -m cardan.gallery [FOLDER [ID ...]]``: check entries and write the site; exit code 1 if a check fails."""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Write the site, with a line for every entry."""
    from cardan.gallery.catalogue import TITLES
    from cardan.gallery.site import write_site

    failed = []

    def tell(line: str) -> None:
        print(line, flush=True)
        if line[5:].startswith("failed"):
            failed.append(line[:5].strip())

    folder, names = (arguments[0] if arguments else "output/gallery"), arguments[1:] or list(TITLES)
    index = write_site(folder, names, tell=tell)
    print(f"\nWrote {index}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
