"""Which parameters a scene is measured by: lengths, places of joints, sizes of shapes that were given."""

from __future__ import annotations

from dataclasses import replace

from cardan.report.data.arrays import numbers
from cardan.report.scene.dressing import given
from cardan.report.scene.scene import Scene

CHANGED = 1.25  # times the value, or this much where it is zero


def shaping_parameters(scene: Scene) -> frozenset[str]:
    """Names of parameters that move a joint or a mass on its body, or change a shape that was given.

    A page does not draw shapes anew, so it cannot show other values of these; those of masses it can.
    """
    first = _measures(scene)
    symbols = scene.run.kernel.model.parameters
    return frozenset(str(symbol) for k, symbol in enumerate(symbols) if _measures(_with(scene, k)) != first)


def _with(scene: Scene, k: int) -> Scene:
    """The scene with another value of one parameter."""
    p = scene.run.parameters.copy()
    p[k] = CHANGED * p[k] if p[k] else CHANGED
    return Scene(replace(scene.run, parameters=p), scene.actors, scene.poses)


def _measures(scene: Scene) -> object:
    """What is drawn where, without what is only inferred from masses and inertias."""
    skeleton = [[numbers(one) for one in (member.anchor, member.com, *member.ends)] for member in scene.members]
    shapes = [given(one.body.shape, one.com, scene.values) for one in scene.members]
    sizes = [scene.values.number(x) for _, shape in scene.touching for x in shape.amounts]
    return skeleton, scene.joints(), shapes, sizes
