"""Reference motions of tests/oracle/data: numbers computed elsewhere, to more digits than a double holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "oracle" / "data"

STRICT = {"rtol": 1e-12, "atol": 1e-13}
"""Local error per step some orders below the tolerances of the references, so that the sum over a run stays below."""


def reference(name: str) -> dict[str, Any]:
    """The content of one file, decimal strings turned into floats."""
    content: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    content["reference"] = numbers(content["reference"])
    return content


def numbers(value: Any) -> Any:
    """Decimal strings, wherever they are nested, as floats; remarks stay as they are."""
    if isinstance(value, dict):
        return {key: numbers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [numbers(part) for part in value]
    try:
        return float(value)
    except ValueError:
        return value


def keyed_times(content: dict[str, Any]) -> dict[float, Any]:
    """The entries of a reference that are keyed by a time."""
    found = {}
    for key, value in content.items():
        try:
            found[float(key)] = value
        except ValueError:
            continue
    return found
