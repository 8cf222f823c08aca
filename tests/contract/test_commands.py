"""Every command of the command line has help, is documented, answers in JSON, and has a test that names it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from cardan.cli.main import app

Command = TyperCommand | TyperGroup

ROOT = Path(__file__).parents[2]
WITHOUT_JSON: dict[str, str] = {}  # command -> why it prints no results; none so far


def commands(command: Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Command]]:
    """("gallery show", command) of everything that can be typed after ``cardan``; groups only if they do something."""
    if not isinstance(command, TyperGroup):
        yield " ".join(path), command
        return
    if path and command.invoke_without_command:
        yield " ".join(path), command
    for name, one in command.commands.items():
        yield from commands(one, (*path, name))


COMMANDS = dict(commands(typer.main.get_command(app)))


def test_the_commands_are_found() -> None:
    assert {"demo", "simulate", "gallery", "gallery run"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_a_command_and_each_of_its_options_do(name: str) -> None:
    command = COMMANDS[name]
    assert command.help, f"cardan {name} has no help"
    silent = [one.name for one in command.params if not getattr(one, "help", None)]
    assert not silent, f"cardan {name}: no help for {silent}"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_answers_in_json(name: str) -> None:
    options = [option for one in COMMANDS[name].params for option in one.opts]
    assert ("--json" in options) != (name in WITHOUT_JSON)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_documented(name: str) -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert any(f"cardan {name}" in page.read_text(encoding="utf-8") for page in pages), f"no page names `cardan {name}`"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_test_that_types_it(name: str) -> None:
    """As the first words of a list or call: answer("gallery", "show", ...), ["view", ...]."""
    words = r"""\s*,\s*""".join(rf"""['"]{word}['"]""" for word in name.split())
    tests = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "unit" / "cli").glob("test_*.py"))]
    assert any(re.search(rf"[\[(,]\s*{words}", text) for text in tests), f"no test of tests/unit/cli types {name!r}"
