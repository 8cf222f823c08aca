"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from cardan.formats.file_kinds import KINDS, describe_endings

Model = Annotated[str, typer.Argument(metavar="MODEL", help=f"A file, {describe_endings(KINDS)}, or gallery:ID.")]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON object on standard output.")]
Values = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Another value of a parameter; may be repeated."),
]
Q = Annotated[
    list[str] | None,
    typer.Option("--q", metavar="NAME=VALUE", help="Start value of a coordinate; may be repeated."),
]
V = Annotated[
    list[str] | None,
    typer.Option("--v", metavar="NAME=VALUE", help="Start velocity of a coordinate; may be repeated."),
]
Loads = Annotated[
    list[str] | None,
    typer.Option("--load", metavar="NAME=VALUE", help="Magnitude of a load; may be repeated."),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", metavar="NAME=VALUE", help="Value of an input; may be repeated."),
]
