"""The page for everybody: axe-core, run in a real browser, has nothing to say against it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardan as cd

ROOT = Path(__file__).parents[2]
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
Opening = Callable[..., Any]


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        (390, "dark"),
        pytest.param(1280, "dark", marks=pytest.mark.long),
        pytest.param(390, "light", marks=pytest.mark.long),
    ],
)
def test_axe_finds_no_violations(see: Opening, report: Path, width: int, scheme: str) -> None:
    seen = see(report.as_uri(), width=width, height=900, color_scheme=scheme)
    seen.page.wait_for_timeout(500)  # equations are typeset while the page is at rest
    seen.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = seen.page.evaluate("axe.run({ resultTypes: ['violations'] })")
    told = [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]
    assert told == []
    assert found["passes"], "axe has looked at something"


def test_a_reader_takes_numbers_and_equations_along(see: Opening, report: Path, suspension: cd.Run) -> None:
    seen = see(report.as_uri(), offline=True)
    with seen.page.expect_download() as waiting:
        seen.page.get_by_role("button", name="Numbers (CSV)").click()
    rows = Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("t,alpha [rad],beta [rad],gamma [rad]")
    assert len(rows) == len(seen.times()) + 1
    first = [float(x) for x in rows[1].split(",")[:4]]
    assert first[1:] == pytest.approx(suspension.q[0], abs=1e-6), "sent as float32"
    with seen.page.expect_download() as waiting:
        seen.page.get_by_role("button", name="Picture (PNG)").click()
    assert Path(waiting.value.path()).read_bytes().startswith(b"\x89PNG")
    with seen.page.expect_download() as waiting:
        seen.page.get_by_role("button", name="Equations (LaTeX)").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert r"\[ " in text
    assert r"\beta" in text
