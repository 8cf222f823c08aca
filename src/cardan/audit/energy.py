"""Lines of an audit about energy: whether it is kept, and where it is not, whether the account of powers balances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import OK, Line, verdict
from cardan.audit.balance import balance, changed, energy_scale, is_lossless
from cardan.graph import live
from cardan.trajectory.contact_outputs import energy_jumps
from cardan.trajectory.power import parts_of
from cardan.trajectory.trajectory import Trajectory

PER_STEP = 10.0  # times rtol: what a step may add to the energy, in units of the largest kinetic one
LEAST, MOST = 1e-7, 1e-4  # the sum over all steps is not judged more strictly, or less, than this
EXACT = 1e-7  # of the energy-momentum rule, which conserves energy up to the solution of its equations
WRONG = 1e-2
ROUNDING = 1e3 * np.finfo(float).eps  # of the largest energy in the account


def drift(run: Trajectory, values: NDArray[np.float64]) -> float:
    """Largest change of something that is conserved between impacts, over the largest kinetic energy."""
    return changed(run, values - energy_jumps(run)) / energy_scale(run)


def judged(run: Trajectory, value: float, look: float) -> str:
    """The verdict on a share of the largest kinetic energy, rounding of the potential energy apart."""
    rounding = ROUNDING * float(np.max(np.abs(run.potential_energy), initial=0.0)) / energy_scale(run)
    return verdict(value - rounding, look, WRONG)


def allowed(run: Trajectory) -> float:
    """The drift that steps of the accuracy asked for may add up to."""
    method = run.solution.method
    if method.conserves_energy:
        return EXACT
    if not method.is_adaptive:
        return MOST
    steps = run.solution.statistics.accepted
    return float(np.clip(PER_STEP * float(run.settings.rtol) * steps, LEAST, MOST))


def remedy(run: Trajectory) -> str:
    """What makes the energy better."""
    if not run.solution.method.is_adaptive:
        return "use a shorter step=, or method='auto'"
    return "use a smaller rtol="


def energy_line(run: Trajectory) -> Line:
    """T + V, where nothing puts energy in or takes it out; impacts and impulses are accounted for."""
    value = drift(run, run.energy)
    if not is_lossless(run):
        return Line("energy", OK, value, f"changes by {value:.2e} of the largest kinetic energy, see power balance")
    found = judged(run, value, allowed(run))
    words = f"drift {value:.2e} of the largest kinetic energy"
    if found != OK:
        words += f", expected at most {allowed(run):.0e}: {remedy(run)}"
    return Line("energy", found, value, words)


def jacobi_line(run: Trajectory) -> Line | None:
    """The Jacobi integral, where a driven system conserves it although T + V changes."""
    d = run.kernel.dynamics
    names = {str(one.name) for one in d.model.prescribed}
    if not names or set(parts_of(run.kernel)) - names or d.t in live([d.energies[2]]) or run.kernel.m or d.model.stops:
        return None
    value = drift(run, run.jacobi)
    found = judged(run, value, allowed(run))
    words = f"drift {value:.2e} of the largest kinetic energy"
    if found != OK:
        words += f", expected at most {allowed(run):.0e}: {remedy(run)}"
    return Line("Jacobi integral", found, value, words)


def power_line(run: Trajectory) -> Line:
    """T + V against the work of everything that acts."""
    value = balance(run)
    exact = run.solution.method.conserves_energy  # of the energy alone
    look = 10 * (MOST if exact else allowed(run))  # interpolants are less accurate than the steps
    found = judged(run, value, look)
    words = f"T + V and the work done differ by {value:.2e} of the largest kinetic energy"
    if found != OK:
        words += f", expected at most {look:.0e}: {remedy(run)}; inputs that jump need an event at the jump"
    return Line("power balance", found, value, words)
