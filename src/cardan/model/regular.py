"""Regular coordinates behind the user's: quaternions for Euler angles, Cartesian ones for polar coordinates.

A ball or free joint described by Euler angles, or a particle in polar coordinates, has a chart with a hole in it. The
motion itself has none, so it is integrated in coordinates without holes; the user's angles are read off afterwards.
This is done only where the three coordinates appear nowhere else in the model (a potential typed in an angle, say,
keeps the chart the user chose).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardan.model.bodies import Body, Particle
from cardan.model.curvilinear import PolarCylindrical, PolarSpherical
from cardan.model.domains import LINE
from cardan.model.frames import Frame
from cardan.model.model import Model
from cardan.model.motions import AXES, Motion, Slide, Spin
from cardan.model.symbols import Coordinate
from cardan.model.variables import CoordinateVariable, QuaternionVariable, Variable

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True)
class Replacement:
    """Three of the user's coordinates (``angles``) replaced by regular ones in the frame that they carry."""

    frame: Frame
    coordinates: tuple[sp.Symbol, sp.Symbol, sp.Symbol]  # the user's symbols, in the order of their meaning
    kind: str  # "euler", "cylindrical" or "spherical"
    motions: tuple[Motion, ...]  # of the frame, in regular coordinates
    variables: tuple[Variable, ...]  # one quaternion, or three Cartesian coordinates
    convention: str = ""
    space: bool = False

    @property
    def what(self) -> str:
        names = ", ".join(str(symbol) for symbol in self.coordinates)
        other = "a unit quaternion" if self.kind == "euler" else "Cartesian coordinates"
        return f"the motion of {self.frame.name!r} is integrated in {other}; {names} are read off it"


def replacements(model: Model) -> list[Replacement]:
    """The replacements that a model allows."""
    return [one for one in _candidates(model) if _is_alone(one, model)]


def regularised(model: Model, found: list[Replacement]) -> Model:
    """The same model in regular coordinates; frames, vectors and points stay what they are."""
    gone = {symbol: one for one in found for symbol in one.coordinates}
    variables: list[Variable] = []
    done: set[int] = set()
    for variable in model.variables:
        one = gone.get(variable.symbol) if isinstance(variable, CoordinateVariable) else None
        if one is None:
            variables.append(variable)
        elif id(one) not in done:
            variables.extend(one.variables)
            done.add(id(one))
    return replace(
        model, variables=tuple(variables), regular={**model.regular, **{one.frame: one.motions for one in found}}
    )


def _candidates(model: Model) -> Iterator[Replacement]:
    for body in model.bodies:
        yield from _rotation(body)
    for particle in model.particles:
        yield from _polar(particle)


def _rotation(body: Body) -> Iterator[Replacement]:
    euler = body.joint.angles
    if euler is not None:
        name = f"{body.name} orientation"
        motions = (*body.frame.motions[:-3], Spin(name))
        yield Replacement(
            body.frame, euler.angles, "euler", motions, (QuaternionVariable(name),), euler.convention, euler.space
        )


def _polar(particle: Particle) -> Iterator[Replacement]:
    coordinates = particle.coordinates
    names = tuple(Coordinate(f"{particle.name} {axis}") for axis in "xyz")
    variables = tuple(CoordinateVariable(name, LINE) for name in names)
    motions = tuple(Slide(AXES[axis], name) for axis, name in zip("xyz", names, strict=True))
    if isinstance(coordinates, PolarCylindrical):
        given = (coordinates.r, coordinates.theta, coordinates.z)
        yield Replacement(particle.frame, given, "cylindrical", motions, variables)
    elif isinstance(coordinates, PolarSpherical):
        given = (coordinates.R, coordinates.phi, coordinates.theta)
        yield Replacement(particle.frame, given, "spherical", motions, variables)


def _is_alone(one: Replacement, model: Model) -> bool:
    """Whether the three coordinates are free, distinct, and appear in the motions of this frame only."""
    known = {variable.symbol for variable in model.free if isinstance(variable, CoordinateVariable)}
    own = set(one.coordinates)
    if len(own) != 3 or not own <= known:
        return False
    if one.kind != "euler" and any(one.frame in load_frames for load_frames in _basis_frames(model)):
        return False
    return not any(own & used for used in _used_elsewhere(one, model))


def _basis_frames(model: Model) -> Iterator[set[Frame]]:
    """Frames whose axes are used as directions: a particle's e_theta exists only in its polar frame."""
    for load in model.loads:
        yield {frame for axis in load.along for frame in axis.terms}
    for constraint in model.constraints:
        yield {frame for part in vars(constraint).values() for frame in getattr(part, "terms", ())}


def _used_elsewhere(one: Replacement, model: Model) -> Iterator[set[sp.Symbol]]:
    """Symbols of every expression of the model outside the motions of this frame."""

    def symbols(value: object) -> set[sp.Symbol]:
        free = set(getattr(value, "free_symbols", ()))
        dotted = {Coordinate(name) for name in (getattr(symbol, "of", None) for symbol in free) if name}
        return free | dotted

    for expression in (*model.kinetic_energies, *model.potentials, *model.lagrangians, *model.prescribed.values()):
        yield symbols(expression)
    for force in model.generalized_forces:
        yield symbols(force.expression) | symbols(force.coordinate)
    for thing in (*model.bodies, *model.particles):
        if thing.frame is not one.frame:
            for motion in model.motions_of(thing.frame):
                yield symbols(getattr(motion, "angle", None)) | symbols(getattr(motion, "distance", None))
    records = (
        *model.springs,
        *model.dampers,
        *model.constraints,
        *getattr(model, "stops", ()),
        *getattr(model, "frictions", ()),
    )
    for record in records:
        for part in vars(record).values():
            parts = part if isinstance(part, (tuple, list)) else (part,)
            for piece in parts:
                yield symbols(piece)
    for load in model.loads:
        for axis in load.along:
            for components in axis.terms.values():
                for component in components:
                    yield symbols(component)
