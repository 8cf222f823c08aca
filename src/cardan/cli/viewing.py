"""``cardan view``: the mechanism moving on a page of the browser, until Ctrl-C."""

from __future__ import annotations

from cardan.api.viewing import serve
from cardan.cli.analysing import shown_with
from cardan.cli.models import load_model
from cardan.cli.moving import Wanted, arguments_of
from cardan.cli.progress import watched
from cardan.cli.reporting import Answer


def view_model(answer: Answer, name: str, wanted: Wanted, port: int, is_opened: bool) -> None:
    """Simulate as the model plans, serve the page and wait.

    The answer comes before the waiting: a program that reads it needs the address meanwhile.
    """
    system = load_model(name, wanted.values)
    arguments = arguments_of(system, wanted)
    with watched(arguments.get("t0", 0.0), arguments["duration"], quiet=answer.as_json) as progress:
        run = progress.run(lambda: system.simulate(**arguments, throw=False))
    with serve(run, port, special=shown_with(system) if system.analysis else ()) as viewer:
        answer.say(f"{system.name} at {viewer.url}")
        answer.tell(url=viewer.url, port=viewer.port, status=run.status, message=run.message)
        answer.publish()
        if is_opened and not viewer.open():
            answer.say("No browser was found here; open the address yourself.")
        answer.say("Ctrl-C ends it.")
        viewer.wait()
