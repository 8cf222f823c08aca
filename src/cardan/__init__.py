"""Analytical dynamics: from a Lagrangian, or bodies and joints, to equations, native code and motion.

    import cardan as cd

The names below load what they need when they are first used, so that importing Cardan stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

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
    "CylinderSurface": "cardan.model.surfaces",
    "ConeSurface": "cardan.model.surfaces",
    "SphereSurface": "cardan.model.surfaces",
    "Box": "cardan.model.appearances",
    "Cylinder": "cardan.model.appearances",
    "Ring": "cardan.model.appearances",
    "Bar": "cardan.model.appearances",
    "Mesh": "cardan.model.appearances",
    "Look": "cardan.model.looks",
    "Piece": "cardan.model.looks",
    "DOP853": "cardan.simulation.methods.objects",
    "EnergyMomentum": "cardan.simulation.methods.objects",
    "MoreauJean": "cardan.simulation.methods.objects",
    "RATTLE": "cardan.simulation.methods.objects",
    "RK4": "cardan.simulation.methods.objects",
    "Radau": "cardan.simulation.methods.objects",
    "Symplectic": "cardan.simulation.methods.objects",
    "solid": "cardan.api.massing",
    "String": "cardan.continua.wave",
    "Rod": "cardan.continua.wave",
    "Shaft": "cardan.continua.wave",
    "GasColumn": "cardan.continua.wave",
    "Beam": "cardan.continua.beam",
    "CardanError": "cardan.errors",
    "critical_value": "cardan.analysis.critical",
    "deg": "cardan.model.degrees",
    "from_sympy": "cardan.api.exchanging",
    "Jump": "cardan.analysis.closing",
    "load": "cardan.gallery.opening",
    "load_run": "cardan.api.loading",
    "Grid": "cardan.studies.sampling",
    "Halton": "cardan.studies.sampling",
    "LatinHypercube": "cardan.studies.sampling",
    "MonteCarlo": "cardan.studies.sampling",
    "Output": "cardan.studies.outputs",
    "Rows": "cardan.studies.sampling",
    "Sobol": "cardan.studies.sampling",
    "Study": "cardan.api.sweeping",
    "complaints": "cardan.studies.outputs",
    "count": "cardan.studies.outputs",
    "final": "cardan.studies.outputs",
    "largest": "cardan.studies.outputs",
    "last": "cardan.studies.outputs",
    "least": "cardan.studies.outputs",
    "load_study": "cardan.api.sweeping",
    "mean": "cardan.studies.outputs",
    "states": "cardan.studies.outputs",
    "when": "cardan.studies.outputs",
}
_ROOMS = ("errors", "gallery", "geometry", "graph")
_MODULES = {"rotations": "cardan.geometry.rotations"}  # public modules, and where they live

__all__ = [
    "DOP853",
    "RATTLE",
    "RK4",
    "Ball",
    "Bar",
    "Beam",
    "Box",
    "CardanError",
    "ConeSurface",
    "Curve",
    "Cylinder",
    "CylinderSurface",
    "Cylindrical",
    "Disc",
    "Ellipsoid",
    "EnergyMomentum",
    "Euler",
    "Event",
    "Fixed",
    "Free",
    "GasColumn",
    "Grid",
    "Halton",
    "Jump",
    "LatinHypercube",
    "Look",
    "Mesh",
    "MonteCarlo",
    "MoreauJean",
    "Output",
    "Piece",
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
    "Rows",
    "Run",
    "Screw",
    "Shaft",
    "Sobol",
    "Sphere",
    "SphereSurface",
    "String",
    "Study",
    "Symplectic",
    "System",
    "Universal",
    "__version__",
    "complaints",
    "count",
    "critical_value",
    "deg",
    "final",
    "from_sympy",
    "largest",
    "last",
    "least",
    "load",
    "load_run",
    "load_study",
    "mean",
    "solid",
    "states",
    "when",
]

if TYPE_CHECKING:
    from cardan.analysis.closing import Jump
    from cardan.analysis.critical import critical_value
    from cardan.api.exchanging import from_sympy
    from cardan.api.loading import load_run
    from cardan.api.massing import solid
    from cardan.api.run import Run
    from cardan.api.sweeping import Study, load_study
    from cardan.api.system import System
    from cardan.continua.beam import Beam
    from cardan.continua.wave import GasColumn, Rod, Shaft, String
    from cardan.errors import CardanError
    from cardan.gallery.opening import load
    from cardan.geometry import rotations as rotations
    from cardan.model.appearances import Bar, Box, Cylinder, Mesh, Ring
    from cardan.model.curvilinear import Curve, PolarCylindrical, PolarSpherical
    from cardan.model.degrees import deg
    from cardan.model.joints import Ball, Cylindrical, Fixed, Free, Planar, Prismatic, Revolute, Screw, Universal
    from cardan.model.looks import Look, Piece
    from cardan.model.orientations import Euler, Quaternion
    from cardan.model.shapes import Disc, Ellipsoid, Plane, Sphere
    from cardan.model.surfaces import ConeSurface, CylinderSurface, SphereSurface
    from cardan.simulation.methods.objects import (
        DOP853,
        RATTLE,
        RK4,
        EnergyMomentum,
        MoreauJean,
        Radau,
        Symplectic,
    )
    from cardan.studies.outputs import Output, complaints, count, final, largest, last, least, mean, states, when
    from cardan.studies.sampling import Grid, Halton, LatinHypercube, MonteCarlo, Rows, Sobol
    from cardan.trajectory.events import Event


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name in _ROOMS:
        value = import_module(f"cardan.{name}")
    elif name in _MODULES:
        value = import_module(_MODULES[name])
    else:
        from cardan.errors import no_attribute

        raise no_attribute("module 'cardan'", name, __dir__())
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, *_MODULES])
