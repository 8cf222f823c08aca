"""Building large graphs without the garbage collector walking through them again and again.

Nodes refer to each other and live as long as their graph, so a collection during the building frees nothing, yet costs
about as much as making the nodes. The functions of this room that make many nodes pause it; a caller who builds an
expression in a loop of its own may do the same.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause automatic garbage collection inside a ``with`` block or a decorated function."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
