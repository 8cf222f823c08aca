"""What a user asks of many parameter values, carried to what answers it: root loci and maps of stability."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from cardan.analysis.grid import grid, place_of
from cardan.analysis.linearizing import linearized
from cardan.analysis.maps import RootLocus, StabilityMap, root_locus, stability_map
from cardan.analysis.place import Place, place_at
from cardan.analysis.stops import refuse_closed
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.settings import Loads, Values


def root_locus_at(
    kernels: Kernels, ranges: Mapping[str, ArrayLike], q: Values, v: Values, loads: Loads, inputs: Loads
) -> RootLocus:
    """Eigenvalues of the rest next to q along a parameter."""
    return root_locus(grid(_start(kernels, q, v, loads, inputs), ranges))


def stability_map_at(
    kernels: Kernels, ranges: Mapping[str, ArrayLike], q: Values, v: Values, loads: Loads, inputs: Loads
) -> StabilityMap:
    """Growth at the rest next to q over two parameters."""
    return stability_map(grid(_start(kernels, q, v, loads, inputs), ranges))


def _start(kernels: Kernels, q: Values, v: Values, loads: Loads, inputs: Loads) -> Place:
    """Where rests are sought from, or the motion that is given, which must be steady."""
    place = place_at(kernels, q, v, 0.0, loads, inputs)
    refuse_closed(place.kernel, place.t, place.y, place.p, place.sizes)
    if np.any(place.v != 0):
        linearized(place, "steady")
    return place_of(place.kernel, place)
