"""``modelDescription.xml`` of a unit, as FMI 2.0 and 3.0 lay it down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from cardan.codegen.abroad.fmu.unit import Unit

KINDS = {"me": ("ModelExchange",), "cs": ("CoSimulation",), "both": ("ModelExchange", "CoSimulation")}


@dataclass(frozen=True)
class Variable:
    """One variable: its name, its value reference, and its attributes."""

    name: str
    reference: int
    causality: str
    variability: str
    start: float | None = None
    initial: str | None = None
    derivative_of: int | None = None  # value reference of a state


def variables(unit: Unit) -> list[Variable]:
    """All variables in the order of their value references, beginning with time."""
    n = len(unit.states)
    found = [Variable("time", 0, "independent", "continuous")]
    for k, (name, start) in enumerate(zip(unit.states, unit.start, strict=True), start=1):
        found.append(Variable(name, k, "output", "continuous", float(start), "exact"))
    for k, name in enumerate(unit.states, start=1):
        found.append(Variable(f"der({name})", n + k, "local", "continuous", derivative_of=k))
    values = unit.kernel.parameters
    first = len(found)
    for k, name in enumerate(unit.parameters):
        found.append(Variable(name, first + k, "parameter", "tunable", float(values[k]), "exact"))
    first = len(found)
    for k, name in enumerate(unit.inputs):
        found.append(Variable(name, first + k, "input", "continuous", 0.0))
    first = len(found)
    found += [Variable(name, first + k, "output", "continuous") for k, name in enumerate(unit.outputs)]
    return found


def description(unit: Unit, kind: str, version: int, duration: float) -> str:
    """The text of the file."""
    lines = _version_2(unit, kind, duration) if version == 2 else _version_3(unit, kind, duration)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(lines) + "\n"


def _attributes(**given: object) -> str:
    return "".join(f" {key}={quoteattr(_text(value))}" for key, value in given.items() if value is not None)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)


def _head(unit: Unit) -> dict[str, object]:
    import cardan

    return {"modelName": unit.name, "generationTool": f"Cardan {cardan.__version__}"}


def _experiment(duration: float) -> str:
    return f"  <DefaultExperiment{_attributes(startTime=0.0, stopTime=float(duration), tolerance=1e-8)}/>"


# --- version 2 -----------------------------------------------------------------------------------------


def _version_2(unit: Unit, kind: str, duration: float) -> Iterator[str]:
    events = len(unit.stops.stops)
    head = {**_head(unit), "guid": unit.token, "variableNamingConvention": "flat", "numberOfEventIndicators": events}
    yield f"<fmiModelDescription{_attributes(fmiVersion='2.0', **head)}>"
    for interface in KINDS[kind]:
        own = {"canHandleVariableCommunicationStepSize": True} if interface == "CoSimulation" else {}
        shared = {"canGetAndSetFMUstate": True, "canSerializeFMUstate": True}
        yield f"  <{interface}{_attributes(modelIdentifier=unit.identifier, **own, **shared)}>"
        yield f"    <SourceFiles><File name={quoteattr(unit.identifier + '.c')}/></SourceFiles>"
        yield f"  </{interface}>"
    yield _experiment(duration)
    yield "  <ModelVariables>"
    listed = variables(unit)
    for one in listed:
        inner = _attributes(start=one.start, derivative=one.derivative_of and one.derivative_of + 1)
        outer = _attributes(
            name=one.name, valueReference=one.reference, causality=one.causality, variability=one.variability,
            initial=one.initial,
        )  # fmt: skip
        yield f"    <ScalarVariable{outer}><Real{inner}/></ScalarVariable>"
    yield "  </ModelVariables>"
    yield from _structure_2(listed)
    yield "</fmiModelDescription>"


def _structure_2(listed: list[Variable]) -> Iterator[str]:
    """Unknowns by their place in the list, which begins with one."""
    outputs = [k for k, one in enumerate(listed, start=1) if one.causality == "output"]
    rates = [k for k, one in enumerate(listed, start=1) if one.derivative_of is not None]
    first = [k for k in outputs if listed[k - 1].initial is None] + rates
    yield "  <ModelStructure>"
    for name, places in (("Outputs", outputs), ("Derivatives", rates), ("InitialUnknowns", sorted(first))):
        if places:
            listed_places = "".join(f'<Unknown index="{k}"/>' for k in places)
            yield f"    <{name}>{listed_places}</{name}>"
    yield "  </ModelStructure>"


# --- version 3 -----------------------------------------------------------------------------------------


def _version_3(unit: Unit, kind: str, duration: float) -> Iterator[str]:
    head = {**_head(unit), "instantiationToken": unit.token}
    yield f"<fmiModelDescription{_attributes(fmiVersion='3.0', **head)}>"
    for interface in KINDS[kind]:
        own = (
            {"canHandleVariableCommunicationStepSize": True}
            if interface == "CoSimulation"
            else {"needsCompletedIntegratorStep": True}
        )
        shared = {"canGetAndSetFMUState": True, "canSerializeFMUState": True}
        yield f"  <{interface}{_attributes(modelIdentifier=unit.identifier, **own, **shared)}/>"
    yield _experiment(duration)
    yield "  <ModelVariables>"
    listed = variables(unit)
    stops = [one.stop.name for one in unit.stops.stops]
    watched = [Variable(f"indicator({name})", len(listed) + k, "local", "continuous") for k, name in enumerate(stops)]
    for one in (*listed, *watched):
        told = _attributes(
            name=one.name, valueReference=one.reference, causality=one.causality, variability=one.variability,
            initial=one.initial, start=one.start, derivative=one.derivative_of,
        )  # fmt: skip
        yield f"    <Float64{told}/>"
    yield "  </ModelVariables>"
    yield "  <ModelStructure>"
    for one in listed:
        if one.causality == "output":
            yield f'    <Output valueReference="{one.reference}"/>'
    rates = [one for one in listed if one.derivative_of is not None]
    unknown = [one for one in listed if one.causality == "output" and one.initial is None]
    yield from (f'    <ContinuousStateDerivative valueReference="{one.reference}"/>' for one in rates)
    yield from (f'    <InitialUnknown valueReference="{one.reference}"/>' for one in (*unknown, *rates))
    yield from (f'    <EventIndicator valueReference="{one.reference}"/>' for one in watched)
    yield "  </ModelStructure>"
    yield "</fmiModelDescription>"


def build_description(unit: Unit) -> str:
    """``buildDescription.xml`` of version 3: which sources make the library."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<fmiBuildDescription fmiVersion="3.0">\n'
        f"  <BuildConfiguration modelIdentifier={quoteattr(unit.identifier)}>\n"
        f'    <SourceFileSet language="C99"><SourceFile name={quoteattr(unit.identifier + ".c")}/></SourceFileSet>\n'
        "  </BuildConfiguration>\n</fmiBuildDescription>\n"
    )
