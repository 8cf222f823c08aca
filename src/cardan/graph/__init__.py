"""Expressions for machines: a graph of shared nodes with derivatives, evaluation and import from SymPy."""

from __future__ import annotations

from cardan.graph.node import Graph, Node

__all__ = ["Graph", "Node"]
