"""Modes that can be looked at: each as a motion of its system."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from cardan.analysis.modes import Modes
from cardan.analysis.shaking import shaken
from cardan.api.run import Run

if TYPE_CHECKING:
    from cardan.api.system import System

AMPLITUDE = 0.15  # of the typical size of what moves most
PERIOD = 2.0  # seconds of a film


@dataclass(frozen=True, eq=False, repr=False)
class RingingModes(Modes):
    """The modes of a system about a rest, with pictures of them."""

    system: System

    def shaken(self, which: int, *, amplitude: float = AMPLITUDE, period: float = PERIOD) -> Run:
        """One cycle of a mode (0 is the slowest), slowed down or hurried so that it takes ``period``.

        What moves most does so by ``amplitude`` of its typical size. It is a picture, not a solution of the equations.
        """
        return Run.shown(self.system, shaken(self, which, amplitude, period))

    def animate(
        self, which: int, path: str | PathLike[str], *, amplitude: float = AMPLITUDE, period: float = PERIOD
    ) -> Path:
        """Write a film of a mode (0 is the slowest), .gif or .mp4; returns its path. A GIF goes on for ever."""
        return self.shaken(which, amplitude=amplitude, period=period).animate(path)
