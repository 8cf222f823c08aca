"""What a file asks of special motions, as names of questions and their arguments in numbers."""

from __future__ import annotations

from collections.abc import Mapping

from cardan.formats.document import Location
from cardan.formats.pieces import Pieces, given
from cardan.formats.plan import Asked
from cardan.formats.schema import ModelFile
from cardan.formats.schema_parts import Part, Written

NUMBERS = ("low", "high", "period", "within", "settle")
AS_THEY_ARE = ("about", "seeds", "members", "count", "segments", "relative", "parameter", "show", "axes")
MOST = 2_000  # values of one parameter of a map
BY_NAME = ("hold", "loads", "inputs")


def analysis_of(pieces: Pieces, model: ModelFile) -> tuple[Asked, ...]:
    """Every question of the file, in its order."""
    return tuple(_asked(pieces, one, ("analysis", k)) for k, one in enumerate(model.analysis))


def _asked(pieces: Pieces, one: Part, where: Location) -> Asked:
    kind: str = one.kind  # type: ignore[attr-defined]  # every question has one
    written = {key: getattr(one, key) for key in type(one).model_fields if getattr(one, key) is not None}
    found = dict(given(one, *(key for key in AS_THEY_ARE if key in written)))
    found |= {key: pieces.number(written[key], (*where, key)) for key in NUMBERS if key in written}
    found |= {key: _numbers(pieces, written[key], (*where, key)) for key in BY_NAME if key in written}
    found |= {key: _values(pieces, written[key], (*where, key)) for key in ("q", "v") if key in written}
    if "box" in written:
        found["box"] = {
            name: tuple(pieces.number(end, (*where, "box", name)) for end in ends)
            for name, ends in written["box"].items()
        }
    if "over" in written:
        found["over"] = {
            name: _spaced(pieces, three, (*where, "over", name)) for name, three in written["over"].items()
        }
    _require_known(pieces, found, where)
    return Asked(kind, found)


def _spaced(pieces: Pieces, three: list[Written], where: Location) -> tuple[float, float, int]:
    """Two ends, and how many values from one to the other."""
    low, high, count = (pieces.number(one, where) for one in three)
    if count != int(count) or not 2 <= count <= MOST:
        raise pieces.document.error(f"how many values is a whole number from 2 to {MOST}, found {count:g}.", where)
    return low, high, int(count)


def _require_known(pieces: Pieces, found: Mapping[str, object], where: Location) -> None:
    """Refuse names that nothing carries, before anything is computed."""
    description = pieces.system.description
    states = {one.name for one in description.variables}
    states |= {str(symbol) for one in description.variables for symbol in (*one.configuration, *one.velocities)}
    signals = {load.name for load in description.loads} | {str(symbol) for symbol in description.inputs}
    parameters = {str(symbol) for symbol in description.values}
    known = {"q": states, "v": states, "hold": states, "box": states, "axes": states, "show": states,
             "loads": signals, "inputs": signals, "over": parameters, "parameter": parameters}  # fmt: skip
    for key, names in known.items():
        given_names = found.get(key, ())
        named = [given_names] if isinstance(given_names, str) else given_names
        if key in ("q", "v") and not isinstance(named, dict):
            continue
        for name in named if isinstance(named, (dict, list)) else []:
            if name not in names:
                raise pieces.document.error(
                    f"{name!r} is unknown here; known are: {', '.join(sorted(names)) or 'none'}.", (*where, key)
                )


def _numbers(pieces: Pieces, values: Mapping[str, Written], where: Location) -> dict[str, float]:
    return {name: pieces.number(value, (*where, name)) for name, value in values.items()}


def _values(pieces: Pieces, values: object, where: Location) -> dict[str, float | list[float]] | list[float]:
    """A state by name, or in order."""
    if isinstance(values, dict):
        return {name: _one(pieces, value, (*where, name)) for name, value in values.items()}
    assert isinstance(values, list)
    return [pieces.number(value, (*where, k)) for k, value in enumerate(values)]


def _one(pieces: Pieces, value: object, where: Location) -> float | list[float]:
    if isinstance(value, list):
        return [pieces.number(part, (*where, k)) for k, part in enumerate(value)]
    return pieces.number(value, where)
