"""Findings as a table for notebooks. Everything that comes from a model is escaped: names can hold anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardan.diagnosis.words import counted
from cardan.native.showing import framed, table

if TYPE_CHECKING:
    from cardan.diagnosis.findings import Diagnosis, Finding


def diagnosis_html(found: Diagnosis) -> str:
    """What is singular here and why, one row per finding."""
    listed = [*found.findings, *found.near, *found.notes]
    known = found.configuration_dof is not None
    places = counted(found.configuration_dof, "freedom") if known else "Undecided freedoms"
    rates = "undecided" if found.velocity_dof is None else found.velocity_dof
    freedoms = f"<p>{places} of configuration, {rates} of velocity.</p>"
    if not listed:
        return framed("<p><b>Regular</b>: coordinates, loads and constraints are all regular here.</p>", freedoms)
    title = "Singular here" if found.findings else "Regular here"
    head = ("finding", "where", "what", "why", "indicator", "singular below")
    return framed(f"<p><b>{title}</b></p>", table(map(_row, listed), head), freedoms)


def _row(one: Finding) -> tuple[str, ...]:
    kind = f"{'near ' if one.is_near else ''}{one.kind}"
    return kind, ", ".join(one.where), one.what, one.why, f"{one.indicator:.3g}", f"{one.tolerance:g}"
