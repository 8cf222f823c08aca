"""The gallery of the site: a card for each entry, leading to the pages that ``make gallery`` writes."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from cardan.gallery.catalogue import TEXTS, TITLES
from tools.site.places import ROOT

WRITTEN = ROOT / "output" / "gallery"


def gallery_page(page: str) -> str:
    """The guide with the cards in it; entries that were not written (see ``make gallery``) have no picture."""
    head, mark, rest = page.partition("## How an entry is written")
    return head + "\n".join(cards()) + "\n" + mark + rest


def cards() -> Iterator[str]:
    """The entries, by text."""
    for letter, text in TEXTS.items():
        yield f'## {text.title}\n\n{text.authors} ({text.year})\n\n<div class="cards">\n'
        yield from (card(name) for name in TITLES if name[0] == letter)
        yield "\n</div>\n"


def card(name: str) -> str:
    """One entry."""
    words = f"<b>{name}</b> {escape(TITLES[name])}"
    page = WRITTEN / f"{name}.html"
    if not page.exists():
        return f'<div class="card"><span>{words}</span></div>'
    picture = next((one for one in (f"{name}.sketch.png", f"{name}.png") if (WRITTEN / one).exists()), None)
    image = f'<img src="entries/{picture}" alt="" loading="lazy">' if picture else ""
    moving = (
        f'<a href="entries/{name}.report.html">see it move</a>' if (WRITTEN / f"{name}.report.html").exists() else ""
    )
    return f'<div class="card">{image}<span><a href="entries/{name}.html">{words}</a> {moving}</span></div>'
