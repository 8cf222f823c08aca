"""cardan gallery: what it lists, shows and checks, and an entry as a model of the other commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from cardan.cli.main import app
from cardan.gallery import checking
from cardan.gallery.catalogue import TITLES
from cardan.gallery.comparing import near
from cardan.gallery.entry import Check
from cardan.gallery.index import entry, modules

RUNNER = CliRunner()


def printed(*arguments: str, code: int = 0) -> str:
    result = RUNNER.invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    return result.output


def answer(*arguments: str, code: int = 0) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(printed(*arguments, "--json", code=code))
    assert content["exit_code"] == code
    return content


def test_gallery_alone_lists_everything_with_its_status() -> None:
    rows = answer("gallery")["entries"]
    assert [row["id"] for row in rows] == list(TITLES)
    assert {row["id"] for row in rows if row["status"] == "finished"} == set(modules())
    assert all(row["reason"] for row in rows if row["status"] == "planned")
    text = printed("gallery")
    assert "H12  finished  Cardan suspension of three gimbals" in text
    assert f"{len(modules())} finished" in text


def test_gallery_show_gives_lesson_equations_and_model() -> None:
    text = printed("gallery", "show", "h12")
    assert "Three nested gimbals carry a platform" in text
    assert "alpha_ddot" in text
    assert 's.body("platform"' in text
    facts = answer("gallery", "show", "H12")
    assert facts["title"] == TITLES["H12"]
    assert len(facts["equations"]) == 3
    assert facts["start"]["duration"] == 6.0


def test_gallery_run_checks_one_entry() -> None:
    text = printed("gallery", "run", "H3")
    assert "ok   (34)" in text
    assert "H3   passed" in text
    (row,) = answer("gallery", "run", "H3")["entries"]
    assert row["status"] == "passed"
    assert all(check["passed"] for check in row["checks"])


def test_gallery_run_ends_with_1_where_a_check_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(_: Any) -> Iterator[Check]:
        yield near("one is two", "(0)", 1.0, 2.0)

    bad = replace(entry("H3"), checks=wrong)
    monkeypatch.setattr(checking, "entry", lambda name: bad)
    text = printed("gallery", "run", "H3", code=1)
    assert "FAIL (0)" in text
    assert "1 of 1 checks fail" in text


def test_an_interrupted_check_of_everything_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def checked(name: str) -> checking.Verdict:
        if name == "H3":
            raise KeyboardInterrupt
        return checking.Verdict(name, TITLES[name], "passed")

    monkeypatch.setattr(checking, "checked", checked)
    found = answer("gallery", "run", "all", code=130)
    assert [one["id"] for one in found["entries"]] == ["H0", "H1", "H2"]
    assert found["passed"] == 3


def test_an_unknown_entry_is_answered_with_near_ones() -> None:
    result = RUNNER.invoke(app, ["gallery", "show", "H112"])
    assert result.exit_code == 1
    assert "Near to it: H12" in result.output


def test_an_entry_is_a_model_of_other_commands() -> None:
    facts = answer("simulate", "gallery:H3", "--points", "5")
    assert facts["status"] == "finished"
    assert facts["times"] == 5
    assert facts["t"] == [0.0, 2.6]
    assert "r_e" in printed("derive", "gallery:H3")
    found = answer("diagnose", "gallery:H12", "--q", "beta=0", "--load", "M=1", code=1)
    assert "gimbal-lock" in json.dumps(found)
    assert answer("check", "gallery:h1")["coordinates"] == ["r", "theta", "z"]


def test_parameters_of_an_entry_can_be_set() -> None:
    facts = answer("simulate", "gallery:H3", "--set", "W=0", "--points", "2")
    start, speed, duration = -1.0, 1.2, 2.6
    assert abs(facts["final"]["r_e"] - (start + speed * duration)) < 1e-9  # a straight line: 1e-9 is the tolerance
