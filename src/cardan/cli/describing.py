"""``cardan new``, ``check`` and ``derive``."""

from __future__ import annotations

from pathlib import Path

from cardan.api.system import System
from cardan.cli.models import load_model
from cardan.cli.reporting import Answer, WrongUsage
from cardan.errors import suggestion
from cardan.formats.write import starters, write_starter
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.settings import START_TOLERANCE
from cardan.trajectory.start import given_start


def start_file(answer: Answer, path: Path, like: str, force: bool, listed: bool) -> None:
    """Write a starter, or list them."""
    names = list(starters())
    if listed:
        answer.tell(starters=names)
        answer.say("\n".join(names))
        return
    if like not in names:
        raise WrongUsage(f"There is no starter {like!r}.{suggestion(like, names)} Known: {', '.join(names)}.")
    written = write_starter(path, like, replace=force)
    answer.tell(file=str(written), like=like)
    answer.say(f"Wrote {written}. Next: cardan check {written}; cardan simulate {written}")


def check_model(answer: Answer, name: str, values: list[str]) -> None:
    """Load, freeze, and bring the start to the constraints."""
    system = load_model(name, values)
    summary = summarised(system)
    answer.tell(**summary)
    kernel = system.compile()
    plan = system.plan
    given = given_start(kernel, plan.get("q"), plan.get("v"))
    if kernel.m:
        t0, tolerance = plan.get("t0", 0.0), plan.get("start_tol", START_TOLERANCE)
        start = consistent_start(kernel, given, kernel.p(), t0, tolerance)
        answer.tell(start=start.y, start_moved_by=start.distance)
    answer.tell(notes=system.notes)
    answer.say(f"{name}: fine")
    for note in system.notes:
        answer.say(f"  note: {note}")
    for key, value in summary.items():
        if value:
            answer.say(f"  {key:14}{', '.join(value) if isinstance(value, list) else value}")


def summarised(system: System) -> dict[str, str | int | list[str]]:
    """What a system is made of, by name."""
    model = system.model
    return {
        "name": system.name,
        "coordinates": [one.name for one in model.free],
        "prescribed": [str(one) for one in model.prescribed],
        "velocities": len(model.v),
        "parameters": [str(one) for one in model.parameters],
        "bodies": [one.name for one in model.bodies],
        "particles": [one.name for one in model.particles],
        "loads": [one.name for one in model.loads],
        "inputs": [str(one) for one in model.inputs],
        "constraints": [one.name for one in model.constraints],
        "stops": [one.name for one in model.stops],
    }


def derive_equations(answer: Answer, name: str, form: str, latex: bool) -> None:
    """Print the terms of the equations, each by its name."""
    import sympy as sp

    forms = ("auto", "minimal", "multiplier", "projected")
    if form not in forms:
        raise WrongUsage(f"--form is one of {', '.join(forms)}, found {form!r}.")
    system = load_model(name)
    equations = system.equations(form)
    if latex:
        text = equations.latex()
        answer.tell(latex=text)
        answer.say(text)
        return
    terms = {
        "mass_matrix": equations.mass_matrix,
        "velocity_terms": equations.velocity_terms,
        "potential_terms": equations.potential_terms,
    }
    if system.model.constraints:
        terms["constraint_matrix"] = equations.constraint_matrix
    letters = {"mass_matrix": "M", "velocity_terms": "f", "potential_terms": "g", "constraint_matrix": "A"}
    answer.tell(
        coordinates=[str(symbol) for symbol in system.model.q],
        velocities=[str(symbol) for symbol in system.model.v],
        **{key: [[str(x) for x in row] for row in matrix.tolist()] for key, matrix in terms.items()},
        equations=[str(row) for row in equations.rows],
    )
    answer.say(f"{system.name}:  M vd + f + g = Q{' + A^T lam' if system.model.constraints else ''}")
    for key, matrix in terms.items():
        answer.say(f"\n{letters[key]} =\n{sp.pretty(matrix, use_unicode=False, wrap_line=False)}")
    answer.say("\nequations:")
    for line in str(equations).splitlines():
        answer.say(f"  {line}")
