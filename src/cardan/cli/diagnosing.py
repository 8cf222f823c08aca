"""``cardan diagnose``."""

from __future__ import annotations

from dataclasses import dataclass

from cardan.cli.models import assignments, load_model, started
from cardan.cli.reporting import Answer
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.hand.report import HandDiagnosis


@dataclass(frozen=True)
class Asked:
    """What was typed."""

    q: list[str]
    v: list[str]
    values: list[str]
    loads: list[str]
    t: float
    sets: bool
    remedies: bool
    frame: str | None = None


def diagnose_model(answer: Answer, name: str, asked: Asked) -> None:
    """Print the diagnosis at the start; findings count as a problem."""
    system = load_model(name, asked.values)
    loads = assignments(asked.loads, "--load") or None
    found = system.diagnose(**started(system, asked.q, asked.v), t=asked.t, loads=loads, task=asked.frame)
    hand = None if asked.frame is None else found.hand
    if hand is not None:
        answer.tell(hand=hand_facts(hand))
        answer.say(hand)
        answer.say()
    remedies = [[str(one) for one in finding.remedies()] if asked.remedies else [] for finding in found.findings]
    findings = [finding_facts(one) for one in found.findings]
    for facts, texts in zip(findings, remedies, strict=True):
        facts |= {"remedies": texts} if asked.remedies else {}
    answer.tell(
        kinds=found.kinds,
        findings=findings,
        near=[finding_facts(one) for one in found.near],
        notes=[finding_facts(one) for one in found.notes],
        configuration_dof=found.configuration_dof,
        velocity_dof=found.velocity_dof,
        basis_rank=found.basis_rank,
        constraint_rank=found.constraint_rank,
        generic_rank=found.generic_rank,
        redundant={"permanent": found.redundant.permanent, "local": found.redundant.local},
        indicators=found.indicators,
    )
    answer.say(found)
    for one, texts in zip(found.findings, remedies, strict=True):
        for text in texts:
            answer.say(f"remedy for {one.kind}: {text}")
    if asked.sets:
        sets = [
            *system.singular_set(),
            *(one for load in system.model.judged for one in system.singular_set(load.name)),
        ]
        told = list(dict.fromkeys(str(one) for one in sets))
        answer.tell(singular_sets=told, manifold=str(system.manifold()))
        answer.say("\n".join(["singular sets:", *(f"  {text}" for text in told or ["none"])]))
        answer.say(f"configuration manifold: {system.manifold()}")
    if not found.is_regular or (hand is not None and hand.is_singular):
        answer.find()


def hand_facts(hand: HandDiagnosis) -> dict[str, object]:
    """What the doctor says of a hand, for programs."""
    keys = ("headline", "frame", "joints", "rank", "usual_rank", "is_singular", "condition", "manipulability", "length",
            "singular_values", "hand_speeds")  # fmt: skip
    parts = {key: getattr(hand, key) for key in ("cause", "nearest", "escape")}
    return {
        **{key: getattr(hand, key) for key in keys},
        **{key: None if part is None else vars(part) for key, part in parts.items()},
        "lost": [vars(one) for one in hand.lost],
    }


def finding_facts(one: Finding) -> dict[str, object]:
    """A finding for programs."""
    return {key: getattr(one, key) for key in ("kind", "where", "indicator", "tolerance", "what", "why", "t")}
