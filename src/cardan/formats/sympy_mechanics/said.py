"""What an object of SymPy's mechanics module says, over plain symbols for its functions of time and their rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sp
from sympy.physics.mechanics import Point, ReferenceFrame, Vector, dynamicsymbols

from cardan.errors import DerivationError


@dataclass(frozen=True)
class Letters:
    """Plain symbols q and qd for the functions of time ``functions``, with what else is to be written out."""

    functions: tuple[sp.Expr, ...]
    q: tuple[sp.Symbol, ...]
    qd: tuple[sp.Symbol, ...]
    speeds: Mapping[sp.Expr, sp.Expr] = field(default_factory=dict)  # of other speeds u(t), over q and qd

    @classmethod
    def of(cls, functions: Sequence[sp.Expr]) -> Letters:
        q = tuple(sp.Dummy(str(one.func), real=True) for one in functions)
        return cls(tuple(functions), q, tuple(sp.Dummy(f"{one.func}_dot", real=True) for one in functions))

    def plain(self, expression: sp.Expr) -> sp.Expr:
        """An expression over q and qd; rates are replaced before what they are rates of."""
        t = dynamicsymbols._t
        rates = {sp.Derivative(f, t): qd for f, qd in zip(self.functions, self.qd, strict=True)}
        places = dict(zip(self.functions, self.q, strict=True))
        found = sp.sympify(expression).doit().xreplace(rates).xreplace(dict(self.speeds)).xreplace(places)
        left = sorted(str(one) for one in found.atoms(sp.Derivative))
        if left:
            raise DerivationError(
                f"{left[0]} is neither a coordinate's rate nor a speed; what acts may depend on coordinates, their "
                "rates, parameters and functions of time that are given when a motion is computed.",
                found=left,
            )
        return found

    def columns(self, vector: Vector, frame: ReferenceFrame) -> sp.Matrix:
        """The three components of a vector in a frame, over q and qd."""
        return vector.to_matrix(frame).applyfunc(self.plain)


@dataclass(frozen=True)
class Said:
    """Energies, generalized forces (one for each coordinate) and constraints."""

    letters: Letters
    kinetic_energy: sp.Expr = sp.S.Zero
    lagrangian: sp.Expr = sp.S.Zero
    forces: tuple[sp.Expr, ...] = ()
    holonomic: tuple[sp.Expr, ...] = ()
    velocity: tuple[sp.Expr, ...] = ()

    @property
    def expressions(self) -> tuple[sp.Expr, ...]:
        return (self.kinetic_energy, self.lagrangian, *self.forces, *self.holonomic, *self.velocity)


def motion_of(place: Point | ReferenceFrame, inertial: ReferenceFrame, letters: Letters) -> sp.Matrix:
    """The velocity of a point, or the angular velocity of a frame, in the inertial frame."""
    try:
        vector = place.ang_vel_in(inertial) if isinstance(place, ReferenceFrame) else place.vel(inertial)
    except ValueError as error:
        raise DerivationError(
            f"SymPy does not know how {place} moves in {inertial}: {error} Tell it with set_vel, v2pt_theory, "
            "orient or set_ang_vel.",
            name=str(place),
        ) from error
    return letters.columns(vector, inertial)


def forces_of(
    loads: Sequence[tuple[Point | ReferenceFrame, Vector]], inertial: ReferenceFrame, letters: Letters
) -> tuple[sp.Expr, ...]:
    """Q_j = F . dv/d(qd_j) of every force, M . dw/d(qd_j) of every torque."""
    Q = sp.zeros(len(letters.q), 1)
    for place, vector in loads:
        moving = motion_of(getattr(place, "masscenter", place), inertial, letters)
        Q += moving.jacobian(letters.qd).T * letters.columns(vector, inertial)
    return tuple(Q)
