"""``cardan gallery``: list the entries, show one, check them again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from cardan.cli.reporting import Answer, answering, is_watched

if TYPE_CHECKING:
    from cardan.gallery.checking import Verdict
    from cardan.gallery.entry import Check

Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON object on standard output.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="As in the list, for instance H12.")]

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def gallery(context: typer.Context, as_json: Json = False) -> None:
    """Worked systems of four texts, checked against them; alone it lists them.

    Wherever a command takes a MODEL, `gallery:ID` names an entry.
    """
    if context.invoked_subcommand is None:
        with answering("gallery", as_json) as answer:
            list_entries(answer)


@app.command()
def show(name: Id, as_json: Json = False) -> None:
    """The lesson of an entry, its equations and the source of its model."""
    with answering("gallery show", as_json) as answer:
        show_entry(answer, name)


@app.command()
def run(
    name: Annotated[str, typer.Argument(metavar="ID|all", help="Which entry; `all` for everything.")],
    as_json: Json = False,
) -> None:
    """Check an entry against its text again; exit code 1 where a check fails."""
    with answering("gallery run", as_json) as answer:
        run_checks(answer, name)


def list_entries(answer: Answer) -> None:
    """Every id with its title and status, one text after the other."""
    from cardan.gallery.catalogue import NOT_WRITTEN, TEXTS, TITLES
    from cardan.gallery.index import modules

    written, rows = modules(), []
    for text in TEXTS.values():
        answer.say(f"{text.authors} ({text.year}): {text.title}")
        for name in (one for one in TITLES if one[0] == text.letter):
            status = "finished" if name in written else "planned"
            reason = "" if name in written else NOT_WRITTEN
            rows.append({"id": name, "title": TITLES[name], "status": status, "text": text.citation, "reason": reason})
            answer.say(f"  {name:5}{status:10}{TITLES[name]}{f' ({reason})' if reason else ''}")
        answer.say()
    answer.tell(entries=rows, finished=len(written), planned=len(TITLES) - len(written))
    answer.say(f"{len(written)} finished, {len(TITLES) - len(written)} planned. Next: cardan gallery show H12")


def show_entry(answer: Answer, name: str) -> None:
    """Title, source, lesson, equations, model."""
    from textwrap import fill

    from cardan.gallery.index import entry
    from cardan.gallery.presenting import equations_of, model_source

    one = entry(name)
    system = one.ready()
    rows = equations_of(system)
    code = model_source(one)
    answer.tell(
        id=one.id, title=one.title, source=one.source, lesson=one.lesson, erratum=one.erratum, start=dict(one.start),
        equations=[str(row) for row in rows], model=code,
    )  # fmt: skip
    answer.say(f"{one.id}  {one.title}\n{one.source}\n\n{fill(one.lesson, 100)}")
    if one.erratum:
        answer.say("\n" + fill(f"Erratum: {one.erratum}", 100))
    answer.say("\nEquations of motion:")
    for line in str(system.equations()).splitlines() if rows else ():
        answer.say(f"  {line}")
    answer.say(f"\nModel:\n\n{code}\nNext: cardan gallery run {one.id}; cardan simulate gallery:{one.id}")


def run_checks(answer: Answer, name: str) -> None:
    """Verdicts, one line each; for one entry every check as well. Ctrl-C keeps the verdicts so far."""
    from cardan.gallery.catalogue import TITLES
    from cardan.gallery.checking import checked
    from cardan.gallery.index import known

    names = list(TITLES) if name.strip().lower() == "all" else [known(name)]
    verdicts: list[Verdict] = []
    try:
        for one in counted(names, quiet=answer.as_json):
            verdicts.append(checked(one))
            say_verdict(answer, verdicts[-1], in_full=len(names) == 1)
    finally:
        counts = {status: sum(one.status == status for one in verdicts) for status in ("passed", "failed", "planned")}
        answer.tell(entries=[facts(one) for one in verdicts], **counts)
        if len(names) > 1:
            answer.say("\n" + ", ".join(f"{count} {status}" for status, count in counts.items()))
    if counts["failed"]:
        answer.find()


def counted(names: list[str], *, quiet: bool) -> Iterator[str]:
    """The names one by one, with a bar and the time left where somebody watches and there are several."""
    if quiet or len(names) == 1 or not is_watched():
        yield from names
        return
    from cardan.cli.progress import new_bar

    with new_bar() as bar:
        task = bar.add_task("", total=len(names))
        for name in names:
            bar.update(task, description=f"checking {name}")
            yield name
            bar.advance(task)


def say_verdict(answer: Answer, verdict: Verdict, in_full: bool) -> None:
    """The checks of one entry, or of one that failed, and its summary."""
    if in_full or verdict.status == "failed":
        for check in verdict.checks:
            answer.say(f"  {told(check)}")
    answer.say(summary(verdict))


def told(check: Check) -> str:
    """One check in one line."""
    from cardan.gallery.presenting import distance

    return f"{'ok  ' if check.passed else 'FAIL'} {check.equation:18} {check.name}: {distance(check)}"


def summary(verdict: Verdict) -> str:
    """One entry in one line."""
    detail = verdict.reason or f"{len(verdict.checks)} checks in {verdict.seconds:.1f} s"
    return f"{verdict.id:5}{verdict.status:8}{verdict.title}: {detail}"


def facts(verdict: Verdict) -> dict[str, object]:
    """A verdict for programs."""
    checks = [
        {
            "name": one.name,
            "equation": one.equation,
            "passed": one.passed,
            "error": one.error,
            "tolerance": one.tolerance,
            "because": one.because,
            "computed": str(one.computed),
            "expected": str(one.expected),
        }
        for one in verdict.checks
    ]
    return {
        "id": verdict.id,
        "title": verdict.title,
        "status": verdict.status,
        "seconds": verdict.seconds,
        "reason": verdict.reason,
        "checks": checks,
    }
