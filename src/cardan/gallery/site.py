"""The gallery as a static site: an index with thumbnails and a page per entry, all of which opens from disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path

from cardan.api.run import Run
from cardan.errors import CardanError
from cardan.gallery.catalogue import TITLES
from cardan.gallery.checking import Verdict, checked
from cardan.gallery.entry import Entry
from cardan.gallery.index import entry, known
from cardan.gallery.page import Told, entry_page, index_page
from cardan.gallery.pictures import picture_of
from cardan.gallery.presenting import equations_of, file_source, model_source
from cardan.gallery.sketch import sketch
from cardan.report.figures.style import figure_style


def write_site(
    folder: str | Path,
    names: Iterable[str] = TITLES,
    *,
    reports: bool = True,
    tell: Callable[[str], object] = lambda line: None,
) -> Path:
    """Write the site of these entries into ``folder`` and return its index; ``tell`` hears one line per entry."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    (target / "site.css").write_text(style_sheet(), encoding="utf-8")
    verdicts: list[Verdict] = []
    thumbnails: dict[str, str] = {}
    for name in map(known, names):
        verdict = checked(name)
        if verdict.status != "planned":
            pictures = write_entry(target, entry(name), verdict, reports)
            thumbnails |= {name: pictures[-1]} if pictures else {}
        verdicts.append(verdict)
        tell(f"{verdict.id:5}{verdict.status:8}{verdict.title}{': ' + verdict.reason if verdict.reason else ''}")
    index = target / "index.html"
    index.write_text(index_page(verdicts, thumbnails), encoding="utf-8")
    return index


def style_sheet() -> str:
    """The style of all pages."""
    return (files("cardan.gallery") / "static" / "site.css").read_text(encoding="utf-8")


def write_entry(target: Path, one: Entry, verdict: Verdict, reports: bool) -> list[str]:
    """Pictures, report and page of one entry; returns the names of the pictures."""
    system = one.ready()
    try:
        run = system.simulate(**one.start)
    except CardanError:
        if verdict.status == "passed":  # a failed entry may not move, and says so itself
            raise
        run = None
    pictures = [] if run is None else draw(target, one, run)
    report = None
    if reports and run is not None:
        report = f"{one.id}.report.html"
        run.report(target / report, title=f"{one.id}. {one.title}", remedies=False)
    plates = draw_plates(target, one)
    told = Told(equations_of(system), model_source(one), file_source(one), report, pictures, plates)
    (target / f"{one.id}.html").write_text(entry_page(one, verdict, told), encoding="utf-8")
    return pictures


def draw(target: Path, one: Entry, run: Run) -> list[str]:
    """The picture of the entry, and the mechanism itself where the entry wants it."""
    figures = {f"{one.id}.png": picture_of(one, run)}
    mechanism = sketch(run) if one.sketched else None
    if mechanism is not None:
        figures[f"{one.id}.sketch.png"] = mechanism
    with figure_style():
        for name, figure in figures.items():
            figure.savefig(target / name)
    return list(figures)


def draw_plates(target: Path, one: Entry) -> dict[str, str]:
    """Further figures of the entry: the caption of each by the name of its file."""
    found = {}
    for plate in one.plates() if one.plates is not None else ():
        name = f"{one.id}.{plate.name}.png"
        found[name] = plate.caption
        with figure_style():
            plate.figure.savefig(target / name)
    return found
