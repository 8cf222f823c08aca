"""Discs that lie flat: every point of the rim touches, so that the point of contact, and rolling, is undefined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.equations.reduced import Dynamics
from cardan.geometry import matrix as m3
from cardan.graph import Node, evaluate
from cardan.model.constraints import Rolling
from cardan.model.motions import unit_axis
from cardan.model.shapes import Disc

Array = NDArray[np.float64]

FLAT = 1e-8  # sine of the angle between a disc and its plane below which the contact is undefined


class Flatness:
    """The lean of every rolling disc: the sine of the angle between the disc and its plane, 0 where it lies flat."""

    def __init__(self, d: Dynamics) -> None:
        self.d = d
        rolling = [one for one in d.model.constraints if isinstance(one, Rolling)]
        discs = [(one, one.shape) for one in rolling if isinstance(one.shape, Disc)]
        self.names, self.bodies = [one.name for one, _ in discs], [one.body.frame.name for one, _ in discs]
        motion, squares = d.full.motion, []
        for one, shape in discs:
            normal = m3.matvec(motion.rotation(one.surface), one.normal)
            axis = m3.matvec(motion.rotation(one.body.frame), unit_axis(shape.axis, "Disc"))
            squares.append(m3.squared_norm(m3.cross(normal, axis)))
        self.squares: list[Node] = d.impose(squares) if discs else []

    def leans(self, q: Array, t: Array | float, p: Sequence[float] | Array) -> Array:
        """The sines, one row for each configuration."""
        if not self.names:
            return np.zeros((len(q), 0))
        values: dict[Node, Array | float] = {self.d.t: t, **dict.fromkeys(self.d.v, 0.0)}
        values |= {node: q[:, k] for k, node in enumerate(self.d.q)}
        values |= dict(zip(self.d.p, np.asarray(p, dtype=float).tolist(), strict=False))
        found = [np.broadcast_to(x, (len(q),)) for x in evaluate(self.squares, values)]
        return np.sqrt(np.maximum(np.array(found).T, 0.0))

    def flat(self, q: Array, t: float, p: Sequence[float] | Array, least: float = FLAT) -> list[str]:
        """Names of the bodies that lie flat at one configuration."""
        return [name for name, lean in zip(self.bodies, self.leans(q[None], t, p)[0], strict=True) if lean < least]
