"""What a page is made of that computes: the records of ``report/live``, in the form of JSON."""

from __future__ import annotations

from typing import TypedDict


class Code(TypedDict):
    """A module, and what it is called with."""

    wasm: str  # base64
    imports: list[str]
    data_end: int
    table_size: int
    run: str
    states_at: str
    arguments: list[str]  # of run, by their dotted names
    arguments_at: list[str]  # of states_at


class WatchEntry(TypedDict):
    """What ends a motion in the page, and how many numbers tell of it."""

    kind: str  # "coordinates", "rank" or "stop"
    count: int


class ActorEntry(TypedDict):
    """Where the numbers of one thing that moves begin among the outputs, and what they are."""

    kind: str  # "frame", "rod", "bead", "gimbal" or "disc"
    at: int
    share: float
    length: float | None  # of a rod that is drawn stretched from it


class LoadEntry(TypedDict):
    """Where the place and the vector of a load are among the outputs; ``opposite`` where it pushes against a body."""

    name: str
    unit: str
    at: int
    opposite: int | None


class LiveEntry(TypedDict):
    """Everything for one model."""

    code: Code
    layout: dict[str, int]
    n: int
    nq: int
    size: list[int]
    watched: list[WatchEntry]
    constrained: bool
    too_near: float  # a state between steps, where constraints are nearer to a loss of rank, is left as it is
    flags: list[int]
    signs: int
    work: int
    width: int
    rows_p: int
    p: list[float]
    y: list[float]
    places: dict[str, dict[str, int]]  # of names: parameters and signals in p, coordinates and speeds in y
    t0: float
    duration: float
    rtol: float
    atol: list[float] | None
    usual_atol: dict[str, float]
    kinds: list[list[list[int]]]
    step: float
    looks: float | None  # steps are at most this share of the run
    max_step: float | None
    outputs: int
    actors: list[ActorEntry]
    loads: list[LoadEntry]
    energies: int
    series: list[list[str]]  # group, name, latex, unit of each number of the state
    frames: int
