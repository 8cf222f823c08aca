"""Closed mechanisms beside Exudyn, MuJoCo and Drake: how much CPU time an error costs in each."""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

import numpy as np

from benchmarks import mechanisms
from benchmarks.job import NotMeasured, measured
from benchmarks.measure import best_of, timed
from benchmarks.table import Section, Target, seconds, table
from benchmarks.work_precision_figure import FIGURE, draw

OUTPUTS = 20  # times at which errors are taken, after the start
TRUSTED = 1e-10  # errors of the exact motion itself: two ways to compute it agree to about this
NO_ANSWER = 0.1  # position errors from which a result is not counted as one
ENOUGH = 0.4  # CPU seconds spent on one point, at least two and at most forty runs
STEPS = {  # seconds
    "four_bar": (1e-2, 5e-3, 1e-3, 2e-4),
    "slider_crank": (1e-2, 5e-3, 1e-3, 2e-4),
    "squeezer": (1e-4, 2e-5, 5e-6, 1e-6),
    "five_bar": (1e-2, 5e-3, 1e-3, 2e-4),
}
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)  # rtol; 1e-9 is the default
STIFFNESSES = {  # N/m, of Drake's bushings; with stiffer ones its integrator does not end within a minute
    "four_bar": (1e5, 3e5, 1e6),
    "slider_crank": (1e5, 3e5, 1e6),
    "squeezer": (1e4, 2e4, 5e4),
    "five_bar": (1e5, 3e5, 1e6),
}
CURVES = (
    ("cardan", "defaults"),
    ("exudyn", "best"),
    ("exudyn", "defaults"),
    ("mujoco", "best"),
    ("mujoco", "defaults"),
    ("drake", "best"),
    ("drake", "defaults"),
)


class Point(NamedTuple):
    """CPU seconds of one run, and its largest errors: energy by largest kinetic energy, position by size."""

    amount: float
    seconds: float
    energy: float
    position: float


# --- jobs -----------------------------------------------------------------------------------------------------------


def curve(tool: str, setting: str, name: str, amounts: list[float]) -> dict[str, Any]:
    """CPU seconds, energies and positions at each amount; where the tool gives up, its last word."""
    from benchmarks.mechanism import energy

    case_of = importlib.import_module(f"benchmarks.mechanism_{tool}").case
    mechanism = mechanisms.ALL[name]()
    found: list[dict[str, Any]] = []
    for amount in amounts:
        try:
            case = case_of(mechanism, setting, amount, OUTPUTS)
            case.before()
            once, result = timed(case.work)
            runs = int(np.clip(ENOUGH / once, 1, 39))
            least = min(once, best_of(runs, case.work, before=case.before)[0])
        except Exception as failure:
            found.append({"amount": amount, "failed": str(failure).strip().splitlines()[0][:100]})
            continue
        states = case.states(result)
        E = energy(mechanism, states)
        found.append({"amount": amount, "seconds": least, "E": E.tolist(), "x": states.x.tolist()})
    return {"points": found}


def reference(name: str) -> dict[str, Any]:
    """Positions and largest kinetic energy of the exact motion."""
    from benchmarks.mechanism import kinetic
    from benchmarks.mechanism_reference import motion

    mechanism = mechanisms.ALL[name]()
    states = motion(mechanism, OUTPUTS)
    return {"x": states.x.tolist(), "K": float(np.max(kinetic(mechanism, states)))}


# --- report ---------------------------------------------------------------------------------------------------------


def run() -> Section:
    section = Section(
        "Closed mechanisms: work and precision", PROSE.format(outputs=OUTPUTS, trusted=TRUSTED, no_answer=NO_ANSWER)
    )
    everything: dict[str, dict[str, list[Point]]] = {}
    for name in mechanisms.ALL:
        mechanism = mechanisms.ALL[name]()
        exact = measured("benchmarks.work_precision:reference", name)
        curves, rows = {}, []
        for tool, setting in CURVES:
            label = importlib.import_module(f"benchmarks.mechanism_{tool}").SETTINGS[setting]
            points, failures = _points(tool, setting, name, exact, mechanism.size)
            curves[label] = points
            rows += [_row(label, point) for point in points] + [[label, *failure, "-", "-"] for failure in failures]
        everything[mechanism.name] = curves
        head = [f"**{mechanism.name}**, {mechanism.span:g} s", "at", "CPU time", "energy error", "position error"]
        counted, all_points = _closest(curves, NO_ANSWER), _closest(curves, np.inf)
        closest = f"Closest to Cardan: {counted[1]}, {counted[0]:.3g} times its CPU time"
        rest = f"; if every point counted: {all_points[1]}, {all_points[0]:.3g} times."
        section.tables += [table(head, rows), closest + rest]
        section.targets.append(Target(f"{mechanism.name}: {PROMISE}", counted[0], 1))
    draw(everything)
    section.tables.insert(0, f"![Errors over CPU time]({FIGURE.parent.name}/{FIGURE.name})")
    return section


PROMISE = "quicker than any point of a peer that counts, both errors no larger"
PROSE = """
Four mechanisms with loops and one degree of freedom, the same in every tool ([mechanisms.py](mechanisms.py)): how
large are the errors after how much CPU time? Position error: largest distance of a centre of mass from the exact
motion at {outputs} times, relative to the mechanism's size. Energy error: largest change of T + V at those times,
relative to the largest kinetic energy. The exact motion comes from energies alone, with SciPy
([mechanism_reference.py](mechanism_reference.py)), and is trusted to {trusted:g}. Cardan's time is the whole call of
`simulate`, consistent start and output included, at its default settings, for several tolerances (`at` is rtol; the
default is 1e-9); a peer's is its own loop alone, model and state having been made ready before. Peers run at their
defaults and at the best settings that their documentation offers for loops, told in the files `mechanism_*.py` (`at`
is the time step in s; for Drake's bushings their stiffness in N/m). Results that are more than {no_answer:.0%} off
are listed but do not count as answers in the targets: a call of Cardan takes some milliseconds whatever the
tolerance, in which MuJoCo's defaults get there."""


def _points(
    tool: str, setting: str, name: str, exact: dict[str, Any], size: float
) -> tuple[list[Point], list[list[str]]]:
    """The points of a curve, and the amounts that did not work, with reasons."""
    special = {("cardan", "defaults"): TOLERANCES, ("drake", "best"): STIFFNESSES[name]}
    wanted = special.get((tool, setting), STEPS[name])
    try:
        made = measured("benchmarks.work_precision:curve", tool, setting, name, wanted)["points"]
    except NotMeasured as why:
        return [], [["all", str(why)]]
    points = []
    for one in made:
        if "failed" not in one:
            energy = float(np.max(np.abs(np.array(one["E"]) - one["E"][0]))) / exact["K"]
            position = float(np.max(np.linalg.norm(np.array(one["x"]) - np.array(exact["x"]), axis=2))) / size
            points.append(Point(one["amount"], one["seconds"], energy, position))
    return points, [[f"{one['amount']:g}", f"failed: {one['failed']}"] for one in made if "failed" in one]


def _row(label: str, point: Point) -> list[str]:
    errors = f"{point.energy:.1e}", f"{point.position:.1e}"
    return [label, f"{point.amount:g}", seconds(point.seconds), *errors]


def _closest(curves: dict[str, list[Point]], limit: float) -> tuple[float, str]:
    """By what factor Cardan is quicker, both errors no larger, than the peer's point that comes closest to it.

    Points with position errors above the limit are left out.
    """
    own, closest, where = curves["Cardan"], np.inf, "no peer"
    for label, points in curves.items():
        for peer in points if label != "Cardan" else ():
            if peer.position > limit:
                continue
            energy, position = max(peer.energy, TRUSTED), max(peer.position, TRUSTED)
            as_good = [one.seconds for one in own if one.energy <= energy and one.position <= position]
            factor = peer.seconds / min(as_good) if as_good else 0.0
            if factor < closest:
                closest, where = factor, f"{label}, at {peer.amount:g}: position {peer.position:.1e} off"
    return float(closest), where


if __name__ == "__main__":
    print(run())
