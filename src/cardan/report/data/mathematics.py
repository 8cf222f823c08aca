"""The equations of a system, typeset; for a large one a sentence in place of pages nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from cardan.equations.equations import Equations
from cardan.equations.tidy import tidy
from cardan.errors import CardanError
from cardan.model.model import Model
from cardan.report.data.entries import EquationEntry
from cardan.report.data.facts import Facts

LONGEST_TERM = 2500  # characters of LaTeX in one formula
LONGEST_BLOCK = 12_000  # characters in all lines of one entry


def equation_entries(facts: Facts) -> list[EquationEntry]:
    """Titles with lines of LaTeX: energies, M, f, g, Q, A, and the equations themselves."""
    law = _law(facts.run.model)
    if not facts.is_small:
        note = f"Written out they would fill pages ({facts.size}). Their numbers are in s.equations().at(q, v)."
        return [law, entry("Terms", [], note)]
    try:
        return [law, *_terms(facts.equations)]
    except CardanError as problem:  # energies that are not quadratic have no M
        return [law, entry("Terms", [], str(problem))]


def entry(title: str, lines: list[str], note: str = "") -> EquationEntry:
    return {"title": title, "latex": lines, "note": note}


def _law(model: Model) -> EquationEntry:
    if not model.constraints:
        return entry("Law of motion", [r"M \dot v + f + g = Q"])
    note = "Multipliers push along their constraints with this sign everywhere."
    return entry("Law of motion", [r"M \dot v + f + g = Q + A^{\mathsf T} \lambda", r"A v + b_0 = 0"], note)


def _terms(eq: Equations) -> Iterator[EquationEntry]:
    model = eq.model
    yield entry("Velocities", ["v = " + sp.latex(sp.Matrix(model.v))])
    yield _energies(eq)
    yield block("Mass matrix", [("M", eq.mass_matrix)])
    yield block("Terms of kinetic energy", [("f", eq.velocity_terms)])
    if any(eq.potential_terms):
        yield block("Terms of potentials", [("g", eq.potential_terms)])
    yield from _forces(eq)
    if model.constraints:
        yield from _constraints(eq)


def _forces(eq: Equations) -> Iterator[EquationEntry]:
    """Q of the free coordinates, and multipliers of prescribed ones by name."""
    s = eq.symbolic
    Q = sp.Matrix([tidy(s.impose(s.forces[i])) for i in s.free])
    if any(Q):
        yield block("Applied forces", [("Q", Q)])
    for symbol, value in eq.model.prescribed.items():
        lines = [f"{sp.latex(symbol)} = {sp.latex(value)}"]
        yield entry(f"Prescribed motion of {symbol}", lines, "What drives it is its multiplier.")


def _constraints(eq: Equations) -> Iterator[EquationEntry]:
    s, rows = eq.symbolic, eq.constraints
    places = [(rf"\phi_{{\text{{{plain(row.name)}}}}}", s.impose(row.phi)) for row in s.rows if row.phi is not None]
    if places:
        yield block("Constraints of places, phi = 0", places)
    pairs = [("A", rows.matrix)] + ([("b_0", rows.offsets)] if any(rows.offsets) else [])
    yield block("Constraints of velocities, A v + b_0 = 0", pairs, "Rows: " + ", ".join(rows.names) + ".")


def plain(name: str) -> str:
    """A name that LaTeX takes as text."""
    return "".join(x if x.isalnum() else " " for x in name)


def _energies(eq: Equations) -> EquationEntry:
    T2, T1, T0 = eq.kinetic_energy_split
    parts = [("T_2", T2), ("T_1", T1), ("T_0", T0), ("V", eq.potential_energy)]
    note = "T is split by powers of the velocities." if T1 != 0 or T0 != 0 else ""
    if eq.model.lagrangians and not eq.model.has_bodies:
        note = "From a Lagrangian alone T_0 and V are not told apart: V is minus its value at rest."
    return block("Energies", [(name, value) for name, value in parts if value != 0 or name == "T_2"], note)


def block(title: str, pairs: list[tuple[str, sp.Expr]], note: str = "") -> EquationEntry:
    """Lines of LaTeX, name = value; what is too long is told by its size."""
    lines: list[str] = []
    left_out: list[str] = []
    room = LONGEST_BLOCK
    for name, value in pairs:
        text = sp.latex(value)
        if len(text) > LONGEST_TERM or len(text) > room:
            left_out.append(f"{name} ({sp.count_ops(value)} operations)")
            continue
        room -= len(text)
        lines.append(f"{name} = {text}")
    notes = [note] if note else []
    if left_out:
        notes.append("Left out because of their length: " + "; ".join(left_out) + ".")
    return entry(title, lines, " ".join(notes))
