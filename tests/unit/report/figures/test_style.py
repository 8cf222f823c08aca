"""The colours of figures: told apart by all eyes, and the same on the page."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cardan.report.figures.style import COLOURS, KINDS

Vector = NDArray[np.float64]
PAGE = Path(__file__).parents[4] / "frontend" / "src" / "plots" / "colours.js"

# Linear RGB as a dichromat sees it [Machado2009, table 1, severity 1.0].
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: str) -> Vector:
    c = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb: Vector) -> Vector:
    """CIE L*a*b* of linear RGB."""
    x = XYZ @ np.clip(rgb, 0, 1) / WHITE
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eye", EYES)
def test_every_two_colours_differ_for_every_eye(eye: str) -> None:
    """A difference of 2.3 in CIE L*a*b* is just noticed; thin lines need several times that."""
    seen = {colour: lab(EYES[eye] @ linear(colour)) for colour in COLOURS}
    for a, b in itertools.combinations(COLOURS, 2):
        assert np.linalg.norm(seen[a] - seen[b]) > 15, f"{a} and {b} look alike"


def test_every_colour_is_seen_on_white() -> None:
    for colour in COLOURS:
        contrast = 1.05 / (float(XYZ[1] @ linear(colour)) + 0.05)
        assert contrast > 2.5, colour


def test_the_page_draws_with_the_same_colours() -> None:
    text = PAGE.read_text(encoding="utf-8")
    light = re.search(r"SERIES = \{\s*light: \[([^\]]*)\]", text)
    assert light is not None
    assert tuple(re.findall(r"#[0-9a-f]{6}", light[1])) == COLOURS
    kinds = text[text.index("export const KINDS") : text.index("dark:", text.index("export const KINDS"))]
    for kind, look in KINDS.items():
        found = re.search(rf"\"{kind}\": \"(#[0-9a-f]{{6}})\"", kinds)
        assert found is not None, f"the page does not know {kind}"
        assert found[1] == look.colour, kind
