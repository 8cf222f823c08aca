"""MJCF compiled by MuJoCo: names, defaults, frames, angles and inertias as numbers."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import InstallationError
from cardan.formats.mjcf_source import Source, compiler_error
from cardan.formats.xml_reader import Element

if TYPE_CHECKING:
    from mujoco import MjModel, MjSpec

INSTALL = "pip install 'cardan[robots]'"


@dataclass(frozen=True)
class Compiled:
    """The numbers of a model (``mujoco.MjModel``), and the line of the file for each body, joint and so on."""

    model: MjModel
    mujoco: ModuleType
    source: Source
    lines: dict[tuple[str, int], int]  # (kind, number): line
    geoms: dict[int, Element]  # by number

    def name(self, kind: str, number: int) -> str:
        """The name that the file gives to a body, joint, ...; empty where it gives none."""
        return str(getattr(self.model, kind)(number).name)

    def line(self, kind: str, number: int) -> int:
        return self.lines.get((kind, number), 1)

    def stand_in(self, geom: int) -> str | None:
        """The name of the mesh that the compiler did not get, where a geom stands for one."""
        element = self.geoms.get(geom)
        if element is None or id(element) not in self.source.shown.weightless:
            return None
        return element.attributes.get("mesh")


def compile_source(source: Source) -> Compiled:
    """The model that the text describes; what MuJoCo refuses raises FileError with file and line."""
    mujoco = _mujoco()
    with _warnings(mujoco, source):
        try:
            spec = mujoco.MjSpec.from_string(source.text, assets=source.meshes)
            model = spec.compile()
        except (ValueError, TypeError, RuntimeError, MemoryError, mujoco.FatalError) as problem:
            raise compiler_error(source, str(problem)) from None
    return Compiled(model, mujoco, source, _lines(spec, source), _geoms(spec, source))


def _mujoco() -> ModuleType:
    try:
        import mujoco
    except ImportError:
        raise InstallationError(
            f"MJCF files are read with the package mujoco, which is not installed. Install it with: {INSTALL}",
            package="mujoco",
            remedy=INSTALL,
        ) from None
    found: ModuleType = mujoco
    return found


@contextmanager
def _warnings(mujoco: ModuleType, source: Source) -> Iterator[None]:
    """What MuJoCo would print, write to a log file or raise as a warning becomes notes."""
    heard: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(heard.append)
    try:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            yield
    finally:
        mujoco.set_mju_user_warning(before)
    heard += [str(one.message) for one in raised]
    source.notes += [f"MuJoCo warns: {' '.join(text.split())[:300]}" for text in dict.fromkeys(heard)]


def _lines(spec: MjSpec, source: Source) -> dict[tuple[str, int], int]:
    found = {}
    for kind, elements in (("body", spec.bodies), ("joint", spec.joints), ("equality", spec.equalities),
                           ("tendon", spec.tendons), ("key", spec.keys)):  # fmt: skip
        for one in elements:
            numbers = re.findall(r"line ([0-9]+)", one.info)
            if numbers:
                found[kind, int(one.id)] = source.line(int(numbers[-1]))
    return found


def _geoms(spec: MjSpec, source: Source) -> dict[int, Element]:
    """The element of each geom."""
    found = {}
    for one in spec.geoms:
        numbers = re.findall(r"line ([0-9]+)", one.info)
        element = source.origin(int(numbers[-1])) if numbers else None
        if element is not None:
            found[int(one.id)] = element
    return found


def rotation(quaternion: ArrayLike) -> NDArray[np.float64]:
    """R of a quaternion (w, x, y, z)."""
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
