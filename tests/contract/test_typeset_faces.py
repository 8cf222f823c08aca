"""The page carries every face of type that Cardan's own formulas ask for, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FACE = {  # of KaTeX, by the command that asks for it
    "mathit": "Main-Italic",
    "mathbf": "Main-Bold",
    "mathsf": "SansSerif-Regular",
    "mathbb": "AMS-Regular",
    "mathcal": "Caligraphic-Regular",
    "mathfrak": "Fraktur-Regular",
    "mathscr": "Script-Regular",
    "mathtt": "Typewriter-Regular",
    "boldsymbol": "Math-BoldItalic",
    "bm": "Math-BoldItalic",
}


def test_the_faces_in_the_page_are_those_that_formulas_use() -> None:
    found = re.search(r"^\s*/KaTeX_\((.+)\)\\.woff2/;$", (ROOT / "frontend" / "build.mjs").read_text(), re.MULTILINE)
    assert found is not None
    carried = re.compile(found[1])
    sources = [one.read_text(encoding="utf-8") for one in (ROOT / "src" / "cardan").rglob("*.py")]
    used = {name for text in sources for name in re.findall(r"\\(\w+?)(?=[{ ])", text) if name in FACE}
    assert "mathbf" in used
    assert {name for name in used if not carried.fullmatch(FACE[name])} == set()
    assert {name for name in set(FACE) - used if carried.fullmatch(FACE[name])} == set()
