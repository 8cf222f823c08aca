"""What a system has as a whole: mass, centre of mass, momentum, angular momentum, and the action of a motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from cardan.api.asking import Asking

if TYPE_CHECKING:
    import sympy as sp

    from cardan.analysis.action import Action
    from cardan.model.bodies import Body, Particle
    from cardan.model.frames import Point, Vector
    from cardan.trajectory.trajectory import Trajectory

    Parts: TypeAlias = Body | Particle | str | Sequence[Body | Particle | str] | None


class Balancing(Asking):
    """Sums over bodies and particles, for System; each vector can be evaluated along a run."""

    @property
    def mass(self) -> sp.Expr:
        """The mass of all bodies and particles."""
        from cardan.kinematics.momentum import momenta

        return momenta(self.model).mass

    @property
    def centre_of_mass(self) -> Vector:
        """The vector from the world's origin to the centre of mass."""
        from cardan.kinematics.momentum import momenta

        return momenta(self.model).centre

    def momentum(self, of: Parts = None) -> Vector:
        """The sum of mass times velocity, of everything or of some bodies and particles."""
        from cardan.kinematics.momentum import momenta

        return momenta(self.model, of).linear()

    def angular_momentum(self, about: Point | Vector | None = None, definition: str = "A", of: Parts = None) -> Vector:
        """The angular momentum about a point, or about the centre of mass; the point may move.

        ``definition`` "A" takes velocities relative to the point, "B" absolute ones.
        """
        from cardan.kinematics.momentum import momenta

        return momenta(self.model, of).angular(about, definition)

    def action(self, run: Trajectory) -> Action:
        """The integral of T - V along a run, and how far variations of the motion change it."""
        from cardan.analysis.action import action_of

        return action_of(self.equations(), run)
