"""``cardan sweep`` and ``cardan study``: what is typed; the work is in ``studying.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardan.cli.options import Json
from cardan.cli.reporting import answering

Executor = Annotated[
    str, typer.Option(help="serial, threads, processes, dask, or the address of a Dask scheduler (tcp://...).")
]
Workers = Annotated[int | None, typer.Option(min=1, help="How many; otherwise one to a core.")]
Store = Annotated[str, typer.Argument(help="The folder of a study, or its address (s3://...).")]

study = typer.Typer(help="Look at the store of a study, go on with it, hand it on.", no_args_is_help=True)


def sweep(
    file: Annotated[Path, typer.Argument(help="A study (YAML): model, what varies, what is kept.")],
    executor: Executor = "processes",
    workers: Workers = None,
    store: Annotated[str | None, typer.Option(help="Where to keep it; otherwise as the study says.")] = None,
    as_json: Json = False,
) -> None:
    """Make the runs of a study; what was made before is kept, Ctrl-C ends it cleanly."""
    with answering("sweep", as_json) as answer:
        from cardan.cli.studying import sweep_file

        sweep_file(answer, file, executor, workers, store)


@study.command()
def show(store: Store, as_json: Json = False) -> None:
    """Say what a study is, how far it is, and what failed."""
    with answering("study show", as_json) as answer:
        from cardan.api.sweeping import load_study
        from cardan.cli.studying import show

        show(answer, load_study(store))


@study.command()
def verify(store: Store, as_json: Json = False) -> None:
    """Compare every byte with what was written; exit code 1 where something has changed."""
    with answering("study verify", as_json) as answer:
        from cardan.cli.studying import verify

        verify(answer, store)


@study.command()
def resume(store: Store, executor: Executor = "processes", workers: Workers = None, as_json: Json = False) -> None:
    """Run the rows that are missing."""
    with answering("study resume", as_json) as answer:
        from cardan.cli.studying import resume

        resume(answer, store, executor, workers)


@study.command()
def export(
    store: Store,
    output: Annotated[Path, typer.Option("--output", "-o", help="The table to write: .csv, .parquet, .nc or .npz.")],
    as_json: Json = False,
) -> None:
    """Write the rows as a table."""
    with answering("study export", as_json) as answer:
        from cardan.cli.studying import export

        export(answer, store, output)


@study.command()
def report(
    store: Store,
    name: Annotated[str, typer.Argument(help="The number that is shown, as `cardan study show` names it.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write (.html), or a picture (.png).")],
    logarithmic: Annotated[bool, typer.Option("--log", help="Colours by the logarithm.")] = False,
    as_json: Json = False,
) -> None:
    """Write a map of a number over what was varied: a page on which a click shows the run, or a picture."""
    with answering("study report", as_json) as answer:
        from cardan.cli.studying import report

        report(answer, store, name, output, logarithmic)


@study.command()
def merge(
    stores: Annotated[list[Path], typer.Argument(help="Stores of one study, made in several places.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The store to write.")],
    as_json: Json = False,
) -> None:
    """Put the rows of several stores together."""
    with answering("study merge", as_json) as answer:
        from cardan.cli.studying import merge

        merge(answer, stores, output)


def add_to(app: typer.Typer) -> None:
    """Make the commands known."""
    app.command()(sweep)
    app.add_typer(study, name="study")
