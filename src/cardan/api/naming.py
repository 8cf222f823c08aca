"""The parts of a system by their names: ``s["platform"]``, ``s.bodies``, ``s.joints``, ``s.names``.

A part has the name it was given, or the one it has in its file; what had to be renamed there (a name must be able to
stand in an expression) is found by both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from cardan.errors import ModelError, unknown
from cardan.model.bodies import Body, Particle
from cardan.model.description import Description, carrier
from cardan.model.frames import Frame, Point, Vector
from cardan.model.given import Direction, Holder, Where
from cardan.model.joint import Joint
from cardan.model.motions import triple
from cardan.native.suggesting import Suggesting

if TYPE_CHECKING:
    import sympy as sp

Part: TypeAlias = "Body | Particle | Frame | sp.Symbol"
Place: TypeAlias = Body | Particle | Frame | Point  # what has a velocity


class Naming(Suggesting):
    """Everything that was described, found again by name."""

    description: Description
    renamed: dict[str, str]  # names of a file, and what they are called here

    @property
    def bodies(self) -> dict[str, Body]:
        """Bodies by name, in the order in which they were described."""
        return {one.name: one for one in self.description.bodies}

    @property
    def particles(self) -> dict[str, Particle]:
        """Particles by name."""
        return {one.name: one for one in self.description.particles}

    @property
    def joints(self) -> dict[str, Joint]:
        """The joint on which each body is carried, by the name of the body."""
        return {one.name: one.joint for one in self.description.bodies}

    @property
    def names(self) -> dict[str, str]:
        """Every name that is taken, and by what."""
        return dict(self.description.names)

    def __getitem__(self, name: str) -> Part:
        """The body, particle, frame, coordinate, parameter, input or magnitude of a load with this name.

        ``s["tool0"].point(0, 0, 0.1)``, ``s["elbow_joint"].dot``; names of a robot's file are understood where they had
        to be changed.
        """
        parts = self._parts()
        found = parts.get(name, parts.get(self.renamed.get(name, "")))
        if found is None:
            raise unknown(name, parts, f"part of {self.description.name!r}")
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._parts() or name in self.renamed

    def _parts(self) -> dict[str, Part]:
        d = self.description
        symbols = (one for one, kind in d.known.kinds.items() if kind != "velocity" and str(one) in d.names)
        named: dict[str, Part] = {str(one): one for one in symbols}
        return {"world": d.world, **d.frames, **self.bodies, **self.particles, **named}

    # --- what is meant by a name, or by three numbers ----------------------------------------------

    def _place_of(self, thing: Place | str) -> Place:
        """A body, particle, frame or point, which may be given by its name."""
        if not isinstance(thing, str):
            return thing
        places = {name: one for name, one in self._parts().items() if isinstance(one, (Body, Particle, Frame))}
        found = places.get(thing, places.get(self.renamed.get(thing, "")))
        if found is None:
            raise unknown(thing, places, f"body, particle or frame of {self.description.name!r}")
        return found

    def _frame_of(self, thing: Holder) -> Frame:
        """The axes of a body, particle or frame."""
        return carrier(self._place_of(thing))

    def _point_of(self, thing: Where) -> Point:
        """A point; of a body its centre of mass, of a particle or frame its origin, of numbers a place in the world."""
        if isinstance(thing, (str, Point, Body, Particle, Frame)):
            place = self._place_of(thing)
        else:
            return self._place_in_world(thing)
        return place if isinstance(place, Point) else place.centre if isinstance(place, Body) else place.origin

    def _place_in_world(self, numbers: object) -> Point:
        if not isinstance(numbers, Iterable) or len(found := tuple(numbers)) != 3:
            raise ModelError(
                f"{numbers!r} is no point. Use body.point(x, y, z), a body or particle, its name, s.world.origin, or "
                "three numbers along the world's axes."
            )
        return self.description.world.point(*found)

    def _vector_of(self, given: Direction, what: str) -> Vector:
        """A vector; three numbers or expressions are along the axes of the world."""
        if isinstance(given, Vector):
            return given
        try:
            if isinstance(given, str):
                raise TypeError
            return self.description.world.vector(*triple(given, what))
        except (TypeError, ModelError):
            raise ModelError(
                f"{what} needs a vector such as -g*s.world.z, or three numbers along the world's axes, found "
                f"{given!r}.",
                found=given,
            ) from None
