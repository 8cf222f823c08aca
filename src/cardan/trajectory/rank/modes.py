"""The models that a run moves in while the rank of its constraints is watched, with stops closed or open.

``regular`` is held back from the window around a loss of rank; ``anywhere`` evaluates inside it, for passages;
``resolved`` takes ordinary steps through it and is watched again from its edge on; ``resident`` has the rank that is
left. Steps of fixed length are not held back, but end where they come into the window. While stops are closed the
motion is in a mode of theirs, which serves as all of these.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.projection import HEAD
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.rank.thresholds import OUTSIDE, REFUSED, RETURNS
from cardan.trajectory.rank.window import Window
from cardan.trajectory.stops import ContactMode

Vector = NDArray[np.float64]


class RankModes:
    """Modes, the events that end them, and the windows in which passages replace them."""

    def __init__(
        self, compiled: Prepared, level: float, sizes: Vector, rtol: float, atol: float, *, held: bool = True
    ) -> None:
        self.compiled, self.level, self.sizes, self.rtol, self.atol = compiled, level, sizes, rtol, atol
        self.regular = compiled.watched(refused=REFUSED * level if held else 0.0, watched=level)
        self.anywhere = compiled.watched()
        self.resolved = compiled.watched(watched=OUTSIDE * level)
        self.resident: Prepared | None = None
        self.window = Window(self.anywhere, level, sizes, rtol, atol)
        self.shift = np.zeros(compiled.kernel.m)
        self.held, self._returns = held, 0
        self._unheld: CompiledModel | None = None  # the mode of closed stops that takes ordinary steps in the window

    # --- which mode ----------------------------------------------------------------------------------

    def is_held(self, mode: CompiledModel) -> bool:
        """Whether passages take over where this mode comes into the window."""
        return mode is self.regular or (isinstance(mode, ContactMode) and mode is not self._unheld)

    def behind(self, mode: CompiledModel) -> CompiledModel:
        """The mode after a passage, or after ordinary steps through the window."""
        self._unheld = None
        self._returns += mode is self.resolved
        return mode if isinstance(mode, ContactMode) else self.regular

    def unheld(self, mode: CompiledModel) -> CompiledModel:
        """The mode with ordinary steps through the window."""
        if not isinstance(mode, ContactMode):
            return self.resolved
        self._unheld = mode
        return mode

    def staying(self, ranks: tuple[int, int]) -> Prepared:
        """The mode of a motion that stays where rank is lost."""
        self.resident = self.compiled.watched(ranks=ranks)
        return self.resident

    # --- events and windows --------------------------------------------------------------------------

    def events(self, mode: CompiledModel) -> Sequence[Watch]:
        """Where the window begins, or where it ends."""
        if mode is self.regular:
            return [Watch(self.regular.nearness, -1, terminal=True, start_sign=1, name="rank", exact=False)]
        if mode is self.resolved:
            if not self.held and self._returns > RETURNS:  # steps too long for what they meet: they go on by themselves
                return []
            return [Watch(self.resolved.nearness, 1, terminal=True, start_sign=-1, name="rank")]
        if not isinstance(mode, ContactMode):
            return []
        held = mode is not self._unheld
        kernel = mode.nearness_to(self.level if held else OUTSIDE * self.level)
        return [Watch(kernel, -1 if held else 1, terminal=True, start_sign=1 if held else -1, name="rank")]

    def window_of(self, mode: CompiledModel) -> Window:
        """The window as the mode passes it: its own equations, the rank of the constraints alone."""
        if not isinstance(mode, ContactMode):
            return self.window
        return Window(mode, self.level, self.sizes, self.rtol, self.atol, measured=self.anywhere)

    # --- shifted constraints -------------------------------------------------------------------------

    def shift_by(self, amount: Vector, mode: CompiledModel) -> None:
        """Let the constraints keep phi = shift + amount from now on, in every mode and in stops that close later."""
        self.shift = self.shift + amount
        start = len(self.compiled.kernel.parameters) + len(self.shift) + HEAD
        for one in (self.compiled, self.regular, self.anywhere, self.resolved, self.resident):
            if one is not None:
                one.parameters[start : start + len(self.shift)] = self.shift
        if isinstance(mode, ContactMode):
            mode.set_shift(self.shift)
