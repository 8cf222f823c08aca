"""Periodic motions by shooting: states at the beginnings of one or several arcs are moved until the arcs join.

Unknown are the states (displacements that constraints allow, and velocities), the period where nothing gives it, and
how far symmetries carry the motion in a period. Newton's method takes the shortest of the best steps, so motions may be
isolated or fill families: of phases, of energies, of momenta.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.arc import Arc, arc
from cardan.analysis.closing import JumpFunctions, along, between, carried
from cardan.analysis.linearizing import independent_rows, tangents
from cardan.analysis.place import Place
from cardan.analysis.symmetries import Field
from cardan.analysis.varied import varied
from cardan.codegen.compiled import Kernel
from cardan.errors import CardanError, SimulationError
from cardan.native.once import once
from cardan.singular.projection import project_position, project_velocity
from cardan.singular.reference import Reference, reference
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.settings import Loads, Settings

Vector = NDArray[np.float64]

RTOL = 1e-12  # of the arcs
NEWTON = 40  # steps before a start is given up
LONGEST = 0.3  # of typical sizes and rates: a step
CUT = 1e-6  # of the largest singular value: directions that change the defect less than this are those of a family
JOINED = 1e-9  # of typical sizes and rates: a smaller defect closes a motion
HALVINGS = 8


@dataclass(frozen=True)
class Shots:
    """What is asked of a periodic motion: model, signals, when it begins, and what closes it."""

    kernels: Kernels
    t0: float
    loads: Loads
    inputs: Loads
    free: bool  # whether the period is unknown
    jump: JumpFunctions | None = None
    fields: tuple[Field, ...] = ()
    timed: bool = False  # whether something depends on time itself
    hold: tuple[tuple[int, float], ...] = ()  # places in y and the values they keep at the start

    @property
    def kernel(self) -> Kernel:
        return self.kernels.user

    def arc(self, y: Vector, t: float, duration: float) -> Arc:
        nq = self.kernel.nq
        return arc(
            self.kernels,
            Settings(duration, y[:nq], y[nq:], RTOL, t0=t, loads=self.loads, inputs=self.inputs, chart="typed"),
        )

    def with_values(self, values: Mapping[str, float]) -> Shots:
        """The same of a model with other values of parameters."""
        new = dict(self.kernels.values)
        new.update({symbol: values[str(symbol)] for symbol in new if str(symbol) in values})
        return replace(self, kernels=self.kernels.with_values(new))


@dataclass(frozen=True, eq=False)
class Joined:
    """States at the beginnings of arcs, the period, the shifts along symmetries; their arcs and what is left open."""

    shots: Shots
    nodes: tuple[Vector, ...]
    period: float
    shifts: Vector
    sizes: Vector

    @once
    def arcs(self) -> tuple[Arc, ...]:
        share = self.period / len(self.nodes)
        return tuple(self.shots.arc(y, self.shots.t0 + k * share, share) for k, y in enumerate(self.nodes))

    @once
    def scale(self) -> Vector:
        """Sizes of displacements and velocities."""
        return np.concatenate([self.sizes, self.sizes * 2 * np.pi / abs(self.period)])

    @once
    def places(self) -> tuple[Place, ...]:
        kernel, share = self.arcs[0].kernel, self.period / len(self.nodes)
        found, near = list[Place](), None
        for k, one in enumerate(self.arcs):
            t = self.shots.t0 + k * share
            near = _reference(kernel, one, t, self.sizes) if near is None else near
            found.append(Place(kernel, t, one.start, one.p, self.sizes, near))
        return tuple(found)

    @once
    def bases(self) -> tuple[tuple[list[int], Vector], ...]:
        """(independent rows, T) at each beginning."""
        found = []
        for place in self.places:
            displacements, velocities, T = tangents(place, varied(place.kernel, place.t, place.y, place.p))
            found.append((independent_rows(displacements, velocities, place.kernel.nv), T))
        return tuple(found)

    # --- closing -----------------------------------------------------------------------------------

    @once
    def closing(self) -> tuple[Vector, Vector]:
        """(the state in which the last arc ends, behind the jump; the derivative of it by the end)."""
        last = self.arcs[-1]
        if self.shots.jump is None:
            return last.end, np.eye(2 * last.kernel.nv)
        landing = self.shots.jump(last.t[1], last.end, last.p)
        return landing.y, landing.slope

    @once
    def target(self) -> tuple[Vector, Vector]:
        """(the start carried along the symmetries; its derivative by the start)."""
        return carried(self.shots.fields, self.shifts, self.nodes[0]) if self.shots.fields else (
            self.nodes[0], np.eye(2 * self.arcs[0].kernel.nv)
        )  # fmt: skip

    @once
    def defect(self) -> Vector:
        """What is left open between arcs, at the jump and of what is held, in units of typical sizes and rates."""
        found, kernel = [], self.arcs[0].kernel
        for k, one in enumerate(self.arcs):
            last = k + 1 == len(self.arcs)
            end, goal = (self.closing[0], self.target[0]) if last else (one.end, self.nodes[k + 1])
            N = varied(kernel, one.t[1], goal, one.p).N if kernel.nq != kernel.nv else np.eye(kernel.nv)
            found.append(between(kernel, N, goal, end) / self.scale)
        return np.concatenate([*found, self._further])

    @property
    def _further(self) -> Vector:
        """The place of the jump, and what is held."""
        jump, last, found = self.shots.jump, self.arcs[-1], []
        if jump is not None and jump.has_place:
            landing = jump(last.t[1], last.end, last.p)
            found.append(landing.surface / max(float(np.abs(landing.normal) @ self.scale), 1e-300))
        found += [(self.nodes[0][k] - value) / self._held_scale(k) for k, value in self.shots.hold]
        return np.array(found)

    def _held_scale(self, k: int) -> float:
        kernel = self.arcs[0].kernel
        return float(self.scale[k + kernel.nv - kernel.nq if k >= kernel.nq else k])

    @once
    def slopes(self) -> Vector:
        """The derivative of the defect by (x of every beginning, period, shifts)."""
        kernel, m, e = self.arcs[0].kernel, len(self.nodes), len(self.shots.fields)
        n2, widths = 2 * kernel.nv, [T.shape[1] for _, T in self.bases]
        starts = np.concatenate([[0], np.cumsum(widths)])
        rows = np.zeros((m * n2, starts[-1] + 1 + e))
        for k, one in enumerate(self.arcs):
            here, last = slice(k * n2, (k + 1) * n2), k + 1 == m
            close = self.closing[1] if last else np.eye(n2)
            rows[here, starts[k] : starts[k + 1]] += close @ one.derivative @ self.bases[k][1]
            goal = self.target[1] if last else np.eye(n2)
            onward = 0 if last else k + 1
            rows[here, starts[onward] : starts[onward + 1]] -= goal @ self.bases[onward][1]
            rows[here, starts[-1]] = close @ one.rates(-1) / m
        for j, field in enumerate(self.shots.fields):
            rows[-n2:, starts[-1] + 1 + j] = -along(field, self.target[0])
        rows /= np.tile(self.scale, m)[:, None]
        return np.vstack([rows, self._further_slopes(starts, e)])

    def _further_slopes(self, starts: Vector, e: int) -> Vector:
        jump, last, kernel = self.shots.jump, self.arcs[-1], self.arcs[0].kernel
        found = []
        if jump is not None and jump.has_place:
            landing = jump(last.t[1], last.end, last.p)
            row = np.zeros(int(starts[-1]) + 1 + e)
            row[int(starts[-2]) : int(starts[-1])] = landing.normal @ last.derivative @ self.bases[-1][1]
            row[int(starts[-1])] = landing.normal @ last.rates(-1) / len(self.nodes)
            found.append(row / max(float(np.abs(landing.normal) @ self.scale), 1e-300))
        for k, _ in self.shots.hold:
            row = np.zeros(int(starts[-1]) + 1 + e)
            place = k + kernel.nv - kernel.nq if k >= kernel.nq else k
            row[: int(starts[1])] = self.bases[0][1][place] / self._held_scale(k)
            found.append(row)
        return np.array(found).reshape(-1, int(starts[-1]) + 1 + e)

    @once
    def columns(self) -> Vector:
        """Sizes of the unknowns; zero for a period that is given."""
        sizes = [self.scale[rows] for rows, _ in self.bases]
        return np.concatenate([*sizes, [abs(self.period) if self.shots.free else 0.0], np.ones(len(self.shots.fields))])

    def moved(self, step: Vector) -> Joined:
        """The same with other unknowns, back on the constraints."""
        kernel, at, nodes = self.arcs[0].kernel, 0, []
        for place, (_, T) in zip(self.places, self.bases, strict=True):
            x = step[at : at + T.shape[1]]
            at += T.shape[1]
            nodes.append(_retracted(kernel, place, T @ x))
        return replace(self, nodes=tuple(nodes), period=self.period + step[at], shifts=self.shifts + step[at + 1 :])

    @property
    def open(self) -> float:
        return float(np.max(np.abs(self.defect), initial=0.0))


def solved(start: Joined) -> Joined | None:
    """The periodic motion that Newton's method reaches, or None."""
    here = start
    for _ in range(NEWTON):
        if here.open <= JOINED / 10:
            return here
        there = _better(here)
        if there is None:
            break
        here = there
    return here if here.open <= JOINED else None


def _better(here: Joined) -> Joined | None:
    column = here.columns
    scaled = column * np.linalg.lstsq(here.slopes * column, -here.defect, rcond=CUT)[0]
    longest = float(np.max(np.abs(scaled / np.where(column > 0, column, 1.0)), initial=0.0))
    step = scaled * min(1.0, LONGEST / max(longest, 1e-300))
    for _ in range(HALVINGS):
        try:
            there = here.moved(step)
            if there.period > 0 and there.open < here.open:
                return there
        except (CardanError, np.linalg.LinAlgError):
            pass  # no motion from there: a shorter step
        step = step / 2
    return None


def first_guess(shots: Shots, y: Vector, period: float, segments: int) -> Joined:
    """Arcs along one motion from y."""
    kernel, share = shots.kernel, period / segments
    sizes = typical_sizes(kernel, y, shots.t0)
    nodes = [y]
    for k in range(segments - 1):
        nodes.append(shots.arc(nodes[-1], shots.t0 + k * share, share).end)
    return Joined(shots, tuple(nodes), period, np.zeros(len(shots.fields)), sizes)


def _reference(kernel: Kernel, one: Arc, t: float, sizes: Vector) -> Reference | None:
    return reference(kernel.numbers(one.p), t, one.start, sizes) if kernel.m else None


def _retracted(kernel: Kernel, place: Place, change: Vector) -> Vector:
    system = kernel.numbers(place.p)
    y = system.moved(place.t, place.y, change[: kernel.nv])
    y[kernel.nq :] = place.v + change[kernel.nv :]
    if not kernel.m:
        return y
    closed = project_position(system, place.t, y, place.sizes)
    if closed is None:
        raise SimulationError(f"No configuration of {kernel.model.name!r} satisfies the constraints there.", t=place.t)
    return project_velocity(system, place.t, closed, place.sizes)
