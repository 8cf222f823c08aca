"""What every joint answers for itself; the kinds are in ``joints.py``.

A joint says how it moves (a chain of elementary motions), what it forbids, what it holds where it closes a loop, which
of its motions end at a stop, how its fields are written in a model file, and what it looks like. Nobody else asks which
kind of joint it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal

from cardan.errors import ModelError
from cardan.geometry.axis import UNIT_VECTORS
from cardan.model.given import Amount
from cardan.model.motions import Axis, Motion, Triple
from cardan.model.orientations import Euler

Directions = tuple[Triple, ...]
Bearing = Literal["none", "fixed", "turn", "slide", "spin"]

# What a field of a joint holds, for those who write or read it: dataclass metadata under the key "holds".
AXIS: Mapping[str, str] = {"holds": "axis"}  # "x", "-z", or three numbers of length one
NORMAL: Mapping[str, str] = {"holds": "normal"}  # "x", "y" or "z"
AMOUNT: Mapping[str, str] = {"holds": "amount"}  # a coordinate, or an expression of coordinates and time
CONSTANT: Mapping[str, str] = {"holds": "constant"}  # a number, or an expression of parameters
ORIENTATION: Mapping[str, str] = {"holds": "orientation"}  # a quaternion or Euler angles


@dataclass(frozen=True)
class Forbidden:
    """One direction, along the axes of the body after the joint, in which the joint takes up a force or a moment."""

    label: str
    kind: Literal["force", "moment"]
    direction: Triple


@dataclass(frozen=True)
class AxisPair:
    """An axis of the first frame and one of the second that keep their angle; ``cosine`` is that of the angle."""

    first: Triple
    second: Triple
    cosine: float = 0


X, Y, Z = UNIT_VECTORS
ALIGNED = (AxisPair(X, Y), AxisPair(Y, Z), AxisPair(Z, X))  # of frames without relative rotation


@dataclass(frozen=True)
class Thread:
    """Sliding along ``axis`` and turning about it go together: ``advance`` is what one radian moves.

    The turn is the angle from ``side``, an axis of the first frame across ``axis``, to ``mark``, one of the second.
    """

    axis: Triple
    side: Triple
    mark: Triple
    advance: Amount


@dataclass(frozen=True)
class Closure:
    """What a joint holds between two points where it closes a loop.

    The second point does not move ``along`` directions of the first frame, ``pairs`` of axes keep their angle, and a
    ``thread`` couples what is left. Frames that keep their whole ``orientation`` must face the same way, too; so must
    the two axes of ``sense``: those of a hinge are parallel, not antiparallel, which right angles do not tell.
    """

    along: Directions
    pairs: tuple[AxisPair, ...] = ()
    orientation: bool = False
    thread: Thread | None = None
    sense: AxisPair | None = None


@dataclass(frozen=True)
class SwingLimit:
    """The ``axis`` of the body after the joint stays within ``angle`` of the direction where it is at rest."""

    axis: Triple
    angle: Amount
    restitution: Amount


@dataclass(frozen=True)
class Drawing:
    """How a joint looks: its bearing, the axis of that, and the normal of the plane that a flat body moves in."""

    bearing: Bearing
    axis: Triple | None = None
    normal: Triple | None = None


class Joint(ABC):
    """A joint between a parent and a body; every kind answers these questions."""

    is_said: ClassVar[bool] = True  # whether users and files can say it
    takes_second_axis: ClassVar[bool] = False  # whether its axis may lie elsewhere in the second of two frames
    refusal: ClassVar[str] = "does not say what it holds where it closes a loop (its method closure)"

    @classmethod
    def kind(cls) -> str:
        """Its name in a model file and in a picture."""
        return cls.__name__.lower()

    @abstractmethod
    def motions(self, owner: str) -> tuple[Motion, ...]:
        """The chain of elementary motions from its parent side to its child side; ``owner`` is for messages."""

    @abstractmethod
    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        """What it forbids: 6 less its freedoms; ``chain`` is how it moves now, with everything put in."""

    @abstractmethod
    def drawing(self, owner: str) -> Drawing:
        """How it looks."""

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        """What it holds between two frames; ``second_axis`` is its axis in the second where that differs."""
        raise ModelError(f"{owner}: {type(self).__name__} {self.refusal}.")

    def limits(self, owner: str) -> tuple[SwingLimit, ...]:
        """Where its motion ends."""
        return ()

    @property
    def pin(self) -> Axis | None:
        """The axis across which it presses, for friction; None where there is not one such axis."""
        return None

    @property
    def angles(self) -> Euler | None:
        """The Euler angles that orient the body, which a quaternion could stand for."""
        return None

    @property
    def constants(self) -> tuple[Amount, ...]:
        """What it is given that must not change during a motion."""
        own = [getattr(self, name) for name, holds in fields_of(type(self)).items() if holds == "constant"]
        return tuple(one for one in own if one is not None)


def fields_of(joint: type[Joint]) -> dict[str, str]:
    """What each field of a kind of joint holds: "axis", "normal", "amount", "constant" or "orientation"."""
    return {one.name: one.metadata["holds"] for one in fields(joint)}  # type: ignore[arg-type]  # kinds are dataclasses


def needed(value: Amount | None, joint: str, what: str, owner: str) -> Amount:
    """The value, or a ModelError that says what is missing."""
    if value is None:
        raise ModelError(f"{owner}: {joint} needs {what} here. Pass a coordinate or an expression of coordinates.")
    return value


def forces(directions: Directions) -> Iterator[Forbidden]:
    """Forces along directions, labelled with the axis of the body where they lie on one."""
    for label, direction in _labelled(directions):
        yield Forbidden(f"force_{label}", "force", direction)


def moments(directions: Directions) -> Iterator[Forbidden]:
    """Moments about directions, labelled alike."""
    for label, direction in _labelled(directions):
        yield Forbidden(f"moment_{label}", "moment", direction)


def _labelled(directions: Directions) -> Iterator[tuple[str, Triple]]:
    for k, direction in enumerate(directions):
        yield (
            next((name for name, one in zip("xyz", UNIT_VECTORS, strict=True) if one == direction), str(k + 1)),
            direction,
        )
