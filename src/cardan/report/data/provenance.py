"""Where a page comes from: versions, fingerprints of the model and of the motion, tolerances, method, seeds."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from cardan.diagnosis.sets.tracing import SEED
from cardan.model.bodies import Body, Particle
from cardan.model.model import Model
from cardan.report.data.entries import Row
from cardan.trajectory.trajectory import Trajectory

PACKAGES = ("cardan", "numpy", "sympy", "llvmlite", "scipy")
SETTINGS = ("rtol", "atol", "step", "chart", "impact_law", "geometry_tol")


def provenance(run: Trajectory, date: str | None = None) -> list[Row]:
    """Rows of label and value; a date only if one is given, so that equal runs give equal pages."""
    rows = [("model", run.model.name), ("model, SHA-256", model_hash(run)), ("states, SHA-256", state_hash(run))]
    rows += [("method", run.solution.statistics.method)]
    asked = run.settings.as_arguments()
    rows += [(name, _setting(asked[name])) for name in SETTINGS if asked.get(name) is not None]
    rows += [("seed of searches", f"{SEED} (fixed)")]
    rows += [(name, _version(name)) for name in PACKAGES]
    rows += [("python", platform.python_version())]
    rows += [] if date is None else [("date", date)]
    return [{"label": label, "value": value} for label, value in rows]


def _setting(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"


def state_hash(run: Trajectory) -> str:
    """Of times, coordinates and velocities, as little-endian numbers in this order."""
    table = np.column_stack([run.t, run.q, run.v])
    return hashlib.sha256(np.ascontiguousarray(table, dtype="<f8").tobytes()).hexdigest()


def model_hash(run: Trajectory) -> str:
    """Of everything the model says, one statement per line."""
    return hashlib.sha256("\n".join(statements(run.model)).encode()).hexdigest()


def statements(model: Model) -> Iterator[str]:
    """The model as text: equal for equal models, whatever order of hashing this process uses."""
    yield f"name {model.name}"
    for variable in model.variables:
        yield f"variable {variable.name} on {getattr(variable, 'domain', 'S3')}"
    yield from (f"parameter {symbol} = {value!r}" for symbol, value in model.values.items())
    yield from (f"prescribe {symbol} = {value}" for symbol, value in model.prescribed.items())
    yield from (f"input {symbol}" for symbol in model.inputs)
    masses: list[Body | Particle] = [*model.bodies, *model.particles]
    for one in masses:
        parent = one.frame.parent or model.world
        yield f"{type(one).__name__} {one.name} on {parent.name}: mass {one.mass}"
        yield f"  motions {one.frame.motions}, shape {getattr(one, 'shape', None)}"
        yield f"  inertia {getattr(one, 'inertia', 0)}, com {getattr(one, 'com', 0)}"
    yield f"gravity {model.gravity!r}"
    for what in ("kinetic_energies", "potentials", "lagrangians"):
        yield from (f"{what} {energy}" for energy in getattr(model, what))
    for load in model.loads:
        yield f"load {load.name} {load.kind} on {load.on.name} at {load.at!r}"
        yield f"  along {load.along!r} against {load.reaction_on!r}"
    for what in ("generalized_forces", "springs", "dampers", "constraints", "frictions", "stops"):
        for part in getattr(model, what):
            yield f"{what} " + ", ".join(f"{key}={value!r}" for key, value in vars(part).items())
