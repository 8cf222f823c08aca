"""From a description to equations and native code, kept until the description changes."""

from __future__ import annotations

import copy
from typing import Self

from cardan.api.charting import Charting
from cardan.codegen.compiled import Kernel
from cardan.equations.equations import Equations
from cardan.errors import ModelError, unknown
from cardan.model.description import finite
from cardan.native.once import preparing
from cardan.pipeline import kernels_of, read
from cardan.trajectory.kernels import Kernels


class Compiling(Charting):
    """Equations and native functions of a described system."""

    def __init__(self, name: str = "system") -> None:
        super().__init__(name)
        self._kernels: Kernels | None = None
        self._stamp: tuple[int, ...] | None = None

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
        return self.kernels.user

    @property
    def kernels(self) -> Kernels:
        """Native functions in all coordinates that motions can be written in, as the description stands now."""
        with preparing:
            stamp = self.description.revision()
            if self._kernels is None or self._stamp != stamp:
                self._kernels, self._stamp = kernels_of(self.model), stamp
            self._kernels = self._kernels.with_charts(self._charts).with_values(self.description.values)
            return self._kernels

    def with_values(self, **values: float) -> Self:
        """A system with other parameter values that shares the compiled code."""
        self.compile()
        other = copy.copy(self)
        other.description = self.description.copy()
        other._charts = list(self._charts)
        known = {str(symbol): symbol for symbol in self.description.values}
        for name, value in values.items():
            if name not in known:
                raise unknown(name, known, f"parameter of {self.name!r}")
            other.description.values[known[name]] = finite(value, f"Parameter {name!r}")
        other.description.check_masses()
        return other
