"""What a user can say about constraints: every method is one call into the model room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec

import sympy as sp

from cardan.api.flexing import Flexing
from cardan.equations.integrability import ConstraintsReport, report_constraints
from cardan.equations.symbolic import SymbolicEquations
from cardan.errors import ModelError
from cardan.model.bodies import Body, Particle
from cardan.model.constraint_checks import check_constraint
from cardan.model.constraints import (
    Connection,
    Constraint,
    Distance,
    Holonomic,
    NoSlip,
    NoSpin,
    Rolling,
    RollingOver,
    VelocityConstraint,
)
from cardan.model.elimination import eliminate
from cardan.model.frames import Frame, Point, Vector
from cardan.model.friction import Pressing, describe_friction, describe_pressing
from cardan.model.given import Amount, Direction, Holder, Position, Where
from cardan.model.joint import Joint, fields_of
from cardan.model.limits import add_limits
from cardan.model.motions import Axis, is_tilted, unit_axis
from cardan.model.placements import components_of
from cardan.model.shapes import Disc, Ellipsoid, Plane, Shape, Sphere
from cardan.model.stops import Touching
from cardan.model.surfaces import RoundSurface
from cardan.model.symbols import Coordinate

Given = ParamSpec("Given")


def difference(statement: Amount | sp.Eq) -> sp.Expr:
    """What vanishes where an equation holds; other statements as they are."""
    return statement.lhs - statement.rhs if isinstance(statement, sp.Equality) else statement


def all_or_nothing(method: Callable[Given, None]) -> Callable[Given, None]:
    """A method whose refusal gives back the name that it had claimed."""

    @wraps(method)
    def stated(*args: Given.args, **kwargs: Given.kwargs) -> None:
        system: Any = args[0]
        with system.description.all_or_nothing():
            method(*args, **kwargs)

    return stated


class Constraining(Flexing):
    """Prescribed motions, holonomic and velocity constraints, connections, rolling."""

    def prescribe(self, coordinate: Coordinate, motion: Amount) -> None:
        """q = f(t): takes q from the free coordinates; what drives it is its multiplier mu."""
        self.description.prescribe(coordinate, motion)

    @all_or_nothing
    def constrain(self, expression: Amount | sp.Eq, name: str = "") -> None:
        """phi(q, t) = 0, given as phi or as an equation ``sympy.Eq(a, b)``."""
        label = self._label(name)
        value = self.description.expression(difference(expression), f"Constraint {label!r}")
        self._add(Holonomic(label, value))

    @all_or_nothing
    def constrain_velocity(self, expression: Amount | sp.Eq, name: str = "") -> None:
        """An expression affine in the velocities, A v + b0 = 0, or an equation ``sympy.Eq(a, b)`` of such."""
        label = self._label(name)
        value = self.description.expression(difference(expression), f"Constraint {label!r}")
        velocities = self.description.known.among(value, "velocity")
        for velocity in velocities:
            rest = (value.diff(velocity).free_symbols) & velocities
            if rest and any(value.diff(velocity, other).simplify() != 0 for other in rest):
                raise ModelError(
                    f"Constraint {label!r} is not linear in the velocities: {velocity} and "
                    f"{', '.join(sorted(str(one) for one in rest))} multiply. Ideal constraints are "
                    "A(q, t) v + b0(q, t) = 0; write it in that form, or use a force law instead.",
                    name=label,
                )
        if not velocities:
            raise ModelError(
                f"Constraint {label!r} contains no velocity. Use constrain(...) for phi(q, t) = 0.", name=label
            )
        self._add(VelocityConstraint(label, value))

    @all_or_nothing
    def connect(
        self, first: Where, second: Where, joint: Joint, *, second_axis: Axis | None = None, name: str = ""
    ) -> None:
        """Join two points of bodies as by ``joint`` (without coordinates): closes a loop; its limits are stops.

        The axis of the joint is fixed in the first frame; give ``second_axis`` where it differs in the second. The
        axes of a universal joint keep the angle they have in ``joint``; its other axis is the one in the second frame.
        """
        label = self._label(name)
        if not isinstance(joint, Joint):
            raise ModelError(f"Connection {label!r}: {joint!r} is no joint. Use cd.Ball(), ...", name=label)
        axis = None if second_axis is None else unit_axis(second_axis, f"Connection {label!r}")
        given = [getattr(joint, one) for one, holds in fields_of(type(joint)).items() if holds == "axis"]
        if any(is_tilted(one) for one in (*given, axis) if one is not None):
            raise ModelError(
                f"Connection {label!r}: an axis that depends on parameters cannot close a loop. Connect a tilted "
                "frame: s.frame(name, parent=body, at=(position, rotation)).",
                name=label,
            )
        connection = Connection(label, self._point_of(first), self._point_of(second), joint, axis)
        check_constraint(self.description, connection)
        add_limits(self.description, joint, label, connection.first.frame, connection.second.frame)
        self.description.constraints.append(connection)

    @all_or_nothing
    def distance(self, first: Where, second: Where, length: Amount, name: str = "") -> None:
        """A massless rod between two points; its multiplier is the force in it, positive when it pushes."""
        label = self._label(name)
        value = self.description.expression(length, f"Length of {label!r}", velocities=False)
        if value.is_number and not value > 0:
            raise ModelError(
                f"Length of {label!r} is {value}; give a positive length. Points that coincide are a connection: "
                "s.connect(first, second, cd.Ball()).",
                name=label,
            )
        self._add(Distance(label, self._point_of(first), self._point_of(second), value))

    @all_or_nothing
    def no_slip(
        self,
        *,
        on: Holder,
        along: Direction,
        point: Where | None = None,
        relative_to: Holder | None = None,
        name: str = "",
    ) -> None:
        """The material point of ``on`` that is at ``point`` does not move along ``along`` (relative to a frame)."""
        label = self._label(name)
        place = self._point_of(on if point is None else point)
        self._add(
            NoSlip(label, self._frame_of(on), place, self._direction(along, label), self._frame_or_world(relative_to))
        )

    @all_or_nothing
    def no_spin(self, *, on: Holder, about: Direction, relative_to: Holder | None = None, name: str = "") -> None:
        """``on`` does not turn about ``about`` (relative to a frame)."""
        label = self._label(name)
        if isinstance(self._place_of(on), Particle):
            raise ModelError(f"Constraint {label!r}: {on!r} is a point, which does not turn. Name a body.", name=label)
        self._add(NoSpin(label, self._frame_of(on), self._direction(about, label), self._frame_or_world(relative_to)))

    @all_or_nothing
    def roll(
        self,
        body: Body | str,
        *,
        on: Holder | Plane | RoundSurface,
        shape: Shape | None = None,
        at: Position = (0, 0, 0),
        spins: bool = True,
        name: str = "",
    ) -> None:
        """The body rolls without slipping on a plane: s.world (z = 0), a body's plane z = 0, or a ``cd.Plane``.

        A ball also rolls on a ``cd.CylinderSurface``, ``cd.SphereSurface`` or ``cd.ConeSurface``, outside or inside.
        ``shape`` may be left out where the body has one. Its centre is ``at`` a place in the body's frame: the origin
        of that frame where nothing else is said, wherever the centre of mass is. With ``spins=False`` it does not turn
        about the normal either.
        """
        label = self._label(name)
        rolled = self._place_of(body)
        if not isinstance(rolled, Body):
            raise ModelError(f"Rolling {label!r}: {body!r} is no body. A point cannot roll; use s.no_slip.", name=label)
        rolling = rolled.shape if shape is None else shape
        if not isinstance(rolling, (Sphere, Disc, Ellipsoid)):
            raise ModelError(f"Rolling {label!r}: {rolling!r} is no shape. Use cd.Sphere, cd.Disc or cd.Ellipsoid.")
        for amount in rolling.amounts:
            size = self.description.expression(amount, f"Shape of {label!r}", moving=False)
            if size.is_number and not size > 0:
                raise ModelError(f"Shape of {label!r}: {size} is no length; give a positive one.", name=label)
        place = components_of(at, rolled.frame, f"Rolling {label!r} at")
        centre = tuple(self.description.expression(x, f"Rolling {label!r} at", moving=False) for x in place)
        touching = Touching(rolled.frame, Point(rolled.frame, centre))
        if isinstance(on, RoundSurface):
            if not isinstance(rolling, Sphere):
                raise ModelError(f"Rolling {label!r}: only a ball, cd.Sphere, rolls on a round surface.", name=label)
            for amount in on.amounts:
                self.description.expression(amount, f"Surface of {label!r}", moving=False)
            self._add(RollingOver(label, touching, rolling, self._frame_of(on.of), on, spins))
            return
        plane = on if isinstance(on, Plane) else Plane(on)
        height = self.description.expression(plane.height, f"Height of {label!r}", velocities=False)
        normal = unit_axis(plane.normal, f"Normal of {label!r}")
        self._add(Rolling(label, touching, rolling, self._frame_of(plane.of), normal, height, spins))

    # --- integrability -----------------------------------------------------------------------------

    @property
    def constraints(self) -> ConstraintsReport:
        """Every constraint row: holonomic or not, integrable or not (by itself and as a set), its holonomic form.

        What is not decided within 10 s is named in it; ``s.constraints(budget=60)`` looks longer.
        """
        return report_constraints(SymbolicEquations(self.model))

    def make_holonomic(self, name: str, constant: Amount) -> None:
        """Replace an integrable velocity constraint by phi(q, t) = constant, the form that ``constraints`` found.

        A quotient N / D = constant becomes N - constant D = 0, which holds also where D vanishes.
        """
        report = self.constraints[name]
        if report.holonomic is None or report.kind == "holonomic":
            raise ModelError(f"Constraint {name!r} has no holonomic form to replace it: {report}.", name=name)
        value = self.description.expression(constant, f"Constant of {name!r}", moving=False)
        rows, whole = self.description.constraints, sp.fraction(sp.together(report.holonomic - value))
        phi = report.holonomic - value if whole[1].is_number else sp.expand(whole[0])
        self.description.constraints = [Holonomic(name, phi) if one.name == name else one for one in rows]
        self.description.touch()

    def eliminate(self, name: str) -> None:
        """Solve a holonomic constraint for a coordinate and put it in everywhere; constraint and coordinate are gone.

        ``s.constraints[name].solved`` shows what will be put in. For an integrable velocity constraint, call
        ``make_holonomic`` first.
        """
        report = self.constraints[name]
        if report.kind != "holonomic" or report.solved is None:
            raise ModelError(
                f"Constraint {name!r} gives no coordinate uniquely: {report}. Keep it as a constraint, or state it as "
                "q - f(others) with a constant slope in q.",
                name=name,
            )
        coordinate, expression = report.solved
        eliminate(self.description, coordinate, expression, name)

    def friction(
        self,
        on: Amount,
        *,
        coefficient: Amount,
        normal: Pressing,
        radius: Amount = 1,
        static: Amount | None = None,
        stribeck: Amount | None = None,
        viscous: Amount = 0,
        law: str = "exact",
        width: Amount | None = None,
        name: str = "",
    ) -> None:
        """Dry friction, coefficient * radius * N against the sliding velocity of ``on``, and viscous * velocity.

        ``on`` is a coordinate or an expression affine in the velocities. N is ``normal``: an expression, the name of a
        constraint (or several: the length of their multipliers), or a body (the force across the axis of the joint
        that carries it; ``radius`` is then that of the pin). ``static`` is the coefficient of sticking, and with
        ``stribeck`` the coefficient falls from it to ``coefficient`` over that velocity. The law "exact" sticks and
        slips; "tanh" and "sqrt" are smooth, with their turn-over velocity ``width``.
        """
        with self.description.all_or_nothing():
            describe_friction(
                self.description, on, coefficient=coefficient, normal=normal, radius=radius, static=static,
                stribeck=stribeck, viscous=viscous, law=law, width=width, name=name,
            )  # fmt: skip

    def pressing_force(self, name: str, *, by: str | Sequence[str]) -> sp.Symbol:
        """What constraints press with, as a symbol for laws of one's own: creep, tyres, belts, rolling resistance.

        ``by`` names a constraint (or rows of it, up to three: the length of their multipliers). Generalized forces,
        and forces and moments with ``law=``, may depend on it in any way; it is found together with the accelerations.
        """
        with self.description.all_or_nothing():
            return describe_pressing(self.description, name, by)

    # --- helpers -----------------------------------------------------------------------------------

    def _label(self, name: str) -> str:
        numbers = range(len(self.description.constraints) + 1, len(self.description.names) + 2)
        free = (f"constraint{k}" for k in numbers if f"constraint{k}" not in self.description.names)
        label = name or next(free)
        return self.description.claim(label, f"constraint {label!r}")

    def _add(self, constraint: Constraint) -> None:
        check_constraint(self.description, constraint)
        self.description.constraints.append(constraint)

    def _direction(self, given: Direction, label: str) -> Vector:
        return self._vector_of(given, f"The direction of constraint {label!r}")

    def _frame_or_world(self, thing: Holder | None) -> Frame | None:
        frame = None if thing is None else self._frame_of(thing)
        return None if frame is None or frame.parent is None else frame
