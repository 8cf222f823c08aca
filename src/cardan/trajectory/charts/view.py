"""Between the coordinates a motion is integrated in and the ones its user chose.

States travel both ways; angles come out continuous, and are flagged where they have no meaning. Velocities are carried
as velocities (angular velocity, Cartesian velocity), never as rates of angles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.model.domains import Domain
from cardan.model.model import Model
from cardan.model.regular import Replacement
from cardan.model.variables import CoordinateVariable, Variable
from cardan.native.once import once
from cardan.simulation.methods.method import Method
from cardan.simulation.solution import Solution
from cardan.singular.records import EventRecord
from cardan.trajectory.charts.lift import Chart, Lift, Tracker
from cardan.trajectory.charts.readings import TURN, Reading, reading
from cardan.trajectory.start import Given

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """Where one replacement sits in both states: indices into [q, v] of the user's model and of the regular one."""

    reading: Reading
    user_q: tuple[int, ...]
    user_v: tuple[int, ...]
    own_q: int
    own_v: int
    ranges: tuple[Domain, ...]  # domains of the user's coordinates

    @classmethod
    def between(
        cls, user: Model, own: Model, reading: Reading, coordinates: Sequence[sp.Symbol], variable: Variable
    ) -> Part:
        """The part of the user's ``coordinates`` that is carried by ``variable`` and those after it."""
        mine, other = [*user.q, *user.v], [*own.q, *own.v]
        domains = {one.symbol: one.domain for one in user.variables if isinstance(one, CoordinateVariable)}
        return cls(
            reading,
            tuple(mine.index(symbol) for symbol in coordinates),
            tuple(mine.index(symbol.dot) for symbol in coordinates),
            other.index(variable.configuration[0]),
            other.index(variable.velocities[0]),
            tuple(domains[symbol] for symbol in coordinates),
        )

    def split(self, rows: Vector) -> tuple[Vector, Vector]:
        """(positions, velocities) of this part in rows of regular states."""
        x = rows[:, self.own_q : self.own_q + self.reading.size]
        return x, rows[:, self.own_v : self.own_v + self.reading.freedoms]

    def chart(self, rows: Vector) -> Chart:
        """The chart measured by the largest distance from its singular places along these states."""
        if self.reading.has_own_size:
            return Chart(self.reading, 1.0, self._allows)
        _, distance = self.reading.principal(self.split(rows)[0])
        return Chart(self.reading, float(np.max(distance, initial=0.0)), self._allows)

    def _allows(self, q: Vector) -> bool:
        """Whether coordinates lie in the ranges that were declared for them; angles up to whole turns."""
        for k, (value, one) in enumerate(zip(q, self.ranges, strict=True)):
            if k in self.reading.angles and np.isfinite(one.lower):
                value = one.lower + (value - one.lower) % TURN
            if not one.lower <= value <= one.upper:
                return False
        return True


@dataclass(frozen=True)
class View:
    """A user's model and the regular one behind it."""

    user: Model
    regular: Model
    replacements: list[Replacement]
    kernel: Kernel  # of the regular model

    @once
    def parts(self) -> list[Part]:
        return [
            Part.between(self.user, self.regular, reading(one), one.coordinates, one.variables[0])
            for one in self.replacements
        ]

    @once
    def _shared(self) -> list[tuple[int, int]]:
        """(user index, regular index) of everything that is the same in both."""
        own = {symbol: k for k, symbol in enumerate([*self.regular.q, *self.regular.v])}
        user = [*self.user.q, *self.user.v]
        return [(k, own[symbol]) for k, symbol in enumerate(user) if symbol in own]

    @once
    def replaced(self) -> set[sp.Symbol]:
        """The user's symbols that the regular model does not have, rates included."""
        coordinates = {symbol for one in self.replacements for symbol in one.coordinates}
        return coordinates | {symbol.dot for symbol in coordinates}

    def suits(self, method: Method, expressions: Iterable[sp.Expr]) -> bool:
        """Whether a run may use the regular coordinates: not where a scheme or a signal needs the user's own."""
        return not method.needs_own_coordinates and not any(
            set(getattr(x, "free_symbols", ())) & self.replaced for x in expressions
        )

    def is_split(self, given: Given) -> bool:
        """Whether a start names some, but not all, of coordinates that are replaced together, or of their rates."""
        nq = len(self.user.q)
        threes = [[k - nq for k in part.user_v] for part in self.parts]
        return any(
            0 < np.count_nonzero(named[three]) < 3 for three in threes for named in (given.held, given.held_rates)
        )

    def entered(self, given: Given) -> Given:
        """A start in regular coordinates."""
        held, rates = (np.ones(len(self.regular.v), dtype=bool) for _ in range(2))
        own = {symbol: k for k, symbol in enumerate(self.regular.v)}
        for k, symbol in enumerate(self.user.v):
            if symbol in own:
                held[own[symbol]], rates[own[symbol]] = given.held[k], given.held_rates[k]
        nq = len(self.user.q)
        for part in self.parts:
            first = part.own_v - len(self.regular.q)
            three = [k - nq for k in part.user_v]
            held[first : first + 3] = bool(given.held[three].all())
            rates[first : first + 3] = bool(given.held_rates[three].all())
        return Given(self.to_regular(given.y), held, rates)

    def records(self, t: float, y: Vector) -> tuple[EventRecord, ...]:
        """One record for each chart that is not used for integrating."""
        return tuple(EventRecord("chart-switch", one.frame.name, t, y, one.what) for one in self.replacements)

    def to_regular(self, y: Vector) -> Vector:
        """The state in regular coordinates."""
        out = np.zeros(len(self.regular.q) + len(self.regular.v))
        for k, j in self._shared:
            out[j] = y[k]
        for part in self.parts:
            position, velocity = part.reading.enter(y[list(part.user_q)], y[list(part.user_v)])
            out[part.own_q : part.own_q + len(position)] = position
            out[part.own_v : part.own_v + len(velocity)] = velocity
        return out

    def with_parts(self, rows: Vector, coordinates: list[Vector]) -> Vector:
        """States in the user's coordinates, from regular ones and the coordinates of each part."""
        out = np.zeros((len(rows), len(self.user.q) + len(self.user.v)))
        for k, j in self._shared:
            out[:, k] = rows[:, j]
        for part, q in zip(self.parts, coordinates, strict=True):
            out[:, list(part.user_q)] = q
            out[:, list(part.user_v)] = part.reading.rates(q, *part.split(rows))
        return out

    def accelerations(self, user: Vector, rows: Vector, vd: Vector) -> Vector:
        """d/dt of the user's velocities: from states in both coordinates and the accelerations in the regular ones."""
        nq, own_nq = len(self.user.q), len(self.regular.q)
        out = np.zeros((len(rows), len(self.user.v)))
        for k, j in self._shared:
            if k >= nq:
                out[:, k - nq] = vd[:, j - own_nq]
        for part in self.parts:
            q, qd, first = user[:, list(part.user_q)], user[:, list(part.user_v)], part.own_v - own_nq
            own = vd[:, first : first + part.reading.freedoms]
            out[:, [k - nq for k in part.user_v]] = part.reading.accelerations(q, qd, *part.split(rows), own)
        return out


class ViewedMotion:
    """A finished motion in the user's coordinates."""

    def __init__(self, view: View, solution: Solution, start: Vector) -> None:
        self.view, self._solution, self._start = view, solution, start

    @once
    def _lifts(self) -> list[Lift]:
        times = self._solution.steps
        rows = self._solution.at(times)
        return [self._lift(part, times, rows) for part in self.view.parts]

    def _lift(self, part: Part, times: Vector, rows: Vector) -> Lift:
        return Lift(part.chart(rows), times, lambda t: part.split(self._solution.at(t)), self._start[list(part.user_q)])

    def at(self, times: Vector, rows: Vector) -> tuple[Vector, NDArray[np.bool_]]:
        """(states in the user's coordinates, whether each has a meaning) of regular states at these times."""
        coordinates, defined = [], np.ones(len(rows), dtype=bool)
        for part, lift in zip(self.view.parts, self._lifts, strict=True):
            q, sound = lift.at(times, part.split(rows)[0])
            coordinates.append(q)
            defined &= sound
        return self.view.with_parts(rows, coordinates), defined

    def nearness(self, rows: Vector) -> Vector:
        """How far each of these states is from where the user's angles have no meaning, at most 1: by as much as it is
        less, errors are larger in them."""
        found = np.ones(len(rows))
        for part, chart in zip(self.view.parts, self._charts, strict=True):
            distance = chart.reading.principal(part.split(rows)[0])[1]
            found = np.minimum(found, distance / (chart.size or 1.0))
        return np.maximum(found, 1e-300)

    @once
    def _charts(self) -> list[Chart]:
        n = len(self._solution.y_final)
        rows = np.concatenate([one.rows[:, 1 : n + 1] for one in self._solution.segments])
        return [part.chart(rows) for part in self.view.parts]

    def is_defined(self, rows: Vector) -> NDArray[np.bool_]:
        """Whether the user's coordinates of these states have a meaning."""
        found = [chart.read(part.split(rows)[0])[1] for part, chart in zip(self.view.parts, self._charts, strict=True)]
        return np.asarray(np.all(found, axis=0))


class SeenState(Protocol):
    """The state in the user's coordinates while a motion is being made, as controllers and events see it."""

    model: Model
    replaced: set[sp.Symbol]  # the user's symbols that the model being moved does not have

    def __call__(self, t: float, y: Vector) -> Vector: ...


class ViewedState:
    """The state of a motion in regular coordinates as its user sees it."""

    def __init__(self, view: View, start: Vector, y0: Vector, forward: bool) -> None:
        self.view, self.model, self.replaced = view, view.user, view.replaced
        self._trackers = [Tracker(part.chart(y0[None]), start[list(part.user_q)], forward) for part in view.parts]

    def __call__(self, t: float, y: Vector) -> Vector:
        rows = y[None]
        found = []
        for part, tracker in zip(self.view.parts, self._trackers, strict=True):
            x, v = part.split(rows)
            found.append(tracker(t, x[0], v[0])[None])
        return np.asarray(self.view.with_parts(rows, found)[0])
