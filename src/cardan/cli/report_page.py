"""``cardan report``: simulate, and write one HTML file with everything about the motion."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from cardan.cli.analysing import shown_with
from cardan.cli.models import load_model
from cardan.cli.moving import Wanted, arguments_of
from cardan.cli.progress import new_bar, watched
from cardan.cli.reporting import INTERRUPTED, Answer, WrongUsage, is_watched
from cardan.report.page.html import write_report

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

ENDINGS = (".html", ".htm")


def report_model(
    answer: Answer, name: str, wanted: Wanted, title: str | None, remedies: bool, is_opened: bool, live: bool = True
) -> None:
    """Simulate as the model plans and the command line changes it; write the report and say where it is."""
    path = Path("report.html") if wanted.output is None else wanted.output
    if path.suffix.lower() not in ENDINGS:
        raise WrongUsage(f"--output should end with {' or '.join(ENDINGS)}, found {path}.")
    system = load_model(name, wanted.values)
    arguments = arguments_of(system, wanted)
    with watched(arguments.get("t0", 0.0), arguments["duration"], quiet=answer.as_json) as progress:
        run = progress.run(lambda: system.simulate(**arguments, throw=False))
    special = shown_with(system) if system.analysis else []
    with Stages(quiet=answer.as_json) as stages:
        written = write_report(run, path, title=title, remedies=remedies, tell=stages.heard, live=live, special=special)
    answer.wrote(written)
    findings = run.findings
    size = written.stat().st_size
    facts = [{"kind": one.kind, "where": one.where, "t": one.t, "what": one.what} for one in findings]
    answer.tell(output=str(written), bytes=size, status=run.status, message=run.message, findings=facts)
    for one in findings[:10]:
        when = "" if one.t is None else f"t = {one.t:<10.5g} "  # what was not decided in time has none
        answer.say(f"{when}{one.kind} ({', '.join(one.where)})")
    if len(findings) > 10:
        answer.say(f"and {len(findings) - 10} more findings, all of them in the report")
    answer.say(f"Wrote {written} ({size / 1e6:.2f} MB)")
    if is_opened and not webbrowser.open(written.resolve().as_uri()):
        answer.say("No browser was found here; open the file yourself.")
    if run.status == "interrupted":
        answer.find(INTERRUPTED)
    elif not run.solution.is_complete:
        answer.find()


class Stages:
    """A bar while a report is made; it is gone afterwards."""

    def __init__(self, quiet: bool) -> None:
        self.shows = not quiet and is_watched()
        self.bar: Bar | None = None

    def __enter__(self) -> Stages:
        return self

    def heard(self, stage: str, part: float) -> None:
        """The next stage begins."""
        if self.shows and self.bar is None:
            self.bar = new_bar()
            self.bar.start()
            self.task = self.bar.add_task(stage, total=1.0)
        if self.bar is not None:
            self.bar.update(self.task, description=stage, completed=part)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
