"""What a page is made of: one record for each thing that its script reads (frontend/src), in the form of JSON.

A document has a "model", which stays while sliders move, and a "motion", which is replaced.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from cardan.report.data.live_entries import LiveEntry
from cardan.report.data.special_entries import SpecialEntry


class Packed(TypedDict, total=False):
    """Numbers as shape and base64 of little-endian bytes, under the name of their kind."""

    shape: list[int]
    f32: str
    f64: str


# --- the model -----------------------------------------------------------------------------------------

Shape = TypedDict(
    "Shape",
    {
        "kind": str,
        "position": list[float],
        "quaternion": list[float],
        "opacity": float,
        "colour": str,
        "radius": float,
        "length": float,
        "tube": float,
        "size": list[float],
        "radii": list[float],
        "from": list[float],
        "to": list[float],
        "normal": list[float],
        "point": list[float],
        "extent": float,
        "vertices": Packed,
        "faces": Packed,
    },
    total=False,
)
"""A solid in the frame that carries it; which sizes it has depends on its kind ("sphere", "bar", "ring", ...)."""


class BodyEntry(TypedDict):
    """Something that moves."""

    name: str
    kind: str  # "body", "particle", "marker" or "drawn"
    mass: float
    colour: int
    shapes: list[Shape]


class JointEntry(TypedDict):
    """A joint, on the body of this index."""

    name: str
    kind: str
    body: int
    position: list[float]
    axis: list[float] | None


class Shapes(TypedDict):
    """What there is to see, without its motion."""

    bodies: list[BodyEntry]
    fixtures: list[Shape]
    joints: list[JointEntry]


class CoordinateEntry(TypedDict):
    """A configuration number; ``period`` where it is an angle."""

    name: str
    latex: str
    unit: str
    period: float | None


class Row(TypedDict):
    """A line of a table; its tone is "plain", "good", "warn" or "bad"."""

    label: str
    value: str
    detail: NotRequired[str]
    tone: NotRequired[str]


class SetEntry(TypedDict):
    """A singular set in words and typeset."""

    kind: str
    text: str
    latex: str
    load: str | None


class MarkEntry(TypedDict):
    """A singular set as curves of a portrait."""

    kind: str
    label: str
    curves: list[Packed]


class PortraitEntry(TypedDict):
    """Two histories against each other, on a "plane", "cylinder" or "torus"."""

    title: str
    surface: str
    x: str
    y: str
    x_period: float | None
    y_period: float | None
    singular: list[MarkEntry]


class EquationEntry(TypedDict):
    """Formulas under a title."""

    title: str
    latex: list[str]
    note: str


class Slider(TypedDict):
    """Something that a page may change; ``of`` says of a start whether it is a position ("q") or a speed ("v")."""

    group: str  # "parameters", "start", "loads" or "inputs"
    name: str
    latex: str
    unit: str
    value: float
    minimum: float
    maximum: float
    step: float
    of: NotRequired[str]


class MapAxis(TypedDict):
    """One of the two things that a map is over: its values, and where a request puts them."""

    label: str
    group: str  # of a request: "values", "q", "v", "loads" or "inputs"
    name: str
    values: list[float]
    stride: int  # rows from one value to the next


class Put(TypedDict):
    """A value that all pixels of a map share."""

    group: str
    name: str
    value: float


class MapEntry(TypedDict):
    """A number of every row of a study, as colours over two of what was varied; a click shows the row."""

    title: str
    label: str
    x: MapAxis
    y: MapAxis
    rest: list[Put]
    first: int  # row of the first pixel
    chosen: list[int]  # column and row of the pixel whose run the page was made with
    values: Packed  # rows by columns
    ends: Packed  # how each row ended, as indices of ``endings``
    endings: list[str]
    reasons: dict[str, str]  # of failures, by number of the row
    low: float
    high: float
    logarithmic: bool
    colours: list[str]
    missing: str
    python: str  # how a row is seen where the page cannot compute it


class ModelPage(Shapes):
    """What does not move: shapes, words, equations."""

    name: str
    up: list[float]
    size: float
    centre: list[float]
    coordinates: list[CoordinateEntry]
    verdict: list[Row]
    standing: list[Row]  # the part of the verdict that is not about one motion
    singular_sets: list[SetEntry]
    portraits: list[PortraitEntry]
    equations: list[EquationEntry]
    provenance: list[Row]
    controls: list[Slider] | None
    special: list[SpecialEntry]  # rests, modes, loci and families that were asked for
    live: LiveEntry | None  # what the page needs to compute motions by itself
    map: MapEntry | None  # of the study that the motion is a row of


# --- the motion ----------------------------------------------------------------------------------------


class PoseEntry(TypedDict):
    """Where one body is at each frame, and by how much it is stretched along its z axis."""

    position: Packed
    quaternion: Packed
    stretch: NotRequired[Packed]


class Arrow(TypedDict):
    """A force or moment at each frame; where ``visible`` is given, shown while it is 1."""

    name: str
    kind: str  # "load", "reaction-force", "reaction-moment" or "lost"
    at: Packed
    vector: Packed
    unit: str
    visible: Packed | None


class Series(TypedDict):
    """One history, in the plot of its group."""

    group: str
    name: str
    latex: str
    unit: str
    values: Packed
    threshold: float | None
    log: bool


class FindingEntry(TypedDict):
    """What was singular from ``t`` to ``t_end``, with the series that tells of it."""

    t: float
    t_end: float
    kind: str
    title: str
    what: str
    why: str
    evidence: list[list[str]]
    remedies: list[str]
    series: str | None


class EventEntry(TypedDict):
    """What happened at ``t``: its kind for programs, its title for people."""

    t: float
    kind: str
    title: str
    name: str
    what: str
    facts: list[list[str]]


class MotionPage(TypedDict):
    """What moves; ``shapes`` where they are not those of the model, because a length has changed."""

    times: Packed
    status: str
    message: str
    poses: list[PoseEntry]
    arrows: list[Arrow]
    series: list[Series]
    findings: list[FindingEntry]
    events: list[EventEntry]
    audit: list[Row]
    verdict: list[Row]  # the part that is about this motion
    shapes: NotRequired[Shapes]


class Document(TypedDict):
    """The whole page; its kind is "report" or "viewer"."""

    format: str
    kind: str
    model: ModelPage
    motion: MotionPage
