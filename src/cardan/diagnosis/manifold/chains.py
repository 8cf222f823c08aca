"""The configuration manifold of jointed bodies and particles, segment by segment.

A segment is the chain of joints from what is already located to the next link that carries mass. Whatever lies beyond
a located link is described relative to it, so the manifold is the product over segments (docs/theory/manifolds.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.diagnosis.manifold.factors import Factor
from cardan.diagnosis.manifold.observers import LinkMass, link_masses
from cardan.diagnosis.manifold.parametric import swept_by
from cardan.diagnosis.manifold.poses import reach
from cardan.diagnosis.manifold.reach import Reach, Step
from cardan.equations.symbolic import SymbolicEquations
from cardan.kinematics.tree import WORLD
from cardan.model.model import Model
from cardan.model.variables import QuaternionVariable
from cardan.native.deadline import check

Vector = NDArray[np.float64]

ISOTROPIC = ("E3", "S2", "RP3")  # sets about a point that look alike from every direction


@dataclass
class Composition:
    """Factors found so far, with reasons; and what could not be decided."""

    factors: list[Factor] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)


class Chains:
    """Composes the manifold of a model's tree; ``fixed`` are coordinates that constraints hold at a value."""

    def __init__(self, symbolic: SymbolicEquations, fixed: dict[sp.Symbol, sp.Expr]) -> None:
        self.s, self.model = symbolic, symbolic.model
        self.links = symbolic.tree.tree.links
        self.masses = link_masses(self.model, symbolic.tree)
        self.fixed = {**self.model.prescribed, **fixed}
        self.free = [q for q in self.model.q if q not in fixed]
        self.known: set[sp.Symbol] = set()  # coordinates
        self.located: set[int] = {WORLD}  # links whose pose is determined
        self.placed: set[int] = set()  # links of which only a point is located
        self.used: set[sp.Symbol] = set()  # coordinates of segments that do not determine them one by one
        rng = np.random.default_rng(5)
        self.sample = {q: float(x) for q, x in zip(self.free, rng.uniform(0.3, 1.1, len(self.free)), strict=True)}
        for one in self.model.variables:
            if isinstance(one, QuaternionVariable):
                self.sample |= dict(zip(one.configuration, (1.0, 0.0, 0.0, 0.0), strict=True))
        self.sample[self.model.time] = 0.37
        self.result = Composition()

    def composed(self) -> Composition:
        """Every link with mass is located once: chains that determine their joints first, then the others."""
        waiting = [k for k, mass in enumerate(self.masses) if mass.sees != "nothing"]
        while waiting:
            check()
            found = {k: self._segment(k) for k in waiting}
            trivial = [k for k in waiting if not found[k][1]]
            plain = [k for k in waiting if found[k][0].faithful and not found[k][0].undecided]
            decided = [k for k in waiting if not found[k][0].undecided and not self._entangled(found[k][1])]
            chosen = (trivial or plain or decided or waiting)[0]
            self._take(chosen, *found[chosen])
            waiting.remove(chosen)
        self._idle()
        return self.result

    # --- one segment -------------------------------------------------------------------------------

    def _path(self, k: int) -> list[int]:
        """Links from the last located one (not included) to k."""
        found = []
        while k not in self.located:
            found.append(k)
            k = self.links[k].parent
        return found[::-1]

    def _segment(self, k: int) -> tuple[Reach, list[sp.Symbol]]:
        """(what the masses of link k see of its chain, the unknown coordinates of the chain)."""
        path = self._path(k)
        path, start = self._after_a_placed_link(path)
        unknown = self._unknowns(path)
        steps = self._steps(path, unknown)
        if steps is not None:
            got = reach(steps, self._seen_from(k, path))
        else:
            got = self._swept(k, path, unknown)
        if start is not None and not got.undecided:
            self_centred = all(kind in ISOTROPIC for kind, _ in got.factors) and self._hangs_at(start, path, k)
            if not self_centred:
                got = Reach(
                    faithful=False, undecided=f"what hangs on {self._name(start)}, of which only a point has mass"
                )
        return got, unknown

    def _swept(self, k: int, path: list[int], unknown: list[sp.Symbol]) -> Reach:
        """What expressions sweep; a ball at the end of the chain turns about the place that they give."""
        spinning = [j for j in path if self.links[j].kind == "spin"]
        if not spinning:
            return swept_by(self._map(k, path), unknown, self.model)
        if spinning != path[-1:] or self.masses[k].sees != "pose":
            return Reach(faithful=False, undecided="a ball joint in a chain whose joints share coordinates")
        name = str(self.links[path[-1]].variable)
        got = swept_by(self._place(path), [q for q in unknown if str(q) != name], self.model)
        if got.undecided or got.unused:
            return Reach(faithful=False, undecided=got.undecided or f"{', '.join(got.unused)} moves no mass")
        why = "; ".join(one for one in (got.why, f"{name} gives every orientation about it") if one)
        return Reach((*got.factors, ("RP3", (name,))), False, why=why)

    def _after_a_placed_link(self, path: list[int]) -> tuple[list[int], int | None]:
        for i in range(len(path) - 1, -1, -1):
            if path[i] in self.placed:
                return path[i + 1 :], path[i]
        return path, None

    def _hangs_at(self, start: int, path: list[int], k: int) -> bool:
        """Whether the chain beyond a placed link turns about the place that is known of it."""
        if not path:
            return False
        p = np.array([self._number(x) for x in self.links[path[0]].position])
        return bool(np.linalg.norm(p - self.masses[start].centre) <= 1e-9 * float(np.linalg.norm(p)))

    def _unknowns(self, path: Iterable[int]) -> list[sp.Symbol]:
        found: dict[sp.Symbol, None] = {}
        for k in path:
            for q in self._symbols(k):
                if q not in self.known:
                    found.setdefault(q)
        return list(found)

    def _symbols(self, k: int) -> list[sp.Symbol]:
        link = self.links[k]
        if link.kind == "spin":
            return [link.variable]
        return [q for q in self.free if q in self._amount(k).free_symbols]

    def _amount(self, k: int) -> sp.Expr:
        return sp.sympify(self.links[k].variable, strict=True).subs(self.fixed)

    def _steps(self, path: list[int], unknown: list[sp.Symbol]) -> list[Step] | None:
        """The chain as elementary steps, each with a coordinate of its own; None where coordinates are shared."""
        steps: list[Step] = []
        taken: set[sp.Symbol] = set()
        for k in path:
            link = self.links[k]
            R = np.array([[self._number(x) for x in row] for row in link.rotation])
            p = np.array([self._number(x) for x in link.position])
            axis = np.array([self._number(x) for x in link.axis])
            own = [q for q in self._symbols(k) if q in unknown]
            if not own:
                steps.append(self._stay(k))
                continue
            if len(own) > 1 or own[0] in taken:
                return None
            if link.kind != "spin" and sp.diff(self._amount(k), own[0]).free_symbols & {*self.free, self.model.time}:
                return None
            taken.add(own[0])
            steps.append(Step(link.kind, axis, R, p, str(own[0])))
        return _without_stays(steps)

    def _stay(self, k: int) -> Step:
        """A joint whose value is known, at a sample of that value."""
        lifted = self.s.tree.links[k]
        R = np.array([[self._number(x) for x in row] for row in lifted.R])
        return Step("stay", np.zeros(3), R, np.array([self._number(x) for x in lifted.p]), "")

    def _seen_from(self, k: int, path: list[int]) -> LinkMass:
        """Mass properties of link k on the last step of the chain: joints with known values behind it are folded in."""
        mass = self.masses[k]
        R, p = np.eye(3), np.zeros(3)
        for j in reversed(path):
            if any(q not in self.known for q in self._symbols(j)):
                break
            stay = self._stay(j)
            p, R = stay.R @ p + stay.p, stay.R @ R
        return LinkMass(mass.m, R @ mass.centre + p, R @ mass.inertia @ R.T)

    def _pose(self, path: list[int]) -> tuple[sp.Matrix, sp.Matrix]:
        """Rotation and position of the end of a chain."""
        R, p = sp.eye(3), sp.zeros(3, 1)
        for j in path:
            lifted = self.s.tree.links[j]
            p = p + R * sp.Matrix(3, 1, list(lifted.p))
            R = R * sp.Matrix([list(row) for row in lifted.R])
        return R, p

    def _place(self, path: list[int]) -> list[sp.Expr]:
        """Where the end of a chain is, as expressions of the unknown coordinates."""
        return self._valued(list(self._pose(path)[1]))

    def _map(self, k: int, path: list[int]) -> list[sp.Expr]:
        """What masses of link k see, as expressions of the unknown coordinates."""
        R, p = self._pose(path)
        mass = self.masses[k]
        seen = list(p + R * sp.Matrix(mass.centre.tolist())) if mass.m > 0 else []
        if mass.turning_rank == 3:
            seen += list(R)
        elif mass.turning_rank:
            seen += list(R * sp.Matrix(mass.axis.tolist()))
        return self._valued(seen)

    def _valued(self, seen: list[sp.Expr]) -> list[sp.Expr]:
        values = {**self.model.values, **{q: self.sample[q] for q in self.known if q in self.sample}}
        return [sp.nsimplify(sp.sympify(e, strict=True).subs(self.fixed).xreplace(values), rational=True) for e in seen]

    def _number(self, e: sp.Expr) -> float:
        value = sp.sympify(e, strict=True).subs(self.fixed).xreplace({**self.model.values, **self.sample})
        return float(value)

    # --- bookkeeping -------------------------------------------------------------------------------

    def _entangled(self, unknown: list[sp.Symbol]) -> bool:
        return bool(set(unknown) & self.used)

    def _take(self, k: int, got: Reach, unknown: list[sp.Symbol]) -> None:
        path, name = self._path(k), self._name(k)
        if not unknown:
            self.located.update(path)
            return
        if got.undecided or self._entangled(unknown):
            reason = got.undecided or "its joints are shared with another branch of massless links"
            self.result.undecided.append(f"{name}: {reason}")
            names = {str(q) for q in unknown}
            touched = [factor for factor in self.result.factors if names & set(factor.coordinates)]
            names = names.union(*(factor.coordinates for factor in touched))
            self.result.factors[:] = [factor for factor in self.result.factors if factor not in touched]
            self.result.factors.append(Factor("?", len(names), tuple(sorted(names))))
            self.used.update(unknown)
            self.located.update(path)
            return
        self.result.factors += [Factor.of(kind, own) for kind, own in got.factors]
        self.result.why.append(f"{name}: {got.why}" if got.why else f"{name}: {_plainly(got)}")
        if got.faithful:
            self.known.update(unknown)
            self.located.update(path)
            return
        if all(len(names) == 1 and kind in ("E", "S1") for kind, names in got.factors):
            self.known.update(q for q in unknown if str(q) not in got.unused)  # the others wait for what is carried
            return
        self.used.update(q for q in unknown if str(q) not in got.unused)
        if self.masses[k].sees == "position" or "direction" in self.masses[k].sees:
            self.placed.add(k)
        else:
            self.located.update(path)

    def _idle(self) -> None:
        """Coordinates that move no mass are no part of the manifold."""
        named = {name for factor in self.result.factors for name in factor.coordinates}
        variables = [one.name for one in self.model.variables if isinstance(one, QuaternionVariable)]
        for name in [*variables, *(str(q) for q in self.free if not _is_component(q, self.model))]:
            if name not in named:
                self.result.why.append(f"{name} moves no mass, so it is no part of the manifold")

    def _name(self, k: int) -> str:
        tree = self.s.tree.tree
        carried = [mass.name for mass in tree.masses if tree.attachments[mass.frame].link == k]
        return ", ".join(carried) or self.links[k].name


def _without_stays(steps: list[Step]) -> list[Step]:
    """Known joints folded into the placements of the next ones; those at the end are folded into the masses."""
    found: list[Step] = []
    R, p = np.eye(3), np.zeros(3)
    for step in steps:
        if step.kind == "stay":
            p, R = p + R @ step.p, R @ step.R
        else:
            found.append(Step(step.kind, step.axis, R @ step.R, p + R @ step.p, step.name))
            R, p = np.eye(3), np.zeros(3)
    return found


def _is_component(q: sp.Symbol, model: Model) -> bool:
    return any(isinstance(one, QuaternionVariable) and q in one.configuration for one in model.variables)


def _plainly(got: Reach) -> str:
    words = {"S1": "a circle", "E": "a line"}
    return "; ".join(f"{', '.join(names)} gives {words.get(kind, kind)}" for kind, names in got.factors) or "fixed"
