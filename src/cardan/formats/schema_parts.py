"""The pieces that model files are made of: names, scalars, vectors, points, joints, orientations, shapes.

A piece says what may be written and of which form; what it means is found when it is built, where the names are known.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model
from pydantic_core import PydanticCustomError

from cardan.formats.values import CONSTANTS
from cardan.model import joint as model_joint
from cardan.model.joints import KINDS

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
Written: TypeAlias = int | float | str  # a number, or an expression
Three: TypeAlias = tuple[Written, Written, Written]

RESERVED = frozenset({"t", "world"})


def _refuse(message: str) -> PydanticCustomError:
    return PydanticCustomError("cardan", "{message}", {"message": message})


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _label(value: object) -> str:
    """A name that no expression contains, such as that of a stop."""
    if not isinstance(value, str) or not NAME.fullmatch(value) or "__" in value:
        raise _refuse(
            f"{_short(value)} is no name. A name is a letter, then letters, digits and single underscores, at most 64."
        )
    if value in RESERVED or keyword.iskeyword(value):
        raise _refuse(f"the name {value!r} has a meaning of its own; choose another.")
    return value


def _name(value: object) -> str:
    """A name that may stand in expressions; that of a function may, since functions stand before a bracket only."""
    if isinstance(value, str) and value in CONSTANTS:
        raise _refuse(f"the name {value!r} is that of a constant; choose another.")
    return _label(value)


def _reference(value: object) -> str:
    return "world" if value == "world" else _name(value)


def scalar(value: object) -> Written:
    """A number or an expression as it is written, or a refusal."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _refuse(f"expected a number or an expression, found {_short(value)}.")
    return value


def _triple(value: object) -> Three:
    if not isinstance(value, list) or len(value) != 3:
        raise _refuse(f"expected three components [x, y, z], found {_short(value)}.")
    x, y, z = (scalar(part) for part in value)
    return x, y, z


def _vector(value: object) -> str | Three:
    """Components along the world's axes (or where the field says), or an expression such as -g*world.z."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise _refuse(f"expected a vector, as [x, y, z] or an expression such as -g*world.z, found {_short(value)}.")
    return _triple(value)


def _axis(value: object) -> str | Three:
    if isinstance(value, str):
        if value in ("x", "y", "z", "-x", "-y", "-z"):
            return value
        raise _refuse(f"{_short(value)} is no axis. Use x, y, z, -x, -y, -z or [x, y, z].")
    return _triple(value)


def _matrix(value: object) -> tuple[Three, Three, Three]:
    if not isinstance(value, list) or len(value) != 3:
        raise _refuse(f"expected three rows of three numbers, found {_short(value)}.")
    first, second, third = (_triple(row) for row in value)
    return first, second, third


def _inertia(value: object) -> Written | Three | tuple[Three, Three, Three]:
    if not isinstance(value, list):
        return scalar(value)
    return _matrix(value) if any(isinstance(row, list) for row in value) else _triple(value)


def _title(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 200 or not value.isprintable():
        raise _refuse(f"expected a title of one line and at most 200 characters, found {_short(value)}.")
    return value


Name = Annotated[str, BeforeValidator(_name)]
Label = Annotated[str, BeforeValidator(_label)]
Reference = Annotated[str, BeforeValidator(_reference)]
Title = Annotated[str, BeforeValidator(_title)]
Scalar = Annotated[Written, BeforeValidator(scalar)]
Triple = Annotated[Three, BeforeValidator(_triple)]
Vector = Annotated[str | Three, BeforeValidator(_vector)]
Axis = Annotated[str | Three, BeforeValidator(_axis)]
Matrix = Annotated[tuple[Three, Three, Three], BeforeValidator(_matrix)]
Inertia = Annotated[Written | Three | tuple[Three, Three, Three], BeforeValidator(_inertia)]


def _listed(value: object) -> object:
    return value if isinstance(value, list) else [value]


Scalars = Annotated[list[Scalar], BeforeValidator(_listed)]  # one or several


class Part(BaseModel):
    """A mapping in which every key is known."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


# --- places ----------------------------------------------------------------------------------------


class PointOf(Part):
    """The point at ``at`` from the origin of a frame, body or particle, along its axes."""

    of: Reference
    at: Triple = (0, 0, 0)


def _point(value: object) -> PointOf | str:
    """A name (a body means its centre of mass), or a mapping as PointOf."""
    return PointOf.model_validate(value) if isinstance(value, dict) else _reference(value)


def _placement(value: object) -> Placed | str | Three:
    return Placed.model_validate(value) if isinstance(value, dict) else _vector(value)


Point = Annotated[PointOf | str, BeforeValidator(_point)]


class Placed(Part):
    """A position and a rotation matrix, whose columns are the child's axes in the parent."""

    position: Vector = (0, 0, 0)
    rotation: Matrix | None = None


Placement = Annotated[Placed | str | Three, BeforeValidator(_placement)]


class PlaneOf(Part):
    """The plane through the origin of a frame or body with this normal, shifted along it by ``height``."""

    of: Reference
    normal: Axis = "z"
    height: Scalar = 0


def _plane(value: object) -> PlaneOf:
    return PlaneOf.model_validate(value if isinstance(value, dict) else {"of": value})


Plane = Annotated[PlaneOf, BeforeValidator(_plane)]


class RoundOf(Part):
    """A cylinder, sphere or cone about the origin of a frame or body, rolled on from outside or inside."""

    kind: Literal["cylinder", "sphere", "cone"]
    of: Reference
    radius: Scalar | None = None
    angle: Scalar | None = None
    axis: Axis | None = None
    pole: Axis | None = None
    inside: bool = False


def _rolled(value: object) -> PlaneOf | RoundOf:
    return RoundOf.model_validate(value) if isinstance(value, dict) and "kind" in value else _plane(value)


Rolled = Annotated[PlaneOf | RoundOf, BeforeValidator(_rolled)]


# --- orientations and joints -----------------------------------------------------------------------


class Euler(Part):
    kind: Literal["euler"]
    convention: str = Field(max_length=16)
    angles: Triple
    space: bool = False


class Quaternion(Part):
    kind: Literal["quaternion"]
    name: Name


Orientation = Annotated[Euler | Quaternion, Field(discriminator="kind")]


def _joint(kind: type[model_joint.Joint]) -> type[Part]:
    """The mapping of a kind of joint: its name, and what its fields hold."""
    pieces: dict[str, Any] = {
        "axis": Axis,
        "normal": Literal["x", "y", "z"],
        "amount": Scalar | None,
        "constant": Scalar | None,
        "orientation": Orientation | None,
    }
    given: dict[str, Any] = {"kind": (Literal[kind.kind()], ...)}
    for one in fields(kind):  # type: ignore[arg-type]  # kinds of joints are dataclasses
        given[one.name] = (pieces[one.metadata["holds"]], ... if one.default is MISSING else one.default)
    return create_model(kind.__name__, __base__=Part, **given)


JOINTS = {kind.kind(): _joint(kind) for kind in KINDS}

if TYPE_CHECKING:
    Joint = Part
else:
    Joint = Annotated[Union[tuple(JOINTS.values())], Field(discriminator="kind")]  # noqa: UP007


class PolarCylindrical(Part):
    kind: Literal["polar_cylindrical"]
    r: Scalar
    theta: Scalar
    z: Scalar = 0


class PolarSpherical(Part):
    kind: Literal["polar_spherical"]
    R: Scalar
    phi: Scalar
    theta: Scalar


class Curve(Part):
    kind: Literal["curve"]
    position: Triple
    parameters: list[Scalar]


Curvilinear = Annotated[PolarCylindrical | PolarSpherical | Curve, Field(discriminator="kind")]


# --- shapes ----------------------------------------------------------------------------------------


class Sphere(Part):
    kind: Literal["sphere"]
    radius: Scalar


class Disc(Part):
    kind: Literal["disc"]
    radius: Scalar
    axis: Axis = "z"


class Ellipsoid(Part):
    kind: Literal["ellipsoid"]
    a: Scalar
    b: Scalar
    c: Scalar


Shape = Annotated[Sphere | Disc | Ellipsoid, Field(discriminator="kind")]
