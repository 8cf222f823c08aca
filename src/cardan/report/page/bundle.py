"""The page's script and style sheet, as they were built into the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from cardan.errors import InstallationError


def bundle_js() -> str:
    """The script of the page: one function without imports, three.js and KaTeX included."""
    return _static("cardan.js")


def bundle_css() -> str:
    """The style sheet of the page, with the fonts of the equations inside."""
    return _static("cardan.css")


@cache
def _static(name: str) -> str:
    path = files("cardan.report") / "static" / name
    if not path.is_file():
        raise InstallationError(
            f"The page's {name} should be in the package and is not, so no report or viewer can be shown. "
            "In a source tree run `make bundle`; otherwise reinstall the package: pip install --force-reinstall cardan",
            missing=str(path),
        )
    return path.read_text(encoding="utf-8")
