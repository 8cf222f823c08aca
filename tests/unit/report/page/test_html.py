"""The report file: self-contained, small, closed to everything outside, the same for the same run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardan as cd
from cardan.errors import StoreError
from cardan.report.page import html as pages
from cardan.report.page.bundle import bundle_css, bundle_js
from support.report_systems import run_of

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
LOADING = {"src", "href", "action", "data", "poster", "srcset", "background", "formaction", "manifest", "ping"}


class Parsed(HTMLParser):
    """Elements, the attributes that load something, and the content of scripts by their position."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.loads: list[tuple[str, str | None]] = []
        self.policy = ""
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.title = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        self.tags.append(tag)
        self.loads += [(key, value) for key, value in attributes if key in LOADING]
        self._inside = tag
        if tag == "meta" and named.get("http-equiv") == "Content-Security-Policy":
            self.policy = named["content"] or ""
        if tag == "script":
            self.scripts.append((named, ""))

    def handle_data(self, data: str) -> None:
        if self._inside == "script" and self.scripts:
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        if self._inside == "title":
            self.title += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


@pytest.fixture(scope="module")
def text() -> str:
    return pages.report_html(run_of("suspension"))


def test_the_file_is_below_two_megabytes(tmp_path: Path) -> None:
    path = run_of("suspension").report(tmp_path / "r.html")
    assert path == tmp_path / "r.html"
    assert path.stat().st_size < 2_000_000
    assert [one.name for one in tmp_path.iterdir()] == ["r.html"], "something was left behind"


def test_nothing_is_loaded_from_anywhere(text: str) -> None:
    parsed = Parsed(text)
    assert parsed.loads == []
    assert not set(parsed.tags) & {"link", "iframe", "object", "embed", "base", "form"}
    style = re.sub(r"url\(data:[^)]*\)", "", bundle_css())
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_names_the_script_and_nothing_else(text: str) -> None:
    parsed = Parsed(text)
    (data, _), (plain, script) = parsed.scripts
    assert (data["type"], data["id"]) == ("application/json", "cardan-data")
    assert plain == {}
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    rules = dict(rule.strip().split(" ", 1) for rule in parsed.policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'sha256-{digest}' 'wasm-unsafe-eval'", "code of the page's own data, no other text"
    assert rules["font-src"] == "data:"
    assert rules["img-src"] == "data: blob:"
    assert text.index("Content-Security-Policy") < text.index("<style>"), "a policy holds for what follows it"


def test_the_data_is_the_document(text: str) -> None:
    page = json.loads(Parsed(text).scripts[0][1])
    assert page["format"] == "cardan-page/1"
    assert page["kind"] == "report"
    assert page["model"]["name"] == "Cardan suspension"


def test_names_do_not_break_out() -> None:
    """An element that ends early, an image that runs code: both stay text, in the data, the title and the table."""
    s = cd.System(EVIL)
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**2 / 2)
    text = pages.report_html(s.simulate(1.0, v=[1.0]), title=EVIL)
    parsed = Parsed(text)
    assert len(parsed.scripts) == 2
    assert "img" not in parsed.tags
    assert json.loads(parsed.scripts[0][1])["model"]["name"] == EVIL
    assert EVIL in parsed.title
    assert "<img" not in text.replace(bundle_js(), "")


def test_the_page_can_be_read_without_scripts(text: str) -> None:
    inside = text[text.index("<noscript>") : text.index("</noscript>")]
    assert "Gimbal lock" in inside
    assert "sin(beta) = 0" in inside


def test_equal_runs_give_equal_files() -> None:
    def once() -> str:
        s = cd.System("twice")
        a = s.coordinates("a", on="S1")
        s.body("rod", mass=1.0, inertia=0.1, com=(1.0, 0, 0), joint=cd.Revolute("z", a))
        s.gravity(-9.81 * s.world.y)
        return pages.report_html(s.simulate(1.0, q=[0.5]))

    assert once() == once()


def test_a_date_stands_there_only_if_it_is_given() -> None:
    run = run_of("hanging")
    assert "1752-05-05" in pages.report_html(run, date="1752-05-05")
    labels = [one["label"] for one in _data(pages.report_html(run))["model"]["provenance"]]
    assert "date" not in labels
    assert {"rtol", "cardan", "numpy", "states, SHA-256"} <= set(labels)


def _data(text: str) -> Any:
    return json.loads(Parsed(text).scripts[0][1])


def test_frames_are_taken_away_where_the_file_would_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of("suspension")
    whole = pages.report_html(run, frames=1200)
    monkeypatch.setattr(pages, "LARGEST", len(whole) - 100_000)
    smaller = pages.report_html(run, frames=1200)
    assert len(smaller) <= len(whole) - 100_000
    (note,) = [one["value"] for one in _data(smaller)["model"]["provenance"] if one["label"] == "frames"]
    kept = _data(smaller)["motion"]["times"]["shape"][0]
    assert abs(kept - int(note.split()[0])) <= 2  # the moment of the lock has a frame of its own
    assert kept < 1200


def test_a_motion_that_fits_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pages, "LARGEST", 1000)
    with pytest.raises(StoreError, match="Simulate a shorter time"):
        run_of("hanging").report(tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_missing_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is no directory"):
        run_of("hanging").report(tmp_path / "nowhere" / "r.html")


def test_the_hash_of_the_states_is_that_of_their_numbers() -> None:
    run = run_of("hanging")
    table = np.column_stack([run.t, run.q, run.v]).astype("<f8")
    digest = hashlib.sha256(table.tobytes()).hexdigest()
    rows = {one["label"]: one["value"] for one in _data(pages.report_html(run))["model"]["provenance"]}
    assert rows["states, SHA-256"] == digest
