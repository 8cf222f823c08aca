"""Factors of a manifold, their product, and how it is written: E^2 x S^1, T^2 x I, RP^3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

SYMBOLS = {"S1": "S^1", "S2": "S^2", "S3": "S^3", "RP2": "RP^2", "RP3": "RP^3", "I": "I"}
DIMENSIONS = {"E": 1, "E2": 2, "E3": 3, "H": 1, "I": 1, "S1": 1, "S2": 2, "S3": 3, "RP2": 2, "RP3": 3}


@dataclass(frozen=True)
class Factor:
    """One factor: ``kind`` E (flat), H (half-space), I (interval), S1, S2, S3, RP2, RP3 or ? (not decided)."""

    kind: str
    dimension: int
    coordinates: tuple[str, ...] = ()

    @classmethod
    def of(cls, kind: str, coordinates: Sequence[str]) -> Factor:
        """The factor called "E2", "S1", "RP3", ... with the coordinates that describe it."""
        return cls(kind.rstrip("123") if kind[0] == "E" else kind, DIMENSIONS[kind], tuple(coordinates))

    @property
    def is_own(self) -> bool:
        """Whether one coordinate describes it, one to one."""
        return len(self.coordinates) == 1 and self.dimension == 1

    def cut(self, kind: str) -> Factor:
        return replace(self, kind=kind)


def written(factors: Sequence[Factor]) -> str:
    """The product as text: flat factors first, then by dimension, an interval before a circle."""
    flat = sum(f.dimension for f in factors if f.kind == "E")
    halves = [f.dimension for f in factors if f.kind == "H"]
    circles = sum(1 for f in factors if f.kind == "S1")
    parts: list[str] = []
    if halves:
        parts += [f"H^{halves[0] + flat}", *(f"H^{d}" for d in halves[1:])]
    elif flat:
        parts.append(f"E^{flat}")
    closed = [(2, SYMBOLS[f.kind], f.dimension) for f in factors if f.kind in ("S2", "S3", "RP2", "RP3")]
    closed += [(0, "I", 1) for f in factors if f.kind == "I"]
    if circles:
        closed.append((1, "S^1" if circles == 1 else f"T^{circles}", circles))
    parts += [text for _, text, _ in sorted(closed, key=lambda one: (-one[2], one[0], one[1]))]
    open_parts = sum(f.dimension for f in factors if f.kind == "?")
    if open_parts:
        parts.append(f"?^{open_parts}")
    return " x ".join(parts) or "a point"
