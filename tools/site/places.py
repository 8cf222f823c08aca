"""Where a file of the repository is found on the site, and the links that lead there."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
ELSEWHERE = re.compile(r"[a-z]+:")
PICTURES = (".png", ".svg", ".gif")
NOT_SHOWN = {".git", "__pycache__", "node_modules", "static"}
FOLDERS = {ROOT / "docs" / name: f"{name}/index.md" for name in ("theory", "tutorials", "coming-from")}


@dataclass
class Places:
    """Pages by the file that they come from; files of the program get a page when something links to them."""

    target: Path
    pages: dict[Path, str] = field(default_factory=dict)  # file -> page, relative to the site's root
    shown: dict[Path, str] = field(default_factory=dict)  # files and folders shown as they are

    def page_of(self, file: Path) -> str | None:
        """The page that shows this file, made if need be; None for what the repository does not have."""
        if file in self.pages:
            return self.pages[file]
        if file.is_dir() and file / "README.md" in self.pages:
            return self.pages[file / "README.md"]
        if file in FOLDERS:
            return FOLDERS[file]
        if not file.exists() or not file.is_relative_to(ROOT):
            return None
        if file not in self.shown:
            name = file.relative_to(ROOT).as_posix()
            self.shown[file] = f"source/{name}" if file.suffix in PICTURES else f"source/{name}.md"
            if file.is_dir():
                for one in listing(file):
                    self.page_of(one)
        return self.shown[file]

    def relinked(self, text: str, file: Path, page: str) -> str:
        """The text of ``file`` with its links as they must be on ``page``; code is left alone."""

        def new(match: re.Match[str]) -> str:
            address = match[2]
            if ELSEWHERE.match(address) or address.startswith(("#", "MADE/")):
                return match[0]
            name, mark, anchor = address.partition("#")
            found = self.page_of((file.parent / name).resolve())
            if found is None:
                raise FileNotFoundError(f"{file} links to {address}, which does not exist")
            return match[1] + os.path.relpath(found, Path(page).parent).replace(os.sep, "/") + mark + anchor + match[3]

        parts = FENCE.split(text)
        return "".join(one if one.startswith("```") else LINK.sub(new, one) for one in parts)


def listing(folder: Path) -> list[Path]:
    """What a page about a folder lists."""
    return [one for one in sorted(folder.iterdir()) if one.name not in NOT_SHOWN and one.suffix in ("", ".py", ".md")]
