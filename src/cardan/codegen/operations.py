"""The IR text of one operation, for one number or several side by side."""

from __future__ import annotations

from cardan.codegen import trig
from cardan.errors import CompileError
from cardan.native import runtime

ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
INTRINSIC = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor", "min": "minimum", "max": "maximum"}
COMPARISON = {"lt": "olt", "le": "ole", "eq": "oeq"}
LIBRARY = ("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "pow", "atan2")


class Operations:
    """Writes operations on values of one type (``double`` or ``<4 x double>``)."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.kind = trig.type_of(width)
        self.suffix = trig.suffix_of(width)
        self.flag = "i1" if width == 1 else f"<{width} x i1>"
        self.zero = trig.number(0.0, width)
        self.arithmetic = {op: f" = {name} {self.kind} " for op, name in ARITHMETIC.items()}

    def write(self, result: str, op: str, args: tuple[str, ...]) -> list[str]:
        """Lines that define ``result`` as ``op`` of ``args``; comparisons also define ``result.flag``."""
        kind = self.kind
        if op in ARITHMETIC:
            return [f"  {result}{self.arithmetic[op]}{args[0]}, {args[1]}"]
        if op == "neg":
            return [f"  {result} = fneg {kind} {args[0]}"]
        if op in INTRINSIC:
            return [self._call(result, f"llvm.{INTRINSIC[op]}.{self.suffix}", args)]
        if op in LIBRARY:
            return [self._call(result, library_function(op, self.width), args)]
        if op in COMPARISON:
            return [
                f"  {result}.flag = fcmp {COMPARISON[op]} {kind} {args[0]}, {args[1]}",
                f"  {result} = uitofp {self.flag} {result}.flag to {kind}",
            ]
        if op == "select":
            return [
                f"  {result}.flag = fcmp une {kind} {args[0]}, {self.zero}",
                f"  {result} = select {self.flag} {result}.flag, {kind} {args[1]}, {kind} {args[2]}",
            ]
        if op == "sign":
            return self._sign(result, args[0])
        raise CompileError(f"No machine code is known for the operation {op!r}.", operation=op)

    def select_by_flag(self, result: str, flag: str, if_true: str, if_false: str) -> str:
        """The line of a choice whose condition is a comparison."""
        return f"  {result} = select {self.flag} {flag}, {self.kind} {if_true}, {self.kind} {if_false}"

    def fused(self, result: str, op: str, factors: tuple[str, str], other: str, *, product_first: bool) -> list[str]:
        """a b + c, a b - c or c - a b with a single rounding."""
        a, b = factors
        lines = []
        if op == "sub":
            negated, name = (other, "c") if product_first else (a, "a")
            lines.append(f"  {result}.{name} = fneg {self.kind} {negated}")
            a, other = (a, f"{result}.c") if product_first else (f"{result}.a", other)
        return [*lines, self._call(result, f"llvm.fma.{self.suffix}", (a, b, other))]

    def _call(self, result: str, function: str, args: tuple[str, ...]) -> str:
        listed = ", ".join(f"{self.kind} {a}" for a in args)
        return f"  {result} = call {self.kind} @{function}({listed})"

    def _sign(self, result: str, x: str) -> list[str]:
        """1 above zero, -1 below, 0 at zero, NaN for NaN."""
        kind, zero = self.kind, self.zero
        one, minus = trig.number(1.0, self.width), trig.number(-1.0, self.width)
        return [
            f"  {result}.is0 = fcmp oeq {kind} {x}, {zero}",
            f"  {result}.neg = fcmp olt {kind} {x}, {zero}",
            f"  {result}.pos = fcmp ogt {kind} {x}, {zero}",
            self.select_by_flag(f"{result}.a", f"{result}.is0", zero, x),
            self.select_by_flag(f"{result}.b", f"{result}.neg", minus, f"{result}.a"),
            self.select_by_flag(result, f"{result}.pos", one, f"{result}.b"),
        ]


def library_function(op: str, width: int) -> str:
    """The function of the C library behind ``op``, or its lane-by-lane form."""
    return runtime.symbol(op) if width == 1 else f"{runtime.symbol(op)}_{trig.suffix_of(width)}"


def library_by_lanes(op: str, width: int) -> str:
    """IR text that applies a function of the C library to each lane: the same bits as one by one."""
    kind = trig.type_of(width)
    names = ("x", "y") if op in runtime.BINARY else ("x",)
    parameters = ", ".join(f"{kind} %{n}" for n in names)
    lines = [f"define internal {kind} @{library_function(op, width)}({parameters}) nounwind noinline {{"]
    last = "poison"
    for lane in range(width):
        lines += [f"  %{n}{lane} = extractelement {kind} %{n}, i32 {lane}" for n in names]
        arguments = ", ".join(f"double %{n}{lane}" for n in names)
        lines.append(f"  %f{lane} = call double @{runtime.symbol(op)}({arguments})")
        lines.append(f"  %v{lane} = insertelement {kind} {last}, double %f{lane}, i32 {lane}")
        last = f"%v{lane}"
    return "\n".join([*lines, f"  ret {kind} {last}", "}", ""])
