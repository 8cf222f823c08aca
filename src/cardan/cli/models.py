"""The model that a command is about, and values typed on the command line."""

from __future__ import annotations

import contextlib
import runpy
import sys
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

import typer

from cardan.api.loading import load
from cardan.api.system import System
from cardan.cli.reporting import WrongUsage
from cardan.cli.robot_options import ModelName
from cardan.errors import CardanError, FileError
from cardan.formats.document import LeftOut
from cardan.formats.expressions import constant
from cardan.formats.file_kinds import RobotOptions, kind_of
from cardan.trajectory.settings import Values

GALLERY = "gallery:"  # what a model argument begins with when it names an entry


def load_model(name: str, values: list[str] | None = None) -> System:
    """The system of a file of any kind in ``formats/file_kinds.py``, or of an entry, ``gallery:ID``.

    A Python file is run; it makes a System called ``system``.
    """
    robot = name.robot if isinstance(name, ModelName) else RobotOptions()
    is_robot = not name.startswith(GALLERY) and kind_of(name).is_robot
    if robot != RobotOptions(root=robot.root) and not is_robot:
        raise WrongUsage(
            f"{name} is no robot: --floating, --no-limits, --repair and what else is said 'of a robot' are for URDF, "
            "MJCF and SDF files."
        )
    if name.startswith(GALLERY):
        from cardan.gallery.opening import opened

        system = opened(name)
    else:
        system = _loaded(name, robot) if kind_of(name).is_loaded else _from_python(Path(name))
    return system.with_values(**parameter_values(values)) if values else system


def _loaded(name: str, robot: RobotOptions) -> System:
    """The system of a file; what was left out of it is said beside the answer."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", LeftOut)
        system = load(name, **vars(robot))
    for one in heard:
        typer.echo(f"Note: {one.message}", err=True)
    return system


def _from_python(path: Path) -> System:
    if not path.is_file():
        raise FileError(f"{path} is no file. Check the path.", file=str(path), line=0, field="")
    sys.path.insert(0, str(path.resolve().parent))
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what the file prints must not mix with the answer
            content = runpy.run_path(str(path), run_name="cardan_model")
    except CardanError as problem:
        raise _located(path, problem, str(problem)) from problem
    except (Exception, SystemExit) as problem:
        raise _located(path, problem, f"{type(problem).__name__}: {problem}") from problem
    finally:
        sys.path.remove(str(path.resolve().parent))
    found = content.get("system")
    if not isinstance(found, System):
        kind = "nothing" if found is None else type(found).__name__
        raise FileError(
            f"{path} defines {kind} as `system`; it should hold a cardan.System.",
            file=str(path),
            line=0,
            field="system",
        )
    return found


def _located(path: Path, problem: BaseException, message: str) -> FileError:
    """The error at the last line of the file that was running."""
    frames = [one for one in traceback.extract_tb(problem.__traceback__) if Path(one.filename) == path]
    line = getattr(problem, "lineno", None) or (frames[-1].lineno if frames else 0) or 0
    return FileError(f"{path}:{line}: {message}", file=str(path), line=line, field="")


def assignments(texts: list[str], option: str) -> dict[str, float | list[float]]:
    """NAME=VALUE pairs as numbers; several numbers, for a quaternion, are separated by commas."""
    found: dict[str, float | list[float]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise WrongUsage(f"{option} needs NAME=VALUE, found {text!r}.")
        try:
            numbers = [constant(part) for part in value.split(",")]
        except FileError as problem:
            raise WrongUsage(f"{option} {name.strip()}: {problem}") from None
        found[name.strip()] = numbers[0] if len(numbers) == 1 else numbers
    return found


def parameter_values(texts: list[str], option: str = "--set") -> dict[str, float]:
    """NAME=VALUE pairs of an option, one number each."""
    found: dict[str, float] = {}
    for name, value in assignments(texts, option).items():
        if isinstance(value, list):
            raise WrongUsage(f"{option} {name} needs one number, found {len(value)}.")
        found[name] = value
    return found


class Start(TypedDict, total=False):
    """Where a motion starts, as arguments."""

    q: Values
    v: Values


def started(system: System, q: list[str], v: list[str]) -> Start:
    """q and v of the model's plan, with what was typed put over them."""
    found: Start = {}
    places, rates = _typed_over(system.plan.get("q"), q, "--q"), _typed_over(system.plan.get("v"), v, "--v")
    if places is not None:
        found["q"] = places
    if rates is not None:
        found["v"] = rates
    return found


def _typed_over(planned: Values, texts: list[str], option: str) -> Values:
    """What the model plans, with what was typed put over it."""
    typed = assignments(texts, option)
    if not typed:
        return planned
    if planned is None or isinstance(planned, Mapping):
        return {**(planned or {}), **typed}
    raise WrongUsage(f"{option} cannot change a start that is given in order; name its coordinates in the model.")
