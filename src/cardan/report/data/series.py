"""Histories along a run: coordinates, velocities, energy, drifts, multipliers, indicators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.indicators import NEAR
from cardan.report.data.arrays import packed
from cardan.report.data.entries import Series
from cardan.report.data.measured import Measured
from cardan.report.data.symbols import configuration, typeset, velocities
from cardan.trajectory.run_event import RunEvent
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

LOSSES = ("impact", "impulse", "snap", "zeno")  # events that may take energy away


def series(
    group: str,
    name: str,
    values: Vector,
    latex: str = "",
    unit: str = "",
    threshold: float | None = None,
    log: bool = False,
) -> Series:
    return {
        "group": group,
        "name": name,
        "latex": latex,
        "unit": unit,
        "values": packed(values),
        "threshold": threshold,
        "log": log,
    }


def state_series(here: Trajectory) -> list[Series]:
    """Coordinates and velocities; gaps where the user's angles have no meaning."""
    states, defined = here.user_states
    table = states if np.all(defined) else np.where(defined[:, None], states, np.nan)
    named = [("coordinates", *one) for one in configuration(here.model)]
    named += [("velocities", *one) for one in velocities(here.model)]
    return [
        series(group, str(symbol), table[:, k], typeset(symbol), unit) for k, (group, symbol, unit) in enumerate(named)
    ]


def energy_series(table: Vector) -> list[Series]:
    """T, V and T + V where there is a potential, and the Jacobi integral where it is another number."""
    T, V, jacobi = table[:, 0], table[:, 1], table[:, 2]
    found = [series("energy", "kinetic energy", T, "T", "J")]
    if np.any(V):
        found.append(series("energy", "potential energy", V, "V", "J"))
        found.append(series("energy", "energy", T + V, "T + V", "J"))
    if not np.allclose(jacobi, T + V, rtol=1e-9, atol=1e-12 * float(np.max(np.abs(T), initial=0.0))):
        latex = r"\mathbf v \cdot \partial L / \partial \mathbf v - L"
        found.append(series("energy", "Jacobi integral", jacobi, latex, "J"))
    return found


def drift_series(measured: Measured, events: Sequence[RunEvent]) -> list[Series]:
    """Energy against its start, which is an error only where nothing does work, and how well constraints hold."""
    energy = measured.energies[:, 0] + measured.energies[:, 1]
    works = any(np.any(one) for one in measured.power.values()) or any(one.kind in LOSSES for one in events)
    group = "energy" if works else "drift"
    found = [series(group, "change of energy", energy - energy[0], r"T + V - (T + V)_0", "J")]
    error = measured.constraint_error
    if error is not None:
        found.append(series("drift", "constraint error", error[:, 0], r"\max|\phi|", "", None, True))
        found.append(series("drift", "velocity constraint error", error[:, 1], r"\max|A v + b_0|", "", None, True))
    return found


def multiplier_series(multipliers: Mapping[str, Vector]) -> list[Series]:
    """Multipliers of prescribed coordinates and constraints, and forces of stops."""
    return [series("multipliers", name, values) for name, values in multipliers.items()]


def indicator_series(indicators: Mapping[str, Vector]) -> list[Series]:
    """Indicators of singularity with the value below which they are reported."""
    found = []
    for name, values in indicators.items():
        latex = r"\kappa" if name in ("basis", "constraints") else r"\eta"
        found.append(series("indicators", name, values, latex, "", NEAR, True))
    return found
