"""What the doctor says of a hand, headline first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.diagnosis.hand.cause import Cause, cause_at
from cardan.diagnosis.hand.chain import Chain, rank_of
from cardan.diagnosis.hand.escape import Escape, escape_from, quality
from cardan.diagnosis.hand.nearest import Nearest, nearest_singularity
from cardan.diagnosis.words import listed, vector_text
from cardan.errors import ModelError
from cardan.model.frames import Point
from cardan.model.joint_limits import Limits
from cardan.native.showing import Shown

Vector = NDArray[np.float64]

SERVO_SLOWS, SERVO_STOPS = 17.0, 30.0  # MoveIt Servo: lower_singularity_threshold, hard_stop_singularity_threshold
NEAR = 0.25  # rad: nearer than this the nearest singularity belongs into the headline


@dataclass(frozen=True)
class Lost:
    """A direction that the hand has lost, as the wrench that no joint feels: force and moment at the hand."""

    force: Vector  # world axes; force and moment together of size one in sizes of the arm
    moment: Vector
    frame_force: Vector  # along the hand's own axes
    frame_moment: Vector
    point: Vector  # of the wrench's axis, where it has one
    pitch: float  # metres; infinite for a pure moment

    def __str__(self) -> str:
        f, m = float(np.linalg.norm(self.force)), float(np.linalg.norm(self.moment))
        if f < 1e-6 * max(m, 1e-300):
            return f"turn about {vector_text(self.moment / m)} (no joint feels a moment about it)"
        line = f"{vector_text(self.force / f)} (no joint feels a force along it through {vector_text(self.point)}"
        return f"move along {line}{f', with pitch {self.pitch:.3g} m' if abs(self.pitch) > 1e-9 else ''})"


@dataclass(frozen=True)
class HandDiagnosis(Shown):
    """A hand at a configuration: what is lost, why, how near trouble is, and the way out."""

    frame: str
    joints: tuple[str, ...]
    q: Vector
    rank: int
    usual_rank: int
    singular_values: Vector  # in consistent units: lengths over ``length``
    length: float
    condition: float  # of the Jacobian in metres and radians, as MoveIt Servo computes it
    manipulability: float  # product of the singular values in metres and radians
    lost: tuple[Lost, ...]
    cause: Cause | None  # here, or at the nearest singularity
    nearest: Nearest | None
    escape: Escape | None
    hand_speeds: Mapping[str, float]  # largest speed along each world axis that the joints' own limits allow

    @property
    def is_singular(self) -> bool:
        return self.rank < self.usual_rank

    @property
    def headline(self) -> str:
        if self.is_singular:
            name = f"{self.cause.name} singularity: " if self.cause else ""
            lost = self.usual_rank - self.rank
            return f"{name}{self.frame} has lost {lost} of its {self.usual_rank} directions"
        if self.nearest is not None and self.nearest.distance < NEAR:
            name = f"{self.cause.name} " if self.cause else ""
            return f"{self.frame} is {self.nearest.distance:.3g} rad from a {name}singularity"
        return f"{self.frame} moves in all {self.usual_rank} directions that it has"

    def __str__(self) -> str:
        return "\n".join([self.headline, *(f"  {line}" for line in self._lines())])

    def _lines(self) -> list[str]:
        lines = [f"it cannot {one}" for one in self.lost]
        if self.cause is not None:
            where = "" if self.is_singular else "there "
            lines.append(f"cause: {where}{self.cause.why} ({listed(list(self.cause.joints))})")
        if self.nearest is not None and not self.is_singular:
            inside = "" if self.nearest.is_allowed else ", beyond the limits of joints"
            lines.append(
                f"nearest singularity found: {self.nearest.distance:.4g} rad away in joint space, the hand "
                f"{self.nearest.hand_distance:.4g} m from here{inside}"
            )
        if self.escape is not None:
            moves = ", ".join(f"{name} by {x:+.3g}" for name, x in self.escape.moves.items())
            weak = f"; too strong for {listed(list(self.escape.too_strong))}" if self.escape.too_strong else ""
            lines.append(
                f"way out, simulated: {moves}; smallest over largest singular value {self.escape.before:.2g} -> "
                f"{self.escape.after:.2g}{weak}"
            )
        servo = "halts" if self.condition > SERVO_STOPS else "slows down" if self.condition > SERVO_SLOWS else "runs"
        lines.append(
            f"condition number {self.condition:.4g}: MoveIt Servo {servo} here with its thresholds "
            f"{SERVO_SLOWS:g} and {SERVO_STOPS:g}; manipulability {self.manipulability:.3g}"
        )
        if self.hand_speeds:
            slowest = min(self.hand_speeds, key=lambda axis: self.hand_speeds[axis])
            lines.append(f"largest speed along {slowest} that the motors allow: {self.hand_speeds[slowest]:.3g} m/s")
        return lines


def examine(kernel: Kernel, of: Point, turns: bool, q: Vector, limits: Mapping[str, Limits], t: float) -> HandDiagnosis:
    """Everything that the doctor has to say of a hand at q."""
    if kernel.ideal.m:
        raise ModelError(
            f"{kernel.model.name!r} has constraints; the doctor judges arms without loops (of a robot whose joints are "
            "held by equal limits: load it with --no-limits). s.diagnose(q, task=...).task tells the directions of a "
            "hand in a loop."
        )
    chain = Chain(kernel.ideal, of, turns, q, limits, t)
    J, scaled = chain.jacobian(q), chain.scaled(q)
    rank, usual = rank_of(scaled), chain.usual_rank
    raw = np.linalg.svd(J, compute_uv=False)[:usual]
    is_singular = rank < usual
    nearest = None if is_singular else nearest_singularity(chain)
    place = q if is_singular else None if nearest is None else nearest.q
    cause = None if place is None else cause_at(chain, place)
    near = is_singular or (nearest is not None and nearest.distance < NEAR)
    return HandDiagnosis(
        frame=chain.name,
        joints=tuple(chain.names),
        q=q,
        rank=rank,
        usual_rank=usual,
        singular_values=np.asarray(np.linalg.svd(scaled, compute_uv=False), dtype=float),
        length=chain.length,
        condition=float(raw[0] / raw[-1]) if raw[-1] > 0 else float("inf"),
        manipulability=float(np.prod(raw)),
        lost=tuple(_lost(chain, q, rank)) if is_singular else (),
        cause=cause,
        nearest=nearest,
        escape=escape_from(chain, q) if near else None,
        hand_speeds={} if is_singular else _speeds(chain, J),
    )


def _lost(chain: Chain, q: Vector, rank: int) -> list[Lost]:
    """Left null vectors of J, as many as are usually none."""
    u, _, _ = np.linalg.svd(chain.scaled(q))
    R, p = chain.kernel.placement(chain.point, q, chain.t)
    found = []
    spare = len(chain.weights) - chain.usual_rank  # directions that the hand never has
    for w in u.T[rank : len(chain.weights) - spare]:
        wrench = w / chain.weights
        f, m = wrench[:3] * chain.length, (wrench[3:] if chain.turns else np.zeros(3)) * chain.length
        f, m = (np.where(np.abs(x) < 1e-9 * np.abs(wrench).max(), 0.0, x) for x in (f, m))
        size = float(f @ f)
        point = p + np.cross(f, m) / size if size else p
        found.append(Lost(f, m, R.T @ f, R.T @ m, point, float(f @ m / size) if size else float("inf")))
    return found


def _speeds(chain: Chain, J: Vector) -> dict[str, float]:
    """Largest speed of the hand along each world axis before a joint is too fast."""
    fastest = np.array([chain.limits.get(name, Limits()).velocity for name in chain.names])
    if not np.all(np.isfinite(fastest)):
        return {}
    needed = np.abs(np.linalg.pinv(J)[:, :3])  # joint speeds for 1 m/s along x, y, z
    return {axis: float(np.min(fastest / np.maximum(needed[:, i], 1e-300))) for i, axis in enumerate("xyz")}


__all__ = ["HandDiagnosis", "Lost", "examine", "quality"]
