"""Through singular configurations beside Exudyn, MuJoCo, Drake and Pinocchio: who passes, where to, at what cost.

python -m benchmarks.singular_passages      measures this section alone and writes singular_passages.md
"""

from __future__ import annotations

import importlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import passage_body, passages
from benchmarks.job import NotMeasured, measured
from benchmarks.machine import describe
from benchmarks.measure import best_of, timed
from benchmarks.passage_figure import FIGURE, draw
from benchmarks.table import Section, Target, seconds, table

OUTPUTS = 200  # times at which branch and errors are judged, after the start
ENOUGH = 1.0  # CPU seconds spent on one point, at most twenty runs
DEFAULT = 1e-9  # Cardan's rtol
AT_ONCE = 2  # jobs
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # for every tool
WANTED = 100.0  # times smaller energy error at equal CPU time
ROUNDING = 1e-12  # energy errors that rounding leaves in 10 s; peers within a hundred times of it are not in the target
RESULTS = Path(__file__).with_name("singular_passages.md")

Curve = tuple[str, str, tuple[float, ...]]  # tool, setting, time steps (or tolerances, or stiffnesses)
FINE, MIDDLE, FEW, TWO = (1e-2, 2.5e-3, 1e-3, 2.5e-4), (1e-2, 2.5e-3, 1e-3), (5e-3, 1e-3), (1e-2, 1e-3)


class Case(NamedTuple):
    """A chain to be passed, and the curves that are measured on it."""

    N: int
    start: str
    hinged: bool
    curves: tuple[Curve, ...]


def _small(*exudyn: Curve, rtols: tuple[float, ...], steps: tuple[float, ...], bushings: bool) -> tuple[Curve, ...]:
    drake: tuple[Curve, ...] = (("drake", "defaults", TWO),)
    drake += (("drake", "best", (1e5, 1e6)),) if bushings else ()
    both = [(tool, setting, steps if setting == "best" else TWO)
            for tool in ("mujoco", "pinocchio") for setting in ("best", "defaults")]  # fmt: skip
    return (("cardan", "defaults", rtols), *exudyn, *both, *drake)


TIGHT, SHORT = (1e-4, 1e-6, 1e-9, 1e-11, 1e-12, 1e-13), (1e-6, 1e-9, 1e-11, 1e-12)
ONE = _small(
    ("exudyn", "redundant", FINE), ("exudyn", "defaults", TWO), ("exudyn", "index2", TWO),
    rtols=TIGHT, steps=FINE, bushings=True,
)  # fmt: skip
SPACE = _small(
    ("exudyn", "redundant", MIDDLE), ("exudyn", "defaults", (1e-3,)), rtols=TIGHT, steps=MIDDLE, bushings=True
)
TEN = _small(
    ("exudyn", "sparse", MIDDLE), ("exudyn", "redundant", (1e-3,)), ("exudyn", "index2", (1e-3,)),
    rtols=SHORT, steps=MIDDLE, bushings=False,
)  # fmt: skip
FORTY: tuple[Curve, ...] = (
    ("cardan", "defaults", SHORT),
    ("exudyn", "sparse", FEW),
    ("mujoco", "best", FEW),
    ("mujoco", "defaults", (1e-3,)),
    ("drake", "defaults", FEW),
    ("pinocchio", "best", FEW),
)
CASES = tuple(
    Case(N, start, hinged, curves)
    for N, hinged, curves in ((1, False, ONE), (1, True, SPACE), (10, False, TEN), (40, False, FORTY))
    for start in passages.STARTS
)
BODY_STEPS, BODY_TOLERANCES = (1e-2, 2.5e-3), (1e-6, 1e-9, 1e-12)


class Point(NamedTuple):
    """One run: CPU seconds, errors, and the time at which it left the right branch (the end where it did not)."""

    amount: float
    seconds: float
    energy: float
    position: float
    gap: float
    left: float
    passed: bool


# --- jobs -----------------------------------------------------------------------------------------------------------


def chain_point(tool: str, setting: str, N: int, start: str, hinged: bool, amount: float) -> dict[str, Any]:
    """One run of a chain, judged by the pendulum that it should be."""
    from benchmarks.mechanism import energy

    case = _case_of(tool)(passages.chain(N, start, hinged=hinged), setting, amount, OUTPUTS)
    least, result = _timed(case)
    mechanism, right = passages.chain(N, start, hinged=hinged), passages.exact(N, start, OUTPUTS)
    states = case.states(result)
    found = passages.judge(mechanism, states, right.a)
    E = energy(mechanism, states)
    drift = float(np.max(np.abs(E - E[0]))) / right.K
    passed = found.on_branch and bool(np.isfinite(drift))
    return Point(amount, least, drift, found.position, found.gap, found.left, passed)._asdict()


def body_point(tool: str, setting: str, amount: float) -> dict[str, Any]:
    """One run of the body; it has passed where its orientation is right to a tenth of a radian."""
    case = passage_body.case(tool, setting, amount, OUTPUTS)
    least, result = _timed(case)
    angle, drift = passage_body.errors(case.states(result), OUTPUTS)
    passed = bool(angle < passages.ON_BRANCH)
    return Point(amount, least, drift, angle, 0.0, passage_body.SPAN, passed)._asdict()


def _case_of(tool: str) -> Any:
    module = "benchmarks.passage_exudyn" if tool == "exudyn" else f"benchmarks.mechanism_{tool}"
    return importlib.import_module(module).case


def _timed(case: Any) -> tuple[float, Any]:
    case.before()
    once, result = timed(case.work)
    runs = int(np.clip(ENOUGH / max(once, 1e-6), 0, 19))
    return (min(once, best_of(runs, case.work, before=case.before)[0]) if runs else once), result


# --- report ---------------------------------------------------------------------------------------------------------


def run() -> Section:
    section = Section("Through singular configurations", PROSE.format(outputs=OUTPUTS, limit=passages.ON_BRANCH))
    _measure_ahead()
    everything: dict[str, dict[str, list[Point]]] = {}
    passes: list[bool] = []
    targets: list[Target] = []
    for case in CASES:
        name = passages.chain(case.N, case.start, hinged=case.hinged).name
        curves, rows = {}, []
        for tool, setting, amounts in case.curves:
            label = _label(tool, setting)
            points, failures = _points(chain_point.__name__, tool, setting, case, amounts)
            curves[label] = points
            rows += [_row(label, point) for point in points] + [[label, *why, *"----"] for why in failures]
        everything[name] = curves
        section.tables += [table([f"**{name}**, {passages.SPAN:g} s", *HEAD, "pins open by"], rows), _beside(curves)]
        passes.append(_passes(curves["Cardan"]))
        targets.append(Target(f"{name}: {PROMISE}", _smaller(curves)[0], WANTED))
        if case.N == CASES[-1].N and case.start == "upright":
            targets.append(Target(FORTY_TEXT, _against_sparse(curves), 1.0))
    body, rows = _body()
    everything["body through its singularity"] = body
    section.tables += [table([f"**torque-free body**, {passage_body.SPAN:g} s", *HEAD], rows), _beside(body)]
    passes.append(_passes(body[passage_body.SETTINGS["cardan", "angles"]]))
    targets.append(Target(f"torque-free body: {PROMISE}", _smaller(body)[0], WANTED))
    draw(everything)
    section.tables.insert(0, f"![Energy error over CPU time]({FIGURE.parent.name}/{FIGURE.name})")
    whole = Target("cases that Cardan passes at its default settings", float(sum(passes)), float(len(passes)), "")
    section.targets += [whole, *targets]
    return section


HEAD = ("at", "CPU time", "branch", "energy error", "position error")
PROMISE = "energy error smaller than that of every peer's point that passed with more than 1e-10, at no more CPU time"
FORTY_TEXT = "40 four-bars: CPU time of Exudyn's sparse solver at 1 ms, relative to Cardan at its defaults"
PROSE = """
Chains of N parallelograms with unequal masses swing for 10 s through the positions in which they are folded flat, where
their constraints lose rank and N + 1 other motions begin; and a torque-free body passes exactly through the singular
orientation of its angles. The same model in every tool ([passages.py](passages.py),
[passage_body.py](passage_body.py)), each peer at its defaults and at what its documentation offers for constraints that
are redundant or singular (told in `passage_exudyn.py`, `mechanism_mujoco.py`, `mechanism_drake.py`,
`mechanism_pinocchio.py`). "upright" starts at the
top, "folded" starts in a singular configuration. "on hinges in space" is the same with bodies and joints of space: all
joints are hinges, so that three rows of every loop are redundant.

Judged at {outputs} times: the branch by the directions of the cranks (right as long as no two are {limit:g} rad apart;
otherwise the time at which it was left), position and energy against the pendulum that the chain is on the right
branch, energy relative to its largest kinetic energy. `at` is the time step in s; for Cardan rtol (default 1e-9), for
Drake's bushings their stiffness in N/m, for its integrator the accuracy. Cardan's time is the whole call of
`simulate`; a peer's is its own loop alone. Pinocchio has no loop of its own: its steps are made from Python, a few
microseconds each. One thread for every tool. The target at equal CPU time leaves out points of peers with energy errors
below 1e-10, since a hundred times less is rounding; they are named below the tables.

The body: tools that keep a quaternion (Exudyn's Euler parameters, MuJoCo's ball joint, Drake's free body, Pinocchio's
spherical joint) have nothing to pass, by construction; Cardan is given 3-1-3 angles and integrates a quaternion behind
them. Those that are given angles (three hinges, roll-pitch-yaw) show what these do. With `chart='typed'` Cardan keeps
to the angles too, and stops before they are singular. Position error is here the largest angle, in rad, between the
orientation and the exact one; passed is what stays below {limit:g}."""


def _label(tool: str, setting: str) -> str:
    module = "benchmarks.passage_exudyn" if tool == "exudyn" else f"benchmarks.mechanism_{tool}"
    return str(importlib.import_module(module).SETTINGS[setting])


def _measure_ahead() -> None:
    """Every job once, a few at a time; ``measured`` remembers what they found."""
    jobs = [
        ("chain_point", tool, setting, case.N, case.start, case.hinged, amount)
        for case in CASES
        for tool, setting, amounts in case.curves
        for amount in amounts
    ]
    jobs += [("body_point", tool, setting, amount) for tool, setting, amount in _body_amounts()]  # type: ignore[misc]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda job: _try(*job), jobs))


def _try(job: str, *arguments: Any) -> Point | str:
    try:
        return Point(**measured(f"benchmarks.singular_passages:{job}", *arguments, **ONE_THREAD))
    except NotMeasured as why:
        return str(why).split(" [Python file")[0].replace("|", "/")


def _points(
    job: str, tool: str, setting: str, case: Case, amounts: tuple[float, ...]
) -> tuple[list[Point], list[list[str]]]:
    """The points of a curve, and the amounts that did not work, with reasons."""
    found = [(amount, _try(job, tool, setting, case.N, case.start, case.hinged, amount)) for amount in amounts]
    points = [one for _, one in found if isinstance(one, Point)]
    return points, [[f"{amount:g}", one] for amount, one in found if isinstance(one, str)]


def _body_amounts() -> list[tuple[str, str, float]]:
    return [
        (tool, setting, amount)
        for tool, setting in passage_body.SETTINGS
        for amount in (BODY_TOLERANCES if (tool, setting) in passage_body.AT_TOLERANCE else BODY_STEPS)
    ]


def _body() -> tuple[dict[str, list[Point]], list[list[str]]]:
    curves: dict[str, list[Point]] = {label: [] for label in passage_body.SETTINGS.values()}
    rows = []
    for tool, setting, amount in _body_amounts():
        label = passage_body.SETTINGS[tool, setting]
        one = _try("body_point", tool, setting, amount)
        if isinstance(one, Point):
            curves[label].append(one)
            rows.append(_row(label, one)[:-1])
        else:
            rows.append([label, f"{amount:g}", one, *"---"])
    return curves, rows


def _row(label: str, point: Point) -> list[str]:
    branch = "right" if point.passed else "lost" if not np.isfinite(point.energy) else f"left at {point.left:.3g} s"
    errors = (f"{point.energy:.1e}", f"{point.position:.1e}", f"{point.gap:.1e}")
    return [label, f"{point.amount:g}", seconds(point.seconds), branch, *errors]


def _is_cardan(label: str) -> bool:
    return label.startswith("Cardan")


def _passes(points: list[Point]) -> bool:
    return any(one.passed and one.amount == DEFAULT for one in points)


def _smaller(curves: dict[str, list[Point]]) -> tuple[float | None, str]:
    """The least factor by which Cardan's energy error is smaller, over all passing points of peers, and where.

    Points so near to rounding that nothing could be that much better are left out; ``_beside`` names them.
    """
    own = [one for label, points in curves.items() if _is_cardan(label) for one in points if one.passed]
    least, where = np.inf, "no peer passed"
    for label, points in curves.items():
        for peer in points if not _is_cardan(label) else ():
            as_quick = [one.energy for one in own if one.seconds <= peer.seconds]
            if not peer.passed or not as_quick or peer.energy < WANTED * ROUNDING:
                continue
            factor = peer.energy / min(as_quick)
            if factor < least:
                least, where = factor, f"{label}, at {peer.amount:g}: {peer.energy:.1e} beside {min(as_quick):.1e}"
    return (float(least) if np.isfinite(least) else None), where


def _beside(curves: dict[str, list[Point]]) -> str:
    """What comes closest at equal time, what is at rounding, and what is quicker than any run of Cardan."""
    factor, where = _smaller(curves)
    own = [one for label, points in curves.items() if _is_cardan(label) for one in points if one.passed]
    quickest = min((one.seconds for one in own), default=0.0)
    quicker = [(one.energy, label, one) for label, points in curves.items() if not _is_cardan(label)
               for one in points if one.passed and one.seconds < quickest]  # fmt: skip
    text = "Closest at equal CPU time: " + (f"{where}, {factor:.3g} times." if factor is not None else f"{where}.")
    tiny = [(one.energy, label, one) for label, points in curves.items() if not _is_cardan(label)
            for one in points if one.passed and quickest <= one.seconds and one.energy < WANTED * ROUNDING]  # fmt: skip
    for energy, label, one in sorted(tiny):
        mine = min(point.energy for point in own if point.seconds <= one.seconds)
        text += f" At rounding: {label}, at {one.amount:g}: {energy:.1e} beside {mine:.1e}."
    if quicker:
        energy, label, one = min(quicker)
        text += (
            f" Quicker than any run of Cardan ({seconds(quickest)}): {len(quicker)} points, the most accurate of them "
            f"{label}, at {one.amount:g}, with an energy error of {energy:.1e}."
        )
    return text


def _against_sparse(curves: dict[str, list[Point]]) -> float | None:
    sparse = [one.seconds for one in curves.get(_label("exudyn", "sparse"), []) if one.amount == 1e-3]
    own = [one.seconds for one in curves["Cardan"] if one.amount == DEFAULT]
    return sparse[0] / own[0] if sparse and own else None


def main() -> None:
    section = run()
    head = "# Through singular configurations, measured by itself\n\nMade by `python -m benchmarks.singular_passages`."
    RESULTS.write_text(f"{head}\n\n{describe()}\n\n{section}\n", encoding="utf-8")
    print(section)


if __name__ == "__main__":
    main()
