"""A run as a folder: a Zarr v3 group with its arrays, the model as a model file, and a manifest with hashes.

    x.zarr/
      manifest.json    what it is, how it was made, the SHA-256 of every other file
      model.yaml       the system, the start and the settings: ``cardan simulate x.zarr/model.yaml`` repeats it
      events.json      what happened, for other programs
      zarr.json, t, y, step_0, ...   Zarr v3

Nothing in it is code. The folder is written beside its place and renamed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from cardan.errors import StoreError
from cardan.formats.document import Data
from cardan.formats.say_plan import say_plan
from cardan.formats.write import model_text
from cardan.simulation.methods.objects import resolve
from cardan.simulation.solution import Crossing, Statistics
from cardan.studies.arrays import put, take
from cardan.studies.folders import folder_beside
from cardan.studies.hashing import MANIFEST, circumstances, damages, digest, files_in, read_sealed, sealed
from cardan.trajectory.events import checked_events
from cardan.trajectory.keeping import Kept
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory

KIND, VERSION = "cardan run", 1
MODEL = "model.yaml"


def save(run: Trajectory, data: dict[str, Data], path: Path) -> Path:
    """Write a run of the system that ``data`` describes; returns the path."""
    import zarr

    kept = Kept.of(run)
    if run.status == "interrupted" and not kept.is_whole:
        raise StoreError(
            f"The run was interrupted at t = {kept.t_final:g}, and before that by {len(run.records)} events of its "
            "own; such a motion cannot be repeated. Simulate it again with "
            f"duration={kept.t_final - run.settings.t0:g}.",
            path=str(path),
        )
    data = {**data, "parameters": {str(symbol): value for symbol, value in run.user.values.items()}}
    text = model_text({**data, **_plan(run.settings)}, f"{run.model.name}: a run kept by Cardan")
    with folder_beside(path) as folder:
        (folder / MODEL).write_text(text, encoding="utf-8", newline="\n")
        events = [_told(one.kind, one.name, one.t, one.what, one.facts) for one in run.events]
        (folder / "events.json").write_text(json.dumps(events, indent=1), encoding="utf-8")
        put(zarr.open_group(str(folder), mode="a"), _arrays(run, kept))
        content = {
            "kind": KIND, "version": VERSION, "model": run.model.name, "status": kept.status, "message": kept.message,
            "statistics": asdict(kept.statistics), "t_final": kept.t_final, "angles": list(kept.angles),
            "methods": list(kept.methods), "segments": len(kept.rows), "events": [one.name for one in kept.events],
            "event_indices": [one.index for one in kept.events], "made": circumstances(),
            "files": {name: digest(folder / name) for name in files_in(folder)},
        }  # fmt: skip
        (folder / MANIFEST).write_bytes(sealed(content))
    return path


def _plan(settings: Settings) -> dict[str, Data]:
    asked = settings.as_arguments()
    method, step = resolve(settings.method, settings.step)
    return dict(say_plan(asked | {"method": method.name, "step": step}, checked_events(settings.events)))


def _arrays(run: Trajectory, kept: Kept) -> dict[str, Any]:
    n = kept.y.shape[1]
    found = {"t": kept.t, "y": kept.y, "y_final": kept.y_final, "atol": np.atleast_1d(kept.atol)}
    found |= {"q": run.q, "v": run.v, "energy": run.energy}
    crossings = [[one.t, *one.y] for one in kept.events]
    found["crossings"] = np.array(crossings, dtype=float).reshape(len(crossings), n + 1)
    for k, rows in enumerate(kept.rows):
        found[f"step_{k}"] = rows if kept.is_whole else rows[:, :1]
    if run.settings.times is not None:
        found["times"] = np.atleast_1d(np.asarray(run.settings.times, dtype=float))
    if run.settings.atol is not None and np.ndim(run.settings.atol):
        found["asked_atol"] = np.asarray(run.settings.atol, dtype=float)
    return found


def _told(kind: str, name: str, t: float, what: str, facts: Any) -> dict[str, Any]:
    return {"kind": kind, "name": name, "t": t, "what": what, "facts": {key: _plain(x) for key, x in facts.items()}}


def _plain(value: object) -> object:
    """A fact as JSON can say it."""
    if isinstance(value, (str, bool, int, float)) or value is None:
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return str(value)


@dataclass(frozen=True)
class Stored:
    """A run as it was read: its solution, what else was asked of it, its manifest, and where its model file is."""

    path: Path
    kept: Kept
    asked: dict[str, Any]  # arguments of simulate that a model file has no place for
    manifest: dict[str, Any]

    @property
    def model(self) -> Path:
        return self.path / MODEL


def opened(path: Path) -> Stored:
    """A run that was saved, every file compared with its hash; StoreError names what is damaged."""
    import zarr

    if not (path / MANIFEST).is_file():
        raise StoreError(f"{path} holds no run: it has no {MANIFEST}. Runs are saved by run.save(...).", path=str(path))
    manifest = read_sealed(path / MANIFEST)
    if manifest.get("kind") != KIND or manifest.get("version") != VERSION:
        found = f"{manifest.get('kind')!r}, version {manifest.get('version')!r}"
        raise StoreError(f"{path} is {found}; expected {KIND!r}, version {VERSION}.", path=str(path))
    wrong = damages(path, manifest["files"])
    if wrong:
        raise StoreError(f"{path} is damaged: {'; '.join(wrong[:5])}.", path=str(path), damages=wrong)
    group = zarr.open_group(str(path), mode="r")
    asked: dict[str, Any] = {}
    if "times" in group:
        asked["times"] = take(group, "times", path)
    if "asked_atol" in group:
        asked["atol"] = take(group, "asked_atol", path)
    return Stored(path, _kept(group, manifest, path), asked, manifest)


def _kept(group: Any, manifest: dict[str, Any], path: Path) -> Kept:
    t, y, y_final, atol, crossings = (take(group, name, path) for name in ("t", "y", "y_final", "atol", "crossings"))
    names, indices = manifest["events"], manifest["event_indices"]
    events = tuple(
        Crossing(int(k), name, float(row[0]), row[1:].copy())
        for k, name, row in zip(indices, names, crossings, strict=True)
    )
    known = {one.name for one in fields(Statistics)}
    statistics = Statistics(**{key: value for key, value in manifest["statistics"].items() if key in known})
    rows = tuple(take(group, f"step_{k}", path) for k in range(manifest["segments"]))
    return Kept(
        t, y, manifest["status"], manifest["message"], statistics, events, float(manifest["t_final"]), y_final,
        tuple(manifest["angles"]), rows, tuple(manifest["methods"]), atol,
    )  # fmt: skip
