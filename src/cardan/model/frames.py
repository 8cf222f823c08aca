"""Frames carried by chains of motions, and vectors written in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import sympy as sp

from cardan.algebra.shorten import shorten
from cardan.errors import FrameMismatch, ModelError
from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.geometry.rotation import about
from cardan.model.given import Amount, Components
from cardan.model.motions import Matrix3, Motion, Place, Slide, Spin, Triple, Turn
from cardan.native.once import once

IDENTITY: Matrix3 = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def quaternion_symbols(name: str) -> tuple[sp.Symbol, sp.Symbol, sp.Symbol, sp.Symbol]:
    """The four configuration symbols (w, x, y, z) of the unit quaternion called ``name``."""
    w, x, y, z = (sp.Symbol(f"{name}_{part}", real=True) for part in "wxyz")
    return w, x, y, z


def three_of(x: Amount | Components, y: Amount, z: Amount) -> Triple:
    """(x, y, z), said as three amounts or as one triple."""
    if not isinstance(x, (Sequence, np.ndarray, sp.MatrixBase)):
        return x, y, z
    given = tuple(x)
    if len(given) != 3 or (y, z) != (0, 0):
        raise ModelError(f"A point needs three numbers, point(x, y, z) or point((x, y, z)); found {x!r}, {y!r}, {z!r}.")
    return given


class Frame:
    """A set of axes x, y, z with an origin, carried by ``motions`` relative to its parent frame."""

    def __init__(self, name: str, parent: Frame | None, motions: tuple[Motion, ...] = ()) -> None:
        self.name = name
        self.parent = parent
        self.motions = motions
        self.root: Frame = self if parent is None else parent.root

    @property
    def x(self) -> Vector:
        return Vector({self: (1, 0, 0)})

    @property
    def y(self) -> Vector:
        return Vector({self: (0, 1, 0)})

    @property
    def z(self) -> Vector:
        return Vector({self: (0, 0, 1)})

    def vector(self, x: Amount, y: Amount, z: Amount) -> Vector:
        """The vector with these components along the axes of this frame."""
        return Vector({self: (x, y, z)})

    def point(self, x: Amount | Components = 0, y: Amount = 0, z: Amount = 0) -> Point:
        """The point fixed in this frame at (x, y, z) from its origin; three numbers or a triple of them."""
        return Point(self, three_of(x, y, z))

    @property
    def origin(self) -> Point:
        return Point(self, (0, 0, 0))

    @once
    def path(self) -> tuple[Frame, ...]:
        """Frames from the world to this one."""
        return (*self.parent.path, self) if self.parent is not None else (self,)

    @once
    def rotation_in_parent(self) -> Matrix3:
        """R_PF in SymPy: columns are this frame's axes in the parent's."""
        R: Matrix3 = IDENTITY
        for motion in self.motions:
            if isinstance(motion, Turn):
                R = m3.matmul(R, about(motion.axis, sp.sympify(motion.angle)))
            elif isinstance(motion, Spin):
                R = m3.matmul(R, quaternion.matrix(quaternion_symbols(motion.name)))
            elif isinstance(motion, Place) and motion.rotation is not None:
                R = m3.matmul(R, motion.rotation)
        return R

    @once
    def position_in_parent(self) -> Triple:
        """p_PF in SymPy: from the parent's origin to this origin, along the parent's axes."""
        R: Matrix3 = IDENTITY
        p: Triple = (0, 0, 0)
        for motion in self.motions:
            if isinstance(motion, Turn):
                R = m3.matmul(R, about(motion.axis, sp.sympify(motion.angle)))
            elif isinstance(motion, Spin):
                R = m3.matmul(R, quaternion.matrix(quaternion_symbols(motion.name)))
            elif isinstance(motion, Slide):
                p = m3.add(p, m3.matvec(R, m3.scale(motion.distance, motion.axis)))
            else:
                p = m3.add(p, m3.matvec(R, motion.position))
                R = m3.matmul(R, motion.rotation) if motion.rotation is not None else R
        return p

    @property
    def omega(self) -> Seen:
        """Angular velocity, relative to the world; ``frame.omega(relative_to=other)`` relative to another frame."""
        from cardan.model.moving import angular_velocity

        return Seen(lambda base: angular_velocity(self, base))

    @property
    def alpha(self) -> Seen:
        """Angular acceleration, relative to the world or with ``relative_to=``."""
        return Seen(lambda base: self.omega(base).rate(self.root if base is None else base))

    def __repr__(self) -> str:
        return f"Frame({self.name!r})"


def common_frame(a: Frame, b: Frame) -> Frame:
    """The last frame that carries both."""
    shared = [one for one, other in zip(a.path, b.path, strict=False) if one is other]
    if not shared:
        raise FrameMismatch(f"Frames {a.name!r} and {b.name!r} belong to different systems; build both in one System.")
    return shared[-1]


def rotation_from_to(source: Frame, target: Frame) -> Matrix3:
    """R such that components in ``source`` times R are components in ``target``."""
    root = common_frame(source, target)

    def up(frame: Frame) -> Matrix3:
        R: Matrix3 = IDENTITY
        for step in frame.path[len(root.path) :]:
            R = m3.matmul(R, step.rotation_in_parent)
        return R

    return m3.matmul(m3.transpose(up(target)), up(source))


def _refuse_text(parts: Sequence[object], what: str) -> None:
    """Text is never turned into an expression: SymPy would run it."""
    found = next((part for part in parts if isinstance(part, str)), None)
    if found is not None:
        raise ModelError(f"A {what} is made of numbers and expressions; found the text {found!r}.")


class Vector:
    """A vector as components along the axes of one or several frames; + - * dot cross."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Frame, Triple]) -> None:
        self.terms = dict(terms)
        for parts in self.terms.values():
            _refuse_text(parts, "vector")

    def express(self, frame: Frame) -> Triple:
        """Components (SymPy) along the axes of ``frame``."""
        total: Triple = (0, 0, 0)
        for own, parts in self.terms.items():
            total = m3.add(total, parts if own is frame else m3.matvec(rotation_from_to(own, frame), parts))
        return tuple(sp.sympify(part) for part in total)

    def dot(self, other: Vector) -> sp.Expr:
        """Scalar product, as an expression."""
        frame = self._meet(_vector(other, "dot product"))
        return shorten(sp.sympify(m3.dot(self.express(frame), other.express(frame))))

    def cross(self, other: Vector) -> Vector:
        """Vector product."""
        frame = self._meet(_vector(other, "cross product"))
        return Vector({frame: m3.cross(self.express(frame), other.express(frame))})

    def components(self, frame: Frame | Carried) -> sp.Matrix:
        """The components along the axes of a frame or body, as a column, short."""
        return sp.ImmutableMatrix([shorten(part) for part in self.express(_frame(frame))])

    def rate(self, frame: Frame | Carried) -> Vector:
        """d/dt as seen from a frame: rates of the components plus w x vector."""
        from cardan.model.moving import rate

        return rate(self, _frame(frame))

    def magnitude(self) -> sp.Expr:
        return sp.sqrt(self.dot(self))

    def _meet(self, other: Vector) -> Frame:
        """The frame to compute in: that of the shorter vector expression, else the common one."""
        frames = [*self.terms, *other.terms]
        return max(frames, key=lambda frame: len(frame.path)) if frames else Frame("nowhere", None)

    def __add__(self, other: Vector | float) -> Vector:
        if isinstance(other, (int, float)) and other == 0:  # so that sum() works
            return self
        terms = dict(self.terms)
        for frame, parts in _vector(other, "sum").terms.items():
            terms[frame] = m3.add(terms[frame], parts) if frame in terms else parts
        return Vector(terms)

    __radd__ = __add__

    def __mul__(self, factor: Amount) -> Vector:
        if isinstance(factor, Vector):
            raise ModelError("Two vectors were multiplied with *. Use a.dot(b) or a.cross(b).")
        return Vector({frame: tuple(part * factor for part in parts) for frame, parts in self.terms.items()})

    __rmul__ = __mul__

    def __truediv__(self, divisor: Amount) -> Vector:
        _refuse_text((divisor,), "divisor of a vector")
        return self.__mul__(1 / sp.sympify(divisor))

    def __neg__(self) -> Vector:
        return self * -1

    def __sub__(self, other: Vector) -> Vector:
        return self + (-_vector(other, "difference"))

    def _repr_latex_(self) -> str:
        """For notebooks: components times unit vectors, which are named by their frames."""
        told = [
            _along(sp.sympify(part), axis, frame.name)
            for frame, components in self.terms.items()
            for axis, part in zip("xyz", components, strict=True)
            if part != 0
        ]
        return rf"$\displaystyle {' + '.join(told) or '0'}$".replace("+ -", "- ")

    def __repr__(self) -> str:
        parts = []
        for frame, components in self.terms.items():
            for axis, part in zip("xyz", components, strict=True):
                if part != 0:
                    parts.append(f"{frame.name}.{axis}" if part == 1 else f"({part})*{frame.name}.{axis}")
        return " + ".join(parts) or "0"


def _along(part: sp.Expr, axis: str, frame: str) -> str:
    """A component times its unit vector, in LaTeX."""
    unit = rf"\hat{{{axis}}}_{{\mathrm{{{frame.replace('_', ' ')}}}}}"
    if part == 1:
        return unit
    return rf"\left({sp.latex(part)}\right) {unit}" if part.is_Add else f"{sp.latex(part)} {unit}"


class Carried(Protocol):
    """A body or particle, which has a frame."""

    @property
    def frame(self) -> Frame: ...


def _frame(thing: Frame | Carried) -> Frame:
    return thing if isinstance(thing, Frame) else thing.frame


class Seen(Vector):
    """A velocity or acceleration relative to the world; called with ``relative_to=`` it is that in another frame."""

    __slots__ = ("_from",)

    def __init__(self, view: Callable[[Frame | None], Vector]) -> None:
        super().__init__(view(None).terms)
        self._from = view

    def __call__(self, relative_to: Frame | Carried | None = None) -> Vector:
        return self._from(None if relative_to is None else _frame(relative_to))


def _vector(thing: object, what: str) -> Vector:
    if not isinstance(thing, Vector):
        raise ModelError(f"The {what} of a vector needs another vector, such as body.x; found {thing!r}.")
    return thing


class Point:
    """A point fixed in a frame; ``+ vector`` gives another point of the same frame."""

    __slots__ = ("frame", "position")

    def __init__(self, frame: Frame, position: Triple) -> None:
        _refuse_text(position, "point")
        self.frame = frame
        self.position = position

    def __add__(self, offset: Vector) -> Point:
        return Point(self.frame, m3.add(self.position, offset.express(self.frame)))

    def __sub__(self, other: Point) -> Vector:
        """The vector from another point to this one."""
        from cardan.model.moving import from_to

        if not isinstance(other, Point):
            raise ModelError(
                f"A point minus {other!r}: only points have a difference, as in body.point(1, 0, 0) - pin."
            )
        return from_to(other.frame, other.position, self.frame, self.position)

    @property
    def velocity(self) -> Seen:
        """Velocity relative to the world; ``point.velocity(relative_to=frame)`` as seen from a frame."""
        return Seen(self._velocity)

    @property
    def acceleration(self) -> Seen:
        """Acceleration relative to the world or with ``relative_to=``."""
        return Seen(lambda base: self._velocity(base).rate(self.frame.root if base is None else base))

    def _velocity(self, base: Frame | None) -> Vector:
        frame = self.frame.root if base is None else base
        return (self - frame.origin).rate(frame)

    def __repr__(self) -> str:
        return f"Point({self.frame.name!r}, {self.position})"
