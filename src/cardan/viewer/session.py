"""What a page may ask of a run, checked, and the answers: the document at first, then motions with other values."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from cardan.errors import CardanError
from cardan.native.once import once
from cardan.report.data.controls import controls
from cardan.simulation.progress import observed

if TYPE_CHECKING:
    from cardan.diagnosis.along import JudgedTrajectory
    from cardan.report.data.entries import ModelPage, Slider
    from cardan.report.data.maps import Picture
    from cardan.report.data.special import Special

LONGEST = 1000.0  # seconds of motion that a page may ask for
PATIENCE = {"drag": 3.0, "full": 20.0}  # seconds that computing one motion may take
LARGEST_MESSAGE = 64 * 1024  # bytes; a request names each slider once

Name = Annotated[str, Field(min_length=1, max_length=200)]
Numbers = Annotated[dict[Name, FiniteFloat], Field(max_length=1000)]


class Request(BaseModel):
    """A motion with other values, as a page asks for it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    type: Literal["run"]
    serial: Annotated[int, Field(ge=0, le=2**53)]
    values: Numbers = Field(default_factory=dict)
    q: Numbers = Field(default_factory=dict)
    v: Numbers = Field(default_factory=dict)
    loads: Numbers = Field(default_factory=dict)
    inputs: Numbers = Field(default_factory=dict)
    duration: Annotated[FiniteFloat, Field(gt=0, le=LONGEST)] | None = None
    quality: Literal["drag", "full"] = "full"


@dataclass(frozen=True)
class Change:
    """Values that differ from those of the first run, by name."""

    values: Mapping[str, float] = field(default_factory=dict)
    q: Mapping[str, float] = field(default_factory=dict)
    v: Mapping[str, float] = field(default_factory=dict)
    signals: Mapping[str, float] = field(default_factory=dict)
    duration: float | None = None


class Refused(Exception):
    """A message of a page that cannot be accepted; says why."""

    def __init__(self, title: str, what: str, serial: int | None = None) -> None:
        super().__init__(what)
        self.title, self.what, self.serial = title, what, serial


class Session:
    """One run on show. ``move`` makes the run again with changes; pages only send numbers for names that exist."""

    def __init__(
        self,
        run: JudgedTrajectory,
        move: Callable[[Change], JudgedTrajectory],
        picture: Picture | None = None,
        special: Sequence[Special] = (),
    ) -> None:
        self.run, self.move, self.picture, self.special = run, move, picture, special
        self.stage, self.part = "waiting", 0.0  # of preparing the document
        self._model: ModelPage | None = None
        self._is_over = False

    def close(self) -> None:
        """Nobody looks any more: what is being computed ends soon."""
        self._is_over = True

    @property
    def name(self) -> str:
        return self.run.model.name

    @once
    def controls(self) -> list[Slider]:
        return controls(self.run)

    @once
    def document(self) -> str:
        """The first message to every page."""
        from cardan.report.data.document import document

        content = document(self.run, kind="viewer", tell=self._tell, picture=self.picture, special=self.special)
        content["model"]["controls"] = self.controls
        self._model = content["model"]
        return encoded({"type": "document", "document": content})

    def _tell(self, stage: str, part: float) -> None:
        self.stage, self.part = stage, part
        if self._is_over:
            raise Refused("Closed", "The viewer has been closed.")

    @property
    def progress(self) -> str:
        """How far the document is, as a message."""
        return encoded({"type": "progress", "stage": self.stage, "part": self.part})

    # --- requests ----------------------------------------------------------------------------------

    def read(self, text: str) -> Request:
        """The request in a message; Refused where it is none."""
        try:
            request = Request.model_validate_json(text)
        except ValidationError as problem:
            first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(part)[:200] for part in first["loc"])
            raise Refused("Message refused", f"{where}: {first['msg']}" if where else first["msg"]) from None
        for group in ("values", "q", "v", "loads", "inputs"):
            unknown = [name for name in getattr(request, group) if name not in self._starts[group]]
            if unknown:
                known = ", ".join(self._starts[group]) or "none"
                raise Refused(
                    "Unknown name", f"{group} names {unknown[0]!r}, unknown here. Known: {known}.", request.serial
                )
        return request

    @once
    def _starts(self) -> dict[str, dict[str, float]]:
        """Values of the first run by group of a request; speeds answer to the names of their coordinates too."""
        found: dict[str, dict[str, float]] = {"values": {}, "q": {}, "v": {}, "loads": {}, "inputs": {}}
        groups = {"parameters": "values", "loads": "loads", "inputs": "inputs"}
        for one in self.controls:
            group = one["of"] if one["group"] == "start" else groups[one["group"]]
            found[group][one["name"]] = one["value"]
        return found

    def _change(self, request: Request) -> Change:
        def changed(group: str) -> dict[str, float]:
            before = self._starts[group]
            return {name: value for name, value in getattr(request, group).items() if value != before[name]}

        signals = changed("loads") | changed("inputs")
        return Change(changed("values"), changed("q"), changed("v"), signals, request.duration)

    # --- answers -----------------------------------------------------------------------------------

    def answer(self, request: Request, is_wanted: Callable[[], bool] = lambda: True) -> str:
        """The motion asked for, as a message; Refused where there is none. Ends early where nobody wants it any more.

        What takes longer than the page should wait for is shown as far as it came.
        """
        from cardan.report.data.document import motion

        begun, change = time.perf_counter(), self._change(request)
        deadline = begun + PATIENCE[request.quality]

        def go_on() -> None:
            if self._is_over or not is_wanted():
                raise Refused("Not wanted", "A newer request has come.", request.serial)

        try:
            with observed(lambda t: not self._is_over and is_wanted() and time.perf_counter() < deadline):
                run = self.move(change)
            content = motion(run, request.quality, go_on, self._model if change.values else None)
        except CardanError as problem:
            raise Refused(spelled(type(problem).__name__), str(problem), request.serial) from problem
        except (ArithmeticError, ValueError, TypeError) as problem:
            what = f"The motion could not be computed with these values: {type(problem).__name__}: {problem}"
            raise Refused("No motion", what, request.serial) from problem
        return encoded(
            {
                "type": "motion",
                "serial": request.serial,
                "quality": request.quality,
                "milliseconds": 1e3 * (time.perf_counter() - begun),
                "motion": content,
            }
        )


def refusal(problem: Refused) -> str:
    """An error as a message."""
    return encoded({"type": "error", "serial": problem.serial, "title": problem.title, "what": problem.what})


def spelled(name: str) -> str:
    """StartError as "Start error"."""
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
    return words[:1].upper() + words[1:]


def encoded(content: object) -> str:
    """JSON as browsers read it: numbers that are not finite become null."""
    try:
        return json.dumps(content, allow_nan=False, separators=(",", ":"))
    except ValueError:
        return json.dumps(finite(content), allow_nan=False, separators=(",", ":"))


def finite(content: object) -> object:
    if isinstance(content, dict):
        return {key: finite(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content
