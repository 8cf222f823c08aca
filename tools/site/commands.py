"""The reference of the command line, made from the commands themselves."""

from __future__ import annotations

from pathlib import Path

import click
import typer

from cardan.cli.main import __doc__ as about
from cardan.cli.main import app


def write_commands(page: Path) -> None:
    """One section for each command: what it does, arguments, options."""
    group = typer.main.get_command(app)
    text = ["# Commands", "", "Made from the commands when this site was built; `cardan COMMAND --help` says the same."]
    text += ["", "```text", (about or "").split("\n\n", 1)[1].rstrip(), "```", ""]
    for path, command in sorted(commands(group, "cardan")):
        text += section(path, command)
    page.write_text("\n".join(text), encoding="utf-8")


def commands(command: click.Command, path: str) -> list[tuple[str, click.Command]]:
    """Every command that does something, by what is typed."""
    inner = getattr(command, "commands", {})
    own = [(path, command)] if not inner or getattr(command, "invoke_without_command", False) else []
    return own + [one for name, sub in inner.items() for one in commands(sub, f"{path} {name}")]


def section(path: str, command: click.Command) -> list[str]:
    """Usage, help and a table of the options of one command."""
    context = click.Context(command, info_name=path)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f"## `{path}`", "", command.help or "", "", "```text", f"{path} {usage}", "```", ""]
    rows = [row for one in command.params if (row := told(one, context)) is not None]
    if rows:
        lines += ["| option | meaning |", "|---|---|", *(f"| `{names}` | {words} |" for names, words in rows), ""]
    return lines


def told(one: click.Parameter, context: click.Context) -> tuple[str, str] | None:
    """How a parameter is typed, and what it means."""
    record = one.get_help_record(context)
    if record is None:
        return (one.make_metavar(context), getattr(one, "help", None) or "") if one.param_type_name else None
    names, words = record
    return names.replace("|", "\\|"), words.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
