"""Sine and cosine as LLVM IR text, for one number or for several side by side, with the same bits either way.

Within |x| <= 1e5 the error is below 1 ulp (2 are promised). The argument is reduced to r + lo = x - k pi/2 with
|r| <= pi/4, where pi/2 has three parts P1 + P2 + P3 [CodyWaite1980]. P1 and P2 have 37 bits and k at most 16, so the
products k P1 and k P2 are exact; what is lost in k P3 is below 2^-112, while no double in that range comes closer to a
multiple of pi/2 than 2^-60.5. Then, with z = r^2,

    sin r = r + r z S(z),   cos r = 1 - z/2 + z^2 C(z),

where S and C are minimax polynomials of degree 5 whose coefficients were rounded one after the other, each fit being
repeated with those already rounded (relative errors 2^-57.9 and 2^-63.9). Beyond 1e5, and for infinities and NaN, the
C library answers, lane by lane.
"""

from __future__ import annotations

import struct

from cardan.native import runtime

LARGEST = 1e5

_TWO_OVER_PI = 0.6366197723675814
_ROUNDING = 6755399441055744.0  # 1.5 * 2^52: adding it leaves the nearest integer in the low bits
_PARTS = tuple(map(float.fromhex, ("0x1.921fb54440000p+0", "0x1.68c234c4c0000p-39", "0x1.98a2e03707345p-77")))
_SINE = (
    *(-0.1666666666666663, 0.00833333333332184, -0.0001984126982935851),
    *(2.7557313538498488e-06, -2.5050734385277974e-08, 1.5895432973773924e-10),
)
_COSINE = (
    *(0.041666666666666595, -0.0013888888888873342, 2.4801587289002076e-05),
    *(-2.755731421703596e-07, 2.0875705395290253e-09, -1.135874918139878e-11),
)


def number(value: float, width: int = 1) -> str:
    """An exact floating-point constant of IR text, repeated ``width`` times for a vector."""
    text = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    return text if width == 1 else "<" + ", ".join([f"double {text}"] * width) + ">"


def type_of(width: int) -> str:
    """The IR type of ``width`` doubles."""
    return "double" if width == 1 else f"<{width} x double>"


def suffix_of(width: int) -> str:
    """How LLVM's intrinsics spell that type: ``f64`` or ``v4f64``."""
    return "f64" if width == 1 else f"v{width}f64"


def function_name(kind: str, width: int = 1) -> str:
    """The name of the internal function ``sin``, ``cos`` or ``sincos`` for ``width`` numbers side by side."""
    return f"cardan_{kind}_{suffix_of(width)}"


def declarations(width: int = 1) -> list[str]:
    """The declarations that `definitions` relies on, one per line, for the module to state once."""
    kind, suffix = type_of(width), suffix_of(width)
    lines = [runtime.declaration("sin"), runtime.declaration("cos")]
    lines.append(f"declare {kind} @llvm.fabs.{suffix}({kind})")
    lines.append(f"declare {kind} @llvm.fma.{suffix}({kind}, {kind}, {kind})")
    if width > 1:
        lines.append(f"declare i1 @llvm.vector.reduce.and.v{width}i1(<{width} x i1>)")
    return lines


def definitions(width: int = 1, *, fma: bool = False, inline: bool = True) -> str:
    """IR text defining sincos (returning ``{sin, cos}``), sin and cos for ``width`` doubles side by side.

    With ``fma`` products are fused into sums where the processor can; text for one number and text for several must be
    made with the same choice to give the same bits. ``inline`` demands inlining, which suits all but long kernels.
    """
    kind, name = type_of(width), function_name("sincos", width)
    pair = f"{{ {kind}, {kind} }}"
    attributes = "nounwind alwaysinline" if inline else "nounwind noinline"
    lines = [_beyond(width), f"define internal {pair} @{name}({kind} %x) {attributes} {{", "entry:"]
    lines += _Reduction(width, fma).lines
    lines += [
        f"  br i1 {'%fits' if width == 1 else '%all'}, label %done, label %far",
        "far:",
        f"  %other = call {pair} @{name}_beyond({kind} %x, {kind} %s, {kind} %c)",
        f"  %far.s = extractvalue {pair} %other, 0",
        f"  %far.c = extractvalue {pair} %other, 1",
        "  br label %done",
        "done:",
        f"  %sine = phi {kind} [ %s, %entry ], [ %far.s, %far ]",
        f"  %cosine = phi {kind} [ %c, %entry ], [ %far.c, %far ]",
        f"  %half = insertvalue {pair} poison, {kind} %sine, 0",
        f"  %both = insertvalue {pair} %half, {kind} %cosine, 1",
        f"  ret {pair} %both",
        "}",
    ]
    for index, one in enumerate(("sin", "cos")):
        lines += [
            f"define internal {kind} @{function_name(one, width)}({kind} %x) nounwind alwaysinline {{",
            f"  %both = call {pair} @{name}({kind} %x)",
            f"  %one = extractvalue {pair} %both, {index}",
            f"  ret {kind} %one",
            "}",
        ]
    return "\n".join(lines) + "\n"


class _Reduction:
    """The straight-line part: reduction, both polynomials, and the choice between them by quadrant."""

    def __init__(self, width: int, fma: bool) -> None:
        self.width, self.fma = width, fma
        self.kind, self.suffix = type_of(width), suffix_of(width)
        self.lines: list[str] = []
        self._reduce()
        self._polynomials()
        self._quadrant()

    def op(self, name: str, operation: str, a: str | float, b: str | float) -> None:
        left, right = self._text(a), self._text(b)
        self.lines.append(f"  %{name} = {operation} {self.kind} {left}, {right}")

    def multiply_add(self, name: str, a: str | float, b: str | float, c: str | float) -> None:
        """name = a b + c, fused where allowed."""
        if self.fma:
            arguments = ", ".join(f"{self.kind} {self._text(x)}" for x in (a, b, c))
            self.lines.append(f"  %{name} = call {self.kind} @llvm.fma.{self.suffix}({arguments})")
        else:
            self.op(f"{name}.m", "fmul", a, b)
            self.op(name, "fadd", f"%{name}.m", c)

    def _text(self, value: str | float) -> str:
        return value if isinstance(value, str) else number(value, self.width)

    def _reduce(self) -> None:
        first, second, third = _PARTS
        self.multiply_add("shifted", "%x", _TWO_OVER_PI, _ROUNDING)
        self.op("k", "fsub", "%shifted", _ROUNDING)
        self.multiply_add("r1", "%k", -first, "%x")
        self.op("w", "fmul", "%k", second)
        self.op("r2", "fsub", "%r1", "%w")
        self.op("d2", "fsub", "%r1", "%r2")
        self.op("e2", "fsub", "%w", "%d2")  # minus the rounding error of r2
        self.multiply_add("tail", "%k", third, "%e2")
        self.op("r", "fsub", "%r2", "%tail")
        self.op("d3", "fsub", "%r2", "%r")
        self.op("lo", "fsub", "%d3", "%tail")

    def _polynomials(self) -> None:
        self.op("z", "fmul", "%r", "%r")
        self.op("zz", "fmul", "%z", "%z")
        self.op("z4", "fmul", "%zz", "%zz")
        self._estrin("S", _SINE)
        self._estrin("C", _COSINE)
        self.op("rz", "fmul", "%r", "%z")
        self.multiply_add("s.tail", "%rz", "%S", "%lo")
        self.op("s.r", "fadd", "%r", "%s.tail")
        self.op("hz", "fmul", "%z", 0.5)
        self.op("c.w", "fsub", 1.0, "%hz")
        self.op("c.d", "fsub", 1.0, "%c.w")
        self.op("c.e", "fsub", "%c.d", "%hz")  # the rounding error of 1 - z/2
        self.op("c.lo", "fmul", "%r", "%lo")
        self.op("c.f", "fsub", "%c.e", "%c.lo")
        self.multiply_add("c.tail", "%zz", "%C", "%c.f")
        self.op("c.r", "fadd", "%c.w", "%c.tail")

    def _estrin(self, name: str, coefficients: tuple[float, ...]) -> None:
        """Six coefficients in pairs, which shortens the chain of dependent operations."""
        for index in range(0, 6, 2):
            self.multiply_add(f"{name}.{index}", coefficients[index + 1], "%z", coefficients[index])
        self.multiply_add(f"{name}.low", f"%{name}.2", "%zz", f"%{name}.0")
        self.multiply_add(name, f"%{name}.4", "%z4", f"%{name}.low")

    def _quadrant(self) -> None:
        """sin and cos change places in odd quadrants; signs follow from the two low bits of k."""
        width, kind = self.width, self.kind
        integer = "i64" if width == 1 else f"<{width} x i64>"
        flag = "i1" if width == 1 else f"<{width} x i1>"

        def whole(value: int) -> str:
            return str(value) if width == 1 else "<" + ", ".join([f"i64 {value}"] * width) + ">"

        self.lines += [
            f"  %q = bitcast {kind} %shifted to {integer}",
            f"  %odd.bit = and {integer} %q, {whole(1)}",
            f"  %odd = icmp ne {integer} %odd.bit, {whole(0)}",
            f"  %s.abs = select {flag} %odd, {kind} %c.r, {kind} %s.r",
            f"  %c.abs = select {flag} %odd, {kind} %s.r, {kind} %c.r",
        ]
        self.lines.append(f"  %q1 = add {integer} %q, {whole(1)}")
        for name, quadrant in (("s", "%q"), ("c", "%q1")):
            self.lines += [
                f"  %{name}.high = lshr {integer} {quadrant}, {whole(1)}",
                f"  %{name}.sign = shl {integer} %{name}.high, {whole(63)}",
                f"  %{name}.bits = bitcast {kind} %{name}.abs to {integer}",
                f"  %{name}.flip = xor {integer} %{name}.bits, %{name}.sign",
                f"  %{name} = bitcast {integer} %{name}.flip to {kind}",
            ]
        self.lines += [
            f"  %size = call {kind} @llvm.fabs.{self.suffix}({kind} %x)",
            f"  %fits = fcmp ole {kind} %size, {self._text(LARGEST)}",
        ]
        if width > 1:
            self.lines.append(f"  %all = call i1 @llvm.vector.reduce.and.v{width}i1(<{width} x i1> %fits)")


def _beyond(width: int) -> str:
    """Replaces the lanes that lie beyond the range by what the C library says."""
    kind, name = type_of(width), function_name("sincos", width) + "_beyond"
    pair = f"{{ {kind}, {kind} }}"
    lines = [f"define internal {pair} @{name}({kind} %x, {kind} %s, {kind} %c) nounwind noinline cold {{"]
    if width == 1:
        lines += [f"  %{v}0 = call double @{runtime.symbol(f)}(double %x)" for v, f in (("s", "sin"), ("c", "cos"))]
        sine, cosine = "%s0", "%c0"
    else:
        lines += [
            f"  %size = call {kind} @llvm.fabs.{suffix_of(width)}({kind} %x)",
            f"  %fits = fcmp ole {kind} %size, {number(LARGEST, width)}",
        ]
        for v, f in (("s", "sin"), ("c", "cos")):
            last = "poison"
            for lane in range(width):
                lines += [
                    f"  %{v}x{lane} = extractelement {kind} %x, i32 {lane}",
                    f"  %{v}y{lane} = call double @{runtime.symbol(f)}(double %{v}x{lane})",
                    f"  %{v}v{lane} = insertelement {kind} {last}, double %{v}y{lane}, i32 {lane}",
                ]
                last = f"%{v}v{lane}"
            lines.append(f"  %{v}r = select <{width} x i1> %fits, {kind} %{v}, {kind} {last}")
        sine, cosine = "%sr", "%cr"
    lines += [
        f"  %half = insertvalue {pair} poison, {kind} {sine}, 0",
        f"  %both = insertvalue {pair} %half, {kind} {cosine}, 1",
        f"  ret {pair} %both",
        "}",
    ]
    return "\n".join(lines)
