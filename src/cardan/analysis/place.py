"""The state about which a question is asked: on the constraints, in coordinates that are regular there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError, SingularityError
from cardan.singular.reference import Reference
from cardan.trajectory.charts.regular import Regular
from cardan.trajectory.coordinates import Coordinates, Entry, Typed
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.request import Request, read_request
from cardan.trajectory.settings import Loads, Settings, Values

Vector = NDArray[np.float64]

FLAT = 1e-10  # of the largest: an eigenvalue of M, each freedom measured by its size, that small belongs to no motion
LOST = 1e-7  # sigma of the constraints in units of its usual value around: rank is lost


@dataclass(frozen=True)
class Place:
    """A state of a kernel, the values of parameters and signals, and typical sizes of what moves."""

    kernel: Kernel
    t: float
    y: Vector
    p: Vector
    sizes: Vector
    reference: Reference | None  # None without constraints

    @property
    def q(self) -> Vector:
        return self.y[: self.kernel.nq]

    @property
    def v(self) -> Vector:
        return self.y[self.kernel.nq :]

    @property
    def names(self) -> list[str]:
        """Of the velocities' coordinates."""
        return [symbol.name.removesuffix("_dot") for symbol in self.kernel.model.v]


def place_at(kernels: Kernels, q: Values, v: Values, t: float, loads: Loads, inputs: Loads) -> Place:
    """The state that was given, moved to the constraints; in regular coordinates where the user's own are singular."""
    request = read_request(kernels.user, Settings(1.0, q, v, t0=t, loads=loads, inputs=inputs))
    refuse_what_has_no_derivative(kernels.user)
    place = _entered(Typed(kernels.user), request)
    if not is_regular(place):
        if kernels.regular is None:
            raise SingularityError(
                f"The coordinates of {kernels.model.name!r} are singular at this state, so that neighbouring motions "
                "cannot be written in them. Describe it with other coordinates; s.diagnose(q) tells which are lost.",
                q=place.q,
            )
        place = _entered(Regular(kernels.regular), request)
    _refuse_lost_rank(place)
    return place


def _entered(coordinates: Coordinates, request: Request) -> Place:
    entry: Entry = coordinates.enter(request)
    kernel = entry.kernel
    p = np.array(entry.compiled.parameters[: len(kernel.parameters)])
    sizes = typical_sizes(kernel, entry.y, request.t0)
    return Place(kernel, request.t0, entry.y, p, sizes, None if entry.start is None else entry.start.reference)


def is_regular(place: Place) -> bool:
    """Whether coordinates are regular at a place: nothing that has inertia elsewhere has lost it there."""
    terms = place.kernel.numbers(place.p).terms(place.t, place.y)
    M = terms.M * np.outer(place.sizes, place.sizes)
    if not np.isfinite(M).all():
        return False
    massive = np.flatnonzero(np.diag(_elsewhere(place)) > 0)  # what has no inertia anywhere is no fault of coordinates
    if not len(massive):
        return True
    w = np.linalg.eigvalsh(M[np.ix_(massive, massive)])
    return bool(w[0] > FLAT * w[-1])


def _elsewhere(place: Place) -> Vector:
    """M at another configuration."""
    system = place.kernel.numbers(place.p)
    step = 0.1 * place.sizes * np.random.default_rng(0).uniform(0.5, 1, len(place.sizes))
    return system.terms(place.t, system.moved(place.t, place.y, step)).M


def refuse_what_has_no_derivative(kernel: Kernel) -> None:
    if kernel.model.rubbing:
        raise ModelError(
            f"{kernel.model.name!r} has dry friction, whose force jumps where it begins to slide: near rest there are "
            "no linear equations. Linearise without it, or with viscous damping."
        )


def refuse_rubbing(kernel: Kernel) -> None:
    """Refuse to seek rests where dry friction holds them: they fill regions, which are not told by points."""
    if kernel.model.rubbing:
        names = ", ".join(repr(one.name) for one in kernel.model.rubbing)
        raise ModelError(
            f"{kernel.model.name!r} has dry friction ({names}), which holds it at rest over whole regions around where "
            "it could rest without. Seek rests of the system described without friction, and look from there how far "
            "friction holds: s.inverse_dynamics tells the force that it must supply."
        )


def _refuse_lost_rank(place: Place) -> None:
    if place.reference is None or not place.reference.rank:
        return
    terms = place.kernel.numbers(place.p).terms(place.t, place.y)
    if place.reference.kappa_of(terms.A @ terms.half) < LOST:
        raise SingularityError(
            f"The constraints of {place.kernel.model.name!r} lose rank at this configuration: motions branch, and no "
            "linear equations describe all of them. s.branches(q) tells the branches.",
            q=place.q,
        )
