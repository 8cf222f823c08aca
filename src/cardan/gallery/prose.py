"""Words with formulas in them as HTML: e_2^2 gets its indices, nu2d its letter, index and dot."""

from __future__ import annotations

import re
from html import escape

from cardan.gallery.mathml import LETTERS

WORDS = "alpha beta gamma delta lambda mu nu omega phi pi psi rho theta Delta Gamma Lambda Omega Phi".split()
GREEK = re.compile(rf"\b({'|'.join(WORDS)})(\d*)(dd|d)?(?=_|\b)")
INDEXED = re.compile(r"(?<![\w/.])([A-Za-z]|[Α-ω][\u0307\u0308]?)_([A-Za-z]{1,5}|\d{1,2})(?:\^(\d))?(?![\w(])")
POWER = re.compile(r"(?<=[\w)])\^(-?\d)")
DOTS = {"d": "\u0307", "dd": "\u0308", None: ""}


def prose(text: str) -> str:
    """Escaped HTML with indices, powers and Greek letters set as such."""
    found = GREEK.sub(_letter, escape(text))
    found = INDEXED.sub(_indexed, found)
    return POWER.sub(r"<sup>\1</sup>", found)


def _letter(match: re.Match[str]) -> str:
    letter = str(LETTERS[match[1]]) + DOTS[match[3]]
    return letter + (f"<sub>{match[2]}</sub>" if match[2] else "")


def _indexed(match: re.Match[str]) -> str:
    index = LETTERS.get(match[2], match[2])
    return f"<i>{match[1]}</i><sub>{index}</sub>" + (f"<sup>{match[3]}</sup>" if match[3] else "")
