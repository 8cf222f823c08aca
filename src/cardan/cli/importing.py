"""``cardan import``: a robot file as a model file."""

from __future__ import annotations

from pathlib import Path

from cardan.api.loading import load
from cardan.cli.describing import summarised
from cardan.cli.reporting import Answer, WrongUsage
from cardan.formats.file_kinds import ROBOTS, RobotOptions, describe_endings, endings_of, read_data
from cardan.formats.write import write_model


def import_robot(answer: Answer, source: Path, output: Path | None, options: RobotOptions, force: bool) -> None:
    """Write what a robot file says as a model file, after making sure that it can be loaded."""
    if source.suffix.lower() not in endings_of(ROBOTS):
        raise WrongUsage(f"{source} is no robot file: its name should end with {describe_endings(ROBOTS)}.")
    document = read_data(source, options)
    system = load(source, **vars(options))
    target = output or source.with_suffix(".yaml")
    write_model(document.entries, target, f"Imported from {source.name}.", replace=force)
    notes = list(document.notes)
    answer.tell(file=str(target), notes=notes, **summarised(system))
    model = system.model
    answer.say(f"Wrote {target}: {len(model.bodies)} bodies, {len(model.v)} freedoms, {len(model.stops)} stops.")
    for note in notes:
        answer.say(f"  {note}")
