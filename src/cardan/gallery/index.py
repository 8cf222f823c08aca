"""The entries by id. Only the entry that is asked for is imported."""

from __future__ import annotations

import pkgutil
import re
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from cardan.errors import UnknownName
from cardan.gallery.catalogue import NOT_WRITTEN, TEXTS, TITLES

if TYPE_CHECKING:
    from cardan.gallery.entry import Entry

FILE = re.compile(r"([a-z])(\d\d)_\w+")  # h04_particle_on_a_plate holds H4


@cache
def modules() -> dict[str, str]:
    """The module of every entry that is written, by id, in the order of the catalogue."""
    found: dict[str, str] = {}
    for text in TEXTS.values():
        folder = str(Path(__file__).parent / text.folder)
        for one in pkgutil.iter_modules([folder]):
            match = FILE.fullmatch(one.name)
            if match and match[1].upper() == text.letter:
                found[f"{text.letter}{int(match[2])}"] = f"cardan.gallery.{text.folder}.{one.name}"
    return {name: found[name] for name in TITLES if name in found}


def known(name: str) -> str:
    """The id as the catalogue writes it; UnknownName, with the nearest ones, for one that it does not list."""
    wanted = name.strip().upper()
    if wanted in TITLES:
        return wanted
    by_title = {title.lower(): key for key, title in TITLES.items()}
    words = [key for title, key in by_title.items() if name.strip() and name.strip().lower() in title]
    near = [*get_close_matches(wanted, TITLES, n=4, cutoff=0.4), *words] or list(TITLES)
    listed = ", ".join(f"{key} ({TITLES[key]})" for key in dict.fromkeys(near[:6]))
    raise UnknownName(
        f"The gallery has no entry {name!r}. Near to it: {listed}. `cardan gallery` lists all.", name=name, near=near
    )


def entry(name: str) -> Entry:
    """The entry with this id; UnknownName where it is not in the catalogue, or not written yet."""
    key = known(name)
    module = modules().get(key)
    if module is None:
        raise UnknownName(
            f"{key} ({TITLES[key]}) is planned: {NOT_WRITTEN}. `cardan gallery` lists what is finished.", name=key
        )
    found: Entry = import_module(module).ENTRY
    return found
