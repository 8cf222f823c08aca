"""Attributes that are not there: what was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardan.errors import no_attribute


class Suggesting:
    """Asks "Did you mean ...?" where an attribute is missing."""

    if not TYPE_CHECKING:  # a type checker must not think that there is every attribute

        def __getattr__(self, name: str) -> object:
            raise no_attribute(type(self).__name__, name, dir(type(self)))
