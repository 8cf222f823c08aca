"""Figures of a text drawn again: its mechanisms, and their configuration manifolds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from cardan.api.run import Run
from cardan.api.system import System
from cardan.gallery.entry import Plate
from cardan.gallery.sketch import mechanisms

Shown: TypeAlias = System | tuple[System, str, str]  # a system, or a part of its manifold by two coordinates


def text_figure(number: int, caption: str, shown: Mapping[str, Run], manifolds: Mapping[str, Shown]) -> Iterator[Plate]:
    """The mechanisms in one picture, each at its start; then the manifolds, over two coordinates if these are named."""
    yield Plate(f"fig{number}", f"Fig. {number} of the text: {caption}", mechanisms(shown))
    for k, (title, given) in enumerate(manifolds.items(), start=1):
        s, *two = given if isinstance(given, tuple) else (given,)
        yield Plate(f"fig{number}.{k}", f"Fig. {number}, {title}: {s.manifold()}.", s.plot_manifold(*two))
