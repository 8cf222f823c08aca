"""Ctrl-C while a motion is judged: the motion itself is complete, and in the error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cardan.errors import Interrupted
from cardan.trajectory.trajectory import Trajectory


@contextmanager
def stopped_with(run: Trajectory) -> Iterator[None]:
    """Ctrl-C inside ends with an error that holds the run, which is complete."""
    try:
        yield
    except Interrupted:
        raise
    except KeyboardInterrupt:
        message = (
            f"The audit of {run.model.name!r} was interrupted; the motion itself is complete, in error.trajectory."
        )
        raise Interrupted(message, trajectory=run, status=run.status) from None
