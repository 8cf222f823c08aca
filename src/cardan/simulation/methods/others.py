"""Entries of the table whose steps are not a native loop of their own: a choice, a check, and two that guards make."""

from __future__ import annotations

from cardan.simulation.methods.method import Method

AUTO = Method(
    "auto", 8, 8, is_held_at_rank_loss=True, is_carried_across_rank_loss=True, keeps_pace=True, stands_for="DOP853",
    when_stiff="Radau",
)  # fmt: skip
SCIPY = Method("scipy-DOP853", 8, 8, finds_events=False, solves_friction=False)
"""SciPy's integrator, an independent check (`simulation/check.py`)."""
TIME_STEPPING = Method("Moreau-Jean", 1, 1, is_adaptive=False, finds_events=False, is_time_stepping=True)
"""Stops decided once per step (`simulation/contact/moreau.py`)."""
PASSAGE = Method("passage", 16, 8, is_offered=False, is_carried_across_rank_loss=True)
"""What the statistics of a run say of parts that a guard has followed: mostly collocation across a loss of rank."""
