"""What a user can ask about a configuration: every method is one call into the diagnosis room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from cardan.api.compiling import Compiling
from cardan.api.picturing import Picturing
from cardan.model.description import Description
from cardan.native.deadline import BUDGET
from cardan.native.showing import Listing
from cardan.trajectory.start import given_start

if TYPE_CHECKING:
    from cardan.codegen.compiled import Magnitudes
    from cardan.diagnosis.findings import Diagnosis, Place
    from cardan.diagnosis.manifold.manifold import Manifold
    from cardan.diagnosis.sets.sets import SingularSet
    from cardan.diagnosis.sets.singular_set import Asked
    from cardan.equations.particle.loads import LoadGeometry
    from cardan.equations.particle.representative import RepresentativeParticle
    from cardan.trajectory.rank.branches import Branches
    from cardan.trajectory.reaching import Reached, Target
    from cardan.trajectory.settings import Values


class Asking(Picturing, Compiling):
    """Questions about singularities, for System; what answers them is loaded when it is asked."""

    def _repr_html_(self) -> str:
        """For notebooks: what the system is made of."""
        from cardan.report.page.display import system_html

        return system_html(self)

    def diagnose(
        self,
        q: Values = None,
        v: Values = None,
        t: float = 0.0,
        loads: Magnitudes | None = None,
        *,
        task: Place | str | None = None,
        budget: float | None = BUDGET,
    ) -> Diagnosis:
        """What is singular at this configuration, why, and what it means.

        ``loads`` names the loads to judge with their magnitudes; without it every named load of the model is judged.
        ``task`` is a point, particle or body (or its name) whose own velocities are judged too, as for the hand of a
        robot; ``d.hand`` then says which joints are to blame, how far the nearest singularity is, and the way out.
        A configuration that misses the constraints slightly is brought to them first. What is not judged within
        ``budget`` seconds (None: no limit) is named in a finding, or a note, of kind "undecided".
        """
        from cardan.diagnosis.asking import diagnose_system

        if task is None:
            return diagnose_system(self, q, v, t, loads, None, budget)
        from cardan.diagnosis.hand.asking import with_hand

        hand = self._place_of(task)
        found = diagnose_system(self, q, v, t, loads, hand, budget)
        return with_hand(found, self.compile(), hand, q, t, self.limits)

    def inverse_kinematics(
        self,
        frame: Place | str,
        target: Target,
        q: Values = None,
        *,
        limits: bool = True,
        t: float = 0.0,
        starts: int = 30,
        throw: bool = True,
    ) -> Reached:
        """Joints that bring a frame to a target: a point, (R, p), or a 4 by 4 matrix; nearest to the start ``q`` first.

        Within ``s.limits``, unless ``limits=False``. Where none do, UnreachableTarget says why (limits, orientation or
        reach), and ``error.q`` comes closest; with ``throw=False`` that is returned, with the reason in ``why``.
        """
        from cardan.trajectory.reaching import reach, require_reached

        kernel, hand = self.compile(), self._place_of(frame)
        start = given_start(kernel, q if q is not None else self.plan.get("q"), None).y[: kernel.nq]
        found = reach(kernel, kernel.point_of(hand), target, start, self.limits if limits else {}, t, starts)
        return require_reached(found, str(getattr(hand, "name", hand))) if throw else found

    def branches(self, q: Values = None, *, t: float = 0.0) -> Branches:
        """The branches of motion through a configuration, with tangents; one where the constraints keep their rank.

        Each has ``tangent`` (or ``tangents``, where it is a surface), the ``rank`` of the constraints on it, and
        ``verified``; ``decided`` is false, and ``what`` says why, where second order does not settle them.
        """
        from cardan.trajectory.rank.through import branches_through

        return branches_through(self.compile(), q, t)

    def singular_set(
        self, load: Asked | None = None, *, task: Place | str | None = None, budget: float | None = BUDGET
    ) -> list[SingularSet]:
        """The sets where coordinates or constraints are singular, as conditions such as sin(beta) = 0.

        With ``load`` (the name or magnitude of a load, or a mapping of names to magnitudes) also the configurations
        where that load is lost: gimbal lock. With ``task``, a point, those where the point loses a direction instead.
        After ``budget`` seconds (None: no limit) it tells what it has, and one of kind "undecided" says what is open.
        """
        from cardan.diagnosis.sets.singular_set import singular_sets

        point = None if task is None else self._point_of(task)
        return Listing(singular_sets(self.equations(), load, point, budget), "no singular sets")

    def manifold(self, *, budget: float | None = BUDGET) -> Manifold:
        """The type of the configuration manifold, as in "T^2 x I", with its boundaries, reasons and open questions.

        What is not decided within ``budget`` seconds (None: no limit) is among the open questions.
        """
        from cardan.diagnosis.manifold.manifold import manifold_of

        return manifold_of(self.equations(), budget)

    def representative_particle(self) -> RepresentativeParticle:
        """The particle that stands for the whole system: its position r, basis a_J, inner product and mass.

        In symbols, with ``.at(q)`` in numbers; Hemingway & O'Reilly, section 2.
        """
        from cardan.equations.particle.representative import RepresentativeParticle

        equations = self.equations()
        return RepresentativeParticle(equations.dynamics, equations.symbolic)

    def load_geometry(self, load: str, magnitude: float | Sequence[float] | None = None) -> LoadGeometry:
        """A named load as a force on the representative particle: ``.at(q)`` tells its angle to the manifold.

        Orthogonal to it in gimbal lock, Hemingway & O'Reilly (18); one with three components needs ``magnitude``.
        """
        from cardan.equations.particle.loads import load_geometry

        return load_geometry(self.equations(), load, magnitude)

    def with_description(self, description: Description) -> Self:
        """An independent system with this description."""
        other = type(self)(description.name)
        other.description, other.notes, other.renamed = description, list(self.notes), dict(self.renamed)
        other.limits, other.analysis = dict(self.limits), list(self.analysis)
        return other
