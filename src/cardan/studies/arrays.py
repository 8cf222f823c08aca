"""Arrays in a Zarr v3 group, every chunk with its CRC32C."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.errors import StoreError

if TYPE_CHECKING:
    import zarr

Numbers = NDArray[np.float64]

CHUNK = 1 << 20  # bytes of a chunk, before compression


def create(
    group: zarr.Group, name: str, shape: tuple[int, ...], kind: str, rows: int, per_shard: int = 0
) -> zarr.Array:
    """An empty array of ``rows`` rows to a chunk, and ``per_shard`` chunks to a file; nan or 0 where nothing is yet."""
    from zarr.codecs import Crc32cCodec, ZstdCodec

    whole = tuple(max(length, 1) for length in shape[1:])
    missing = np.nan if np.dtype(kind).kind == "f" else 0
    made: zarr.Array = group.create_array(
        name=name,
        shape=shape,
        dtype=np.dtype(kind),
        chunks=(max(rows, 1), *whole),
        shards=(max(rows, 1) * per_shard, *whole) if per_shard else None,
        compressors=[ZstdCodec(level=1), Crc32cCodec()],
        fill_value=missing,
    )
    return made


def put(group: zarr.Group, arrays: Mapping[str, Numbers]) -> None:
    """Write whole arrays."""
    for name, values in arrays.items():
        each = max(values[:1].nbytes, 8)
        rows = min(max(len(values), 1), max(CHUNK // each, 1))
        made = create(group, name, values.shape, values.dtype.str, rows)
        if values.size:
            made[...] = values


def take(group: zarr.Group, name: str, where: Path) -> Numbers:
    """A whole array; StoreError where it is damaged."""
    try:
        values: Numbers = np.asarray(group[name][...])
    except Exception as problem:
        raise StoreError(f"{where}: the array {name!r} cannot be read: {problem}", path=str(where), name=name) from None
    return values
