"""The whole page of a run as plain data, and its moving part alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import sympy as sp

from cardan.audit.audit import Audit
from cardan.audit.lines import audited
from cardan.diagnosis.along import JudgedTrajectory
from cardan.diagnosis.facts import Facts, ask
from cardan.diagnosis.met import moments_of, tried_remedies
from cardan.diagnosis.sets.sets import SingularSet
from cardan.native.deadline import within
from cardan.report.data.arrays import numbers
from cardan.report.data.controls import controls
from cardan.report.data.entries import Document, ModelPage, MotionPage, SetEntry, Shapes
from cardan.report.data.maps import Picture, map_entry
from cardan.report.data.mathematics import equation_entries
from cardan.report.data.measured import Shown, measure, shown_run
from cardan.report.data.motion import dragged_motion, full_motion
from cardan.report.data.phase import portrait_entries
from cardan.report.data.provenance import provenance
from cardan.report.data.sampling import DRAGGED
from cardan.report.data.symbols import coordinates
from cardan.report.data.words import standing, verdict
from cardan.report.scene.scene import Scene

if TYPE_CHECKING:
    from cardan.report.data.special import Special

FORMAT = "cardan-page/1"
Told = Callable[[str, float], None]  # what is done next, and the part that is done


def silent(stage: str, part: float) -> None:
    """Tell nobody."""


def document(
    run: JudgedTrajectory,
    kind: str = "report",
    remedies: bool = True,
    frames: int | None = None,
    title: str | None = None,
    date: str | None = None,
    tell: Told = silent,
    live: bool = False,
    picture: Picture | None = None,
    special: Sequence[Special] = (),
    budget: float | None = None,
) -> Document:
    """Everything a page shows of a run: "model" stays while sliders move, "motion" is replaced.

    ``remedies=False`` leaves out what would lift each finding (every remedy is tried before it is named); ``frames``
    is the number of equally spaced moments, chosen from the motion if not given. ``tell`` hears of the progress. With
    ``live`` the page gets the code with which it computes motions by itself, where that is possible. With a ``picture``
    the run is a row of a study, whose map is shown beside it. ``special`` are rests, modes, root loci and families to
    show beside the motion. ``budget`` seconds (None: no limit) are for all that is searched for.
    """
    tell("looking for singularities", 0.0)
    with within(budget, "report"):
        moments = moments_of(run)
        tell("equations, manifold and singular sets", 0.2)
        facts = ask(run)
        tell("trying remedies", 0.5)
        tried = tried_remedies(run) if remedies else {}
        audit = audited(run)
    tell("motion and forces", 0.8)
    shown = shown_run(run, frames, moments)
    measured = measure(shown, lambda: None)
    tell("writing", 0.95)
    model = model_of(shown, facts, audit, title, date)
    if special:
        from cardan.report.data.special import special_entries

        model["special"] = special_entries(special, len(shown.poses))
    if live:
        enliven(model, shown)
    if picture is not None:
        model["map"] = map_entry(picture)
    return {"format": FORMAT, "kind": kind, "model": model, "motion": full_motion(shown, measured, audit, tried)}


def enliven(model: ModelPage, shown: Shown) -> None:
    """Give a page code and sliders, or the reason why it has none."""
    from cardan.report.live.entry import known_sliders, live_entry
    from cardan.report.live.reasons import obstacle
    from cardan.report.live.shaping import shaping_parameters

    reason = obstacle(shown.run)
    if not reason:
        entry = live_entry(shown)
        shaping = shaping_parameters(Scene(shown.run, shown.actors, shown.poses))
        model["live"] = entry
        model["controls"] = known_sliders(controls(shown.run), entry, shaping)
    told = f"no: {reason}. The viewer does" if reason else "yes, by the compiled equations inside it, without a network"
    model["provenance"].append({"label": "computes again", "value": told})


def motion(
    run: JudgedTrajectory,
    quality: Literal["full", "drag"] = "full",
    go_on: Callable[[], None] = lambda: None,
    first: Shapes | None = None,
) -> MotionPage:
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
        measured = measure(shown, go_on)
        tried = tried_remedies(run)
        go_on()
        content = full_motion(shown, measured, audited(run), tried)
    if first is not None:
        shapes = shapes_of(Scene(run, shown.actors, shown.poses))
        if any(shapes[part] != first[part] for part in ("bodies", "fixtures", "joints")):
            content["shapes"] = shapes
    return content


def shapes_of(scene: Scene) -> Shapes:
    """What there is to see, without its motion."""
    return {"bodies": scene.bodies(), "fixtures": scene.fixtures(), "joints": scene.joints()}


def model_of(shown: Shown, facts: Facts, audit: Audit, title: str | None, date: str | None) -> ModelPage:
    """What does not move: shapes, words, equations."""
    run = shown.run
    scene = Scene(run, shown.actors, shown.poses)
    return {
        "name": title or run.model.name,
        "up": numbers(scene.up),
        "size": scene.size,
        "centre": numbers(scene.centre),
        **shapes_of(scene),
        "coordinates": coordinates(run.model),
        "verdict": verdict(facts, run.findings, audit),
        "standing": standing(facts),
        "singular_sets": singular_entries(facts.sets),
        "portraits": portrait_entries(facts),
        "equations": equation_entries(facts),
        "provenance": provenance(run, date),
        "controls": None,
        "special": [],
        "live": None,
        "map": None,
    }


def singular_entries(sets: Sequence[SingularSet]) -> list[SetEntry]:
    """Singular sets in words and typeset."""
    return [
        {
            "kind": one.kind,
            "text": one.text,
            "latex": "" if one.condition is None else sp.latex(one.condition),
            "load": one.load,
        }
        for one in sets
    ]
