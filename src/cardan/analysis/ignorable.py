"""Coordinates that nothing depends on."""

from __future__ import annotations

import numpy as np

from cardan.analysis.place import Place
from cardan.analysis.varied import Varied, varied

SEED, ELSEWHERE = 20170130, 3  # states at which it is confirmed
NOTHING = 1e-12  # of the largest change


def ignorable_displacements(place: Place, here: Varied) -> set[int]:
    """Displacements that change neither forces nor constraints, at this and at other states."""
    rng, found = np.random.default_rng(SEED), _without_effect(here)
    numbers = place.kernel.numbers(place.p)
    for _ in range(ELSEWHERE):
        y = numbers.moved(place.t, place.y, 0.3 * place.sizes * rng.uniform(-1, 1, place.kernel.nv))
        y[place.kernel.nq :] += place.sizes * rng.uniform(-1, 1, place.kernel.nv)
        if found:
            found &= _without_effect(varied(place.kernel, place.t, y, place.p))
    return found


def _without_effect(d: Varied) -> set[int]:
    columns = np.abs(np.vstack([d.balance.pi, d.phi, d.rates, d.drift.pi, d.C]))
    usual = np.max(columns, initial=0.0)
    return {int(j) for j in np.flatnonzero(np.max(columns, axis=0, initial=0.0) <= NOTHING * usual)}
