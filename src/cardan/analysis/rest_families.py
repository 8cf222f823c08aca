"""Rests followed as a parameter changes: folds, branch points and Hopf points on the way, branches included."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.continuation import Curve, SpecialPoint, Spectrum, branches_at, followed
from cardan.analysis.equilibria import Equilibrium, Limits, equilibria
from cardan.analysis.linearizing import linearized
from cardan.analysis.place import Place, refuse_what_has_no_derivative
from cardan.analysis.sampling import whole_turns
from cardan.analysis.varied import Varied, varied
from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction
from cardan.errors import CardanError, ModelError, unknown
from cardan.graph import jacobian
from cardan.native.once import once
from cardan.native.showing import Shown
from cardan.singular.reference import reference
from cardan.trajectory.extent import typical_sizes

Vector = NDArray[np.float64]

NEWTON = 25
DONE = 1e-12  # of typical sizes and of the range: a step that is next to rounding
CUT = 1e-9  # of the largest singular value, rows and columns in units of their sizes
MARGIN = 1e-8  # of the largest eigenvalue: growth that is rounding
PLACES = 5  # values of the parameter at which rests are sought
NEAR = 1e-4  # of typical sizes: a rest that near to a curve is on it


@dataclass(frozen=True, eq=False)
class Rest:
    """A rest at a value of the parameter."""

    problem: Rests
    y: Vector
    lam: Vector
    value: float

    @once
    def equilibrium(self) -> Equilibrium:
        """As ``s.equilibria`` tells it, of the system with this value."""
        one = self.problem
        kernel, p = one.at(self.value)
        near = reference(kernel.numbers(p), 0.0, self.y, one.sizes) if kernel.m else None
        forces = dict(zip(kernel.dynamics.constraints.names, self.lam.tolist(), strict=True)) if kernel.m else {}
        return Equilibrium(Place(kernel, 0.0, self.y, p, one.sizes, near), forces, np.zeros((0, kernel.nv)))

    @once
    def spectrum(self) -> Spectrum:
        place = self.equilibrium.place
        try:
            values = linearized(place, "trajectory").spectrum.others
        except CardanError:
            return Spectrum(np.zeros(0), (), 1.0)
        scale = max(float(np.max(np.abs(values), initial=0.0)), 1e-300)
        order = np.argsort(-values.real, kind="stable")
        upper = [k for k in order if values[k].imag >= 0]
        kinds = tuple("pair" if values[k].imag > MARGIN * scale else "real" for k in upper)
        return Spectrum(np.array([values[k].real for k in upper]), kinds, MARGIN * scale)


@dataclass(frozen=True, eq=False)
class Rests:
    """The problem of rests that depend on a parameter."""

    kernel: Kernel
    name: str
    low: float
    high: float
    sizes: Vector
    p: Vector

    @once
    def index(self) -> int:
        return [str(symbol) for symbol in self.kernel.model.parameters].index(self.name)

    @once
    def around(self) -> NDArray[np.bool_]:
        return whole_turns(self.kernel)

    @property
    def width(self) -> float:
        return self.high - self.low

    def at(self, value: float) -> tuple[Kernel, Vector]:
        """The kernel and its parameters at a value."""
        p = self.p.copy()
        p[self.index] = value
        values = {
            symbol: (value if str(symbol) == self.name else float(number))
            for symbol, number in self.kernel.values.items()
        }
        return self.kernel.with_values(values), p

    def value(self, one: Rest) -> float:
        return one.value

    def spectrum(self, one: Rest) -> Spectrum:
        return one.spectrum

    def distance(self, one: Rest, other: Rest) -> float:
        change = (one.y - other.y)[: self.kernel.nq]
        if self.kernel.nq == self.kernel.nv:
            round_ = np.flatnonzero(self.around)
            change[round_] = (change[round_] + np.pi) % (2 * np.pi) - np.pi
            change = change / self.sizes
        return float(np.linalg.norm([*change, (one.value - other.value) / self.width]))

    def ended(self, one: Rest, other: Rest) -> str:
        return ""

    def moved(self, one: Rest, step: Vector) -> Rest | None:
        """Newton's method with shortest steps from a rest that is moved by a step (displacements, parameter)."""
        n = self.kernel.nv
        numbers = self.kernel.numbers(self.p)
        y = numbers.moved(0.0, one.y, step[:n] * self.sizes)
        value, lam = one.value + step[-1] * self.width, one.lam
        for _ in range(NEWTON):
            found = self._system(y, lam, value)
            if found is None:
                return None
            F, J = found
            change = -np.linalg.lstsq(J, F, rcond=CUT)[0]
            y = numbers.moved(0.0, y, change[:n] * self.sizes)
            value += float(change[n]) * self.width
            lam = lam + change[n + 1 :] * self.force
            if float(np.max(np.abs(change[: n + 1]))) < DONE:
                new = Rest(self, y, lam, value)
                return new if self.distance(new, one) < 3 * float(np.linalg.norm(step)) + 1e-9 else None
        return None

    @property
    def force(self) -> float:
        return 1e6  # multipliers may be of any size: they are not kept short

    def _system(self, y: Vector, lam: Vector, value: float) -> tuple[Vector, Vector] | None:
        """Conditions and their derivatives by (displacements, parameter, multipliers), in units of sizes."""
        kernel, (_, p) = self.kernel, self.at(value)
        n, m = kernel.nv, kernel.m
        d = varied(kernel, 0.0, y, p, (np.zeros(n), lam))
        phi = kernel.numbers(p).residual(0.0, y)[0][kernel.dynamics.constraints.holonomic] if m else np.zeros(0)
        F = np.concatenate([d.terms.h - d.terms.A.T @ lam, phi])
        by_value = self._by_parameter(y, lam, p) * self.width
        J = np.vstack(
            [
                np.hstack([d.balance.pi * self.sizes, by_value[:n, None], -d.terms.A.T * self.force]),
                np.hstack([d.phi * self.sizes, by_value[n:, None], np.zeros((len(d.phi), m))]),
            ]
        )
        if not (np.isfinite(F).all() and np.isfinite(J).all()):
            return None
        row = self._rows(d, lam)
        return F / row, J / row[:, None]

    def _rows(self, d: Varied, lam: Vector) -> Vector:
        """Sizes of the conditions."""
        stiff = np.abs(d.balance.pi) @ self.sizes + np.abs(d.terms.h) + np.abs(d.terms.A.T) @ np.abs(lam)
        far = np.abs(d.phi) @ self.sizes
        found = np.concatenate(
            [np.maximum(stiff, 1e-3 * np.max(stiff, initial=0.0)), np.maximum(far, 1e-3 * np.max(far, initial=0.0))]
        )
        found[found == 0] = 1.0
        return found

    def _by_parameter(self, y: Vector, lam: Vector, p: Vector) -> Vector:
        """The exact derivative of h - A^T lam and phi by the parameter."""
        kernel = self.kernel
        slopes = kernel.keep(f"slopes by {self.name}", lambda: self._slopes())
        n, m = kernel.nv, kernel.m
        h, A, phi = np.split(slopes(0.0, y, p[: slopes.np]), [n, n + m * n])
        return np.concatenate([h - A.reshape(m, n).T @ lam, phi])

    def _slopes(self) -> NativeFunction:
        d = self.kernel.dynamics
        rows = [*d.bias, *(x for row in d.constraints.matrix for x in row), *d.constraints.phi]
        return self.kernel.custom("slopes_by_parameter", [row[0] for row in jacobian(rows, [d.p[self.index]])])

    def tangent(self, one: Rest) -> Vector | None:
        null = self._null(one)
        return null[0] if len(null) == 1 else None

    def other_tangent(self, one: Rest, along: Vector) -> Vector:
        _, Vt = self._singular(one)
        both = Vt[-2:]  # the two directions in which the conditions change least
        across = both - np.outer(both @ along, along)
        found = across[int(np.argmax(np.linalg.norm(across, axis=1)))]
        return np.asarray(found / np.linalg.norm(found))

    def _null(self, one: Rest) -> Vector:
        s, Vt = self._singular(one)
        rank = int(np.sum(s > CUT * max(float(s[0]) if len(s) else 0.0, 1e-300)))
        return Vt[rank:]

    def _singular(self, one: Rest) -> tuple[Vector, Vector]:
        """Singular values and directions of (displacements, parameter), whatever multipliers change."""
        found = self._system(one.y, one.lam, one.value)
        assert found is not None
        _, J = found
        n = self.kernel.nv
        forces = J[:, n + 1 :]
        if forces.shape[1]:
            U, s, _ = np.linalg.svd(forces)
            J = U[:, int(np.sum(s > 1e-10 * max(float(s[0]), 1e-300))) :].T @ J
        _, s, Vt = np.linalg.svd(J[:, : n + 1])
        return s, Vt


@dataclass(frozen=True)
class RestFamily(Shown):
    """Rests along a parameter: ``family["theta"]`` and ``family[parameter]`` are numbers member by member."""

    problem: Rests
    curve: Curve[Rest]

    @property
    def parameter(self) -> str:
        return self.problem.name

    @property
    def members(self) -> tuple[Equilibrium, ...]:
        return tuple(one.equilibrium for one in self.curve.members)

    @property
    def points(self) -> tuple[SpecialPoint[Rest], ...]:
        """Folds, branch points, Hopf points, in the order of the members."""
        return self.curve.points

    @property
    def ends(self) -> tuple[str, str]:
        return self.curve.ends

    @property
    def is_stable(self) -> NDArray[np.bool_]:
        """Member by member: no eigenvalue grows."""
        return np.array([not np.any(one.spectrum.growth > one.spectrum.margin) for one in self.curve.members])

    def __len__(self) -> int:
        return len(self.curve.members)

    def __getitem__(self, name: str) -> Vector:
        """A coordinate, or the parameter, along the family."""
        if name == self.parameter:
            return np.array([one.value for one in self.curve.members])
        names = [symbol.name for symbol in self.problem.kernel.model.q]
        if name not in names:
            raise unknown(name, [*names, self.parameter], f"coordinate of {self.problem.kernel.model.name!r}")
        return np.array([one.y[names.index(name)] for one in self.curve.members])

    def at_point(self, point: SpecialPoint[Rest], name: str) -> float:
        """A coordinate, or the parameter, at a special point."""
        return point.value if name == self.parameter else point.member.equilibrium[name]

    def __repr__(self) -> str:
        x = self[self.parameter]
        said = ", ".join(f"{one.kind} at {one.value:.6g}" for one in self.points) or "no special points"
        return f"RestFamily({len(self)} rests, {self.parameter} from {x.min():.4g} to {x.max():.4g}: {said})"


def rest_families(
    kernel: Kernel, name: str, low: float, high: float, box: Limits | None, seeds: int, most: int
) -> list[RestFamily]:
    """Families of rests between two values of a parameter, and those that branch off them; each is told once."""
    refuse_what_has_no_derivative(kernel)
    known = [str(symbol) for symbol in kernel.model.parameters]
    if name not in known:
        raise unknown(name, known, f"parameter of {kernel.model.name!r} to follow rests along")
    if not low < high:
        raise ModelError(f"Rests are followed from a smaller to a larger value, found {low:g} and {high:g}.")
    origin = kernel.y([0.0] * kernel.nq)
    for first in kernel.quaternions:
        origin[first] = 1.0
    problem = Rests(kernel, name, low, high, typical_sizes(kernel, origin, 0.0), kernel.p())
    found, waiting = list[RestFamily](), list(_starts(problem, box, seeds))
    while waiting:
        start = waiting.pop(0)
        if any(_is_on(one, start) for one in found):
            continue
        family = RestFamily(problem, followed(problem, start, most))
        found.append(family)
        for point in family.points:
            if point.kind == "branch":
                along = _along(family, point)
                waiting += branches_at(problem, point, along)
    return _with_meetings(found)


def _with_meetings(families: list[RestFamily]) -> list[RestFamily]:
    """The families with those folds told as branch points at which another family passes."""
    met = [point for family in families for point in family.points if point.kind == "branch"]

    def told(point: SpecialPoint[Rest]) -> SpecialPoint[Rest]:
        near = (one for one in met if families[0].problem.distance(point.member, one.member) < NEAR)
        return next(near, point) if point.kind == "fold" else point  # which is located where its own curve is regular

    return [
        replace(one, curve=replace(one.curve, points=tuple(told(point) for point in one.points))) for one in families
    ]


def _starts(problem: Rests, box: Limits | None, seeds: int) -> list[Rest]:
    found = []
    for value in np.linspace(problem.low, problem.high, PLACES):
        kernel, p = problem.at(float(value))
        for one in equilibria(kernel, p, 0.0, problem.sizes, box, seeds):
            if not one.dimension:
                found.append(Rest(problem, one.place.y, np.array(list(one.multipliers.values())), float(value)))
    return found


def _is_on(family: RestFamily, rest: Rest) -> bool:
    """Whether a rest lies on a family: the step from the nearest member on one side leads to it."""
    problem = family.problem
    nearest = min(family.curve.members, key=lambda one: problem.distance(one, rest))
    far = problem.distance(nearest, rest)
    if far < NEAR:
        return True
    tangent = problem.tangent(nearest)
    if far > 0.3 or tangent is None:
        return False
    for sign in (1.0, -1.0):
        reached = problem.moved(nearest, sign * far * tangent)
        if reached is not None and problem.distance(reached, rest) < 0.2 * far:
            return True
    return False


def _along(family: RestFamily, point: SpecialPoint[Rest]) -> Vector:
    """The direction of a family at a branch point: that of its nearest member that has one."""
    problem = family.problem
    near = sorted(family.curve.members, key=lambda one: problem.distance(one, point.member))
    found = next((tangent for one in near if (tangent := problem.tangent(one)) is not None), None)
    assert found is not None  # a curve that was followed has tangents
    return found
