"""What every entry of the gallery has; entries are found by their files, so a new one cannot be forgotten.

That its checks hold, that it moves, and that a wrong model fails is tested in tests/gallery, which runs them all.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardan.gallery
from cardan.gallery.catalogue import TEXTS, TITLES
from cardan.gallery.index import entry, modules

FILES = {
    path.stem: text.letter + str(int(path.stem[1:3]))
    for text in TEXTS.values()
    for path in sorted((Path(cardan.gallery.__path__[0]) / text.folder).glob("[a-z][0-9][0-9]_*.py"))
}
IDS = list(FILES.values())
NO_FORMULAS = "no formulas printed"  # what `where` says of an outline; its checks name the law instead
every = pytest.mark.parametrize("name", IDS)


def test_there_are_entries_of_every_text() -> None:
    assert {name[0] for name in IDS} == set(TEXTS)


def test_every_file_is_an_entry_of_the_catalogue() -> None:
    assert {module.rpartition(".")[2]: name for name, module in modules().items()} == FILES
    assert set(IDS) == set(TITLES)


@every
def test_an_entry_has_title_lesson_and_source(name: str) -> None:
    one = entry(name)
    assert one.id == name
    assert one.title.strip()
    assert len(one.lesson.split()) >= 50, "a lesson is a paragraph"
    assert one.text.authors in one.source
    assert re.search(r"\d", one.where) or NO_FORMULAS in one.where, "`where` says sections or equations by number"


@every
def test_an_entry_has_a_picture_of_its_run(name: str) -> None:
    one = entry(name)
    assert one.picture is not None or one.portrait is not None
    assert one.caption.strip(), "a caption says what to look at"
    assert one.start["duration"] > 0


@every
def test_checks_name_their_equation_in_the_text(name: str) -> None:
    """The first check of each, to be quick; tests/gallery asks all of them."""
    one = entry(name)
    first = next(iter(one.checks(one.system())))
    assert first.name.strip()
    assert first.equation.strip()
    is_numbered = re.search(r"\d", first.equation) or NO_FORMULAS in one.where
    assert is_numbered, f"{first.name!r} says {first.equation!r}, which is no place in the text"
    assert first.because.strip(), "a tolerance says its reason"
