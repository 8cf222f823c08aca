"""LLVM IR text in, machine code in memory out.

    library = compile_ir(text, ["rhs"], level=1)
    address = library.address("rhs")

Floating-point contraction is off: a product and a sum are fused only where the text says ``llvm.fma``. No fast-math
flag is ever set here either, so that every level of optimisation gives the same bits.

Functions of the C library are declared under their names in `runtime.py` (``declare double @cardan_tan(double)``).
llvmlite is imported when the first text is compiled, not before.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from cardan.errors import CompileError
from cardan.native import cache as object_cache
from cardan.native.once import preparing

if TYPE_CHECKING:
    from llvmlite.binding import ContextRef, ModuleRef, TargetMachine

__all__ = ["Host", "Library", "compile_ir", "expose", "host", "llvm_binding"]

_CODE_GENERATION = {0: 0, 1: 2, 2: 2, 3: 3}


@dataclass(frozen=True, slots=True)
class Host:
    """The processor and compiler that machine code is made for and by."""

    triple: str
    cpu: str
    features: str
    compiler: str

    @property
    def has_fma(self) -> bool:
        """Whether one instruction computes a*b + c with a single rounding."""
        return "+fma" in self.features.split(",") or self.triple.startswith(("aarch64", "arm64"))


class Library:
    """Compiled functions, found by name; the machine code lives as long as this object."""

    def __init__(self, engine: object, addresses: dict[str, int], *, from_cache: bool) -> None:
        self._engine = engine
        self._called: tuple[object, ...] = ()
        self._addresses = addresses
        self.from_cache = from_cache

    @classmethod
    def merged(cls, libraries: Sequence[Library]) -> Library:
        """One library of the functions of several."""
        addresses = {name: library.address(name) for library in libraries for name in library.names}
        return cls(tuple(libraries), addresses, from_cache=all(library.from_cache for library in libraries))

    def calling(self, *others: object) -> Library:
        """This library, which calls machine code of the others and keeps it alive as long as itself."""
        self._called = (*self._called, *others)
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The functions that can be asked for."""
        return tuple(self._addresses)

    def address(self, name: str) -> int:
        """Where function ``name`` starts; valid while this library is alive."""
        try:
            return self._addresses[name]
        except KeyError:
            raise CompileError(
                f"Function {name!r} was not compiled into this library, which holds {', '.join(self._addresses)}. "
                "Name it in compile_ir(text, functions).",
                name=name,
            ) from None


@functools.cache
def host() -> Host:
    """This machine's target triple, CPU name, CPU features and compiler versions, as used for every compilation."""
    binding = llvm_binding()
    import llvmlite

    version = ".".join(str(part) for part in binding.llvm_version_info)
    return Host(
        triple=binding.get_process_triple(),
        cpu=binding.get_host_cpu_name(),
        features=_host_features(binding),
        compiler=f"llvmlite {llvmlite.__version__}, LLVM {version}",
    )


def compile_ir(ir: str, functions: Sequence[str], *, level: int, cache: bool = True) -> Library:
    """Machine code of the named functions of an LLVM IR text.

    ``level`` 0: quickest to compile, about 2.5 times slower code; 1: full code generation, no passes over the text
    except the inlining of ``alwaysinline`` functions; 2 and 3: LLVM's O2 and O3 pipelines first.
    With ``cache`` the object code is looked up in, and added to, the user's cache directory.
    """
    if level not in _CODE_GENERATION:
        raise CompileError(f"Optimisation level must be 0, 1, 2 or 3, not {level!r}.", level=level)
    store = object_cache.user_cache() if cache else None
    key = _key(ir, level) if store is not None else ""
    found = store.load(key) if store is not None else None
    with preparing:
        if found is not None:
            library = _link(found, functions, from_cache=True)
            if library is not None:
                return library
        made = _object_code(ir, level)
        library = _link(made, functions, from_cache=False)
    if library is None:
        missing = ", ".join(functions)
        raise CompileError(
            f"Not every one of the functions {missing} is defined in the compiled text.", names=functions
        )
    if store is not None:
        store.save(key, made)
    return library


def expose(name: str, address: int) -> None:
    """Let texts compiled from now on call the machine code at ``address`` as ``@name``."""
    llvm_binding().add_symbol(name, address)


def _key(ir: str, level: int) -> str:
    """The name under which object code of this text is cached: changes with text, options, CPU and versions."""
    import cardan

    machine = host()
    version = getattr(cardan, "__version__", "0")
    head = (machine.triple, machine.cpu, machine.features, machine.compiler, f"cardan {version}", f"level {level}")
    return hashlib.sha256("\n".join((*head, ir)).encode()).hexdigest()


def _object_code(ir: str, level: int) -> bytes:
    binding = llvm_binding()
    machine = _target_machine(_CODE_GENERATION[level])
    try:
        module = binding.parse_assembly(ir, context=binding.create_context())
        module.verify()
    except RuntimeError as exc:
        raise CompileError(f"LLVM refuses the generated text: {exc}", ir=ir) from exc
    module.triple = host().triple
    module.data_layout = str(machine.target_data)
    _run_passes(binding, module, machine, level)
    return bytes(machine.emit_object(module))


def _run_passes(binding: ModuleType, module: ModuleRef, machine: TargetMachine, level: int) -> None:
    """Level 0: nothing; 1: inlining where the text demands it; 2, 3: the standard pipelines."""
    if level == 0:
        return
    options = binding.create_pipeline_tuning_options(speed_level=level)
    builder = binding.create_pass_builder(machine, options)
    if level == 1:
        passes = binding.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
    else:
        passes = builder.getModulePassManager()
    passes.run(module, builder)


def _link(code: bytes, functions: Sequence[str], *, from_cache: bool) -> Library | None:
    """The library in this object code, or None if it cannot be linked or lacks a function."""
    binding = llvm_binding()
    empty = binding.parse_assembly("", context=_link_context())
    empty.triple = host().triple
    try:
        engine = binding.create_mcjit_compiler(empty, _target_machine(2))
        engine.add_object_file(binding.ObjectFileRef.from_data(code))
        engine.finalize_object()
    except RuntimeError as exc:
        if from_cache:
            return None
        raise CompileError(f"The compiled code cannot be linked: {exc}") from exc
    addresses = {name: int(engine.get_function_address(name)) for name in functions}
    return Library(engine, addresses, from_cache=from_cache) if all(addresses.values()) else None


@functools.cache
def _link_context() -> ContextRef:
    """The context of the empty modules that engines own; never given back, because an engine lets go of its module,
    and with it of the module's context, just before it frees that module itself."""
    return llvm_binding().create_context()


@functools.cache
def llvm_binding() -> ModuleType:
    """llvmlite's binding, with the native target and the C library's functions made known to it."""
    from importlib import import_module

    from cardan.native import runtime

    binding = import_module("llvmlite.binding")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    runtime.register(binding)
    return binding


def _host_features(binding: ModuleType) -> str:
    try:
        return str(binding.get_host_cpu_features().flatten())
    except RuntimeError:  # unknown processor: LLVM then uses what the CPU name implies
        return ""


def _target_machine(code_generation: int) -> TargetMachine:
    """A new target machine; MCJIT takes ownership of the one it is given, so none is shared."""
    machine = host()
    target = llvm_binding().Target.from_triple(machine.triple)
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=code_generation, codemodel="jitdefault", jit=True
    )
