"""What an object of SymPy's mechanics module says, said to a system."""

from __future__ import annotations

import re
from collections.abc import Mapping

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, dynamicsymbols

from cardan.errors import DerivationError, ModelError
from cardan.formats.describable import Describable
from cardan.formats.sympy_mechanics.kane import read_kane
from cardan.formats.sympy_mechanics.lagrange import read_lagrange
from cardan.formats.sympy_mechanics.said import Said

Given = Mapping[sp.Symbol | str, float]


def read_method(method: LagrangesMethod | KanesMethod) -> Said:
    """What the object says, whichever of the two it is."""
    if isinstance(method, LagrangesMethod):
        return read_lagrange(method)
    if isinstance(method, KanesMethod):
        return read_kane(method)
    raise DerivationError(
        f"from_sympy takes a LagrangesMethod or a KanesMethod, found {type(method).__name__}.", found=method
    )


def tell(said: Said, system: Describable, values: Given) -> dict[str, str]:
    """Say it to a system; returns names that had to be changed, since they are no names in expressions."""
    renamed: dict[str, str] = {}

    def name(text: str) -> str:
        clean = re.sub(r"\W+", "_", text).strip("_")
        if clean != text:
            renamed[text] = clean
        return clean

    words: dict[sp.Basic, sp.Basic] = {dynamicsymbols._t: system.time}
    for q, qd in zip(said.letters.q, said.letters.qd, strict=True):
        coordinate = system.coordinates(name(q.name))
        words |= {q: coordinate, qd: coordinate.dot}
    words |= {one: system.input(name(str(one.func))) for one in _signals(said)}
    words |= {symbol: system.parameters(**{name(str(symbol)): value}) for symbol, value in _parameters(said, values)}
    _say(said, system, words)
    return renamed


def _say(said: Said, system: Describable, words: Mapping[sp.Basic, sp.Basic]) -> None:
    if said.kinetic_energy != 0:
        system.kinetic_energy(said.kinetic_energy.xreplace(words))
    if said.lagrangian != 0:
        system.lagrangian(said.lagrangian.xreplace(words))
    for q, force in zip(said.letters.q, said.forces, strict=True):
        if force != 0:
            system.generalized_force(words[q], force.xreplace(words))
    for k, one in enumerate(said.holonomic, start=1):
        system.constrain(one.xreplace(words), name=f"configuration_{k}")
    for k, one in enumerate(said.velocity, start=1):
        system.constrain_velocity(one.xreplace(words), name=f"velocity_{k}")


def _signals(said: Said) -> list[sp.Expr]:
    """Functions of time that are no coordinates: they become inputs."""
    found = {atom for one in said.expressions for atom in one.atoms(AppliedUndef)}
    for one in found:
        if one.args != (dynamicsymbols._t,):
            raise DerivationError(f"{one} is no function of time alone; write out what it is.", name=str(one))
    return sorted(found, key=str)


def _parameters(said: Said, values: Given) -> list[tuple[sp.Symbol, float]]:
    """The symbols that are left with their values, which must be given."""
    left = {one for expression in said.expressions for one in expression.free_symbols}
    left -= {*said.letters.q, *said.letters.qd, dynamicsymbols._t}
    told = {str(symbol): value for symbol, value in values.items()}
    missing = sorted(str(one) for one in left if str(one) not in told)
    if missing:
        raise ModelError(
            f"No value for {', '.join(missing)}: give them, from_sympy(..., values={{{missing[0]!r}: 1.0, ...}}).",
            missing=missing,
        )
    unused = sorted(set(told) - {str(one) for one in left})
    if unused:
        known = ", ".join(sorted(str(one) for one in left)) or "none"
        raise ModelError(f"{unused[0]!r} is no parameter of the SymPy object. Its parameters: {known}.", name=unused[0])
    return [(symbol, float(told[str(symbol)])) for symbol in sorted(left, key=str)]
