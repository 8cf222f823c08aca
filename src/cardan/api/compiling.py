"""From a description to equations and native code, kept until the description changes."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Self

from cardan.api.charting import Charting
from cardan.errors import ModelError, UnknownName
from cardan.model.description import finite
from cardan.model.regular import regularised, replacements
from cardan.pipeline import Equations, Kernel, prepare, read
from cardan.trajectory.charts.regular import View


class Compiling(Charting):
    """Equations and native functions of a described system."""

    def __init__(self, name: str = "system") -> None:
        super().__init__(name)
        self._kernel: Kernel | None = None
        self._stamp: tuple[int, ...] | None = None
        self._view: View | None = None
        self._view_stamp: tuple[int, ...] | None = None

    def equations(self, form: str = "auto") -> Equations:
        """The equations of motion, M vd + f + g = Q + A^T lam, readable and as numbers."""
        if form not in ("auto", "minimal", "multiplier", "projected"):
            raise ModelError(
                f"The form {form!r} is unknown. Use 'auto', 'minimal', 'multiplier' or 'projected'.", form=form
            )
        if form != "minimal":
            return read(self.model, form)
        other = copy.copy(self)
        other.description = self.description.copy()
        for name in [one.name for one in other.constraints if one.kind == "holonomic" and one.solved is not None]:
            if other.constraints[name].solved is not None:
                other.eliminate(name)
        return read(other.model, form)

    def compile(self) -> Kernel:
        """Native functions of this system; the work is done once, and again only when the description has changed."""
        stamp = self.description.revision()
        if self._kernel is None or self._stamp != stamp:
            self._kernel, self._stamp = prepare(self.model), stamp
        if self._kernel.values != self.description.values:
            self._kernel = self._kernel.with_values(dict(self.description.values))
        return self._kernel

    def regular_view(self) -> View | None:
        """The regular coordinates behind the user's (quaternions, Cartesian ones), where the model needs them."""
        stamp = self.description.revision()
        if self._view_stamp != stamp:
            model = self.model
            found = replacements(model)
            regular = regularised(model, found) if found else model
            self._view = View(model, regular, found, prepare(regular)) if found else None
            self._view_stamp = stamp
        if self._view is not None and self._view.kernel.values != self.description.values:
            self._view = replace(self._view, kernel=self._view.kernel.with_values(dict(self.description.values)))
        return self._view

    def with_values(self, **values: float) -> Self:
        """A system with other parameter values that shares the compiled code."""
        self.compile()
        other = copy.copy(self)
        other.description = self.description.copy()
        other._charts = list(self._charts)
        known = {str(symbol): symbol for symbol in self.description.values}
        for name, value in values.items():
            if name not in known:
                raise UnknownName(f"{name!r} is no parameter of {self.name!r}. Known: {', '.join(known)}.", name=name)
            other.description.values[known[name]] = finite(value, f"Parameter {name!r}")
        other.description.check_masses()
        return other
