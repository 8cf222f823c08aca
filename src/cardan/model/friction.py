"""Dry friction where the pressing force is known: a given load, a multiplier, or what a joint transmits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import sympy as sp

from cardan.errors import ModelError
from cardan.model.bodies import Body
from cardan.model.constraints import VelocityConstraint
from cardan.model.given import Amount
from cardan.model.loads import GeneralizedForce

if TYPE_CHECKING:
    from cardan.model.description import Description

Pressing: TypeAlias = "Amount | str | Sequence[str] | Body"  # a load, names of constraints, or what a joint carries
LAWS = ("tanh", "sqrt", "exact")
GIVEN = "given"  # a pressing force that laws of the user's own make use of


@dataclass(frozen=True, eq=False)
class Friction:
    """A force mu(s) N against the sliding velocity s; N is given, or found with the accelerations.

    ``law`` "tanh" and "sqrt" are smooth, "exact" sticks: then ``direction`` (+1, -1 or 0) and ``sticks`` (1 or 0) are
    signals that the simulator sets, and a constraint of the same name holds s = 0 while it sticks. ``pressing`` is the
    signal of N where N has to be solved for, or where the law is exact.
    """

    name: str
    sliding: sp.Expr  # s, affine in the velocities
    coefficient: sp.Expr  # of sliding, times the radius
    static: sp.Expr  # of sticking, times the radius
    law: str
    normal: sp.Expr | None = None  # N as an expression
    rows: tuple[str, ...] = ()  # constraints whose multipliers press
    body: Body | None = None  # the joint that carries it presses
    pressing: sp.Symbol | None = None
    direction: sp.Symbol | None = None
    sticks: sp.Symbol | None = None
    width: sp.Expr | None = None  # of a smooth law: the velocity within which it turns over
    given: tuple[tuple[str, sp.Expr], ...] = ()  # the amounts as they were stated, by name

    @property
    def is_exact(self) -> bool:
        return self.law == "exact"

    @property
    def signals(self) -> tuple[sp.Symbol, ...]:
        """Symbols that the simulator sets, without the pressing force."""
        return (self.direction, self.sticks) if self.is_exact else ()

    @property
    def is_solved(self) -> bool:
        """Whether the simulator has to do anything about it, beyond evaluating a force."""
        return self.pressing is not None

    @property
    def is_coupled(self) -> bool:
        """Whether the pressing force depends on the accelerations, and so on the friction."""
        return self.normal is None


def describe_pressing(description: Description, name: str, by: str | Sequence[str]) -> sp.Symbol:
    """The symbol of a pressing force: the length of the multipliers of constraints."""
    rows = (by,) if isinstance(by, str) else tuple(by) if isinstance(by, Sequence) else ()
    if not rows or not all(isinstance(one, str) for one in rows):
        raise ModelError(f"Pressing force {name!r}: by= needs names of constraints, found {by!r}.", name=name)
    symbol = sp.Symbol(description.claim_symbol(name, f"pressing force {name!r}"), real=True)
    none = sp.Integer(0)
    description.frictions.append(Friction(name, none, none, none, GIVEN, rows=rows, pressing=symbol))
    description.known.add([symbol], "signal")
    return symbol


def shape_of(law: str, s: sp.Expr, width: sp.Expr | None, direction: sp.Symbol | None) -> sp.Expr:
    """What the law makes of the sign of s; an exact law has no width, and a signal says it."""
    if width is None:
        return direction
    if law == "sqrt":
        return s / sp.sqrt(s**2 + width**2)
    return sp.tanh(s / width, evaluate=not s.is_Symbol)  # nothing to find out about a velocity, which takes long


def describe_friction(
    description: Description, on: sp.Expr, *, coefficient: Amount, normal: Pressing | None, radius: Amount,
    static: Amount | None, stribeck: Amount | None, viscous: Amount, law: str, width: Amount | None, name: str,
) -> Friction:  # fmt: skip
    """The friction as a record, its generalized forces and (where it may stick) its constraint; added to the rest."""
    label = description.claim(name or f"friction{len(description.frictions) + 1}", "friction")
    owner = f"Friction {label!r}"
    _check_law(law, width, label)
    s = _sliding(description, on, owner)
    mu, held, r = _amounts(description, label, coefficient, coefficient if static is None else static, radius)
    given, rows, body = _normal(description, normal, owner)
    pressing = (
        sp.Symbol(description.claim(f"{label}_pressing", owner), real=True) if law == "exact" or given is None else None
    )
    direction = sticks = None
    if law == "exact":
        direction, sticks = (
            sp.Symbol(description.claim(f"{label}_{x}", owner), real=True) for x in ("direction", "sticks")
        )
    now = mu
    if stribeck is not None:
        edge = description.expression(stribeck, f"{owner} stribeck", moving=False)
        now = mu + (held - mu) * sp.exp(-((s / edge) ** 2))
    stated = {
        "coefficient": mu,
        "static": static,
        "radius": r,
        "stribeck": stribeck,
        "viscous": viscous,
        "width": width,
    }
    amounts = tuple((key, sp.sympify(value)) for key, value in stated.items() if value is not None)
    speed = None if width is None else description.expression(width, f"{owner} width", moving=False)
    load = pressing if pressing is not None else sp.Abs(given)
    strength, damping = r * now * load, description.expression(viscous, f"{owner} viscous", velocities=False)
    against = -strength * shape_of(law, s, speed, direction)
    if damping != 0:
        against -= damping * s
    record = Friction(
        label, s, r * now, r * held, law, given, rows, body, pressing, direction, sticks, speed, amounts
    )  # fmt: skip
    for velocity in sorted(description.known.among(s, "velocity"), key=str):
        along = against if s == velocity else against * s.diff(velocity)
        description.generalized_forces.append(GeneralizedForce(velocity, along, label))
    if law == "exact":
        description.constraints.append(VelocityConstraint(label, sticks * s))
    description.frictions.append(record)
    return record


def _check_law(law: str, width: Amount | None, label: str) -> None:
    if law not in LAWS:
        raise ModelError(f"Friction {label!r}: the law {law!r} is unknown. Use one of {', '.join(LAWS)}.", name=label)
    if (law == "exact") != (width is None):
        raise ModelError(
            f"Friction {label!r}: the smooth laws 'tanh' and 'sqrt' need width=, the velocity within which they turn "
            "over; the exact law has none.",
            name=label,
        )


def _amounts(description: Description, label: str, *given: Amount) -> tuple[sp.Expr, ...]:
    """Coefficient, static coefficient and radius as expressions; negative numbers are refused."""
    found = list[sp.Expr]()
    for value, what in zip(given, ("coefficient", "static coefficient", "radius"), strict=True):
        amount = description.expression(value, f"Friction {label!r} {what}", velocities=False, moving=True)
        if not amount.free_symbols - set(description.values) and not description.number(amount) >= 0:
            raise ModelError(f"Friction {label!r}: the {what} is {amount}; give a number of 0 or more.", name=label)
        found.append(amount)
    return tuple(found)


def _sliding(description: Description, on: sp.Expr, owner: str) -> sp.Expr:
    """The sliding velocity: that of a coordinate, or an expression affine in the velocities."""
    known = description.known
    s = (
        on.dot
        if known.kinds.get(on) == "configuration" and hasattr(on, "dot")
        else description.expression(on, f"{owner} on")
    )
    velocities = known.among(s, "velocity")
    if not velocities or (s not in velocities and any(known.among(s.diff(v), "velocity") for v in velocities)):
        raise ModelError(
            f"{owner} acts against {s}, which is no sliding velocity. Give a coordinate, or an expression affine in "
            "the velocities, such as x.dot - u.",
        )
    return s


def _normal(
    description: Description, normal: Pressing | None, owner: str
) -> tuple[sp.Expr | None, tuple[str, ...], Body | None]:
    """(expression, (), None), (None, names of constraints, None) or (None, (), body)."""
    if isinstance(normal, Body):
        description.own_frame(normal, owner)
        return None, (), normal
    names = (normal,) if isinstance(normal, str) else tuple(normal) if isinstance(normal, Sequence) else ()
    if names:
        return None, names, None
    if normal is None:
        raise ModelError(
            f"{owner} needs to know what presses: normal= an expression (the load), the name of a constraint (its "
            "multiplier), or a body (the force its joint transmits)."
        )
    return description.expression(normal, f"{owner} normal"), (), None
