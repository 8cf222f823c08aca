"""``cd.solid``: mass, centre of mass and inertia of bodies, from their shapes and densities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardan.errors import ModelError, unknown
from cardan.geometry import inertia as bodies
from cardan.geometry import solids
from cardan.geometry.inertia import MassProperties, check_inertia, check_mass
from cardan.geometry.matrix import IDENTITY, Matrix, MatrixLike, Vector, VectorLike, as_matrix, as_vector, matrix_scale
from cardan.geometry.rigid import Placement
from cardan.geometry.scalar import Scalar, as_number, is_sympy, square, times
from cardan.model.appearances import Box, Cylinder, Mesh
from cardan.model.shapes import Ellipsoid, Sphere

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardan.geometry.weighing import Region

    Array = NDArray[np.float64]
    Density = Callable[[Array, Array, Array], Array | float]

Shape = str | Box | Cylinder | Sphere | Ellipsoid | Mesh


class Principal(NamedTuple):
    """Principal moments in ascending order, and their axes as the columns of a rotation."""

    moments: Vector
    axes: Matrix


@dataclass(frozen=True)
class Solid:
    """Mass, centre of mass and inertia about it; ``s.body(name, **solid, joint=...)`` takes them all."""

    mass: Scalar
    com: Vector
    inertia: Matrix

    def keys(self) -> Iterator[str]:
        """The keywords of ``s.body``."""
        return iter(("mass", "com", "inertia"))

    def __getitem__(self, key: str) -> Scalar | Vector | Matrix:
        return {"mass": self.mass, "com": self.com, "inertia": self.inertia}[key]

    def at(self, position: VectorLike, rotation: MatrixLike = IDENTITY) -> Solid:
        """The same solid with its origin at ``position``, turned by ``rotation`` (a matrix, or of ``cd.rotations``)."""
        X = Placement(as_matrix(rotation, "rotation"), as_vector(position, "position"))
        return Solid(*bodies.placed(self._properties, X))

    def __add__(self, other: Solid) -> Solid:
        """Both, welded together."""
        return _checked(bodies.combine([self._properties, other._properties]), "sum")

    def __sub__(self, hole: Solid) -> Solid:
        """With a hole: mass and inertia that are left must be those of a body."""
        taken = MassProperties(-hole.mass, hole.com, matrix_scale(-1, hole.inertia))
        return _checked(bodies.combine([self._properties, taken]), "solid with its hole")

    def inertia_about(self, point: VectorLike) -> Matrix:
        """Inertia about any point of its frame, by the theorem of parallel axes, Choset (10.46)."""
        return bodies.inertia_about(self._properties, as_vector(point, "point"))

    @property
    def principal(self) -> Principal:
        """Principal moments and axes, of numbers."""
        return Principal(*bodies.principal_axes(self.inertia))

    @property
    def _properties(self) -> MassProperties:
        return MassProperties(self.mass, self.com, self.inertia)


def _checked(found: MassProperties, name: str) -> Solid:
    check_mass(found.mass, name)
    check_inertia(found.inertia, name)
    return Solid(*found)


class Kind(NamedTuple):
    """A kind of solid: its sizes, its extent (volume, area or length) and its properties for a mass."""

    sizes: tuple[str, ...]
    extent: Callable[..., Scalar]
    inertia: Callable[..., Matrix]  # of a mass and the sizes, about the centre of mass
    height: Callable[..., Scalar] = lambda *sizes: 0  # of the centre of mass along z
    region: str = ""  # in ``weighing``, where the density may change


def _pi(*factors: Scalar) -> Scalar:
    """pi times the factors, exact beside SymPy's."""
    total: Scalar = 1
    for one in factors:
        total = times(total, one)
    if is_sympy(total):
        import sympy as sp

        return sp.pi * total
    return 3.141592653589793 * total


def _part(x: Scalar, numerator: int, denominator: int) -> Scalar:
    return x * numerator / denominator


def _cone(mass: Scalar, radius: Scalar, height: Scalar) -> Matrix:
    """3 m (4 r^2 + h^2) / 80 across, 3 m r^2 / 10 along z."""
    across = _part(mass * (4 * square(radius) + square(height)), 3, 80)
    return ((across, 0, 0), (0, across, 0), (0, 0, _part(mass * square(radius), 3, 10)))


def _half_sphere(mass: Scalar, radius: Scalar) -> Matrix:
    """83 m r^2 / 320 across, 2 m r^2 / 5 along z."""
    across = _part(mass * square(radius), 83, 320)
    return ((across, 0, 0), (0, across, 0), (0, 0, _part(mass * square(radius), 2, 5)))


KINDS: dict[str, Kind] = {
    "box": Kind(("x", "y", "z"), lambda x, y, z: x * y * z, solids.box, region="box"),
    "sphere": Kind(("radius",), lambda r: _part(_pi(r * square(r)), 4, 3), solids.sphere, region="ellipsoid"),
    "ellipsoid": Kind(("a", "b", "c"), lambda a, b, c: _part(_pi(a, b, c), 4, 3), solids.ellipsoid, region="ellipsoid"),
    "cylinder": Kind(("radius", "length"), lambda r, h: _pi(square(r), h), solids.cylinder, region="tube"),
    "tube": Kind(
        ("inner", "outer", "length"), lambda a, b, h: _pi(square(b) - square(a), h), solids.tube, region="tube"
    ),
    "cone": Kind(
        ("radius", "height"), lambda r, h: _part(_pi(square(r), h), 1, 3), _cone, lambda r, h: _part(h, 1, 4), "cone"
    ),
    "half-sphere": Kind(
        ("radius",), lambda r: _part(_pi(r * square(r)), 2, 3), _half_sphere, lambda r: _part(r, 3, 8), "ellipsoid"
    ),
    "plate": Kind(("x", "y"), lambda x, y: x * y, lambda m, x, y: solids.box(m, x, y, 0)),
    "disc": Kind(("radius",), lambda r: _pi(square(r)), solids.disc),
    "shell": Kind(("radius",), lambda r: 4 * _pi(square(r)), solids.spherical_shell),
    "hoop": Kind(("radius",), lambda r: 2 * _pi(r), solids.hoop),
    "rod": Kind(("length",), lambda length: length, solids.rod),
}
COMPOSED = ("capsule",)


def solid(
    shape: Shape, *, density: Scalar | Density | None = None, mass: Scalar | None = None, **sizes: Scalar
) -> Solid:
    """Mass properties of a shape of the given ``density``, or of the given ``mass`` spread evenly.

    Shapes are "box" (x, y, z), "sphere", "half-sphere", "shell", "disc", "hoop" (radius), "ellipsoid" (a, b, c),
    "cylinder" and "capsule" (radius, length), "tube" (inner, outer, length), "cone" (radius, height), "plate" (x, y)
    and "rod" (length), about z, with their middle at the origin; flat faces of cones and half-spheres are at z = 0.
    Boxes, cylinders, spheres, ellipsoids and closed meshes that bodies look like are taken, too. Density is per volume;
    of plates, discs and shells per area, of hoops and rods per length. It may be a function of (x, y, z) that takes
    arrays, which is integrated: Choset (10.35), (10.42).
    """
    if isinstance(shape, Mesh):
        return _of_mesh(shape, density, mass)
    if not isinstance(shape, str):
        return _of_appearance(shape, density, mass)
    if shape == "capsule":
        return _capsule(density, mass, **_sizes(shape, ("radius", "length"), sizes))
    if shape not in KINDS:
        raise unknown(shape, [*KINDS, *COMPOSED], "shape of cd.solid")
    kind = KINDS[shape]
    values = tuple(_sizes(shape, kind.sizes, sizes).values())
    if callable(density) and not is_sympy(density):
        return _integrated(shape, kind, values, density, mass)
    m = _mass(shape, kind.extent(*values), density, mass)
    return _checked(MassProperties(m, (0, 0, kind.height(*values)), kind.inertia(m, *values)), shape)


def _sizes(shape: str, names: tuple[str, ...], given: dict[str, Scalar]) -> dict[str, Scalar]:
    for name in given:
        if name not in names:
            raise unknown(name, names, f"size of a {shape}")
    for name in names:
        value = as_number(given[name]) if name in given else None
        if name not in given or (value is not None and not (value > 0 or (value == 0 and name == "inner"))):
            found = f"found {value:g}" if value is not None else "it is missing"
            raise ModelError(f"A {shape} needs {', '.join(names)}, all positive; {name}: {found}.", name=name)
    return {name: given[name] for name in names}


def _mass(shape: str, extent: Scalar, density: Scalar | None, mass: Scalar | None) -> Scalar:
    if (density is None) == (mass is None):
        raise ModelError(f"A {shape} needs density= or mass=, one of them.")
    return mass if density is None else times(density, extent)


def _capsule(density: Scalar | Density | None, mass: Scalar | None, radius: Scalar, length: Scalar) -> Solid:
    """A cylinder of this length with a half-sphere on each end."""
    volume = KINDS["cylinder"].extent(radius, length) + KINDS["sphere"].extent(radius)
    if callable(density) and not is_sympy(density):
        raise ModelError("A capsule of changing density: add a cylinder and two half-spheres with .at(...).")
    rho = density if mass is None else mass / volume
    _mass("capsule", volume, density, mass)
    end = solid("half-sphere", density=rho, radius=radius)
    over = ((1, 0, 0), (0, -1, 0), (0, 0, -1))
    h = _part(length, 1, 2)
    return solid("cylinder", density=rho, radius=radius, length=length) + end.at((0, 0, h)) + end.at((0, 0, -h), over)


def _integrated(shape: str, kind: Kind, sizes: tuple[Scalar, ...], density: Density, mass: Scalar | None) -> Solid:
    from cardan.geometry import weighing

    if mass is not None or not kind.region:
        raise ModelError(f"A {shape} takes no changing density together with a mass, and none if it is thin.")
    numbers = [as_number(one) for one in sizes]
    if None in numbers:
        raise ModelError(f"The sizes of a {shape} of changing density must be numbers; found {sizes}.")
    values = [float(x) for x in numbers if x is not None]
    values = {"sphere": values * 3, "cylinder": [0.0, *values], "half-sphere": [*values * 3, 0.0]}.get(shape, values)
    region: Region = getattr(weighing, kind.region)(*values)
    return _checked(weighing.weigh(region, density, shape), shape)


def _of_appearance(
    shape: Box | Cylinder | Sphere | Ellipsoid, density: Scalar | Density | None, mass: Scalar | None
) -> Solid:
    if isinstance(shape, Box):
        found = solid("box", density=density, mass=mass, x=shape.x, y=shape.y, z=shape.z)
    elif isinstance(shape, Cylinder) and shape.axis == "z":
        found = solid("cylinder", density=density, mass=mass, radius=shape.radius, length=shape.length)
    elif isinstance(shape, Sphere):
        found = solid("sphere", density=density, mass=mass, radius=shape.radius)
    elif isinstance(shape, Ellipsoid):
        found = solid("ellipsoid", density=density, mass=mass, a=shape.a, b=shape.b, c=shape.c)
    else:
        raise ModelError(f"{shape!r} is no solid whose mass is known; name a shape, as in cd.solid('box', ...).")
    place = getattr(shape, "at", None)
    return found if place is None else found.at(place)


def _of_mesh(shape: Mesh, density: Scalar | Density | None, mass: Scalar | None) -> Solid:
    import numpy as np

    from cardan.formats.meshes import read_mesh
    from cardan.geometry.weighing import mesh

    read = read_mesh(shape.file)
    scale = as_number(shape.scale)
    rho = as_number(1.0 if density is None else density)
    if scale is None or rho is None:
        raise ModelError("The scale and density of a mesh must be numbers.")
    found = mesh(scale * np.asarray(read.vertices, dtype=float), np.asarray(read.faces), rho, str(shape))
    total = _mass("mesh", found.mass / rho, density, mass)
    factor = total / found.mass
    made = _checked(MassProperties(total, found.com, matrix_scale(factor, found.inertia)), "mesh")
    return made if shape.at is None else made.at(shape.at)
