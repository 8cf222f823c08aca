"""What the commands about special motions print and answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

from cardan.analysis.answering import answer as ask
from cardan.analysis.families import SteadyMotion
from cardan.analysis.linear import Linearization
from cardan.api.system import System
from cardan.cli.models import assignments, load_model, parameter_values, started
from cardan.cli.reporting import Answer, WrongUsage
from cardan.errors import CardanError
from cardan.formats.plan import Asked
from cardan.report.data.special import Special, special_entries


def tell_equilibria(
    answer: Answer, name: str, values: list[str], loads: list[str], picture: Path | None = None
) -> None:
    """The rests of a model, one line each."""
    system = load_model(name, values)
    found = system.equilibria(loads=assignments(loads, "--load") or None)
    names = [symbol.name for symbol in system.model.q]
    answer.tell(
        equilibria=[
            {
                "q": dict(zip(names, one.q.tolist(), strict=True)),
                "dimension": one.dimension,
                "stability": one.stability.verdict,
                "reason": one.stability.reason,
                "multipliers": one.multipliers,
                "pushes": one.pushes,
            }
            for one in found
        ]
    )
    for one in found:
        answer.say(one)
        answer.say(f"  {one.stability.reason}")
    if picture is not None:
        from cardan.report.figures.spectra import plot_equilibria

        plot_equilibria(found, system.name, picture)
        answer.wrote(picture)
    if not found:
        answer.say("No rest was found.")
        answer.find()


def tell_linear(
    answer: Answer,
    name: str,
    start: tuple[list[str], list[str]],
    values: list[str],
    loads: list[str],
    picture: Path | None = None,
) -> None:
    """Eigenvalues and verdict; a state that is unstable counts as a problem."""
    system = load_model(name, values)
    lin = system.linearize(**started(system, *start), loads=assignments(loads, "--load") or None)
    answer.tell(about=lin.about, states=lin.states, **_spectrum(lin))
    answer.say(f"{lin.about} of {system.name!r}, states {', '.join(lin.states)}")
    for value, ratio in zip(lin.eigenvalues, lin.damping, strict=True):
        damped = "" if value == 0 else f"   damping {ratio:.4g}"
        answer.say(f"  {value.real:+.8g} {value.imag:+.8g} i{damped}")
    answer.say(lin.stability)
    if picture is not None:
        from cardan.report.figures.spectra import plot_spectrum

        plot_spectrum(lin, system.name, picture)
        answer.wrote(picture)
    if lin.stability.verdict == "unstable":
        answer.find()


def _spectrum(lin: Linearization) -> dict[str, object]:
    pairs = [[float(one.real), float(one.imag)] for one in lin.eigenvalues]
    return {"eigenvalues": pairs, "stability": lin.stability.verdict, "reason": lin.stability.reason}


def tell_modes(
    answer: Answer, name: str, q: list[str], values: list[str], loads: list[str], picture: Path | None = None
) -> None:
    """Frequencies, and the largest parts of each shape."""
    system = load_model(name, values)
    place = started(system, q, []).get("q")
    modes = system.modes(place, loads=assignments(loads, "--load") or None)
    answer.tell(
        names=modes.names, squares=modes.squares.tolist(), rigid=modes.rigid, shapes=modes.shapes.T.tolist(),
    )  # fmt: skip
    for square, shape in zip(modes.squares, modes.shapes.T, strict=True):
        largest = sorted(zip(modes.names, shape, strict=True), key=lambda one: -abs(one[1]))[:4]
        parts = ", ".join(f"{which} {amount:+.4g}" for which, amount in largest)
        size = abs(square) ** 0.5
        kind = f"grows as exp({size:.6g} t)" if square < 0 else "rigid motion" if square == 0 else f"{size:.8g} rad/s"
        answer.say(f"  {kind}: {parts}")
    if picture is not None:
        from cardan.report.figures.spectra import plot_modes

        plot_modes(modes, system.name, picture)
        answer.wrote(picture)


def tell_steady(
    answer: Answer, name: str, hold: list[str], values: list[str], follow: bool, picture: tuple[Path | None, str]
) -> None:
    """Steady motions, or their families."""
    system = load_model(name, values)
    held = parameter_values(hold, "--hold") or None
    answer.tell(symmetries=[str(one) for one in system.symmetries()])
    for one in system.symmetries():
        answer.say(f"symmetry: {one}")
    if not follow:
        found = system.steady_motions(hold=held)
        answer.tell(steady=[_facts(system, one) for one in found])
        for motion in found:
            answer.say(motion)
        return
    families = system.steady_families(hold=held)
    answer.tell(families=[[_facts(system, one) for one in family.members] for family in families])
    for family in families:
        answer.say(f"{family}; {family.ends[0]}; {family.ends[1]}")
    path, axes = picture
    if path is not None:
        names = [part.strip() for part in axes.split(",")]
        if len(names) != 2 or not all(names):
            raise WrongUsage("--plot needs --axes X,Y: two coordinates or velocities, such as theta,phi_dot.")
        system.plot_families(families, names[0], names[1], path)
        answer.wrote(path)


def tell_analysis(answer: Answer, name: str, values: list[str]) -> None:
    """Every answer as words and rows; one that is refused says why, and the others follow."""
    system = load_model(name, values)
    if not system.analysis:
        raise WrongUsage(f"{name} asks nothing: write what you want to know under `analysis:` (docs/model-files.md).")
    told: list[object] = []
    for asked, found in answered(system):
        if isinstance(found, CardanError):
            told.append({"kind": asked.kind, "problem": str(found)})
            answer.say(f"{asked.kind}: {found}")
            answer.find()
            continue
        (entry,) = special_entries([found], 0)
        told.append({"kind": asked.kind, "title": entry["title"], "rows": entry["rows"]})
        answer.say(f"{entry['title']}:")
        for row in entry["rows"]:
            answer.say(f"  {row['label']}: {row['value']} {row.get('detail', '')}".rstrip())
    answer.tell(analysis=told)


def answered(system: System) -> Iterator[tuple[Asked, Special | CardanError]]:
    """Each question of the model file with its answer, or with why there is none."""
    for one in system.analysis:
        try:
            yield one, ask(system, one.kind, one.arguments)  # type: ignore[misc, arg-type]  # verbs of a system by name
        except CardanError as problem:
            yield one, problem


def shown_with(system: System) -> list[Special]:
    """What a page shows beside a motion of the model; what was refused is said, and left out."""
    found = []
    for asked, one in answered(system):
        if isinstance(one, CardanError):
            typer.echo(f"Note: analysis {asked.kind!r} is not shown: {one}", err=True)
        else:
            found.append(one)
    return found


def _facts(system: System, motion: SteadyMotion) -> dict[str, object]:
    names = [symbol.name for symbol in (*system.model.q, *system.model.v)]
    state = dict(zip(names, motion.place.y.tolist(), strict=True))
    return {"state": state, "dimension": motion.dimension, "stability": motion.stability.verdict}
