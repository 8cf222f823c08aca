"""``cardan sweep`` and ``cardan study``: many runs from a file, and what is done with their store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cardan.api.sweeping import load_study, swept
from cardan.cli.models import GALLERY, load_model
from cardan.cli.reporting import Answer, WrongUsage
from cardan.errors import FileError, suggestion
from cardan.formats.expressions import NEAR, parse
from cardan.formats.yaml_reader import parse_yaml
from cardan.studies import outputs as kinds
from cardan.studies import sampling as samplers
from cardan.studies.rows import names_in
from cardan.studies.study import Study, place_of
from cardan.studies.tables import export_study

PLACES = ("q", "v", "parameters", "loads", "inputs")
KEYS = ("model", "duration", *PLACES, "sampling", "outputs", "points", "store", "simulate")


def sweep_file(answer: Answer, path: Path, executor: str, workers: int | None, store: str | None) -> None:
    """Make the study that a file describes."""
    said = _read(path)
    model = str(said["model"])
    system = load_model(model if model.startswith(GALLERY) else str(path.parent / model))
    names: Any = names_in(system)
    duration = said.get("duration", system.plan.get("duration"))
    if duration is None:
        raise WrongUsage("How long? Give `duration:` in the study, or a plan in the model.")
    asked = {**said.get("simulate", {}), "duration": float(duration)}
    given = {place: {key: _values(value) for key, value in (said.get(place) or {}).items()} for place in PLACES}
    wanted = [_output(one, names) for one in said.get("outputs", [])] or None
    named = str(said.get("store", path.with_suffix(".zarr").name))
    where = place_of(store or (named if "://" in named else str(path.parent / named)))
    points = int(said.get("points", 201))
    study, keeper = swept(system, asked, given, _sampling(said.get("sampling")), wanted, points, where, True)
    keeper.close()
    study.resume(executor=executor, workers=workers, progress=False if answer.as_json else None)
    show(answer, study)
    answer.wrote(where if isinstance(where, Path) else where.address)


def _read(path: Path) -> dict[str, Any]:
    document = parse_yaml(path.read_bytes(), str(path))
    said = dict(document.entries)
    for key in said:
        if key not in KEYS:
            near = suggestion(key, KEYS, NEAR)
            raise document.error(f"the key {key!r} is unknown in a study;{near} known are: {', '.join(KEYS)}.", (key,))
    if "model" not in said:
        raise FileError(f"{path}: a study says `model:`, the file or gallery entry that moves.", file=str(path), line=1)
    return said


def _values(value: Any) -> Any:
    """A number, a list, a range for samplers, or {from, to, count}."""
    if isinstance(value, dict):
        return np.linspace(float(value["from"]), float(value["to"]), int(value["count"]))
    return [float(one) for one in value] if isinstance(value, (list, tuple)) else float(value)


def _output(said: Any, names: dict[str, Any]) -> kinds.Output:
    """``final``, or {largest: expression, name: ...}, {when: ...}, {count: impact}, {states: [times]}."""
    if said in ("final", "complaints"):
        return kinds.final() if said == "final" else kinds.complaints()
    if not isinstance(said, dict):
        raise WrongUsage(f"{said!r} is no output of a study.")
    kind: Any = next((key for key in said if key not in ("name", "ends")), "")
    value: Any = said.get(kind)
    name = str(said.get("name", ""))
    if kind in kinds.REDUCTIONS:
        return kinds.Output(kind, parse(value, names), name)
    makers: dict[str, Any] = {
        "when": lambda: kinds.when(parse(value, names), ends=bool(said.get("ends", False)), name=name),
        "count": lambda: kinds.count(str(value), name),
        "states": lambda: kinds.states(value),
    }
    if kind not in makers:
        raise WrongUsage(f"{said!r} is no output of a study.")
    made: kinds.Output = makers[kind]()
    return made


def _sampling(said: Any) -> samplers.Sampling | None:
    """{kind: sobol, count: 1024, rng: 1}, or a name without more."""
    if said is None:
        return None
    table = {"grid": samplers.Grid, "rows": samplers.Rows, "sobol": samplers.Sobol, "halton": samplers.Halton,
             "latin-hypercube": samplers.LatinHypercube, "monte-carlo": samplers.MonteCarlo}  # fmt: skip
    kind = said if isinstance(said, str) else said.get("kind")
    if kind not in table:
        raise WrongUsage(f"sampling: {kind!r} is unknown. Known: {', '.join(table)}.")
    options = {} if isinstance(said, str) else {key: int(value) for key, value in said.items() if key != "kind"}
    made: samplers.Sampling = table[kind](**options)
    return made


def show(answer: Answer, study: Study) -> None:
    """What a study is and how far it is."""
    done = int((study.status != "pending").sum())
    failures = study.failures()
    answer.tell(
        model=study.facts["name"], rows=len(study), done=done, varied=study.columns, kept=study.names,
        shape=list(study.shape), failures=dict(failures.groups),
    )  # fmt: skip
    answer.say(study)
    answer.say(failures)


def verify(answer: Answer, path: str) -> None:
    """Look for damage."""
    damages = load_study(path).verify()
    answer.tell(damages=damages)
    answer.say("\n".join(damages) or "Every byte is as it was written.")
    if damages:
        answer.find()


def resume(answer: Answer, path: str, executor: str, workers: int | None) -> None:
    """Run what is missing."""
    study = load_study(path)
    study.resume(executor=executor, workers=workers, progress=False if answer.as_json else None)
    show(answer, study)


def export(answer: Answer, path: str, output: Path) -> None:
    """Write the rows as a table."""
    answer.wrote(export_study(load_study(path), output))
    answer.say(f"Wrote {output}")


def report(answer: Answer, path: str, name: str, output: Path, logarithmic: bool) -> None:
    """Write a map, as a page or as a picture."""
    study = load_study(path)
    if output.suffix.lower() in (".html", ".htm"):
        study.report(output, name, logarithmic=logarithmic)
    else:
        study.plot_map(name, path=output, logarithmic=logarithmic)
    answer.wrote(output)
    answer.say(f"Wrote {output}")


def merge(answer: Answer, parts: list[Path], output: Path) -> None:
    """Put the rows of several stores of one study together."""
    from cardan.studies.merging import merged

    answer.wrote(merged([load_study(one) for one in parts], output))
    show(answer, load_study(output))
