"""Which connections are turned against each other: rows at right angles also hold with a hinge upside down.

A hinge has a sense: the axes of its two frames are parallel, not antiparallel; frames without relative rotation are not
half a turn apart. Rows of right angles do not tell, so whoever looks for configurations asks here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.equations.reduced import Dynamics
from cardan.graph import Node, evaluate
from cardan.kinematics.rows import facing
from cardan.model.constraints import Connection

Array = NDArray[np.float64]

ALIGNED = 0.5  # cosines are 1 where frames face each other, and -1, 0 or -1/2 where they do not


class Facing:
    """The cosines of a model's connections, one where their frames face each other."""

    def __init__(self, d: Dynamics) -> None:
        self.d = d
        found = [(c.name, facing(c, d.full.motion)) for c in d.model.constraints if isinstance(c, Connection)]
        self.names = [name for name, cosines in found for _ in cosines]
        self.cosines: list[Node] = d.impose([x for _, cosines in found for x in cosines]) if self.names else []

    def turned(self, q: Array, t: Array | float, p: Sequence[float] | Array) -> NDArray[np.bool_]:
        """Of configurations, one per row: which of the cosines is not that of frames which face each other."""
        if not self.names:
            return np.zeros((len(q), 0), dtype=bool)
        values: dict[Node, Array | float] = {self.d.t: t, **dict.fromkeys(self.d.v, 0.0)}
        values |= {node: q[:, k] for k, node in enumerate(self.d.q)}
        values |= dict(zip(self.d.p, np.asarray(p, dtype=float).tolist(), strict=False))
        found = [np.broadcast_to(x, (len(q),)) for x in evaluate(self.cosines, values)]
        return np.asarray(~(np.array(found).T >= ALIGNED))

    def any_turned(self, q: Array, t: Array | float, p: Sequence[float] | Array) -> NDArray[np.bool_]:
        """Which configurations have a connection that is turned."""
        return np.asarray(np.any(self.turned(q, t, p), axis=1))
