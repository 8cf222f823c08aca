"""The source tree of the site: pages of docs/ with their outputs, pages made from the code, and what they link to."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tools.site.commands import write_commands
from tools.site.executing import run_page, state_of
from tools.site.gallery_page import gallery_page
from tools.site.messages import write_messages
from tools.site.model_files import write_model_files
from tools.site.moving import write_film
from tools.site.places import PICTURES, ROOT, Places, listing
from tools.site.reference import write_reference

DOCS = ROOT / "docs"
OF_THE_PROJECT = (
    "architecture",
    "errata",
    "releasing",
    "trust",
)  # pages of docs/ about Cardan itself; the others are guides
UNDERSTOOD = ("notation",)  # pages of docs/ that belong to theory
WITH_A_PLACE = ("tutorials", "theory", "coming-from", "reference", "how-to", "decisions", "images")
CHAPTERS_THEMSELVES = ("gallery", "index")
FROM_ELSEWHERE = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "CODE_OF_CONDUCT.md": "project/code-of-conduct.md",
    "benchmarks/results.md": "project/benchmarks.md",
    "README.md": "project/readme.md",
}
EVERY_BLOCK_RAN = "*Every block of this page ran when the site was built; what it printed is beneath it.*\n"


def gather(target: Path, *, execute: bool, workers: int = 2) -> None:
    """Write the whole source tree into ``target``, which is emptied first."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "_static" / "made").mkdir(parents=True)
    for one in (Path(__file__).parent / "static").iterdir():
        shutil.copy(one, target / "_static" / one.name)
    shutil.copytree(DOCS / "images", target / "images")
    places = Places(target, dict(pages()))
    places.pages[ROOT / "LICENSE"] = "source/LICENSE.md"
    places.shown[ROOT / "LICENSE"] = "source/LICENSE.md"
    texts = {file: file.read_text(encoding="utf-8") for file in places.pages if file.suffix == ".md"}
    if execute:
        texts = executed(texts, target / "_static" / "made", workers)
        write_film(target / "_static" / "made")
    for file, text in texts.items():
        page = places.pages[file]
        back = "../" * page.count("/")
        relinked = places.relinked(text, file, page).replace("](MADE/", f"]({back}_static/made/")
        write(target / page, relinked)
    write_reference(target / "reference", execute=execute)
    write_commands(target / "reference" / "commands.md")
    write_model_files(target / "reference" / "model-files.md")
    write_messages(target / "reference" / "messages.md")
    write(target / "gallery.md", gallery_page((target / "gallery.md").read_text(encoding="utf-8")))
    write_sources(target, places)
    write_indexes(target)


def pages() -> Iterable[tuple[Path, str]]:
    """Every file that becomes a page, found by pattern, so that a new one appears by itself."""
    for file in sorted(DOCS.rglob("*.md")):
        if file.is_relative_to(DOCS / "reference"):
            continue  # examples: shown with the names that they are about
        yield file, file.relative_to(DOCS).as_posix()
    for name, page in FROM_ELSEWHERE.items():
        if (ROOT / name).exists():
            yield ROOT / name, page
    for image in sorted((DOCS / "images").iterdir()):
        yield image, f"images/{image.name}"


def executed(texts: dict[Path, str], made: Path, workers: int) -> dict[Path, str]:
    """The pages with what their blocks print; those that ran before with the same program are not run again."""
    store = ROOT / "output" / "docs-outputs" / state_of(ROOT / "src")
    store.mkdir(parents=True, exist_ok=True)
    names = {file: file.relative_to(ROOT).as_posix() for file in texts}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = {file: pool.submit(run_page, names[file], text, store) for file, text in texts.items()}
        found = {}
        for file, job in jobs.items():
            shown, pictures = job.result()
            for one in pictures:
                shutil.copy(store / one, made / one)
            head, _, rest = shown.partition("\n")
            told = "\n```python\n" in shown and file != DOCS / "index.md"  # which says it in words of its own
            found[file] = f"{head}\n\n{EVERY_BLOCK_RAN}{rest}" if told else shown
    return found


def write_sources(target: Path, places: Places) -> None:
    """Files and folders of the repository that pages link to, shown as they are."""
    done: set[Path] = set()
    while todo := [one for one in places.shown if one not in done]:
        for one in todo:
            done.add(one)
            page = target / places.shown[one]
            if one.suffix in PICTURES:
                page.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(one, page)
            else:
                write(page, source_page(one, places))


def source_page(file: Path, places: Places) -> str:
    name = file.relative_to(ROOT).as_posix()
    head = f"---\norphan: true\n---\n\n# {name}\n\n"
    if file.is_dir():
        here = places.shown[file]
        rows = [(one.name, places.page_of(one)) for one in listing(file)]
        up = "../" * here.count("/")
        return head + "\n".join(f"- [{label}]({up}{page})" for label, page in rows if page) + "\n"
    language = {".py": "python", ".md": "markdown"}.get(file.suffix, "text")
    text = file.read_text(encoding="utf-8")
    return head + f"````````{{code-block}} {language}\n:linenos:\n\n{text.rstrip()}\n````````\n"


def write_indexes(target: Path) -> None:
    """The pages that hold others together, and the tables of contents that Sphinx wants."""
    top = sorted(one.stem for one in target.glob("*.md") if one.stem not in CHAPTERS_THEMSELVES)
    guides = [one for one in top if one not in (*OF_THE_PROJECT, *UNDERSTOOD)] + other_folders(target)
    folder(target, "tutorials/index", "Tutorials", "Learn by doing, line by line.", beside(target, "tutorials"))
    folder(target, "guides", "Guides", "How things are done, one subject to a page.", guides)
    theory = ["notation", *(f"theory/{one}" for one in beside(target, "theory"))]
    folder(target, "theory/index", "Theory", "What is computed, and why it is right.", [f"/{one}" for one in theory])
    coming = [f"/coming-from/{one}" for one in beside(target, "coming-from")]
    if coming:
        folder(target, "coming-from/index", "Coming from", "The same tasks, said in another tool and here.", coming)
    project = [f"/{one}" for one in OF_THE_PROJECT] + sorted(
        f"/project/{one.stem}" for one in (target / "project").iterdir()
    )
    project += ["/how-to/README", "/decisions/README"]
    folder(target, "project/index", "Project", "How Cardan is made, measured and kept honest.", project)
    for name in ("how-to", "decisions"):
        hidden(target / name / "README.md", beside(target, name))
    hidden(target / "index.md", [one for one in CHAPTERS if (target / f"{one}.md").exists() or one in IN_REST])


def other_folders(target: Path) -> list[str]:
    """Folders of docs/ that have no chapter of their own are guides: their README, or a list of their pages."""
    found = []
    for one in sorted(path for path in DOCS.iterdir() if path.is_dir() and path.name not in WITH_A_PLACE):
        own = beside(target, one.name)
        if (target / one.name / "README.md").exists():
            hidden(target / one.name / "README.md", own)
            found.append(f"{one.name}/README")
        elif own:
            folder(target, f"{one.name}/index", one.name.capitalize().replace("-", " "), "", own)
            found.append(f"{one.name}/index")
    return found


CHAPTERS = [
    "tutorials/index",
    "guides",
    "theory/index",
    "reference/index",
    "gallery",
    "coming-from/index",
    "project/index",
]
IN_REST = ("reference/index",)


def beside(target: Path, name: str) -> list[str]:
    """The pages of a folder, by name."""
    return sorted(one.stem for one in (target / name).glob("*.md") if one.stem not in ("README", "index"))


def folder(target: Path, page: str, title: str, words: str, names: list[str]) -> None:
    """A page that lists others."""
    lines = [f"# {title}", "", words, "", "```{toctree}", ":maxdepth: 1", "", *names, "```", ""]
    write(target / f"{page}.md", "\n".join(lines))


def hidden(page: Path, names: list[str]) -> None:
    """Adds a table of contents that is seen in the margin only."""
    lines = ["", "```{toctree}", ":hidden:", "", *names, "```", ""]
    write(page, page.read_text(encoding="utf-8") + "\n".join(lines))


def write(page: Path, text: str) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
