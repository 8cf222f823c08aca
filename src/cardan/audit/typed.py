"""A line of an audit about reactions that contain what was typed without a place."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from cardan.audit.audit import OK, Line
from cardan.codegen.compiled import Kernel
from cardan.equations.unplaced import movers, unplaced
from cardan.model.model import Model
from cardan.trajectory.trajectory import Trajectory


def typed_line(run: Trajectory) -> Line | None:
    """Whether run.reactions hold what is no reaction: a weight typed as a potential cannot be told from one."""
    if run.user not in _found:
        _found[run.user] = _said_of(run.model)
    return _found[run.user]


_found: WeakKeyDictionary[Kernel, Line | None] = WeakKeyDictionary()


def _said_of(model: Model) -> Line | None:
    typed = [one for one in unplaced(model) if not one.is_driven]
    things = [*model.bodies, *model.particles]
    moved = {thing.name: movers(model, thing.frame) for thing in things}
    names = [name for name, along in moved.items() if any(one.along & along for one in typed)]
    if not names:
        return None
    listed = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    words = (
        f"{typed[0].words} was typed without a place, so it counts as a reaction on {listed} (run.reactions[...]."
        "includes); the motion is the same. To tell them apart say where it acts, with s.gravity, s.force, s.moment, "
        "s.spring or s.damper"
    )
    return Line("typed forces", OK, float(len(names)), words)
