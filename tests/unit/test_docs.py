"""The documentation holds together: links resolve, citations have entries, the map shows every room."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
CITATION = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]?)[,\]]")


def links(page: Path) -> list[str]:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    return [target for target in LINK.findall(text) if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.+?) *$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_relative_links_resolve(page: Path) -> None:
    for target in links(page):
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{page.name} links to {target}, which does not exist"
        assert not anchor or anchor in anchors(file), f"{page.name} links to {target}: no such heading"


def test_the_link_check_finds_links() -> None:
    assert "docs/architecture.md" in links(ROOT / "README.md")


def test_every_citation_has_an_entry() -> None:
    keys = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text(encoding="utf-8"), re.MULTILINE))
    places = [*PAGES, *(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    cited = {(key, place.name) for place in places for key in CITATION.findall(place.read_text(encoding="utf-8"))}
    assert {(key, place) for key, place in cited if key not in keys} == set()


def test_the_architecture_page_names_every_room() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    source = ROOT / "src/cardan"
    rooms = [path.parent.name for path in source.glob("*/__init__.py")] + [
        path.name for path in source.glob("[!_]*.py")
    ]
    missing = [room for room in rooms if not re.search(rf"`{re.escape(room)}/?`", page)]
    assert missing == [], "rooms without a row in docs/architecture.md"


def test_the_architecture_page_says_where_every_name_of_a_system_lives() -> None:
    from tools.names import table

    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    missing = [row for row in table().splitlines() if row not in page]
    assert missing == [], "python -m tools.names prints the table as it is"
