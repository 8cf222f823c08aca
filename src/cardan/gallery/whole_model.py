"""The program text of a model: the function that builds it, and everything of the gallery that this function uses."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from types import ModuleType
from typing import TypeAlias

ROOM = "cardan.gallery."
Named: TypeAlias = ast.Assign | ast.AnnAssign | ast.FunctionDef | ast.ClassDef


@dataclass
class Needed:
    """What a text needs: import lines, statements by module and line, and which module takes from which."""

    imports: dict[str, ast.Import | ast.ImportFrom] = field(default_factory=dict)
    statements: dict[str, dict[int, Named]] = field(default_factory=dict)
    sources: dict[str, set[str]] = field(default_factory=dict)


def whole_source(builder: Callable[..., object]) -> str:
    """A program that runs alone: imports, constants and helpers, then the function itself."""
    module = inspect.getmodule(builder)
    if module is None:
        return inspect.getsource(builder)
    needed = Needed(sources={module.__name__: set()})
    gather(module, builder.__name__, needed)
    lines = sorted(map(ast.unparse, needed.imports.values()), key=import_order)
    parts = ["\n".join(["from __future__ import annotations", "", *lines])]
    for name in TopologicalSorter(needed.sources).static_order():
        statements = needed.statements.get(name, {})
        text = inspect.getsource(importlib.import_module(name))
        parts += blocks(text, [statements[line] for line in sorted(statements)])
    return "\n\n\n".join(parts) + "\n"


def gather(module: ModuleType, name: str, needed: Needed) -> None:
    """Add the statement that defines ``name`` in the module, and all that it reads in turn."""
    tree = ast.parse(inspect.getsource(module))
    found = {key: statement for statement in tree.body for key in names_defined(statement)}
    statement = found.get(name)
    if isinstance(statement, ast.Import | ast.ImportFrom):
        gather_import(module, statement, name, needed)
        return
    own = needed.statements.get(module.__name__, {})
    if not isinstance(statement, Named) or statement.lineno in own:
        return
    needed.statements.setdefault(module.__name__, {})[statement.lineno] = statement
    for other in names_used(statement):
        gather(module, other, needed)


def gather_import(module: ModuleType, statement: ast.Import | ast.ImportFrom, name: str, needed: Needed) -> None:
    """An import of the gallery's own is followed to its definition; any other one is kept, with this name only."""
    alias = next(one for one in statement.names if (one.asname or one.name.split(".")[0]) == name)
    if isinstance(statement, ast.ImportFrom):
        origin = statement.module or ""
        if origin.startswith(ROOM) and alias.asname is None:
            needed.sources.setdefault(module.__name__, set()).add(origin)
            gather(importlib.import_module(origin), alias.name, needed)
            return
        needed.imports[f"{origin}:{name}"] = ast.ImportFrom(statement.module, [alias], statement.level)
    else:
        needed.imports[name] = ast.Import([alias])


def names_defined(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement of a module gives."""
    match statement:
        case ast.FunctionDef() | ast.ClassDef():
            yield statement.name
        case ast.Import() | ast.ImportFrom():
            yield from (one.asname or one.name.split(".")[0] for one in statement.names)
        case ast.Assign():
            yield from (one.id for target in statement.targets for one in ast.walk(target) if isinstance(one, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.If():  # imports for type checkers
            for inner in statement.body:
                yield from names_defined(inner)
        case _:
            return


def names_used(statement: ast.stmt) -> list[str]:
    """Names that a statement reads, in the order in which they stand; annotations too, for they name types."""
    used = [one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
    return [one for one in dict.fromkeys(used) if not hasattr(builtins, one)]


def blocks(text: str, statements: Sequence[Named]) -> list[str]:
    """Texts of statements as they are written; constants that follow each other stay together."""
    lines, found, last = text.splitlines(), list[str](), 0
    for one in statements:
        is_plain = isinstance(one, ast.Assign | ast.AnnAssign)
        own = "\n".join(lines[first_line(one) - 1 : one.end_lineno])
        if is_plain and last:
            found[-1] += "\n" + own
        else:
            found.append(own)
        last = is_plain
    return found


def first_line(statement: Named) -> int:
    decorators = [] if isinstance(statement, ast.Assign | ast.AnnAssign) else statement.decorator_list
    return min([statement.lineno, *(one.lineno for one in decorators)])


def import_order(line: str) -> tuple[bool, str]:
    return line.startswith("from"), line
