"""The branches of motion through a configuration that a user names."""

from __future__ import annotations

from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.rank.branches import Branches
from cardan.trajectory.rank.numbers import RankNumbers
from cardan.trajectory.settings import START_TOLERANCE, Values
from cardan.trajectory.start import given_start


def branches_through(kernel: Kernel, q: Values, t: float) -> Branches:
    """All branches through a configuration, brought to the constraints if it misses them slightly."""
    if not kernel.m:
        raise ModelError(f"{kernel.model.name!r} has no constraints, so one branch runs through each configuration.")
    p = kernel.p()
    start = consistent_start(kernel, given_start(kernel, q, None), p, t, START_TOLERANCE)
    return RankNumbers(kernel, p, start.reference).branches(t, start.y)
