"""What a user asks, carried to what answers it: rests with and without stops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.equilibria import IDLE, Equilibrium, Limits, equilibria
from cardan.analysis.families import Family, Held, SteadyMotion, followed, told
from cardan.analysis.linear import About, Linearization
from cardan.analysis.linearizing import linearized
from cardan.analysis.place import Place, is_regular, place_at, refuse_rubbing, refuse_what_has_no_derivative
from cardan.analysis.sampling import Box, guesses, is_inside
from cardan.analysis.steady import Conditions, Root
from cardan.analysis.stops import held_closed, is_possible, refuse_closed
from cardan.analysis.symmetries import Field, symmetries
from cardan.analysis.varied import varied
from cardan.codegen.compiled import Kernel, Magnitudes
from cardan.errors import ModelError, unknown
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.settings import Loads, Values

Vector = NDArray[np.float64]

FAR = 20.0  # typical sizes and rates: where a family is followed no further


def linearized_at(
    kernels: Kernels, q: Values, v: Values, t: float, loads: Loads, inputs: Loads, about: About | None
) -> Linearization:
    """Linear equations at a state that a user gives."""
    place = place_at(kernels, q, v, t, loads, inputs)
    refuse_closed(place.kernel, t, place.y, place.p, place.sizes)
    return linearized(place, about)


def equilibria_of(
    kernel: Kernel, box: Limits | None, t: float, loads: Magnitudes | None, inputs: Magnitudes | None, seeds: int
) -> list[Equilibrium]:
    """The rests of a system."""
    refuse_rubbing(kernel)
    p, sizes = kernel.p(None, loads, inputs), typical_sizes(kernel, _origin(kernel), t)
    found = equilibria(kernel, p, t, sizes, box, seeds)
    for names, closed in held_closed(kernel):
        found += equilibria(closed, p, t, sizes, box, seeds, names)
    return [one for one in found if is_possible(one, sizes)]


def symmetries_of(kernel: Kernel, q: Vector | None = None) -> tuple[Field, ...]:
    """The symmetries of a system, found around a configuration."""
    y = _origin(kernel)
    if q is not None:
        y[: kernel.nq] = q
    sizes = typical_sizes(kernel, y, 0.0)
    start = next(iter(guesses(kernel, Box.of(kernel, sizes, None), 0.0, kernel.p(), sizes, 40)), y[: kernel.nq])
    return symmetries(kernel, 0.0, start if q is None else y[: kernel.nq], kernel.p(), sizes)


def steady_motions_of(kernel: Kernel, hold: Held | None, box: Limits | None, seeds: int) -> list[SteadyMotion]:
    """Steady motions, one of each family or alone."""
    conditions = _conditions(kernel, hold)
    return [told(conditions, one) for one in _roots(conditions, hold, box, seeds)]


def families_of(kernel: Kernel, hold: Held | None, box: Limits | None, seeds: int, most: int) -> list[Family]:
    """One-parameter families of steady motions, each told once."""
    conditions, found = _conditions(kernel, hold), list[Family]()
    for root in _roots(conditions, hold, box, seeds):
        if len(root.tangents) > 1:
            raise ModelError(
                f"Steady motions of {kernel.model.name!r} have {len(root.tangents)} parameters. Hold coordinates or "
                "velocities until one is left: hold={name: value}.",
                dimension=len(root.tangents),
            )
        if len(root.tangents) == 1 and not any(_is_on(conditions, one, root) for one in found):
            found.append(followed(conditions, root, most, FAR))
    return found


def _is_on(conditions: Conditions, family: Family, root: Root) -> bool:
    """Whether the nearest member of a family leads to the root."""
    nearest = min(family.members, key=lambda one: conditions.distance(one.root, root))
    if conditions.distance(nearest.root, root) > 0.3:
        return False
    nq = conditions.kernel.nq
    step = np.concatenate([root.y[:nq] - nearest.root.y[:nq], root.eta - nearest.root.eta])
    tangent = nearest.root.tangents[0] / conditions.measure(nearest.root.tangents[0])
    along = conditions.inner(step, tangent)
    return conditions.measure(step - along * tangent) < max(0.3 * abs(along), 1e-3)


def _origin(kernel: Kernel) -> Vector:
    y = kernel.y([0.0] * kernel.nq)
    for start in kernel.quaternions:
        y[start] = 1.0
    return y


def _conditions(kernel: Kernel, hold: Held | None) -> Conditions:
    refuse_what_has_no_derivative(kernel)
    if kernel.nq != kernel.nv:
        raise ModelError(
            f"{kernel.model.name!r} has quaternions, along which no steady motion stays constant. Describe its "
            "rotations by angles, of which some are ignorable: joint types with angles instead of Ball and Free."
        )
    if kernel.dynamics.smoothness.is_timed:
        raise ModelError(f"{kernel.model.name!r} depends on time, so that no motion of it is steady.")
    p, sizes = kernel.p(), typical_sizes(kernel, _origin(kernel), 0.0)
    fields = symmetries_of(kernel)
    held = np.zeros(kernel.nv, dtype=bool)
    names, speeds = ([symbol.name for symbol in group] for group in (kernel.model.q, kernel.model.v))
    for name in hold or {}:
        if name not in (*names, *speeds):
            raise unknown(name, [*names, *speeds], f"coordinate or velocity of {kernel.model.name!r} to hold")
        if name in names:
            held[names.index(name)] = True
    rates = tuple((speeds.index(name), float(value)) for name, value in (hold or {}).items() if name not in names)
    rng = np.random.default_rng(0)
    q = sizes * rng.uniform(-1, 1, kernel.nq)
    for one in fields:  # where along a symmetry it is does not matter: one coordinate that it moves is held
        amount = np.where(held, 0.0, np.abs(one(q)) / sizes)
        if np.max(amount, initial=0.0) > 0:
            held[int(np.argmax(amount))] = True
    return Conditions(kernel, 0.0, p, sizes, fields, _rate(kernel, p, sizes), held, rates)


def _rate(kernel: Kernel, p: Vector, sizes: Vector) -> float:
    """A typical rate: that of the accelerations which typical displacements and the forces make."""
    found = []
    for q in guesses(kernel, Box.of(kernel, sizes, None), 0.0, p, sizes, 8):
        d = varied(kernel, 0.0, np.concatenate([q, np.zeros(kernel.nv)]), p)
        found.append(float(np.max((np.abs(d.accelerations.pi) @ sizes + np.abs(d.vd)) / sizes, initial=0.0)))
    usual = float(np.median([x for x in found if np.isfinite(x)] or [1.0]))
    return float(np.sqrt(usual)) if usual > 0 else 1.0


def _roots(conditions: Conditions, hold: Held | None, box: Limits | None, seeds: int) -> list[Root]:
    kernel, rng = conditions.kernel, np.random.default_rng(1)
    names = [symbol.name for symbol in kernel.model.q]
    places = {name: (value, value) for name, value in (hold or {}).items() if name in names}
    limits = Box.of(kernel, conditions.sizes, {**(box or {}), **places})
    found: list[Root] = []
    idle = 0
    for q in guesses(kernel, limits, 0.0, conditions.p, conditions.sizes, seeds):
        for k, one in enumerate(names):
            if conditions.held is not None and conditions.held[k]:
                q[k] = (hold or {}).get(one, 0.0)
        eta = conditions.speed * rng.uniform(-1, 1, len(conditions.fields))
        root = conditions.solve(q, eta)
        if root is None or not is_inside(kernel, limits, root.y):
            idle += 1
        elif not _is_meant(conditions, root):
            continue
        elif any(_alike(conditions, root, one) for one in found):
            idle += 1
        else:
            found.append(root)
            idle = 0
        if idle >= IDLE:
            break
    return found


def _is_meant(conditions: Conditions, root: Root) -> bool:
    """Whether coordinates are regular at a root; where they are not, it says nothing about motions."""
    return is_regular(Place(conditions.kernel, conditions.t, root.y, conditions.p, conditions.sizes, None))


def _alike(conditions: Conditions, a: Root, b: Root) -> bool:
    return conditions.distance(a, b) < 1e-6
