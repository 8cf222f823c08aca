"""The page that is built into the package: complete, small, self-contained; and its parts, tested where they run."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cardan.errors import InstallationError
from cardan.report.page import bundle

FRONTEND = Path(__file__).parents[4] / "frontend"
LARGEST = 1_300_000  # bytes of script and style together: a report has two million, and needs room for its motion


@pytest.fixture(scope="module")
def build() -> Any:
    """The module frontend/build.py."""
    specification = importlib.util.spec_from_file_location("page_build", FRONTEND / "build.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_the_page_leaves_room_for_a_motion() -> None:
    assert len(bundle.bundle_js().encode()) + len(bundle.bundle_css().encode()) < LARGEST


def test_the_style_loads_nothing() -> None:
    css = bundle.bundle_css()
    addresses = re.findall(r"url\(([^)]{0,40})", css)
    assert addresses
    assert all(one.strip("\"'").startswith("data:font/woff2;base64,") for one in addresses)
    assert "@import" not in css


@pytest.mark.parametrize(
    "way", [r"\beval\(", r"new Function\(", r"\bimportScripts\(", r"\bnew Worker\(", r"\bimport\(", r"document\.write"]
)
def test_the_script_runs_no_text_and_starts_no_worker(way: str) -> None:
    """What the Content-Security-Policy of report and viewer forbids would fail only when a reader clicks on it."""
    assert re.search(way, bundle.bundle_js()) is None


def test_licences_of_what_is_inside_stay_inside() -> None:
    end = bundle.bundle_js()[-4000:]
    assert "three.js authors" in end
    assert "Khan Academy" in end
    assert end.count("The above copyright notice and this permission notice") == 2


def test_a_package_without_its_page_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bundle._static.cache_clear()
    monkeypatch.setattr(bundle, "files", lambda package: tmp_path)
    with pytest.raises(InstallationError, match="make bundle") as caught:
        bundle.bundle_js()
    assert caught.value.missing == str(tmp_path / "static" / "cardan.js")
    bundle._static.cache_clear()


def test_a_changed_source_makes_the_bundle_old(build: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source, script, style = tmp_path / "main.js", tmp_path / "cardan.js", tmp_path / "cardan.css"
    monkeypatch.setattr(build, "sources", lambda: [source])
    monkeypatch.setattr(build, "BUNDLE", (script, style))
    source.write_text("1")
    assert not build.is_current()
    for product in (script, style):
        product.write_text("1")
    os.utime(source, (1000, 1000))
    assert build.is_current()
    os.utime(source, (2**31, 2**31))
    assert not build.is_current()


def test_the_lock_file_names_no_place_to_load_from() -> None:
    """Packages come from whatever registry is configured, checked by their hashes."""
    text = (FRONTEND / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text
    assert text.count('"integrity"') >= 4  # three, katex, commander of katex, esbuild


def test_parts_of_the_page(build: Any) -> None:
    """Interpolation, player, requests and arrays, by the test runner of the Node that built the page."""
    found = build.find_node()
    assert found is not None, "the page was built with a Node that is gone; run make bundle"
    tests = sorted(str(path) for path in (FRONTEND / "test").glob("*.test.mjs"))
    assert tests
    result = subprocess.run(
        [found[0], "--test", *tests], cwd=FRONTEND, capture_output=True, text=True, encoding="utf-8"
    )
    assert result.returncode == 0, result.stdout + result.stderr
