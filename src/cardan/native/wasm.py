"""LLVM IR texts in, one WebAssembly module out: the same instructions as machine code, for a browser.

LLVM writes an object file, in which every index and address already has the value that it has when nothing else is
linked to it. All texts are therefore put together before code is made, and what is left to do is small: sections that
only a linker reads are dropped, and the functions that are called from outside are exported.

Imported, from "env": the memory, the stack pointer, the table of functions, and functions of the C library under the
names of `runtime.py`. Numbers in memory begin at ``data_end``. A product and a sum are never fused, as in machine code,
so a function that calls nothing of the C library gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardan.errors import CompileError
from cardan.native.engine import llvm_binding

TRIPLE = "wasm32-unknown-unknown"
CUSTOM, IMPORT, EXPORT, ELEMENT, CODE, DATA = 0, 2, 7, 9, 10, 11
FUNCTION, TABLE, MEMORY, GLOBAL = 0, 1, 2, 3  # kinds of imports
ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11)  # of sections in a module
SYMBOL_TABLE = 8
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40  # flags of symbols


@dataclass(frozen=True)
class WebAssembly:
    """A module, the functions that it imports, and where its own numbers end in memory."""

    code: bytes
    imports: tuple[str, ...]
    data_end: int
    table_size: int


def webassembly(texts: Sequence[str], exports: Sequence[str], addresses: Sequence[str] = ()) -> WebAssembly:
    """The module of several IR texts. It exports ``exports``, and for each of ``addresses`` a function
    ``address_of_NAME`` that says what stands for its address where machine code calls by address."""
    code = _object(texts, addresses)
    return _module(code, [*exports, *(f"address_of_{one}" for one in addresses)])


def _object(texts: Sequence[str], addresses: Sequence[str]) -> bytes:
    binding = llvm_binding()
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(cpu="mvp", opt=2)
    context = binding.create_context()
    whole = None
    for text in [*texts, *map(_address, addresses)]:
        try:
            part = binding.parse_assembly(text, context=context)
        except RuntimeError as exc:
            raise CompileError(f"LLVM refuses the generated text: {exc}", ir=text) from exc
        part.triple, part.data_layout = TRIPLE, str(machine.target_data)
        if whole is None:
            whole = part
        else:
            whole.link_in(part)
    if whole is None:
        raise CompileError("There is nothing to compile to WebAssembly.")
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(whole, builder)
    return bytes(machine.emit_object(whole))


def _address(name: str) -> str:
    """A function that returns the address of another, which LLVM thereby puts into the table of functions."""
    return (
        f"declare i64 @{name}(double, ptr, ptr, ptr)\n"
        f"define i64 @address_of_{name}() {{\n  ret i64 ptrtoint (ptr @{name} to i64)\n}}\n"
    )


# --- the object file -----------------------------------------------------------------------------------------------


class _Reader:
    """Numbers and names of a WebAssembly file, one after the other."""

    def __init__(self, content: bytes, at: int = 0) -> None:
        self.content, self.at = content, at

    def byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def number(self) -> int:
        """An unsigned integer, seven bits to a byte."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.content[self.at - count : self.at]

    def name(self) -> str:
        return self.bytes(self.number()).decode()

    @property
    def ended(self) -> bool:
        return self.at >= len(self.content)


def _number(value: int) -> bytes:
    out = b""
    while value >= 128:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def _sections(code: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(code, 8)
    while not reader.ended:
        kind = reader.byte()
        yield kind, reader.bytes(reader.number())


def _module(code: bytes, exports: Sequence[str]) -> WebAssembly:
    sections, linking = dict[int, bytes](), b""
    for kind, content in _sections(code):
        if kind != CUSTOM:
            sections[kind] = content
        elif _Reader(content).name() == "linking":
            linking = content
    imported, table_size = _imports(sections[IMPORT])
    where = _function_indices(linking, len(imported))
    missing = [name for name in exports if name not in where]
    if missing:
        raise CompileError(f"Not every one of the functions {', '.join(missing)} is defined in the compiled text.")
    listed = b"".join(_number(len(one)) + one.encode() + b"\0" + _number(where[one]) for one in exports)
    sections[EXPORT] = _number(len(exports)) + listed
    body = b"".join(bytes([kind]) + _number(len(sections[kind])) + sections[kind] for kind in ORDER if kind in sections)
    return WebAssembly(code[:8] + body, tuple(imported), _data_end(sections.get(DATA, b"\0")), table_size)


def _imports(section: bytes) -> tuple[list[str], int]:
    """Names of the imported functions, and the size of the imported table."""
    reader, found, size = _Reader(section), list[str](), 0
    for _ in range(reader.number()):
        reader.name()
        name, kind = reader.name(), reader.byte()
        if kind == FUNCTION:
            reader.number()
            found.append(name)
        elif kind == GLOBAL:
            reader.bytes(2)
        else:
            if kind == TABLE:
                reader.byte()
            has_most, least = reader.byte() & 1, reader.number()
            size = least if kind == TABLE else size
            if has_most:
                reader.number()
    return found, size


def _function_indices(linking: bytes, imported: int) -> dict[str, int]:
    """Functions that are defined here, by name, from the linker's table of symbols."""
    reader, found = _Reader(linking), dict[str, int]()
    reader.name()
    reader.number()  # version
    while not reader.ended:
        kind, part = reader.byte(), _Reader(reader.bytes(reader.number()))
        if kind != SYMBOL_TABLE:
            continue
        for _ in range(part.number()):
            what, flags = part.byte(), part.number()
            if what in (0, 2, 4, 5):  # function, global, tag, table
                index = part.number()
                named = not flags & UNDEFINED or flags & EXPLICIT_NAME
                name = part.name() if named else ""
                if what == 0 and index >= imported:
                    found[name] = index
            elif what == 1:  # data
                part.name()
                if not flags & UNDEFINED:
                    for _ in range(3):
                        part.number()
            else:  # section
                part.number()
    return found


def _data_end(section: bytes) -> int:
    """The first address behind the constants."""
    reader, end = _Reader(section), 0
    for _ in range(reader.number()):
        if reader.number() != 0:
            raise CompileError("A data segment without a place cannot be loaded.")
        assert reader.byte() == 0x41, "an address is a constant"
        offset = reader.number()  # small and positive: read alike with and without a sign
        assert reader.byte() == 0x0B
        size = reader.number()
        reader.bytes(size)
        end = max(end, offset + size)
    return -(-end // 16) * 16
