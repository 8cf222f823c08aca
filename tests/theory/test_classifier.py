"""The three-way classifier on every singular configuration named in the texts, in four systems of units.

Rows typed by hand are multiplied by random factors between 1e-3 and 1e3: what a configuration is does not depend on how
it is written down.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from support.singular_cases import CASES, Case
from support.singular_systems import UNITS

DOCS = Path(__file__).parents[2] / "docs/theory"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_named_configuration_is_what_the_texts_say_in_all_units(case: Case) -> None:
    rng = np.random.default_rng(20170130)
    built = case.build()
    for unit, (length, mass) in UNITS.items():
        s = built.scaled(length, mass, 10.0 ** rng.uniform(-3, 3, len(built.factors)), case.values)
        loads = None if case.load is None else {case.load: 1.0}
        found = s.diagnose(built.configuration(case.q, length), loads=loads)
        assert found.kinds == case.kinds, f"{case} in {unit}: {found}"
        carried = any(note.kind == "carried-by-constraints" for note in found.notes)
        assert carried == case.carried, f"{case} in {unit}: {found}"


def test_the_page_shows_what_the_rank_of_the_mass_matrix_would_have_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "scripts"))
    classification = importlib.import_module("classification")
    page = (DOCS / "classification.md").read_text(encoding="utf-8")
    shown = page.partition(classification.BEGIN)[2].partition(classification.END)[0]
    assert shown == classification.table()
    assert "(wrong)" in shown
