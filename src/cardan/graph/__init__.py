"""Expressions for machines: a graph of shared nodes with derivatives, evaluation and import from SymPy."""

from __future__ import annotations

from cardan.graph.collector import collection_paused
from cardan.graph.derivative import gradient, hessian, jacobian, jvp
from cardan.graph.evaluate import evaluate
from cardan.graph.node import Graph, Node
from cardan.graph.printing import operation_count, to_dot
from cardan.graph.sympy_import import from_sympy
from cardan.graph.traversal import dot, is_zero, live, substitute, sum_of, with_one_constant

__all__ = [
    "Graph",
    "Node",
    "collection_paused",
    "dot",
    "evaluate",
    "from_sympy",
    "gradient",
    "hessian",
    "is_zero",
    "jacobian",
    "jvp",
    "live",
    "operation_count",
    "substitute",
    "sum_of",
    "to_dot",
    "with_one_constant",
]
