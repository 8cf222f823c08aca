"""Coordinates in the orders and conventions of Pinocchio and MuJoCo.

Here q holds coordinates in the order in which they were described, quaternions (w, x, y, z) behind them; v likewise, a
free body's velocity along the world's axes, its angular velocity along its own. The others go joint by joint. Pinocchio
writes quaternions (x, y, z, w), the velocity of a free body along its own axes, and an unbounded angle as (cos, sin);
MuJoCo writes (w, x, y, z) and otherwise does as here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import ModelError
from cardan.geometry import quaternion
from cardan.model.motions import Motion, Slide, Spin, Turn
from cardan.model.variables import CoordinateVariable, QuaternionVariable, Variable

if TYPE_CHECKING:
    import sympy as sp

    from cardan.model.frames import Frame
    from cardan.model.model import Model

Vector = NDArray[np.float64]
TOOLS = ("pinocchio", "mujoco")


@dataclass(frozen=True)
class Piece:
    """One joint's numbers: where they are here (q and v), and of what kind."""

    kind: str  # "plain", "circle", "ball" or "free"
    q: tuple[int, ...]
    v: tuple[int, ...]


@dataclass(frozen=True)
class Order:
    """Maps between Cardan's q, v, a and those of another tool."""

    tool: str
    pieces: tuple[Piece, ...]
    nq: int
    nv: int

    def q(self, q: ArrayLike) -> Vector:
        """Cardan's configuration in the other order."""
        own = np.asarray(q, dtype=float)
        found: list[float] = []
        for piece in self.pieces:
            values = own[list(piece.q)]
            if piece.kind == "circle":
                found += [np.cos(values[0]), np.sin(values[0])]
            elif piece.kind in ("ball", "free") and self.tool == "pinocchio":
                found += [*values[:-4], *values[-3:], values[-4]]
            else:
                found += [*values]
        return np.array(found)

    def from_q(self, other: ArrayLike) -> Vector:
        """The other tool's configuration in Cardan's order; angles between -pi and pi where it has (cos, sin)."""
        given, at, own = np.asarray(other, dtype=float), 0, np.zeros(self.nq)
        for piece in self.pieces:
            count = 2 if piece.kind == "circle" else len(piece.q)
            values, at = given[at : at + count], at + count
            if piece.kind == "circle":
                own[piece.q[0]] = np.arctan2(values[1], values[0])
            elif piece.kind in ("ball", "free") and self.tool == "pinocchio":
                own[list(piece.q)] = [*values[:-4], values[-1], *values[-4:-1]]
            else:
                own[list(piece.q)] = values
        return own

    def matrix(self, q: ArrayLike) -> Vector:
        """T(q) with v_other = T v; then M = T^T M_other T and tau = T^T tau_other."""
        own, T, at = np.asarray(q, dtype=float), np.zeros((self.nv, self.nv)), 0
        for piece in self.pieces:
            count = len(piece.v)
            block = np.eye(count)
            if piece.kind == "free" and self.tool == "pinocchio":
                block[:3, :3] = self._rotation(own, piece).T
            T[at : at + count, list(piece.v)] = block
            at += count
        return T

    def v(self, q: ArrayLike, v: ArrayLike) -> Vector:
        """Cardan's velocity in the other order."""
        found: Vector = self.matrix(q) @ np.asarray(v, dtype=float)
        return found

    def from_v(self, q: ArrayLike, other: ArrayLike) -> Vector:
        """The other tool's velocity in Cardan's order; q is Cardan's."""
        found: Vector = self.matrix(q).T @ np.asarray(other, dtype=float)
        return found

    def a(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Vector:
        """Cardan's acceleration in the other order; along turning axes of a free body it differs by v x w."""
        found: Vector = self.matrix(q) @ np.asarray(a, dtype=float)
        own, at = np.asarray(v, dtype=float), 0
        for piece in self.pieces:
            if piece.kind == "free" and self.tool == "pinocchio":
                linear = self._rotation(np.asarray(q, dtype=float), piece).T @ own[list(piece.v[:3])]
                found[at : at + 3] -= np.cross(own[list(piece.v[3:])], linear)
            at += len(piece.v)
        return found

    def _rotation(self, q: Vector, piece: Piece) -> Vector:
        return np.array(quaternion.matrix(tuple(q[list(piece.q[-4:])])), dtype=float)


def order_of(model: Model, tool: str) -> Order:
    """The order of a tool that goes through bodies in the order in which they were described."""
    if tool not in TOOLS:
        raise ModelError(f"The order of {tool!r} is unknown. Known: {', '.join(TOOLS)}.", name=tool)
    own = {one.symbol: one for one in model.variables if isinstance(one, CoordinateVariable)}
    spins = {one.name: one for one in model.variables if isinstance(one, QuaternionVariable)}
    index = {symbol: k for symbols in (model.q, model.v) for k, symbol in enumerate(symbols)}
    pieces: list[Piece] = []
    done: set[str] = set()
    for body in model.bodies:
        slid: list[CoordinateVariable] = []  # one after the other, just before
        for motion in _motions(model, body.frame):
            if isinstance(motion, Spin):
                is_free = len(slid) == 3
                pieces = pieces[:-3] if is_free else pieces
                pieces.append(
                    _piece("free" if is_free else "ball", [*(slid if is_free else ()), spins[motion.name]], index)
                )
                continue
            amount = _amount(motion)
            variable = None if amount is None else _own(amount, own)
            if variable is None or variable.name in done or variable.symbol not in index:
                continue
            done.add(variable.name)
            slid = [*slid, variable] if isinstance(motion, Slide) else []
            is_circle = tool == "pinocchio" and variable.domain.is_angle
            pieces.append(_piece("circle" if is_circle else "plain", [variable], index))
    _require_all(model, tool, pieces)
    return Order(tool, tuple(pieces), len(model.q), len(model.v))


def _motions(model: Model, frame: Frame) -> list[Motion]:
    """The motions between the body that carries a body and itself, frames between them included."""
    bodies = {one.frame for one in model.bodies}
    chain = [frame]
    while (parent := chain[-1].parent) is not None and parent not in bodies:
        chain.append(parent)
    return [motion for one in reversed(chain) for motion in model.motions_of(one)]


def _amount(motion: Motion) -> sp.Expr | None:
    """What a turn or slide goes by."""
    if isinstance(motion, Turn):
        return motion.angle
    return motion.distance if isinstance(motion, Slide) else None


def _own(amount: sp.Expr, own: Mapping[sp.Symbol, CoordinateVariable]) -> CoordinateVariable | None:
    """The coordinate that a joint goes by, perhaps from a reference: q or q - 1.25."""
    (symbol, *others) = [one for one in amount.free_symbols if one in own] or [None]
    return own[symbol] if symbol is not None and not others and (amount - symbol).is_number else None


def _piece(kind: str, parts: Sequence[Variable], index: Mapping[sp.Symbol, int]) -> Piece:
    q = tuple(index[symbol] for one in parts for symbol in one.configuration)
    return Piece(kind, q, tuple(index[symbol] for one in parts for symbol in one.velocities))


def _require_all(model: Model, tool: str, pieces: Sequence[Piece]) -> None:
    found = {k for one in pieces for k in one.q}
    lost = ", ".join(str(symbol) for k, symbol in enumerate(model.q) if k not in found)
    if lost:
        raise ModelError(f"{tool} has no place for {lost}: no joint has it as its own.", name=lost)
