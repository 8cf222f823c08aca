"""The pieces of a description as data of a model file: names, points, vectors, joints, shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import sympy as sp

from cardan.errors import FileError
from cardan.formats.document import Data, Entry
from cardan.formats.expression_text import said, text_of
from cardan.formats.schema_parts import NAME, RESERVED
from cardan.formats.values import CONSTANTS
from cardan.model.appearances import Mesh
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point, Vector
from cardan.model.joint import Joint, fields_of
from cardan.model.looks import Look, Piece
from cardan.model.motions import AXES, Axis, is_tilted
from cardan.model.orientations import Euler, Orientation

if TYPE_CHECKING:
    from cardan.model.appearances import Appearance
    from cardan.model.curvilinear import Curvilinear
    from cardan.model.given import Amount
    from cardan.model.motions import Triple
    from cardan.model.shapes import Shape


PLAIN = {field.name: field.default for field in fields(Piece) if field.name != "shape"}


def refused(what: str, why: str) -> FileError:
    """The error for something that model files have no word for."""
    return FileError(f"{what} cannot be written to a model file: {why}.", name=what, problem=why)


def name(text: str, what: str) -> str:
    """A name that files accept, or a refusal."""
    if not NAME.fullmatch(text) or "__" in text or text in RESERVED or text in CONSTANTS:
        why = "a name there is a letter, then letters, digits and single underscores, and no word of the format"
        raise refused(f"The name {text!r} of {what}", why)
    return text


def label(text: str, what: str) -> str:
    """A name that no expression contains, such as that of a stop."""
    return text if text in CONSTANTS else name(text, what)


def triple(parts: Iterable[Amount]) -> list[Data]:
    """Three components."""
    return [said(part) for part in parts]


def frame_name(frame: Frame) -> str:
    """What a file calls a frame, body or particle."""
    return "world" if frame.parent is None else name(frame.name, f"frame {frame.name!r}")


def point(one: Point) -> Data:
    """A point of a frame; its position may depend on parameters."""
    return {"of": frame_name(one.frame), "at": triple(one.position)}


def vector(one: Vector) -> str:
    """A vector as a sum over axes of frames."""
    terms = [
        f"{frame_name(frame)}.{axis}" if part == 1 else f"({text_of(sp.sympify(part))})*{frame_name(frame)}.{axis}"
        for frame, parts in one.terms.items()
        for axis, part in zip("xyz", parts, strict=True)
        if part != 0
    ]
    return " + ".join(terms) or "0*world.x"


def axis(one: Axis, what: str) -> Data:
    """An axis by its letter, or as three numbers."""
    if isinstance(one, str):
        return one
    if is_tilted(one):
        raise refused(
            f"The axis {tuple(one)} of {what}", "axes there are numbers; tilt a frame by its rotation instead"
        )
    known = next((letter for letter, exact in AXES.items() if tuple(exact) == tuple(one)), None)
    return known or [float(part) for part in one]


def plane(surface: Frame, normal: Triple, height: sp.Expr, what: str) -> Entry:
    return {"of": frame_name(surface), "normal": axis(normal, what), "height": said(height)}


def orientation(one: Orientation) -> Entry:
    if isinstance(one, Euler):
        return {"kind": "euler", "convention": one.convention, "angles": triple(one.angles), "space": one.space}
    return {"kind": "quaternion", "name": name(one.name, f"quaternion {one.name!r}")}


def joint(one: Joint, what: str) -> Entry:
    """A joint with its fields, each as what it holds."""
    if not one.is_said:
        raise refused(what, "it bends, and what it was made of is not known any more")
    found: Entry = {"kind": one.kind()}
    for key, holds in fields_of(type(one)).items():
        value = getattr(one, key)
        if value is None:
            continue
        if holds in ("axis", "normal"):
            found[key] = axis(value, what)
        else:
            found[key] = orientation(value) if holds == "orientation" else said(value)
    return found


def shape(one: Shape | Appearance, what: str) -> Entry | None:
    """A shape with its sizes; None for a mesh, which stays a file of its own."""
    if isinstance(one, Look):
        return {"kind": "look", "pieces": [_piece(piece, what) for piece in one.pieces]}
    if isinstance(one, Mesh):
        return {"kind": "mesh", "file": Path(one.file).name, "scale": said(one.scale)} | _place(one.at)
    found: Entry = {"kind": type(one).__name__.lower()}
    for field in fields(one):
        value = getattr(one, field.name)
        if value is None:
            continue
        if field.name == "axis":
            found[field.name] = axis(value, what)
        else:
            found[field.name] = triple(value) if isinstance(value, Sequence) else said(value)
    return found


def _piece(one: Piece, what: str) -> Entry:
    """A piece of a look, without what is as it is by default."""
    found: Entry = {"shape": shape(one.shape, what)}
    found |= {key: list(getattr(one, key)) for key in ("at", "turn", "scale") if getattr(one, key) != PLAIN[key]}
    found |= {} if one.colour is None else {"colour": one.colour}
    return found if one.opacity == 1 else found | {"opacity": one.opacity}


def _place(at: Triple | None) -> Entry:
    return {} if at is None else {"at": triple(at)}


def curvilinear(one: Curvilinear) -> Entry:
    """Curvilinear coordinates of a particle."""
    kinds = {"PolarCylindrical": "polar_cylindrical", "PolarSpherical": "polar_spherical", "Curve": "curve"}
    found: Entry = {"kind": kinds[type(one).__name__]}
    for field in fields(one):
        value = getattr(one, field.name)
        if field.name != "basis":
            found[field.name] = triple(value) if isinstance(value, tuple) else said(value)
    return found


def thing(one: Body | Particle) -> str:
    return name(one.name, f"{type(one).__name__.lower()} {one.name!r}")
