"""``cardan demo``: the Cardan suspension from a model file to a motion through gimbal lock."""

from __future__ import annotations

from importlib.resources import as_file, files

from cardan.api.loading import load
from cardan.cli.diagnosing import finding_facts
from cardan.cli.reporting import Answer

LARGEST_DRIFT = 1e-6  # of the kinetic energy; rtol is 1e-9 and there are a few hundred steps


def show_demo(answer: Answer) -> None:
    """Derive, diagnose at the lock, move through it, and check that energy was kept."""
    import sympy as sp

    with as_file(files("cardan.formats") / "starters" / "cardan_suspension.yaml") as path:
        system = load(path)
    mass_matrix = system.equations().mass_matrix
    answer.say("A platform in a Cardan suspension, described in a model file (cardan new x.yaml --like ...).\n")
    answer.say(f"Mass matrix, M =\n{sp.pretty(mass_matrix, use_unicode=False, wrap_line=False)}\n")

    found = system.diagnose(q={"beta": 0.0}, loads={"M": 1.0})
    answer.say(f"Diagnosis at beta = 0, under a moment about the inner gimbal's y axis:\n{found}\n")

    run = system.simulate(**system.plan)
    audit = run.audit()
    passed = [event.t for event in run.events if event.kind == "user"]
    answer.say(f"Simulated {run.t[-1]:g} s; the axes were in line at t = {', '.join(f'{t:.4f}' for t in passed)} s.")
    answer.say(audit)
    answer.tell(
        mass_matrix=[[str(x) for x in row] for row in mass_matrix.tolist()],
        kinds=found.kinds,
        findings=[finding_facts(one, False) for one in found.findings],
        axes_in_line_at=passed,
        energy_drift=audit.energy_drift,
    )
    if found.kinds != {"gimbal-lock"} or len(passed) != 2 or not audit.energy_drift < LARGEST_DRIFT:
        answer.say("Something is wrong with this installation: the demonstration did not come out as it should.")
        answer.find()
