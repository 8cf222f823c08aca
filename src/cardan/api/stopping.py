"""What a user can say about stops: every method is one call into the model room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardan.api.constraining import Constraining
from cardan.errors import ModelError
from cardan.model.bodies import Body
from cardan.model.given import Amount, Holder, Where
from cardan.model.motions import unit_axis
from cardan.model.shapes import Disc, Ellipsoid, Plane, Shape, Sphere
from cardan.model.stops import AnyStop, Contact, ContactOver, Stop, Touching
from cardan.model.surfaces import RoundSurface

if TYPE_CHECKING:
    import sympy as sp


class Stopping(Constraining):
    """Boundaries of the motion: typed gaps, and shapes that touch planes."""

    def stop(
        self,
        gap: Amount,
        *,
        restitution: Amount,
        friction: Amount = 0,
        slip: Amount | Sequence[Amount] = (),
        name: str = "",
    ) -> None:
        """A unilateral constraint gap(q, t) >= 0.

        ``restitution`` is e in  rate of the gap after = -e (rate before). ``friction`` is Coulomb's coefficient; it
        acts against ``slip``, one velocity expression (or two, perpendicular and of equal scale), which must do work
        with the force that the gap measures: for a gap in metres, a slip in metres per second.
        """
        with self.description.all_or_nothing():
            label = self._stop_label(name)
            value = self.description.expression(gap, f"Stop {label!r}", velocities=False)
            given = slip if isinstance(slip, (tuple, list)) else (slip,)
            slips = tuple(self.description.expression(one, f"Slip of stop {label!r}") for one in given)
            if not self.description.known.among(value, "configuration"):
                raise ModelError(f"Stop {label!r}: the gap {value} depends on no coordinate, so nothing can reach it.")
            if len(slips) > 2:
                raise ModelError(f"Stop {label!r}: a surface has at most two directions of slip, found {len(slips)}.")
            e, mu = self._coefficients(label, restitution, friction)
            if mu != 0 and not slips:
                raise ModelError(
                    f"Stop {label!r} has friction {mu}, but an expression for the gap does not say along which "
                    "velocity it acts. Give slip=..., or use s.contact(...) where the geometry says it.",
                    name=label,
                )
            self._add_stop(Stop(label, value, e, mu, slips if mu != 0 else ()))

    def contact(
        self,
        thing: Where,
        *,
        on: Holder | Plane | RoundSurface,
        restitution: Amount,
        friction: Amount = 0,
        shape: Shape | None = None,
        name: str = "",
    ) -> None:
        """A point, particle or body of some shape stays above a plane: s.world (z >= 0), a body's plane, a cd.Plane.

        Points and balls also stay outside, or inside, a ``cd.CylinderSurface``, ``SphereSurface`` or ``ConeSurface``.
        Without ``shape`` the point itself touches. A shape is centred on the point; on a body it sits at the origin of
        the body's frame, as when it rolls. Friction acts along the plane, against the material velocity of the
        touching point relative to the plane.
        """
        with self.description.all_or_nothing():
            label = self._stop_label(name)
            if shape is not None and not isinstance(shape, (Sphere, Disc, Ellipsoid)):
                raise ModelError(f"Contact {label!r}: {shape!r} is no shape. Use cd.Sphere, cd.Disc or cd.Ellipsoid.")
            touching = shape or Sphere(0)
            for amount in touching.amounts:
                self.description.expression(amount, f"Shape of {label!r}", moving=False)
            what = self._place_of(thing) if isinstance(thing, str) else thing
            centre = self._point_of(what) if shape is None or not isinstance(what, Body) else what.origin
            e, mu = self._coefficients(label, restitution, friction)
            where = Touching(self.description.own_frame(centre.frame, f"Contact {label!r}"), centre)
            if isinstance(on, RoundSurface):
                if not isinstance(touching, Sphere):
                    raise ModelError(f"Contact {label!r}: only points and balls, cd.Sphere, touch a round surface.")
                for amount in on.amounts:
                    self.description.expression(amount, f"Surface of {label!r}", moving=False)
                self._add_stop(ContactOver(label, where, touching, self._frame_of(on.of), on, e, mu))
                return
            plane = on if isinstance(on, Plane) else Plane(on)
            height = self.description.expression(plane.height, f"Height of {label!r}", velocities=False)
            normal = unit_axis(plane.normal, f"Normal of {label!r}")
            self._add_stop(Contact(label, where, touching, self._frame_of(plane.of), normal, height, e, mu))

    # --- helpers -----------------------------------------------------------------------------------

    def _stop_label(self, name: str) -> str:
        label = name or f"stop{len(self.description.stops) + 1}"
        return self.description.claim(label, f"stop {label!r}")

    def _coefficients(self, label: str, restitution: Amount, friction: Amount) -> tuple[sp.Expr, sp.Expr]:
        e = self.description.expression(restitution, f"Restitution of {label!r}", moving=False)
        mu = self.description.expression(friction, f"Friction of {label!r}", moving=False)
        self.description.check_coefficients(label, e, mu)
        return e, 0 * mu if mu.is_zero else mu  # 0.0 is no friction, either

    def _add_stop(self, stop: AnyStop) -> None:
        self.description.stops.append(stop)
