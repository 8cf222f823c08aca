"""What must hold for the built site: links lead somewhere, nothing is loaded from a network, search knows the names."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools.site.products import public_names

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "srcset"}
SOUGHT = ("gimbal", "linear", "singular", "quaternion")  # as the index has them, stemmed


class Page(HTMLParser):
    """The links, the loaded files and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given:
            self.loaded.append(given[LOADED[tag]])
        if tag == "link" and given.get("rel") == "stylesheet":
            self.loaded.append(given.get("href", ""))


def complaints(site: Path) -> list[str]:
    """Everything that is wrong, one line each."""
    files = {one: Page(one.read_text(encoding="utf-8")) for one in site.rglob("*.html") if "entries" not in one.parts}
    found = [line for file, page in files.items() for line in _page(file, page, files, site)]
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    missing = [word for word in SOUGHT if f'"{word}' not in index and f"{word}:" not in index]
    missing += [name for name in public_names() if not re.search(rf'["\[,]{re.escape(name)}["\],:]', index)]
    return found + [f"search does not know {word!r}" for word in missing]


def _page(file: Path, page: Page, files: dict[Path, Page], site: Path) -> list[str]:
    name = file.relative_to(site).as_posix()
    found = [f"{name} loads {one} from a network" for one in page.loaded if urlsplit(one).netloc]
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if not target.exists():
            found.append(f"{name} links to {link}, which is not there")
        elif parts.fragment and target in files and unquote(parts.fragment) not in files[target].anchors:
            found.append(f"{name} links to {link}: no such anchor")
    return found
