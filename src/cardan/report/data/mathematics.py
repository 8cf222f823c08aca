"""The equations of a system, typeset; for a large one a sentence in place of pages nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from cardan.diagnosis.facts import Facts
from cardan.equations.terms import Terms
from cardan.model.model import Model
from cardan.report.data.entries import EquationEntry

LONGEST_TERM = 2500  # characters of LaTeX in one formula
LONGEST_BLOCK = 12_000  # characters in all lines of one entry


def equation_entries(facts: Facts) -> list[EquationEntry]:
    """Titles with lines of LaTeX: energies, M, f, g, Q, A, and the equations themselves."""
    model, law = facts.equations.model, _law(facts.equations.model)
    if not facts.size.is_small:
        note = f"Written out they would fill pages ({facts.size}). Their numbers are in s.equations().at(q, v)."
        return [law, entry("Terms", [], note)]
    if facts.terms is None:  # energies that are not quadratic have no M
        return [law, entry("Terms", [], facts.problems["terms"])]
    return [law, *_terms(facts.terms, model)]


def entry(title: str, lines: list[str], note: str = "") -> EquationEntry:
    return {"title": title, "latex": lines, "note": note}


def _law(model: Model) -> EquationEntry:
    if not model.constraints:
        return entry("Law of motion", [r"M \dot v + f + g = Q"])
    note = "Multipliers push along their constraints with this sign everywhere."
    return entry("Law of motion", [r"M \dot v + f + g = Q + A^{\mathsf T} \lambda", r"A v + b_0 = 0"], note)


def _terms(terms: Terms, model: Model) -> Iterator[EquationEntry]:
    yield entry("Velocities", ["v = " + sp.latex(sp.Matrix(model.v))])
    yield _energies(terms, model)
    yield block("Mass matrix", [("M", terms.mass_matrix)])
    yield block("Terms of kinetic energy", [("f", terms.velocity_terms)])
    if any(terms.potential_terms):
        yield block("Terms of potentials", [("g", terms.potential_terms)])
    if any(terms.forces):
        yield block("Applied forces", [("Q", terms.forces)])
    for symbol, value in model.prescribed.items():
        lines = [f"{sp.latex(symbol)} = {sp.latex(value)}"]
        yield entry(f"Prescribed motion of {symbol}", lines, "What drives it is its multiplier.")
    if terms.constraint_matrix is not None:
        yield from _constraints(terms)


def _constraints(terms: Terms) -> Iterator[EquationEntry]:
    if terms.places:
        places = [(rf"\phi_{{\text{{{plain(name)}}}}}", phi) for name, phi in terms.places]
        yield block("Constraints of places, phi = 0", places)
    pairs = [("A", terms.constraint_matrix)] + ([("b_0", terms.offsets)] if any(terms.offsets or ()) else [])
    yield block("Constraints of velocities, A v + b_0 = 0", pairs, "Rows: " + ", ".join(terms.names) + ".")


def plain(name: str) -> str:
    """A name that LaTeX takes as text."""
    return "".join(x if x.isalnum() else " " for x in name)


def _energies(terms: Terms, model: Model) -> EquationEntry:
    T2, T1, T0 = terms.kinetic_energy_split
    parts = [("T_2", T2), ("T_1", T1), ("T_0", T0), ("V", terms.potential_energy)]
    note = "T is split by powers of the velocities." if T1 != 0 or T0 != 0 else ""
    if model.lagrangians and not model.has_bodies:
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
