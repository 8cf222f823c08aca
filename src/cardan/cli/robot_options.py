"""Options of robot files, which every command that takes a model has: ``--floating``, ``--no-limits``, ...

``takes_robots`` adds them to a command, whose ``model`` then carries what was typed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Self

import typer

from cardan.formats.file_kinds import RobotOptions

OPTIONS = {
    "floating": Annotated[bool, typer.Option("--floating", help="Of a robot: free the root link.")],
    "no_limits": Annotated[bool, typer.Option("--no-limits", help="Of a robot: joint limits are no stops.")],
    "repair": Annotated[
        bool, typer.Option("--repair", help="Of a robot: replace inertias that no body has by the nearest possible.")
    ],
    "root": Annotated[Path | None, typer.Option(help="Folder below which the files that the model names may lie.")],
}
DEFAULTS: dict[str, bool | None] = {"floating": False, "no_limits": False, "repair": False, "root": None}


class ModelName(str):
    """A model as typed, with the options of robot files."""

    robot: RobotOptions

    @classmethod
    def of(cls, name: str, floating: bool, no_limits: bool, repair: bool, root: Path | None) -> Self:
        made = cls(name)
        made.robot = RobotOptions(floating, None if no_limits else 0.0, "repair" if repair else "refuse", root)
        return made


def takes_robots(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of robot files; its ``model`` becomes a ModelName."""
    signature = inspect.signature(command, eval_str=True)
    kind = inspect.Parameter.KEYWORD_ONLY
    more = [
        inspect.Parameter(name, kind, default=DEFAULTS[name], annotation=option) for name, option in OPTIONS.items()
    ]

    @wraps(command)
    def with_robots(**given: object) -> None:
        own = {name: given.pop(name) for name in OPTIONS}
        command(**{**given, "model": ModelName.of(str(given["model"]), **own)})  # type: ignore[arg-type]  # as typer parsed them

    with_robots.__signature__ = signature.replace(  # type: ignore[attr-defined]  # what typer reads
        parameters=[*(one.replace(kind=kind) for one in signature.parameters.values()), *more]
    )
    with_robots.__annotations__ = {
        **{one.name: one.annotation for one in signature.parameters.values()},
        **OPTIONS,
        "return": None,
    }
    return with_robots
