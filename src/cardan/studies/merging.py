"""Stores of one study, made on several machines, put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cardan.errors import StoreError
from cardan.studies.rows import STATUS, Block
from cardan.studies.store import Layout, Reader, Writer, create_store
from cardan.studies.study import Study


def merged(parts: Sequence[Study], path: Path) -> Path:
    """A store with every row that any of the parts has; rows that several have must be equal in every bit."""
    if len({one.setup.digest() for one in parts}) != 1:
        raise StoreError("These are stores of different studies: their models, settings or rows differ.")
    first = parts[0]
    layout = Layout(**Reader(first.path or Path()).manifest["layout"])
    create_store(path, first.setup, first.facts, layout)
    writer = Writer(path)
    try:
        for k, one in enumerate(parts):
            for other in parts[:k]:
                _require_equal_rows(other, one, layout)
            _take(one, layout, writer)
    finally:
        writer.close()
    return path


def _require_equal_rows(first: Study, second: Study, layout: Layout) -> None:
    """Refuse rows that both have and that differ: one of the stores was not made as the other."""
    readers = Reader(first.path or Path()), Reader(second.path or Path())
    pending = STATUS.index("pending")
    both = np.flatnonzero(np.logical_and(*(reader.array("status") != pending for reader in readers)))
    for name in layout.shapes():
        a, b = (np.ascontiguousarray(reader.array(name)[both]) for reader in readers)
        differs = [row for row, x, y in zip(both, a, b, strict=True) if x.tobytes() != y.tobytes()]
        if differs:
            raise StoreError(
                f"{len(differs)} row{'s' * (len(differs) != 1)} that both stores have differ in {name!r}, "
                f"the first is row {differs[0]}: "
                f"{first.path} and {second.path}. Find out which of them is right, and merge without the other.",
                row=int(differs[0]),
                name=name,
            )


def _take(one: Study, layout: Layout, writer: Writer) -> None:
    reader = Reader(one.path or Path())
    arrays = {name: reader.array(name) for name in layout.shapes()}
    status = arrays["status"]
    states = arrays.get("states", np.zeros((layout.rows, layout.times, layout.state)))
    fresh = (status != STATUS.index("pending")) & ~writer.done
    edges = np.flatnonzero(np.diff(np.concatenate([[False], fresh, [False]]).astype(int)))
    for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        reasons = {row: text for row, text in reader.reasons.items() if a <= row < b}
        writer.add(Block(a, arrays["numbers"][a:b], states[a:b], status[a:b], arrays["ended"][a:b], reasons, 0.0))
