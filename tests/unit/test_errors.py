"""The tree of errors is the one drawn at the top of errors.py, and errors carry their facts."""

from __future__ import annotations

import copy
import inspect
import re

import pytest

from cardan import errors

LINE = re.compile(r"^    (?P<branches>[|` -]*)(?P<names>[A-Z]\w+(?:, [A-Z]\w+)*)", re.MULTILINE)


def drawn_tree() -> dict[str, str]:
    """Child -> parent, read from the drawing."""
    parents: dict[str, str] = {}
    above: list[str] = []
    for line in LINE.finditer(errors.__doc__ or ""):
        depth = len(line["branches"]) // 4
        names = line["names"].split(", ")
        if depth:
            parents |= dict.fromkeys(names, above[depth - 1])
        above[depth:] = [names[0]]
    return parents


def real_tree() -> dict[str, str]:
    classes = [item for _, item in inspect.getmembers(errors, inspect.isclass) if item.__module__ == errors.__name__]
    return {item.__name__: item.__bases__[0].__name__ for item in classes if item is not errors.CardanError}


def test_the_drawing_shows_the_tree() -> None:
    assert drawn_tree() == real_tree()


def test_a_contradictory_model_is_also_a_value_error() -> None:
    assert issubclass(errors.ModelError, ValueError)


def test_evidence_is_reached_by_name() -> None:
    error = errors.UnknownName("No coordinate is called 'x'.", name="x", known=("a", "b"))
    assert str(error) == "No coordinate is called 'x'."
    assert (error.name, error.known) == ("x", ("a", "b"))
    with pytest.raises(AttributeError, match="UnknownName has no attribute 'number'"):
        _ = error.number


def test_an_error_survives_being_copied() -> None:
    """Process pools and debuggers copy exceptions; the evidence has to come along."""
    error = copy.copy(errors.StartError("inconsistent", residual=0.5))
    assert error.residual == 0.5
