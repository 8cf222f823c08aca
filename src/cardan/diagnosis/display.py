"""Findings as a table for notebooks. Everything that comes from a model is escaped: names can hold anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardan.diagnosis.findings import Diagnosis, Finding

LEFT = ' style="text-align:left;vertical-align:top"'


def table(rows: Iterable[Sequence[object]], head: Sequence[object] = ()) -> str:
    """An HTML table of texts."""
    top = f"<thead><tr>{''.join(f'<th{LEFT}>{escape(str(one))}</th>' for one in head)}</tr></thead>" if head else ""
    body = "".join("<tr>" + "".join(f"<td{LEFT}>{escape(str(one))}</td>" for one in row) + "</tr>" for row in rows)
    return f"<table>{top}<tbody>{body}</tbody></table>"


def diagnosis_html(found: Diagnosis) -> str:
    """What is singular here and why, one row per finding."""
    listed = [*found.findings, *found.near, *found.notes]
    places, rates = ("Undecided" if one is None else one for one in (found.configuration_dof, found.velocity_dof))
    freedoms = f"<p>{places} freedoms of configuration, {rates} of velocity.</p>"
    if not listed:
        return f"<p><b>Regular</b>: coordinates, loads and constraints are all regular here.</p>{freedoms}"
    title = "Singular here" if found.findings else "Regular here"
    head = ("finding", "where", "what", "why", "indicator", "singular below")
    return f"<p><b>{title}</b></p>{table(map(_row, listed), head)}{freedoms}"


def _row(one: Finding) -> tuple[str, ...]:
    kind = f"{'near ' if one.is_near else ''}{one.kind}"
    return kind, ", ".join(one.where), one.what, one.why, f"{one.indicator:.3g}", f"{one.tolerance:g}"
