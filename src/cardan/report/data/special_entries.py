"""What the page's section on special motions is made of, in the form of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from cardan.report.data.entries import Packed, PoseEntry, Row


class LineEntry(TypedDict):
    """A curve of a chart; its tone is "good", "bad", "plain", or the number of a colour."""

    x: Packed
    y: Packed
    tone: str
    dashed: bool


class DotsEntry(TypedDict):
    """Points of a chart, all alike: "dot", "ring" or "cross"; ``label`` says in words what they are."""

    x: Packed
    y: Packed
    tone: str
    shape: str
    label: str


class ChartEntry(TypedDict):
    """One quantity over another."""

    title: str
    x: str
    y: str
    lines: list[LineEntry]
    marks: list[DotsEntry]


class ModeEntry(TypedDict):
    """A mode that can be shaken: poses of everything that moves, one for each deflection of the section."""

    label: str
    shape: list[Row]  # the coordinates that take part most
    poses: list[PoseEntry]


class SpecialEntry(TypedDict):
    """One answer about special motions: words, charts, modes."""

    kind: str
    title: str
    rows: list[Row]
    charts: list[ChartEntry]
    modes: NotRequired[list[ModeEntry]]
    deflections: NotRequired[Packed]  # in units of the largest, ascending from -1 to 1
    reach: NotRequired[str]  # what the largest deflection is, in words
