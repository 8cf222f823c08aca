"""A load as a force Phi on the representative particle, with its parts along and normal to the manifold.

    Q_J = Phi . a_J   (17),        orthogonal to the manifold: Phi . a_A = 0 for every free A   (18)

The components of Phi are those for which m rdd = Phi: (m / m_i) F for a particle or the centre of a body, and
m skwt(J^-1 M) Q for the rotation of a body. The angle between Phi and the manifold is 90 degrees in gimbal lock; its
cosine is the indicator that ``diagnose`` judges by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cardan.equations.equations import Equations
from cardan.equations.particle.columns import masses_of
from cardan.equations.particle.representative import ParticleAt, number_of, particle_at
from cardan.equations.representative import loads_on_masses, mass_rows
from cardan.errors import ModelError, WrongShape, unknown
from cardan.geometry import matrix as m3
from cardan.model.by_name import Named, in_order
from cardan.model.given import Amount
from cardan.model.loads import Load
from cardan.native.once import once
from cardan.native.showing import Shown

Array = NDArray[np.float64]

LOCKED = 1e-8  # a cosine below this counts as zero, as it does in diagnose
LIGHT = 1e-12  # of the largest: a moment along a direction without inertia


@dataclass(frozen=True)
class LoadAt(Shown):
    """A load at one configuration: ``force`` Phi, its parts ``tangential`` and ``normal``, and the ``angle``."""

    name: str
    particle: ParticleAt
    force: Array
    tangential: Array
    generalized_forces: Mapping[str, float]  # Q_J for every J

    @property
    def normal(self) -> Array:
        """What is left of Phi: carried by joints, and constraints."""
        return self.force - self.tangential

    @property
    def sizes(self) -> tuple[float, float]:
        """Lengths of the tangential and the normal part."""
        inner = self.particle.inner
        tangential, normal = (np.sqrt(max(inner(x, x), 0.0)) for x in (self.tangential, self.normal))
        return float(tangential), float(normal)

    @property
    def share(self) -> float:
        """The cosine of the angle: the part of the load that acts along the manifold."""
        along, across = self.sizes
        return float(along / np.hypot(along, across))

    @property
    def angle(self) -> float:
        """Between Phi and the manifold, in radians: 0 where all of it acts, pi/2 where none does."""
        along, across = self.sizes
        return float(np.arctan2(across, along))

    @property
    def is_orthogonal(self) -> bool:
        """Whether (18) holds: none of the load acts. Gimbal lock, unless the coordinates are singular here."""
        return self.share < LOCKED

    def __str__(self) -> str:
        free, names = set(self.particle.free), self.generalized_forces
        felt = ", ".join(f"{x}: {names[x]:.4g}" for x in names if x in free)
        held = ", ".join(f"{x}: {y:.4g}" for x, y in names.items() if x not in free and abs(y) > LOCKED) or "nothing"
        singular = self.particle.rank < len(free)
        verdict = "the coordinates are singular here, so that this says nothing of lock" if singular else (
            "orthogonal to it, none acts: gimbal lock" if self.is_orthogonal else f"{self.share:.1%} of it acts"
        )  # fmt: skip
        return (
            f"load {self.name!r} at {np.degrees(self.angle):.2f} degrees to the configuration manifold: {verdict}\n"
            f"  Q of free coordinates: {felt}\n  Q of held directions: {held}"
        )

    __repr__ = __str__


@dataclass(frozen=True)
class LoadGeometry(Shown):
    """The geometry of a named load; ``at(q)`` in numbers, ``angles(name, values)`` along a coordinate."""

    _showing: ClassVar[tuple[str, ...]] = ("labels", "magnitudes")

    equations: Equations
    load: Load
    magnitudes: tuple[float, ...]

    def at(self, q: Named | Sequence[float] | Array, t: float = 0.0) -> LoadAt:
        """At a configuration, given in order or by name."""
        d, model = self.equations.dynamics, self.equations.model
        place = in_order(model, q, "q") if isinstance(q, Mapping) else [float(x) for x in q]
        if len(place) != len(d.q):
            raise WrongShape(f"q has {len(place)} numbers, expected {len(d.q)}: {', '.join(map(str, model.q))}.")
        particle = particle_at(d, place, t)
        force = self._force(particle, place, t)
        Q = {name: particle.inner(force, a) for name, a in particle.basis.items()}
        self._require_whole(particle, force, place, t)
        return LoadAt(self.load.name, particle, force, self._tangential(particle, force, place, t), Q)

    def angles(self, name: str, values: Sequence[float] | Array, at: Mapping[str, float] | None = None) -> Array:
        """The angle to the manifold (radians) along a coordinate; the others are held ``at`` (zero by default)."""
        held: dict[object, float | Iterable[float]] = {str(key): float(x) for key, x in (at or {}).items()}
        model = self.equations.model
        if name not in map(str, model.q):
            raise unknown(name, map(str, model.q), f"coordinate of {model.name!r}")
        return np.array([self.at(in_order(model, held | {name: float(x)}, "q")).angle for x in values])

    # --- parts -------------------------------------------------------------------------------------

    def _force(self, particle: ParticleAt, q: list[float], t: float) -> Array:
        """Phi, from forces and moments on each mass."""
        wrenches = self._wrenches(q, t)
        model, m = self.equations.model, particle.mass
        parts: list[Array] = []
        turned: list[Array] = []
        at = 3 * len(model.particles) + 3 * len(model.bodies)
        for thing in masses_of(model):
            force = wrenches[thing.name][0]
            mass = self._value(thing.mass)
            if np.any(force) and mass == 0:
                raise ModelError(self._massless(thing.name, "mass"), name=thing.name)
            parts.append(m / mass * force if mass else 0 * force)
        for body in model.bodies:
            Q = particle.position[at : at + 9].reshape(3, 3)
            J = Q @ np.array([[self._value(x) for x in row] for row in body.inertia]) @ Q.T
            moment = wrenches[body.name][1]
            spin = np.linalg.pinv(J, rcond=LIGHT, hermitian=True) @ moment
            if np.linalg.norm(J @ spin - moment) > LOCKED * np.linalg.norm(moment):
                raise ModelError(self._massless(body.name, "inertia about that axis"), name=body.name)
            turned.append((m * (np.array(m3.skew(spin.tolist()), dtype=np.float64) @ Q)).ravel())
            at += 9
        return np.concatenate([*parts, *turned])

    def _massless(self, name: str, what: str) -> str:
        return (
            f"The load {self.load.name!r} acts on {name!r}, which has no {what}, so no force on the representative "
            f"particle stands for it. Give {name!r} a little of it, or ask s.diagnose(q, loads=...)."
        )

    def _wrenches(self, q: list[float], t: float) -> dict[str, tuple[Array, Array]]:
        """Force, and moment about the centre of mass, on each body and particle; world components."""
        d = self.equations.dynamics
        tree, rows = d.full.lifted, mass_rows(d)
        own = [symbol for load in d.model.judged for symbol in load.symbols]
        first = own.index(self.load.symbols[0])
        weights = np.zeros(len(own))
        weights[first : first + len(self.magnitudes)] = self.magnitudes
        links = [tree.link_of(mass.frame) for mass in d.full.tree.masses]
        poses = [x for k in links for row in tree.pose_of_link(k)[0] for x in row]
        y = [*q, *(0.0 for _ in d.v)]
        values = [*(d.model.values[one] for one in d.model.parameters), *(0.0 for _ in d.model.signals)]
        table = np.array(d.at([*loads_on_masses(d), *poses], y, t, values))
        count = rows[-1].stop
        wrenches = table[: count * len(own)].reshape(count, len(own)) @ weights
        turns = table[count * len(own) :].reshape(-1, 3, 3)
        return {
            one.name: (R @ wrenches[one.start : one.start + 3],
                       R @ wrenches[one.start + 3 : one.stop] if one.is_body else np.zeros(3))
            for one, R in zip(rows, turns, strict=True)
        }  # fmt: skip

    def _tangential(self, particle: ParticleAt, force: Array, q: list[float], t: float) -> Array:
        """The part of Phi in the space that the a_A span, those combinations alone that constraints allow."""
        B = np.array([particle.basis[name] for name in particle.free])
        if not len(B):
            return np.zeros_like(force)
        if self.equations.model.constraints:
            A = self.equations.at(q, t=t).A / np.sqrt(np.diag(particle.metric(particle.free)) + 1e-300)
            _, s, vt = np.linalg.svd(A)
            B = vt[int(np.sum(s > LOCKED * np.max(s, initial=0.0))) :] / np.sqrt(
                np.diag(particle.metric(particle.free)) + 1e-300
            ) @ B  # fmt: skip
        G = B @ particle.weights @ B.T
        size = np.sqrt(np.maximum(np.diag(G), 1e-300))
        shares = np.linalg.pinv(G / np.outer(size, size), rcond=LIGHT, hermitian=True)
        return np.asarray((shares @ (B @ particle.weights @ force / size) / size) @ B)

    def _require_whole(self, particle: ParticleAt, force: Array, q: list[float], t: float) -> None:
        """Refuse a load that partly acts on frames without mass: Phi knows nothing of them."""
        at_rest = self.equations.at(q, t=t, loads=dict.fromkeys([str(one) for one in self.load.symbols], 0.0)).Q
        pushed = dict(zip(map(str, self.load.symbols), self.magnitudes, strict=True))
        felt = self.equations.at(q, t=t, loads=pushed).Q - at_rest
        basis = [particle.basis[name] for name in particle.free]
        found = np.array([particle.inner(force, a) for a in basis])
        sizes = np.sqrt([particle.inner(force, force) * particle.inner(a, a) for a in basis])
        if np.any(np.abs(found - felt) > LOCKED * np.maximum(sizes, np.abs(felt))):
            raise ModelError(
                f"The load {self.load.name!r} acts on a frame without mass, so no force on the representative particle "
                "stands for all of it. Put it on the body that the frame moves, or ask s.diagnose(q, loads=...).",
                name=self.load.name,
            )

    def _value(self, expression: Amount) -> float:
        return number_of(self.equations.model, expression)

    @once
    def labels(self) -> str:
        """The load in words."""
        return f"{self.load.kind} {self.load.name!r} on {self.load.on.name!r}"

    def __repr__(self) -> str:
        return f"LoadGeometry({self.labels}); .at(q) says how it stands to the configuration manifold"


def load_geometry(equations: Equations, name: str, magnitude: float | Sequence[float] | None = None) -> LoadGeometry:
    """The geometry of a named load; one with three components needs their magnitudes."""
    loads = {one.name: one for one in equations.model.judged}
    if str(name) not in loads:
        raise unknown(str(name), loads, f"named load of {equations.model.name!r}")
    load = loads[str(name)]
    given = [1.0] if magnitude is None else np.atleast_1d(np.asarray(magnitude, dtype=float)).tolist()
    if len(given) != len(load.symbols):
        raise WrongShape(f"Load {load.name!r} has {len(load.symbols)} components, found {len(given)}: give magnitude=.")
    if not np.any(given):
        raise ModelError(f"Load {load.name!r} of magnitude zero has no direction.", name=load.name)
    return LoadGeometry(equations, load, tuple(given))
