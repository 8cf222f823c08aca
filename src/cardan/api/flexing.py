"""What a user can say about bodies that bend: one call into the room of strings and beams, one into the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardan.api.describing import Describing
from cardan.model.flexible import FlexibleBody
from cardan.model.flexing import Mounting, add_flexible_body
from cardan.model.given import Amount, Holder, Placement
from cardan.model.joint import Joint
from cardan.model.joints import Fixed

if TYPE_CHECKING:
    from cardan.continua.flexing import Given


class Flexing(Describing):
    """Flexible bodies of a system."""

    def flexible_body(
        self,
        name: str,
        *,
        beam: Given,
        modes: int | Mapping[str, int] = 3,
        joint: Joint | None = None,
        parent: Holder | None = None,
        at: Placement | None = None,
        damping: float = 0.0,
        stiffening: bool = True,
        stations: int | None = None,
        radius: Amount | None = None,
    ) -> FlexibleBody:
        """A body that bends: ``beam`` lies along x of its frame, and bends along y by its lowest ``modes``.

        The ends of the beam say how the frame holds it: a clamped left end is fixed to the frame, two pinned ends lie
        on its x axis, and a beam free at both has the frame of its mean motion. ``{"y": beam, "z": beam, "x": rod}``
        bends it in two planes and stretches it. Coordinates are called name_y1, name_y2, ...; each is the largest
        displacement of its mode. ``damping`` is the ratio of critical damping of every mode, ``stiffening=False``
        leaves out that bending shortens the line, and ``stations`` is the number of masses on each span.
        """
        from cardan.continua.flexing import shapes_of, spread_of

        shapes = shapes_of(beam, modes, stiffening=stiffening)
        mounting = Mounting(joint or Fixed(), self._held(parent), at, damping, radius)
        with self.description.all_or_nothing():
            return add_flexible_body(self.description, name, shapes, spread_of(shapes, stations), mounting)
