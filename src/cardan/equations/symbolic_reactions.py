"""Reactions in symbols, by balance: mass times acceleration minus what acts, made short while there is time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp

from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.tidy import tidy
from cardan.equations.unplaced import included_in_reactions
from cardan.geometry import matrix as m3
from cardan.native.deadline import BUDGET, OutOfTime, check, within
from cardan.native.showing import Shown, table


@dataclass(frozen=True)
class SymbolicReaction(Shown):
    """Force and moment (None for a particle) on a body, as columns along its own axes.

    ``includes`` names what was typed without a place: a balance cannot tell it from a reaction.
    """

    force: sp.Matrix
    moment: sp.Matrix | None
    includes: tuple[str, ...] = ()


class SymbolicReactions(Shown, dict[str, SymbolicReaction]):
    """Reactions by the name of the body or particle.

    Those that there was no time to make short are right all the same, and named in ``unshortened``; called with
    ``budget=``, it takes so many seconds for them.
    """

    def __init__(self, search: Callable[[float | None], SymbolicReactions]) -> None:
        super().__init__()
        self.search = search
        self.unshortened: tuple[str, ...] = ()

    def __call__(self, *, budget: float | None = BUDGET) -> SymbolicReactions:
        """The same after so many seconds (None: no limit), if any was left long."""
        return self.search(budget) if self.unshortened else self

    def _pieces(self) -> Iterator[str]:
        head = ("on", "force", "moment", "includes")
        yield table([(name, one.force, one.moment, one.includes) for name, one in self.items()], head)


def symbolic_reactions(s: SymbolicEquations, budget: float | None = BUDGET) -> SymbolicReactions:
    """The balance of every body and particle, along its own axes."""
    found = SymbolicReactions(lambda longer: symbolic_reactions(s, longer))
    included = included_in_reactions(s.model)
    frames = {thing.name: thing.frame for thing in (*s.model.bodies, *s.model.particles)}
    with within(budget, "reactions"):
        for balance in s.balances:
            R, _ = s.tree.offset(frames[balance.name])
            back = m3.transpose(R)
            parts = [balance.force] if balance.moment is None else [balance.force, balance.moment]
            long = [[s.impose(x) for x in m3.matvec(back, part)] for part in parts]
            columns = [sp.Matrix(column) for column in _short(found, balance.name, long)]
            moment = columns[1] if len(columns) > 1 else None
            found[balance.name] = SymbolicReaction(columns[0], moment, included[balance.name])
    return found


def _short(found: SymbolicReactions, name: str, columns: list[list[sp.Expr]]) -> list[list[sp.Expr]]:
    """The columns made readable, or as they are where time is up."""
    short: list[list[sp.Expr]] = []
    try:
        for column in columns:
            check()
            short.append([tidy(one) for one in column])
        check()
    except OutOfTime:
        found.unshortened += (name,)
    return short + columns[len(short) :]
