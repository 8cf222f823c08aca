"""``cardan diagnose``."""

from __future__ import annotations

from dataclasses import dataclass

from cardan.cli.models import assignments, load_model, started
from cardan.cli.reporting import Answer
from cardan.diagnosis.findings import Finding


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


def diagnose_model(answer: Answer, name: str, asked: Asked) -> None:
    """Print the diagnosis at the start; findings count as a problem."""
    system = load_model(name, asked.values)
    loads = assignments(asked.loads, "--load") or None
    found = system.diagnose(**started(system, asked.q, asked.v), t=asked.t, loads=loads)
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
        sets = [*system.singular_set(), *(one for load in system.model.loads for one in system.singular_set(load.name))]
        told = list(dict.fromkeys(str(one) for one in sets))
        answer.tell(singular_sets=told, manifold=str(system.manifold()))
        answer.say("\n".join(["singular sets:", *(f"  {text}" for text in told or ["none"])]))
        answer.say(f"configuration manifold: {system.manifold()}")
    if not found.is_regular:
        answer.find()


def finding_facts(one: Finding) -> dict[str, object]:
    """A finding for programs."""
    return {key: getattr(one, key) for key in ("kind", "where", "indicator", "tolerance", "what", "why", "t")}
