"""The commands. Each loads what it needs when it runs, so that help appears at once.

Exit codes, for all commands:

    0    fine
    1    a problem was found in the model or in the run
    2    wrong usage
    3    a file cannot be read, written or accepted
    130  interrupted from the keyboard; what was computed is kept where an output was asked for
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardan.cli import following, gallery, special, sweeping
from cardan.cli.options import Inputs, Json, Loads, Model, Q, V, Values
from cardan.cli.reporting import answering
from cardan.cli.robot_options import takes_robots
from cardan.formats.file_kinds import ROBOTS, RobotOptions, describe_endings

app = typer.Typer(
    name="cardan",
    help="Analytical dynamics: from a description of a mechanism to equations, a diagnosis and motion.",
    epilog="Exit codes: 0 fine, 1 problem found in the model or run, 2 wrong usage, 3 file error, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        from cardan import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """Analytical dynamics: from a description of a mechanism to equations, a diagnosis and motion."""


@app.command()
def new(
    path: Annotated[Path, typer.Argument(help="The file to write, ending with .yaml.")] = Path("model.yaml"),
    like: Annotated[str, typer.Option(help="Which starter; --list names them.")] = "pendulum",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="Only list the starters.")] = False,
    as_json: Json = False,
) -> None:
    """Write a commented model file to start from."""
    with answering("new", as_json) as answer:
        from cardan.cli.describing import start_file

        start_file(answer, path, like, force, listed)


@app.command()
@takes_robots
def check(model: Model, values: Values = None, as_json: Json = False) -> None:
    """Say whether a model can be accepted, and whether its start fits its constraints."""
    with answering("check", as_json) as answer:
        from cardan.cli.describing import check_model

        check_model(answer, model, values or [])


@app.command()
@takes_robots
def derive(
    model: Model,
    form: Annotated[str, typer.Option(help="auto, minimal, multiplier or projected.")] = "auto",
    latex: Annotated[bool, typer.Option("--latex", help="Print the equations typeset, one line each.")] = False,
    as_json: Json = False,
) -> None:
    """Print the equations of motion, M vd + f + g = Q + A^T lam."""
    with answering("derive", as_json) as answer:
        from cardan.cli.describing import derive_equations

        derive_equations(answer, model, form, latex)


@app.command()
@takes_robots
def diagnose(
    model: Model,
    q: Q = None,
    v: V = None,
    values: Values = None,
    load: Loads = None,
    t: Annotated[float, typer.Option("--t", help="Time.")] = 0.0,
    sets: Annotated[
        bool, typer.Option("--sets", help="Also the singular sets and the configuration manifold.")
    ] = False,
    remedies: Annotated[bool, typer.Option("--remedies", help="Also what would lift each finding.")] = False,
    frame: Annotated[
        str | None,
        typer.Option(metavar="BODY", help="The hand: what it cannot do, why, how far trouble is, the way out."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what is singular at the start, and why; exit code 1 where something is."""
    with answering("diagnose", as_json) as answer:
        from cardan.cli.diagnosing import Asked, diagnose_model

        asked = Asked(q or [], v or [], values or [], load or [], t, sets, remedies, frame)
        diagnose_model(answer, model, asked)


@app.command()
@takes_robots
def simulate(
    model: Model,
    duration: Annotated[float | None, typer.Option(help="Seconds; otherwise as the model says.")] = None,
    q: Q = None,
    v: V = None,
    values: Values = None,
    load: Loads = None,
    given: Inputs = None,
    points: Annotated[int | None, typer.Option(min=2, help="Equally spaced output times.")] = None,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance.")] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance.")] = None,
    method: Annotated[str | None, typer.Option(help="auto, DOP853, Radau, symplectic, RATTLE, ...")] = None,
    step: Annotated[float | None, typer.Option(help="Step of a method with fixed steps.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write it: .zarr, .csv, .npz, .parquet, .nc, .mat.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Simulate, and say how trustworthy the motion is; Ctrl-C ends it early and keeps what was computed."""
    with answering("simulate", as_json) as answer:
        from cardan.cli.moving import Wanted, simulate_model

        settings = {"rtol": rtol, "atol": atol, "method": method, "step": step}
        wanted = Wanted(
            q or [], v or [], values or [], load or [], given or [], duration, points, settings, output
        )  # fmt: skip
        simulate_model(answer, model, wanted)


@app.command("import")
def import_(
    source: Annotated[Path, typer.Argument(metavar="ROBOT", help=f"A file, {describe_endings(ROBOTS)}.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The model file to write; otherwise beside the robot.")
    ] = None,
    floating: Annotated[bool, typer.Option("--floating", help="Free the root link instead of fixing it.")] = False,
    restitution: Annotated[float, typer.Option(help="Of the stops that joint limits become.", min=0, max=1)] = 0.0,
    limits: Annotated[bool, typer.Option("--limits/--no-limits", help="Whether joint limits become stops.")] = True,
    repair: Annotated[bool, typer.Option("--repair", help="Mend faults; replace inertias that no body has.")] = False,
    root: Annotated[Path | None, typer.Option(help="Folder below which the files that it names may lie.")] = None,
    loops: Annotated[Path | None, typer.Option(help="YAML file that says which links of a URDF robot meet.")] = None,
    leave_out: Annotated[bool, typer.Option("--leave-out", help="Leave out what has no counterpart here.")] = False,
    actuators: Annotated[bool, typer.Option(help="Whether actuators of MJCF become inputs.")] = True,
    contacts: Annotated[float | None, typer.Option(help="Friction of contacts with the ground.", min=0)] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    as_json: Json = False,
) -> None:
    """Write a robot (URDF, MJCF, SDF) as a model file, and say what could not be carried over."""
    with answering("import", as_json) as answer:
        from cardan.cli.importing import import_robot

        options = RobotOptions(
            floating, restitution if limits else None, "refuse", root, loops, repair, leave_out, actuators, contacts
        )
        import_robot(answer, source, output, options, force)


@app.command()
@takes_robots
def report(
    model: Model,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path("report.html"),
    duration: Annotated[float | None, typer.Option(help="Seconds; otherwise as the model says.")] = None,
    q: Q = None,
    v: V = None,
    values: Values = None,
    load: Loads = None,
    given: Inputs = None,
    title: Annotated[str | None, typer.Option(help="Title of the report; otherwise the model's name.")] = None,
    remedies: Annotated[bool, typer.Option(help="Try what would lift each finding.")] = True,
    live: Annotated[bool, typer.Option(help="Sliders that compute in the page, where that is possible.")] = True,
    opened: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    as_json: Json = False,
) -> None:
    """Simulate, and write one HTML file that shows the motion, its singularities and its equations."""
    with answering("report", as_json) as answer:
        from cardan.cli.moving import Wanted
        from cardan.cli.report_page import report_model

        wanted = Wanted(q or [], v or [], values or [], load or [], given or [], duration, None, {}, output)
        report_model(answer, model, wanted, title, remedies, opened, live)


@app.command()
@takes_robots
def view(
    model: Model,
    duration: Annotated[float | None, typer.Option(help="Seconds; otherwise as the model says.")] = None,
    q: Q = None,
    v: V = None,
    values: Values = None,
    load: Loads = None,
    given: Inputs = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this computer; 0 takes a free one.")] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the address and open no browser.")] = False,
    as_json: Json = False,
) -> None:
    """Show the mechanism moving on a page of the browser, with sliders, until Ctrl-C."""
    with answering("view", as_json) as answer:
        from cardan.cli.moving import Wanted
        from cardan.cli.viewing import view_model

        wanted = Wanted(q or [], v or [], values or [], load or [], given or [], duration, None, {}, None)
        view_model(answer, model, wanted, port, not no_open)


@app.command()
def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the report; an existing one is replaced.")
    ] = Path("cardan_suspension.html"),
    as_json: Json = False,
) -> None:
    """A platform in a Cardan suspension: derived, diagnosed, driven through gimbal lock, and shown in a report."""
    with answering("demo", as_json) as answer:
        from cardan.cli.demo import show_demo

        show_demo(answer, output)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Check this installation: versions, compiler, cache, and one motion with a known period."""
    with answering("doctor", as_json) as answer:
        from cardan.cli.doctor import examine

        examine(answer)


app.add_typer(gallery.app, name="gallery")
special.add_to(app)
sweeping.add_to(app)
following.add_to(app)


def main() -> None:
    """Entry point of the ``cardan`` script."""
    app()
