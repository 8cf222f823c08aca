"""What a user can say about a system: every method is one call into the model room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from cardan.api.naming import Naming, Place
from cardan.errors import ModelError, UnknownName
from cardan.model.appearances import Appearance
from cardan.model.bodies import Body, Particle
from cardan.model.curvilinear import Curvilinear
from cardan.model.description import Description, carrier
from cardan.model.domains import Domain
from cardan.model.frames import Frame, Point
from cardan.model.given import Amount, Components, Direction, Holder, Inertia, Placement, Position, Where
from cardan.model.joint import Joint
from cardan.model.joint_limits import Limits
from cardan.model.joints import Fixed
from cardan.model.laws import add_bushing, add_law
from cardan.model.loads import Damper, GeneralizedForce, Load, Spring
from cardan.model.model import Model
from cardan.model.names import listed_names
from cardan.model.speeds import Speed, add_speeds
from cardan.model.struts import Law, strut
from cardan.model.symbols import Coordinate, Time, Velocity

if TYPE_CHECKING:
    import sympy as sp

    from cardan.formats.plan import Asked
    from cardan.model.symbols import Coordinates, Symbols

    Three = tuple[sp.Symbol, sp.Symbol, sp.Symbol]


class Describing(Naming):
    """Coordinates, parameters, energies, bodies, particles and loads of a system."""

    def __init__(self, name: str = "system") -> None:
        self.description = Description(name)
        self.plan: dict[str, Any] = {}  # arguments for simulate, as in s.simulate(**s.plan); files fill it
        self.analysis: list[Asked] = []  # questions about special motions, see s.analyse(); files fill it
        self.notes: list[str] = []  # what a file says that could not be carried over, and names that were changed
        self.renamed: dict[str, str] = {}  # names of a file, and what they are called here
        self.limits: dict[str, Limits] = {}  # of the joints of a robot, by coordinate

    @property
    def name(self) -> str:
        return self.description.name

    @property
    def time(self) -> sp.Symbol:
        """The symbol t; what moves is not differentiated by it, but has its own symbols, as in ``x.dot``."""
        return Time()

    @property
    def world(self) -> Frame:
        """The inertial frame."""
        return self.description.world

    @property
    def model(self) -> Model:
        """The finished description."""
        return self.description.freeze()

    # --- coordinates and parameters ----------------------------------------------------------------

    def coordinates(
        self, names: str, on: Domain | str | Sequence[float] = "R", scale: float | None = None
    ) -> Coordinates:
        """New coordinates, as SymPy symbols with ``.dot``; ``on`` is "R", "S1", "R+" or (lower, upper).

        Ranges are SymPy's: "q1:4" makes q1, q2 and q3.
        """
        wanted, ranged = listed_names(names)
        with self.description.all_or_nothing():
            made = tuple(self.description.coordinate(name, on, scale) for name in wanted)
        if not made:
            raise ModelError('coordinates() needs at least one name, as in s.coordinates("a b").')
        return made if len(made) > 1 or ranged else made[0]  # type: ignore[return-value]

    coordinate = coordinates

    def parameters(self, **values: float) -> Symbols:
        """New parameters with values, as SymPy symbols; changing a value later never compiles again."""
        with self.description.all_or_nothing():
            made = tuple(self.description.parameter(name, value) for name, value in values.items())
        if not made:
            raise ModelError("parameters() needs at least one name=value.")
        return made if len(made) > 1 else made[0]  # type: ignore[return-value]

    parameter = parameters

    def speeds(self, **given: Speed) -> Symbols:
        """Generalized speeds u = Y v + z: Kane's, body-fixed ones, any that are linear in the velocities.

        ``s.speeds(u=x.dot*cos(a) + y.dot*sin(a), w=(body.omega, body))``: a vector and a body make ``w_x``, ``w_y`` and
        ``w_z`` along its axes. They stand in forces, in starts (``v={"u": 2.0}``; others are then zero), in
        ``eq.write("kane")``, ``run["u"]`` and ``run.evaluate``.
        """
        made = add_speeds(self.description, given)
        return made if len(made) > 1 else made[0]  # type: ignore[return-value]

    def input(self, name: str) -> sp.Symbol:
        """A signal given at run time: a constant, an expression of (t, q, v), or a function."""
        return self.description.input(name)

    # --- energies and forces typed by hand ---------------------------------------------------------

    def kinetic_energy(self, expression: Amount) -> None:
        """Add a kinetic energy T(q, qd, t) typed by hand."""
        self.description.kinetic_energies.append(self.description.expression(expression, "Kinetic energy"))

    def potential(self, expression: Amount) -> None:
        """Add a potential energy V(q, t)."""
        self.description.potentials.append(self.description.expression(expression, "Potential", velocities=False))

    def lagrangian(self, expression: Amount) -> None:
        """Add a Lagrangian L = T - V."""
        self.description.lagrangians.append(self.description.expression(expression, "Lagrangian"))

    def generalized_force(self, coordinate: Coordinate | Velocity | str, expression: Amount) -> None:
        """Add a non-conservative generalized force on a coordinate (or on an angular velocity of a quaternion)."""
        value = self.description.expression(expression, f"Generalized force on {coordinate}")
        if isinstance(coordinate, Velocity) and self.description.known.kinds.get(coordinate) == "velocity":
            velocity = coordinate
        else:
            velocity = self.description.own_coordinate(coordinate, "generalized_force").dot
        self.description.generalized_forces.append(GeneralizedForce(velocity, value))

    # --- bodies and particles ----------------------------------------------------------------------

    def body(
        self,
        name: str,
        *,
        mass: Amount = 0,
        inertia: Inertia = 0,
        com: Components = (0, 0, 0),
        joint: Joint | None = None,
        parent: Holder | None = None,
        at: Placement | None = None,
        shape: Appearance | None = None,
        as_is: bool = False,
    ) -> Body:
        """A rigid body on a joint; inertia (a number, three moments or 3x3) is about the centre of mass ``com``.

        ``parent`` is what carries the joint, a body or frame or its name: the world where nothing is said. An inertia
        that no body has is refused, unless it is taken ``as_is``.
        """
        with self.description.all_or_nothing():
            return self.description.body(
                name, mass=mass, inertia=inertia, com=com, joint=joint or Fixed(), parent=self._held(parent), at=at,
                shape=shape, as_is=as_is,
            )  # fmt: skip

    def particle(
        self,
        name: str,
        *,
        mass: Amount = 0,
        position: Position | None = None,
        frame: Holder | None = None,
        coordinates: Curvilinear | None = None,
    ) -> Particle:
        """A point mass, at a position vector or in curvilinear coordinates.

        A position is measured from the origin of ``frame``; without it, from that of the last frame that carries all
        the axes in which it is written: ``r*A.x`` is a place in A, ``r*A.x + h*B.z`` one in the frame that carries A
        and B. Three numbers are along the axes of the world, and ``body.point(...)`` is where it is.
        """
        with self.description.all_or_nothing():
            return self.description.particle(
                name, mass=mass, position=position, frame=self._held(frame), coordinates=coordinates
            )

    def frame(
        self, name: str, *, joint: Joint | None = None, parent: Holder | None = None, at: Placement | None = None
    ) -> Frame:
        """A massless frame carried by a joint."""
        with self.description.all_or_nothing():
            self.description.claim(name, f"frame {name!r}")
            made = self.description.frame(name, self._held(parent), joint or Fixed(), at)
        self.description.frames[name] = made
        return made

    # --- loads -------------------------------------------------------------------------------------

    def gravity(self, acceleration: Direction) -> None:
        """The acceleration of gravity, as in ``s.gravity(-g * s.world.z)`` or ``s.gravity((0, 0, -9.81))``."""
        vector = self._vector_of(acceleration, "gravity")
        for part in vector.express(self.world):
            self.description.expression(part, "Gravity", moving=False)
        self.description.gravity = vector

    @overload
    def force(self, name: str, *, on: Place | str, along: Direction, against: Where | None = None) -> sp.Symbol: ...
    @overload
    def force(self, name: str, *, on: Place | str, along: None = None, against: Where | None = None) -> Three: ...
    @overload
    def force(
        self, name: str, *, on: Place | str, along: Direction | None = None, against: Where | None = None
    ) -> sp.Symbol | Three: ...
    @overload
    def force(
        self,
        name: str,
        *,
        on: Place | str,
        along: Direction | None = None,
        against: Where | None = None,
        law: Direction | None,
    ) -> sp.Symbol | Three | None: ...
    def force(
        self,
        name: str,
        *,
        on: Place | str,
        along: Direction | None = None,
        against: Where | None = None,
        law: Direction | None = None,
    ) -> sp.Symbol | Three | None:
        """A named force on a particle, a body (at its centre of mass) or a point of a body; returns its magnitude.

        Without ``along`` it has three components along the world's axes, and three symbols are returned. The opposite
        force acts at ``against``, a point, particle or body, for an actuator between two of them. With ``law``, a
        vector of positions, velocities and time such as ``-c * bead.origin.velocity``, it acts all the time and
        nothing is returned. Bodies and particles may be given by name, and vectors by three numbers along the world's
        axes.
        """
        thing, at = self._target(on)
        return self._load(name, "force", thing, at, along, None if against is None else self._point_of(against), law)

    @overload
    def moment(self, name: str, *, on: Body | str, along: Direction, against: Holder | None = None) -> sp.Symbol: ...
    @overload
    def moment(self, name: str, *, on: Body | str, along: None = None, against: Holder | None = None) -> Three: ...
    @overload
    def moment(
        self, name: str, *, on: Body | str, along: Direction | None = None, against: Holder | None = None
    ) -> sp.Symbol | Three: ...
    @overload
    def moment(
        self,
        name: str,
        *,
        on: Body | str,
        along: Direction | None = None,
        against: Holder | None = None,
        law: Direction | None,
    ) -> sp.Symbol | Three | None: ...
    def moment(
        self,
        name: str,
        *,
        on: Body | str,
        along: Direction | None = None,
        against: Holder | None = None,
        law: Direction | None = None,
    ) -> sp.Symbol | Three | None:
        """A named moment on a body (the opposite acts on ``against``, for a motor); returns its magnitude.

        With ``law``, a vector such as ``-c * body.omega``, it acts all the time and nothing is returned.
        """
        body = self._place_of(on)
        if not isinstance(body, Body):
            raise ModelError(f"A moment acts on a body, found {on!r}.")
        other = None if against is None else self._frame_of(against).origin
        return self._load(name, "moment", body, body.origin, along, other, law)

    def _load(
        self,
        name: str,
        kind: str,
        on: Body | Particle,
        at: Point,
        given: Direction | None,
        against: Point | None,
        law: Direction | None = None,
    ) -> sp.Symbol | Three | None:
        import sympy as sp

        along = None if given is None else self._vector_of(given, f"along= of {kind} {name!r}")
        if law is not None:
            followed = self._vector_of(law, f"law= of {kind} {name!r}")
            add_law(self.description, name, kind, on, at, followed, along, against)
            return None
        for frame in (at.frame, *(along.terms if along is not None else ()), *([against.frame] if against else ())):
            self.description.own_frame(frame, f"{kind} {name!r}")
        names = [name] if along is not None else [f"{name}_{axis}" for axis in "xyz"]
        with self.description.all_or_nothing():
            for one in dict.fromkeys([name, *names]):
                self.description.claim_symbol(one, f"{kind} {name!r}")
        w = self.world
        directions = (w.x, w.y, w.z) if along is None else (along,)
        symbols = tuple(sp.Symbol(one, real=True) for one in names)
        other = None if against is None else against.frame
        self.description.add_load(Load(name, kind, on, at, symbols, directions, other, against))
        return symbols if along is None else symbols[0]

    def _held(self, thing: Holder | None) -> Frame | None:
        """The frame that carries something; None: the world."""
        return None if thing is None else self._frame_of(thing)

    def _target(self, given: Place | str) -> tuple[Body | Particle, Point]:
        on = self._place_of(given)
        if isinstance(on, Body):
            return on, on.centre
        if isinstance(on, Particle):
            return on, on.origin
        if isinstance(on, Point):
            things: list[Body | Particle] = [*self.description.bodies, *self.description.particles]
            for thing in things:
                if thing.frame is on.frame:
                    return thing, on
        raise UnknownName(f"A force acts on a particle, a body or a point of a body, found {on!r}.")

    def spring(
        self,
        first: Where | sp.Expr,
        second: Where | None = None,
        *,
        stiffness: Amount,
        length: Amount = 0,
        name: str = "",
    ) -> None:
        """A linear spring between two points, or on a coordinate (or expression) with rest value ``length``."""
        with self.description.all_or_nothing():
            label = self.description.claim(name or f"spring {len(self.description.springs) + 1}", "spring")
            ends = self._ends(first, second, label)
            constant = self.description.expression(stiffness, f"Stiffness of {label}", velocities=False)
            rest = self.description.expression(length, f"Length of {label}", velocities=False)
        self.description.springs.append(Spring(label, constant, rest, *ends))

    def damper(
        self, first: Where | sp.Expr, second: Where | None = None, *, coefficient: Amount, name: str = ""
    ) -> None:
        """A linear damper between two points, or on a coordinate (or expression)."""
        with self.description.all_or_nothing():
            label = self.description.claim(name or f"damper {len(self.description.dampers) + 1}", "damper")
            ends = self._ends(first, second, label)
            constant = self.description.expression(coefficient, f"Coefficient of {label}")
        self.description.dampers.append(Damper(label, constant, *ends))

    def strut(self, first: Where | sp.Expr, second: Where | None = None, *, law: Law | sp.Expr, name: str = "") -> None:
        """What pulls two points together by any law: ``law=lambda length, rate: k*(length - l)**3 + c*rate``.

        The law may also hold time, coordinates, parameters and inputs. On a coordinate (or expression) instead of two
        points, length and rate are its value and its rate, and it is pulled towards smaller values. What it does is in
        ``run.power``; no part of it is counted as stored energy.
        """
        with self.description.all_or_nothing():
            label = self.description.claim(name or f"strut {len(self.description.dampers) + 1}", "strut")
            made = strut(self.description, self._ends(first, second, label), law, label)
        self.description.dampers.append(made)

    def bushing(
        self,
        first: Place | str,
        second: Place | str,
        *,
        stiffness: Sequence[Amount],
        damping: Sequence[Amount] = (0, 0, 0, 0, 0, 0),
        name: str = "",
    ) -> None:
        """Six springs and dampers between two frames: three against displacement, three against turning.

        They pull the second point to the first and turn the second frame as the first is, along and about the axes of
        the first. A turn counts as 2 sin(angle / 2), so that turning by large angles about changing axes costs no
        energy that is not given back. What it does is in ``run.power``, under its name and that with ``_turning``; no
        part of it is counted as stored energy.
        """
        with self.description.all_or_nothing():
            add_bushing(self.description, self._middle(first), self._middle(second), stiffness, damping, name)

    def _middle(self, thing: Place | str) -> Point:
        """A point as it is, and the origin of a frame, body or particle."""
        place = self._place_of(thing)
        return place if isinstance(place, Point) else carrier(place).origin

    def _ends(self, first: Where | sp.Expr, second: Where | None, label: str) -> tuple[Point | sp.Expr, Point | None]:
        if second is None:
            along = self[first] if isinstance(first, str) else first
            return self.description.expression(along, label, velocities=False), None
        return self._point_of(first), self._point_of(second)
