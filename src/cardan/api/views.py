"""Between the coordinates a motion is integrated in and the ones its user chose.

States travel both ways; angles come out continuous, and are flagged where they have no meaning. Velocities are carried
as velocities (angular velocity, Cartesian velocity), never as rates of angles.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.api.start import Given
from cardan.codegen.compiled import Kernel
from cardan.geometry import euler, quaternion
from cardan.model.model import Model
from cardan.model.regular import Replacement
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

UNDEFINED = 1e-9  # a chart whose determinant is below this gives angles without meaning


@dataclass(frozen=True)
class Part:
    """Where one replacement sits in both states: indices into [q, v] of the user's model and of the regular one."""

    replacement: Replacement
    user_q: tuple[int, int, int]
    user_v: tuple[int, int, int]
    own_q: int
    own_v: int


@dataclass(frozen=True)
class View:
    """A user's model and the regular one behind it."""

    user: Model
    regular: Model
    replacements: list[Replacement]
    kernel: Kernel  # of the regular model

    @cached_property
    def parts(self) -> list[Part]:
        user = [*self.user.q, *self.user.v]
        own = [*self.regular.q, *self.regular.v]
        found = []
        for one in self.replacements:
            q = tuple(user.index(symbol) for symbol in one.coordinates)
            v = tuple(user.index(symbol.dot) for symbol in one.coordinates)
            first_q = one.variables[0].configuration[0]
            first_v = one.variables[0].velocities[0]
            found.append(Part(one, q, v, own.index(first_q), own.index(first_v)))  # type: ignore[arg-type]
        return found

    @cached_property
    def _shared(self) -> list[tuple[int, int]]:
        """(user index, regular index) of everything that is the same in both."""
        own = {symbol: k for k, symbol in enumerate([*self.regular.q, *self.regular.v])}
        user = [*self.user.q, *self.user.v]
        return [(k, own[symbol]) for k, symbol in enumerate(user) if symbol in own]

    @cached_property
    def replaced(self) -> set[Any]:
        """The user's symbols that the regular model does not have, rates included."""
        coordinates = {symbol for one in self.replacements for symbol in one.coordinates}
        return coordinates | {symbol.dot for symbol in coordinates}

    def suits(self, method: str, expressions: Iterable[Any]) -> bool:
        """Whether a run may use the regular coordinates: not where a scheme or a signal needs the user's own."""
        needs_own = method.startswith("symplectic") or method in ("RATTLE", "energy-momentum")
        return not needs_own and not any(set(getattr(x, "free_symbols", ())) & self.replaced for x in expressions)

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
            q, v = y[list(part.user_q)], y[list(part.user_v)]
            position, velocity = _enter(part.replacement, q, v)
            out[part.own_q : part.own_q + len(position)] = position
            out[part.own_v : part.own_v + 3] = velocity
        return out

    def to_user(self, states: Vector, start: Vector | None = None) -> tuple[Vector, NDArray[np.bool_]]:
        """(states in the user's coordinates, whether each has a meaning): angles continue from ``start`` on."""
        rows = np.atleast_2d(states)
        out = np.zeros((len(rows), len(self.user.q) + len(self.user.v)))
        defined = np.ones(len(rows), dtype=bool)
        for k, j in self._shared:
            out[:, k] = rows[:, j]
        for part in self.parts:
            size = 4 if part.replacement.kind == "euler" else 3
            before = None if start is None else start[list(part.user_q)]
            for i, row in enumerate(rows):
                position, velocity = row[part.own_q : part.own_q + size], row[part.own_v : part.own_v + 3]
                q, v, sound = _leave(part.replacement, position, velocity, before)
                out[i, list(part.user_q)], out[i, list(part.user_v)] = q, v
                defined[i] &= sound
                before = q
        return out, defined


def _enter(one: Replacement, q: Vector, v: Vector) -> tuple[Vector, Vector]:
    """Regular position and velocity from the user's coordinates and rates."""
    if one.kind == "euler":
        e = np.array(quaternion.from_euler(one.convention, tuple(q), one.space))
        return e, np.array(euler.angular_velocity(one.convention, tuple(q), tuple(v), one.space), dtype=float)
    J, x = _polar(one.kind, q)
    return x, J @ v


def _polar(kind: str, q: Vector) -> tuple[Vector, Vector]:
    """(dx/dq, x) of polar coordinates: columns are the basis vectors (20) or (49)."""
    if kind == "cylindrical":
        r, theta, z = q
        c, s = np.cos(theta), np.sin(theta)
        return np.array([[c, -r * s, 0.0], [s, r * c, 0.0], [0.0, 0.0, 1.0]]), np.array([r * c, r * s, z])
    R, phi, theta = q
    c, s, cp, sp = np.cos(theta), np.sin(theta), np.cos(phi), np.sin(phi)
    e_R, e_phi, e_theta = np.array([sp * c, sp * s, cp]), np.array([cp * c, cp * s, -sp]), np.array([-s, c, 0.0])
    return np.column_stack([e_R, R * e_phi, R * sp * e_theta]), R * e_R


def _leave(one: Replacement, x: Vector, v: Vector, before: Vector | None) -> tuple[Vector, Vector, bool]:
    """The user's coordinates and rates, continuous with ``before``, and whether they have a meaning."""
    if one.kind == "euler":
        q, sound = _angles(one, x, before)
        return q, _rates(one, q, v), sound
    q, sound = _polar_coordinates(one.kind, x, before)
    J, _ = _polar(one.kind, q)
    return q, np.linalg.pinv(J, rcond=1e-12) @ v, sound


def _angles(one: Replacement, e: Vector, before: Vector | None) -> tuple[Vector, bool]:
    found = quaternion.to_euler(tuple(e), one.convention, one.space)
    q = np.array(found.angles, dtype=float)
    sound = not found.is_singular
    if before is None:
        return q, sound
    proper = euler.parse(one.convention, one.space).is_proper
    middle = -q[1] if proper else np.pi - q[1]
    other = np.array([q[0] + np.pi, middle, q[2] + np.pi])
    choices = [_near(candidate, before) for candidate in (q, other)]
    if not sound:  # only a sum or difference is determined: keep the first angle, let the third follow
        for candidate in choices:
            turn = before[0] - candidate[0]
            sign = _coupling(one, candidate)
            candidate[0] += turn
            candidate[2] += sign * turn
    return min(choices, key=lambda candidate: _jump(candidate - before)), sound


def _jump(change: Vector) -> float:
    """How unlikely a change of angles is: the middle one tells the two solutions apart, a fast spin does not count."""
    first, middle, third = np.abs(change)
    return float(4 * middle + min(first, third))


def _coupling(one: Replacement, q: Vector) -> float:
    """At the singularity, how the third angle must change when the first changes: -1 where their sum is determined."""
    e = np.array(quaternion.from_euler(one.convention, tuple(q), one.space))
    shifts = [
        np.array(quaternion.from_euler(one.convention, (q[0] + 0.1, q[1], q[2] + s * 0.1), one.space)) for s in (-1, 1)
    ]
    return -1.0 if abs(e @ shifts[0]) > abs(e @ shifts[1]) else 1.0


def _near(q: Vector, before: Vector) -> Vector:
    """Angles shifted by whole turns to lie close to ``before``."""
    near: Vector = q + 2 * np.pi * np.round((before - q) / (2 * np.pi))
    return near


def _rates(one: Replacement, q: Vector, w: Vector) -> Vector:
    rates = np.array(euler.rate_matrix(one.convention, tuple(q), one.space), dtype=float)
    found: Vector = np.linalg.pinv(rates, rcond=1e-12) @ w
    return found


def _polar_coordinates(kind: str, x: Vector, before: Vector | None) -> tuple[Vector, bool]:
    """Polar coordinates of a point; a negative (extended) radius or colatitude is kept where it was."""
    rho = float(np.hypot(x[0], x[1]))
    theta = float(np.arctan2(x[1], x[0]))
    if kind == "cylindrical":
        choices = [np.array([rho, theta, x[2]]), np.array([-rho, theta + np.pi, x[2]])]
        sound = rho > UNDEFINED
        angles = [1]
    else:
        R = float(np.linalg.norm(x))
        phi = float(np.arctan2(rho, x[2]))
        choices = [np.array([R, phi, theta]), np.array([R, -phi, theta + np.pi])]
        sound = R > UNDEFINED and rho > UNDEFINED
        angles = [1, 2]
    if before is None:
        return choices[0], sound
    for choice in choices:
        for k in angles:
            choice[k] += 2 * np.pi * np.round((before[k] - choice[k]) / (2 * np.pi))
    if not sound:
        return np.where(np.isin(np.arange(3), angles), before, choices[0]), sound
    return choices[0] if before[0] >= 0 and kind == "cylindrical" else min(
        choices, key=lambda choice: float(np.linalg.norm(choice - before))
    ), sound
