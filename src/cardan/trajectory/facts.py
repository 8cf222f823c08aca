"""Facts of an event that are worked out when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Facts(Mapping[str, Any]):
    """Facts by name; functions among them are called once, when first read."""

    def __init__(self, **facts: Any) -> None:
        self._facts = facts

    def __getitem__(self, name: str) -> Any:
        value = self._facts[name]
        if callable(value):
            value = self._facts[name] = value()
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)
