"""The site of the gallery: complete, typeset, and self-contained."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.gallery.checking import Verdict
from cardan.gallery.comparing import near
from cardan.gallery.highlight import highlighted
from cardan.gallery.mathml import mathml
from cardan.gallery.page import index_page, shortened, table
from cardan.gallery.prose import prose
from cardan.gallery.site import write_site
from cardan.gallery.sketch import sketch


class Links(HTMLParser):
    """Everything that a page refers to, and whether its tags close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.opened: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attrs if key in ("href", "src") and value]
        if tag not in ("meta", "link", "img", "br"):
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, ["H1", "h12"], reports=False)
    return folder


def test_two_entries_make_an_index_and_two_pages(site: Path) -> None:
    assert {path.name for path in site.iterdir()} == {
        "index.html", "site.css", "H1.html", "H1.png", "H12.html", "H12.png", "H12.sketch.png",
        "H12.fig7.png", "H12.fig7.1.png", "H12.fig7.2.png",
    }  # fmt: skip
    assert (site / "H12.png").read_bytes().startswith(b"\x89PNG")


def test_pages_are_well_formed_and_refer_only_to_their_neighbours(site: Path) -> None:
    for page in site.glob("*.html"):
        links = Links(page.read_text(encoding="utf-8"))
        assert links.opened == []
        assert links.found
        for link in links.found:
            assert (site / link).is_file(), f"{page.name} refers to {link}"
    assert "url(" not in (site / "site.css").read_text(encoding="utf-8")


def test_a_page_tells_lesson_model_and_every_check(site: Path) -> None:
    text = (site / "H12.html").read_text(encoding="utf-8")
    assert "Three nested gimbals carry a platform" in text
    assert text.count('title="passed"') >= 21  # the checks of the entry, all of them: none is bad
    assert 'class="bad"' not in text
    assert text.count('display="block"') == 3  # equations of motion
    code = re.sub("<[^>]+>", "", text)
    assert "inner = s.body(&quot;inner&quot;, inertia=lam2, joint=cd.Revolute(&quot;x&quot;, beta)" in code
    assert "(103)" in text
    assert "Fig. 7 of the text: the Cardan suspension" in text


def test_formulas_have_greek_letters_indices_and_dots() -> None:
    s = cd.System("letters")
    nu1 = s.coordinates("nu1")
    lam2 = s.parameters(lam2=1.0)
    text = unescape(mathml(lam2 * nu1.dot * sp.sin(nu1) ** 2))
    assert "<msub><mi>λ</mi><mn>2</mn></msub>" in text
    assert "<msub><mover><mi>ν</mi><mo>˙</mo></mover><mn>1</mn></msub>" in text
    assert "<msup><mi>sin</mi><mn>2</mn></msup>" in text
    assert 'class="matrix"' in mathml(sp.eye(2))


def test_prose_is_escaped_and_typeset() -> None:
    assert prose("e_2^2 <b> nu2d") == "<i>e</i><sub>2</sub><sup>2</sup> &lt;b&gt; ν\u0307<sub>2</sub>"
    assert prose("phi_e = 0") == "<i>φ</i><sub>e</sub> = 0"
    assert prose("a plain sentence") == "a plain sentence"


def test_highlighting_keeps_the_text() -> None:
    code = 'def f(x: int) -> str:\n    """A & B."""\n    return "<" + str(x)  # why\n'
    text = highlighted(code)
    assert '<span class="k">def</span>' in text
    assert '<span class="c"># why</span>' in text
    assert unescape(re.sub("<[^>]+>", "", text)) == code


def test_a_failed_check_is_shown_with_what_was_found() -> None:
    wrong = near("one is two", "(0)", 1.0, 2.0)
    verdict = Verdict("H1", "Free particle", "failed", (wrong,), 0.1, "1 of 1 checks fail: one is two")
    told = table(verdict)
    assert 'title="failed"' in told
    assert "found 1" in told
    assert "1 of 1 checks fail" in told
    index = index_page([verdict, Verdict("B1", "Snake cart", "planned", reason="not written")], {})
    assert "1 failed, 1 planned" in index
    assert "1 of 1 checks fail" in index
    assert "planned: not written" in index


def test_values_are_told_in_few_characters() -> None:
    assert shortened(np.zeros(9)) == "9 numbers up to 0"
    assert shortened({"b", "a"}) == "a, b"
    assert shortened(set()) == "nothing"
    assert shortened([]) == "nothing"
    x = sp.Symbol("x")
    assert shortened([("gimbal-lock", sp.Eq(sp.sin(x), 0))]) == "gimbal-lock: sin(x) = 0"
    assert len(shortened("long " * 100)) < 160


def test_a_sketch_shows_every_shape_of_a_scene() -> None:
    s = cd.System("shapes")
    a, b = s.coordinates("a b", on="S1")
    arm = s.body("arm", mass=1, com=(1, 0, 0), joint=cd.Revolute("z", a), shape=cd.Bar((0, 0, 0), (1, 0, 0), 0.05))
    s.body("end", mass=1, inertia=0.1, parent=arm, at=(1, 0, 0), joint=cd.Revolute("x", b), shape=cd.Box(0.3, 0.2, 0.1))
    figure = sketch(s.simulate(1.0, v=[1.0, 2.0]))
    assert [axes.get_title() for axes in figure.axes] == ["t = 0 s", "t = 0.5 s", "t = 1 s"]
    low, high = figure.axes[0].get_xlim()
    assert low < 0.0
    assert 1.0 < high < 2.0  # the arm reaches to x = 1 at the start, and the box 0.15 beyond
    t = cd.System("typed")
    x = t.coordinates("x")
    t.lagrangian(x.dot**2 / 2)
    assert sketch(t.simulate(1.0, v=[1.0])) is None
