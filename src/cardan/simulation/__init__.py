"""Motion of a compiled model: integrators, events and trajectories, without any computer algebra.

``integrate`` is the one entry. The loops are written in the native language (`cardan.native.language`) and call the
model's kernels by address; what a model must offer is the Protocol `CompiledModel`.
"""

from __future__ import annotations

from cardan.simulation.foreign import PythonModel
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Crossing, Solution, Statistics
from cardan.simulation.solve import METHODS, integrate

__all__ = ["METHODS", "CompiledModel", "Crossing", "PythonModel", "Solution", "Statistics", "Watch", "integrate"]
