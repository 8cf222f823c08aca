"""How hard to optimise: chosen by size, from measurements.

n-link pendulums on one core of a Zen 4 machine; time to compile, then time of one scalar evaluation:

    operations           64           895          1906          8828         22751         45673
    level 2, whole    15 ms/23 ns  53 ms/156 ns  .11 s/339 ns
    level 1, whole    11 ms/24 ns  39 ms/154 ns  .09 s/342 ns  .41 s/1.60 us
    level 1, pieces                              .09 s/371 ns  .29 s/1.68 us  .73 s/4.3 us  1.57 s/8.7 us
    level 0, pieces                              .02 s/400 ns  .06 s/1.78 us  .14 s/4.5 us   .27 s/9.0 us
    level 0, whole     6 ms/26 ns  10 ms/274 ns  .02 s/824 ns  .05 s/4.87 us  .10 s/14 us

Robots on a Zen 5 machine, whose operations depend less on those just before them (level 1 whole / in pieces of 1000,
level 0 in pieces of 160): 4148 operations 660, 690 and 810 ns after .20, .18 and .14 s; 11 561 operations 2.0, 2.1 and
2.5 us after .84, .56 and .13 s.

LLVM's passes over straight-line text gain nothing that the graph has not already gained. Cut into pieces of some 160
operations, code generation without optimisation is within 5 to 25 % of the best code, because few values are alive
inside a piece and the fast register allocator then has little to get wrong; it compiles four times faster and its time
is proportional to the size. So texts of up to 8000 operations are one function, up to 20 000 pieces of 1000, both with
full code generation, and longer ones are compiled quickly. Fusing products into sums (``fma``) gains 5 to 8 % in scalar
and in vector kernels of 900 to 1900 operations; it stays off, since without it a kernel without functions of the C
library gives the same bits on every processor.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardan.codegen.emit import emit_module
from cardan.codegen.kernel_text import LONGEST_WITH_CARE, QUICKLY
from cardan.native import Library, compile_ir


def level_for(operations: int) -> int:
    """The level of `compile_ir` for a kernel of that many operations."""
    return 1 if operations <= LONGEST_WITH_CARE else 0


def compile_kernels(kernels: Mapping[str, str], *, fma: bool = False, cache: bool = True) -> Library:
    """Machine code of kernels given as IR text by name, each at the level that suits its size.

    ``fma`` must be what the texts were emitted with.
    """
    by_level: dict[int, dict[str, str]] = {}
    for name, text in kernels.items():
        by_level.setdefault(0 if QUICKLY in text else 1, {})[name] = text
    libraries = [
        compile_ir(emit_module(list(texts.values()), fma=fma), list(texts), level=level, cache=cache)
        for level, texts in by_level.items()
    ]
    return libraries[0] if len(libraries) == 1 else Library.merged(libraries)
