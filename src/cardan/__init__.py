"""Analytical dynamics: from a Lagrangian, or bodies and joints, to equations, native code and motion.

    import cardan as cd

The names below load what they need when they are first used, so that importing Cardan stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "System": "cardan.api.system",
    "Event": "cardan.trajectory.events",
    "Run": "cardan.api.run",
    "Fixed": "cardan.model.joints",
    "Revolute": "cardan.model.joints",
    "Prismatic": "cardan.model.joints",
    "Cylindrical": "cardan.model.joints",
    "Screw": "cardan.model.joints",
    "Universal": "cardan.model.joints",
    "Planar": "cardan.model.joints",
    "Ball": "cardan.model.joints",
    "Free": "cardan.model.joints",
    "Euler": "cardan.model.orientations",
    "Quaternion": "cardan.model.orientations",
    "PolarCylindrical": "cardan.model.curvilinear",
    "PolarSpherical": "cardan.model.curvilinear",
    "Curve": "cardan.model.curvilinear",
    "Sphere": "cardan.model.shapes",
    "Disc": "cardan.model.shapes",
    "Ellipsoid": "cardan.model.shapes",
    "Plane": "cardan.model.shapes",
    "Box": "cardan.model.appearances",
    "Cylinder": "cardan.model.appearances",
    "Ring": "cardan.model.appearances",
    "Bar": "cardan.model.appearances",
    "Mesh": "cardan.model.appearances",
    "DOP853": "cardan.simulation.methods.objects",
    "EnergyMomentum": "cardan.simulation.methods.objects",
    "MoreauJean": "cardan.simulation.methods.objects",
    "RATTLE": "cardan.simulation.methods.objects",
    "RK4": "cardan.simulation.methods.objects",
    "Radau": "cardan.simulation.methods.objects",
    "Symplectic": "cardan.simulation.methods.objects",
    "String": "cardan.continua.wave",
    "Rod": "cardan.continua.wave",
    "Shaft": "cardan.continua.wave",
    "GasColumn": "cardan.continua.wave",
    "Beam": "cardan.continua.beam",
    "CardanError": "cardan.errors",
    "critical_value": "cardan.analysis.critical",
    "load": "cardan.api.loading",
}
_ROOMS = ("errors", "geometry", "graph")

__all__ = [
    "DOP853",
    "RATTLE",
    "RK4",
    "Ball",
    "Bar",
    "Beam",
    "Box",
    "CardanError",
    "Curve",
    "Cylinder",
    "Cylindrical",
    "Disc",
    "Ellipsoid",
    "EnergyMomentum",
    "Euler",
    "Event",
    "Fixed",
    "Free",
    "GasColumn",
    "Mesh",
    "MoreauJean",
    "Planar",
    "Plane",
    "PolarCylindrical",
    "PolarSpherical",
    "Prismatic",
    "Quaternion",
    "Radau",
    "Revolute",
    "Ring",
    "Rod",
    "Run",
    "Screw",
    "Shaft",
    "Sphere",
    "String",
    "Symplectic",
    "System",
    "Universal",
    "__version__",
    "critical_value",
    "load",
]

if TYPE_CHECKING:
    from cardan.analysis.critical import critical_value
    from cardan.api.loading import load
    from cardan.api.run import Run
    from cardan.api.system import System
    from cardan.continua.beam import Beam
    from cardan.continua.wave import GasColumn, Rod, Shaft, String
    from cardan.errors import CardanError
    from cardan.model.appearances import Bar, Box, Cylinder, Mesh, Ring
    from cardan.model.curvilinear import Curve, PolarCylindrical, PolarSpherical
    from cardan.model.joints import Ball, Cylindrical, Fixed, Free, Planar, Prismatic, Revolute, Screw, Universal
    from cardan.model.orientations import Euler, Quaternion
    from cardan.model.shapes import Disc, Ellipsoid, Plane, Sphere
    from cardan.simulation.methods.objects import (
        DOP853,
        RATTLE,
        RK4,
        EnergyMomentum,
        MoreauJean,
        Radau,
        Symplectic,
    )
    from cardan.trajectory.events import Event


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name in _ROOMS:
        value = import_module(f"cardan.{name}")
    else:
        raise AttributeError(f"module 'cardan' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS])
