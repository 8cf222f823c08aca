"""``cardan periodic``, ``families``, ``locus`` and ``invariants``: what repeats, changes with parameters, and stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from cardan.cli.options import Json, Model, Q, V, Values
from cardan.cli.reporting import Answer, WrongUsage, answering
from cardan.cli.special import Hold, Plot

Parameter = Annotated[str, typer.Option("--parameter", metavar="NAME", help="The parameter that changes.")]
Low = Annotated[float, typer.Option("--from", help="Its first value.")]
High = Annotated[float, typer.Option("--to", help="Its last value.")]


def periodic(
    model: Model,
    q: Q = None,
    v: V = None,
    hold: Hold = None,
    values: Values = None,
    period: Annotated[float | None, typer.Option(help="The period, or a guess of it where nothing forces.")] = None,
    settle: Annotated[float, typer.Option(help="Let the motion go on for so long first.")] = 0.0,
    relative: Annotated[bool, typer.Option("--relative", help="Up to what symmetries carry on.")] = False,
    periods: Annotated[int, typer.Option(help="Check it by a run of so many periods.")] = 5,
    as_json: Json = False,
) -> None:
    """Find the motion near a start that repeats itself, with its Floquet multipliers and stability."""
    with answering("periodic", as_json) as answer:
        from cardan.cli.models import load_model, parameter_values, started

        system = load_model(model, values or [])
        held = parameter_values(hold or [], "--hold") or None
        found = system.periodic_motion(
            **started(system, q or [], v or []), period=period, settle=settle, relative=relative, hold=held
        )
        long = found.long_run(periods)
        answer.tell(
            period=found.period, q=found.q.tolist(), v=found.v.tolist(), shifts=found.shifts.tolist(),
            multipliers=[[float(one.real), float(one.imag)] for one in found.multipliers], trivial=list(found.trivial),
            stability=found.stability.verdict, reason=found.stability.reason, drift=float(long.drift.max()),
        )  # fmt: skip
        answer.say(found)
        for one in found.multipliers:
            answer.say(f"  multiplier {one.real:+.8g} {one.imag:+.8g} i")
        answer.say(found.stability)
        answer.say(long)
        if found.stability.verdict == "unstable":
            answer.find()


def families(
    model: Model,
    parameter: Parameter,
    low: Low,
    high: High,
    values: Values = None,
    plot: Plot = None,
    over: Annotated[str, typer.Option("--show", metavar="NAME", help="The coordinate that --plot draws.")] = "",
    as_json: Json = False,
) -> None:
    """Follow rests along a parameter, with folds, branch points and Hopf points."""
    with answering("families", as_json) as answer:
        from cardan.cli.models import load_model

        system = load_model(model, values or [])
        found = system.equilibrium_families(parameter, low, high)
        names = [symbol.name for symbol in system.model.q]
        answer.tell(
            families=[
                {
                    parameter: one[parameter].tolist(),
                    **{name: one[name].tolist() for name in names},
                    "stable": one.is_stable.tolist(),
                    "points": [{"kind": point.kind, "value": point.value} for point in one.points],
                    "ends": list(one.ends),
                }
                for one in found
            ]
        )
        for one in found:
            answer.say(one)
        if plot is not None:
            found.plot(y=over or names[0], path=plot)
            answer.wrote(plot)


def locus(
    model: Model,
    parameter: Parameter,
    low: Low,
    high: High,
    count: Annotated[int, typer.Option(help="How many values between them.")] = 200,
    q: Q = None,
    values: Values = None,
    plot: Plot = None,
    campbell: Annotated[bool, typer.Option("--campbell", help="Draw frequencies over the parameter.")] = False,
    as_json: Json = False,
) -> None:
    """Follow eigenvalues of a rest along a parameter."""
    with answering("locus", as_json) as answer:
        import numpy as np

        from cardan.cli.models import load_model, started

        if count < 2:
            raise WrongUsage(f"--count is at least 2, found {count}.")
        system = load_model(model, values or [])
        start = started(system, q or [], []).get("q")
        found = system.root_locus(parameter, np.linspace(low, high, count), start)
        pairs = np.stack([found.eigenvalues.real, found.eigenvalues.imag], axis=-1)
        answer.tell(values=found.values.tolist(), eigenvalues=pairs.tolist(), stable=found.is_stable.tolist())
        answer.say(found)
        for one in found.meetings:
            answer.say(f"  {one.kind} at {parameter} = {one.value:.6g}")
        if plot is not None:
            found.campbell(path=plot) if campbell else found.plot(plot)
            answer.wrote(plot)


def invariants(model: Model, values: Values = None, as_json: Json = False) -> None:
    """Say what motions conserve, in symbols."""
    with answering("invariants", as_json) as answer:
        from cardan.cli.models import load_model

        found = load_model(model, values or []).invariants()
        answer.tell(invariants=[{"kind": one.kind, "of": one.name, "is": str(one.expression)} for one in found])
        _say_all(answer, found)


def analyse(model: Model, values: Values = None, as_json: Json = False) -> None:
    """Answer what the model file asks under analysis: rests, modes, families and the like, in its order."""
    with answering("analyse", as_json) as answer:
        from cardan.cli.analysing import tell_analysis

        tell_analysis(answer, model, values or [])


def _say_all(answer: Answer, found: Sequence[object]) -> None:
    for one in found:
        answer.say(one)
    if not found:
        answer.say("Nothing was found that motions conserve.")


def add_to(app: typer.Typer) -> None:
    """Put these commands beside the others."""
    for one in (periodic, families, locus, invariants, analyse):
        app.command()(one)
