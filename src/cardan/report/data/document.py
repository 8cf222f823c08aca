"""The whole page of a run as plain data, and its moving part alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from cardan.report.data.arrays import numbers
from cardan.report.data.facts import Facts
from cardan.report.data.mathematics import equation_entries
from cardan.report.data.motion import Shown, dragged_motion, full_motion, moments_of, shown_run
from cardan.report.data.phase import portrait_entries
from cardan.report.data.provenance import provenance
from cardan.report.data.sampling import DRAGGED
from cardan.report.data.symbols import coordinates
from cardan.report.data.words import verdict
from cardan.report.scene.scene import Scene

Run = Any  # the public Run, which lives above this room

FORMAT = "cardan-page/1"
Told = Callable[[str, float], None]  # what is done next, and the part that is done


def silent(stage: str, part: float) -> None:
    """Tell nobody."""


def document(
    run: Run,
    kind: str = "report",
    remedies: bool = True,
    frames: int | None = None,
    title: str | None = None,
    date: str | None = None,
    tell: Told = silent,
) -> dict[str, Any]:
    """Everything a page shows of a run: "model" stays while sliders move, "motion" is replaced.

    ``remedies=False`` leaves out what would lift each finding (every remedy is tried before it is named); ``frames``
    is the number of equally spaced moments, chosen from the motion if not given. ``tell`` hears of the progress.
    """
    tell("looking for singularities", 0.0)
    shown = shown_run(run, frames, moments_of(run))
    tell("motion, forces and remedies", 0.2)
    moving = full_motion(shown, remedies)
    return {"format": FORMAT, "kind": kind, "model": model_of(shown, title, date, tell), "motion": moving}


def motion(
    run: Run, quality: str = "full", go_on: Callable[[], None] = lambda: None, first: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The moving part alone: "full", or "drag" with fewer frames and nothing that takes long.

    ``go_on`` is called between the parts of a full one, and may raise where nobody waits for it any more. Where shapes
    are not those of the ``first`` model, because a length has changed, they come with the motion.
    """
    if quality == "drag":
        shown = shown_run(run, DRAGGED)
        content = dragged_motion(shown)
    else:
        moments = moments_of(run)
        go_on()
        shown = shown_run(run, None, moments)
        content = full_motion(shown, True, go_on)
    if first is not None:
        shapes = shapes_of(Scene(run, shown.actors, shown.poses))
        if any(shapes[part] != first[part] for part in shapes):
            content["shapes"] = shapes
    return content


def shapes_of(scene: Scene) -> dict[str, Any]:
    """What there is to see, without its motion."""
    return {"bodies": scene.bodies(), "fixtures": scene.fixtures(), "joints": scene.joints()}


def model_of(shown: Shown, title: str | None, date: str | None, tell: Told = silent) -> dict[str, Any]:
    """What does not move: shapes, words, equations."""
    run, facts = shown.run, Facts(shown.run)
    scene = Scene(run, shown.actors, shown.poses)
    tell("manifold and singular sets", 0.4)
    words = verdict(run, facts)
    tell("equations", 0.7)
    equations = equation_entries(run, facts)
    tell("writing", 0.95)
    return {
        "name": title or run.model.name,
        "up": numbers(scene.up),
        "size": scene.size,
        "centre": numbers(scene.centre),
        **shapes_of(scene),
        "coordinates": coordinates(run.model),
        "verdict": words,
        "singular_sets": singular_entries(facts),
        "portraits": portrait_entries(run, facts),
        "equations": equations,
        "provenance": provenance(run, date),
        "controls": None,
    }


def singular_entries(facts: Facts) -> list[dict[str, Any]]:
    return [
        {
            "kind": one.kind,
            "text": one.text,
            "latex": "" if one.condition is None else sp.latex(one.condition),
            "load": one.load,
        }
        for one in facts.sets
    ]
