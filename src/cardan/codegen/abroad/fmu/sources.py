"""The C sources of a unit: sizes and tables of the model, its kernels, and what moves them, in one file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from cardan.codegen.abroad.fmu.unit import Unit

HEAD = """/* {name}, written by Cardan {version}: one file, C99, no other sources. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif
"""


def source_of(unit: Unit, version: int) -> str:
    """The text of the one C file, for a version of the standard."""
    import cardan

    own = files("cardan.codegen.abroad.fmu")
    parts = [own.joinpath(name).read_text(encoding="utf-8") for name in ("core.c", "shared.c", f"fmi{version}.c")]
    head = HEAD.format(name=unit.name.replace("*/", "* /"), version=cardan.__version__)
    return "\n".join([head, _sizes(unit), _tables(unit), unit.kernels(), *parts])


def _sizes(unit: Unit) -> str:
    kernel, stops = unit.kernel, len(unit.stops.stops)
    sizes = {
        "NQ": kernel.nq,
        "NV": kernel.nv,
        "NX": kernel.nq + kernel.nv,
        "NP": len(kernel.parameters),
        "TIED": kernel.m,
        "STOPS": stops,
        "ROWS": kernel.m + stops,
        "OUTPUTS": len(unit.outputs),
        "QUATERNIONS": len(kernel.quaternions),
    }
    return "\n".join(f"#define {name} {size}" for name, size in sizes.items()) + "\n"


def _tables(unit: Unit) -> str:
    starts = ", ".join(str(one) for one in unit.kernel.quaternions) or "0"
    return "\n".join(
        [
            f'#define TOKEN "{unit.token}"',
            _array("START", unit.start),
            _array("PARAMETERS", unit.kernel.parameters),
            _array("RESTITUTION", unit.restitution),
            _array("DRIFT", _drift(unit)),
            f"static const int QUATERNION_STARTS[] = {{{starts}}};",
            "",
        ]
    )


def _array(name: str, values: Sequence[float] | np.ndarray) -> str:
    inside = ", ".join(repr(float(value)) for value in values) or "0"
    return f"static const double {name}[] = {{{inside}}};"


def _drift(unit: Unit) -> list[float]:
    """How far off each constraint may be before an importer is asked to let the state be put back.

    A billionth of what the row changes by when all velocities are one for a unit of time.
    """
    kernel = unit.kernel
    if not kernel.m:
        return []
    y = unit.start
    terms = kernel.numbers(kernel.p()).terms(0.0, y)
    return [1e-9 * float(np.sum(np.abs(row))) + 1e-300 for row in terms.A]
