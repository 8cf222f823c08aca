"""An entry in words: the source of its model, its equations, and how far a check is from its text."""

from __future__ import annotations

import inspect

import sympy as sp

from cardan.api.system import System
from cardan.errors import CardanError
from cardan.gallery.entry import Check, Entry
from cardan.gallery.whole_model import whole_source


def model_source(entry: Entry) -> str:
    """The function that builds the model, with the helpers and constants that it uses: a program that runs alone."""
    return whole_source(entry.system)


def file_source(entry: Entry) -> str:
    """The whole file of the entry."""
    module = inspect.getmodule(entry.system)
    return inspect.getsource(module) if module is not None else model_source(entry)


def equations_of(system: System) -> list[sp.Eq]:
    """The equations of motion, one SymPy equation each; none where they cannot be written so."""
    try:
        return [row for row in system.equations().rows if isinstance(row, sp.Eq)]
    except CardanError:
        return []


def distance(check: Check) -> str:
    """How the check was decided, with its numbers."""
    if check.error is not None:
        return f"differ by {check.error:.1e}, allowed {check.tolerance:.0e}: {check.because}"
    if check.passed:
        return check.because if isinstance(check.expected, (sp.Basic, sp.MatrixBase, list)) else f"{check.computed}"
    return f"found {check.computed}, expected {check.expected}"
