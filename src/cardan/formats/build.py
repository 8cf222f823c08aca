"""From a checked model file to a system: each entry becomes the call that a user would have written.

The system is whatever answers to those calls (``coordinates``, ``body``, ``constrain``, ...), so that a file is checked
by the same code as a program. Whatever is refused comes back as FileError with file, line and field.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardan.errors import FileError
from cardan.formats import schema
from cardan.formats.pieces import Pieces, given
from cardan.formats.plan import Plan, Watched
from cardan.formats.schema import ModelFile
from cardan.formats.yaml_reader import Document, Location


def build(model: ModelFile, document: Document, system: Any) -> Plan:
    """Say to ``system`` what the file says; returns what it says about a run."""
    builder = _Builder(document, system)
    builder.variables(model)
    builder.things(model)
    builder.loads(model)
    builder.energies(model)
    builder.charts(model)
    builder.connections(model)
    builder.constraints(model)
    builder.friction(model)
    builder.stops(model)
    return builder.plan(model)


class _Builder(Pieces):
    """The order in which things are said: names first, then what carries them, then what acts on them."""

    def variables(self, model: ModelFile) -> None:
        for name, one in model.coordinates.items():
            with self.at("coordinates", name):
                on = one.on if isinstance(one.on, str) else tuple(self.number(end) for end in one.on)
                symbol = self.system.coordinates(name, on=on, scale=one.scale)
                self.names |= {name: symbol, f"{name}.dot": symbol.dot, symbol.dot.name: symbol.dot}
        for name, value in model.parameters.items():
            with self.at("parameters", name):
                self.names[name] = self.system.parameters(**{name: self.number(value)})
        for k, name in enumerate(model.inputs):
            with self.at("inputs", k):
                self.names[name] = self.system.input(name)

    # --- frames, bodies, particles -----------------------------------------------------------------

    def things(self, model: ModelFile) -> None:
        waiting: dict[str, tuple[Location, Any]] = {}
        for room, entries in (("frames", model.frames), ("bodies", model.bodies), ("particles", model.particles)):
            for name, one in entries.items():
                if name in waiting:
                    raise self.document.error(
                        f"the name {name!r} is already used in {waiting[name][0][0]}.", (room, name)
                    )
                waiting[name] = (room, name), one
        for name in list(waiting):
            self._place(name, waiting)

    def _place(self, name: str, waiting: dict[str, tuple[Location, Any]]) -> None:
        """Make one thing, after those that carry it."""
        chain: list[str] = []
        while name in waiting:
            if name in chain:
                where = waiting[name][0]
                raise self.document.error(f"{name!r} is carried by itself: {' <- '.join([*chain, name])}.", where)
            chain.append(name)
            one = waiting[name][1]
            name = one.frame or "world" if isinstance(one, schema.Particle) else one.parent
        for ready in reversed(chain):
            where, one = waiting.pop(ready)
            self._make(ready, one, where)

    def _make(self, name: str, one: Any, where: Location) -> None:
        with self.at(*where):
            if isinstance(one, schema.Particle):
                self.add(name, self._particle(name, one, where))
                return
            common = {
                "parent": self.thing(one.parent, (*where, "parent")),
                "joint": None if one.joint is None else self.joint(one.joint, (*where, "joint")),
                "at": None if one.at is None else self.placement(one.at, (*where, "at")),
            }
            if not isinstance(one, schema.Body):
                self.add(name, self.system.frame(name, **common))
                return
            made = self.system.body(
                name,
                mass=self.scalar(one.mass, (*where, "mass")),
                inertia=self.nested(one.inertia, (*where, "inertia")),
                com=self.nested(one.com, (*where, "com")),
                shape=None if one.shape is None else self.shape(one.shape, (*where, "shape")),
                **common,
            )
            self.add(name, made)

    def _particle(self, name: str, one: schema.Particle, where: Location) -> Any:
        position = one.position
        if isinstance(position, str):
            position = self.vector(position, (*where, "position"))
            self.require_near([*position.terms, *([self.frame_of(one.frame, where)] if one.frame else [])], where)
        elif position is not None:
            position = self.nested(position, (*where, "position"))
        return self.system.particle(
            name,
            mass=self.scalar(one.mass, (*where, "mass")),
            position=position,
            frame=None if one.frame is None else self.thing(one.frame, (*where, "frame")),
            coordinates=None if one.coordinates is None else self.curvilinear(one.coordinates, (*where, "coordinates")),
        )

    # --- loads and energies ------------------------------------------------------------------------

    def loads(self, model: ModelFile) -> None:
        if model.gravity is not None:
            with self.at("gravity"):
                acceleration = self.vector(model.gravity, ("gravity",))
                if any(frame is not self.system.world for frame in acceleration.terms):
                    raise FileError("gravity is given along the axes of the world.")
                self.system.gravity(acceleration)
        for name, one in model.loads.items():
            where: Location = ("loads", name)
            with self.at(*where):
                along = None if one.along is None else self.vector(one.along, (*where, "along"))
                if isinstance(one, schema.Force):
                    made = self.system.force(name, on=self.target(one.on, (*where, "on")), along=along)
                else:
                    against = None if one.against is None else self.thing(one.against, (*where, "against"))
                    on = self.thing(one.on, (*where, "on"))
                    made = self.system.moment(name, on=on, along=along, against=against)
                self.names |= {str(symbol): symbol for symbol in (made if isinstance(made, tuple) else (made,))}

    def energies(self, model: ModelFile) -> None:
        calls = {
            "kinetic": self.system.kinetic_energy,
            "potential": self.system.potential,
            "lagrangian": self.system.lagrangian,
        }
        for kind, call in calls.items():
            for k, text in enumerate(getattr(model.energies, kind)):
                with self.at("energies", kind, k):
                    call(self.scalar(text))
        for name, texts in model.generalized_forces.items():
            for k, text in enumerate(texts):
                with self.at("generalized_forces", name, k):
                    self.system.generalized_force(self.names.get(name, name), self.scalar(text))

    def connections(self, model: ModelFile) -> None:
        for k, spring in enumerate(model.springs):
            where: Location = ("springs", k)
            with self.at(*where):
                numbers = self.scalars(spring, where, "stiffness", "length")
                self.system.spring(*self._ends(spring, where), **numbers, **given(spring, "name"))
        for k, damper in enumerate(model.dampers):
            where = ("dampers", k)
            with self.at(*where):
                numbers = self.scalars(damper, where, "coefficient")
                self.system.damper(*self._ends(damper, where), **numbers, **given(damper, "name"))

    def _ends(self, one: schema.Spring | schema.Damper, where: Location) -> list[Any]:
        if (one.between is None) == (one.on is None):
            raise FileError("give either `between`, two points, or `on`, a coordinate or expression.")
        if one.between is None:
            return [self.scalar(one.on, (*where, "on"))]
        return [self.target(end, (*where, "between", k)) for k, end in enumerate(one.between)]

    # --- charts ------------------------------------------------------------------------------------

    def charts(self, model: ModelFile) -> None:
        for name, one in model.charts.items():
            where: Location = ("charts", name)
            with self.at(*where):
                self._chart(name, one, where)

    def _chart(self, name: str, one: schema.Chart, where: Location) -> None:
        """A chart; its new coordinates are known inside its own expressions only."""
        outside = dict(self.names)
        new = {x: self.system.chart_coordinates(x) for x in one.coordinates}
        self.names |= {key: symbol for x in new for key, symbol in ((x, new[x]), (f"{x}.dot", new[x].dot))}
        try:
            maps = {self._old(q, outside, where): self.scalar(F, (*where, "maps", q)) for q, F in one.maps.items()}
            inverse = None
            if one.inverse is not None:
                inverse = {
                    self._old(x, new, where): self.scalar(F, (*where, "inverse", x)) for x, F in one.inverse.items()
                }
            energy = self.scalars(one, where, "kinetic_energy")
        finally:
            self.names = outside
        self.system.chart(name, list(new), maps, inverse=inverse, **energy)

    def _old(self, name: str, known: dict[str, Any], where: Location) -> Any:
        if name not in known:
            raise self.document.error(f"there is no coordinate {name!r} here.", where)
        return known[name]

    # --- constraints, friction, stops --------------------------------------------------------------

    def constraints(self, model: ModelFile) -> None:
        for name, motion in model.prescribe.items():
            with self.at("prescribe", name):
                self.system.prescribe(name, self.scalar(motion))
        for k, one in enumerate(model.constraints):
            where: Location = ("constraints", k)
            with self.at(*where):
                self._constraint(one, where)

    def _constraint(self, one: Any, where: Location) -> None:
        label = given(one, "name")
        if isinstance(one, (schema.Holonomic, schema.Velocity)):
            call = self.system.constrain if isinstance(one, schema.Holonomic) else self.system.constrain_velocity
            call(self.scalar(one.expression, (*where, "expression")), **label)
        elif isinstance(one, schema.Connect):
            ends = [self.target(getattr(one, end), (*where, end)) for end in ("first", "second")]
            axis = None if one.second_axis is None else self.axis(one.second_axis, (*where, "second_axis"))
            self.system.connect(*ends, self.joint(one.joint, (*where, "joint")), second_axis=axis, **label)
        elif isinstance(one, schema.Distance):
            ends = [self.target(getattr(one, end), (*where, end)) for end in ("first", "second")]
            self.system.distance(*ends, self.scalar(one.length, (*where, "length")), **label)
        elif isinstance(one, schema.NoSlip):
            self.system.no_slip(
                on=self.thing(one.on, (*where, "on")),
                along=self.vector(one.along, (*where, "along")),
                point=None if one.point is None else self.target(one.point, (*where, "point")),
                relative_to=None if one.relative_to is None else self.thing(one.relative_to, (*where, "relative_to")),
                **label,
            )
        elif isinstance(one, schema.NoSpin):
            self.system.no_spin(
                on=self.thing(one.on, (*where, "on")),
                about=self.vector(one.about, (*where, "about")),
                relative_to=None if one.relative_to is None else self.thing(one.relative_to, (*where, "relative_to")),
                **label,
            )
        else:
            self.system.roll(
                self.thing(one.body, (*where, "body")),
                on=self.plane(one.on, (*where, "on")),
                shape=self.shape(one.shape, (*where, "shape")),
                spins=one.spins,
                **label,
            )

    def friction(self, model: ModelFile) -> None:
        for k, one in enumerate(model.friction):
            where: Location = ("friction", k)
            with self.at(*where):
                self.system.friction(
                    self.scalar(one.on, (*where, "on")),
                    normal=self._pressing(one.normal, (*where, "normal")),
                    law=one.law,
                    **self.scalars(one, where, "coefficient", "radius", "static", "stribeck", "viscous", "width"),
                    **given(one, "name"),
                )

    def _pressing(self, normal: Any, where: Location) -> Any:
        if not isinstance(normal, schema.PressedBy):
            return self.scalar(normal, where)
        if (normal.body is None) == (normal.constraints is None):
            raise self.document.error("give either `body` or `constraints`.", where)
        return self.thing(normal.body, where) if normal.body else tuple(normal.constraints or ())

    def stops(self, model: ModelFile) -> None:
        for k, one in enumerate(model.stops):
            where: Location = ("stops", k)
            with self.at(*where):
                numbers = self.scalars(one, where, "restitution", "friction")
                if isinstance(one, schema.Gap):
                    slip = tuple(self.scalar(text, (*where, "slip", j)) for j, text in enumerate(one.slip))
                    self.system.stop(self.scalar(one.gap, (*where, "gap")), slip=slip, **numbers, **given(one, "name"))
                else:
                    shape = None if one.shape is None else self.shape(one.shape, (*where, "shape"))
                    on = self.plane(one.on, (*where, "on"))
                    of = self.target(one.of, (*where, "of"))
                    self.system.contact(of, on=on, shape=shape, **numbers, **given(one, "name"))

    # --- the run -----------------------------------------------------------------------------------

    def plan(self, model: ModelFile) -> Plan:
        variables = self.system.description.variables
        coordinates = {one.name for one in variables}
        rates = coordinates | {str(symbol) for one in variables for symbol in one.velocities}
        q = self._start(model.start.q, ("start", "q"), coordinates)
        v = self._start(model.start.v, ("start", "v"), rates)
        one = model.simulate
        if one is None:
            return Plan(q, v)
        room: Location = ("simulate",)
        return Plan(
            q,
            v,
            duration=self.number(one.duration, (*room, "duration")),
            points=one.points,
            options=self._options(one, room),
            loads=self._signals(one.loads, (*room, "loads")),
            inputs=self._signals(one.inputs, (*room, "inputs")),
            events=tuple(self._event(event, (*room, "events", k)) for k, event in enumerate(one.events)),
        )

    def _start(self, values: Any, where: Location, known: set[str]) -> Any:
        if isinstance(values, dict):
            self._require_known(values, where, known)
        return self._numbers(values, where)

    def _numbers(self, values: Any, where: Location) -> Any:
        if isinstance(values, dict):
            return {name: self._numbers(value, (*where, name)) for name, value in values.items()}
        if isinstance(values, list):
            return [self.number(value, (*where, k)) for k, value in enumerate(values)]
        return None if values is None else self.number(values, where)

    def _options(self, one: schema.Simulate, room: Location) -> dict[str, Any]:
        numeric = ("rtol", "atol", "step", "t0", "start_tol", "geometry_tol")
        options = given(one, "method", "max_steps", "project", "chart", "impact_law")
        options |= {key: self.number(value, (*room, key)) for key, value in given(one, *numeric).items()}
        if one.branch is not None:
            is_index = isinstance(one.branch, int)
            options["branch"] = one.branch if is_index else self._numbers(one.branch, (*room, "branch"))
        return options

    def _signals(self, given_values: dict[str, Any], where: Location) -> dict[str, Any]:
        description = self.system.description
        known = {load.name for load in description.loads} | {str(symbol) for symbol in description.inputs}
        known |= {str(symbol) for load in description.loads for symbol in load.symbols}
        self._require_known(given_values, where, known)
        return {name: self.nested(value, (*where, name)) for name, value in given_values.items()}

    def _require_known(self, names: Iterable[str], where: Location, known: set[str]) -> None:
        for name in names:
            if name not in known:
                raise self.document.error(
                    f"{name!r} is unknown here; known are: {', '.join(sorted(known)) or 'none'}.", (*where, name)
                )

    def _event(self, one: schema.Event, where: Location) -> Watched:
        return Watched(self.scalar(one.when, (*where, "when")), one.direction, one.terminal, one.name or str(one.when))
