"""The soak in short: one case of every family, and that its machinery can tell wrong from right."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tools.soak.closed_forms import BILLIARDS, bounced
from tools.soak.families import FAMILIES
from tools.soak.judging import AGREED, COMPLAINED, CRASHED, REFUSED, WRONG, Answer, judge
from tools.soak.shrinking import shrunk, write_test
from tools.soak.table import BEGIN, END, Tally, put_in_page

from cardan.errors import StartError


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_case_of_each_family_agrees(family) -> None:
    verdict = judge(family, family.draw(np.random.default_rng(20)))
    assert verdict.kind == AGREED, verdict.words


def test_a_wrong_answer_is_called_silent_and_a_foreign_error_a_crash() -> None:
    case = BILLIARDS.draw(np.random.default_rng(1))
    assert judge(replace(BILLIARDS, compare=lambda case: Answer(1e-3, 1e-6)), case).kind == WRONG
    assert judge(replace(BILLIARDS, compare=lambda case: Answer(1e-3, 1e-6, ("energy",))), case).kind != WRONG
    assert judge(replace(BILLIARDS, compare=lambda case: 1 / 0), case).kind == CRASHED


def test_a_refusal_is_right_only_where_the_other_side_says_so() -> None:
    def refuse(case):
        raise StartError("nothing free")

    case = BILLIARDS.draw(np.random.default_rng(1))
    assert judge(replace(BILLIARDS, compare=refuse), case).kind == REFUSED
    assert judge(replace(BILLIARDS, compare=refuse, may_refuse=lambda case: True), case).kind == COMPLAINED


def test_a_failure_is_made_smaller_and_written_as_a_test(tmp_path: Path) -> None:
    """Wrong by construction as long as the particle has hit a wall: what is left is the shortest time with a hit."""
    family = replace(BILLIARDS, compare=lambda case: Answer(float(bounced(case)[2] < 1.0), 0.5))
    case = {**BILLIARDS.draw(np.random.default_rng(2)), "unit": 1e6}
    small = shrunk(family, case, WRONG)
    assert small["unit"] == 1.0
    assert small["duration"] < case["duration"]
    path = write_test(tmp_path, family, small, 2, WRONG, "made so")
    assert "def test_billiards_2" in path.read_text()
    ast.parse(path.read_text())


def test_counts_are_added_up_in_the_page(tmp_path: Path) -> None:
    tally = Tally(minutes=3.0, seeds=[[0, 4]])
    tally.add(FAMILIES[0].name, AGREED)
    tally.add(FAMILIES[0].name, WRONG)
    tally.write(tmp_path / "trust.json")
    again = Tally.read(tmp_path / "trust.json")
    page = tmp_path / "trust.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter")
    put_in_page(again.lines(FAMILIES), page)
    text = page.read_text()
    assert "old" not in text
    assert f"| {FAMILIES[0].name} | {FAMILIES[0].judged_by} | 2 | 1 | 0 | 0 | 1 | 0 | 0 |" in text
    assert text.startswith("before")
    assert text.endswith("after")
