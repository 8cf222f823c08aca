"""``cardan equilibria``, ``linearize``, ``modes`` and ``steady``: what is typed; the work is in ``analysing.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardan.cli.options import Json, Loads, Model, Q, V, Values
from cardan.cli.reporting import answering
from cardan.cli.robot_options import takes_robots

Hold = Annotated[
    list[str] | None,
    typer.Option("--hold", metavar="NAME=VALUE", help="A coordinate that keeps this value; may be repeated."),
]
Plot = Annotated[Path | None, typer.Option("--plot", help="Where to draw it: .png, .svg or .pdf.")]


def equilibria(
    model: Model, values: Values = None, load: Loads = None, plot: Plot = None, as_json: Json = False
) -> None:
    """Say where the system can rest, on stops too, and whether it stays there."""
    with answering("equilibria", as_json) as answer:
        from cardan.cli.analysing import tell_equilibria

        tell_equilibria(answer, model, values or [], load or [], plot)


def linearize(
    model: Model,
    q: Q = None,
    v: V = None,
    values: Values = None,
    load: Loads = None,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Print eigenvalues and stability of the rest or steady motion at a state."""
    with answering("linearize", as_json) as answer:
        from cardan.cli.analysing import tell_linear

        tell_linear(answer, model, (q or [], v or []), values or [], load or [], plot)


def modes(
    model: Model, q: Q = None, values: Values = None, load: Loads = None, plot: Plot = None, as_json: Json = False
) -> None:
    """Print frequencies and shapes of small oscillations about a rest."""
    with answering("modes", as_json) as answer:
        from cardan.cli.analysing import tell_modes

        tell_modes(answer, model, q or [], values or [], load or [], plot)


def steady(
    model: Model,
    hold: Hold = None,
    values: Values = None,
    families: Annotated[bool, typer.Option("--families", help="Follow one-parameter families of them.")] = False,
    plot: Plot = None,
    axes: Annotated[str, typer.Option(metavar="X,Y", help="What --plot draws: two coordinates or velocities.")] = "",
    as_json: Json = False,
) -> None:
    """Say which motions are steady: constant but for what symmetry carries."""
    with answering("steady", as_json) as answer:
        from cardan.cli.analysing import tell_steady

        tell_steady(answer, model, hold or [], values or [], families or plot is not None, (plot, axes))


def add_to(app: typer.Typer) -> None:
    """Put these commands beside the others."""
    for one in (equilibria, linearize, modes, steady):
        app.command()(takes_robots(one))
