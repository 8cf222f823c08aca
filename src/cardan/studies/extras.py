"""Packages that not everybody needs: loaded when they are, and asked for by the name of their extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cardan.errors import InstallationError


def needed(module: str, extra: str, what: str) -> Any:
    """The module, or an InstallationError that says which extra brings it."""
    try:
        return import_module(module)
    except ImportError as problem:
        raise InstallationError(
            f"{what} needs the package {module.split('.')[0]!r}, which is not installed. Install it with "
            f"pip install 'cardan[{extra}]'.",
            package=module,
            extra=extra,
        ) from problem
