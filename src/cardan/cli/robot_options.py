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
        bool, typer.Option("--repair", help="Of a robot: mend faults; inertias that no body has become possible ones.")
    ],
    "root": Annotated[Path | None, typer.Option(help="Folder below which the files that the model names may lie.")],
    "loops": Annotated[Path | None, typer.Option(help="Of a URDF robot: YAML file that says which links meet.")],
    "leave_out": Annotated[
        bool, typer.Option("--leave-out", help="Of a robot: leave out what has no counterpart here.")
    ],
    "no_actuators": Annotated[bool, typer.Option("--no-actuators", help="Of an MJCF robot: actuators are no inputs.")],
    "contacts": Annotated[
        float | None,
        typer.Option(help="Of a robot: friction of contacts between simple collision shapes and the ground.", min=0),
    ],
}
DEFAULTS: dict[str, bool | float | None] = {
    "floating": False,
    "no_limits": False,
    "repair": False,
    "root": None,
    "loops": None,
    "leave_out": False,
    "no_actuators": False,
    "contacts": None,
}


class ModelName(str):
    """A model as typed, with the options of robot files."""

    robot: RobotOptions

    @classmethod
    def of(cls, name: str, **typed: object) -> Self:
        made = cls(name)
        made.robot = robot_options(**typed)  # type: ignore[arg-type]  # as typer parsed them
        return made


def robot_options(
    *,
    floating: bool,
    no_limits: bool,
    repair: bool,
    root: Path | None,
    loops: Path | None,
    leave_out: bool,
    no_actuators: bool,
    contacts: float | None,
) -> RobotOptions:
    """What was typed, as ``cardan.load`` takes it."""
    return RobotOptions(
        floating=floating,
        restitution=None if no_limits else 0.0,
        root=root,
        loops=loops,
        repair=repair,
        leave_out=leave_out,
        actuators=not no_actuators,
        contacts=contacts,
    )


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
        command(**{**given, "model": ModelName.of(str(given["model"]), **own)})

    with_robots.__signature__ = signature.replace(  # type: ignore[attr-defined]  # what typer reads
        parameters=[*(one.replace(kind=kind) for one in signature.parameters.values()), *more]
    )
    with_robots.__annotations__ = {
        **{one.name: one.annotation for one in signature.parameters.values()},
        **OPTIONS,
        "return": None,
    }
    return with_robots
