"""Names from a robot file as names that may stand in expressions."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection

from cardan.formats.expressions import function_names
from cardan.formats.schema_parts import RESERVED

LONGEST = 56  # of 64: room for what is put before and behind


class Names:
    """Names by the ones that the file gives: letters, digits and single underscores, each used once."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._found: dict[str, str] = {}
        self._made: set[str] = set()

    def add(self, given: str, taken: Collection[str] = ()) -> str:
        """The name for what the file calls ``given``."""
        self._found[given] = self.make(given, taken)
        return self._found[given]

    def make(self, wanted: str, taken: Collection[str] = ()) -> str:
        """A name as near as possible to the wanted one, unlike all others and those taken."""
        name = re.sub(r"[^A-Za-z0-9]+", "_", wanted).strip("_")[:LONGEST].strip("_")
        if not name or not name[0].isalpha():
            name = f"{self.kind}_{name}".strip("_")
        if name in RESERVED or keyword.iskeyword(name) or name in function_names():
            name = f"{name}_{self.kind}"
        unique, count = name, 1
        while unique in self._made or unique in taken:
            count += 1
            unique = f"{name}_{count}"
        self._made.add(unique)
        return unique

    def __getitem__(self, given: str) -> str:
        return self._found[given]

    def values(self) -> Collection[str]:
        """All names that are taken here."""
        return self._made

    @property
    def changed(self) -> dict[str, str]:
        """The names that had to be changed, by the ones that the file gives."""
        return {given: name for given, name in self._found.items() if name != given}

    def notes(self) -> list[str]:
        """One line for each name that had to be changed."""
        return [f"the {self.kind} {given!r} is called {name}" for given, name in self.changed.items()]
