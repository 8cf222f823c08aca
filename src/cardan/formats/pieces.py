"""The pieces of a model file in the terms of the model: expressions, vectors, points, joints, shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardan.errors import CardanError, FileError, suggestion
from cardan.formats import expressions
from cardan.formats import schema_parts as parts
from cardan.formats.budget import Budget
from cardan.formats.build_looks import built, finder
from cardan.formats.describable import Curvilinear, Describable, Placement, Position, Target, Thing
from cardan.formats.document import Document, Location
from cardan.formats.meshes import beside, read_mesh
from cardan.formats.plan import Nested
from cardan.formats.schema_shapes import Appearance, Look
from cardan.formats.values import Refusal, require_near
from cardan.model import appearances, curvilinear, shapes
from cardan.model.description import carrier
from cardan.model.flexible import FlexibleBody
from cardan.model.frames import Frame, Vector
from cardan.model.joint import Joint, fields_of
from cardan.model.joints import KINDS
from cardan.model.orientations import Euler, Orientation, Quaternion
from cardan.model.variables import QuaternionVariable

if TYPE_CHECKING:
    import sympy as sp


def given(one: parts.Part, *keys: str) -> dict[str, object]:
    """The fields that the file gives, by name."""
    return {key: getattr(one, key) for key in keys if getattr(one, key) is not None}


class Pieces:
    """Names as they become known, and the meaning of pieces in terms of them."""

    def __init__(self, document: Document, system: Describable) -> None:
        self.document, self.system = document, system
        self.names: dict[str, expressions.Meaning] = {"t": system.time}
        self.known: dict[str, Thing] = {}
        self.listed = 0  # variables whose names are known
        self.budget = Budget()
        self.add("world", system.world)

    def add(self, name: str, thing: Thing) -> None:
        """Make a thing known, with its axes and the quaternions that came with it."""
        self.known[name] = thing
        basis = getattr(getattr(thing, "coordinates", None), "basis", None) or {}
        self.names |= {f"{name}.{axis}": getattr(thing, axis) for axis in ("x", "y", "z", *basis)}
        variables = self.system.description.variables
        for one in variables[self.listed :]:
            if isinstance(one, QuaternionVariable):
                self.names |= {str(symbol): symbol for symbol in (*one.configuration, *one.velocities)}
        self.listed = len(variables)

    @contextmanager
    def at(self, *where: str | int) -> Iterator[None]:
        """Errors raised inside say that they happened at this place of the file."""
        try:
            yield
        except FileError as problem:
            if "file" in problem.evidence:
                raise
            raise self.document.error(str(problem), where, **problem.evidence) from problem.__cause__
        except CardanError as problem:
            raise self.document.error(str(problem), where, **_plain(problem.evidence)) from problem

    # --- numbers, vectors, points ------------------------------------------------------------------

    def number(self, value: object, where: Location = ()) -> float:
        """A number, or an expression without names."""
        with self.at(*where) if where else _nowhere():
            return expressions.constant(value)

    def scalar(self, value: object, where: Location = ()) -> sp.Expr:
        """An expression of what is known so far."""
        if type(value) is float or type(value) is int:
            found = expressions.plain(value)
            if found is not None:
                return found
        with self.at(*where) if where else _nowhere():
            found = expressions.parse(value, self.names, self.budget)
            if isinstance(found, Vector):
                raise FileError(f"expected a scalar, found the vector {value!r}.")
            return found

    def scalars(self, one: parts.Part, where: Location, *keys: str) -> dict[str, sp.Expr]:
        """Expressions of the named fields, where they are given."""
        return {key: self.scalar(value, (*where, key)) for key, value in given(one, *keys).items()}

    def nested(self, value: object, where: Location) -> Nested:
        """A scalar, three of them, or a matrix."""
        if not isinstance(value, (list, tuple)):
            return self.scalar(value, where)
        return tuple(self.nested(part, (*where, k)) for k, part in enumerate(value))

    def vector(self, value: object, where: Location) -> Vector:
        """Components along the world's axes, or an expression such as -g*world.z."""
        if isinstance(value, (list, tuple)):
            return self.system.world.vector(*self.nested(value, where))
        with self.at(*where):
            found = expressions.parse(value, self.names, self.budget)
            if not isinstance(found, Vector):
                raise FileError(f"expected a vector such as body.x or -g*world.z, found the scalar {value!r}.")
            return found

    def axis(self, value: str | parts.Three, where: Location) -> str | tuple[float, ...]:
        if isinstance(value, str):
            return value
        return tuple(self.number(part, (*where, k)) for k, part in enumerate(value))

    def thing(self, name: str, where: Location) -> Thing:
        """The frame, body or particle of this name."""
        if name in self.known:
            return self.known[name]
        known, near = ", ".join(self.known), suggestion(name, self.known, expressions.NEAR)
        raise self.document.error(
            f"there is no frame, body or particle {name!r} here;{near} known are: {known[:600]}.", where
        )

    def frame_of(self, name: str, where: Location) -> Frame:
        return carrier(self.thing(name, where))

    def target(self, value: parts.PointOf | str, where: Location) -> Target:
        """A thing by name, or a point of it."""
        if not isinstance(value, parts.PointOf):
            return self.thing(value, where)
        position = self.nested(value.at, (*where, "at"))
        thing = self.thing(value.of, (*where, "of"))
        if isinstance(thing, FlexibleBody):  # its points move with its sections
            x = self.number(value.at[0], (*where, "at", 0))
            return thing.point(x, *position[1:])
        return carrier(thing).point(*position)

    def plane(self, value: parts.PlaneOf, where: Location) -> shapes.Plane:
        of = self.thing(value.of, where)
        return shapes.Plane(of, self.axis(value.normal, (*where, "normal")), self.scalar(value.height, where))

    def placement(self, value: parts.Placed | str | parts.Three, where: Location) -> Placement:
        if not isinstance(value, parts.Placed):
            return self._position(value, where)
        position = self._position(value.position, (*where, "position"))
        return position if value.rotation is None else (position, self.nested(value.rotation, (*where, "rotation")))

    def _position(self, value: str | parts.Three, where: Location) -> Position:
        if isinstance(value, (list, tuple)):
            return self.nested(value, where)
        found = self.vector(value, where)
        self.require_near(list(found.terms), where)
        return found

    def require_near(self, frames: Sequence[Frame], where: Location) -> None:
        try:
            require_near(frames)
        except Refusal as problem:
            raise self.document.error(f"{problem}.", where) from None

    # --- joints, curvilinear coordinates, shapes ---------------------------------------------------

    def joint(self, one: Any, where: Location) -> Joint:
        """A joint of the kind that is named, each field read as what it holds."""
        kind = next(kind for kind in KINDS if kind.kind() == one.kind)
        holds = fields_of(kind)
        reads: dict[str, Callable[[Any, Location], object]] = {
            "axis": self.axis,
            "normal": self._letter,
            "amount": self.scalar,
            "constant": self.scalar,
            "orientation": self._orientation,
        }
        found = {key: reads[holds[key]](value, (*where, key)) for key, value in given(one, *holds).items()}
        return kind(**found)

    def _letter(self, value: str, where: Location) -> str:
        return value

    def _orientation(self, one: Any, where: Location) -> Orientation:
        if isinstance(one, parts.Quaternion):
            return Quaternion(one.name)
        with self.at(*where):
            return Euler(one.convention, *self.nested(one.angles, (*where, "angles")), space=one.space)

    def curvilinear(self, one: parts.Curvilinear, where: Location) -> Curvilinear:
        if isinstance(one, parts.Curve):
            along = [self.scalar(value, (*where, "parameters", k)) for k, value in enumerate(one.parameters)]
            return curvilinear.Curve(self.nested(one.position, (*where, "position")), *along)
        kind = getattr(curvilinear, type(one).__name__)
        made: Curvilinear = kind(**self.scalars(one, where, *(key for key in type(one).model_fields if key != "kind")))
        return made

    def shape(self, one: Appearance, where: Location) -> appearances.Appearance:
        """A shape with its sizes; a mesh is read once here, so that its faults are told where it is named."""
        if isinstance(one, Look):
            with self.at(*where):
                return built(one, finder(self.document.file, self.document.meshes, self.document.root))
        kind = getattr(appearances, type(one).__name__)
        fields = given(one, *(key for key in type(one).model_fields if key != "kind"))
        made: appearances.Appearance = kind(
            **{key: self._of_shape(key, value, (*where, key)) for key, value in fields.items()}
        )
        return made

    def _mesh(self, name: str, where: Location) -> Path:
        with self.at(*where):
            path = beside(self.document.file, name, self.document.root)
            try:
                read_mesh(path)
            except FileError as problem:
                line = f"{name}:{problem.line}" if problem.line else name
                raise FileError(f"{line}: {problem.problem}") from None
            return path

    def _of_shape(self, key: str, value: Any, where: Location) -> str | tuple[float, ...] | Nested:
        if key == "file":
            return str(self._mesh(value, where))
        return self.axis(value, where) if key == "axis" else self.nested(value, where)


@contextmanager
def _nowhere() -> Iterator[None]:
    yield


def _plain(evidence: dict[str, object]) -> dict[str, object]:
    """Evidence without the names that say where."""
    return {key: value for key, value in evidence.items() if key not in ("file", "line", "field", "problem")}
