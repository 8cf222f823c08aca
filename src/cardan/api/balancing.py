"""What a system has as a whole: mass, centre of mass, momentum, angular momentum, and the action of a motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from cardan.api.asking import Asking

if TYPE_CHECKING:
    import sympy as sp

    from cardan.analysis.action import Action
    from cardan.analysis.conservative import ForceVerdict
    from cardan.kinematics.momentum import Balance
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

    def balance(self, about: Point | Vector | None = None, definition: str = "A", of: Parts = None) -> Balance:
        """Whether dH/dt about a point (or the centre of mass) equals the moment of all forces about it.

        ``.holds`` says so for every motion, ``.defect`` by how much it does not; ``run.evaluate`` takes its vectors.
        """
        from cardan.kinematics.momentum import balance_of, momenta

        return balance_of(momenta(self.model, of), about, definition)

    def conservative_forces(self) -> list[ForceVerdict]:
        """Which loads, struts, dampers and typed forces are conservative, with their potentials where there are some.

        Springs, gravity and what is typed as a potential are, and not listed.
        """
        from cardan.analysis.conservative import conservative_forces

        return conservative_forces(self.model)

    def action(self, run: Trajectory) -> Action:
        """The integral of T - V along a run, and how far variations of the motion change it."""
        from cardan.analysis.action import action_of

        return action_of(self.equations(), run)
