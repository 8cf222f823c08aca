"""What one diagnosis costs: a 7-dof arm, warm, regular and singular, with and without a task."""

from __future__ import annotations

from typing import Any

from benchmarks.job import NotMeasured, measured
from benchmarks.measure import best_per_call
from benchmarks.table import Section, Target, seconds, table

LABELS = {
    "regular": "regular configuration",
    "task": "the same, with the hand as a task",
    "straight": "straight arm: many load directions lost, each explained",
}
REGULAR = [0.1, 0.4, -0.3, 0.8, 0.2, -0.5, 0.3]


def arm() -> tuple[Any, Any]:
    """Seven links with turns about z and y in alternation; the system and a point of the hand."""
    import cardan as cd

    s = cd.System("arm")
    link: Any = None
    for k, q in enumerate(s.coordinates("q1 q2 q3 q4 q5 q6 q7", on="S1")):
        link = s.body(
            f"link{k + 1}",
            mass=2.0 - 0.2 * k,
            inertia=(0.1, 0.12, 0.05),
            com=(0, 0.02, 0.15),
            parent=link,
            at=(0, 0, 0.3 if k else 0),
            joint=cd.Revolute("zy"[k % 2], q),
        )
    s.gravity(-9.81 * s.world.z)
    return s, link.point(0, 0, 0.1)


def times() -> dict[str, Any]:
    """Seconds per diagnosis."""
    s, hand = arm()
    return {
        "regular": best_per_call(lambda: s.diagnose(REGULAR)),
        "task": best_per_call(lambda: s.diagnose(REGULAR, task=hand)),
        "straight": best_per_call(lambda: s.diagnose([0.0] * 7)),
    }


def run() -> Section:
    found: dict[str, Any] = {}
    rows = []
    try:
        found = measured("benchmarks.diagnose:times")
        rows = [[LABELS[key], seconds(value)] for key, value in found.items()]
    except NotMeasured as why:
        rows = [[label, str(why)] for label in LABELS.values()]
    return Section(
        "Diagnosis",
        """
One `s.diagnose(q)` of an arm with seven hinges, kernels compiled: basis, cloud of 64 configurations, lost directions of
all links, text. CPU time, best of many.""",
        [table(["7-dof arm", "CPU time"], rows)],
        [Target("one diagnosis of a 7-dof arm", found.get("regular"), 5e-3, unit=" s", at_most=True)],
    )


if __name__ == "__main__":
    print(run())
