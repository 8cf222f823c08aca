"""``cardan demo``: the Cardan suspension from a model file through gimbal lock to a report."""

from __future__ import annotations

import sys
from importlib.resources import as_file, files
from pathlib import Path

from cardan.api.loading import load
from cardan.api.run import Run
from cardan.cli.diagnosing import finding_facts
from cardan.cli.reporting import Answer
from cardan.report.figures.terminal import draw_curve

LARGEST_DRIFT = 1e-6  # of the kinetic energy; rtol is 1e-9 and there are a few hundred steps
IN_LINE = {"beta": 0.0}
MOMENT = {"M": 0.05}  # N m, on the platform along the inner gimbal's y axis


def show_demo(answer: Answer, output: Path) -> None:
    """Derive, diagnose at the lock, drive through it, check the account of energy, and write the report."""
    import sympy as sp

    with as_file(files("cardan.formats") / "starters" / "cardan_suspension.yaml") as path:
        system = load(path)
    mass_matrix = system.equations().mass_matrix
    answer.say("1. A platform in a Cardan suspension, described in a model file, and its equations M vd + f = Q\n")
    answer.say(f"M =\n{sp.pretty(mass_matrix, use_unicode=False, wrap_line=False)}\n")

    found = system.diagnose(q=IN_LINE, loads=MOMENT)
    answer.say("2. What is singular at beta = 0, under a moment about the inner gimbal's y axis?\n")
    answer.say(f"{found}\n")
    massless = system.with_values(lambda1=0.0, lambda2=0.0).diagnose(q=IN_LINE, loads=MOMENT)
    answer.say(f"   With massless gimbals the same place is another thing: {', '.join(sorted(massless.kinds))}.\n")

    run = system.simulate(**{**system.plan, "loads": MOMENT})
    audit = run.audit()
    passed = [event.t for event in run.events if event.kind == "user"]
    answer.say(f"3. Driven by M = {MOMENT['M']:g} N m through the lock at t = {_times(passed)} s: beta against time\n")
    answer.say(f"{picture(run, passed)}\n")
    answer.say(f"{audit}\n")

    output.parent.mkdir(parents=True, exist_ok=True)
    report = run.report(output).resolve()
    answer.say(f"4. The report, with the mechanism in three dimensions (open it in a browser):\n   {report}")
    answer.tell(
        mass_matrix=[[str(x) for x in row] for row in mass_matrix.tolist()],
        kinds=found.kinds,
        findings=[finding_facts(one) for one in found.findings],
        kinds_without_inertia=massless.kinds,
        axes_in_line_at=passed,
        power_balance=audit.power_balance,
        report=str(report),
    )
    right = found.kinds == {"gimbal-lock"} and "coordinate-singularity" in massless.kinds and len(passed) == 2
    if not right or not audit.power_balance < LARGEST_DRIFT:
        answer.say("Something is wrong with this installation: the demonstration did not come out as it should.")
        answer.find()


def picture(run: Run, passed: list[float]) -> str:
    """beta against time in characters, with a line wherever the axes are in line."""
    can_show = "utf" in (getattr(sys.stdout, "encoding", None) or "").lower()
    return draw_curve(run.t, run["beta"], marks=passed, plain=not can_show)


def _times(times: list[float]) -> str:
    return " and ".join(f"{t:.4f}" for t in times)
