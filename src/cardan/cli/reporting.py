"""How a command answers: text for people or one JSON object, and an exit code either way."""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

import typer

from cardan.errors import CardanError, FileError, StoreError

FINE, PROBLEM, USAGE, FILE, INTERRUPTED = 0, 1, 2, 3, 130


class WrongUsage(Exception):
    """What was typed cannot be meant."""


class Answer:
    """Collects what a command has to say; ``say`` is for people, ``tell`` for programs."""

    def __init__(self, command: str, as_json: bool) -> None:
        self.command, self.as_json = command, as_json
        self.code = FINE
        self.facts: dict[str, object] = {}
        self.is_published = False
        self.files: list[str] = []

    def wrote(self, path: object) -> None:
        """A file that is complete now, whatever happens next."""
        self.files.append(str(path))
        self.tell(files=self.files)

    def say(self, text: object = "") -> None:
        """A line on standard output, unless JSON was asked for."""
        if not self.as_json:
            typer.echo(str(text))

    def tell(self, **facts: object) -> None:
        """Facts for the JSON object."""
        self.facts |= facts

    def find(self, code: int = PROBLEM) -> None:
        """Something is wrong: the exit code to end with."""
        self.code = code

    def fail(self, error: BaseException, code: int) -> None:
        """An error that ends the command."""
        self.code = code
        evidence = getattr(error, "evidence", {})
        located = {key: evidence[key] for key in ("file", "line", "field") if key in evidence}
        self.facts["error"] = {"type": type(error).__name__, "message": str(error), **located}
        if not self.as_json:
            typer.echo(f"Error: {error}", err=True)
            for path in self.files:
                typer.echo(f"Complete: {path}", err=True)

    def publish(self) -> None:
        """The JSON object, if it was asked for, now: for a command that goes on after it has answered."""
        if self.as_json and not self.is_published:
            content = {"command": self.command, "ok": self.code == FINE, "exit_code": self.code, **self.facts}
            typer.echo(json.dumps(plain(content), allow_nan=False, indent=2))
            sys.stdout.flush()
        self.is_published = True

    def finish(self) -> None:
        self.publish()
        if self.code != FINE:
            raise typer.Exit(self.code)


@contextmanager
def answering(command: str, as_json: bool) -> Iterator[Answer]:
    """The answer of one command; errors become messages and exit codes."""
    answer = Answer(command, as_json)
    try:
        with notes_on_angles():
            yield answer
    except typer.Exit:
        raise
    except WrongUsage as error:
        answer.fail(error, USAGE)
    except (FileError, StoreError) as error:
        answer.fail(error, FILE)
    except CardanError as error:
        answer.fail(error, PROBLEM)
    except KeyboardInterrupt:
        answer.fail(KeyboardInterrupt("interrupted"), INTERRUPTED)
    answer.finish()


@contextmanager
def notes_on_angles() -> Iterator[None]:
    """What looks like degrees is said in a line, without the place in the program where it was noticed."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def say(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if category.__name__ == "LooksLikeDegrees":  # not imported: `--help` is instant
                typer.echo(f"Note: {message}", err=True)
            else:
                show(message, category, filename, lineno, file, line)

        warnings.showwarning = say
        yield


def plain(value: object) -> object:
    """The value as JSON knows it: arrays as lists, infinite and undefined numbers as null."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (str, bool, int, type(None))):
        return value
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(one) for one in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    return str(value)


def is_watched() -> bool:
    """Whether somebody looks at the terminal."""
    return sys.stderr.isatty()
