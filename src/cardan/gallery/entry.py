"""One entry of the gallery: a model made with the public names, a lesson, and checks against the text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from cardan.api.run import Run
from cardan.api.system import System
from cardan.gallery.catalogue import TITLES, Text, text_of
from cardan.trajectory.settings import Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Start(TypedDict, total=False):
    """Where a motion begins: ``s.simulate(3.0, **start)``."""

    q: Values
    v: Values


class Ordered(TypedDict):
    """The same in the order of the coordinates, for starts that are computed with."""

    q: list[float]
    v: list[float]


class Tolerances(TypedDict):
    """How closely it is followed: ``s.simulate(3.0, **start, **tolerances)``."""

    rtol: float
    atol: float


@dataclass(frozen=True)
class Check:
    """A result held against a formula of the text, typed in by hand; ``equation`` is its number there.

    ``error`` is how far the two are apart, where that can be measured.
    """

    name: str
    equation: str
    computed: object
    expected: object
    tolerance: float
    because: str
    passed: bool
    error: float | None = None


@dataclass(frozen=True)
class Plate:
    """A further figure of an entry, such as one of the text drawn again; ``name`` ends the name of its file."""

    name: str
    caption: str
    figure: Figure


@dataclass(frozen=True)
class Entry:
    """A system of a text. ``checks`` gets the system, so that the checks themselves can be tried on a wrong one.

    ``start`` holds keyword arguments of ``simulate``. ``picture`` draws a matplotlib figure of the run; without it
    the histories of the run are drawn, or, where ``portrait`` names two of them, one against the other. ``plates``
    draws further figures, those of the text among them.
    """

    id: str
    where: str  # sections and equations of the text
    lesson: str  # one paragraph
    system: Callable[[], System]
    checks: Callable[[System], Iterable[Check]]
    start: Mapping[str, Any] = field(default_factory=dict)
    picture: Callable[[Run], Figure] | None = None
    caption: str = ""
    portrait: tuple[str, str] | None = None
    plates: Callable[[], Iterable[Plate]] | None = None
    sketched: bool = False  # whether the site also shows the mechanism itself, at a few moments
    erratum: str = ""  # where the text is wrong, what is checked instead

    @property
    def title(self) -> str:
        """The title in the catalogue."""
        return TITLES[self.id]

    @property
    def text(self) -> Text:
        """The text that the entry is taken from."""
        return text_of(self.id)

    @property
    def source(self) -> str:
        """Authors, year, sections and equations."""
        return f"{self.text.authors} ({self.text.year}), {self.where}"

    def ready(self) -> System:
        """The system with its start as its plan: ``s.simulate(**s.plan)`` is the run of the picture."""
        made = self.system()
        made.plan = dict(self.start)
        return made

    def run(self) -> Run:
        """The motion from the entry's start."""
        return self.system().simulate(**self.start)
