"""The description while it is being written: adds one thing at a time and checks it at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import sympy as sp

from cardan.errors import DuplicateName, FrameMismatch, ModelError, UnknownName, suggestion
from cardan.geometry.inertia import check_inertia, check_mass
from cardan.model.appearances import Appearance, checked_shape
from cardan.model.bodies import Body, Particle
from cardan.model.constraints import Constraint
from cardan.model.curvilinear import Curvilinear
from cardan.model.domains import Domain, domain
from cardan.model.drawings import Drawing
from cardan.model.frames import Frame, Vector
from cardan.model.friction import GIVEN, Friction
from cardan.model.given import Amount, Carrier, Components, Inertia, Placement, Position
from cardan.model.joint import Joint
from cardan.model.known import Kind, KnownSymbols
from cardan.model.limits import add_limits
from cardan.model.loads import Damper, GeneralizedForce, Load, Spring
from cardan.model.model import Model
from cardan.model.motions import Matrix3, Motion, Place, Slide, Spin, Triple, is_tilted, triple
from cardan.model.names import names_beside, names_of_quaternion, symbol_name
from cardan.model.placements import base_of, components_of, inertia_matrix, placement_of
from cardan.model.stops import AnyStop
from cardan.model.symbols import TIME, Coordinate
from cardan.model.unknowns import refuse_functions, refuse_unknown, require_unit_length, value_of
from cardan.model.variables import CoordinateVariable, QuaternionVariable, Variable

if TYPE_CHECKING:
    from cardan.model.laws import Bushing


class Description:
    """Collects what a user says about a system; ``freeze()`` gives the Model."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.replacements = 0
        self.time = TIME
        self.world = Frame("world", None)
        self.names: dict[str, str] = {"t": "the time", "world": "the world frame"}
        self.variables: list[Variable] = []
        self.prescribed: dict[Coordinate, sp.Expr] = {}
        self.values: dict[sp.Symbol, float] = {}
        self.inputs: list[sp.Symbol] = []
        self.bodies: list[Body] = []
        self.particles: list[Particle] = []
        self.frames: dict[str, Frame] = {}  # massless ones that have a name of their own
        self.mounts: dict[str, Joint] = {}  # what carries each frame and body, by its name
        self.gravity: Vector | None = None
        self.kinetic_energies: list[sp.Expr] = []
        self.potentials: list[sp.Expr] = []
        self.lagrangians: list[sp.Expr] = []
        self.loads: list[Load] = []
        self.generalized_forces: list[GeneralizedForce] = []
        self.springs: list[Spring] = []
        self.dampers: list[Damper] = []
        self.speeds: dict[sp.Symbol, sp.Expr] = {}  # of one's own, by what they mean
        self.bushings: list[Bushing] = []  # as they were stated; what they do is among the loads
        self.constraints: list[Constraint] = []
        self.frictions: list[Friction] = []
        self.stops: list[AnyStop] = []
        self.drawings: list[Drawing] = []
        self.regular: dict[Frame, tuple[Motion, ...]] = {}  # motions put in place of a frame's own
        self.known = KnownSymbols()
        self.known.add([self.time], "signal")

    # --- names and expressions ---------------------------------------------------------------------

    def claim(self, name: str, what: str) -> str:
        """Reserve a name, or say who has it already."""
        if not isinstance(name, str) or not name:
            raise ModelError(f"{what} needs a non-empty name, found {name!r}.", name=name)
        if name in self.names:
            raise DuplicateName(
                f"The name {name!r} is already used by {self.names[name]}; give {what} another.", name=name
            )
        self.names[name] = what
        return name

    def claim_symbol(self, name: str, what: str, beside: tuple[str, ...] = ()) -> str:
        """Reserve the name of a symbol that stands in expressions, and of those that come with it."""
        self.claim(symbol_name(name, what), what)
        for one in beside:
            self.claim(one, f"a symbol of {what}")
        return name

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """What a refused call had claimed is given back, so that it can be corrected and said again."""
        lists = (self.variables, self.bodies, self.particles, self.springs, self.dampers, self.loads)
        sizes = [(one, len(one)) for one in (self.names, self.values, *lists)]
        try:
            yield
        except Exception:
            for one, size in sizes:
                _shorten(one, size)
            self.list_symbols()
            raise

    def expression(self, value: Amount, where: str, *, velocities: bool = True, moving: bool = True) -> sp.Expr:
        """The value as a SymPy expression of known symbols; ``moving=False`` allows parameters only."""
        try:
            result = sp.sympify(value, strict=True)
        except (sp.SympifyError, TypeError) as problem:
            raise ModelError(f"{where}: {value!r} is not an expression.", value=value) from problem
        if isinstance(result, (sp.Float, sp.Rational)):
            return result
        result = result.xreplace(self.speeds) if self.speeds else result
        if not isinstance(result, sp.Expr):
            raise ModelError(f"{where}: {value!r} is not an expression.", value=value)
        if result not in self.known.kinds:
            refuse_functions(result, value, where)
        refuse_unknown(result, self.known, self._kinds(velocities=velocities, moving=moving), where)
        return result

    def _kinds(self, *, velocities: bool, moving: bool) -> tuple[Kind, ...]:
        """Kinds of symbols that an expression may hold."""
        if not moving:
            return ("constant",)
        return ("constant", "signal", "configuration", *(("velocity",) if velocities else ()))

    def list_symbols(self) -> None:
        """List the known symbols again, after something was taken back."""
        presses = (one.pressing for one in self.frictions if one.law == GIVEN)
        signals = (self.time, *self.inputs, *(symbol for load in self.loads for symbol in load.symbols), *presses)
        self.known.restart(self.values, signals, self.variables)

    # --- variables ---------------------------------------------------------------------------------

    def coordinate(self, name: str, on: Domain | str | Sequence[float], scale: float | None) -> Coordinate:
        chart = domain(on, name)
        size = None if scale is None else finite(scale, f"Scale of coordinate {name!r}")
        if size is not None and size <= 0:
            raise ModelError(f"Scale of coordinate {name!r} is {size:g}; give a positive typical size.", value=size)
        symbol = Coordinate(self.claim_symbol(name, f"coordinate {name!r}", names_beside(name)))
        self._add_variable(CoordinateVariable(symbol, chart, size))
        return symbol

    def _add_variable(self, variable: Variable) -> None:
        self.variables.append(variable)
        self.known.add_variable(variable)

    def add_load(self, load: Load) -> None:
        """A load whose magnitudes may stand in expressions from now on."""
        self.loads.append(load)
        self.known.add(load.symbols, "signal")

    def parameter(self, name: str, value: float) -> sp.Symbol:
        number = finite(value, f"Parameter {name!r}")
        symbol = sp.Symbol(self.claim_symbol(name, f"parameter {name!r}"), real=True)
        self.values[symbol] = number
        self.known.add([symbol], "constant")
        return symbol

    def input(self, name: str) -> sp.Symbol:
        symbol = sp.Symbol(self.claim_symbol(name, f"input {name!r}"), real=True)
        self.inputs.append(symbol)
        self.known.add([symbol], "signal")
        return symbol

    def prescribe(self, coordinate: Coordinate | str, motion: Amount) -> None:
        symbol = self.own_coordinate(coordinate, "prescribe")
        if symbol in self.prescribed:
            raise DuplicateName(
                f"Coordinate {symbol} is prescribed already: {self.prescribed[symbol]}.", name=str(symbol)
            )
        value = self.expression(motion, f"Motion prescribed for {symbol}", velocities=False)
        moving = sorted(str(one) for one in value.free_symbols - {self.time} - set(self.values))
        if moving:
            raise ModelError(
                f"Motion prescribed for {symbol} depends on {', '.join(moving)}; only time and parameters may appear. "
                "Use constrain(...) for a relation between coordinates.",
                names=moving,
            )
        self.prescribed[symbol] = value

    def own_coordinate(self, coordinate: Coordinate | str, where: str) -> Coordinate:
        found = self.known.coordinates.get(str(coordinate))
        if found is not None and coordinate in (found, found.name):
            return found
        names = [one.name for one in self.variables]
        near = suggestion(coordinate, names)
        raise UnknownName(
            f"{where}: {coordinate} is no coordinate of {self.name!r}.{near} Known: {', '.join(names)}.",
            name=str(coordinate),
        )

    # --- bodies and particles ----------------------------------------------------------------------

    def frame(self, name: str, parent: Carrier | None, joint: Joint, at: Placement | None) -> Frame:
        owner = f"Frame {name!r}"
        base = self.own_frame(parent or self.world, owner)
        place = placement_of(self, at, base, owner)
        for constant in joint.constants:
            self.expression(constant, owner, moving=False)
        made = Frame(name, base, place + self._motions(joint.motions(owner), owner))
        add_limits(self, joint, name, base, made, place[0].rotation if place else None)
        self.mounts[name] = joint
        return made

    def own_frame(self, thing: Carrier, owner: str) -> Frame:
        """The frame of a body, particle or frame of this system."""
        frame = carrier(thing)
        if frame.root is not self.world:
            raise FrameMismatch(
                f"{owner}: {frame.name!r} belongs to another system. Build both in one System.", name=frame.name
            )
        return frame

    def body(
        self,
        name: str,
        *,
        mass: Amount,
        inertia: Inertia,
        com: Components,
        joint: Joint,
        parent: Carrier | None,
        at: Placement | None,
        shape: Appearance | None,
        as_is: bool = False,
    ) -> Body:
        owner = f"Body {name!r}"
        self.claim(name, f"body {name!r}")
        if not isinstance(joint, Joint):
            raise ModelError(f"{owner}: {joint!r} is no joint. Use cd.Revolute, cd.Free, ... or cd.Fixed().", name=name)
        mass = self.expression(mass, f"{owner} mass", moving=False)
        matrix = inertia_matrix(self, inertia, owner)
        self._check_body(name, mass, matrix, as_is)
        place = triple(com, f"{owner} com")
        centre = tuple(self.expression(part, f"{owner} com", moving=False) for part in place)
        shape = checked_shape(shape, self, owner)
        frame = self.frame(name, parent, joint, at)
        body = Body(name, frame, mass, matrix, centre, frame.parent or self.world, joint, shape, as_is)
        self.bodies.append(body)
        return body

    def particle(
        self,
        name: str,
        *,
        mass: Amount,
        position: Position | None,
        frame: Carrier | None,
        coordinates: Curvilinear | None,
    ) -> Particle:
        owner = f"Particle {name!r}"
        self.claim(name, f"particle {name!r}")
        mass = self.expression(mass, f"{owner} mass", moving=False)
        check_mass(self.number(mass), name)
        if (position is None) == (coordinates is None):
            raise ModelError(
                f"{owner} needs either position= (a vector) or coordinates= (such as cd.PolarCylindrical)."
            )
        base = self.own_frame(frame if frame is not None else base_of(position, self.world), owner)
        if coordinates is not None:
            motions = self._motions(coordinates.motions(owner), owner)
        else:
            parts = components_of(position, base, f"{owner} position")
            motions = self._motions(
                tuple(Slide(axis, part) for axis, part in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), parts, strict=True)),
                owner,
            )
        particle = Particle(name, Frame(name, base, motions), mass, coordinates)
        self.particles.append(particle)
        return particle

    def _motions(self, motions: tuple[Motion, ...], owner: str) -> tuple[Motion, ...]:
        """Motions with checked expressions; a new quaternion becomes a variable of the system."""
        checked: list[Motion] = []
        for motion in motions:
            if isinstance(motion, Spin):
                self.claim_symbol(motion.name, f"quaternion {motion.name!r}", names_of_quaternion(motion.name))
                self._add_variable(QuaternionVariable(motion.name))
                checked.append(motion)
            elif isinstance(motion, Place):
                checked.append(motion)
            else:
                amount = motion.distance if isinstance(motion, Slide) else motion.angle
                if is_tilted(motion.axis):
                    self._check_tilted(motion.axis, owner)
                checked.append(type(motion)(motion.axis, self.expression(amount, owner, velocities=False)))
        return tuple(checked)

    def _check_tilted(self, axis: Triple, owner: str) -> None:
        """Refuse an axis of parameters that is not of length one, now or with other values of them."""
        parts = [self.expression(part, f"{owner} axis", moving=False) for part in axis]
        require_unit_length(axis, parts, self.values, owner)

    def number(self, expression: sp.Expr) -> float:
        """The value of an expression of parameters; ModelError where it is no real number."""
        return value_of(expression, self.values)

    def _check_body(self, name: str, mass: sp.Expr, inertia: Matrix3, as_is: bool) -> None:
        check_mass(self.number(mass), name)
        if not as_is:
            check_inertia([[self.number(part) for part in row] for row in inertia], name)

    def check_masses(self) -> None:
        """Raise ImpossibleInertia where the present values of parameters give a mass or inertia no body can have."""
        for body in self.bodies:
            self._check_body(body.name, body.mass, body.inertia, body.as_is)
        for particle in self.particles:
            check_mass(self.number(particle.mass), particle.name)
        for stop in self.stops:
            self.check_coefficients(stop.name, stop.restitution, stop.friction)

    def check_coefficients(self, name: str, restitution: sp.Expr, friction: sp.Expr) -> None:
        """Raise ModelError unless 0 <= e <= 1 and mu >= 0 with the present values of parameters."""
        e, mu = self.number(restitution), self.number(friction)
        if not 0 <= e <= 1:
            raise ModelError(
                f"Stop {name!r} has restitution {e:g}, expected a number from 0 (no rebound) to 1 (elastic): more "
                "would create energy at every impact.",
                name=name,
                restitution=e,
            )
        if not mu >= 0:
            raise ModelError(f"Stop {name!r} has friction {mu:g}; give a coefficient of 0 or more.", name=name)

    def revision(self) -> tuple[int, ...]:
        """A stamp that changes whenever something is added or replaced; parameter values do not count."""
        collections = [x for x in vars(self).values() if isinstance(x, (list, dict))]
        return (*(len(x) for x in collections), id(self.gravity), self.replacements)

    def touch(self) -> None:
        """Say that something was replaced."""
        self.replacements += 1

    def copy(self) -> Description:
        """An independent description with the same content."""
        other = Description(self.name)
        for name, content in vars(self).items():
            setattr(other, name, content.copy() if isinstance(content, (list, dict, KnownSymbols)) else content)
        return other

    # --- the result --------------------------------------------------------------------------------

    def freeze(self) -> Model:
        """The finished Model."""
        return Model(
            name=self.name,
            world=self.world,
            time=self.time,
            variables=tuple(self.variables),
            prescribed=dict(self.prescribed),
            parameters=tuple(self.values),
            values=dict(self.values),
            inputs=tuple(self.inputs),
            bodies=tuple(self.bodies),
            particles=tuple(self.particles),
            gravity=self.gravity,
            kinetic_energies=tuple(self.kinetic_energies),
            potentials=tuple(self.potentials),
            lagrangians=tuple(self.lagrangians),
            loads=tuple(self.loads),
            generalized_forces=tuple(self.generalized_forces),
            springs=tuple(self.springs),
            dampers=tuple(self.dampers),
            constraints=tuple(self.constraints),
            frictions=tuple(self.frictions),
            stops=tuple(self.stops),
            regular=dict(self.regular),
            drawings=tuple(self.drawings),
            speeds=dict(self.speeds),
        )


def _shorten(table: Any, length: int) -> None:
    """Take out of a list or dictionary what was added last."""
    while len(table) > length:
        table.popitem() if isinstance(table, dict) else table.pop()


def carrier(thing: object) -> Frame:
    """The frame of a body, particle or frame."""
    frame = thing if isinstance(thing, Frame) else getattr(thing, "frame", None)
    if not isinstance(frame, Frame):
        raise ModelError(f"{thing!r} is neither a frame nor a body. Pass a body, a particle, s.world or a frame.")
    return frame


def finite(value: Amount, what: str) -> float:
    """The value as a finite float, or a ModelError naming it."""
    try:
        number = float(value)
    except (TypeError, ValueError) as problem:
        raise ModelError(f"{what}: {value!r} is not a number.", value=value) from problem
    if number != number or number in (float("inf"), float("-inf")):
        raise ModelError(f"{what} is {number}; give a finite number.", value=number)
    return number
