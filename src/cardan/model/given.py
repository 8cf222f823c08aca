"""What a user may write where a number, three numbers, an inertia, a direction or a place is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import sympy as sp
    from numpy.typing import NDArray

    from cardan.model.bodies import Body, Particle
    from cardan.model.frames import Frame, Point, Vector

Amount: TypeAlias = "sp.Expr | float"  # a number, or an expression of what the place allows
Components: TypeAlias = "Sequence[Amount] | NDArray[np.float64] | sp.Matrix"  # three of them
Square: TypeAlias = "Sequence[Sequence[Amount]] | NDArray[np.float64] | sp.Matrix"  # three by three
Inertia: TypeAlias = "Amount | Components | Square"  # equal moments, three principal ones, or all
Carrier: TypeAlias = "Frame | Body | Particle"  # what has axes
Spot: TypeAlias = "Point | Frame | Body | Particle"  # a point; of a body its centre of mass, of others their origin
Holder: TypeAlias = "Carrier | str"  # what has axes, or its name
Where: TypeAlias = "Spot | str | Components"  # a point, what has one, its name, or three numbers along the world's axes
Direction: TypeAlias = "Vector | Components"  # three numbers are along the world's axes
Position: TypeAlias = "Components | Vector | Point"
Placement: TypeAlias = "Position | tuple[Position, Square]"  # where, and how turned
