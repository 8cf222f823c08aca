"""Everything that can go wrong, as one tree.

    CardanError
    |-- ModelError (ValueError)   the description contradicts itself
    |   |-- UnknownName, DuplicateName, FrameMismatch, WrongShape
    |   |-- NoNumber (TypeError)
    |   `-- ImpossibleInertia
    |-- FileError                 a model file cannot be accepted (file, line, field)
    |-- DerivationError           equations cannot be formed as asked
    |   `-- NotQuadratic
    |-- StartError                the start is inconsistent, or has no preferred branch
    |-- SingularityError          no motion, or no unique quantity where one was demanded
    |   |-- SingularMassMatrix
    |   |-- DependentConstraints
    |   `-- UnreachableMotion, UnreachableTarget
    |-- CompileError              code generation failed
    |-- SimulationError           motion could not be continued (time, state, partial trajectory)
    |   `-- Interrupted (KeyboardInterrupt)
    |-- StoreError                results cannot be written or trusted
    |-- ViewerError               the page cannot be served
    `-- InstallationError         a part that was to be installed is missing

A message says what was expected, what was found (names and numbers) and what to do about it. The same facts are
attributes of the exception, given as keyword arguments, so that tools need not parse text.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class CardanError(Exception):
    """Root of all errors raised on purpose; ``error.evidence`` holds its facts by name."""

    def __init__(self, message: str, **evidence: Any) -> None:
        super().__init__(message)
        self.evidence: dict[str, Any] = evidence

    def __getattr__(self, name: str) -> Any:
        evidence = self.__dict__.get("evidence", {})
        if name in evidence:
            return evidence[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")


class ModelError(CardanError, ValueError):
    """The description contradicts itself."""


class UnknownName(ModelError):
    """A name that nothing in the model carries."""


def suggestion(name: object, known: Iterable[str], words: str = " Did you mean {!r}?") -> str:
    """The nearest of the known names as a question, after a space; nothing where none is near."""
    names = list(known)
    near = get_close_matches(str(name), names, n=1) or _but_for_case(str(name), names)
    return words.format(near[0]) if near else ""


def _but_for_case(name: str, known: list[str]) -> list[str]:
    lower = {one.lower(): one for one in known}
    return [lower[one] for one in get_close_matches(name.lower(), lower, n=1)]


def no_attribute(owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """What Python says of an attribute that is not there, with the nearest one as a question."""
    public = [one for one in known if not one.startswith("_")]
    return AttributeError(f"{owner} has no attribute {name!r}.{'' if name[:1] == '_' else suggestion(name, public)}")


def unknown(name: object, known: Iterable[str], what: str) -> UnknownName:
    """The error for a name that is no ``what``: it lists those that are, the nearest one first as a question."""
    names, key = list(known), str(name)
    near = get_close_matches(key, names, n=1)
    question = suggestion(key, names)
    listed = ", ".join(names) or "none"
    return UnknownName(f"{key!r} is no {what}.{question} Known: {listed}.", name=key, known=names, near=near)


class DuplicateName(ModelError):
    """A name given twice."""


class FrameMismatch(ModelError):
    """Things of two different systems, or a frame that cannot be reached."""


class WrongShape(ModelError):
    """A vector, matrix or start of the wrong size."""


class NoNumber(ModelError, TypeError):
    """A symbol where a number is needed."""


class ImpossibleInertia(ModelError):
    """A mass or inertia that no body can have."""


class FileError(CardanError):
    """A model file cannot be accepted."""


class DerivationError(CardanError):
    """Equations cannot be formed as asked."""


class NotQuadratic(DerivationError):
    """A kinetic energy or Lagrangian that is not quadratic in the velocities where a mass matrix is asked for."""


class StartError(CardanError):
    """The start is inconsistent, or has no preferred branch."""


class SingularityError(CardanError):
    """No motion, or no unique quantity where one was demanded."""


class SingularMassMatrix(SingularityError):
    """The mass matrix has no inverse at this configuration."""


class DependentConstraints(SingularityError):
    """Constraints that depend on each other where a unique reaction was demanded."""


class UnreachableMotion(SingularityError):
    """A motion that the given actuators cannot make."""


class UnreachableTarget(SingularityError):
    """A place or orientation that a hand cannot be brought to."""


class CompileError(CardanError):
    """Code generation failed."""


class SimulationError(CardanError):
    """The motion could not be continued; the trajectory so far is in ``error.trajectory``."""


class Interrupted(SimulationError, KeyboardInterrupt):
    """Ctrl-C ended a motion, or its audit, early; the trajectory so far is in ``error.trajectory``."""


class StoreError(CardanError):
    """Results cannot be written or trusted."""


class ViewerError(CardanError):
    """The page of the viewer cannot be served."""


class InstallationError(CardanError):
    """A part that was to be installed with Cardan is missing."""
